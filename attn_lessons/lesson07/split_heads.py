"""Lesson 07: splitting into heads."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table

CUT = "l07-cut"


def split(X, n_heads):
    return X.reshape(len(X), n_heads, -1).swapaxes(0, 1)


def cut_up(X, n_heads):
    return X.reshape(n_heads, len(X), -1)


def strided(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


# fmt: off
SPLIT_MISTAKES = table(
    CUT,
    Mistake("reshape-without-transpose", "a reshape alone, which moves no axis", see="l07-bug",
        say="The shape is right, but a reshape fills it number by number, row after row. It cuts off whole words, or, of X.T, whole features; a head is some columns of every word.",
        ways=[cut_up, lambda X, n_heads: X.T.reshape(n_heads, len(X), -1)]),
    Mistake("not-transposed", "heads and words are in the other order",
        say="Your first axis counts words. The heads come first, so that each is a matrix of its own.",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1)]),
    Mistake("strided-split", "every n-th column in place of a block",
        say="Your heads take turns, column by column. Head 0 has the first columns, all in a row.",
        ways=[strided]),
    Mistake("features-first", "each head is turned on its side",
        say="Within a head a row is a word, as in X. You have exchanged words and columns.",
        ways=[lambda X, n_heads: split(X, n_heads).swapaxes(-1, -2)]),
    Mistake("other-axes-exchanged", "other axes were exchanged",
        say="After reshape the axes are words, heads, columns. Heads and words change places, the first two; the columns stay last.",
        ways=[lambda X, n_heads, order=order: X.reshape(len(X), n_heads, -1).transpose(order)
            for order in ((0, 2, 1), (2, 0, 1))]),
    Mistake("slices-overlap", "the slices of columns do not lie side by side",
        say="Head 1 begins where head 0 ends. By how many columns does the start of a slice move from head to head?",
        ways=[lambda X, n_heads: np.stack([X[:, h : h + X.shape[1] // n_heads] for h in range(n_heads)]),
            lambda X, n_heads: np.stack([X[:, : X.shape[1] // n_heads] for _ in range(n_heads)])]),
    Mistake("not-split", "all heads got everything",
        say="Each head should see some of the columns, d_model / n_heads of them.",
        ways=[lambda X, n_heads: np.stack([X] * n_heads)]),
    Mistake("sizes-exchanged", "n_heads columns a head, in place of n_heads heads",
        say="n_heads counts the heads, and that is the first axis. How wide each of them is follows from it.",
        ways=[lambda X, n_heads: X.reshape(len(X), -1, n_heads).swapaxes(0, 1),
            lambda X, n_heads: X.reshape(-1, len(X), n_heads), lambda X, n_heads: X.reshape(len(X), -1, n_heads)]),
    Mistake("tokens-dealt-out", "the words are dealt out, not the columns",
        say="Each head got some of the rows. Every head should see all words, and some columns of each.",
        ways=[lambda X, n_heads: np.stack(np.split(X, n_heads))]),
    Mistake("reversed", "the heads stand in reverse order",
        say="The first head has the first columns.",
        ways=[lambda X, n_heads: split(X, n_heads)[::-1]]),
    Mistake("reversed-axes", ".T reverses every axis", see="l01-batch-md",
        say="On three axes .T turns their order round: first becomes last. Exchange only words and heads.",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1).T]),
    Mistake("always-two-heads", "n_heads has no effect",
        say="You always make two heads. It should be as many as n_heads says.",
        ways=[lambda X, n_heads: split(X, 2)]),
)


@exercise(mistakes=SPLIT_MISTAKES, result="heads", see=CUT, inputs={
    "smallest": lambda draw: (draw(2, 4), 2),
    "three heads": lambda draw: (draw(3, 6), 3),
    "heads one feature wide": lambda draw: (draw(4, 4), 4),
    "one head": lambda draw: (draw(3, 4), 1),
    "one token": lambda draw: (draw(1, 4), 2),
    "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
})
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (L, d_model) → (n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)
