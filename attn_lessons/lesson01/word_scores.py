"""Lesson 01: the scores of words, straight from their embeddings."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, told_in, without
from attn_lessons.lesson01.scores import AFTER, ALONE, MISTAKES, products

EMBEDDED = {
    "smallest": (
        np.array([[1.0, 0], [2, 1]]),
        np.array([[1.0, 2], [0, 1]]),
        np.array([[3.0, 1], [0, 2]]),
    ),
    "three sizes": lambda draw: (draw(3, 5), draw(5, 2), draw(5, 2)),
    "one word": lambda draw: (draw(1, 3), draw(3, 4), draw(3, 4)),
    "as many words as features": lambda draw: (draw(4, 3), draw(3, 4), draw(3, 4)),
    "decimals": lambda draw: (
        0.123 * draw(2, 4),
        draw(4, 6),
        draw(4, 6),
    ),
}
# Here they give the numbers of another mistake, or have a sentence of their own.
ALIKE = (
    "keys-ignored",
    "transpose-keeps-order",
    "queries-and-keys-swapped",
    "rounded-to-whole",
)
# X: (L, d_model), W_Q and W_K: (d_model, d_k)
PROJECTION_MISTAKES = {
    "one-projection": [
        lambda X, W_Q, W_K: (X @ W_Q, X @ W_Q),
        lambda X, W_Q, W_K: (X @ W_K, X @ W_K),
        lambda X, W_Q, W_K: (X @ (W_Q + W_K), X @ (W_Q + W_K)),
    ],
    "queries-and-keys-swapped": lambda X, W_Q, W_K: (X @ W_K, X @ W_Q),
    "embedding-missing": [
        lambda X, W_Q, W_K: (X @ W_Q, W_K),
        lambda X, W_Q, W_K: (W_Q, X @ W_K),
        lambda X, W_Q, W_K: (W_Q, W_K),
    ],
    "not-projected": [
        lambda X, W_Q, W_K: (X @ W_Q, X),
        lambda X, W_Q, W_K: (X, X @ W_K),
    ],
}
SCORE_MISTAKES = told_in("scores", without([MISTAKES, ALONE], *ALIKE))
STEPS = Steps(
    "X W_Q W_K",
    {
        "project": Step(
            "X W_Q W_K",
            "Q K",
            PROJECTION_MISTAKES,
            lambda X, W_Q, W_K: (X @ W_Q, X @ W_K),
        ),
        "scores": Step("Q K", "result", SCORE_MISTAKES, products),
        "after": Step("result Q", "result", told_in("scores", AFTER)),
    },
)
SYMMETRISED = {
    "symmetrised": lambda X, W_Q, W_K: (products(X @ W_Q, X @ W_K) + products(X @ W_K, X @ W_Q)) / 2
}


@exercise(
    inputs=EMBEDDED,
    mistakes=[STEPS.mistakes(), SYMMETRISED],
    steps=STEPS,
    result="scores",
)
def word_scores(X, W_Q, W_K):
    """Check `f(X, W_Q, W_K)` → scores (X·W_Q)(X·W_K)ᵀ of one sentence. Returns Feedback."""
    return products(X @ W_Q, X @ W_K)
