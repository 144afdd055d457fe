"""Lesson 07: splitting into heads."""

import numpy as np

from attn_checks.exercise import Mistake, exercise

CUT = "l07-cut"


def split(X, n_heads):
    return X.reshape(X.shape[:-1] + (n_heads, -1)).swapaxes(-3, -2)


def cut_up(X, n_heads):
    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], -1))


def strided(X, n_heads):
    return np.moveaxis(X.reshape(X.shape[:-1] + (-1, n_heads)), -1, -3)


def by_rows(X, n_heads):
    """Each word's columns broken into heads, before any axis moves: (..., L, n_heads, d_head)."""
    return X.reshape(X.shape[:-1] + (n_heads, -1))


# fmt: off
SPLIT_MISTAKES = [
    Mistake("reshape-without-transpose", "a reshape alone, which moves no axis",
        say="The shape is right, but reshape fills it row by row, so your heads get whole rows of what you reshape. A head needs some columns of every word.",
        ways=[cut_up, lambda X, n_heads: X.reshape(n_heads, len(X), -1), lambda X, n_heads: X.T.reshape(n_heads, len(X), -1),
            lambda X, n_heads: X.reshape(n_heads, len(X), X.shape[1] // n_heads),
            lambda X, n_heads: cut_up(X.swapaxes(-1, -2).reshape(X.shape), n_heads)]),
    Mistake("not-transposed", "heads and words are in the wrong order",
        say="Your words come before your heads. Put the heads first, so that each head is a matrix of its own.",
        ways=[by_rows, lambda X, n_heads: X.reshape(len(X), n_heads, -1)]),
    Mistake("strided-split", "every n-th column instead of a block",
        say="Your heads take turns, column by column. Head 0 needs the first columns, next to each other.",
        ways=[strided, lambda X, n_heads: np.stack([X[..., h::n_heads] for h in range(n_heads)])]),
    Mistake("features-first", "each head is transposed",
        say="You have exchanged words and columns in each head. A row of a head is a word, as in X.",
        ways=[lambda X, n_heads: split(X, n_heads).swapaxes(-1, -2), lambda X, n_heads: X.T.reshape(n_heads, X.shape[1] // n_heads, len(X))]),
    Mistake("heads-before-batch", "the heads come before the batch",
        say="For one sentence this is right. In a batch your heads come before the sentences, but they should come just before the words.",
        ways=[lambda X, n_heads: np.moveaxis(by_rows(X, n_heads), -2, 0)]),
    Mistake("counted-from-the-front", "axes are counted from the front",
        say="For one sentence this is right. In a batch the words aren't axis 0, so you exchange the wrong axis with the heads. Count axes from the end.",
        ways=[lambda X, n_heads: by_rows(X, n_heads).swapaxes(0, 1), lambda X, n_heads: by_rows(X, n_heads).swapaxes(0, -2)]),
    Mistake("one-sentence-only", "right only for one sentence",
        say="For one sentence this is right. In a batch the first axis counts sentences, not words, so your reshape mixes words up. A slice of X.shape has all sizes except the last.",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1).swapaxes(0, 1)]),
    Mistake("other-axes-exchanged", "the wrong axes were exchanged",
        say="You exchange the wrong axes. After reshape the last three are words, heads and columns. Exchange words and heads, and leave the columns last.",
        ways=[lambda X, n_heads, axes=axes: np.moveaxis(by_rows(X, n_heads), axes, (-3, -2, -1))
            for axes in ((-3, -1, -2), (-1, -3, -2))] + [lambda X, n_heads: X.reshape(len(X), n_heads, -1).swapaxes(1, 2)]),
    Mistake("slices-overlap", "the slices of columns overlap",
        say="Your slices overlap. Head 1 begins where head 0 ends, so the start moves by the width of a head.",
        ways=[lambda X, n_heads: np.stack([X[..., h : h + X.shape[-1] // n_heads] for h in range(n_heads)], axis=-3),
            lambda X, n_heads: np.stack([X[..., : X.shape[-1] // n_heads] for _ in range(n_heads)], axis=-3)]),
    Mistake("not-split", "all heads got everything",
        say="Every head of yours has all columns. Give each head d_model / n_heads of them.",
        ways=[lambda X, n_heads: np.stack([X] * n_heads, axis=-3), lambda X, n_heads: np.stack([X] * n_heads)]),
    Mistake("sizes-exchanged", "n_heads columns per head, instead of n_heads heads",
        say="Your heads have n_heads columns each. n_heads is the number of heads, and their width follows from it.",
        ways=[lambda X, n_heads: X.reshape(X.shape[:-1] + (-1, n_heads)).swapaxes(-3, -2),
            lambda X, n_heads: X.reshape(-1, len(X), n_heads), lambda X, n_heads: X.reshape(X.shape[:-1] + (-1, n_heads))]),
    Mistake("tokens-dealt-out", "the words are split, not the columns",
        say="Each head of yours has some of the rows. A head needs all words, and some columns of each.",
        ways=[lambda X, n_heads: np.stack(np.split(X, n_heads)), lambda X, n_heads: np.stack(np.split(X, n_heads, axis=-2), axis=-3)]),
    Mistake("reversed", "the heads are in reverse order",
        say="Your first head has the last columns. Give it the first ones.",
        ways=[lambda X, n_heads: split(X, n_heads)[..., ::-1, :, :]]),
    Mistake("reversed-axes", ".T reverses every axis", see="l01-batch-md",
        say="After reshape, .T reverses all axes, so the first becomes the last. Exchange only words and heads.",
        ways=[lambda X, n_heads: by_rows(X, n_heads).T, lambda X, n_heads: X.reshape(len(X), n_heads, -1).T]),
    Mistake("always-two-heads", "n_heads has no effect",
        say="You always make two heads. Make n_heads of them.",
        ways=[lambda X, n_heads: split(X, 2)]),
]


@exercise(mistakes=SPLIT_MISTAKES, result="heads", see=CUT, inputs={
    "smallest": lambda draw: (draw(2, 4), 2),
    "three heads": lambda draw: (draw(3, 6), 3),
    "heads one feature wide": lambda draw: (draw(4, 4), 4),
    "one head": lambda draw: (draw(3, 4), 1),
    "one token": lambda draw: (draw(1, 4), 2),
    "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
    "batch": lambda draw: (draw(2, 3, 4), 2),
    "batch, sizes alike": lambda draw: (draw(3, 3, 3), 3),
    "two leading axes": lambda draw: (draw(2, 2, 3, 4), 2),
})
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (..., L, d_model) → (..., n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)
