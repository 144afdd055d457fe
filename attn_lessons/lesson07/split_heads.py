"""Lesson 07: splitting into heads, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise

INPUTS = {
    "smallest": lambda draw: (draw(2, 4), 2),
    "three heads": lambda draw: (draw(3, 6), 3),
    "heads one feature wide": lambda draw: (draw(4, 4), 4),
    "one head": lambda draw: (draw(3, 4), 1),
    "one token": lambda draw: (draw(1, 4), 2),
    "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
    "batch": lambda draw: (draw(2, 3, 4), 2),
    "batch, sizes alike": lambda draw: (draw(4, 4, 4), 4),
    "two leading axes": lambda draw: (draw(2, 6, 4, 15), 3),
}

# --- ways to split, and to order the axes. X: (..., L, d_model), heads: (..., n_heads, L, d_head)


def split(X, n_heads):
    return X.reshape(X.shape[:-1] + (n_heads, -1)).swapaxes(-3, -2)


def cut_up(X, n_heads):
    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], -1))


def strided(X, n_heads):
    return np.moveaxis(X.reshape(X.shape[:-1] + (-1, n_heads)), -1, -3)


def slices(X, n, starts):
    """The columns of a head's width from each of the starts on, as heads."""
    return np.stack([X[..., start : start + X.shape[-1] // n] for start in starts], axis=-3)


def by_rows(heads):
    """Each word's columns broken into heads, before any axis moves: (..., L, n_heads, d_head)."""
    return heads.swapaxes(-3, -2)


def emptied(at, before, after):
    """Heads of which those before or after one are never filled in."""
    return lambda heads: np.concatenate(
        [before * heads[..., :at, :, :], after * heads[..., at:, :, :]], axis=-3
    )


SOME_EMPTY = [
    emptied(-1, 1, 0),
    emptied(1, 1, 0),
    emptied(1, 0, 1),
    emptied(-1, 0, 1),
]
NUMBER_MISTAKES = {
    "always-two-heads": [lambda n_heads, X: 2, lambda n_heads, X: X.shape[-1] // 2],
}
CUT_MISTAKES = {
    "reshape-without-transpose": [
        cut_up,
        lambda X, n: X.reshape(n, len(X), -1),
        lambda X, n: X.T.reshape(n, len(X), -1),
        lambda X, n: X.reshape(n, len(X), X.shape[1] // n),
    ],
    "always-two-heads": lambda X, n: np.array([X[:, :2], X[:, 2:]]),
    "strided-split": [
        strided,
        lambda X, n: X.reshape(len(X), -1, n).transpose(2, 0, 1),
    ],
    "features-first": lambda X, n: X.T.reshape(n, X.shape[1] // n, len(X)),
    "one-sentence-only": lambda X, n: X.reshape(len(X), n, -1).swapaxes(0, 1),
    "slices-overlap": [
        lambda X, n: slices(X, n, range(n)),
        lambda X, n: slices(X, n, [0] * n),
    ],
    "not-split": lambda X, n: np.stack([X] * n, axis=-3),
    "sizes-exchanged": [
        lambda X, n: X.reshape(X.shape[:-1] + (-1, n)).swapaxes(-3, -2),
        lambda X, n: X.reshape(-1, len(X), n),
    ],
    "tokens-dealt-out": lambda X, n: np.stack(np.split(X, n, axis=-2), axis=-3),
}
KEEP_MISTAKES = {
    "heads-missing": [
        *SOME_EMPTY,
        lambda heads: heads[..., :1, :, :],
        lambda heads: np.stack([*np.moveaxis(heads, -3, 0)][:-1], axis=-3),
        lambda heads: np.stack([*np.moveaxis(heads, -3, 0)][1:], axis=-3),
    ],
    "reversed": lambda heads: heads[..., ::-1, :, :],
}
LAYOUT_MISTAKES = {
    "not-transposed": [by_rows, lambda heads: np.moveaxis(heads, -3, -1)],
    "features-first": lambda heads: heads.swapaxes(-1, -2),
    "heads-before-batch": lambda heads: np.moveaxis(heads, -3, 0),
    "counted-from-the-front": [
        lambda heads: by_rows(heads).swapaxes(0, 1),
        lambda heads: by_rows(heads).swapaxes(0, -2),
    ],
    "other-axes-exchanged": lambda heads: np.moveaxis(by_rows(heads), -1, -3),
    "reversed-axes": lambda heads: by_rows(heads).T,
}
NUMBER = Step("n_heads X", "n_heads", NUMBER_MISTAKES)
CUT = Step("X n_heads", "result", CUT_MISTAKES, split)
KEEP = Step("result", "result", KEEP_MISTAKES)
LAYOUT = Step("result", "result", LAYOUT_MISTAKES)
STEPS = Steps("X n_heads", {"number": NUMBER, "cut": CUT, "keep": KEEP, "layout": LAYOUT})


@exercise(inputs=INPUTS, steps=STEPS, result="heads")
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (..., L, d_model) → (..., n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)
