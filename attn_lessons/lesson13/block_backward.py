"""Lesson 13: back through a pre-norm block, whose forward pass is run again on the way, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, in_orders
from attn_lessons.lesson10.batch_gradients import scaled_again
from attn_lessons.lesson13.layer_norm_backward import norm_backward, normalise
from attn_parts import mathematics as maths
from attn_parts.learning import attention_backward


def norm(X):
    return normalise(X)[0]


def turned(array):
    return array.swapaxes(-1, -2)


def at_matrix(left, d):
    """The gradient at a matrix, from what it was multiplied with and the gradient at the product."""
    return left.reshape(-1, left.shape[-1]).T @ d.reshape(-1, d.shape[-1])


def attend(X, W_Q, W_K, W_V, W_O, n_heads):
    """The first half of the block again: what is needed on the way back."""
    rows = norm(X)
    Q, K, V = (maths.split_heads(rows @ W, n_heads) for W in (W_Q, W_K, W_V))
    output, weights = maths.scaled_dot_product_attention(Q, K, V, maths.causal_mask(X.shape[-2]))
    joined = maths.merge_heads(output)
    return rows, Q, K, V, weights, joined, X + joined @ W_O


def think(Z, W_1):
    rows_2 = norm(Z)
    return rows_2, np.maximum(rows_2 @ W_1, 0)


def back_attention(d_Z, W_O, Q, K, V, weights, n_heads, d_out=None, merge=maths.merge_heads):
    parts = attention_backward(Q, K, V, weights, maths.split_heads(d_Z @ W_O.T, n_heads))
    return tuple(map(merge, parts))


def merged_by_reshape(d_Z, *given):
    return back_attention(d_Z, *given, merge=lambda part: part.reshape(d_Z.shape))


def paths(*times, by=lambda d, W: d @ W.T):
    """The gradient at the rows: each of the three paths so many times."""
    return lambda *given: sum(n * by(d, W) for n, d, W in zip(times, given[:3], given[3:]))


def met(**others):
    """What was multiplied with each matrix, and the gradient that arrived there; some are `others`."""
    names = [pair.split() for pair in (MET | others).values()]

    def pairs(*given):
        arrays = dict(zip(SAW.split(), given))
        return tuple((arrays[left], arrays[d]) for left, d in names)

    return pairs


def at_each(product):
    return lambda pairs: tuple(product(left, d) for left, d in pairs)


# X, Z, rows, d_out, d_Z: (n, L, d_model), hidden: (n, L, d_hidden), Q: (n, n_heads, L, d_head)
RELU = {
    "relu-forgotten": lambda d_out, W_2, hidden: d_out @ W_2.T,
    "relu-of-the-gradient": lambda d_out, W_2, hidden: np.maximum(d_out @ W_2.T, 0),
    "times-hidden": lambda d_out, W_2, hidden: (d_out @ W_2.T) * hidden,
    "relu-inverted": lambda d_out, W_2, hidden: (d_out @ W_2.T) * (hidden <= 0),
    "not-transposed": lambda d_out, W_2, hidden: (d_out @ W_2) * (hidden > 0),
}
D_Z = {
    "residual-forgotten (mlp)": lambda d_out, Z, rows_2, d: norm_backward(Z, d),
    "norm-forgotten (mlp)": lambda d_out, Z, rows_2, d: d_out + d,
    "norm-of-rows (mlp)": lambda d_out, Z, rows_2, d: d_out + norm_backward(rows_2, d),
    "mlp-forgotten": lambda d_out, Z, rows_2, d: d_out,
    "norm-around-the-sum (mlp)": lambda d_out, Z, rows_2, d: norm_backward(Z, d_out + d),
}
ATTENTION = {
    "heads-not-split": merged_by_reshape,
    "late-for-early (heads)": lambda d_Z, *rest: back_attention(rest[-1], *rest),
    "output-projection-forgotten": lambda d_Z, W_O, *rest: back_attention(d_Z, np.eye(len(W_O)), *rest),
    "output-projection-transposed": lambda d_Z, W_O, *rest: back_attention(d_Z, W_O.T, *rest),
}
GRADIENTS = {
    "scaled-again": scaled_again,
    "gradients-exchanged": in_orders("QKV", "VKQ", "KQV", "QVK", "VQK"),
}
D_ROWS = {
    "a-path-missing": [
        paths(1, 0, 0),
        paths(0, 1, 1),
        paths(1, 0, 1),
        paths(1, 1, 0),
        paths(0, 0, 1),
        paths(0, 1, 0),
    ],
    "matrices-forgotten": paths(1, 1, 1, by=lambda d, W: d),
    "not-transposed (attention)": paths(1, 1, 1, by=lambda d, W: d @ W),
    "paths-averaged": paths(1 / 3, 1 / 3, 1 / 3),
}
D_X = {
    "residual-forgotten": lambda d_out, d_Z, X, rows, d: norm_backward(X, d),
    "residual-skips": lambda d_out, d_Z, X, rows, d: d_out + norm_backward(X, d),
    "norm-forgotten": lambda d_out, d_Z, X, rows, d: d_Z + d,
    "norm-of-rows": lambda d_out, d_Z, X, rows, d: d_Z + norm_backward(rows, d),
    "attention-forgotten": lambda d_out, d_Z, X, rows, d: d_Z,
    "norm-around-the-sum": lambda d_out, d_Z, X, rows, d: norm_backward(X, d_Z + d),
    "added-twice": lambda d_out, d_Z, X, rows, d: d_out + d_Z + norm_backward(X, d),
}
SAW = "X Z rows rows_2 joined hidden d_Q d_K d_V d_Z d_hidden d_out"
MET = {
    "W_Q": "rows d_Q",
    "W_K": "rows d_K",
    "W_V": "rows d_V",
    "W_O": "joined d_Z",
    "W_1": "rows_2 d_hidden",
    "W_2": "hidden d_out",
}
MET_MISTAKES = {
    "x-for-rows": met(W_Q="X d_Q", W_K="X d_K", W_V="X d_V"),
    "x-for-rows (mlp)": met(W_1="Z d_hidden"),
    "x-for-rows (both)": met(W_Q="X d_Q", W_K="X d_K", W_V="X d_V", W_1="Z d_hidden"),
    "late-for-early": met(W_O="joined d_out"),
    "late-and-early-exchanged": met(W_O="joined d_out", W_2="hidden d_Z"),
    "early-for-late": met(W_2="hidden d_Z"),
    "gradient-transposed": met(W_O="d_Z joined"),
    "rows-mixed-up": [
        met(W_Q="rows_2 d_Q", W_K="rows_2 d_K", W_V="rows_2 d_V", W_1="rows d_hidden"),
        met(W_1="rows d_hidden"),
        met(W_Q="rows_2 d_Q", W_K="rows_2 d_K", W_V="rows_2 d_V"),
        met(W_O="rows d_Z"),
    ],
}
AT = {
    "texts-averaged": at_each(lambda left, d: (turned(left) @ d).mean(axis=0)),
    "texts-not-added": [
        at_each(lambda left, d: turned(left) @ d),
        at_each(lambda left, d: (turned(left) @ d)[0]),
    ],
    "gradient-transposed": at_each(lambda left, d: at_matrix(d, left)),
}
RETURN = {
    "other-order": in_orders("XQKVO12", "QKVO12X", "X21OVKQ", "X12OQKV", "XQKVO21"),
    "d-x-missing": lambda d_X, *d_W: d_W,
    "only-d-x": [lambda d_X, *d_W: d_X, lambda d_X, *d_W: (d_X,)],
}
STEPS = Steps(
    "X W_Q W_K W_V W_O W_1 W_2 n_heads d_out",
    {
        "attend": Step("X W_Q W_K W_V W_O n_heads", "rows Q K V weights joined Z", (), attend),
        "think": Step("Z W_1", "rows_2 hidden", (), think),
        "relu": Step(
            "d_out W_2 hidden",
            "d_hidden",
            RELU,
            lambda d, W_2, hidden: (d @ W_2.T) * (hidden > 0),
        ),
        "to_rows_2": Step("d_hidden W_1", "d_rows_2", (), lambda d_hidden, W_1: d_hidden @ W_1.T),
        "to_Z": Step(
            "d_out Z rows_2 d_rows_2",
            "d_Z",
            D_Z,
            lambda d_out, Z, _, d: d_out + norm_backward(Z, d),
        ),
        "attention": Step(
            "d_Z W_O Q K V weights n_heads d_out",
            "d_Q d_K d_V",
            ATTENTION,
            back_attention,
        ),
        "gradients": Step("d_Q d_K d_V Q", "d_Q d_K d_V", GRADIENTS),
        "to_rows": Step(
            "d_Q d_K d_V W_Q W_K W_V",
            "d_rows",
            D_ROWS,
            paths(1, 1, 1),
        ),
        "to_X": Step(
            "d_out d_Z X rows d_rows",
            "d_X",
            D_X,
            lambda d_out, d_Z, X, _, d: d_Z + norm_backward(X, d),
        ),
        "meet": Step(SAW, "pairs", MET_MISTAKES, met()),
        "at": Step("pairs", "at_Q at_K at_V at_O at_1 at_2", AT, at_each(at_matrix)),
        "return": Step(
            "d_X at_Q at_K at_V at_O at_1 at_2",
            "result",
            RETURN,
            lambda *seven: seven,
        ),
    },
)
right_answer = STEPS.whole({})


def given(n, L, width, n_heads, wide):
    """An input whose rows are spread out, so that none is nearly constant, and whose matrices are small."""

    def make(draw):
        X = draw(n, L, width) + 4.0 * np.arange(width)
        attention = [draw(width, width) / 4 for _ in range(4)]
        mlp = draw(width, wide) / 2, draw(wide, width) / 2
        return (X, *attention, *mlp, n_heads, draw(n, L, width) / 2)

    return make


@exercise(
    steps=STEPS,
    result=("d_X", "d_W_Q", "d_W_K", "d_W_V", "d_W_O", "d_W_1", "d_W_2"),
    inputs={
        "one text of two letters": given(1, 2, 2, 1, 3),
        "two heads": given(2, 3, 4, 2, 6),
        "as many letters as columns": given(3, 4, 4, 2, 4),
    },
)
def block_backward(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads, d_out):
    """Check `f(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads, d_out)` → d_X and a gradient for each matrix.

    Returns Feedback.
    """
    return right_answer(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads, d_out)
