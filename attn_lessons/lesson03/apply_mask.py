"""Lesson 03: a causal mask, a padding mask, and masking the scores.

The ways of MISTAKES are functions (scores, mask): the step of masking. Attention makes the same ones.
"""

import numpy as np

from attn_checks.compare import close
from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson03.causal_mask import TRIANGLE, TRUE_MEANS
from attn_parts import mathematics as maths

BEFORE_SOFTMAX = "l03-before"
SHARING_AGAIN = "l03-again"
FINITE_BREAKS = "l03-1e9"
PADDING = "l03-padding"

HALF = np.array([[True, False, True, True], [True, True, False, False]])
CAUSAL = maths.causal_mask(3)
INPUTS = {
    "smallest": (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[True, False], [True, True]])),
    "square": lambda draw: (
        0.1234567 * draw(3, 3),
        np.array([[True, False, True], [True, True, False], [False, True, True]]),
    ),
    "more keys than queries": lambda draw: (draw(2, 4), HALF),
    "a row all blocked": lambda draw: (draw(2, 3), np.array([[False, False, False], [True, True, True]])),
    "batch, one mask for all": lambda draw: (draw(2, 3, 3), CAUSAL),
    "far below any number typed": lambda draw: (1e10 * (draw(2, 4) - 4), HALF),
    "scores of 0": (
        np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]),
        np.array([[True, True, False], [True, True, False]]),
    ),
    "batch, a mask for each": lambda draw: (
        draw(2, 3, 4),
        np.array([[[True, True, True, False]], [[True, False, False, False]]]),
    ),
    "batch, opposite masks": lambda draw: (draw(2, 3, 3), np.stack([CAUSAL, ~CAUSAL])),
    "all blocked": lambda draw: (0.123 * draw(2, 3), np.zeros((2, 3), dtype=bool)),
    "heads": lambda draw: (0.123 * draw(2, 2, 2, 3), HALF[None, :, :3]),
}


def filled_where(blocked, scores):
    """A copy of the scores with −inf put in by index, which asks for a mask of the same shape."""
    filled = np.array(scores)
    filled[blocked] = -np.inf
    return filled


def blocked_are(condition):
    """Whether allowed scores are right and blocked ones are finite and fulfil a condition."""

    def shows(want, got):
        if got.values is None or len(got.values) != 1 or got.values[0].shape != want.values[0].shape:
            return False
        mine, blocked = got.values[0], np.isneginf(want.values[0])
        kept, filled = close(mine, want.values[0])[~blocked], mine[blocked]
        return bool(kept.all() and filled.size and np.isfinite(filled).all() and np.all(condition(filled)))

    return shows


FINITE = Mistake(
    "finite-mask-value",
    name="a large negative number in place of −inf",
    shows=blocked_are(lambda filled: filled <= -1e3),
    ways=[
        lambda scores, mask: np.where(mask, scores, -1e9),
        lambda scores, mask: np.where(mask, scores, -1e4),
        lambda scores, mask: scores + np.where(mask, 0, -1e9),
    ],
    say="In a row where every key is blocked a finite number blocks nothing: the keys still get weights. −inf blocks in every row and in every dtype.",
    see=FINITE_BREAKS,
)

OWN_CAUSAL_MASK = Mistake(
    "own-causal-mask",
    name="a causal mask in place of the one passed in",
    ways=[
        lambda scores, mask: np.where(maths.causal_mask(*scores.shape[-2:]), scores, -np.inf),
    ],
    say="You block the future whatever the mask says. It is the mask passed in that decides; without one nothing is blocked.",
    see=PADDING,
)

MISTAKES = table(
    TRUE_MEANS,
    FINITE,
    Mistake(
        "tiny-mask-value",
        name="a tiny negative number, like −1e-9",
        shows=blocked_are(lambda filled: (filled < 0) & (filled > -1e-3)),
        ways=[],
        say="−1e-9 is practically 0, an ordinary score. The sign of the *exponent* makes all the difference.",
        see=FINITE_BREAKS,
    ),
    Mistake(
        "inverted-mask",
        name="the mask is read the wrong way round",
        ways=[
            lambda scores, mask: np.where(mask, -np.inf, scores),
            lambda scores, mask: filled_where(mask, scores),
            lambda scores, mask: np.where(mask, -1e9, scores),
            lambda scores, mask: np.where(mask, 0, scores),
            lambda scores, mask: scores + np.where(mask, -1e9, 0),
        ],
        say="You blocked what may be seen and kept what may not. True means: may look.",
    ),
    Mistake(
        "multiplied-by-zero",
        name="blocked scores became 0",
        ways=[lambda scores, mask: scores * mask, lambda scores, mask: np.where(mask, scores, 1e-9)],
        say="A score of 0 is an ordinary score, and e⁰ = 1: the blocked key still gets a share.",
        see=BEFORE_SOFTMAX,
    ),
    Mistake(
        "zero-times-inf",
        name="0 · inf",
        ways=[
            lambda scores, mask: scores + (1 - mask) * -np.inf,
            lambda scores, mask: scores * mask + (1 - mask) * -np.inf,
            lambda scores, mask: scores + mask * -np.inf,
        ],
        say="0 · −inf is NaN, and so is inf − inf: no sum and no product takes −inf away again. Choose between two values; do not multiply.",
    ),
    Mistake(
        "nan-to-num",
        name="0 · inf, and NaN turned into 0",
        ways=[
            lambda scores, mask: np.nan_to_num(scores + (1 - mask) * -np.inf),
            lambda scores, mask: np.nan_to_num(scores * mask + (1 - mask) * -np.inf),
        ],
        say="0 · −inf is NaN, np.nan_to_num makes 0 of it, and the allowed score is lost; of −inf it makes a finite number. Choose between two values; do not multiply.",
    ),
    Mistake(
        "mask-added",
        name="the boolean mask was added",
        ways=[lambda scores, mask: scores + mask, lambda scores, mask: scores - ~mask],
        say="Adding a boolean adds 1 or 0. Only a mask made of 0 and −inf can be added.",
    ),
    Mistake(
        "mask-ignored",
        name="the mask has no effect",
        ways=[lambda scores, mask: scores],
        say="With the mask and without it your numbers are the same: what is blocked stays.",
        see=BEFORE_SOFTMAX,
    ),
    Mistake(
        "times-minus-infinity",
        name="the scores are multiplied by −inf",
        ways=[
            lambda scores, mask: scores * np.where(mask, 1, -np.inf),
            lambda scores, mask: np.where(mask, scores, np.abs(scores) * -np.inf),
        ],
        say="A negative score times −inf is +inf, and 0 times −inf is NaN. Put −inf in the place of a score; do not multiply by it.",
    ),
    OWN_CAUSAL_MASK,
    Mistake(
        "real-zero-blocked",
        name="a score of 0 is taken for a blocked one",
        ways=[
            lambda scores, mask: np.where(scores * mask == 0, -np.inf, scores * mask),
            lambda scores, mask: np.where(np.where(mask, scores, 0), scores, -np.inf),
        ],
        say="An allowed key may have the score 0, and you blocked it too. Only the mask says who is blocked.",
    ),
    Mistake(
        "scores-lost",
        name="the mask is kept, without the scores",
        ways=[
            lambda scores, mask: np.where(mask, 0, -np.inf) + 0 * scores,
            lambda scores, mask: np.where(mask, 0, -np.inf),
            lambda scores, mask: np.where(mask, 1, -np.inf),
            lambda scores, mask: mask,
            lambda scores, mask: mask + 0 * scores,
        ],
        say="The scores that come in have no effect on your numbers. What is asked for is these scores, with −inf where the mask is False.",
    ),
    Mistake(
        "condition-last",
        name="the scores stand where the condition belongs",
        ways=[lambda scores, mask: np.where(scores, mask, -np.inf)],
        say="np.where takes the condition first: the mask decides, the scores are what is kept.",
    ),
    Mistake(
        "nan-mask-value",
        name="NaN in place of −inf",
        ways=[lambda scores, mask: np.where(mask, scores, np.nan)],
        say="One NaN makes all of its row NaN in softmax. −inf becomes a share of exactly 0.",
    ),
    Mistake(
        "positive-infinity",
        name="+inf in place of −inf",
        ways=[lambda scores, mask: np.where(mask, scores, np.inf)],
        say="+inf lies above every score, and inf − inf and inf/inf are NaN: in softmax it spoils the whole row. −inf becomes a weight of exactly 0.",
        see=TRIANGLE,
    ),
    Mistake(
        "transposed-mask",
        name="the mask was transposed",
        ways=[lambda scores, mask: np.where(np.swapaxes(mask, -1, -2), scores, -np.inf)],
        say="Rows of the mask are queries, as rows of the scores are.",
        see=TRIANGLE,
    ),
    Mistake(
        "softmax-included",
        name="softmax is in it already",
        ways=[
            lambda scores, mask: maths.softmax(np.where(mask, scores, -np.inf)),
            lambda scores, mask: maths.softmax(scores) * mask,
            lambda scores, mask: np.where(mask, maths.softmax(scores), -np.inf),
        ],
        say="This step stops before softmax: what leaves it are scores.",
        see=BEFORE_SOFTMAX,
    ),
)


# Those of a function that is asked for masked scores alone.
ALONE = [
    OWN_CAUSAL_MASK._replace(
        name="a causal mask beside the one passed in",
        ways=[lambda scores, mask: np.where(mask & maths.causal_mask(*scores.shape[-2:]), scores, -np.inf)],
    ),
    Mistake(
        "full-row-spared",
        name="a row where everything is blocked is left out",
        ways=[
            lambda scores, mask: np.where(mask | ~mask.any(axis=-1, keepdims=True), scores, -np.inf),
            lambda scores, mask: np.where(mask, scores, np.where(mask.any(-1, keepdims=True), -np.inf, 0)),
            lambda scores, mask: np.where(mask | ~mask.any(), scores, -np.inf),
        ],
        say="All others are right. Such a row is blocked like any: what becomes of it is settled after softmax.",
        see="l03-nothing",
    ),
    Mistake(
        "ordinary-mask-value",
        name="an ordinary number in place of −inf",
        ways=[],
        shows=blocked_are(np.isfinite),
        say="e to any finite number is above 0, so the blocked key still gets a share, and beside low scores a large one.",
        see=BEFORE_SOFTMAX,
    ),
]


def which_cells(ask, given, wanted, got):
    """Whether it is the allowed cells that are wrong, or the blocked ones, with the first that is."""
    (want,), (mine,) = wanted, got
    if np.isnan(mine).any():
        return ""
    wrong, blocked = ~close(mine, want), np.isneginf(want)
    cell = tuple(np.argwhere(wrong & ~blocked if (wrong & ~blocked).any() else wrong)[0])
    place = f"row {cell[-2]}, column {cell[-1]}"
    if not (wrong & blocked).any():
        hidden = (
            "−inf stands in"
            if np.isneginf(mine[cell])
            else f"{want[cell]:.6g} has become {mine[cell]:.6g} in"
        )
        return f"All that the mask blocks is −inf. But {hidden} {place}, which the mask allows: there a score stays as it came."
    if not (wrong & ~blocked).any():
        return f"All that the mask allows is as it came. But in {place}, which it blocks, stands {mine[cell]:.6g}."
    return f"Cells that the mask allows have changed, and some that it blocks are not −inf. Begin with {place}: the mask is {bool(~blocked[cell])} there."


@exercise(inputs=INPUTS, mistakes=[*MISTAKES, *ALONE], result="scores", see=TRUE_MEANS, own=which_cells)
def apply_mask(scores, mask):
    """Check `f(scores, mask)` → scores with −inf where mask is False. Returns Feedback."""
    return np.where(mask, scores, -np.inf)
