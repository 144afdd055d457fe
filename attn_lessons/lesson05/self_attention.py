"""Lesson 05: self-attention, from embeddings to outputs."""

from itertools import product

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, inside, table
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson05._steps import STEPS, WHOLE, kept
from attn_lessons.lesson05.attention import ACROSS
from attn_parts import mathematics as maths


def projections(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


# fmt: off
# The ways are functions (X, W_Q, W_K, W_V) that give Q, K and V.
PROJECTION_MISTAKES = table(
    lesson01.PROJECTIONS,
    Mistake("one-projection", "queries and keys come from one projection",
        say="Your scores use one projection twice, so a token looks for what it is itself, and every score is the same both ways. Queries need W_Q, keys W_K, and values W_V.",
        ways=[lambda X, *W, order=order: tuple(X @ W[i] for i in order)
            for order in sorted(product(range(3), repeat=3), key=lambda order: order[2] != 2) if order[0] == order[1]]),
    Mistake("not-projected", "queries and keys are not projected",
        say="You use X itself as queries and keys. Queries are X·W_Q, keys X·W_K, and values X·W_V.",
        ways=[lambda X, W_Q, W_K, W_V: (X, X, X), lambda X, W_Q, W_K, W_V: (X, X, X @ W_V)]),
    Mistake("projections-mixed-up", "queries, keys and values are mixed up",
        say="Queries come from W_Q, keys from W_K, values from W_V. A score is a query times a key, in this order.",
        ways=[lambda X, *W, order=order: tuple(X @ W[i] for i in order)
            for order in sorted(product(range(3), repeat=3), key=lambda order: -len({*order}))
            if order[0] != order[1] and order not in [(0, 1, 2), (0, 1, 1)]]),  # these are right, or use keys as values
    Mistake("projections-transposed", "W·X or X·Wᵀ instead of X·W", see="l01-origin",
        say="Tokens are rows here, so a projection is X·W, with W of shape (d_model, d_k).",
        ways=[lambda X, *W: tuple(X @ w.swapaxes(-1, -2) for w in W), lambda X, *W: tuple(w @ X for w in W),
            lambda X, *W: tuple((w @ X.swapaxes(-1, -2)).swapaxes(-1, -2) for w in W)]),
    Mistake("elementwise-projection", "* instead of @",
        say="A projection is a matrix product, because each entry of a query depends on *all* features of its token. Use @.",
        ways=[lambda X, *W: tuple(X * w for w in W)]),
    Mistake("values-not-projected", "the values are not projected", see=WHOLE,
        say="Your values are X itself. They need a projection of their own, X·W_V.",
        ways=[lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X)]),
)

SCALE_MISTAKES = [
    Mistake("divided-by-root-of-d-model", "divided by √d_model or d_model", see=lesson02.DIVIDING,
        say="You divide by the width of X, which is d_model, or by its root. A score adds up d_k products, so take the root of the width of K.",
        ways=[lambda scores, Q, K, V, X: scores / np.sqrt(X.shape[-1]), lambda scores, Q, K, V, X: scores / X.shape[-1]]),
    *inside(STEPS["scale"].mistakes, lambda way: lambda scores, Q, K, V, X: way(scores, Q, K, V)),
]
SELF_STEPS = Steps("X W_Q W_K W_V mask", {
    "project": Step("X W_Q W_K W_V", "Q K V", PROJECTION_MISTAKES, projections),
    **STEPS,
    # to use one input twice, or the wrong one first, is to mix up projections
    "scores": kept("scores", {each.short for each in lesson01.MISTAKES} - {"keys-ignored", "queries-and-keys-swapped"}),
    "mask": kept("mask", {"causal-unasked"}),  # there is no other
    "scale": Step("scores Q K V X", "scaled", SCALE_MISTAKES, lambda scores, *given: STEPS["scale"].right(scores, *given[:3])),
})


@exercise(
    inputs={
        "smallest": (np.array([[1.0, 0, 1], [0, 1, 1]]), np.array([[1.0, 0], [0, 1], [0, -1]]), np.array([[1.0, 1], [0, 2], [1, 0]]), np.array([[2.0, 0], [0, 1], [1, 3]])),
        "decimals": lambda draw: (0.123 * draw(4, 3), draw(3, 2), draw(3, 2), draw(3, 5)),
        "batch": lambda draw: (0.1 * draw(2, 3, 4), draw(4, 6), draw(4, 6), draw(4, 5)),
        "batch, all sizes alike": lambda draw: (draw(3, 3, 3), draw(3, 3), draw(3, 3), draw(3, 3)),
        "heads": lambda draw: (draw(2, 3, 5, 4), draw(4, 6), draw(4, 6), draw(4, 1)),
        "a single token": lambda draw: (draw(1, 3), draw(3, 2), draw(3, 2), draw(3, 2)),
        "batch of large scores": lambda draw: (30 * draw(2, 3, 2), draw(2, 2), draw(2, 2), draw(2, 3)),
        "large scores": lambda draw: (30 * draw(3, 2), draw(2, 2), draw(2, 2), draw(2, 3)),
    },
    mistakes=[*SELF_STEPS.mistakes(), *inside(ACROSS, lambda way: lambda X, *W: way(*projections(X, *W)))],
    steps=SELF_STEPS, mix=lambda given, weights: weights @ (given[0] @ given[3]), result=("output", "weights"), see=WHOLE)
def self_attention(X, W_Q, W_K, W_V):
    """Check `f(X, W_Q, W_K, W_V)` → (output, weights). Returns Feedback."""
    return maths.self_attention(X, W_Q, W_K, W_V)
