"""Lesson 13: back through a pre-norm block, whose forward pass is run again on the way, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise
from attn_lessons.lesson13.layer_norm_backward import (
    layer_norm_backward_of as norm_backward,
)
from attn_lessons.lesson13.layer_norm_backward import normalise
from attn_parts import mathematics as maths
from attn_parts.learning import attention_backward


def norm(X):
    return normalise(X)[0]


def split(X, n_heads):
    return maths.split_heads(X, n_heads)


def turned(array):
    return array.swapaxes(-1, -2)


def at_matrix(left, d):
    """The gradient at a matrix, from what was multiplied with it and the gradient at the product, added up over texts."""
    return left.reshape(-1, left.shape[-1]).T @ d.reshape(-1, d.shape[-1])


def attend(X, W_Q, W_K, W_V, W_O, n_heads):
    """The first half of the block again: what is needed on the way back."""
    rows = norm(X)
    Q, K, V = (split(rows @ W, n_heads) for W in (W_Q, W_K, W_V))
    output, weights = maths.scaled_dot_product_attention(Q, K, V, maths.causal_mask(X.shape[-2]))
    joined = maths.merge_heads(output)
    return rows, Q, K, V, weights, joined, X + joined @ W_O


def think(Z, W_1):
    rows_2 = norm(Z)
    return rows_2, np.maximum(rows_2 @ W_1, 0)


def back_attention(d_Z, W_O, Q, K, V, weights, n_heads, d_out=None):
    parts = attention_backward(Q, K, V, weights, split(d_Z @ W_O.T, n_heads))
    return tuple(map(maths.merge_heads, parts))


def scaled_again(d_Z, W_O, Q, *rest):
    d_Q, d_K, d_V = back_attention(d_Z, W_O, Q, *rest)
    return d_Q / np.sqrt(Q.shape[-1]), d_K / np.sqrt(Q.shape[-1]), d_V


def merged_by_reshape(d_Z, W_O, Q, K, V, weights, n_heads, d_out):
    parts = attention_backward(Q, K, V, weights, split(d_Z @ W_O.T, n_heads))
    return tuple(part.reshape(d_Z.shape) for part in parts)


def matrices(joined=at_matrix, rows=at_matrix, rows_2=at_matrix, hidden=at_matrix):
    """The gradients at all six matrices, some taken in other ways."""

    def at(saw, saw_2, mixed, wide, d_Q, d_K, d_V, d_Z, d_hidden, d_out):
        attention = tuple(rows(saw, d) for d in (d_Q, d_K, d_V))
        return (
            *attention,
            joined(mixed, d_Z),
            rows_2(saw_2, d_hidden),
            hidden(wide, d_out),
        )

    return at


def with_inputs(change):
    """The gradients at the matrices, from changed arrays."""
    return lambda *given: matrices()(*change(*given))


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
    "scaled-again": scaled_again,
    "heads-not-split": merged_by_reshape,
    "late-for-early (heads)": lambda d_Z, *rest: back_attention(rest[-1], *rest),
    "output-projection-forgotten": lambda d_Z, W_O, *rest: back_attention(d_Z, np.eye(len(W_O)), *rest),
    "output-projection-transposed": lambda d_Z, W_O, *rest: back_attention(d_Z, W_O.T, *rest),
    "gradients-exchanged": [
        lambda *given: back_attention(*given)[::-1],
        lambda *given: tuple(back_attention(*given)[i] for i in (1, 0, 2)),
        lambda *given: tuple(back_attention(*given)[i] for i in (0, 2, 1)),
        lambda *given: tuple(back_attention(*given)[i] for i in (2, 0, 1)),
    ],
}
D_ROWS = {
    "a-path-missing": [
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_Q @ W_Q.T,
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_K @ W_K.T + d_V @ W_V.T,
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_Q @ W_Q.T + d_V @ W_V.T,
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_Q @ W_Q.T + d_K @ W_K.T,
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_V @ W_V.T,
        lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_K @ W_K.T,
    ],
    "matrices-forgotten": lambda d_Q, d_K, d_V, *W: d_Q + d_K + d_V,
    "not-transposed (attention)": lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_Q @ W_Q + d_K @ W_K + d_V @ W_V,
    "paths-averaged": lambda d_Q, d_K, d_V, W_Q, W_K, W_V: (d_Q @ W_Q.T + d_K @ W_K.T + d_V @ W_V.T) / 3,
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
# what each matrix was multiplied with, and the gradient that arrived there
AT = {
    "x-for-rows": lambda X, Z, *given: matrices()(X, *given[1:]),
    "x-for-rows (mlp)": lambda X, Z, rows, rows_2, *given: matrices()(rows, Z, *given),
    "x-for-rows (both)": lambda X, Z, rows, rows_2, *given: matrices()(X, Z, *given),
    "late-for-early": [
        lambda X, Z, *g: (
            *matrices()(*g)[:3],
            at_matrix(g[2], g[9]),
            *matrices()(*g)[4:],
        ),
    ],
    "late-and-early-exchanged": lambda X, Z, *g: (
        *matrices()(*g)[:3],
        at_matrix(g[2], g[9]),
        matrices()(*g)[4],
        at_matrix(g[3], g[7]),
    ),
    "early-for-late": [
        lambda X, Z, *g: (*matrices()(*g)[:5], at_matrix(g[3], g[7])),
    ],
    "texts-averaged": [
        lambda X, Z, *g: matrices(*[lambda left, d: (turned(left) @ d).mean(axis=0)] * 4)(*g),
    ],
    "texts-not-added": [
        lambda X, Z, *g: matrices(*[lambda left, d: turned(left) @ d] * 4)(*g),
        lambda X, Z, *g: matrices(*[lambda left, d: (turned(left) @ d)[0]] * 4)(*g),
    ],
    "gradient-transposed": [
        lambda X, Z, *g: matrices(*[lambda left, d: at_matrix(d, left)] * 4)(*g),
        lambda X, Z, *g: (
            *matrices()(*g)[:3],
            at_matrix(g[7], g[2]),
            *matrices()(*g)[4:],
        ),
    ],
    "rows-mixed-up": [
        lambda X, Z, rows, rows_2, *g: matrices()(rows_2, rows, *g),
        lambda X, Z, rows, rows_2, *g: matrices()(rows, rows, *g),
        lambda X, Z, rows, rows_2, *g: matrices()(rows_2, rows_2, *g),
        lambda X, Z, *g: (
            *matrices()(*g)[:3],
            at_matrix(g[0], g[7]),
            *matrices()(*g)[4:],
        ),
    ],
}
RETURN = {
    "other-order": [
        lambda d_X, *d_W: (*d_W, d_X),
        lambda d_X, *d_W: (d_X, *d_W[::-1]),
        lambda d_X, d_Q, d_K, d_V, d_O, d_1, d_2: (
            d_X,
            d_1,
            d_2,
            d_O,
            d_Q,
            d_K,
            d_V,
        ),
        lambda d_X, d_Q, d_K, d_V, d_O, d_1, d_2: (
            d_X,
            d_Q,
            d_K,
            d_V,
            d_O,
            d_2,
            d_1,
        ),
    ],
    "d-x-missing": lambda d_X, *d_W: d_W,
    "only-d-x": [lambda d_X, *d_W: d_X, lambda d_X, *d_W: (d_X,)],
}
SAW = "rows rows_2 joined hidden d_Q d_K d_V d_Z d_hidden d_out"
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
        "to_rows": Step(
            "d_Q d_K d_V W_Q W_K W_V",
            "d_rows",
            D_ROWS,
            lambda d_Q, d_K, d_V, W_Q, W_K, W_V: d_Q @ W_Q.T + d_K @ W_K.T + d_V @ W_V.T,
        ),
        "to_X": Step(
            "d_out d_Z X rows d_rows",
            "d_X",
            D_X,
            lambda d_out, d_Z, X, _, d: d_Z + norm_backward(X, d),
        ),
        "at": Step(
            f"X Z {SAW}",
            "at_Q at_K at_V at_O at_1 at_2",
            AT,
            lambda X, Z, *saw: matrices()(*saw),
        ),
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
    """An input whose rows are spread out, so that none is nearly constant; small matrices, so that no softmax saturates."""

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
    """Check `f(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads, d_out)` → d_X and a gradient for each matrix. Returns Feedback."""
    return right_answer(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads, d_out)
