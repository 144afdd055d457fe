"""Lesson 06: the input of a heatmap, fixed: rows stay rows, blocked cells are blank, the colours have fixed ends."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, close, exercise, table
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
    "weights that are not masked yet": (np.array([[0.6, 0.4], [0.3, 0.7]]), mask_of("10", "11")),
}


def other_ends(want, got):
    """Whether the cells are right and two numbers follow them."""
    if [array.shape for array in got.values or ()] != [want.values[0].shape, (), ()]:
        return False
    are_numbers = all(array.dtype.kind in "if" for array in got.values)
    return are_numbers and close(got.values[0], want.values[0]).all()


# fmt: off
TRANSPOSED = Mistake("transposed", "rows and columns are exchanged", see="l06-read",
    say="The weights, the mask or both are transposed. imshow draws row 0 at the top, and a row of the weights is a query already, so don't transpose anything.",
    ways=[lambda weights, mask: (weights.T, mask.T), lambda weights, mask: (weights.T, mask), lambda weights, mask: (weights, mask.T)])
CELL_MISTAKES = [
    Mistake("mask-ignored", "the mask has no effect",
        say="Your cells are the weights as they came. Put NaN where the mask is False, so that imshow leaves these cells blank.",
        ways=[lambda weights, mask: weights]),
    Mistake("blocked-as-zero", "blocked cells are drawn as 0",
        say="Your blocked cells are 0, so they get the colour of a weight of 0. imshow leaves a cell blank if it holds NaN.",
        ways=[lambda weights, mask: weights * mask]),
    Mistake("blocked-as-infinite", "blocked cells hold −inf",
        say="Your blocked cells hold −inf. That's for scores before softmax. Here a blocked cell holds np.nan.",
        ways=[lambda weights, mask: np.where(mask, weights, -np.inf)]),
    Mistake("divided-by-mask", "the weights are divided by the mask",
        say="False counts as 0 in a division. Only 0/0 is NaN, and any other weight divided by 0 is inf. Choose NaN with np.where instead.",
        ways=[lambda weights, mask: weights / mask]),
    Mistake("blocked-as-number", "blocked cells hold a number",
        say="Your blocked cells hold a number, so imshow gives them a colour. Fill them with NaN, which NumPy calls np.nan.",
        ways=[lambda weights, mask, n=n: np.where(mask, weights, n) for n in (-1, 99, 1, 2)]),
    Mistake("inverted-mask", "the allowed cells are left blank", see="l03-true",
        say="You blanked the cells that the mask allows. True in the mask means that this query may attend to this key, so blank the *other* cells.",
        ways=[lambda weights, mask: np.where(mask, np.nan, weights)]),
    Mistake("transposed", "rows and columns are exchanged; blocked cells are drawn as 0", see="l06-read",
        say="You transpose the weights, though a row is a query already, and give blocked cells 0, which is a colour. Leave out the transpose, and fill with NaN.",
        ways=[lambda weights, mask: weights.T * mask]),
]
RESCALED = Mistake("rescaled", "the weights are rescaled",
    say="Your cells hold other numbers than the weights. Leave the weights as they are, since the colours should run over all possible weights anyway.",
    ways=[lambda cells: cells / np.fmax.reduce(cells, None), lambda cells: cells / np.fmax.reduce(cells, axis=-1, keepdims=True),
        lambda cells: cells / np.nansum(cells, axis=-1, keepdims=True), lambda cells: 100 * cells])
END_MISTAKES = table(
    COLOURS,
    Mistake("stretched", "the colours are stretched to the data",
        say="You take low or high from the data, so the same colour means a different weight in the next picture. You know two numbers between which all weights lie.",
        ways=[lambda cells, weights: (np.min(cells), np.max(cells)),
            # nanmin warns of NaN alone
            lambda cells, weights: (np.fmin.reduce(cells, None), np.fmax.reduce(cells, None)),
            lambda cells, weights: (0, np.fmax.reduce(cells, None)), lambda cells, weights: (weights.min(), weights.max()),
            lambda cells, weights: (0, weights.max()), lambda cells, weights: (np.fmin.reduce(cells, None), 1),
            lambda cells, weights: (weights.min(), 1)]),
    Mistake("ends-exchanged", "low and high are exchanged",
        say="Both numbers are right, but low comes first. Return the smallest possible weight before the largest.",
        ways=[lambda cells, weights: (1, 0)]),
    Mistake("other-ends", "the ends of the colours are not those of a weight",
        say="What is the smallest number that a weight can be, and what the largest? The colours run from one to the other, for any weights.",
        ways=[lambda cells, weights, ends=ends: ends for ends in ((-1, 1), (0, 100), (0, 255), (0, 2), (1, 2), (0, 0.5))]),
)
STEPS = Steps("weights mask", {
    "turn": Step("weights mask", "weights mask", [TRANSPOSED]),
    "cells": Step("weights mask", "cells", CELL_MISTAKES, lambda weights, mask: np.where(mask, weights, np.nan)),
    "rescale": Step("cells", "cells", [RESCALED], lambda cells: cells),
    "ends": Step("cells weights", "low high", END_MISTAKES, lambda cells, weights: (0, 1)),
    "return": Step("cells low high", "result", [
        Mistake("other-order-of-results", "the results are in another order",
            say="Return the cells first, then the low end of the colours, then the high one.",
            ways=[lambda cells, low, high: (low, high, cells), lambda cells, low, high: (low, cells, high)]),
    ], lambda *results: results),
}, few=7)
MASKED_ARRAY = Mistake("masked-array", "a masked array instead of NaN",
    say="Your cells are a masked array, which imshow leaves blank as well. Return a plain array here, with NaN in the blocked cells.",
    ways=(), shows=lambda want, got: isinstance(got.raw, tuple | list) and any(map(np.ma.isMaskedArray, got.raw)))
OTHER_ENDS = END_MISTAKES[-1]._replace(ways=(), shows=other_ends)


@exercise(inputs=INPUTS, mistakes=[MASKED_ARRAY, *STEPS.mistakes(), OTHER_ENDS], steps=STEPS, result=("cells", "low", "high"), see=BLOCKED)
def honest_heatmap(weights, mask):
    """Check `f(weights, mask)` → (cells with NaN where the mask is False, lowest, highest value of the colours). Returns Feedback."""
    return np.where(mask, weights, np.nan), 0, 1
