"""Lesson 02: the scaled scores of one sentence, from its embeddings."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, inside
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson01 import word_scores as lesson01_words
from attn_lessons.lesson02.scaled_scores import DIVIDING, MISTAKES, by_root_of_width, divided_by_what, uneven


def from_embeddings(way):
    """A way of scaling, lifted to the scores of words."""

    def scaled(X, W_Q, W_K):
        Q, K = X @ W_Q, X @ W_K
        return way(lesson01.products(Q, K), Q, K)

    return scaled


ONLY_IN_BATCHES = {"shape-from-the-front"}  # of a single sentence these give the numbers of another
# fmt: off
WORD_MISTAKES = [
    Mistake("divided-by-root-of-d-model", "divided by √d_model", see=DIVIDING,
        say="A score adds up d_k products, the width of a query. d_model is the width of X.",
        ways=[lambda X, W_Q, W_K: lesson01.products(X @ W_Q, X @ W_K) / np.sqrt(X.shape[-1])]),
    Mistake("divided-by-d-model", "divided by d_model", see=DIVIDING,
        say="A score adds up d_k products, the width of a query, and its typical size is the root of that. d_model is the width of X.",
        ways=[lambda X, W_Q, W_K: lesson01.products(X @ W_Q, X @ W_K) / X.shape[-1]]),
    Mistake("shape-as-divisor", "divided by all sizes of a shape", see=DIVIDING,
        say="A shape is a tuple with a size for each axis, so each column is divided by another one. Which size counts the features?",
        ways=[lambda X, W_Q, W_K: lesson01.products(X @ W_Q, X @ W_K) / np.sqrt(W_Q.shape),
            lambda X, W_Q, W_K: lesson01.products(X @ W_Q, X @ W_K) / np.sqrt(X.shape)]),
    *inside((m for m in MISTAKES if m.short not in ONLY_IN_BATCHES), from_embeddings),
    *inside(
        [*lesson01_words.PROJECTION_MISTAKES, *lesson01_words.WORDS_MISSING],
        lambda way: lambda X, W_Q, W_K: way(X, W_Q, W_K) / np.sqrt(W_Q.shape[-1]),
    ),
    *inside(
        (m for m in lesson01.MISTAKES if m.short == "queries-and-keys-swapped"),
        lambda way: lambda X, W_Q, W_K: way(X @ W_Q, X @ W_K) / np.sqrt(W_Q.shape[-1]),
    ),
]


WIDTHS_OF_WORDS = divided_by_what(
    [(uneven(3, d, 1), uneven(d, d_k, 2.5), uneven(d, d_k, 4.2)) for d, d_k in ((6, 5), (6, 8), (12, 8))],
    lambda X, W_Q, W_K: lesson01.products(X @ W_Q, X @ W_K),
    "where d_k is 5, 8 and 8, and d_model 6, 6 and 12",
)


@exercise(
    own=WIDTHS_OF_WORDS,
    inputs=lesson01_words.EMBEDDED,
    mistakes=WORD_MISTAKES,
    result="scaled scores",
    see=DIVIDING,
)
def scaled_word_scores(X, W_Q, W_K):
    """Check `f(X, W_Q, W_K)` → the scaled scores of one sentence, from its embeddings. Returns Feedback."""
    return from_embeddings(by_root_of_width)(X, W_Q, W_K)
