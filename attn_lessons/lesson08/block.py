"""Lesson 08: a causal pre-norm Transformer block with several heads and an MLP, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, same, told_in
from attn_parts import mathematics as maths

norm = maths.layer_norm


def causal(X):
    return maths.causal_mask(X.shape[-2])


def heads(Y, W_Q, W_K, W_V, n_heads, mask):
    """The outputs of all heads side by side."""
    Q, K, V = (maths.split_heads(Y @ W, n_heads) for W in (W_Q, W_K, W_V))
    return maths.merge_heads(maths.scaled_dot_product_attention(Q, K, V, mask)[0])


def merged_by_reshape(Y, W_Q, W_K, W_V, n_heads, mask):
    Q, K, V = (maths.split_heads(Y @ W, n_heads) for W in (W_Q, W_K, W_V))
    output = maths.scaled_dot_product_attention(Q, K, V, mask)[0]
    return output.reshape(*Y.shape[:-1], -1)


def divided_by(square):
    """All heads, with scores divided by another root, that of this function of the widths."""
    return lambda Y, W_Q, W_K, W_V, n_heads, mask: heads(
        Y,
        W_Q * (W_Q.shape[1] / n_heads / square(*W_Q.shape, W_V.shape[1], n_heads)) ** 0.5,
        W_K,
        W_V,
        n_heads,
        mask,
    )


def mlp(X, W_1, W_2):
    return np.maximum(X @ W_1, 0) @ W_2


def through(around):
    """The MLP with another function where ReLU is."""
    return lambda Z, N, mixed, W_1, W_2: around(N @ W_1) @ W_2


READS_RAW = {"attention-reads-raw": np.array}
MLP_READS_RAW = {"mlp-reads-raw": np.array}
MASK = {
    "future-visible": lambda X: np.ones((X.shape[-2], X.shape[-2]), bool),
    "mask-inverted": [
        lambda X: ~causal(X),
        lambda X: causal(X).T,
        lambda X: np.tri(X.shape[-2], k=-1, dtype=bool),
    ],
}
HEADS = {
    "projections-mixed-up": lambda Y, W_Q, W_K, W_V, *others: heads(Y, W_K, W_Q, W_V, *others),
    "one-head": lambda Y, W_Q, W_K, W_V, n_heads, mask: heads(Y, W_Q, W_K, W_V, 1, mask),
    "reshape-without-transpose": merged_by_reshape,
}
SCALED = {
    "not-scaled": divided_by(lambda d_model, d_k, d_v, n_heads: 1),
    "divided-by-d-k": divided_by(lambda d_model, d_k, d_v, n_heads: (d_k / n_heads) ** 2),
    "scaled-by-d-model": divided_by(lambda d_model, d_k, d_v, n_heads: d_model),
    "divided-by-another-root (V)": divided_by(lambda d_model, d_k, d_v, n_heads: d_v / n_heads),
    "divided-by-another-root (X over heads)": divided_by(
        lambda d_model, d_k, d_v, n_heads: d_model / n_heads
    ),
}
OUTPUT = {
    "no-output-projection": lambda X, Y, joined, W_O: joined,
    "output-projection-transposed": lambda X, Y, joined, W_O: joined @ W_O.T,
    "result-normalised": lambda X, Y, joined, W_O: norm(joined @ W_O),
}
ADD_1 = {
    "adds-the-normalised": lambda X, Y, mixed: Y + mixed,
    "no-residual": lambda X, Y, mixed: mixed,
}
THINK = {
    "result-normalised (mlp)": [
        lambda Z, N, mixed, *W: norm(mlp(Z, *W)),
        lambda Z, N, mixed, *W: norm(mlp(N, *W)),
    ],
    "mlp-reads-attention": [
        lambda Z, N, mixed, *W: mlp(norm(mixed), *W),
        lambda Z, N, mixed, *W: mlp(mixed, *W),
    ],
    "no-relu": [
        through(np.array),
        lambda Z, N, mixed, W_1, W_2: np.maximum(N, 0) @ W_1 @ W_2,
    ],
    "relu-too-late": lambda Z, N, mixed, W_1, W_2: np.maximum(N @ W_1 @ W_2, 0),
    "negatives-kept": through(lambda wide: np.minimum(wide, 0)),
}
ADD_2 = {
    "adds-the-normalised (mlp)": lambda X, Z, N, thought: N + thought,
    "no-residual (mlp)": lambda X, Z, N, thought: thought,
    "attention-dropped": lambda X, Z, N, thought: X + thought,
    "added-twice": lambda X, Z, N, thought: X + Z + thought,
    "post-norm": [
        lambda X, Z, N, thought: norm(Z + thought),
        lambda X, Z, N, thought: norm(N + thought),
    ],
}
STEPS = Steps(
    "X W_Q W_K W_V W_O W_1 W_2 n_heads",
    {
        "normalise": Step("X", "Y", READS_RAW, norm),
        "mask": Step("X", "mask", MASK, causal),
        "attend": Step(
            "Y W_Q W_K W_V n_heads mask",
            "joined",
            [HEADS, told_in("multi_head", SCALED)],
            heads,
        ),
        "project": Step(
            "X Y joined W_O",
            "mixed",
            OUTPUT,
            lambda X, Y, joined, W_O: joined @ W_O,
        ),
        "add": Step("X Y mixed", "Z", ADD_1, lambda X, Y, mixed: X + mixed),
        "normalise again": Step("Z", "N", MLP_READS_RAW, norm),
        "think": Step(
            "Z N mixed W_1 W_2",
            "thought",
            THINK,
            lambda Z, N, mixed, *W: mlp(N, *W),
        ),
        "add again": Step("X Z N thought", "result", ADD_2, lambda X, Z, N, thought: Z + thought),
    },
)
whole = STEPS.whole({})


def attention_in(X, W_Q, W_K, W_V, W_O, n_heads):
    """What the attention of the block makes of rows that it reads."""
    return heads(X, W_Q, W_K, W_V, n_heads, causal(X)) @ W_O


def in_parallel(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads):
    Y = norm(X)
    return X + attention_in(Y, W_Q, W_K, W_V, W_O, n_heads) + mlp(Y, W_1, W_2)


def attention_not_added(around):
    """The MLP reads attention's result alone, and X is added at the end."""
    return lambda X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads: (
        X + mlp(around(attention_in(norm(X), W_Q, W_K, W_V, W_O, n_heads)), W_1, W_2)
    )


def post_norm(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads):
    Z = norm(X + attention_in(X, W_Q, W_K, W_V, W_O, n_heads))
    return norm(Z + mlp(Z, W_1, W_2))


SEVERAL = {
    "in-parallel": in_parallel,
    "attention-not-added": [
        attention_not_added(norm),
        attention_not_added(np.array),
    ],
    "post-norm (both)": post_norm,
}


def unmasked(ask, given, wanted, got):
    """Say it if these are the numbers without a mask, as of lesson 07's multi_head, which takes no batch."""
    is_unmasked = same(got, (STEPS.whole({"mask": MASK["future-visible"]})(*given),))
    told = "Every row sees the future. mine.multi_head has no mask, so write its lines with a causal mask."
    return told if is_unmasked else ""


def made(*shape, heads, wide, keys=0, values=0):
    """An input with random matrices; its rows are spread out, so that no row is nearly constant."""

    def make(draw):
        d_model = shape[-1]
        d_k, d_v = keys or d_model, values or d_model
        X = draw(*shape) + 4.0 * np.arange(d_model)
        return (
            X,
            *(draw(d_model, width) / 2 for width in (d_k, d_k, d_v)),
            draw(d_v, d_model) / 2,
            draw(d_model, wide),
            draw(wide, d_model),
            heads,
        )

    return make


SMALLEST = (
    np.array([[1.0, 5], [4, 0]]),
    *[np.eye(2)] * 2,
    np.array([[1.0, 0], [0, 2]]),
    np.array([[1.0, 0], [2, 1]]),
    np.array([[1.0, 0], [-1, 1]]),
    np.array([[1.0, 0], [0, 3]]),
    1,
)


@exercise(
    inputs={
        "smallest": SMALLEST,
        "three words, two heads": made(3, 4, heads=2, wide=6),
        "as many words as columns": made(4, 4, heads=2, wide=4),
        "a single word": made(1, 4, heads=2, wide=6),
        "a batch": made(2, 3, 4, heads=2, wide=8),
        "all widths differ": made(3, 4, heads=2, wide=5, keys=6, values=10),
    },
    own=unmasked,
    mistakes=[SEVERAL, STEPS.mistakes()],
    steps=STEPS,
)
def block(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)` → (..., L, d_model), a causal pre-norm block. Returns Feedback."""
    return whole(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)
