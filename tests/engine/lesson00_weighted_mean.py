"""Answers to the exercises of lesson 00 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("weighted_mean")
def sums_in_a_tuple(w, v):
    return tuple(sum(a * b for a, b in zip(w, column, strict=True)) for column in v.T)


@right("weighted_mean")
def sum_of_weighted_rows(w, v):
    return sum(a * r for a, r in zip(w, v, strict=True))


@wrong("weighted_mean", "columns-weighted")
def rows_times_weights(w, v):
    return np.sum(w * v, axis=0)


@wrong("weighted_mean", "plain-mean")
def plain_average(w, v):
    return np.average(v, axis=0)


@wrong("weighted_mean", "columns-weighted")
def einsum_of_columns(w, v):
    return np.einsum("j,ij->i", w, v)


@wrong("weighted_mean", "rounded-to-whole")
def adds_up_in_whole_numbers(weights, values):
    total = np.zeros_like(values[0])
    for i in range(len(weights)):
        for j in range(len(total)):
            total[j] = total[j] + weights[i] * values[i][j]
    return total


@wrong("weighted_mean", None)
def values_cut_to_int(w, v):
    return w @ v.astype(int)


@wrong("weighted_mean", "rounded", says="rounded, to 2 decimals")
def rounded_to_two_digits(w, v):
    return np.round(w @ v, 2)


@wrong("weighted_mean", "wrong-shape")
def squeezed(w, v):
    return (w @ v).squeeze()


@wrong("weighted_mean", "first-row-only")
def returns_in_the_first_round(weights, values):
    total = np.zeros(values.shape[1])
    for i in range(len(weights)):
        total += weights[i] * values[i]
        return total


@wrong("weighted_mean", "last-row-only")
def writes_over_the_round_before(weights, values):
    mean = np.zeros(values.shape[1])
    for weight, row in zip(weights, values, strict=True):
        mean = weight * row
    return mean


@raising("weighted_mean", "whole-numbers", says="np.zeros")
def adds_onto_whole_numbers(weights, values):
    total = np.zeros_like(values[0], dtype=int)
    total += weights[0] * values[0]
    return total


@raising("weighted_mean", "index-out-of-bounds", says="Inputs differ in size")
def always_four_words(weights, values):
    mean = np.zeros(2)
    for i in range(4):
        mean += weights[i] * values[i]
    return mean


@raising("weighted_mean", "list-indexed-by-array", says="an axis")
def mean_along_weights(w, v):
    return np.mean(v, w)


@wrong("weighted_mean", "row-left-out")
def from_row_1(w, v):
    return sum(w[i] * v[i] for i in range(1, len(w)))


@wrong("weighted_mean", "fixed-number-of-rows")
def two_rows_typed_out(w, v):
    return w[0] * v[0] + w[1] * v[1]


@wrong("weighted_mean", "does-not-start-at-0")
def the_first_row_counts_once_more(w, v):
    mean = v[0]
    for weight, row in zip(w, v, strict=True):
        mean = mean + weight * row
    return mean


@wrong("weighted_mean", "weights-added")
def plus_for_times(w, v):
    return sum(weight + row for weight, row in zip(w, v, strict=True))


@wrong("weighted_mean", "changed-in-each-round")
def running_mean(w, v):
    mean = np.zeros(v.shape[1])
    for i in range(len(w)):
        mean = (mean + w[i] * v[i]) / (i + 1)
    return mean


@wrong("weighted_mean", "weights-of-other-rows")
def the_weight_before(w, v):
    return sum(w[i - 1] * v[i] for i in range(len(w)))


@wrong("weighted_mean", "one-weight-for-all")
def weight_0(w, v):
    return sum(w[0] * row for row in v)


@wrong("weighted_mean", "index-as-weight")
def enumerated(w, v):
    return sum(i * row for i, row in enumerate(v))


@wrong("weighted_mean", "largest-weight-only")
def the_best_row(w, v):
    return v[np.argmax(w)]


@wrong("weighted_mean", "weights-changed")
def softmax_of_shares(w, v):
    return np.exp(w) / np.exp(w).sum() @ v


@wrong("weighted_mean", "once-for-each-row")
def whole_mean_in_a_loop(w, v):
    return sum(w @ v for _ in w)


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
