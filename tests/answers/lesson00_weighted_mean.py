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


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
