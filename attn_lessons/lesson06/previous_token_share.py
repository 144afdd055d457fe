"""Lesson 06: how much a head attends to the token just before."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, inside, with_each, without

INPUTS = {
    "three tokens": (
        np.array(
            [
                [0.2, 0.3, 0.5],
                [0.7, 0.1, 0.2],
                [0.1, 0.6, 0.3],
            ]
        ),
    ),
    "causal": (
        np.array(
            [
                [1, 0, 0, 0],
                [0.9, 0.1, 0, 0],
                [0.2, 0.5, 0.3, 0],
                [0.05, 0.15, 0.7, 0.1],
            ]
        ),
    ),
    "only itself": (np.eye(4),),
    "the first token": (np.eye(5)[[0, 0, 0, 0, 0]],),
    "even": (np.full((4, 4), 0.25),),
    "the next token": (
        np.array(
            [
                [0.1, 0.9, 0],
                [0.3, 0.06, 0.64],
                [0.24, 0.36, 0.4],
            ]
        ),
    ),
    "sixths": (np.array([[1, 2, 3], [3, 1, 2], [2, 2, 2]]) / 6,),
    "two tokens": (np.array([[0.6, 0.4], [0.8, 0.2]]),),
    "no two alike": (
        np.array(
            [
                [2, 12, 4, 1],
                [6, 3, 9, 5],
                [7, 8, 13, 10],
                [15, 14, 11, 16],
            ]
        )
        / 60,
    ),
}


def before(weights):
    """The weight of each token but the first on the one before it."""
    return np.diag(weights, -1)


# weights: (L, L), picked: those that count, (L − 1,) if they are right
PICK_MISTAKES = {
    "diagonal": [
        np.diag,
        lambda weights: np.diag(weights)[1:],
        lambda weights: np.diag(weights)[:-1],
    ],
    "next-token": lambda weights: np.diag(weights, 1),
    "wraps-around": lambda weights: weights[np.arange(len(weights)), np.arange(len(weights)) - 1],
    "return-in-loop": lambda weights: weights[1, :1],
    "last-row-missing": [
        lambda weights: before(weights)[:-1],
        lambda weights: before(weights)[1:],
    ],
    "two-back": [
        lambda weights: np.diag(weights, -2),
        lambda weights: weights[np.arange(1, len(weights)), np.arange(1, len(weights)) - 2],
    ],
    "rows-counted": lambda weights: weights.argmax(axis=-1)[1:] == np.arange(len(weights) - 1),
    "all-earlier": lambda weights: np.tril(weights, -1).sum(axis=1)[1:],
    "block": lambda weights: weights[1:, :-1],
    "first-token": [
        lambda weights: weights[1:, 0],
        lambda weights: weights[:, 0],
    ],
    "triangle": [
        lambda weights: weights[np.tril_indices(len(weights))],
        lambda weights: weights[np.tril_indices(len(weights), -1)],
        np.tril,
        lambda weights: np.tril(weights, -1),
    ],
}
MEAN_MISTAKES = {
    "first-row-counted": with_each(
        (len, np.size, lambda weights: 3, lambda weights: 2, lambda weights: 4),
        lambda picked, weights, n: picked.sum() / n(weights),
    ),
    "sum-not-mean": lambda picked, weights: picked.sum(),
    "weights-not-mean": lambda picked, weights: picked,
    "not-the-mean": with_each((np.max, np.min, np.median), lambda picked, weights, take: take(picked)),
}
STEPS = Steps(
    "weights",
    {
        "pick": Step("weights", "picked", PICK_MISTAKES, before),
        "mean": Step(
            "picked weights",
            "result",
            MEAN_MISTAKES,
            lambda picked, weights: picked.mean(),
        ),
    },
)
# other weights, divided by the right number all the same; the triangle's are then all earlier ones
DIVIDED_BY_ROWS = inside(
    without(PICK_MISTAKES, "triangle"),
    lambda way: lambda weights: np.sum(way(weights)) / (len(weights) - 1),
)


def cells_that_count(right, why):
    """Find a cell that counts and shouldn't, or the other way round, in a wrong mean of weights.

    why: (row, column, what else is passed in) -> why a cell does not count.
    """

    def told(ask, given, wanted, got):
        weights, *rest = given
        moved = {}
        for row, column in np.ndindex(weights.shape[-2:]):
            larger = weights.copy()
            larger[..., row, column] += 0.25
            mine = ask(larger, *rest)
            if mine is None or mine[0].shape != wanted[0].shape:
                return ""
            moved[row, column] = (
                np.ravel(right(larger, *rest) - wanted[0]),
                np.ravel(mine[0] - got[0]),
            )
        return first_moved(moved, lambda row, column: why(row, column, *rest))

    return told


def first_moved(moved, why):
    """Name the first cell that moves the right number and the learner's differently; or ""."""
    cells = {cell: [abs(m).max() > 1e-6 for m in pair] for cell, pair in moved.items()}
    for (row, column), (should, does) in cells.items():
        if does and not should:
            return (
                f"Your number changes with the weight in row {row}, column {column}, and shouldn't: "
                f"{why(row, column)}."
            )
    for (row, column), (should, does) in cells.items():
        if should and not does:
            return (
                f"Your number doesn't change when the weight in row {row}, column {column} grows. "
                "That weight counts."
            )
    for (row, column), (right, mine) in moved.items():
        if cells[row, column][0] and not np.allclose(right, mine, atol=1e-7):
            return (
                f"The weight in row {row}, column {column} counts too "
                f"{'much' if mine[0] > right[0] else 'little'}."
            )
    return ""


def none_before(row, column):
    return f"the one before token {row} is token {row - 1}" if row else "the first token has none before it"


def mean_before(weights):
    return before(weights).mean()


@exercise(
    own=cells_that_count(mean_before, none_before),
    inputs=INPUTS,
    mistakes=[STEPS.mistakes(), DIVIDED_BY_ROWS],
    steps=STEPS,
    result="mean",
)
def previous_token_share(weights):
    """Check `f(weights)` → the mean weight that tokens give to the one just before them, from row 1 on.

    Returns Feedback.
    """
    return mean_before(weights)
