"""Answers to the exercises of lesson 04 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, shares_of, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("temperature_softmax")
def log_sum_exp_with_temperature(x, temperature):
    scaled = x / temperature
    return np.exp(scaled - np.logaddexp.reduce(scaled, axis=-1, keepdims=True))


@right("temperature_softmax")
def rows_with_temperature(x, T):
    rows = [attn.softmax(row * (1 / T)) for row in x.reshape(-1, x.shape[-1])]
    return np.array(rows).reshape(x.shape)


@wrong("temperature_softmax", "temperature-ignored")
def temperature_in_the_sum(x, T):
    return shares_of(np.exp(x) / T)


@wrong("temperature_softmax", "shifted-before-dividing")
def maximum_before_dividing(x, T):
    return shares_of(np.exp(x / T - np.amax(x, -1, keepdims=True)))


@wrong("temperature_softmax", "temperature-ignored")
def only_the_maximum_divided(x, T):
    return shares_of(np.exp(x - np.amax(x, -1, keepdims=True) / T))


@wrong("temperature_softmax", None)
def temperature_of_at_least_half(x, T):
    return attn.softmax(x / max(T, 0.5))


@wrong("temperature_softmax", "shares-to-a-power")
def shares_to_a_power(x, T):
    return shares_of(attn.softmax(x) ** (1 / T))


@wrong("temperature_softmax", "another-temperature")
def root_of_the_temperature(x, t):
    return attn.softmax(x / t**0.5)


@wrong("temperature_softmax", "rounded-to-whole")
def whole_temperatures(x, t):
    powers = np.exp((x - x.max(-1, keepdims=True)) / int(t))
    return powers / powers.sum(-1, keepdims=True)


@wrong("temperature_softmax", "another-base")
def temperature_as_base(x, t):
    return shares_of(t**x)


@wrong("temperature_softmax", "hard-maximum")
def argmax_below_1(x, t):
    return np.eye(x.shape[-1])[x.argmax(-1)] if t < 1 else attn.softmax(x / t)


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
