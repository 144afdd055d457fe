"""Lesson 06: what a heatmap is drawn from, mended: rows that stay rows, blocked cells that are no zeros, fixed colours."""

from itertools import product

import numpy as np

from attn_checks.compare import close
from attn_checks.exercise import Mistake, exercise, table

COLOURS = "l06-case1"
BLOCKED = "l06-case2"
READ = "l06-read"

INPUTS = {
    "causal": (
        np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.3, 0.5]]),
        np.array([[True, False, False], [True, True, False], [True, True, True]]),
    ),
    "padding in the middle": (
        np.array([[0.3, 0, 0.7], [0.8, 0, 0.2], [0.1, 0, 0.9]]),
        np.array([[True, False, True]] * 3),
    ),
    "nothing blocked": (np.array([[1 / 3, 2 / 3], [3 / 7, 4 / 7]]), np.ones((2, 2), dtype=bool)),
    "a zero that is not blocked": (
        np.array([[0.5, 0.5, 0], [0, 0.25, 0.75], [0.6, 0, 0.4]]),
        np.array([[True, True, False], [True, True, True], [True, True, True]]),
    ),
}

BLANK = {
    "blank": lambda weights, mask: np.where(mask, weights, np.nan),
    "zero": lambda weights, mask: weights * mask,
    "ignored": lambda weights, mask: weights,
}
LIMITS = (
    lambda cells: (0, 1),
    lambda cells: (np.fmin.reduce(cells, None), np.fmax.reduce(cells, None)),  # nanmin warns of NaN alone
    lambda cells: (0, np.fmax.reduce(cells, None)),
    lambda cells: (np.min(cells), np.max(cells)),  # NaN where a cell is
)
TURNS = (
    lambda blank, weights, mask: blank(weights, mask).T,
    lambda blank, weights, mask: blank(weights.T, mask),
)


def drawn(blank, limits, turn=None):
    """What comes out with this way to blank cells, these limits, and turned on its side or not."""

    def way(weights, mask):
        cells = turn(blank, weights, mask) if turn else blank(weights, mask)
        return cells, *limits(cells)

    return way


def cells_right_but(want, got, where):
    """Whether a result has three parts, its cells right wherever `where(cells that should come out)` is not."""
    if got.values is None or len(got.values) != 3 or got.values[0].shape != want.values[0].shape:
        return False
    cells, right = got.values[0], want.values[0]
    return cells.dtype.kind in "if" and close(cells, right)[~where(right)].all()


def other_ends(want, got):
    right = cells_right_but(want, got, lambda cells: np.zeros(cells.shape, dtype=bool))
    return right and all(end.ndim == 0 and end.dtype.kind in "if" for end in got.values[1:])


# fmt: off
MISTAKES = table(
    BLOCKED,
    Mistake("masked-array", "a masked array in place of NaN",
        say="imshow leaves masked cells blank, too. Here the cells are asked for as a plain array with NaN in the blocked ones.",
        ways=(),
        shows=lambda want, got: (isinstance(got.raw,
            tuple | list) and any(np.ma.isMaskedArray(part) for part in got.raw))),
    Mistake("transposed", "rows and columns are exchanged", see=READ,
        say="imshow puts row 0 of the array on top, and a row of the weights is a query already. Nothing needs to be turned.",
        ways=[*(drawn(*parts) for parts in product(BLANK.values(), LIMITS, TURNS)),
            *(drawn(lambda weights, mask: np.where(mask.T, weights, np.nan), limits) for limits in LIMITS)]),
    Mistake("blocked-as-zero", "blocked cells are drawn as 0",
        say="A blocked cell gets the colour of a weight of 0. imshow leaves a cell blank where it is NaN.",
        ways=[drawn(BLANK[kind], limits) for kind, limits in product(("zero", "ignored"), LIMITS)]),
    Mistake("inverted-mask", "what may be looked at is left blank", see="l03-true",
        say="True in the mask means: this query may look at this key. Blank the *other* cells.",
        ways=[drawn(lambda weights, mask: np.where(mask, np.nan, weights), limits) for limits in LIMITS]),
    Mistake("limits-of-nan", "the ends of the colours are NaN", see=COLOURS,
        say="min and max of a table that holds a NaN are NaN. And taken from the numbers, the same colour would mean another weight in the next picture. All weights lie between two numbers that you know.",
        ways=[drawn(BLANK["blank"], LIMITS[3])]),
    Mistake("stretched", "the colours are stretched to what is there", see=COLOURS,
        say="low and high come from the numbers themselves, so the same colour means another weight in the next picture. All weights lie between two numbers that you know.",
        ways=[drawn(BLANK["blank"], limits) for limits in LIMITS[1:3]]),
    Mistake("other-ends", "the ends of the colours are not those of a weight", see=COLOURS,
        say="The cells are right. What is the smallest number that a weight can be, and what the largest?",
        ways=(),
        shows=other_ends),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result=("cells", "low", "high"), see=COLOURS)
def honest_heatmap(weights, mask):
    """Check `f(weights, mask)` → (cells with NaN where the mask is False, lowest, highest value of the colours). Returns Feedback."""
    return np.where(mask, weights, np.nan), 0, 1
