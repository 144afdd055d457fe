"""Lesson 05: self-attention, from embeddings to outputs."""

import numpy as np

from attn_checks.exercise import (
    Step,
    Steps,
    exercise,
    inside,
    only,
    told_in,
    with_each,
    without,
)
from attn_lessons.lesson05._steps import STEPS, kept
from attn_lessons.lesson05.attention import ACROSS
from attn_parts import mathematics as maths


def projections(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def in_roles(X, W_Q, W_K, W_V, roles):
    """The projections taken as Q, K and V, by name: "KQV" exchanges the first two."""
    made = {"Q": X @ W_Q, "K": X @ W_K, "V": X @ W_V}
    return tuple(made[name] for name in roles)


# The ways are functions (X, W_Q, W_K, W_V) that give Q, K and V. X: (..., L, d_model), W_Q: (d_model, d_k)
PROJECTION_MISTAKES = {
    "one-projection": with_each("QQV KKV VVV QQQ QQK KKQ KKK VVQ VVK".split(), in_roles),
    "not-projected": [
        lambda X, W_Q, W_K, W_V: (X, X, X),
        lambda X, W_Q, W_K, W_V: (X, X, X @ W_V),
    ],
    "projections-mixed-up": with_each(
        "QVK KQV KVQ VQK VKQ QKQ QVQ QVV KQQ KQK KVK KVV VQQ VQV VKK VKV".split(),
        in_roles,
    ),
    "projections-transposed": [
        lambda X, *W: tuple(X @ w.swapaxes(-1, -2) for w in W),
        lambda X, *W: tuple(w @ X for w in W),
        lambda X, *W: tuple((w @ X.swapaxes(-1, -2)).swapaxes(-1, -2) for w in W),
    ],
    "elementwise-projection": lambda X, *W: tuple(X * w for w in W),
    "values-not-projected": lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X),
}

SCALE_MISTAKES = [
    {
        "divided-by-root-of-d-model": [
            lambda scores, Q, K, V, X: scores / np.sqrt(X.shape[-1]),
            lambda scores, Q, K, V, X: scores / X.shape[-1],
        ]
    },
    inside(
        STEPS["scale"].mistakes,
        lambda way: lambda scores, Q, K, V, X: way(scores, Q, K, V),
    ),
]
SCORE_MISTAKES = without(STEPS["scores"].mistakes, "keys-ignored", "queries-and-keys-swapped")
SELF_STEPS = Steps(
    "X W_Q W_K W_V mask",
    {
        "project": Step("X W_Q W_K W_V", "Q K V", PROJECTION_MISTAKES, projections),
        **STEPS,
        # to use one input twice, or the wrong one first, is to mix up projections
        "scores": STEPS["scores"]._replace(mistakes=SCORE_MISTAKES),
        "mask": kept("mask", ["causal-unasked"]),  # there is no other
        "scale": Step(
            "scores Q K V X",
            "scaled",
            SCALE_MISTAKES,
            lambda scores, *given: STEPS["scale"].right(scores, *given[:3]),
        ),
    },
)

# Without a mask there is one branch, in which nothing can be scaled alone.
WHOLE_MISTAKES = inside(
    told_in("attention", only(ACROSS, "scaled-after-softmax")),
    lambda way: lambda X, *W: way(*projections(X, *W)),
)


def embedded(*shape, d_k, d_v, factor=1):
    """An input: embeddings of this shape, times a factor, and three projections."""
    return lambda draw: (factor * draw(*shape), *(draw(shape[-1], width) for width in (d_k, d_k, d_v)))


@exercise(
    inputs={
        "smallest": (
            np.array([[1.0, 0, 1], [0, 1, 1]]),
            np.array([[1.0, 0], [0, 1], [0, -1]]),
            np.array([[1.0, 1], [0, 2], [1, 0]]),
            np.array([[2.0, 0], [0, 1], [1, 3]]),
        ),
        "decimals": embedded(4, 3, d_k=2, d_v=5, factor=0.123),
        "batch": embedded(2, 3, 4, d_k=6, d_v=5, factor=0.1),
        "batch, all sizes alike": embedded(3, 3, 3, d_k=3, d_v=3),
        "heads": embedded(2, 3, 5, 4, d_k=6, d_v=1),
        "a single token": embedded(1, 3, d_k=2, d_v=2),
        "batch of large scores": embedded(2, 3, 2, d_k=2, d_v=3, factor=30),
        "large scores": embedded(3, 2, d_k=2, d_v=3, factor=30),
    },
    mistakes=[SELF_STEPS.mistakes(), WHOLE_MISTAKES],
    steps=SELF_STEPS,
    mix=lambda given, weights: weights @ (given[0] @ given[3]),
    result=("output", "weights"),
)
def self_attention(X, W_Q, W_K, W_V):
    """Check `f(X, W_Q, W_K, W_V)` → (output, weights). Returns Feedback."""
    return maths.self_attention(X, W_Q, W_K, W_V)
