"""Lesson 05: attention, and self-attention from embeddings to outputs."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson03.apply_mask import CAUSAL, HALF
from attn_lessons.lesson05._steps import ATTENTION, HIDE, WHOLE, hide
from attn_parts import mathematics as maths

attend = maths.scaled_dot_product_attention

Q2, K2 = np.array([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]]), np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]])
V2, LOWER = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[True, False], [True, True]])
INPUTS = {
    "smallest": (Q2, K2, V2),
    "smallest, masked": (Q2, K2, V2, LOWER),
    "square, masked": lambda draw: (
        draw(3, 2),
        draw(3, 2),
        draw(3, 3),
        np.array([[True, False, True], [True, True, False], [False, True, True]]),
    ),
    "decimals, more keys than queries": lambda draw: (0.123 * draw(2, 5), draw(4, 5), draw(4, 3), HALF),
    "large scores": lambda draw: (100 * draw(3, 4), 100 * draw(2, 4), draw(2, 3), None),
    "a query that sees nothing": lambda draw: (
        draw(2, 3),
        draw(4, 3),
        draw(4, 2),
        np.array([[False] * 4, [True, False, True, True]]),
    ),
    "nobody sees anything": lambda draw: (draw(1, 2), draw(2, 2), draw(2, 2), np.array([[False, False]])),
    "allowed scores far below −1e9": (
        np.array([[1e5, 0.0]]),
        np.array([[-1e5, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
        np.array([[True, False]]),
    ),
    "blocked score far above": (
        np.array([[40.0, 0.0], [1.0, 1.0]]),
        np.array([[0.0, 1.0], [40.0, 0.0]]),
        np.array([[1.0, 2.0, 0.0], [3.0, 5.0, 1.0]]),
        LOWER,
    ),
    "one row of mask": lambda draw: (
        draw(3, 2),
        draw(4, 2),
        draw(4, 2),
        np.array([[True, False, True, True]]),
    ),
    "a single key": lambda draw: (draw(2, 3), draw(1, 3), draw(1, 2)),
    "small shares": lambda draw: (1.5 * draw(3, 4), draw(4, 4), draw(4, 2)),
    "batch, one mask for all": lambda draw: (draw(2, 3, 4), draw(2, 3, 4), draw(2, 3, 2), CAUSAL),
    "batch, a mask for each": lambda draw: (
        draw(2, 3, 4),
        draw(2, 3, 4),
        draw(2, 3, 2),
        np.array([[[True, True, False]], [[False, False, False]]]),
    ),
    "batch of large scores": lambda draw: (
        draw(2, 2, 2) * [[[100.0]], [[-100.0]]],
        30 * draw(2, 2, 2),
        draw(2, 2, 2),
        None,
    ),
    "batch, all sizes alike": lambda draw: (draw(3, 3, 3), draw(3, 3, 3), draw(3, 3, 3), None),
    "heads": lambda draw: (draw(2, 3, 2, 6), draw(2, 3, 5, 6), draw(2, 3, 5, 3), None),
}


def scaled(Q, K):
    return lesson02.by_root_of_width(lesson01.products(Q, K), Q, K)


def hidden(Q, K, mask):
    return scaled(Q, K) if mask is None else hide(scaled(Q, K), mask)


def scaled_last(Q, K, V, mask=None):
    weights = attend(Q, K, V, mask, scale=1.0)[1] / np.sqrt(Q.shape[-1])
    return weights @ V, weights


def scaled_only(with_mask):
    """Attention whose division by √d_k stands in one branch of the test for a mask."""

    def attention(Q, K, V, mask=None):
        scale = None if (mask is not None) == with_mask else 1.0
        return attend(Q, K, V, mask, scale=scale)

    return attention


# fmt: off
# Mistakes that no single step shows.
ACROSS = [
    Mistake("scaled-in-one-branch", "divided by √d_k only with a mask, or only without", see=WHOLE,
        say="With and without a mask the scores need dividing. Is that line indented too far?",
        ways=[scaled_only(with_mask=True), scaled_only(with_mask=False)]),
    Mistake("scaled-after-softmax", "softmax first, scaling after", see=lesson02.DIVIDING,
        say="Divide the *scores* by √d_k. After softmax it only makes the rows sum to less than 1.",
        ways=[scaled_last]),
    Mistake("scores-for-weights", "scores are returned in place of weights", see=WHOLE,
        say="The output is right. The second result should be what came out of softmax: rows that sum to 1.",
        ways=[lambda Q, K, V, mask=None: (attend(Q, K, V, mask)[0], lesson01.products(Q, K)),
            lambda Q, K, V, mask=None: (attend(Q, K, V, mask)[0], scaled(Q, K)),
            lambda Q, K, V, mask=None: (attend(Q, K, V, mask)[0], hidden(Q, K, mask))]),
]


def masked_weights(Q, K, V, mask=None):
    return attend(Q, K, V, mask)[1]


def not_a_number(Q, K, V, mask=None):
    """Weights that are NaN where a query may look at nothing."""
    weights = masked_weights(Q, K, V, mask)
    return weights if mask is None else np.where(mask.any(axis=-1, keepdims=True), weights, np.nan)


def mask_required(Q, K, V, mask):
    return attend(Q, K, V, np.zeros((Q.shape[-2], K.shape[-2]), dtype=bool) if mask is None else mask)


# Of these, only attention knows: they need a mask.
WITH_MASK = [
    Mistake("nan-mended-late", "NaN is replaced in one of the two results only", see=HIDE,
        say="A query that may look at nothing gets zeros in weights *and* output. Where the weights are made, before they meet V, is the place for that.",
        ways=[lambda Q, K, V, mask=None: (not_a_number(Q, K, V, mask) @ V, masked_weights(Q, K, V, mask)),
            lambda Q, K, V, mask=None: (attend(Q, K, V, mask)[0], not_a_number(Q, K, V, mask))]),
    Mistake("mask-not-optional", "the mask is a must", see=HIDE,
        say="mask=None in the def line makes it optional, and None means that everything may be looked at: np.where(None, …) takes None for False.",
        ways=[mask_required]),
]


def causal_without_mask(Q, K, V, mask=None):
    lower = np.tri(Q.shape[-2], K.shape[-2], dtype=bool)
    return attend(Q, K, V, lower if mask is None else mask)


def causal_always(Q, K, V, mask=None):
    lower = np.tri(Q.shape[-2], K.shape[-2], dtype=bool)
    return attend(Q, K, V, lower if mask is None else lower & mask)


CAUSAL_TOO = Mistake("causal-unasked", "a causal mask that nobody asked for", see=WHOLE,
    say="Which keys a query may look at is told by the mask that is passed in, and by nothing else. Without one it may look at all.",
    ways=[causal_without_mask, causal_always])


@exercise(
    inputs=INPUTS,
    steps=ATTENTION,
    mistakes=[*ATTENTION.mistakes(), *ACROSS, *WITH_MASK, CAUSAL_TOO],
    mix=lambda given, weights: weights @ given[2],
    result=("output", "weights"),
    see=WHOLE,
)
def attention(Q, K, V, mask=None):
    """Check `f(Q, K, V, mask=None)` → (output, weights). Returns Feedback."""
    return attend(Q, K, V, mask)
