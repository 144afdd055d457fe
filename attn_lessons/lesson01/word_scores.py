"""Lesson 01: the scores of words, straight from their embeddings."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, inside
from attn_lessons.lesson01.scores import ALONE, CARDS, MISTAKES, PROJECTIONS, products

EMBEDDED = {
    "smallest": (
        np.array([[1.0, 0.0], [2.0, 1.0]]),
        np.array([[1.0, 2.0], [0.0, 1.0]]),
        np.array([[3.0, 1.0], [0.0, 2.0]]),
    ),
    "three sizes": lambda draw: (draw(3, 5), draw(5, 2), draw(5, 2)),
    "one word": lambda draw: (draw(1, 3), draw(3, 4), draw(3, 4)),
    "as many words as features": lambda draw: (draw(4, 3), draw(3, 4), draw(3, 4)),
    "decimals": lambda draw: (0.123 * draw(2, 4), draw(4, 6), draw(4, 6)),
}
ALIKE = {
    "keys-ignored",
    "transpose-keeps-order",
    "indices-exchanged",
}  # here they give the numbers of another
PROJECTION_MISTAKES = [
    Mistake(
        "one-projection",
        name="query and key come from one projection",
        ways=[
            lambda X, W_Q, W_K: products(X @ W_Q, X @ W_Q),
            lambda X, W_Q, W_K: products(X @ W_K, X @ W_K),
            lambda X, W_Q, W_K: products(X @ (W_Q + W_K), X @ (W_Q + W_K)),
            lambda X, W_Q, W_K: (products(X @ W_Q, X @ W_K) + products(X @ W_K, X @ W_Q)) / 2,
        ],
        say="Your table is the same when rows and columns are exchanged. That comes of one projection used twice, or of both on either side: what a word looks for is then what it is.",
        see=PROJECTIONS,
    ),
    Mistake(
        "no-projection",
        name="the embeddings are compared themselves",
        ways=[lambda X, W_Q, W_K: products(X, X)],
        say="This is X·Xᵀ. The embeddings have to go through W_Q and W_K first.",
        see=PROJECTIONS,
    ),
    Mistake(
        "matrix-on-the-left",
        name="W @ X in place of X @ W",
        ways=[
            lambda X, W_Q, W_K: products(W_Q @ X, W_K @ X),
            lambda X, W_Q, W_K: products(X @ W_Q, W_K @ X),
            lambda X, W_Q, W_K: products(W_Q @ X, X @ W_K),
        ],
        say="It runs here only because all sides are 2. A token is a row of X, and X @ W adds up rows of W for it; W @ X adds up tokens.",
        see=CARDS,
    ),
    Mistake(
        "embeddings-transposed",
        name="X was transposed",
        ways=[
            lambda X, W_Q, W_K: products(X @ W_Q, X.T @ W_K),
            lambda X, W_Q, W_K: products(X.T @ W_Q, X @ W_K),
            lambda X, W_Q, W_K: products(X.T @ W_Q, X.T @ W_K),
        ],
        say="It runs only where there are as many words as features. A token is a row of X, and X @ W takes it as it lies.",
        see=CARDS,
    ),
]
WORDS_MISSING = [
    Mistake(
        "embedding-missing",
        name="the words are in it only once, or not at all",
        ways=[
            lambda X, W_Q, W_K: products(X @ W_Q, W_K),
            lambda X, W_Q, W_K: products(W_Q, X @ W_K),
            lambda X, W_Q, W_K: products(W_Q, W_K),
        ],
        say="A query is a word times W_Q, a key is a word times W_K. In your product one side, or both, is W alone.",
        see=CARDS,
    ),
    Mistake(
        "not-projected",
        name="the queries or the keys are the words themselves",
        ways=[
            lambda X, W_Q, W_K: products(X @ W_Q, X),
            lambda X, W_Q, W_K: products(X, X @ W_K),
        ],
        say="It runs only where words and queries are equally wide. Both sides go through a projection of their own.",
        see=PROJECTIONS,
    ),
    Mistake(
        "projection-transposed",
        name="a projection lies the wrong way round",
        ways=[
            lambda X, W_Q, W_K: products(X @ W_Q.T, X @ W_K.T),
            lambda X, W_Q, W_K: products(X @ W_Q.T, X @ W_K),
            lambda X, W_Q, W_K: products(X @ W_Q, X @ W_K.T),
        ],
        say="It runs only where W is as high as it is wide. A row of W belongs to a feature of a word, and X @ W takes it as it lies. What is turned are the keys, all of X @ W_K at once: multiplied out, (X·W_K)ᵀ is W_Kᵀ·Xᵀ, and there W_K is turned along with X.",
        see=CARDS,
    ),
    Mistake(
        "projection-elementwise",
        name="* in place of @ in a projection",
        ways=[lambda X, W_Q, W_K: products(X * W_Q, X * W_K), lambda X, W_Q, W_K: products(X @ W_Q, X * W_K)],
        say="It runs only where words and projection have one shape. A word picks rows of W and adds them up: that is @.",
        see=CARDS,
    ),
]
EMBEDDED_MISTAKES = [
    *PROJECTION_MISTAKES,
    *inside(
        [mistake for mistake in [*MISTAKES, *ALONE] if mistake.short not in ALIKE],
        lambda way: lambda X, W_Q, W_K: way(X @ W_Q, X @ W_K),
    ),
    *WORDS_MISSING,
]


@exercise(inputs=EMBEDDED, mistakes=EMBEDDED_MISTAKES, result="scores", see=PROJECTIONS)
def word_scores(X, W_Q, W_K):
    """Check `f(X, W_Q, W_K)` → scores (X·W_Q)(X·W_K)ᵀ of one sentence. Returns Feedback."""
    return products(X @ W_Q, X @ W_K)
