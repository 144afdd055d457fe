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
        say="The shape is right, but reshape fills it row by row, so your heads get whole words (or whole features of X.T). A head needs some columns of every word.",
        ways=[cut_up, lambda X, n_heads: X.T.reshape(n_heads, len(X), -1)]),
    Mistake("not-transposed", "heads and words are in the wrong order",
        say="Your first axis counts words. Put the heads first, so that each head is a matrix of its own.",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1)]),
    Mistake("strided-split", "every n-th column instead of a block",
        say="Your heads take turns, column by column. Head 0 needs the first columns, next to each other.",
        ways=[strided]),
    Mistake("features-first", "each head is transposed",
        say="You have exchanged words and columns in each head. A row of a head is a word, as in X.",
        ways=[lambda X, n_heads: split(X, n_heads).swapaxes(-1, -2)]),
    Mistake("other-axes-exchanged", "the wrong axes were exchanged",
        say="You exchange the wrong axes. After reshape they are words, heads, columns: exchange the first two, and leave the columns last.",
        ways=[lambda X, n_heads, order=order: X.reshape(len(X), n_heads, -1).transpose(order)
            for order in ((0, 2, 1), (2, 0, 1))]),
    Mistake("slices-overlap", "the slices of columns overlap",
        say="Your slices overlap. Head 1 begins where head 0 ends, so the start moves by the width of a head.",
        ways=[lambda X, n_heads: np.stack([X[:, h : h + X.shape[1] // n_heads] for h in range(n_heads)]),
            lambda X, n_heads: np.stack([X[:, : X.shape[1] // n_heads] for _ in range(n_heads)])]),
    Mistake("not-split", "all heads got everything",
        say="Every head of yours has all columns. Give each head d_model / n_heads of them.",
        ways=[lambda X, n_heads: np.stack([X] * n_heads)]),
    Mistake("sizes-exchanged", "n_heads columns per head, instead of n_heads heads",
        say="Your heads have n_heads columns each. n_heads is the number of heads, the length of the first axis, and their width follows from it.",
        ways=[lambda X, n_heads: X.reshape(len(X), -1, n_heads).swapaxes(0, 1),
            lambda X, n_heads: X.reshape(-1, len(X), n_heads), lambda X, n_heads: X.reshape(len(X), -1, n_heads)]),
    Mistake("tokens-dealt-out", "the words are split, not the columns",
        say="Each head of yours has some of the rows. A head needs all words, and some columns of each.",
        ways=[lambda X, n_heads: np.stack(np.split(X, n_heads))]),
    Mistake("reversed", "the heads are in reverse order",
        say="Your first head has the last columns. Give it the first ones.",
        ways=[lambda X, n_heads: split(X, n_heads)[::-1]]),
    Mistake("reversed-axes", ".T reverses every axis", see="l01-batch-md",
        say="On three axes .T reverses their order, so the first becomes the last. Exchange only words and heads.",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1).T]),
    Mistake("always-two-heads", "n_heads has no effect",
        say="You always make two heads. Make n_heads of them.",
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
