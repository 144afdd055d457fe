"""Lesson 08: layer normalisation, each row to mean 0 and standard deviation 1."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_parts import mathematics as maths

NORM = "l08-norm"


def over(axis):
    """Rescaled with mean and standard deviation along another axis, or of everything."""
    return lambda X: (X - X.mean(axis=axis, keepdims=True)) / X.std(axis=axis, keepdims=True)


def centred(X):
    return X - X.mean(axis=-1, keepdims=True)


MISTAKES = [
    Mistake(
        "wrong-axis",
        "normalised over the words",
        [over(-2), over(0), over(1)],
        "You rescale each column with the mean and standard deviation of all words, later ones included. The future "
        "gets past the mask in this way. Rescale along each row, axis=-1.",
    ),
    Mistake(
        "whole-array",
        "normalised over everything at once",
        [over(None), over((-2, -1))],
        "You rescale the whole array with one mean and one standard deviation. Each row needs its own.",
    ),
    Mistake(
        "axis-lost",
        "keepdims is missing",
        [lambda X: (X - X.mean(axis=-1)) / X.std(axis=-1)],
        "Each row should lose its own mean, but here NumPy takes the means along the columns. keepdims=True keeps "
        "them in a column, one for each row.",
    ),
    Mistake(
        "not-divided",
        "the division is missing",
        [centred],
        "Your rows have mean 0, but their standard deviation isn't 1. Divide each row by its standard deviation.",
    ),
    Mistake(
        "not-centred",
        "the mean isn't subtracted",
        [lambda X: X / X.std(axis=-1, keepdims=True)],
        "Your rows have standard deviation 1, but their mean isn't 0. Subtract each row's mean first.",
    ),
    Mistake(
        "brackets-missing",
        "only the mean is divided",
        [lambda X: X - X.mean(axis=-1, keepdims=True) / X.std(axis=-1, keepdims=True)],
        "You divide only the mean, because / comes before −. Put the difference in brackets.",
    ),
    Mistake(
        "divided-by-variance",
        "divided by the variance",
        [lambda X: centred(X) / X.var(axis=-1, keepdims=True)],
        "You divide by the variance. The standard deviation is its root, X.std.",
    ),
    Mistake(
        "n-minus-one",
        "the standard deviation of a sample",
        [lambda X: centred(X) / X.std(axis=-1, ddof=1, keepdims=True)],
        "Your standard deviation divides by one number fewer than the row has. Leave out ddof, or the correction.",
    ),
    Mistake(
        "root-mean-square",
        "RMSNorm",
        [lambda X: X / np.sqrt((X * X).mean(axis=-1, keepdims=True))],
        "You divide by the root of the mean square and leave the mean alone. That's RMSNorm, which many models use. "
        "Layer normalisation subtracts the mean first.",
    ),
]


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
    mistakes=MISTAKES,
    see=NORM,
)
def layer_norm(X):
    """Check `f(X)` → X (..., d_model) with each row rescaled to mean 0 and standard deviation 1. Returns Feedback."""
    return maths.layer_norm(X)
