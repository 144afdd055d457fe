"""Lesson 05: attention as steps, with the tables of mistakes of lessons 01 to 04."""

import numpy as np

from attn_checks.exercise import Step, Steps, inside, only, told_in, without
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson03 import apply_mask as lesson03
from attn_lessons.lesson03.apply_mask import causal, hidden
from attn_lessons.lesson04 import softmax as lesson04
from attn_parts import mathematics as maths


def whatever_v(way):
    """Let a step of dividing take a V that it ignores."""
    return lambda scores, Q, K, V: way(scores, Q, K)


def if_given(way, otherwise=lambda scaled: scaled):
    """Let a step change nothing when there is no mask."""
    return lambda scaled, mask: otherwise(scaled) if mask is None else way(scaled, mask)


# Softmax would be applied twice where it is included.
DIVIDING = told_in("scaled_scores", without(lesson02.MISTAKES, "softmax-included"))
MASKING = told_in("apply_mask", without(lesson03.MISTAKES, "softmax-included"))
SOFTMAX = told_in("softmax", lesson04.AT_ONCE)

# Q: (..., L_q, d_k), K: (..., L_k, d_k), V: (..., L_k, d_v)
# scores, scaled, hidden, weights: (..., L_q, L_k)
SCALE_MISTAKES = [
    inside(DIVIDING, whatever_v),
    {"divided-by-root-of-d-v": lambda scores, Q, K, V: scores / np.sqrt(V.shape[-1])},
]
MASK_MISTAKES = [
    {
        "empty-row-not-zero": if_given(lambda scaled, mask: np.where(mask, scaled, -1e300)),
        "mask-ignored": if_given(lambda scaled, mask: scaled),
    },
    inside(MASKING, if_given),
    only(MASKING, "own-causal-mask"),  # and without a mask too
    {
        "causal-unasked": [
            lambda scaled, mask: hidden(scaled, causal(scaled) if mask is None else mask),
            lambda scaled, mask: hidden(scaled, causal(scaled) if mask is None else causal(scaled) & mask),
            lambda scaled, mask: hidden(
                scaled, maths.causal_mask(scaled.shape[-2]) if mask is None else mask
            ),
        ],
        "mask-not-optional": hidden,
    },
]
SOFTMAX_MISTAKES = [
    {"fully-masked-nan": lambda x: lesson04.rows(lesson04.stable(x))},
    SOFTMAX,
]


def far_below(scaled, mask):
    """Weights where a blocked score is a very low number."""
    return maths.softmax(np.where(mask, scaled, -1e9))


# Made from weights that no mask has touched, and which may be wrong in ways of their own.
MASKED_LATE = {
    "mask-after-softmax": [
        if_given(lambda unmasked, mask: unmasked * mask),
        if_given(lambda unmasked, mask: np.where(mask, unmasked, 0)),
    ],
    "mask-after-softmax (scores)": if_given(hidden),
    "renormalised": [
        if_given(lambda unmasked, mask: lesson04.rows(unmasked * mask)),
        if_given(lambda unmasked, mask: np.nan_to_num(lesson04.rows(unmasked * mask))),
        if_given(lambda unmasked, mask: unmasked * mask / (lesson04.total(unmasked * mask) + 1e-9)),
    ],
}

# Made in both steps at once: mask and softmax.
WEIGHTS_MISTAKES = {
    "mask-not-optional": lambda scaled, mask: lesson04.rows(lesson04.stable(hidden(scaled, mask))),
    "finite-mask-value (but no row empty)": [
        if_given(
            lambda scaled, mask: far_below(scaled, mask) * mask.any(axis=-1, keepdims=True),
            maths.softmax,
        ),
        if_given(lambda scaled, mask: far_below(scaled, mask) * mask, maths.softmax),
    ],
    "no-softmax": [if_given(hidden), lambda scaled, mask: scaled],
}

MIX_MISTAKES = {
    "values-first": lambda weights, V, K: V @ weights,
    "transposed-weights": [
        lambda weights, V, K: weights.swapaxes(-1, -2) @ V,
        lambda weights, V, K: weights.T @ V,
    ],
    "summed-over-positions": [
        lambda weights, V, K: (weights @ V).sum(axis=-2),
        lambda weights, V, K: (weights @ V).sum(axis=0),
        lambda weights, V, K: (weights @ V).mean(axis=-2),
    ],
    "keys-mixed": lambda weights, V, K: weights @ K,
}

RETURN_MISTAKES = {
    "results-swapped": lambda output, weights, *scores: (weights, output),
    "one-result-only": lambda output, weights, *scores: output,
    "one-result-only (weights)": lambda output, weights, *scores: weights,
    "scores-for-weights": [
        lambda output, weights, scores, scaled, hidden: (output, scores),
        lambda output, weights, scores, scaled, hidden: (output, scaled),
        lambda output, weights, scores, scaled, hidden: (output, hidden),
    ],
}

STEPS = {
    "scores": Step("Q K", "scores", told_in("scores", lesson01.MISTAKES), lesson01.products),
    "scale": Step(
        "scores Q K V",
        "scaled",
        told_in("attention", SCALE_MISTAKES),
        whatever_v(lesson02.by_root_of_width),
    ),
    "mask": Step("scaled mask", "hidden", told_in("attention", MASK_MISTAKES), if_given(hidden)),
    "softmax": Step("hidden", "weights", told_in("attention", SOFTMAX_MISTAKES), maths.softmax),
    "softmax of all": Step("scaled", "unmasked", SOFTMAX, maths.softmax),
    "mask after softmax": Step("unmasked mask", "weights", told_in("attention", MASKED_LATE)),
    "mask and softmax": Step("scaled mask", "weights", told_in("attention", WEIGHTS_MISTAKES)),
    "mix": Step(
        "weights V K",
        "output",
        told_in("attention", MIX_MISTAKES),
        lambda weights, V, K: weights @ V,
    ),
    "return": Step(
        "output weights scores scaled hidden",
        "result",
        told_in("attention", RETURN_MISTAKES),
        lambda output, weights, *scores: (output, weights),
    ),
}
ATTENTION = Steps("Q K V mask", STEPS)


def kept(name, names, *others):
    """A step of attention with only some of its mistakes, and others."""
    return STEPS[name]._replace(
        mistakes=[
            only(STEPS[name].mistakes, *names),
            *others,
        ]
    )
