"""Lesson 13: back through layer normalisation, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise


def mean(X, axis=-1):
    return X.mean(axis=axis, keepdims=True)


def total(X):
    return X.sum(axis=-1, keepdims=True)


def normalise(X, axis=-1, ddof=0):
    """The rows with mean 0 and standard deviation 1, and what they were divided by."""
    size = X.std(axis=axis, ddof=ddof, keepdims=True)
    return (X - mean(X)) / size, size


def back(centre=mean, along=lambda rows, d: mean(rows * d), divide=np.divide):
    """The gradient at X, with another way to take one of its three parts."""
    return lambda X, rows, size, d: divide(d - centre(d) - rows * along(rows, d), size)


def nothing(*_):
    return 0.0


# X, rows, d: (..., L, d_model), size: (..., L, 1)
BACK = {
    "size-forgotten": back(divide=lambda d, size: d),
    "multiplied-by-size": back(divide=np.multiply),
    "divided-by-variance": back(divide=lambda d, size: d / size**2),
    "mean-not-subtracted": back(centre=nothing),
    "rows-not-subtracted": back(along=nothing),
    "size-held-fixed": back(centre=nothing, along=nothing),
    "sum-for-mean": [
        back(centre=total, along=lambda rows, d: total(rows * d)),
        back(along=lambda rows, d: total(rows * d)),
        back(centre=total),
    ],
    "x-for-rows": [
        lambda X, rows, size, d: (d - mean(d) - X * mean(X * d)) / size,
        lambda X, rows, size, d: (d - mean(d) - rows * mean(X * d)) / size,
        lambda X, rows, size, d: (d - mean(d) - X * mean(rows * d)) / size,
    ],
    "rows-once": [
        lambda X, rows, size, d: (d - mean(d) - mean(rows * d)) / size,
        back(along=lambda rows, d: mean(d)),
    ],
    "rows-inside-the-mean": lambda X, rows, size, d: (d - mean(d) - mean(rows * rows * d)) / size,
    "added-for-subtracted": [
        back(along=lambda rows, d: -mean(rows * d)),
        back(centre=lambda d: -mean(d)),
        back(centre=lambda d: -mean(d), along=lambda rows, d: -mean(rows * d)),
    ],
    "softmax-rule": [
        lambda X, rows, size, d: rows * (d - mean(rows * d)),
        lambda X, rows, size, d: rows * (d - total(rows * d)),
        lambda X, rows, size, d: rows * (d - mean(rows * d)) / size,
    ],
    "columns-for-rows": [
        back(centre=lambda d: mean(d, -2), along=lambda rows, d: mean(rows * d, -2)),
        back(centre=lambda d: mean(d, 0), along=lambda rows, d: mean(rows * d, 0)),
        back(centre=lambda d: mean(d, -2)),
        back(centre=lambda d: mean(d, 0)),
    ],
    "whole-array": [
        back(centre=lambda d: d.mean(), along=lambda rows, d: (rows * d).mean()),
        back(centre=lambda d: d.mean()),
        back(along=lambda rows, d: (rows * d).mean()),
    ],
    "only-the-last-divided": [
        lambda X, rows, size, d: d - mean(d) - rows * mean(rows * d) / size,
        lambda X, rows, size, d: d - (mean(d) + rows * mean(rows * d)) / size,
        lambda X, rows, size, d: (d - mean(d)) / size - rows * mean(rows * d),
    ],
    "normalised-instead": lambda X, rows, size, d: normalise(d)[0],
    "forward-returned": [
        lambda X, rows, size, d: rows,
        lambda X, rows, size, d: rows * d,
    ],
    "unchanged": lambda X, rows, size, d: d,
}
SIZE = {
    "size-of-everything": lambda X: normalise(X, axis=None),
    "n-minus-one": lambda X: normalise(X, ddof=1),
}
STEPS = Steps(
    "X d_rows",
    {
        "forward": Step("X", "rows size", SIZE, normalise),
        "back": Step("X rows size d_rows", "result", BACK, back()),
    },
)
OWN = {"size-of-the-gradient": lambda X, d: back()(X, normalise(X)[0], d.std(axis=-1, keepdims=True), d)}
norm_backward = STEPS.whole({})


def given(*shape):
    """Rows that are spread out, and a gradient at what normalisation makes of them."""
    return lambda draw: (
        draw(*shape) + 2.0 * np.arange(shape[-1]),
        draw(*shape) + 0.5,
    )


@exercise(
    inputs={
        "one row": (np.array([[0.0, 2, 4]]), np.array([[1.0, 0, 0]])),
        "square": given(3, 3),
        "two rows": given(2, 4),
        "a batch": given(2, 3, 5),
    },
    mistakes=[STEPS.mistakes(), OWN],
    steps=STEPS,
    result="d_X",
)
def layer_norm_backward(X, d_rows):
    """Check `f(X, d_rows)` → d_X, the gradient before layer normalisation, from the one after it.

    Returns Feedback.
    """
    return norm_backward(X, d_rows)
