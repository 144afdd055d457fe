"""Lesson 03: a causal mask, a padding mask, and masking the scores.

The ways of MISTAKES are functions (scores, mask): the step of masking. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import (
    Shown,
    Step,
    Steps,
    close,
    exercise,
    mask_of,
    result_is,
    with_each,
    without,
)
from attn_parts import mathematics as maths

HALF = mask_of("1011", "1100")
CAUSAL = maths.causal_mask(3)
INPUTS = {
    "smallest": (np.array([[1.0, 2.0], [3.0, 4.0]]), mask_of("10", "11")),
    "square": lambda draw: (0.1234567 * draw(3, 3), mask_of("101", "110", "011")),
    "more keys than queries": lambda draw: (draw(2, 4), HALF),
    "a row all blocked": lambda draw: (draw(2, 3), mask_of("000", "111")),
    "batch, one mask for all": lambda draw: (draw(2, 3, 3), CAUSAL),
    "far below any number typed": lambda draw: (1e10 * (draw(2, 4) - 4), HALF),
    "scores of 0": (
        np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]),
        mask_of("110", "110"),
    ),
    "batch, a mask for each": lambda draw: (
        draw(3, 2, 4),
        mask_of("1110", "1000", "1100")[:, None],
    ),
    "batch, opposite masks": lambda draw: (
        draw(2, 3, 3),
        np.stack([CAUSAL, ~CAUSAL]),
    ),
    "all blocked": lambda draw: (0.123 * draw(2, 3), mask_of("000", "000")),
    "heads": lambda draw: (0.123 * draw(2, 3, 2, 4), HALF[None]),
}


# scores: (..., L_q, L_k), mask: a shape that broadcasts to it
def hidden(scores, mask):
    return np.where(mask, scores, -np.inf)


def causal(scores):
    return maths.causal_mask(*scores.shape[-2:])


def is_row(axis, row, shape):
    """Where an array of this shape holds one row, counted along some axis."""
    return np.indices(shape)[axis] == np.arange(shape[axis])[row]


def filled_where(blocked, scores):
    """Copy the scores and put −inf in by index, which needs a mask of the same shape."""
    filled = np.array(scores)
    filled[blocked] = -np.inf
    return filled


def blocked_are(condition):
    """Make a test that allowed scores are right and blocked ones are finite and fulfil a condition."""

    def are_filled(mine, right):
        kept = ~np.isneginf(right)
        filled = mine[~kept]
        right_where_kept = close(mine, right)[kept].all()
        return right_where_kept and filled.size and np.isfinite(filled).all() and np.all(condition(filled))

    return result_is(are_filled)


MISTAKES = {
    "finite-mask-value": Shown(
        blocked_are(lambda filled: filled <= -1e3),
        [
            lambda scores, mask: np.where(mask, scores, -1e9),
            lambda scores, mask: np.where(mask, scores, -1e4),
            lambda scores, mask: scores + np.where(mask, 0, -1e9),
        ],
    ),
    "tiny-mask-value": Shown(blocked_are(lambda filled: (filled < 0) & (filled > -1e-3))),
    "inverted-mask": [
        lambda scores, mask: np.where(mask, -np.inf, scores),
        lambda scores, mask: filled_where(mask, scores),
        lambda scores, mask: np.where(mask, -1e9, scores),
        lambda scores, mask: np.where(mask, 0, scores),
        lambda scores, mask: scores + np.where(mask, -1e9, 0),
    ],
    "multiplied-by-zero": [
        lambda scores, mask: scores * mask,
        lambda scores, mask: np.where(mask, scores, 1e-9),
    ],
    "zero-times-inf": [
        lambda scores, mask: scores + (1 - mask) * -np.inf,
        lambda scores, mask: scores + mask * -np.inf,
    ],
    "nan-to-num": lambda scores, mask: np.nan_to_num(scores + (1 - mask) * -np.inf),
    "mask-added": [
        lambda scores, mask: scores + mask,
        lambda scores, mask: scores - ~mask,
    ],
    "mask-ignored": lambda scores, mask: scores,
    "own-causal-mask": lambda scores, mask: hidden(scores, causal(scores)),
    "scores-lost": [
        lambda scores, mask: np.where(mask, 0, -np.inf) + 0 * scores,
        lambda scores, mask: np.where(mask, 0, -np.inf),
        lambda scores, mask: mask,
    ],
    "nan-mask-value": [
        lambda scores, mask: np.where(mask, scores, np.nan),
        lambda scores, mask: np.where(mask, scores, np.inf),
    ],
    "transposed-mask": lambda scores, mask: hidden(scores, np.swapaxes(mask, -1, -2)),
    "softmax-included": [
        lambda scores, mask: maths.softmax(hidden(scores, mask)),
        lambda scores, mask: maths.softmax(scores) * mask,
        lambda scores, mask: np.where(mask, maths.softmax(scores), -np.inf),
    ],
}


# Only for a function that returns masked scores.
ALONE = {
    "own-causal-mask (beside)": lambda scores, mask: hidden(scores, mask & causal(scores)),
    "ordinary-mask-value": Shown(
        blocked_are(lambda filled: (filled.min() > -1e3) == (filled.max() > -1e3)),
        with_each(
            (-1, -100, -999, 1),
            lambda scores, mask, low: np.where(mask, scores, low),
        ),
    ),
}
LEFT_OUT = {
    "row-not-masked": with_each(
        [(axis, row) for axis in (-2, 0, -1) for row in (-1, 0)],
        lambda scores, masked, which: np.where(is_row(*which, scores.shape), scores, masked),
    )
}
FILL_MISTAKES = without([MISTAKES, ALONE], "transposed-mask", "inverted-mask")
TURN_MISTAKES = {
    "transposed-mask": [
        lambda mask: np.swapaxes(mask, -1, -2),
        lambda mask: mask.T,
    ]
}
STEPS = Steps(
    "scores mask",
    {
        "turn": Step("mask", "mask", TURN_MISTAKES),
        "read": Step("mask", "mask", {"inverted-mask": np.invert}),
        "fill": Step("scores mask", "result", FILL_MISTAKES, hidden),
        "loop": Step("scores result", "result", LEFT_OUT),
        "softmax": Step("result", "result", {"softmax-included": maths.softmax}),
    },
)


def which_cells(ask, given, wanted, got):
    """Say whether allowed or blocked cells are wrong, and name the first one."""
    (want,), (mine,) = wanted, got
    if np.isnan(mine).any():
        return ""
    wrong = ~close(mine, want)
    blocked = np.isneginf(want)
    cell = tuple(np.argwhere(wrong & ~blocked if (wrong & ~blocked).any() else wrong)[0])
    place = f"row {cell[-2]}, column {cell[-1]}"
    if not (wrong & blocked).any():
        became = "−inf" if np.isneginf(mine[cell]) else f"{mine[cell]:.6g}"
        return (
            f"Every blocked cell is −inf. But in {place}, which the mask allows, {want[cell]:.6g} has "
            f"become {became}. Keep allowed scores as they are."
        )
    if not (wrong & ~blocked).any():
        return (
            f"Every allowed score is unchanged. But {place} should be −inf, because the mask blocks "
            f"it, and yours is {mine[cell]:.6g}."
        )
    return (
        f"Some allowed scores have changed, and some blocked ones are not −inf. Start with {place}, "
        f"where the mask is {bool(~blocked[cell])}."
    )


@exercise(inputs=INPUTS, steps=STEPS, result="scores", own=which_cells)
def apply_mask(scores, mask):
    """Check `f(scores, mask)` → scores with −inf where mask is False. Returns Feedback."""
    return np.where(mask, scores, -np.inf)
