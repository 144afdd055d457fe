"""Lesson 04: softmax with a temperature, from a step that divides and a step that normalises."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, inside, told_in, with_each
from attn_lessons.lesson04 import softmax as plain
from attn_lessons.lesson04.softmax import rows, stable, top
from attn_parts import mathematics as maths

TEMPERATURES = (2.0, 0.5, 4.0, 3.0, 0.5, 2.0, 1.0, 0.5, 1.0, 2.0, 1000.0, 2.0, 1.0, 0.25, 0.5)


def with_temperature(given, temperature):
    """An input of softmax, with a temperature."""
    return lambda draw: (*(given(draw) if callable(given) else given), temperature)


# x: scores (..., L), t: the temperature
DIVIDE_MISTAKES = {
    "temperature-multiplied": lambda x, t: x * t,
    "temperature-ignored": lambda x, t: x,
    "another-temperature": with_each(
        (
            np.sqrt,
            np.square,
            lambda t: min(t, 1),
            *with_each((1, 0.1, 0.01, 1e-3, 1e-4), lambda t, least: max(t, least)),
            *with_each((1, 0.1, 0.01, 1e-3), lambda t, more: t + more),
            np.log,
            np.exp,
        ),
        lambda x, t, change: x / change(t),
    ),
    "rounded-to-whole": lambda x, t: x // t,
}
SHIFT_MISTAKES = [
    {"shifted-before-dividing": lambda cooled, x: cooled - top(x)},
    told_in("softmax", inside(plain.SHIFT, lambda way: lambda cooled, x: way(cooled))),
]
STEPS = Steps(
    "x temperature",
    {
        "divide": Step("x temperature", "cooled", DIVIDE_MISTAKES, lambda x, t: x / t),
        "shift": Step(
            "cooled x",
            "shifted",
            SHIFT_MISTAKES,
            lambda cooled, x: cooled - top(cooled),
        ),
        "exponentiate": Step(
            "shifted",
            "e",
            told_in("softmax", plain.EXPONENTIATE),
            np.exp,
        ),
        "normalise": Step(
            "e",
            "result",
            told_in("softmax", plain.NORMALISE),
            rows,
            fixed_first=True,
        ),
        "both": Step("cooled", "result", told_in("softmax", plain.WHOLE)),
    },
)

HARD_WHEN_COLD = {
    "hard-maximum (when cold)": [
        *with_each(
            (1, 0.5, 2),
            lambda x, t, limit: 1.0 * (x == top(x)) if t < limit else maths.softmax(x / t),
        ),
        *with_each(
            (1, 0.5, 2),
            lambda x, t, limit: np.eye(x.shape[-1])[x.argmax(-1)] if t < limit else maths.softmax(x / t),
        ),
    ]
}
MISTAKES = {
    "temperature-after-softmax": [
        lambda x, t: maths.softmax(x) / t,
        lambda x, t: maths.softmax(x) ** t,
        lambda x, t: maths.softmax(x) ** (1 / t),
        lambda x, t: maths.softmax(x) * t,
        lambda x, t: maths.softmax(x / t) / t,
    ],
    "weights-to-a-power": [
        lambda x, t: rows(maths.softmax(x) ** (1 / t)),
        lambda x, t: rows(np.exp(x) ** (1 / t)),
    ],
    **HARD_WHEN_COLD,
    "another-base (the temperature)": [
        lambda x, t: rows(t**x),
        lambda x, t: rows(t ** (x - top(x))),
    ],
    "rounded-to-whole": [
        lambda x, t: rows(stable(x / int(t))),
        lambda x, t: rows(np.exp((x - top(x)) // t)),
    ],
    "temperature-ignored": lambda x, t: rows(np.exp(x - top(x) / t)),
    "shifted-before-dividing": lambda x, t: rows(np.exp(x / t - top(x) * t)),
}
LIMITS = told_in("softmax", inside(plain.LIMITS, lambda way: lambda x, t: way(x / t)))


INPUTS = {
    name: with_temperature(given, temperature)
    for (name, given), temperature in zip(plain.INPUTS.items(), TEMPERATURES)
}
INPUTS["nearly alike, very cold"] = np.array([[0.0, 1e-6, 3e-6]]), 1e-6


@exercise(
    inputs=INPUTS,
    mistakes=[MISTAKES, STEPS.mistakes(), LIMITS],
    steps=STEPS,
    result="softmax",
)
def temperature_softmax(x, temperature):
    """Check `f(x, temperature)` → softmax of x/temperature over the last axis. Returns Feedback."""
    return maths.softmax(x / temperature)
