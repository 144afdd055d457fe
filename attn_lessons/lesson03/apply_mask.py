"""Lesson 03: a causal mask, a padding mask, and masking the scores.

The ways of MISTAKES are functions (scores, mask): the step of masking. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, close, exercise, table
from attn_lessons.lesson01.scores import result_is
from attn_lessons.lesson03.causal_mask import TRIANGLE, TRUE_MEANS, mask_of
from attn_parts import mathematics as maths

NO_WEIGHT = "l03-minus-infinity"
BEFORE_SOFTMAX = "l03-before"
FINITE_BREAKS = "l03-1e9"

HALF = mask_of("1011", "1100")
CAUSAL = maths.causal_mask(3)
INPUTS = {
    "smallest": (np.array([[1.0, 2.0], [3.0, 4.0]]), mask_of("10", "11")),
    "square": lambda draw: (0.1234567 * draw(3, 3), mask_of("101", "110", "011")),
    "more keys than queries": lambda draw: (draw(2, 4), HALF),
    "a row all blocked": lambda draw: (draw(2, 3), mask_of("000", "111")),
    "batch, one mask for all": lambda draw: (draw(2, 3, 3), CAUSAL),
    "far below any number typed": lambda draw: (1e10 * (draw(2, 4) - 4), HALF),
    "scores of 0": (np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]), mask_of("110", "110")),
    "batch, a mask for each": lambda draw: (draw(3, 2, 4), mask_of("1110", "1000", "1100")[:, None]),
    "batch, opposite masks": lambda draw: (draw(2, 3, 3), np.stack([CAUSAL, ~CAUSAL])),
    "all blocked": lambda draw: (0.123 * draw(2, 3), mask_of("000", "000")),
    "heads": lambda draw: (0.123 * draw(2, 3, 2, 4), HALF[None]),
}


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


# fmt: off
FINITE = Mistake("finite-mask-value", "a large negative number instead of −inf", see=FINITE_BREAKS,
    say="If every key of a row is blocked, a finite number blocks nothing, and the keys still get weights. −inf blocks in every row and in every dtype.",
    ways=[lambda scores, mask: np.where(mask, scores, -1e9), lambda scores, mask: np.where(mask, scores, -1e4),
        lambda scores, mask: scores + np.where(mask, 0, -1e9)],
    shows=blocked_are(lambda filled: filled <= -1e3))

OWN_CAUSAL_MASK = Mistake("own-causal-mask", "a causal mask instead of the one passed in", see="l03-padding",
    say="You block the future whatever the mask says. Block what the mask that is passed in blocks, and nothing else. Without a mask, block nothing.",
    ways=[lambda scores, mask: np.where(maths.causal_mask(*scores.shape[-2:]), scores, -np.inf)])

MISTAKES = table(
    NO_WEIGHT,
    FINITE,
    Mistake("tiny-mask-value", "a tiny negative number, like −1e-9", see=FINITE_BREAKS,
        say="A number so close to 0 is an ordinary score, and the blocked key gets some weight. −1e-9 is tiny and −1e9 is large, but only −inf always blocks.",
        ways=(), shows=blocked_are(lambda filled: (filled < 0) & (filled > -1e-3))),
    Mistake("inverted-mask", "the mask is read the wrong way round", see=TRUE_MEANS,
        say="You changed the allowed scores and kept the forbidden ones. True means that the query may look.",
        ways=[lambda scores, mask: np.where(mask, -np.inf, scores), lambda scores, mask: filled_where(mask, scores),
            lambda scores, mask: np.where(mask, -1e9, scores), lambda scores, mask: np.where(mask, 0, scores),
            lambda scores, mask: scores + np.where(mask, -1e9, 0)]),
    Mistake("multiplied-by-zero", "blocked scores became 0 or nearly 0", see=BEFORE_SOFTMAX,
        say="A score near 0 is an ordinary score, because e⁰ = 1. So the blocked key still gets some weight.",
        ways=[lambda scores, mask: scores * mask, lambda scores, mask: np.where(mask, scores, 1e-9)]),
    Mistake("zero-times-inf", "0 · inf",
        say="0 · −inf is NaN, and so is inf − inf. For each cell choose one of two values instead of calculating.",
        ways=[lambda scores, mask: scores + (1 - mask) * -np.inf, lambda scores, mask: scores + mask * -np.inf]),
    Mistake("nan-to-num", "allowed scores became 0",
        say="Your allowed scores are 0, and your blocked ones are a finite number. np.nan_to_num does that to 0 · −inf, which is NaN, and to −inf. For each cell choose one of two values instead of calculating.",
        ways=[lambda scores, mask: np.nan_to_num(scores + (1 - mask) * -np.inf)]),
    Mistake("mask-added", "the boolean mask was added or subtracted",
        say="A boolean counts as 1 or 0, so adding or subtracting it changes scores by 1 and blocks nothing. You can only add a mask made of 0 and −inf.",
        ways=[lambda scores, mask: scores + mask, lambda scores, mask: scores - ~mask]),
    Mistake("mask-ignored", "the mask has no effect", see=BEFORE_SOFTMAX,
        say="Your numbers are the same with the mask and without it. A blocked score must become −inf. (np.where makes a new array and leaves the scores as they are, so store what it returns.)",
        ways=[lambda scores, mask: scores]),
    OWN_CAUSAL_MASK,
    Mistake("scores-lost", "the mask without the scores",
        say="The scores that you are given have no effect on your numbers. Return these scores, with −inf where the mask is False.",
        ways=[lambda scores, mask: np.where(mask, 0, -np.inf) + 0 * scores,
            lambda scores, mask: np.where(mask, 0, -np.inf), lambda scores, mask: np.where(mask, 1, -np.inf),
            lambda scores, mask: mask, lambda scores, mask: mask + 0 * scores]),
    Mistake("nan-mask-value", "NaN or +inf instead of −inf",
        say="Either one turns its whole row into NaN in softmax. A score of −inf gets a weight of exactly 0.",
        ways=[lambda scores, mask: np.where(mask, scores, np.nan), lambda scores, mask: np.where(mask, scores, np.inf)]),
    Mistake("transposed-mask", "the mask was transposed", see=TRIANGLE,
        say="You used the rows of the mask as columns. Its rows are queries, like the rows of the scores.",
        ways=[lambda scores, mask: np.where(np.swapaxes(mask, -1, -2), scores, -np.inf)]),
    Mistake("softmax-included", "softmax is already included", see=BEFORE_SOFTMAX,
        say="You use softmax, but this step ends before it. Return scores.",
        ways=[lambda scores, mask: maths.softmax(np.where(mask, scores, -np.inf)),
            lambda scores, mask: maths.softmax(scores) * mask,
            lambda scores, mask: np.where(mask, maths.softmax(scores), -np.inf)]),
)


# Only for a function that returns masked scores.
ALONE = [
    OWN_CAUSAL_MASK._replace(name="a causal mask beside the one passed in",
        ways=[lambda scores, mask: np.where(mask & maths.causal_mask(*scores.shape[-2:]), scores, -np.inf)]),
    Mistake("ordinary-mask-value", "an ordinary number instead of −inf", see=BEFORE_SOFTMAX,
        say="e to any finite number is above 0, so the blocked key still gets some weight, and a lot of it if the other scores are low.",
        ways=[lambda scores, mask, low=low: np.where(mask, scores, low) for low in (-1, -100, -999, 1)], shows=blocked_are(lambda filled: (filled.min() > -1e3) == (filled.max() > -1e3))),
]
LEFT_OUT = Mistake("row-not-masked", "a row, a column or a sentence is not masked",
    say="Your mask has no effect on the first row (or column, or sentence) or on the last one. Do you begin at 0, and go on to the end?",
    ways=[lambda scores, masked, axis=axis, row=row: np.where(
            np.isin(np.indices(scores.shape)[axis], np.arange(scores.shape[axis])[row]), scores, masked)
        for axis in (-2, 0, -1) for row in (-1, 0)])


OTHERS = [mistake for mistake in [*MISTAKES, *ALONE] if mistake.short not in ("transposed-mask", "inverted-mask")]
STEPS = Steps("scores mask", {
    "turn": Step("mask", "mask", again(MISTAKES, {"transposed-mask": [lambda mask: np.swapaxes(mask, -1, -2), lambda mask: mask.T]})),
    "read": Step("mask", "mask", again(MISTAKES, {"inverted-mask": [lambda mask: ~mask]})),
    "fill": Step("scores mask", "result", OTHERS, lambda scores, mask: np.where(mask, scores, -np.inf)),
    "loop": Step("scores result", "result", [LEFT_OUT]),
    "softmax": Step("result", "result", again(MISTAKES, {"softmax-included": [maths.softmax]})),
})


def which_cells(ask, given, wanted, got):
    """Say whether allowed or blocked cells are wrong, and name the first one."""
    (want,), (mine,) = wanted, got
    if np.isnan(mine).any():
        return ""
    wrong, blocked = ~close(mine, want), np.isneginf(want)
    cell = tuple(np.argwhere(wrong & ~blocked if (wrong & ~blocked).any() else wrong)[0])
    place = f"row {cell[-2]}, column {cell[-1]}"
    if not (wrong & blocked).any():
        became = "−inf" if np.isneginf(mine[cell]) else f"{mine[cell]:.6g}"
        return f"Every blocked cell is −inf. But in {place}, which the mask allows, {want[cell]:.6g} has become {became}. Keep allowed scores as they are."
    if not (wrong & ~blocked).any():
        return f"Every allowed score is unchanged. But {place} should be −inf, because the mask blocks it, and yours is {mine[cell]:.6g}."
    return f"Some allowed scores have changed, and some blocked ones are not −inf. Start with {place}, where the mask is {bool(~blocked[cell])}."


@exercise(inputs=INPUTS, steps=STEPS, result="scores", see=NO_WEIGHT, own=which_cells)
def apply_mask(scores, mask):
    """Check `f(scores, mask)` → scores with −inf where mask is False. Returns Feedback."""
    return np.where(mask, scores, -np.inf)
