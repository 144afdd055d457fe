"""Lesson 04: softmax with a temperature, from a step that divides and a step that normalises."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, inside
from attn_lessons.lesson04 import softmax as plain
from attn_lessons.lesson04.softmax import OVERFLOW, rows, stable, top
from attn_parts import mathematics as maths

TEMPERATURE = "l04-temperature"
TEMPERATURES = 2.0, 0.5, 4.0, 3.0, 0.5, 2.0, 1.0, 0.5, 1.0, 2.0, 1000.0, 2.0, 1.0, 0.25, 0.5


def with_temperature(given, temperature):
    """An input of softmax, with a temperature."""
    return lambda draw: (*(given(draw) if callable(given) else given), temperature)


# fmt: off
IGNORED = Mistake("temperature-ignored", "the temperature has no effect",
    say="The result is the same at every temperature. If you divide the exponentials by it, or only the maximum, it cancels. What should be divided by the temperature?",
    ways=[lambda x, t: x])
ROUNDED = Mistake("rounded-to-whole", "something is rounded to a whole number",
    say="Do you use //, int() or round? Scores and temperatures may be any numbers, so round neither.",
    ways=[lambda x, t: x // t])
DIVIDE_MISTAKES = [
    Mistake("temperature-multiplied", "multiplied by the temperature",
        say="A high temperature should make the weights more uniform, but yours makes them sharper.",
        ways=[lambda x, t: x * t]),
    IGNORED,
    Mistake("another-temperature", "divided by something other than the temperature",
        say="Divide the scores by the temperature itself: no root, power or logarithm, nothing added, no limit.",
        ways=[lambda x, t, change=change: x / change(t) for change in (np.sqrt, np.square,
            lambda t: min(t, 1), *[lambda t, least=least: max(t, least) for least in (1, 0.1, 0.01, 1e-3, 1e-4)], *[lambda t, more=more: t + more for more in (1, 0.1, 0.01, 1e-3)],
            np.log, np.exp)]),
    ROUNDED,
]
SHIFT_MISTAKES = [
    Mistake("shifted-before-dividing", "the shift doesn't fit the scores", see=OVERFLOW,
        say="On paper the shift cancels, but here exponentials overflow, or all become 0. What is the largest exponent in your row, and what should it be?",
        ways=[lambda cooled, x: cooled - top(x)]),
    *inside(plain.SHIFT, lambda way: lambda cooled, x: way(cooled)),
]
STEPS = Steps("x temperature", {
    "divide": Step("x temperature", "cooled", DIVIDE_MISTAKES, lambda x, t: x / t),
    "shift": Step("cooled x", "shifted", SHIFT_MISTAKES, lambda cooled, x: cooled - top(cooled)),
    "exponentiate": Step("shifted", "e", plain.EXPONENTIATE, np.exp),
    "normalise": Step("e", "result", plain.NORMALISE, rows, fixed_first=True),
    "both": Step("cooled", "result", plain.ONE_SLIP),
})

MISTAKES = [
    Mistake("temperature-after-softmax", "the temperature comes after softmax",
        say="You use the temperature on weights. Divide the *scores* by it, before softmax and nowhere else.",
        ways=[lambda x, t: maths.softmax(x) / t, lambda x, t: maths.softmax(x) ** t,
            lambda x, t: maths.softmax(x) ** (1 / t), lambda x, t: maths.softmax(x) * t, lambda x, t: maths.softmax(x / t) / t]),
    Mistake("weights-to-a-power", "powers of weights, or of exponentials",
        say="This is right until a weight underflows to 0 or an exponential overflows, and after that no temperature can repair it. Divide the *scores* before softmax.",
        ways=[lambda x, t: rows(maths.softmax(x) ** (1 / t)), lambda x, t: rows(np.exp(x) ** (1 / t))]),
    Mistake("hard-maximum", "below some temperature the largest takes everything",
        say="At a low temperature the other scores get little, but more than 0. No temperature above 0 needs a rule of its own.",
        ways=[lambda x, t, limit=limit, hard=hard: (hard(x) if t < limit else maths.softmax(x / t))
            for limit in (1, 0.5, 2)
            for hard in (lambda x: 1.0 * (x == top(x)), lambda x: np.eye(x.shape[-1])[x.argmax(-1)])]),
    Mistake("another-base", "the temperature instead of e",
        say="A high temperature should make the weights more uniform. As the base of the powers it does the opposite. Divide the scores by it.",
        ways=[lambda x, t: rows(t**x), lambda x, t: rows(t ** (x - top(x)))]),
    ROUNDED._replace(ways=[lambda x, t: rows(stable(x / int(t))), lambda x, t: rows(stable(x / round(t))),
        lambda x, t: rows(np.exp((x - top(x)) // t))]),
    IGNORED._replace(ways=[lambda x, t: rows(np.exp(x - top(x) / t))]),
    *STEPS.mistakes(),
    *inside([plain.CLIPPED, plain.ONLY_IF_LARGE], lambda way: lambda x, t: way(x / t)),
]


@exercise(
    inputs={name: with_temperature(given, temperature)
        for (name, given), temperature in zip(plain.INPUTS.items(), TEMPERATURES, strict=True)}
        | {"nearly alike, very cold": (np.array([[0.0, 1e-6, 3e-6]]), 1e-6)},
    mistakes=MISTAKES, steps=STEPS, result="softmax", see=TEMPERATURE, see_nan=OVERFLOW)
def temperature_softmax(x, temperature):
    """Check `f(x, temperature)` → softmax of x/temperature over the last axis. Returns Feedback."""
    return maths.softmax(x / temperature)
