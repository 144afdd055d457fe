"""Lesson 08: a causal pre-norm Transformer block with several heads and an MLP, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, same, told_in
from attn_parts import mathematics as maths

norm = maths.layer_norm


def causal(X):
    return maths.causal_mask(X.shape[-2])


# X, Y, mixed, Z, N, thought: (..., L, d_model), joined: (..., L, n_heads · d_head)
def by_root_of_width(W_Q, W_V, n_heads):
    return np.sqrt(W_Q.shape[1] / n_heads)


def each_head(Y, W_Q, W_K, W_V, n_heads, mask, divisor):
    """The outputs of all heads, (..., n_heads, L, d_head)."""
    Q, K, V = (maths.split_heads(Y @ W, n_heads) for W in (W_Q, W_K, W_V))
    return maths.scaled_dot_product_attention(Q, K, V, mask, scale=1 / divisor)[0]


def heads(*given):
    """The outputs of all heads side by side."""
    return maths.merge_heads(each_head(*given))


def merged_by_reshape(Y, *given):
    return each_head(Y, *given).reshape(*Y.shape[:-1], -1)


def mlp(X, W_1, W_2):
    return np.maximum(X @ W_1, 0) @ W_2


def through(around):
    """The MLP with another function where ReLU is."""
    return lambda Z, N, mixed, W_1, W_2: around(N @ W_1) @ W_2


READS_RAW = {"attention-reads-raw": np.array}
MLP_READS = {"mlp-reads-raw": lambda Z, Y: Z, "in-parallel": lambda Z, Y: Y}
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
    "one-head": lambda Y, W_Q, W_K, W_V, n_heads, mask, divisor: heads(
        Y, W_Q, W_K, W_V, 1, mask, divisor * np.sqrt(n_heads)
    ),
    "reshape-without-transpose": merged_by_reshape,
}
DIVISOR = {
    "not-scaled": lambda W_Q, W_V, n_heads: 1.0,
    "divided-by-d-k": lambda W_Q, W_V, n_heads: W_Q.shape[1] / n_heads,
    "scaled-by-d-model": lambda W_Q, W_V, n_heads: np.sqrt(len(W_Q)),
    "divided-by-another-root (V)": lambda W_Q, W_V, n_heads: np.sqrt(W_V.shape[1] / n_heads),
    "divided-by-another-root (X over heads)": lambda W_Q, W_V, n_heads: np.sqrt(len(W_Q) / n_heads),
}
OUTPUT = {
    "no-output-projection": lambda joined, W_O: joined,
    "output-projection-transposed": lambda joined, W_O: joined @ W_O.T,
    "result-normalised": lambda joined, W_O: norm(joined @ W_O),
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
        "divisor": Step("W_Q W_V n_heads", "divisor", told_in("multi_head", DIVISOR), by_root_of_width),
        "attend": Step("Y W_Q W_K W_V n_heads mask divisor", "joined", HEADS, heads),
        "project": Step("joined W_O", "mixed", OUTPUT, np.matmul),
        "add": Step("X Y mixed", "Z", ADD_1, lambda X, Y, mixed: X + mixed),
        "normalise again": Step("Z Y", "N", MLP_READS, lambda Z, Y: norm(Z)),
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


def taken(**ways):
    """The block with several steps taken in other ways."""
    return STEPS.whole({name.replace("_", " "): way for name, way in ways.items()})


NOT_ADDED = ADD_2["attention-dropped"]
SEVERAL = {
    "attention-not-added": [taken(think=way, add_again=NOT_ADDED) for way in THINK["mlp-reads-attention"]],
    "post-norm (both)": taken(
        normalise=np.array,
        add=lambda X, Y, mixed: norm(X + mixed),
        normalise_again=lambda Z, Y: Z,
        add_again=lambda X, Z, N, thought: norm(Z + thought),
    ),
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
    """Check `f(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)` → (..., L, d_model), a causal pre-norm block.

    Returns Feedback.
    """
    return whole(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)
