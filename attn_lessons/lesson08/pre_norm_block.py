"""Lesson 08: a pre-norm Transformer block with one head, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, inside
from attn_parts import mathematics as maths

BLOCK, BUG = "l08-block", "l08-bug"


def attend(Y, *W_and_mask):
    return maths.self_attention(Y, *W_and_mask)[0]


def over(X, axis):
    return (X - X.mean(axis=axis, keepdims=True)) / X.std(axis=axis, keepdims=True)


def mlp(X, W_1, W_2):
    return np.maximum(X @ W_1, 0) @ W_2


# fmt: off
WRONG_AXIS = Mistake("wrong-axis", "normalised over the words", see=BUG,
    say="You normalise with the mean and standard deviation of the columns or of the whole matrix. Each word needs those of its own row.",
    ways=[lambda X: over(X, 0), lambda X: over(X, None)])
HALF_NORM = Mistake("half-normalised", "normalised by something other than mean and standard deviation",
    say="Layer normalisation has two parts: subtract the row's mean, then divide by the row's standard deviation. Yours leaves one out, or divides by the variance.",
    ways=[lambda X: X - X.mean(-1, keepdims=True), lambda X: X / X.std(-1, keepdims=True),
        lambda X: (X - X.mean(-1, keepdims=True)) / X.var(-1, keepdims=True)])
NORMS = [WRONG_AXIS, HALF_NORM]
READS_RAW = Mistake("attention-reads-raw", "attention reads rows that aren't normalised",
    say="Your attention reads X as it is. In a pre-norm block each sub-layer reads normalised rows.",
    ways=[np.array])
MLP_READS_RAW = Mistake("mlp-reads-raw", "the MLP reads rows that aren't normalised",
    say="Your MLP reads rows that aren't normalised. In a pre-norm block both sub-layers read normalised rows.",
    ways=[np.array])
MASK = [
    Mistake("future-visible", "the causal mask is missing",
        say="Your words attend to later words. Pass attn.causal_mask(len(X)) to attention.",
        ways=[lambda X: np.ones((len(X), len(X)), bool)]),
    Mistake("mask-inverted", "the mask isn't the causal one",
        say="Your mask hides words that should be attended to. attn.causal_mask(len(X)) is True where a word may be attended to: at earlier words, and at its own place.",
        ways=[lambda X: ~maths.causal_mask(len(X)), lambda X: maths.causal_mask(len(X)).T, lambda X: np.tri(len(X), k=-1, dtype=bool)]),
]
ATTEND = [
    Mistake("projections-mixed-up", "queries and keys are exchanged",
        say="Queries come from W_Q and keys from W_K. self_attention takes W_Q, W_K, W_V, in this order.",
        ways=[lambda X, Y, W_Q, W_K, W_V, mask: attend(Y, W_K, W_Q, W_V, mask)]),
    Mistake("weights-added", "the weights are added, not the output",
        say="You add attention's weights. self_attention returns the output first and the weights second, so take [0].",
        ways=[lambda X, Y, *given: maths.self_attention(Y, *given)[1]]),
    Mistake("both-results-added", "both results of attention are added",
        say="self_attention returns two arrays, the output and the weights, and you add both to X. Take the first, [0].",
        ways=[lambda X, Y, *given: np.array(maths.self_attention(Y, *given))]),
    Mistake("result-normalised", "a sub-layer's result is normalised",
        say="You normalise what attention returns. In a pre-norm block the rows that it *reads* are normalised, and its result is added as it is.",
        ways=[lambda X, Y, *given: maths.layer_norm(attend(X, *given)), lambda X, Y, *given: maths.layer_norm(attend(Y, *given))]),
]
ADD_1 = [
    Mistake("adds-the-normalised", "normalised rows are added, not X",
        say="The residual connection adds the rows that attention has read, after normalisation. It should add X as it came in. Did you overwrite X, or add the other one?",
        ways=[lambda X, Y, mixed: Y + mixed]),
    Mistake("no-residual", "a residual connection is missing",
        say="What attention returns replaces X, so whatever the words held is lost. Add X to it.",
        ways=[lambda X, Y, mixed: mixed]),
]
THINK = [
    Mistake("product-normalised", "normalised after W_1, not before",
        say="You normalise inside the MLP, after W_1. The rows that the MLP *reads* should be normalised, before W_1.",
        ways=[lambda Z, N, mixed, W_1, W_2, read=read, late=late: late(np.maximum(read(Z @ W_1), 0)) @ W_2
            for read, late in ((maths.layer_norm, np.array), (np.array, maths.layer_norm))]),
    Mistake("result-normalised", "a sub-layer's result is normalised",
        say="You normalise what the MLP returns. Only the rows that it *reads* are normalised, and its result is added as it is.",
        ways=[lambda Z, N, mixed, *W: maths.layer_norm(mlp(Z, *W)), lambda Z, N, mixed, *W: maths.layer_norm(mlp(N, *W))]),
    Mistake("mlp-reads-attention", "the MLP reads attention's result without X",
        say="Your MLP reads what attention returned, without X. It should read the normalised sum of the two.",
        ways=[lambda Z, N, mixed, *W: mlp(maths.layer_norm(mixed), *W), lambda Z, N, mixed, *W: mlp(mixed, *W)]),
    Mistake("no-relu", "no ReLU between W_1 and W_2",
        say="Nothing happens between W_1 and W_2, so the two are only one matrix. Negative numbers must become 0 in between.",
        ways=[lambda Z, N, mixed, W_1, W_2: N @ W_1 @ W_2, lambda Z, N, mixed, W_1, W_2: np.maximum(N, 0) @ W_1 @ W_2]),
    Mistake("relu-too-late", "ReLU comes after W_2",
        say="Your ReLU comes after W_2, so W_1 and W_2 are only one matrix. It belongs between the two.",
        ways=[lambda Z, N, mixed, W_1, W_2: np.maximum(N @ W_1 @ W_2, 0)]),
    Mistake("negatives-kept", "ReLU the wrong way round",
        say="Your MLP keeps the negative numbers and drops the positive ones. ReLU is np.maximum(…, 0).",
        ways=[lambda Z, N, mixed, W_1, W_2: np.minimum(N @ W_1, 0) @ W_2]),
]
ADD_2 = [
    Mistake("adds-the-normalised", "normalised rows are added, not X",
        say="The second residual connection adds the rows that the MLP has read, after normalisation. It should add them as they were before.",
        ways=[lambda X, Z, N, thought: N + thought]),
    Mistake("no-residual", "a residual connection is missing",
        say="What the MLP returns replaces the rows. Add it to them.",
        ways=[lambda X, Z, N, thought: thought]),
    Mistake("attention-dropped", "the sum with attention is left out",
        say="At the end you add the block's input, so what attention added is lost. Add the result of the MLP to the sum of X and attention.",
        ways=[lambda X, Z, N, thought: X + thought]),
    Mistake("added-twice", "X is added twice",
        say="You add X twice. The sum of X and attention holds X already, so add only the result of the MLP to it.",
        ways=[lambda X, Z, N, thought: X + Z + thought]),
    Mistake("post-norm", "the sum is normalised",
        say="You normalise the sum at the end, as the block of 2017 does. A pre-norm block normalises only what its sub-layers read.",
        ways=[lambda X, Z, N, thought: maths.layer_norm(Z + thought), lambda X, Z, N, thought: maths.layer_norm(N + thought)]),
]
STEPS = Steps("X W_Q W_K W_V W_1 W_2", {
    "norm": Step("", "norm", inside(NORMS, lambda way: lambda: way), lambda: maths.layer_norm),
    "normalise": Step("X norm", "Y", inside([READS_RAW, *NORMS], lambda way: lambda X, norm: way(X)), lambda X, norm: norm(X)),
    "mask": Step("X", "mask", MASK, lambda X: maths.causal_mask(len(X))),
    "attend": Step("X Y W_Q W_K W_V mask", "mixed", ATTEND, lambda X, Y, *given: attend(Y, *given)),
    "add": Step("X Y mixed", "Z", ADD_1, lambda X, Y, mixed: X + mixed),
    "normalise again": Step("Z norm", "N", inside([MLP_READS_RAW, *NORMS], lambda way: lambda Z, norm: way(Z)), lambda Z, norm: norm(Z)),
    "think": Step("Z N mixed W_1 W_2", "thought", THINK, lambda Z, N, mixed, *W: mlp(N, *W)),
    "add again": Step("X Z N thought", "result", ADD_2, lambda X, Z, N, thought: Z + thought),
})
whole = STEPS.whole({})
# Both sub-layers reading the same rows, and both sums normalised.
SEVERAL = [
    Mistake("in-parallel", "both sub-layers read the same rows",
        say="Your MLP reads the rows from before attention. It should read the sum of X and what attention returned.",
        ways=[lambda X, W_Q, W_K, W_V, W_1, W_2: X + attend(maths.layer_norm(X), W_Q, W_K, W_V, maths.causal_mask(len(X))) + mlp(maths.layer_norm(X), W_1, W_2)]),
    Mistake("post-norm", "the sums are normalised",
        say="You normalise the sums, as the block of 2017 does. A pre-norm block normalises only what its sub-layers read.",
        ways=[lambda X, W_Q, W_K, W_V, W_1, W_2: (lambda Z: maths.layer_norm(Z + mlp(Z, W_1, W_2)))(maths.layer_norm(X + attend(X, W_Q, W_K, W_V, maths.causal_mask(len(X)))))]),
]


def one_word(draw):
    return draw(1, 4) + np.arange(4.0), draw(4, 2), draw(4, 2), draw(4, 4), draw(4, 6), draw(6, 4)


@exercise(
    inputs={
        "two words": (np.array([[1.0, 5], [4, 0]]), *[np.eye(2)] * 2, np.array([[1.0, 0], [0, 2]]), np.array([[1.0, 0], [-1, 1]]), np.array([[1.0, 0], [0, 3]])),
        "three words": lambda draw: (draw(3, 4) + np.arange(4.0), draw(4, 2), draw(4, 2), draw(4, 4), draw(4, 6), draw(6, 4)),
        "as many words as columns": lambda draw: (0.7 * draw(4, 4) + np.arange(4.0), *[0.5 * draw(4, 4) for _ in range(5)]),
        "a single word": one_word,
    },
    mistakes=[*SEVERAL, *STEPS.mistakes()], steps=STEPS, see=BLOCK)
def pre_norm_block(X, W_Q, W_K, W_V, W_1, W_2):
    """Check `f(X, W_Q, W_K, W_V, W_1, W_2)` → (L, d_model), a causal pre-norm block with one head. Returns Feedback."""
    return whole(X, W_Q, W_K, W_V, W_1, W_2)
