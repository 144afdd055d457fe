"""Lesson 04: weights at another temperature, from those at temperature 1 alone."""

import numpy as np

from attn_checks.exercise import (
    Step,
    Steps,
    exercise,
    inside,
    only,
    told_in,
    with_each,
)
from attn_lessons.lesson04.softmax import AT_ONCE, rows
from attn_lessons.lesson04.temperature_softmax import (
    DIVIDE_MISTAKES,
    HARD_WHEN_COLD,
)
from attn_parts import mathematics as maths


def weights_of(*shape, temperature):
    return lambda draw: (maths.softmax(draw(*shape)), temperature)


INPUTS = {
    "two words": (np.array([0.9, 0.1]), 2.0),
    "colder": (np.array([[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]), 0.5),
    "a weight of 0": (np.array([[0.8, 0.2, 0.0], [0.0, 1.0, 0.0]]), 2.0),
    "square": (np.array([[0.3, 0.7], [0.6, 0.4]]), 0.5),
    "batch": weights_of(2, 3, 4, temperature=3.0),
    "temperature 1": (np.array([[0.1, 0.2, 0.7]]), 1.0),
    "very cold": (np.array([[0.3, 0.3, 0.4], [0.5, 0.5, 0.0]]), 0.001),
    "rows far apart, cold": (np.array([[0.9, 0.1], [0.5, 0.5]]), 0.0005),
    "very hot": (np.array([[0.98, 0.015, 0.005]]), 1000.0),
    "a tiny weight and none": (np.array([[1.0, 1e-300, 1e-12, 0.0]]), 100.0),
    "float32": (np.array([[0.7, 0.2, 0.1]], dtype=np.float32), 1.5),
    "nearly alike, very cold": (np.array([[0.50001, 0.49999]]), 1e-5),
}


def logarithms(weights):
    return np.log(weights)  # ln 0 is −inf: a score whose weight is 0


ADDED = (1e-9, 1e-3, 1e-2, 1e-6, 1e-12, 1e-10, 1e-8, 1e-5, 1e-4, 0.1, 1, 1e-300)
LEAST = (1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 1e-300, np.finfo(float).tiny)
LOWEST = (-5, -10, -20, -50, -100, -1000)
LOG_MISTAKES = {
    "softmax-of-weights": lambda weights: weights,
    "exponentiated": np.exp,
    "zero-gains": [
        *with_each(ADDED, lambda weights, small: np.log(weights + small)),
        *with_each(LEAST, lambda weights, small: np.log(np.maximum(weights, small))),
        *with_each(LOWEST, lambda weights, low: np.maximum(np.log(weights), low)),
        lambda weights: np.where(weights == 0, 0, np.log(weights)),
    ],
    "another-base": [np.log2, np.log10],
}
KNOWN_OF_SOFTMAX = (
    "wrong-axis",
    "whole-array",
    "axis-1",
    "missing-keepdims",
    "global-max",
    "not-normalised",
    "sign-reversed",
)
STEPS = Steps(
    "weights t",
    {
        "log": Step("weights", "scores", LOG_MISTAKES, logarithms),
        "divide": Step(
            "scores t",
            "cooled",
            told_in("temperature_softmax", DIVIDE_MISTAKES),
            lambda scores, t: scores / t,
        ),
        "softmax": Step(
            "cooled",
            "result",
            told_in("softmax", only(AT_ONCE, *KNOWN_OF_SOFTMAX)),
            maths.softmax,
        ),
    },
)
# Mistakes made with the weights themselves.
MISTAKES = {
    "temperature-ignored": lambda weights, t: weights,
    "weights-divided": lambda weights, t: weights / t,
    "underflow": [
        lambda weights, t: rows(weights ** (1 / t)),
        lambda weights, t: np.nan_to_num(rows(weights ** (1 / t))),
    ],
    "logarithms-normalised": [
        lambda weights, t: logarithms(weights) / t,
        lambda weights, t: rows(logarithms(weights) / t),
    ],
}
HARD_MAXIMUM = [
    told_in(
        "temperature_softmax",
        inside(
            HARD_WHEN_COLD,
            lambda way: lambda weights, t: way(logarithms(weights), t),
        ),
    ),
    told_in(
        "softmax",
        inside(
            only(AT_ONCE, "hard-maximum"),
            lambda way: lambda weights, t: way(logarithms(weights) / t),
        ),
    ),
]


@exercise(
    inputs=INPUTS,
    mistakes=[MISTAKES, HARD_MAXIMUM, STEPS.mistakes()],
    steps=STEPS,
    result="weights",
)
def change_temperature(weights, temperature):
    """Check `f(weights, temperature)` → weights at another temperature, from those at temperature 1.

    Returns Feedback.
    """
    with np.errstate(divide="ignore"):
        return maths.softmax(logarithms(weights) / temperature)
