"""Lesson 07: splitting into heads, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise

CUT = "l07-cut"


def split(X, n_heads):
    return X.reshape(X.shape[:-1] + (n_heads, -1)).swapaxes(-3, -2)


def cut_up(X, n_heads):
    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], -1))


def strided(X, n_heads):
    return np.moveaxis(X.reshape(X.shape[:-1] + (-1, n_heads)), -1, -3)


def by_rows(heads):
    """Each word's columns broken into heads, before any axis moves: (..., L, n_heads, d_head)."""
    return heads.swapaxes(-3, -2)


def emptied(at, before, after):
    """Heads of which those before or after one are never filled in."""
    return lambda heads: np.concatenate(
        [before * heads[..., :at, :, :], after * heads[..., at:, :, :]], axis=-3
    )


# fmt: off
HEADS_MISSING = Mistake("heads-missing", "some heads are missing",
    say="One or more of your heads are left out, or still 0. If you use a loop, let it run over range(n_heads), and put return after it.",
    ways=[emptied(-1, 1, 0), emptied(1, 1, 0), emptied(1, 0, 1), emptied(-1, 0, 1), lambda heads: heads[..., :1, :, :],
        *(lambda heads, part=part: np.stack([*np.moveaxis(heads, -3, 0)][part], axis=-3) for part in (slice(-1), slice(1, None)))])
LAYOUT_MISTAKES = [
    Mistake("not-transposed", "heads and words are in the wrong order",
        say="Your words come before your heads. Put the heads before the words, and leave the columns of a head last.",
        ways=[by_rows, lambda heads: np.moveaxis(heads, -3, -1)]),
    Mistake("features-first", "each head is transposed",
        say="Words and columns are exchanged in each head. A row of a head is a word, as in X.",
        ways=[lambda heads: heads.swapaxes(-1, -2)]),
    Mistake("heads-before-batch", "the heads come before the batch",
        say="In a batch your heads come before the sentences. They should come just before the words.",
        ways=[lambda heads: np.moveaxis(heads, -3, 0)]),
    Mistake("counted-from-the-front", "the axes fit one sentence, not a batch",
        say="The axes that you exchange are the right ones for one sentence only. In a batch axis 0 counts sentences, so count axes from the end.",
        ways=[lambda heads: by_rows(heads).swapaxes(0, 1), lambda heads: by_rows(heads).swapaxes(0, -2)]),
    Mistake("other-axes-exchanged", "the columns come before words and heads",
        say="The columns of a head come before the words, and the heads come last. Put the heads before the words, and leave the columns last.",
        ways=[lambda heads: np.moveaxis(by_rows(heads), -1, -3)]),
    Mistake("reversed-axes", "all axes are reversed, as by .T", see="l01-batch-md",
        say="All your axes are in reverse order, and .T does this. Exchange only words and heads.",
        ways=[lambda heads: by_rows(heads).T]),
]
CUT_MISTAKES = [
    Mistake("reshape-without-transpose", "a reshape straight to the final shape",
        say="The shape is right, but reshape fills it row by row, so each head gets one run of numbers from what you reshape. A head needs some columns of every word.",
        ways=[cut_up, lambda X, n: X.reshape(n, len(X), -1), lambda X, n: X.T.reshape(n, len(X), -1),
            lambda X, n: cut_up(X.swapaxes(-1, -2).reshape(X.shape), n), lambda X, n: X.reshape(n, len(X), X.shape[1] // n)]),
    Mistake("strided-split", "every n-th column instead of a block",
        say="Your heads take turns, column by column. Head 0 needs the first columns, next to each other.",
        ways=[strided, lambda X, n: X.reshape(len(X), -1, n).transpose(2, 0, 1)]),
    *again(LAYOUT_MISTAKES, {"features-first": [lambda X, n: X.T.reshape(n, X.shape[1] // n, len(X))]}),
    Mistake("one-sentence-only", "the first axis is taken for the words",
        say="In a batch the first axis counts sentences, not words, so your reshape mixes words up. A slice of X.shape has all sizes except the last.",
        ways=[lambda X, n: X.reshape(len(X), n, -1).swapaxes(0, 1)]),
    Mistake("slices-overlap", "the slices of columns overlap",
        say="Your slices overlap. Head 1 should begin where head 0 ends, so the start moves by the width of a head.",
        ways=[lambda X, n: np.stack([X[..., h : h + X.shape[-1] // n] for h in range(n)], axis=-3),
            lambda X, n: np.stack([X[..., : X.shape[-1] // n] for _ in range(n)], axis=-3)]),
    Mistake("not-split", "all heads got everything",
        say="Every head of yours has all columns. Give each head d_model / n_heads of them.",
        ways=[lambda X, n: np.stack([X] * n, axis=-3)]),
    Mistake("sizes-exchanged", "n_heads columns per head, instead of n_heads heads",
        say="Your heads have n_heads columns each. n_heads is the number of heads, and their width follows from it.",
        ways=[lambda X, n: X.reshape(X.shape[:-1] + (-1, n)).swapaxes(-3, -2),
            lambda X, n: X.reshape(-1, len(X), n)]),
    Mistake("tokens-dealt-out", "the words are split, not the columns",
        say="Each head of yours has some of the rows. A head needs all words, and some columns of each.",
        ways=[lambda X, n: np.stack(np.split(X, n, axis=-2), axis=-3), lambda X, n: np.stack(np.split(X, n))]),
]
STEPS = Steps("X n_heads", {
    "number": Step("n_heads X", "n", [
        Mistake("always-two-heads", "n_heads has no effect",
            say="You use a fixed number of heads, or a fixed width. Make n_heads heads, each d_model / n_heads columns wide.",
            ways=[lambda n_heads, X: 2, lambda n_heads, X: X.shape[-1] // 2])], lambda n_heads, X: n_heads),
    "cut": Step("X n", "heads", CUT_MISTAKES, split),
    "keep": Step("heads", "kept", [
        HEADS_MISSING,
        Mistake("reversed", "the heads are in reverse order",
            say="Your first head has the last columns. Give it the first ones.",
            ways=[lambda heads: heads[..., ::-1, :, :]])], lambda heads: heads),
    "layout": Step("kept", "result", LAYOUT_MISTAKES, lambda heads: heads),
})


@exercise(steps=STEPS, result="heads", see=CUT, inputs={
    "smallest": lambda draw: (draw(2, 4), 2),
    "three heads": lambda draw: (draw(3, 6), 3),
    "heads one feature wide": lambda draw: (draw(4, 4), 4),
    "one head": lambda draw: (draw(3, 4), 1),
    "one token": lambda draw: (draw(1, 4), 2),
    "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
    "batch": lambda draw: (draw(2, 3, 4), 2),
    "batch, sizes alike": lambda draw: (draw(4, 4, 4), 4),
    "two leading axes": lambda draw: (draw(2, 6, 4, 15), 3),
})
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (..., L, d_model) → (..., n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)
