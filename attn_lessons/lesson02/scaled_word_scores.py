"""Lesson 02: the scaled scores of one sentence, from its embeddings."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, inside
from attn_lessons.lesson01 import word_scores as lesson01
from attn_lessons.lesson01.scores import MISTAKES as SCORE_MISTAKES
from attn_lessons.lesson01.scores import products
from attn_lessons.lesson02.scaled_scores import DIVIDING, MISTAKES, by_root_of_width, divided_by_what, uneven


def from_embeddings(way):
    """A way of scaling, lifted to the scores of words."""

    def scaled(X, W_Q, W_K):
        Q, K = X @ W_Q, X @ W_K
        return way(products(Q, K), Q, K)

    return scaled


def projected(X, W_Q, W_K):
    return products(X @ W_Q, X @ W_K)


def by_root(way):
    """A way to make scores, divided by √d_k."""
    return lambda X, W_Q, W_K: way(X, W_Q, W_K) / np.sqrt(W_Q.shape[-1])


# fmt: off
WORD_MISTAKES = [
    Mistake("divided-by-root-of-d-model", "divided by √d_model", see=DIVIDING,
        say="A score adds up d_k products, the width of a query. d_model is the width of X.",
        ways=[lambda X, W_Q, W_K: projected(X, W_Q, W_K) / np.sqrt(X.shape[-1])]),
    Mistake("divided-by-d-model", "divided by d_model", see=DIVIDING,
        say="A score adds up d_k products, the width of a query, and its typical size is the root of that. d_model is the width of X.",
        ways=[lambda X, W_Q, W_K: projected(X, W_Q, W_K) / X.shape[-1]]),
    Mistake("shape-as-divisor", "divided by all sizes of a shape", see=DIVIDING,
        say="A shape is a tuple with a size for each axis, so each column is divided by another one. Which size counts the features?",
        ways=[lambda X, W_Q, W_K: projected(X, W_Q, W_K) / np.sqrt(W_Q.shape),
            lambda X, W_Q, W_K: projected(X, W_Q, W_K) / np.sqrt(X.shape)]),
    # of a single sentence shapes counted from the front give the numbers of another mistake
    *inside((m for m in MISTAKES if m.short != "shape-from-the-front"), from_embeddings),
    *inside([*lesson01.PROJECTION_MISTAKES, *lesson01.WORDS_MISSING], by_root),
    *inside((m for m in SCORE_MISTAKES if m.short == "queries-and-keys-swapped"),
        lambda way: by_root(lambda X, W_Q, W_K: way(X @ W_Q, X @ W_K))),
]


WIDTHS_OF_WORDS = divided_by_what(
    [(uneven(3, d, 1), uneven(d, d_k, 2.5), uneven(d, d_k, 4.2)) for d, d_k in ((6, 5), (6, 8), (12, 8))],
    projected, "where d_k is 5, 8 and 8, and d_model 6, 6 and 12")


@exercise(own=WIDTHS_OF_WORDS, inputs=lesson01.EMBEDDED, mistakes=WORD_MISTAKES, result="scaled scores", see=DIVIDING)
def scaled_word_scores(X, W_Q, W_K):
    """Check `f(X, W_Q, W_K)` → the scaled scores of one sentence, from its embeddings. Returns Feedback."""
    return from_embeddings(by_root_of_width)(X, W_Q, W_K)
