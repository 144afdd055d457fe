"""Lesson 07: splitting into heads."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table

CUT = "l07-cut"
BUG = "l07-bug"


def split(X, n_heads):
    return X.reshape(len(X), n_heads, -1).swapaxes(0, 1)


def cut_up(X, n_heads):
    return X.reshape(n_heads, len(X), -1)


def strided(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


SPLIT_MISTAKES = table(
    CUT,
    Mistake(
        "reshape-without-transpose",
        name="a reshape alone, which moves no axis",
        ways=[cut_up, lambda X, n_heads: X.T.reshape(n_heads, len(X), -1)],
        say="The shape is right, but a reshape fills it number by number, row after row. It cuts off whole words, or, of X.T, whole features; a head is some columns of every word.",
        see=BUG,
    ),
    Mistake(
        "not-transposed",
        name="heads and words are in the other order",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1)],
        say="Your first axis counts words. The heads come first, so that each is a matrix of its own.",
    ),
    Mistake(
        "strided-split",
        name="every n-th column in place of a block",
        ways=[strided],
        say="Your heads take turns, column by column. Head 0 has the first columns, all in a row.",
    ),
    Mistake(
        "features-first",
        name="each head is turned on its side",
        ways=[lambda X, n_heads: split(X, n_heads).swapaxes(-1, -2)],
        say="Within a head a row is a word, as in X. You have exchanged words and columns.",
    ),
    Mistake(
        "other-axes-exchanged",
        name="other axes were exchanged",
        ways=[
            lambda X, n_heads, order=order: X.reshape(len(X), n_heads, -1).transpose(order)
            for order in ((0, 2, 1), (2, 0, 1))
        ],
        say="After reshape the axes are words, heads, columns. Heads and words change places, the first two; the columns stay last.",
    ),
    Mistake(
        "slices-overlap",
        name="the slices of columns do not lie side by side",
        ways=[
            lambda X, n_heads: np.stack([X[:, h : h + X.shape[1] // n_heads] for h in range(n_heads)]),
            lambda X, n_heads: np.stack([X[:, : X.shape[1] // n_heads] for _ in range(n_heads)]),
        ],
        say="Head 1 begins where head 0 ends. By how many columns does the start of a slice move from head to head?",
    ),
    Mistake(
        "not-split",
        name="all heads got everything",
        ways=[lambda X, n_heads: np.stack([X] * n_heads)],
        say="Each head should see some of the columns, d_model / n_heads of them.",
    ),
    Mistake(
        "sizes-exchanged",
        name="n_heads columns a head, in place of n_heads heads",
        ways=[
            lambda X, n_heads: X.reshape(len(X), -1, n_heads).swapaxes(0, 1),
            lambda X, n_heads: X.reshape(-1, len(X), n_heads),
            lambda X, n_heads: X.reshape(len(X), -1, n_heads),
        ],
        say="n_heads counts the heads, and that is the first axis. How wide each of them is follows from it.",
    ),
    Mistake(
        "tokens-dealt-out",
        name="the words are dealt out, not the columns",
        ways=[lambda X, n_heads: np.stack(np.split(X, n_heads))],
        say="Each head got some of the rows. Every head should see all words, and some columns of each.",
    ),
    Mistake(
        "reversed",
        name="the heads stand in reverse order",
        ways=[lambda X, n_heads: split(X, n_heads)[::-1]],
        say="The first head has the first columns.",
    ),
    Mistake(
        "reversed-axes",
        name=".T reverses every axis",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1).T],
        say="On three axes .T turns their order round: first becomes last. Exchange only words and heads.",
        see="l01-batch-md",
    ),
    Mistake(
        "always-two-heads",
        name="n_heads has no effect",
        ways=[lambda X, n_heads: split(X, 2)],
        say="You always make two heads. It should be as many as n_heads says.",
    ),
)


@exercise(
    inputs={
        "smallest": lambda draw: (draw(2, 4), 2),
        "three heads": lambda draw: (draw(3, 6), 3),
        "heads one feature wide": lambda draw: (draw(4, 4), 4),
        "one head": lambda draw: (draw(3, 4), 1),
        "one token": lambda draw: (draw(1, 4), 2),
        "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
    },
    mistakes=SPLIT_MISTAKES,
    result="heads",
    see=CUT,
)
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (L, d_model) → (n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)
