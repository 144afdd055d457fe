"""Answers to the exercises of lesson 04 as people write them, each with its verdict."""

import math

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("joined_softmax")
def softmax_of_the_log_sum_exps(p, a, q, b):
    share = attn.softmax([a, b])
    return np.append(share[0] * p, share[1] * q)


@right("joined_softmax")
def sums_relative_to_the_larger(p, a, q, b):
    m = max(a, b)
    first, second = np.exp(a - m), np.exp(b - m)
    return np.concatenate((first * p, second * q)) / (first + second)


@right("joined_softmax")
def log_sum_exp_of_both(p, a, q, b):
    whole = np.logaddexp(a, b)
    return np.hstack([p * np.exp(a - whole), q * np.exp(b - whole)])


@right("joined_softmax")
def as_a_list(p, a, q, b):
    top = a if a > b else b
    total = math.exp(a - top) + math.exp(b - top)
    return [x * math.exp(a - top) / total for x in p] + [x * math.exp(b - top) / total for x in q]


@right("joined_softmax")
def scores_won_back(p, a, q, b):
    with np.errstate(divide="ignore"):
        scores = np.concatenate([np.log(p) + a, np.log(q) + b])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@right("joined_softmax")
def into_an_empty_array(p, a, q, b):
    whole = np.empty(len(p) + len(q))
    whole[: len(p)], whole[len(p) :] = p, q
    logs = np.array([a] * len(p) + [b] * len(q))
    whole *= np.exp(logs - logs.max())
    return whole / whole.sum()


@wrong("joined_softmax", "parts-averaged")
def the_mean_of_both(p, a, q, b):
    return np.append(p, q) / 2


@wrong("joined_softmax", "parts-averaged")
def divided_by_the_sum(p, a, q, b):
    both = np.concatenate([p, q])
    return both / both.sum()


@wrong("joined_softmax", "scores-again")
def only_the_scores(p, a, q, b):
    return np.append(a + np.log(p), b + np.log(q))


@right("joined_softmax")
def sigmoid_of_the_difference(p, a, q, b):
    share = 1 / (1 + np.exp(b - a))
    return np.concatenate([share * p, (1 - share) * q])


@wrong("joined_softmax", "wrong-shift")
def the_smaller_subtracted(p, a, q, b):
    low = min(a, b)
    u, v = np.exp(a - low), np.exp(b - low)
    return np.concatenate([u * p, v * q]) / (u + v)


@wrong("joined_softmax", "softmax-of-shares")
def shares_and_logarithms_added(p, a, q, b):
    return attn.softmax([*(p + a), *(q + b)])


@wrong("joined_softmax", "not-weighted")
def concatenated(p, a, q, b):
    return np.array([*p, *q])


@wrong("joined_softmax", "no-max-subtraction")
def sums_themselves(p, a, q, b):
    powers = np.concatenate([p * np.exp(a), q * np.exp(b)])
    return powers / (np.exp(a) + np.exp(b))


@wrong("joined_softmax", "logarithms-as-portions")
def portions_of_logarithms(p, a, q, b):
    return np.concatenate([p * a, q * b]) / (a + b)


@wrong("joined_softmax", "weighted-by-length")
def by_length(p, a, q, b):
    n = len(p) + len(q)
    return np.concatenate([p * len(p) / n, q * len(q) / n])


@wrong("joined_softmax", "wrong-shift")
def relative_to_the_first(p, a, q, b):
    grown = np.exp(b - a)
    return np.concatenate([p, q * grown]) / (1 + grown)


@wrong("joined_softmax", "not-normalised")
def powers_of_all(p, a, q, b):
    return np.concatenate([np.exp(a) * p, np.exp(b) * q])


@wrong("joined_softmax", "portions-swapped")
def mixed_up(p, a, q, b):
    m = max(a, b)
    u, v = np.exp(a - m), np.exp(b - m)
    return np.concatenate([v * p, u * q]) / (u + v)


@wrong("joined_softmax", "softmax-of-shares")
def softmax_once_more(p, a, q, b):
    return attn.softmax(np.concatenate([p, q]))


@wrong("joined_softmax", "one-part-weighted")
def only_the_second(p, a, q, b):
    return np.concatenate([p, q * np.exp(b - np.logaddexp(a, b))])


@wrong("joined_softmax", "parts-exchanged")
def second_first(p, a, q, b):
    u, v = attn.softmax([a, b])
    return np.concatenate([v * q, u * p])


@wrong("joined_softmax", "returns-nothing")
def joined_and_forgotten(p, a, q, b):
    u, v = attn.softmax([a, b])
    np.concatenate([u * p, v * q])


@wrong("joined_softmax", "wrong-shape")
def added(p, a, q, b):
    u, v = attn.softmax([a, b])
    return np.stack([u * p.sum(), v * q.sum()])


@wrong("joined_softmax", "parts-added")
def added_cell_by_cell(p, a, q, b):
    first, second = attn.softmax([a, b])
    return first * p + second * q


@wrong("joined_softmax", "blocked-part-left-out")
def the_other_part_alone(p, a, q, b):
    first, second = attn.softmax([a, b])
    return q if a == -np.inf else p if b == -np.inf else np.concatenate([first * p, second * q])


@wrong("joined_softmax", "rounded")
def joined_and_rounded(p, a, q, b):
    first = 1 / (1 + np.exp(b - a))
    return np.concatenate([first * p, (1 - first) * q]).round(6)


@wrong("joined_softmax", "divided-by-larger")
def divided_by_the_larger(p, a, q, b):
    first, second = attn.softmax([a / max(a, b), b / max(a, b)])
    return np.concatenate([first * p, second * q])


@wrong("joined_softmax", "logarithms-as-portions")
def shares_times_logarithms(p, a, q, b):
    both = np.concatenate([p * a, q * b])
    return both / both.sum()


@wrong("joined_softmax", "larger-part-only")
def the_larger_part_wins(p, a, q, b):
    return np.concatenate([p, 0 * q] if a > b else [0 * p, q])


@wrong("joined_softmax", "one-part-weighted")
def sum_below_the_second_alone(p, a, q, b):
    first, second = np.exp([a, b] - np.maximum(a, b))
    return np.concatenate([first * p, second * q / (first + second)])


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
