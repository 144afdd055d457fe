"""Lesson 05: attention, and self-attention from embeddings to outputs."""

import numpy as np

from attn_checks.exercise import exercise, mask_of
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson03.apply_mask import CAUSAL, HALF
from attn_lessons.lesson04 import softmax as lesson04
from attn_lessons.lesson05._steps import ATTENTION
from attn_parts import mathematics as maths

attend = maths.scaled_dot_product_attention

Q2 = np.array([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
K2 = np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]])
V2 = np.array([[1.0, 2.0], [3.0, 5.0]])
LOWER = mask_of("10", "11")
LARGE = np.array([[[100.0]], [[-100.0]]])
MASKS = mask_of("110", "000")[:, None]


def sized(L_q, L_k, d_k, d_v, mask=None, axes=()):
    """An input of these sizes, with leading axes."""
    return lambda draw: (draw(*axes, L_q, d_k), draw(*axes, L_k, d_k), draw(*axes, L_k, d_v), mask)


INPUTS = {
    "smallest": (Q2, K2, V2),
    "smallest, masked": (Q2, K2, V2, LOWER),
    "square, masked": sized(3, 3, 2, 3, mask_of("101", "110", "011")),
    "decimals, more keys than queries": lambda draw: (
        0.123 * draw(2, 5),
        draw(4, 5),
        draw(4, 3),
        HALF,
    ),
    "large scores": lambda draw: (
        100 * draw(3, 4),
        100 * draw(2, 4),
        draw(2, 3),
        None,
    ),
    "a query that sees nothing": sized(2, 4, 3, 2, mask_of("0000", "1011")),
    "no query sees anything": sized(1, 2, 2, 2, mask_of("00")),
    "allowed scores far below −1e9": (
        np.array([[1e5, 0]]),
        np.array([[-1e5, 2], [3, 4]]),
        V2,
        mask_of("10"),
    ),
    "blocked score far above": (
        np.array([[40.0, 0.0], [1.0, 1.0]]),
        np.array([[0.0, 1.0], [40.0, 0.0]]),
        np.array([[1.0, 2.0, 0.0], [3.0, 5.0, 1.0]]),
        LOWER,
    ),
    "one row of mask": sized(3, 4, 2, 2, mask_of("1011")),
    "a single key": lambda draw: (draw(2, 3), draw(1, 3), draw(1, 2)),
    "small weights": lambda draw: (
        1.5 * draw(3, 4),
        draw(4, 4),
        draw(4, 2),
    ),
    "batch, one mask for all": sized(3, 3, 4, 2, CAUSAL, axes=(2,)),
    "batch, a mask for each": sized(5, 3, 4, 1, MASKS, axes=(2,)),
    "batch of large scores": lambda draw: (
        LARGE * draw(2, 2, 2),
        30 * draw(2, 2, 2),
        draw(2, 2, 2),
        None,
    ),
    "batch, all sizes alike": sized(3, 3, 3, 3, axes=(3,)),
    "heads": sized(4, 5, 6, 1, axes=(2, 3)),
}


def zeroed_in_output_only(Q, K, V, mask=None):
    """Attention where the weights of a query that sees nothing are NaN, and its output is zeros."""
    scaled = lesson02.by_root_of_width(Q @ K.swapaxes(-1, -2), Q, K)
    weights = lesson04.rows(lesson04.stable(scaled if mask is None else np.where(mask, scaled, -np.inf)))
    return np.nan_to_num(weights @ V), weights


# Mistakes that no single step shows.
ACROSS = {
    "scaled-in-one-branch": [
        lambda Q, K, V, mask=None: attend(Q, K, V, mask, scale=1.0 if mask is None else None),
        lambda Q, K, V, mask=None: attend(Q, K, V, mask, scale=None if mask is None else 1.0),
    ],
    "scaled-after-softmax": lambda Q, K, V, mask=None: tuple(
        part / np.sqrt(Q.shape[-1]) for part in attend(Q, K, V, mask, scale=1.0)
    ),
}


@exercise(
    inputs=INPUTS,
    steps=ATTENTION,
    mistakes=[
        ATTENTION.mistakes(),
        ACROSS,
        {"fully-masked-nan (weights)": zeroed_in_output_only},
    ],
    mix=lambda given, weights: weights @ given[2],
    result=("output", "weights"),
)
def attention(Q, K, V, mask=None):
    """Check `f(Q, K, V, mask=None)` → (output, weights). Returns Feedback."""
    return attend(Q, K, V, mask)
