"""Answers to the transfer task of lesson 02 as people write them, each with its verdict."""

import math

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong = answers.right, answers.wrong


@right("score_divisor")
def root_of_the_variance(d_k, q_size, k_size):
    return np.sqrt(d_k * q_size**2 * k_size**2)


@right("score_divisor")
def sizes_times_root(d_k, q_size, k_size):
    return q_size * k_size * d_k**0.5


@right("score_divisor")
def variances_added_in_a_loop(d_k, q_size, k_size):
    variance = 0
    for _ in range(d_k):
        variance += (q_size * k_size) ** 2
    return math.sqrt(variance)


@right("score_divisor")
def length_of_a_vector(d_k, q_size, k_size):
    return np.linalg.norm(np.full(d_k, q_size * k_size))


@wrong("score_divisor", "sizes-ignored", says="entries of size 1")
def the_usual_root(d_k, q_size, k_size):
    return np.sqrt(d_k)


@wrong("score_divisor", "one-size-only")
def only_queries(d_k, q_size, k_size):
    return np.sqrt(d_k * q_size**2)


@wrong("score_divisor", "width-ignored")
def one_product(d_k, q_size, k_size):
    return q_size * k_size


@wrong("score_divisor", "variance", says="by its root they do")
def no_root_at_all(d_k, q_size, k_size):
    return sum((q_size**2) * (k_size**2) for _ in range(d_k))


@wrong("score_divisor", "width-not-rooted")
def times_d_k(d_k, q_size, k_size):
    return d_k * q_size * k_size


@wrong("score_divisor", "sizes-under-the-root")
def root_of_all_three(d_k, q_size, k_size):
    return np.sqrt(d_k * q_size * k_size)


@wrong("score_divisor", "variances-outside-the-root")
def root_of_d_k_only(d_k, q_size, k_size):
    return np.sqrt(d_k) * q_size**2 * k_size**2


@wrong("score_divisor", "sizes-added")
def sum_of_sizes(d_k, q_size, k_size):
    return np.sqrt(d_k) * (q_size + k_size)


@wrong("score_divisor", "sizes-added")
def sum_of_variances(d_k, q_size, k_size):
    return np.sqrt(d_k * (q_size**2 + k_size**2))


@wrong("score_divisor", "upside-down")
def inverse(d_k, q_size, k_size):
    return d_k**-0.5 / q_size / k_size


@wrong("score_divisor", "rounded-to-whole")
def whole_root(d_k, q_size, k_size):
    return math.isqrt(d_k) * q_size * k_size


@wrong("score_divisor", "prints-instead-of-returning")
def printed(d_k, q_size, k_size):
    print(np.sqrt(d_k) * q_size * k_size)


@wrong("score_divisor", None, says="divisor expected divisor, yours")
def something_else(d_k, q_size, k_size):
    return d_k + q_size + k_size


@wrong("score_divisor", "added-not-multiplied")
def sizes_added_to_the_root(d_k, q_size, k_size):
    return d_k**0.5 + q_size * k_size


@wrong("score_divisor", None, says="measured on numbers drawn at random")
def measured(d_k, q_size, k_size):
    random = np.random.default_rng(0)
    return (random.normal(0, q_size, (500, d_k)) * random.normal(0, k_size, (500, d_k))).sum(1).std()


@wrong("score_divisor", None, says="measured on numbers drawn at random")
def measured_on_a_few(d_k, q_size, k_size):
    entries = np.random.default_rng(0).standard_normal((2, 50, d_k))
    return (q_size * entries[0] * k_size * entries[1]).sum(axis=-1).std()


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
