"""Lesson 04: weights at another temperature, from those at temperature 1 alone."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, inside
from attn_lessons.lesson04 import temperature_softmax as temperature
from attn_lessons.lesson04.softmax import OVERFLOW, SOFTMAX_MISTAKES, rows
from attn_parts import mathematics as maths

TEMPERATURE = "l04-temperature"
WHY_E = "l04-why-exp"


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


# fmt: off
LOG_MISTAKES = [
    Mistake("softmax-of-weights", "the weights are used as scores", see=WHY_E,
        say="At temperature 1 you should get the weights back, and you don't. Which scores have these weights as their softmax?",
        ways=[lambda weights: weights]),
    Mistake("exponentiated", "exp of the weights instead of their logarithm", see=WHY_E,
        say="You take exponentials of weights, which are the result of exponentials already. Which function undoes exp?",
        ways=[np.exp]),
    Mistake("zero-gains", "a weight of 0 becomes positive",
        say="You add to the weights, or replace small ones or their logarithms, so a weight of 0 becomes positive. e to the −inf is 0, so ln 0 does no harm.",
        ways=[*[lambda weights, small=small: np.log(weights + small)
                for small in (1e-9, 1e-3, 1e-2, 1e-6, 1e-12, 1e-10, 1e-8, 1e-5, 1e-4, 0.1, 1, 1e-300)],
            *[lambda weights, small=small: np.log(np.maximum(weights, small)) for small in (1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 1e-300, np.finfo(float).tiny)],
            *[lambda weights, low=low: np.maximum(np.log(weights), low) for low in (-5, -10, -20, -50, -100, -1000)],
            lambda weights: np.where(weights == 0, 0, np.log(weights))]),
    Mistake("another-base", "a logarithm to another base", see=WHY_E,
        say="Softmax uses e, so the logarithm that undoes it is np.log. With another base the weights change at temperature 1.",
        ways=[np.log2, np.log10]),
]
KNOWN_OF_SOFTMAX = "wrong-axis", "whole-array", "axis-1", "missing-keepdims", "global-max", "not-normalised", "sign-reversed"
# In words for weights, not for scores.
SAID = {
    "temperature-multiplied": ("multiplied by the temperature, or raised to it", "A high temperature should make the weights more uniform, but yours makes them sharper."),
    "not-normalised": ("not divided by the sum", "Your rows no longer sum to 1. Divide each row by its sum at the end."),
    "wrong-axis": ("columns are normalised, not rows", "Your *columns* sum to 1, and your rows don't. Take each sum along a row."),
    "whole-array": ("normalised over the whole array", "All cells together sum to 1, but each *row* should."),
    "axis-1": ("axis=1, or a loop over axis 0", "Axis 1 is the last one in a matrix only. In a batch of matrices it's another one, so count axes from the end."),
    "global-max": ("one maximum for all rows", "You use the largest weight of *all* rows. At a low temperature a row of smaller weights then becomes 0/0, so each row needs its own largest."),
    "sign-reversed": ("the largest weight becomes the smallest", "The order is reversed. Do you use a minus sign too many, or divide where you should multiply?"),
    "another-temperature": ("something other than the temperature is used", "Use the temperature itself: no root, power or logarithm of it, nothing added, no limit."),
    "rounded-to-whole": ("something is rounded to a whole number", "Do you use //, int() or round? Weights and temperatures may be any numbers, so round neither."),
}


def said(mistakes):
    return [each._replace(**dict(zip(("name", "say"), SAID.get(each.short, ()), strict=False))) for each in mistakes]


STEPS = Steps("weights t", {
    "log": Step("weights", "scores", LOG_MISTAKES, logarithms),
    "divide": Step("scores t", "cooled", said(temperature.DIVIDE_MISTAKES), lambda scores, t: scores / t),
    "softmax": Step("cooled", "result", said(mistake for mistake in SOFTMAX_MISTAKES if mistake.short in KNOWN_OF_SOFTMAX), maths.softmax),
})
# Mistakes made with the weights themselves.
MISTAKES = [
    Mistake("temperature-ignored", "the temperature has no effect",
        say="The result is the same at every temperature. If you divide or multiply the weights by it, it cancels when you normalise.",
        ways=[lambda weights, t: weights, lambda weights, t: rows(weights / t), lambda weights, t: rows(weights * t)]),
    Mistake("weights-divided", "the weights are divided by the temperature",
        say="The weights no longer sum to 1. A temperature divides *scores*, and these are weights already.",
        ways=[lambda weights, t: weights / t]),
    Mistake("underflow", "at a small temperature all powers become 0", see=OVERFLOW,
        say="This is right until the temperature is very small. Then every power underflows to 0, and 0/0 is NaN. What can you divide a row by first, so that its largest entry is 1?",
        ways=[lambda weights, t: rows(weights ** (1 / t)), lambda weights, t: np.nan_to_num(rows(weights ** (1 / t)))]),
    Mistake("logarithms-normalised", "exp is missing after the logarithm",
        say="Your numbers are logarithms, or logarithms divided by their sum. Logarithms can serve as scores, so they still need a softmax.",
        ways=[lambda weights, t: logarithms(weights) / t, lambda weights, t: rows(logarithms(weights) / t)]),
    *inside([each for each in temperature.MISTAKES if each.short == "hard-maximum"],
        lambda way: lambda weights, t: way(logarithms(weights), t)),
]


@exercise(inputs=INPUTS, mistakes=[*MISTAKES, *STEPS.mistakes()], steps=STEPS, result="weights", see=TEMPERATURE, see_nan=OVERFLOW)
def change_temperature(weights, temperature):
    """Check `f(weights, temperature)` → weights at another temperature, from those at temperature 1. Returns Feedback."""
    with np.errstate(divide="ignore"):
        return maths.softmax(logarithms(weights) / temperature)
