"""Lesson 04: a softmax that doesn't break.

The ways of SOFTMAX_MISTAKES are functions (x), the step that turns scores into weights. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import Step, Steps, each, exercise, with_each
from attn_parts import mathematics as maths

LARGE = np.array([[1000.0, 1001.0], [-1000.0, -1002.0]])
INPUTS = {
    "smallest": (np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]),),
    "square": (np.array([[0.0, 1.0], [3.0, 0.0]]),),
    "a single row": (np.array([1.0, 2.0, 4.0]),),
    "larger square": lambda draw: (draw(3, 3),),
    "batch": lambda draw: (draw(2, 3, 4),),
    "heads": lambda draw: (draw(2, 3, 4, 5),),
    "large scores": (LARGE,),
    "very negative scores": (np.array([[-1000.0, -1001.0]]),),
    "a blocked key": (np.array([[-np.inf, 5.0, 0.0], [0.0, 1000.0, 999.0]]),),
    "batch of large scores": (np.stack([LARGE, -LARGE]),),
    "far apart": (np.array([[0.0, -800.0]]),),
    "a single key": (np.array([[3.0], [-1000.0]]),),
    "blocked beside low scores": (np.array([[-np.inf, -150.0, -149.0], [-np.inf, -3e9, -3e9]]),),
    "small weights": (np.array([[0.0, 4.6, 11.5], [9.0, 2.0, 0.0]]),),
    "float32": (np.array([[1e4, -1e4, 0.0]], dtype=np.float32),),
}

# --------------------------------------------------------------------------- ways to exponentiate, and to normalise


def top(x):
    return x.max(axis=-1, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def shifted_along(axis):
    return lambda x: np.exp(x - x.max(axis=axis, keepdims=True))


def axis_lost(x):
    return np.exp(x - x.max(axis=-1))


stable, globally = shifted_along(-1), shifted_along(None)


def rows(exponentials):
    return exponentials / total(exponentials)


def softmax_mistakes(exponentials=(stable, np.exp, globally)):
    """The table of mistakes; those of dividing come with each of these ways to exponentiate."""
    return {
        "wrong-axis": [
            lambda x: maths.softmax(x, axis=-2),
            lambda x: maths.softmax(x, axis=0),
            *each((*exponentials, shifted_along(-2)), lambda e: e / e.sum(axis=-2, keepdims=True)),
            *each((*exponentials, shifted_along(0)), lambda e: e / e.sum(axis=0)),
        ],
        "whole-array": each(exponentials, lambda e: e / e.sum()),
        "axis-1": [
            *each((*exponentials, shifted_along(1)), lambda e: e / e.sum(axis=1, keepdims=True)),
            lambda x: maths.softmax(x, axis=1),
        ],
        "missing-keepdims": [
            *each((*exponentials, axis_lost), lambda e: e / e.sum(axis=-1)),
            *each((axis_lost,), rows),
        ],
        "transpose-trick": [
            *each(exponentials, lambda e: (e.T / e.sum(axis=-1)).T),
            *each(exponentials, lambda e: e.T / e.sum(axis=-1)),
        ],
        "no-max-subtraction": each(
            (np.exp, lambda x: np.exp(x.astype(np.float32)), lambda x: np.exp(x.astype(np.longdouble))), rows
        ),
        "global-max": [
            *each((globally, shifted_along((-2, -1))), rows),
            lambda x: np.nan_to_num(rows(globally(x))),
        ],
        "maximum-of-columns": each((shifted_along(0), shifted_along(-2), shifted_along(1)), rows),
        "not-normalised": each(exponentials, lambda e: e),
        "no-exponential": [
            rows,
            lambda x: x / x.sum(axis=-1),
            lambda x: rows(x - top(x)),
            lambda x: rows(x - x.max()),
        ],
        "log-softmax": [
            lambda x: np.log(maths.softmax(x)),
            lambda x: x - top(x) - np.log(total(stable(x))),
            lambda x: x - np.log(total(np.exp(x))),
        ],
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "shift-only-above": [lambda x: stable(x) / total(np.exp(x)), lambda x: np.exp(x) / total(stable(x))],
        "sign-reversed": each(
            (lambda x: np.exp(-x), lambda x: np.exp(top(x) - x), lambda x: stable(-x)), rows
        ),
        "wrong-shift": each(
            with_each(
                (
                    lambda x: x.min(-1, keepdims=True),
                    lambda x: x.mean(-1, keepdims=True),
                    lambda x: x[..., :1],
                    lambda x: top(np.abs(x)),
                    lambda x: -top(x),
                    lambda x: -top(np.abs(x)),
                    lambda x: x[..., -1:],
                    lambda x: np.maximum(top(x), 0),
                    lambda x: 2 * top(x),
                    lambda x: np.median(x, axis=-1, keepdims=True),
                    total,
                    lambda x: 1000,
                    np.mean,
                    np.min,
                ),
                lambda x, by: np.exp(x - by(x)),
            ),
            rows,
        ),
        "rounded": with_each((1, 2, 3, 4), lambda x, digits: maths.softmax(x).round(digits)),
        "another-base": with_each((2, 10, 3, 2.7, 2.71, 2.718, 2.72), lambda x, b: rows(b ** (x - top(x)))),
        "hard-maximum": [
            lambda x: (x == top(x)) * 1.0,
            lambda x: np.eye(x.shape[-1])[x.argmax(-1)],
            lambda x: rows((x == top(x)) * 1.0),
        ],
        "stretched": [
            lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True),
            lambda x: (x - x.min()) / (x.max() - x.min()),
        ],
    }


SOFTMAX_MISTAKES = softmax_mistakes()  # a step of attention
ONE_SLIP = softmax_mistakes([stable])  # where shifting, exponentiating and dividing are steps of their own
SHIFT = {
    "divided-by-maximum": [lambda x: x / top(x), lambda x: x / x.max()],
    "no-max-subtraction": lambda x: x,
    "global-max": lambda x: x - x.max(),
    "maximum-of-columns": [
        lambda x: x - x.max(axis=0),
        lambda x: x - x.max(axis=-2, keepdims=True),
        lambda x: x - x.max(axis=1, keepdims=True),
    ],
    "missing-keepdims": [lambda x: x - x.max(axis=-1), lambda x: x - x.max(axis=1)],
    "wrong-shift": [
        lambda x: x - x.min(-1, keepdims=True),
        lambda x: x + top(x),
        lambda x: x - x.mean(-1, keepdims=True),
        lambda x: x - x.min(),
        lambda x: x - x.mean(),
        lambda x: x - top(np.abs(x)),
    ],
    "sign-reversed": [
        lambda x: top(x) - x,
        lambda x: -x,
        lambda x: x.max() - x,
        lambda x: x.max(axis=0) - x,
    ],
}
EXPONENTIATE = {
    "another-base": [np.exp2, lambda x: 10**x, lambda x: 2.718**x],
    "sign-reversed": [lambda x: np.exp(-x), lambda x: np.exp(abs(x))],
    "no-exponential": lambda x: x,
}
NORMALISE = {
    "not-normalised": lambda e: e,
    "wrong-axis": [lambda e: e / e.sum(axis=-2, keepdims=True), lambda e: e / e.sum(axis=0)],
    "whole-array": lambda e: e / e.sum(),
    "axis-1": lambda e: e / e.sum(axis=1, keepdims=True),
    "missing-keepdims": [lambda e: e / e.sum(axis=-1), lambda e: e / e.sum(axis=1)],
    "transpose-trick": [lambda e: (e.T / e.sum(axis=-1)).T, lambda e: e.T / e.sum(axis=-1)],
    "rounded": with_each((1, 2, 3, 4), lambda e, digits: rows(e).round(digits)),
}

LIMITS = {
    "clipped": [
        *each(with_each((10, 20, 30, 50, 100, 500, 700), lambda x, n: np.exp(np.clip(x, -n, n))), rows),
        *each(with_each((50, 100, 700), lambda x, n: np.exp(np.minimum(x, n))), rows),
        *each(with_each((10, 20, 50), lambda x, n: np.exp(np.maximum(x - top(x), -n))), rows),
    ],
    "shifted-only-if-large": [
        lambda x: rows(stable(x) if np.max(x) > 100 else np.exp(x)),
        lambda x: rows(globally(x) if np.max(x) > 100 else np.exp(x)),
        lambda x: rows(globally(x) if np.max(x) > 700 else np.exp(x)),
    ],
}

# Only for softmax by itself, because inside attention they would cost time.
ALONE = {
    "shift-after-exp": with_each(
        (lambda x: top(np.exp(x)), top, np.max), lambda x, what: rows(np.exp(x) - what(x))
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
        lambda x: np.exp(x) / np.exp(total(x)),
        lambda x: np.exp(rows(x)),
        lambda x: stable(x) / np.exp(total(x - top(x))),
        lambda x: x / total(np.exp(x)),
        lambda x: x / total(stable(x)),
    ],
    "epsilon": with_each(
        (1, 0.1, 0.01, 1e-3, 1e-4, 1e-5), lambda x, small: stable(x) / (total(stable(x)) + small)
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
        "replace": Step(
            "x",
            "x",
            REPLACE,
            lambda x: x,
        ),
        "shift": Step("x", "shifted", SHIFT, lambda x: x - top(x)),
        "exponentiate": Step("shifted", "e", EXPONENTIATE, np.exp),
        "normalise": Step("e", "result", NORMALISE, rows, fixed_first=True),
    },
    few=6,
)


@exercise(inputs=INPUTS, mistakes=[ONE_SLIP, STEPS.mistakes(), LIMITS, ALONE], steps=STEPS, result="softmax")
def softmax(x):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return maths.softmax(x)
