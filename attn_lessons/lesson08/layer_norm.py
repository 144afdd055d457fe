"""Lesson 08: layer normalisation, each row to mean 0 and standard deviation 1."""

import numpy as np

from attn_checks.exercise import close, exercise
from attn_parts import mathematics as maths


def over(axis):
    """Rescaled with mean and standard deviation along another axis, or of everything."""
    return lambda X: (X - X.mean(axis=axis, keepdims=True)) / X.std(axis=axis, keepdims=True)


def centred(X):
    return X - X.mean(axis=-1, keepdims=True)


# X: (..., d_model)
MISTAKES = {
    "wrong-axis (in a batch)": over(1),
    "wrong-axis": [over(-2), over(0)],
    "whole-array": [over(None), over((-2, -1))],
    "axis-lost": lambda X: (X - X.mean(axis=-1)) / X.std(axis=-1),
    "not-divided": centred,
    "not-centred": lambda X: X / X.std(axis=-1, keepdims=True),
    "brackets-missing": lambda X: X - X.mean(axis=-1, keepdims=True) / X.std(axis=-1, keepdims=True),
    "divided-by-variance": lambda X: centred(X) / X.var(axis=-1, keepdims=True),
    "n-minus-one": lambda X: centred(X) / X.std(axis=-1, ddof=1, keepdims=True),
    "root-mean-square": lambda X: X / np.sqrt((X * X).mean(axis=-1, keepdims=True)),
}


def mean_and_spread(ask, given, wanted, got):
    """Say the mean and the standard deviation of the first row that isn't right."""
    rows, right = (result[0].reshape(-1, given[0].shape[-1]) for result in (got, wanted))
    i = np.flatnonzero(~close(rows, right).all(axis=-1))[0]
    mean, deviation = (f"{number:.3g}" for number in (rows[i].mean() + 0.0, rows[i].std()))
    return f"Row {i} of your result has mean {mean} and standard deviation {deviation}."


def spread(*shape):
    """An input whose rows are wide apart, so that a small number below the root makes no difference."""
    return lambda draw: (draw(*shape) + 4.0 * np.arange(shape[-1]),)


@exercise(
    inputs={
        "smallest": (np.array([[0.0, 4, 8], [10, 10, 40]]),),
        "square": (np.array([[1.0, 5], [20, 4]]),),
        "four words": spread(4, 6),
        "a batch": spread(2, 3, 4),
        "a batch, all sizes alike": spread(3, 3, 3),
        "a single word": spread(1, 5),
    },
    own=mean_and_spread,
    mistakes=MISTAKES,
)
def layer_norm(X):
    """Check `f(X)` → X (..., d_model) with each row rescaled to mean 0 and standard deviation 1.

    Returns Feedback.
    """
    return maths.layer_norm(X)
