"""Lesson 04: softmax with a temperature, from a step that divides and one that shares out."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, inside
from attn_checks.steps import Step, Steps
from attn_lessons.lesson04.softmax import (
    CLIPPED,
    INPUTS,
    ONLY_IF_LARGE,
    OVERFLOW,
    SOFTMAX_MISTAKES,
    rows,
    stable,
)
from attn_parts import mathematics as maths

TEMPERATURE = "l04-temperature"


def divided_by(change):
    """The scores divided by what `change` makes of the temperature."""
    return lambda x, temperature: x / change(temperature)


# fmt: off
IGNORED = Mistake("temperature-ignored", "the temperature has no effect", see=TEMPERATURE,
    say="The result is the same at every temperature. If you do divide by it: what divides all powers of a row cancels in their shares. Of what is it to be a divisor?",
    ways=[lambda x, temperature: x])
ROUNDED = Mistake("rounded-to-whole", "something is rounded to a whole number", see=TEMPERATURE,
    say="By //, int() or a rounding. Scores and temperatures are any numbers, and below 1 nothing would be left.",
    ways=[lambda x, temperature: x // temperature])
TEMPERATURE_STEPS = Steps(
    "x temperature",
    {
        "divide": Step(
            "x temperature",
            "cooled",
            [
                Mistake("temperature-multiplied", "multiplied by the temperature", see=TEMPERATURE,
                    say="A high temperature should make the shares more even; yours makes them sharper.",
                    ways=[lambda x, temperature: x * temperature]),
                IGNORED,
                Mistake("another-temperature", "divided by something else than the temperature", see=TEMPERATURE,
                    say="Scores are divided by the temperature as it is given: no root, no power, nothing added, no limit.",
                    ways=[divided_by(np.sqrt), divided_by(np.square), divided_by(lambda t: max(t, 1)),
                        divided_by(lambda t: min(t, 1)),
                        *[divided_by(lambda t, more=more: t + more) for more in (1, 0.1, 0.01, 1e-3)],
                        divided_by(np.log), divided_by(np.exp)]),
                ROUNDED,
            ],
            lambda x, temperature: x / temperature,
        ),
        "softmax": Step("cooled", "result", SOFTMAX_MISTAKES, maths.softmax),
    },
)
AFTER_SOFTMAX = Mistake("temperature-after-softmax", "the temperature comes after softmax", see=TEMPERATURE,
    say="Divide the *scores*: after softmax the shares are already made.",
    ways=[lambda x, temperature: maths.softmax(x) / temperature,
        lambda x, temperature: maths.softmax(x) ** temperature,
        lambda x, temperature: maths.softmax(x) ** (1 / temperature),
        lambda x, temperature: maths.softmax(x) * temperature])
BENT = Mistake("shares-to-a-power", "powers of the shares, not of e", see=TEMPERATURE,
    say="Right as long as no share is 0 and no power overflows: what has vanished comes back at no temperature. Divide the *scores*.",
    ways=[lambda x, temperature: rows(maths.softmax(x) ** (1 / temperature)),
        lambda x, temperature: rows(np.exp(x) ** (1 / temperature))])
HARD = Mistake("hard-maximum", "below some temperature the largest takes everything", see=TEMPERATURE,
    say="At a low temperature the others get little, and not nothing. No temperature above 0 needs a rule of its own.",
    ways=[lambda x, temperature, limit=limit, hard=hard: (hard(x) if temperature < limit else maths.softmax(x / temperature))
        for limit in (1, 0.5, 2)
        for hard in (lambda x: 1.0 * (x == x.max(-1, keepdims=True)), lambda x: np.eye(x.shape[-1])[x.argmax(-1)])])
OTHER_BASE = Mistake("another-base", "the temperature in place of e", see=TEMPERATURE,
    say="A high temperature should make the shares more even; with it as the base they lie further apart.",
    ways=[lambda x, temperature: rows(temperature**x),
        lambda x, temperature: rows(temperature ** (x - x.max(-1, keepdims=True)))])
SHIFTED_BEFORE = Mistake("shifted-before-dividing", "the largest score is not divided by the temperature", see=OVERFLOW,
    say="The shift cancels, but powers still overflow, or all become 0: subtract the largest of the scores *after* dividing them.",
    ways=[lambda x, temperature: rows(np.exp(x / temperature - x.max(axis=-1, keepdims=True)))])
SHIFT_ONLY_DIVIDED = IGNORED._replace(
    ways=[lambda x, temperature: rows(np.exp(x - x.max(axis=-1, keepdims=True) / temperature))]
)

TEMPERATURES = {
    "smallest": 2.0,
    "square": 0.5,
    "a single row": 4.0,
    "larger square": 3.0,
    "batch": 0.5,
    "heads": 2.0,
    "large scores": 1.0,
    "very negative scores": 0.5,
    "a blocked key": 1.0,
    "batch of large scores": 2.0,
    "far apart": 1000.0,
    "a single key": 2.0,
    "blocked beside low scores": 1.0,
    "small shares": 0.25,
    "float32": 0.5,
}


@exercise(
    inputs={
        name: (
            lambda draw, given=given, t=TEMPERATURES[name]: (*(given(draw) if callable(given) else given), t)
        )
        for name, given in INPUTS.items()
    },
    steps=TEMPERATURE_STEPS,
    mistakes=[
        AFTER_SOFTMAX,
        BENT,
        HARD,
        OTHER_BASE,
        ROUNDED._replace(
            ways=[
                lambda x, temperature: rows(stable(x / int(temperature))),
                lambda x, temperature: rows(stable(x / round(temperature))),
                lambda x, temperature: rows(np.exp((x - x.max(-1, keepdims=True)) // temperature)),
            ]
        ),
        SHIFTED_BEFORE,
        SHIFT_ONLY_DIVIDED,
        *TEMPERATURE_STEPS.mistakes(),
        *inside([CLIPPED, ONLY_IF_LARGE], lambda way: lambda x, temperature: way(x / temperature)),
    ],
    result="softmax",
    see=TEMPERATURE,
    see_nan=OVERFLOW,
)
def temperature_softmax(x, temperature):
    """Check `f(x, temperature)` → softmax of x/temperature over the last axis. Returns Feedback."""
    return maths.softmax(x / temperature)
