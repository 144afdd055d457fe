"""Lesson 06: the input of a heatmap, fixed: rows stay rows, blocked cells blank, colours with fixed ends."""

import numpy as np

from attn_checks.exercise import (
    Shown,
    Step,
    Steps,
    close,
    exercise,
    in_orders,
    mask_of,
    with_each,
)

INPUTS = {
    "causal": (
        np.array(
            [
                [1, 0, 0],
                [0.4, 0.6, 0],
                [0.2, 0.3, 0.5],
            ]
        ),
        mask_of("100", "110", "111"),
    ),
    "padding in the middle": (
        np.array(
            [
                [0.3, 0, 0.7],
                [0.8, 0, 0.2],
                [0.1, 0, 0.9],
            ]
        ),
        mask_of("101", "101", "101"),
    ),
    "nothing blocked": (
        np.array([[1 / 3, 2 / 3], [3 / 7, 4 / 7]]),
        mask_of("11", "11"),
    ),
    "a zero that is not blocked": (
        np.array(
            [
                [0.5, 0.5, 0],
                [0, 0.25, 0.75],
                [0.6, 0, 0.4],
            ]
        ),
        mask_of("110", "111", "111"),
    ),
    "weights that are not masked yet": (
        np.array([[0.6, 0.4], [0.3, 0.7]]),
        mask_of("10", "11"),
    ),
}


def holds_masked_array(want, got):
    return isinstance(got.raw, tuple | list) and any(map(np.ma.isMaskedArray, got.raw))


def other_ends(want, got):
    """Whether the cells are right and two numbers follow them."""
    if [array.shape for array in got.values or ()] != [
        want.values[0].shape,
        (),
        (),
    ]:
        return False
    are_numbers = all(array.dtype.kind in "if" for array in got.values)
    return are_numbers and close(got.values[0], want.values[0]).all()


# weights, mask, cells: (L_q, L_k)
TRANSPOSED = {
    "transposed": [
        lambda weights, mask: (weights.T, mask.T),
        lambda weights, mask: (weights.T, mask),
        lambda weights, mask: (weights, mask.T),
    ]
}
CELL_MISTAKES = {
    "mask-ignored": lambda weights, mask: weights,
    "blocked-as-zero": lambda weights, mask: weights * mask,
    "blocked-as-infinite": lambda weights, mask: np.where(mask, weights, -np.inf),
    "divided-by-mask": lambda weights, mask: weights / mask,
    "blocked-as-number": with_each((-1, 99, 1, 2), lambda weights, mask, n: np.where(mask, weights, n)),
    "inverted-mask": lambda weights, mask: np.where(mask, np.nan, weights),
    "transposed (and blocked as 0)": lambda weights, mask: weights.T * mask,
}
RESCALED = {
    "rescaled": [
        lambda cells: cells / np.fmax.reduce(cells, None),
        lambda cells: cells / np.fmax.reduce(cells, axis=-1, keepdims=True),
        lambda cells: cells / np.nansum(cells, axis=-1, keepdims=True),
        lambda cells: 100 * cells,
    ]
}
END_MISTAKES = {
    "stretched": [
        lambda cells, weights: (np.min(cells), np.max(cells)),
        # nanmin warns of NaN alone
        lambda cells, weights: (
            np.fmin.reduce(cells, None),
            np.fmax.reduce(cells, None),
        ),
        lambda cells, weights: (0, np.fmax.reduce(cells, None)),
        lambda cells, weights: (weights.min(), weights.max()),
        lambda cells, weights: (np.fmin.reduce(cells, None), 1),
    ],
    "ends-exchanged": lambda cells, weights: (1, 0),
    "other-ends": with_each(
        (
            (-1, 1),
            (0, 100),
            (0, 255),
            (0, 2),
            (1, 2),
            (0, 0.5),
        ),
        lambda cells, weights, ends: ends,
    ),
}
RETURN_MISTAKES = {"other-order-of-results": in_orders("clh", "lhc", "lch")}
STEPS = Steps(
    "weights mask",
    {
        "turn": Step("weights mask", "weights mask", TRANSPOSED),
        "cells": Step(
            "weights mask",
            "cells",
            CELL_MISTAKES,
            lambda weights, mask: np.where(mask, weights, np.nan),
        ),
        "rescale": Step("cells", "cells", RESCALED),
        "ends": Step("cells weights", "low high", END_MISTAKES, lambda cells, weights: (0, 1)),
        "return": Step("cells low high", "result", RETURN_MISTAKES, lambda *results: results),
    },
    few=7,
)
MASKED_ARRAY = {"masked-array": Shown(holds_masked_array)}
OTHER_ENDS = {"other-ends": Shown(other_ends)}


@exercise(
    inputs=INPUTS,
    mistakes=[MASKED_ARRAY, STEPS.mistakes(), OTHER_ENDS],
    steps=STEPS,
    result=("cells", "low", "high"),
)
def honest_heatmap(weights, mask):
    """Check `f(weights, mask)` → (cells with NaN where the mask is False, lowest, highest value of the
    colours).

    Returns Feedback.
    """
    return np.where(mask, weights, np.nan), 0, 1
