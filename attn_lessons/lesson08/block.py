"""Lesson 08: a causal pre-norm Transformer block with several heads and an MLP, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_checks.steps import Step, Steps
from attn_parts import mathematics as maths

BLOCK, MLP = "l08-block", "l08-mlp"
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


def mlp(X, W_1, W_2):
    return np.maximum(X @ W_1, 0) @ W_2


def through(around):
    """The MLP with another function where ReLU is."""
    return lambda Z, N, mixed, W_1, W_2: around(N @ W_1) @ W_2


READS_RAW = Mistake(
    "attention-reads-raw",
    "attention reads rows that aren't normalised",
    [np.array],
    "Your attention reads X as it is. In a pre-norm block each sub-layer reads normalised rows.",
)
MLP_READS_RAW = Mistake(
    "mlp-reads-raw",
    "the MLP reads rows that aren't normalised",
    [np.array],
    "Your MLP reads rows that aren't normalised. In a pre-norm block both sub-layers read normalised rows.",
)
MASK = [
    Mistake(
        "future-visible",
        "the causal mask is missing",
        [lambda X: np.ones((X.shape[-2], X.shape[-2]), bool)],
        "Your words attend to later words. Pass a causal mask to attention, one for as many words as a text has.",
    ),
    Mistake(
        "mask-inverted",
        "the mask isn't the causal one",
        [
            lambda X: ~causal(X),
            lambda X: causal(X).T,
            lambda X: np.tri(X.shape[-2], k=-1, dtype=bool),
        ],
        "Your mask hides words that should be attended to. It should be True at earlier words and at a word's own "
        "place, as mine.causal_mask makes it.",
    ),
]
HEADS = [
    Mistake(
        "projections-mixed-up",
        "queries and keys are exchanged",
        [lambda Y, W_Q, W_K, W_V, *others: heads(Y, W_K, W_Q, W_V, *others)],
        "Queries come from W_Q and keys from W_K. Yours are exchanged.",
    ),
    Mistake(
        "one-head",
        "n_heads has no effect",
        [lambda Y, W_Q, W_K, W_V, n_heads, mask: heads(Y, W_Q, W_K, W_V, 1, mask)],
        "You compute one wide head. Split the columns of Q, K and V into n_heads heads.",
    ),
    Mistake(
        "reshape-without-transpose",
        "merged by a reshape alone",
        [merged_by_reshape],
        "You merge the heads with reshape alone, which mixes up words. attn.merge_heads exchanges the axes first.",
    ),
]
OUTPUT = [
    Mistake(
        "no-output-projection",
        "W_O is missing",
        [lambda X, Y, joined, W_O: joined],
        "You add the merged heads as they are. Multiply them by W_O first.",
    ),
    Mistake(
        "output-projection-transposed",
        "W_O was transposed",
        [lambda X, Y, joined, W_O: joined @ W_O.T],
        "You use W_O transposed. Multiply by W_O from the right, as it is.",
    ),
    Mistake(
        "result-normalised",
        "a sub-layer's result is normalised",
        [lambda X, Y, joined, W_O: norm(joined @ W_O)],
        "You normalise what attention returns. In a pre-norm block the rows that it *reads* are normalised, and its "
        "result is added as it is.",
    ),
]
ADD_1 = [
    Mistake(
        "adds-the-normalised",
        "normalised rows are added, not X",
        [lambda X, Y, mixed: Y + mixed],
        "The residual connection adds the rows that attention has read, after normalisation. It should add X as it "
        "came in. Did you overwrite X, or add the other one?",
    ),
    Mistake(
        "no-residual",
        "a residual connection is missing",
        [lambda X, Y, mixed: mixed],
        "What attention returns replaces X, so whatever the words held is lost. Add X to it.",
    ),
]
THINK = [
    Mistake(
        "result-normalised",
        "a sub-layer's result is normalised",
        [lambda Z, N, mixed, *W: norm(mlp(Z, *W)), lambda Z, N, mixed, *W: norm(mlp(N, *W))],
        "You normalise what the MLP returns. Only the rows that it *reads* are normalised, and its result is added "
        "as it is.",
    ),
    Mistake(
        "mlp-reads-attention",
        "the MLP reads attention's result without X",
        [lambda Z, N, mixed, *W: mlp(norm(mixed), *W), lambda Z, N, mixed, *W: mlp(mixed, *W)],
        "Your MLP reads what attention returned, without X. It should read the normalised sum of the two.",
    ),
    Mistake(
        "no-relu",
        "no ReLU between W_1 and W_2",
        [through(np.array), lambda Z, N, mixed, W_1, W_2: np.maximum(N, 0) @ W_1 @ W_2],
        "Nothing happens between W_1 and W_2, so the two are only one matrix. Negative numbers must become 0 in "
        "between.",
        see=MLP,
    ),
    Mistake(
        "relu-too-late",
        "ReLU comes after W_2",
        [lambda Z, N, mixed, W_1, W_2: np.maximum(N @ W_1 @ W_2, 0)],
        "Your ReLU comes after W_2, so W_1 and W_2 are only one matrix. It belongs between the two.",
        see=MLP,
    ),
    Mistake(
        "negatives-kept",
        "ReLU the wrong way round",
        [through(lambda wide: np.minimum(wide, 0))],
        "Your MLP keeps the negative numbers and drops the positive ones. ReLU is np.maximum(…, 0).",
        see=MLP,
    ),
]
ADD_2 = [
    Mistake(
        "adds-the-normalised",
        "normalised rows are added, not X",
        [lambda X, Z, N, thought: N + thought],
        "The second residual connection adds the rows that the MLP has read, after normalisation. It should add "
        "them as they were before.",
    ),
    Mistake(
        "no-residual",
        "a residual connection is missing",
        [lambda X, Z, N, thought: thought],
        "What the MLP returns replaces the rows. Add it to them.",
    ),
    Mistake(
        "attention-dropped",
        "the sum with attention is left out",
        [lambda X, Z, N, thought: X + thought],
        "At the end you add the block's input, so what attention added is lost. Add the result of the MLP to the "
        "sum of X and attention.",
    ),
    Mistake(
        "added-twice",
        "X is added twice",
        [lambda X, Z, N, thought: X + Z + thought],
        "You add X twice. The sum of X and attention holds X already, so add only the result of the MLP to it.",
    ),
    Mistake(
        "post-norm",
        "the sum is normalised",
        [lambda X, Z, N, thought: norm(Z + thought), lambda X, Z, N, thought: norm(N + thought)],
        "You normalise the sum at the end, as the block of 2017 does. A pre-norm block normalises only what its "
        "sub-layers read.",
    ),
]
STEPS = Steps(
    "X W_Q W_K W_V W_O W_1 W_2 n_heads",
    {
        "normalise": Step("X", "Y", [READS_RAW], norm),
        "mask": Step("X", "mask", MASK, causal),
        "attend": Step("Y W_Q W_K W_V n_heads mask", "joined", HEADS, heads),
        "project": Step("X Y joined W_O", "mixed", OUTPUT, lambda X, Y, joined, W_O: joined @ W_O),
        "add": Step("X Y mixed", "Z", ADD_1, lambda X, Y, mixed: X + mixed),
        "normalise again": Step("Z", "N", [MLP_READS_RAW], norm),
        "think": Step("Z N mixed W_1 W_2", "thought", THINK, lambda Z, N, mixed, *W: mlp(N, *W)),
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


def post_norm(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads):
    Z = norm(X + attention_in(X, W_Q, W_K, W_V, W_O, n_heads))
    return norm(Z + mlp(Z, W_1, W_2))


SEVERAL = [
    Mistake(
        "in-parallel",
        "both sub-layers read the same rows",
        [in_parallel],
        "Your MLP reads the rows from before attention. It should read the sum of X and what attention returned.",
    ),
    Mistake(
        "post-norm",
        "the sums are normalised",
        [post_norm],
        "You normalise the sums, as the block of 2017 does. A pre-norm block normalises only what its sub-layers "
        "read.",
    ),
]


def made(*shape, heads, wide):
    """An input with random matrices; its rows are spread out, so that no row is nearly constant."""

    def make(draw):
        d_model = shape[-1]
        X = draw(*shape) + 4.0 * np.arange(d_model)
        return (
            X,
            *(draw(d_model, d_model) / 2 for _ in range(4)),
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
    },
    mistakes=[*SEVERAL, *STEPS.mistakes()],
    steps=STEPS,
    see=BLOCK,
)
def block(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)` → (..., L, d_model), a causal pre-norm block. Returns Feedback."""
    return whole(X, W_Q, W_K, W_V, W_O, W_1, W_2, n_heads)
