"""Lesson 04: a softmax that doesn't break.

Its steps are to shift, to exponentiate and to normalise. Attention makes the same mistakes in one step.
"""

import numpy as np

from attn_checks.exercise import (
    Step,
    Steps,
    exercise,
    inside,
    merged,
    with_each,
    without,
)
from attn_parts import mathematics as maths


def matrix(*rows):
    return (np.array(rows),)


LARGE = np.array([[1000.0, 1001.0], [-1000.0, -1002.0]])
INPUTS = {
    "smallest": matrix([0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
    "square": matrix([0.0, 1.0], [3.0, 0.0]),
    "a single row": (np.array([1.0, 2.0, 4.0]),),
    "larger square": lambda draw: (draw(3, 3),),
    "batch": lambda draw: (draw(2, 3, 4),),
    "heads": lambda draw: (draw(2, 3, 4, 5),),
    "large scores": (LARGE,),
    "very negative scores": matrix([-1000.0, -1001.0]),
    "a blocked key": matrix([-np.inf, 5.0, 0.0], [0.0, 1000.0, 999.0]),
    "batch of large scores": (np.stack([LARGE, -LARGE]),),
    "far apart": matrix([0.0, -800.0]),
    "a single key": matrix([3.0], [-1000.0]),
    "blocked beside low scores": matrix([-np.inf, -150.0, -149.0], [-np.inf, -3e9, -3e9]),
    "small weights": matrix([0.0, 4.6, 11.5], [9.0, 2.0, 0.0]),
    "float32": (np.array([[1e4, -1e4, 0.0]], dtype=np.float32),),
}


def top(x):
    return x.max(axis=-1, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def rows(exponentials):
    return exponentials / total(exponentials)


def stable(x):
    return np.exp(x - top(x))


def globally(x):
    return np.exp(x - x.max())


def along(x, axis):
    """Softmax along another axis, in which a row that is all −inf becomes NaN."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


# x: scores (..., L); the ways give what exp is taken of
SHIFT = {
    "divided-by-maximum": [
        lambda x: x / top(x),
        lambda x: x / x.max(),
    ],
    "no-max-subtraction": lambda x: x,
    "global-max": [
        lambda x: x - x.max(),
        lambda x: x - x.max(axis=(-2, -1), keepdims=True),
    ],
    "maximum-of-columns": [
        lambda x: x - x.max(axis=0),
        lambda x: x - x.max(axis=-2, keepdims=True),
        lambda x: x - x.max(axis=1, keepdims=True),
    ],
    "missing-keepdims": [
        lambda x: x - x.max(axis=-1),
        lambda x: x - x.max(axis=1),
    ],
    "wrong-shift": [
        lambda x: x - x.min(-1, keepdims=True),
        lambda x: x + top(x),
        lambda x: x - x.mean(-1, keepdims=True),
        lambda x: x - x.min(),
        lambda x: x - x.mean(),
        lambda x: x - top(np.abs(x)),
        lambda x: x - x[..., :1],
        lambda x: x - x[..., -1:],
        lambda x: x - np.maximum(top(x), 0),
        lambda x: x - 1000,
    ],
    "sign-reversed": [
        lambda x: -x,
        lambda x: x.max() - x,
        lambda x: x.max(axis=0) - x,
        lambda x: -x - top(-x),
    ],
}
EXPONENTIATE = {
    "another-base": [
        np.exp2,
        *with_each((10, 2.718, 3, 2.7, 2.71, 2.72), lambda x, base: base**x),
    ],
    "sign-reversed": [
        lambda x: np.exp(-x),
        lambda x: np.exp(abs(x)),
    ],
    "no-exponential": lambda x: x,
}
# e: exponentials (..., L)
NORMALISE = {
    "not-normalised": lambda e: e,
    "wrong-axis": [
        lambda e: e / e.sum(axis=-2, keepdims=True),
        lambda e: e / e.sum(axis=0),
    ],
    "whole-array": lambda e: e / e.sum(),
    "axis-1": lambda e: e / e.sum(axis=1, keepdims=True),
    "missing-keepdims": [
        lambda e: e / e.sum(axis=-1),
        lambda e: e / e.sum(axis=1),
    ],
    "transpose-trick": [
        lambda e: (e.T / e.sum(axis=-1)).T,
        lambda e: e.T / e.sum(axis=-1),
    ],
}
# Mistakes of several steps, or of none.
WHOLE = {
    "wrong-axis": [
        *with_each((-2, 0), maths.softmax),
        *with_each((-2, 0), along),
    ],
    "axis-1": lambda x: maths.softmax(x, axis=1),
    "missing-keepdims": lambda x: np.exp(x - x.max(axis=-1)) / np.exp(x - x.max(axis=-1)).sum(axis=-1),
    "no-max-subtraction": [
        lambda x: rows(np.exp(x.astype(np.float32))),
        lambda x: rows(np.exp(x.astype(np.longdouble))),
    ],
    "no-max-subtraction (logarithm)": lambda x: np.exp(x - np.log(total(np.exp(x)))),
    "global-max": lambda x: np.nan_to_num(rows(globally(x))),
    "no-exponential": [
        rows,
        lambda x: x / x.sum(axis=-1),
        lambda x: rows(x - x.max()),
    ],
    "log-softmax": [
        lambda x: np.log(maths.softmax(x)),
        lambda x: x - top(x) - np.log(total(stable(x))),
        lambda x: x - np.log(total(np.exp(x))),
    ],
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "shift-only-above": [
        lambda x: stable(x) / total(np.exp(x)),
        lambda x: np.exp(x) / total(stable(x)),
    ],
    "hard-maximum": [
        lambda x: (x == top(x)) * 1.0,
        lambda x: np.eye(x.shape[-1])[x.argmax(-1)],
        lambda x: rows((x == top(x)) * 1.0),
    ],
    "rounded": with_each((1, 2, 3, 4), lambda x, digits: maths.softmax(x).round(digits)),
    "stretched": [
        lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True),
        lambda x: (x - x.min()) / (x.max() - x.min()),
    ],
}
# Where softmax is a single step, as in attention.
AT_ONCE = merged(
    WHOLE,
    *[
        inside(NORMALISE, lambda way, take=take: lambda x: way(take(x)))
        for take in (stable, np.exp, globally)
    ],
    inside(
        without(SHIFT, "divided-by-maximum"),
        lambda way: lambda x: rows(np.exp(way(x))),
    ),
    inside(EXPONENTIATE, lambda way: lambda x: rows(way(x - top(x)))),
)
LIMITS = {
    "clipped": [
        *with_each(
            (10, 20, 30, 50, 100, 500, 700),
            lambda x, n: rows(np.exp(np.clip(x, -n, n))),
        ),
        *with_each((50, 100, 700), lambda x, n: rows(np.exp(np.minimum(x, n)))),
        lambda x: rows(np.exp(np.maximum(x - top(x), -10))),
    ],
    "shifted-only-if-large": [
        lambda x: rows(stable(x) if np.max(x) > 100 else np.exp(x)),
        lambda x: rows(globally(x) if np.max(x) > 100 else np.exp(x)),
    ],
}

# Only for softmax by itself, because inside attention they would cost time.
ALONE = {
    "one-by-one": lambda x: np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x]),
    "shift-after-exp": with_each(
        (lambda x: top(np.exp(x)), top, np.max),
        lambda x, what: rows(np.exp(x) - what(x)),
    ),
    "nan-to-num": [
        lambda x: np.nan_to_num(rows(np.exp(x))),
        lambda x: rows(np.nan_to_num(np.exp(x))),
        lambda x: np.nan_to_num(rows(np.exp(x)), nan=1 / x.shape[-1]),
        lambda x: np.nan_to_num(rows(np.exp(x)), nan=1.0),
    ],
    "numerator-unlike-denominator": [
        lambda x: np.exp(x) / total(x),
        lambda x: stable(x) / total(x),
        lambda x: np.exp(rows(x)),
        lambda x: x / total(np.exp(x)),
        lambda x: x / total(stable(x)),
    ],
    "epsilon": with_each(
        (1, 0.1, 0.01, 1e-3, 1e-4),
        lambda x, small: stable(x) / (total(stable(x)) + small),
    ),
    "half-precision": [
        lambda x: maths.softmax(x).astype(np.float16),
        lambda x: rows(stable(x.astype(np.float16))),
        lambda x: rows(stable(x).astype(np.float16)),
    ],
}
REPLACE = {
    "blocked-key-counts": with_each((0, -1e9, -100, -1, -10), lambda x, low: np.where(np.isneginf(x), low, x))
}
STEPS = Steps(
    "x",
    {
        "replace": Step("x", "x", REPLACE),
        "shift": Step("x", "shifted", SHIFT, lambda x: x - top(x)),
        "exponentiate": Step("shifted", "e", EXPONENTIATE, np.exp),
        "normalise": Step("e", "result", NORMALISE, rows, fixed_first=True),
    },
    few=6,
)


@exercise(
    inputs=INPUTS,
    mistakes=[WHOLE, STEPS.mistakes(), LIMITS, ALONE],
    steps=STEPS,
    result="softmax",
)
def softmax(x):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return maths.softmax(x)
