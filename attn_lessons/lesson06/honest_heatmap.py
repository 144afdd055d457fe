"""Lesson 06: what a heatmap is drawn from, mended: rows that stay rows, blocked cells that are no zeros, fixed colours."""

import numpy as np

from attn_checks.compare import close
from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson03.causal_mask import mask_of

COLOURS = "l06-case1"
BLOCKED = "l06-case2"

INPUTS = {
    "causal": (np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.3, 0.5]]), mask_of("100", "110", "111")),
    "padding in the middle": (
        np.array([[0.3, 0, 0.7], [0.8, 0, 0.2], [0.1, 0, 0.9]]),
        mask_of("101", "101", "101"),
    ),
    "nothing blocked": (np.array([[1 / 3, 2 / 3], [3 / 7, 4 / 7]]), mask_of("11", "11")),
    "a zero that is not blocked": (
        np.array([[0.5, 0.5, 0], [0, 0.25, 0.75], [0.6, 0, 0.4]]),
        mask_of("110", "111", "111"),
    ),
}

BLANK = (
    lambda weights, mask: np.where(mask, weights, np.nan),
    lambda weights, mask: weights * mask,
    lambda weights, mask: weights,
)
LIMITS = (
    lambda cells: (0, 1),
    lambda cells: (np.fmin.reduce(cells, None), np.fmax.reduce(cells, None)),  # nanmin warns of NaN alone
    lambda cells: (0, np.fmax.reduce(cells, None)),
    lambda cells: (np.min(cells), np.max(cells)),  # NaN where a cell is
)


def drawn(blanks, limits=LIMITS):
    """What comes out with each of these ways to blank cells, and each of these limits."""
    return [
        lambda weights, mask, blank=blank, ends=ends: (blank(weights, mask), *ends(blank(weights, mask)))
        for blank in blanks
        for ends in limits
    ]


def other_ends(want, got):
    """Whether the cells are right, and two numbers stand behind them."""
    if [array.shape for array in got.values or ()] != [want.values[0].shape, (), ()]:
        return False
    are_numbers = all(array.dtype.kind in "if" for array in got.values)
    return are_numbers and close(got.values[0], want.values[0]).all()


# fmt: off
MISTAKES = table(
    BLOCKED,
    Mistake("masked-array", "a masked array in place of NaN",
        say="imshow leaves masked cells blank, too. Here the cells are asked for as a plain array with NaN in the blocked ones.",
        ways=(),
        shows=lambda want, got: isinstance(got.raw, tuple | list) and any(map(np.ma.isMaskedArray, got.raw))),
    Mistake("transposed", "rows and columns are exchanged", see="l06-read",
        say="imshow puts row 0 of the array on top, and a row of the weights is a query already. Nothing needs to be turned.",
        ways=drawn([*[lambda weights, mask, blank=blank: blank(weights, mask).T for blank in BLANK[:2]],
            *[lambda weights, mask, blank=blank: blank(weights.T, mask) for blank in BLANK],
            lambda weights, mask: np.where(mask.T, weights, np.nan)])),
    Mistake("blocked-as-zero", "blocked cells are drawn as 0",
        say="A blocked cell gets the colour of a weight of 0. imshow leaves a cell blank where it is NaN.",
        ways=drawn(BLANK[1:2])),
    Mistake("inverted-mask", "what may be looked at is left blank", see="l03-true",
        say="True in the mask means: this query may look at this key. Blank the *other* cells.",
        ways=drawn([lambda weights, mask: np.where(mask, np.nan, weights)])),
    Mistake("limits-of-nan", "the ends of the colours are NaN", see=COLOURS,
        say="min and max of a table that holds a NaN are NaN. And taken from the numbers, the same colour would mean another weight in the next picture. All weights lie between two numbers that you know.",
        ways=drawn(BLANK[:1], LIMITS[3:])),
    Mistake("stretched", "the colours are stretched to what is there", see=COLOURS,
        say="low and high come from the numbers themselves, so the same colour means another weight in the next picture. All weights lie between two numbers that you know.",
        ways=drawn(BLANK[:1], LIMITS[1:3])),
    Mistake("other-ends", "the ends of the colours are not those of a weight", see=COLOURS,
        say="The cells are right. What is the smallest number that a weight can be, and what the largest?",
        ways=(), shows=other_ends),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result=("cells", "low", "high"), see=COLOURS)
def honest_heatmap(weights, mask):
    """Check `f(weights, mask)` → (cells with NaN where the mask is False, lowest, highest value of the colours). Returns Feedback."""
    return np.where(mask, weights, np.nan), 0, 1
