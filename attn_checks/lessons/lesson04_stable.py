"""Lesson 04: a softmax that does not break."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_checks.lessons.lesson04_softmax import (
    INPUTS,
    OVERFLOW,
    SHARES,
    SOFTMAX_MISTAKES,
    WHY_E,
    each,
    globally,
    naive,
    rows,
    stable,
)
from attn_parts import mathematics as maths

CLIPPED = Mistake(
    "clipped",
    name="scores are cut off at a limit",
    ways=[
        *each(
            rows, [lambda x, n=n: np.exp(np.clip(x, -n, n)) for n in (10, 20, 30, 50, 88, 100, 500, 700, 709)]
        ),
        *each(rows, [lambda x, n=n: np.exp(np.minimum(x, n)) for n in (50, 88, 100, 500, 700, 709)]),
        *each(
            rows,
            [lambda x, n=n: np.exp(np.maximum(x - x.max(-1, keepdims=True), -n)) for n in (10, 20, 50)],
        ),
    ],
    say="Nothing overflows, but beyond the limit all scores become the same. Which change keeps the differences of the scores?",
    see=OVERFLOW,
)
ONLY_IF_LARGE = Mistake(
    "shifted-only-if-large",
    name="the largest is subtracted only where scores are large",
    ways=[
        lambda x, take=take, limit=limit: rows(take(x) if np.max(x) > limit else naive(x))
        for take in (stable, globally)
        for limit in (10, 50, 100, 500, 700, 709)
    ],
    say="Of very *low* scores all powers become 0, and 0/0 is NaN. Subtracting the largest does no harm to any row.",
    see=OVERFLOW,
)

# Those of a function that is asked for softmax alone; inside attention they would cost time.
ALONE = table(
    OVERFLOW,
    Mistake(
        "blocked-key-counts",
        name="−inf is replaced by a number",
        ways=[
            lambda x, low=low: maths.softmax(np.where(np.isneginf(x), low, x))
            for low in (0, -1, -10, -100, -1e3, -1e4, -1e5, -1e6, -1e9)
        ],
        say="A score of −inf gets a share of exactly 0, as e to the −inf is 0. Any number in its place is a score like others, and may even be the largest.",
    ),
    CLIPPED,
    ONLY_IF_LARGE,
    Mistake(
        "divided-by-maximum",
        name="divided by the largest score, where it is to be subtracted",
        ways=each(rows, (lambda x: np.exp(x / x.max(axis=-1, keepdims=True)), lambda x: np.exp(x / x.max()))),
        say="A division brings the scores nearer to one another, and so changes the shares; and by a largest score of 0 it is no number. A subtraction changes no difference.",
    ),
    Mistake(
        "shift-after-exp",
        name="the largest is subtracted from the powers",
        ways=each(
            rows,
            (
                lambda x: naive(x) - naive(x).max(axis=-1, keepdims=True),
                lambda x: naive(x) - x.max(axis=-1, keepdims=True),
                lambda x: naive(x) - x.max(),
            ),
        ),
        say="exp has overflowed by then, and the smaller powers fall below 0. It is the *scores* from which the largest is taken away, before exp.",
    ),
    Mistake(
        "nan-to-num",
        name="NaN turned into a number",
        ways=[
            lambda x: np.nan_to_num(rows(naive(x))),
            lambda x: np.nan_to_num(rows(globally(x))),
            lambda x: np.where(np.isnan(rows(naive(x))), 1 / x.shape[-1], rows(naive(x))),
            lambda x: np.where(np.isnan(rows(naive(x))), 1.0, rows(naive(x))),
        ],
        say="What is NaN comes out as a number now, and as a wrong one: the powers still overflow. Which change keeps them from it?",
    ),
    Mistake(
        "standardised",
        name="the scores are brought to one scale first",
        ways=each(
            rows,
            (
                lambda x: np.exp((x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)),
                lambda x: np.exp((x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True)),
                lambda x: np.exp((x - x.max(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True)),
                lambda x: np.exp(x / np.linalg.norm(x, axis=-1, keepdims=True)),
            ),
        ),
        say="Divided by their own spread or length, scores that lie far apart give the same shares as scores that lie close. Only a shift leaves the shares alone.",
        see=WHY_E,
    ),
    Mistake(
        "sign-lost",
        name="the scores lose their signs first",
        ways=each(rows, (lambda x: stable(np.abs(x)), lambda x: stable(x**2), lambda x: np.exp(np.abs(x)))),
        say="−3 counts like 3 there. A negative score is a low one, and e to it is small.",
        see=SHARES,
    ),
    Mistake(
        "unlike-above-and-below",
        name="other numbers below the line than above",
        ways=[
            lambda x: naive(x) / x.sum(axis=-1, keepdims=True),
            lambda x: stable(x) / x.sum(axis=-1, keepdims=True),
            lambda x: naive(x) / np.exp(x.sum(axis=-1, keepdims=True)),
            lambda x: np.exp(x / x.sum(axis=-1, keepdims=True)),
            lambda x: stable(x) / np.exp((x - x.max(-1, keepdims=True)).sum(axis=-1, keepdims=True)),
            lambda x: x / naive(x).sum(axis=-1, keepdims=True),
            lambda x: x / stable(x).sum(axis=-1, keepdims=True),
        ],
        say="Above the line stands one power, below it the sum of all these powers. In yours exp is missing on one side, or is taken of what has been summed already.",
        see=SHARES,
    ),
    Mistake(
        "epsilon",
        name="a small number is added to the sum",
        ways=[
            lambda x, small=small: stable(x) / (stable(x).sum(axis=-1, keepdims=True) + small)
            for small in (1, 0.1, 0.01, 1e-3, 1e-4, 1e-5)
        ],
        say="The rows sum to less than 1. After the shift the largest power is 1, so the sum is never 0 and needs no help.",
    ),
    Mistake(
        "half-precision",
        name="computed with too few digits",
        ways=[
            lambda x: maths.softmax(x).astype(np.float16),
            lambda x: rows(stable(x.astype(np.float16))),
            lambda x: rows(stable(x).astype(np.float16)),
        ],
        say="float16 keeps three digits, and no number above 65504. Leave the numbers in the dtype in which they come.",
    ),
)


@exercise(
    inputs=INPUTS,
    mistakes=[*SOFTMAX_MISTAKES, *ALONE],
    result="softmax",
    see=SHARES,
    see_nan=OVERFLOW,
)
def softmax(x):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return maths.softmax(x)
