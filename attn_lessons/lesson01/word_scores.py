"""Lesson 01: the scores of words, straight from their embeddings."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise
from attn_lessons.lesson01.scores import AFTER, ALL_AT_ONCE, ALONE, MISTAKES, PROJECTIONS, products

EMBEDDED = {
    "smallest": (np.array([[1.0, 0], [2, 1]]), np.array([[1.0, 2], [0, 1]]), np.array([[3.0, 1], [0, 2]])),
    "three sizes": lambda draw: (draw(3, 5), draw(5, 2), draw(5, 2)),
    "one word": lambda draw: (draw(1, 3), draw(3, 4), draw(3, 4)),
    "as many words as features": lambda draw: (draw(4, 3), draw(3, 4), draw(3, 4)),
    "decimals": lambda draw: (0.123 * draw(2, 4), draw(4, 6), draw(4, 6)),
}
# Here they give the numbers of another mistake, or have a sentence of their own.
ALIKE = "keys-ignored", "transpose-keeps-order", "queries-and-keys-swapped", "rounded-to-whole"
# fmt: off
PROJECTION_MISTAKES = [
    Mistake("one-projection", "query and key come from one projection",
        say="You use one projection for both sides, so each word's query is the same as its key. Queries need W_Q, and keys W_K.",
        ways=[lambda X, W_Q, W_K: (X @ W_Q, X @ W_Q), lambda X, W_Q, W_K: (X @ W_K, X @ W_K),
            lambda X, W_Q, W_K: (X @ (W_Q + W_K), X @ (W_Q + W_K))]),
    Mistake("queries-and-keys-swapped", "rows and columns are exchanged", see=ALL_AT_ONCE,
        say="Your rows belong to keys and your columns to queries, or W_Q and W_K have changed places. Each row should belong to one query, the word that looks.",
        ways=[lambda X, W_Q, W_K: (X @ W_K, X @ W_Q)]),
    Mistake("embedding-missing", "the words are in it only once, or not at all", see="l01-origin",
        say="A query is a word times W_Q, and a key is a word times W_K. In your product, at least one side is a projection alone, without the words.",
        ways=[lambda X, W_Q, W_K: (X @ W_Q, W_K), lambda X, W_Q, W_K: (W_Q, X @ W_K), lambda X, W_Q, W_K: (W_Q, W_K)]),
    Mistake("not-projected", "the queries or the keys are the words themselves",
        say="Your product runs only if embeddings and queries have the same width. Each side needs a projection of its own.",
        ways=[lambda X, W_Q, W_K: (X @ W_Q, X), lambda X, W_Q, W_K: (X, X @ W_K)]),
]
NOT_TRANSPOSED = MISTAKES[0]._replace(
    say="Your product needs each key as a column. In X @ W_K a key is a row, so transpose it once. W_K.T @ X.T has keys as columns already, and one more .T undoes that.")
STEPS = Steps("X W_Q W_K", {
    "project": Step("X W_Q W_K", "Q K", PROJECTION_MISTAKES, lambda X, W_Q, W_K: (X @ W_Q, X @ W_K)),
    "scores": Step("Q K", "result", [m for m in [NOT_TRANSPOSED, *MISTAKES[1:], *ALONE] if m.short not in ALIKE], products),
    "after": Step("result Q", "result", AFTER),
})
SYMMETRISED = Mistake("symmetrised", "the scores are made symmetric",
    say="Your scores stay the same when rows and columns are exchanged. But a word can look for another that doesn't look for it, so don't add or average the two.",
    ways=[lambda X, W_Q, W_K: (products(X @ W_Q, X @ W_K) + products(X @ W_K, X @ W_Q)) / 2])


@exercise(inputs=EMBEDDED, mistakes=[*STEPS.mistakes(), SYMMETRISED], steps=STEPS, result="scores", see=PROJECTIONS)
def word_scores(X, W_Q, W_K):
    """Check `f(X, W_Q, W_K)` → scores (X·W_Q)(X·W_K)ᵀ of one sentence. Returns Feedback."""
    return products(X @ W_Q, X @ W_K)
