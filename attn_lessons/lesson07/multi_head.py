"""Lesson 07: attention with several heads, made of steps."""

from itertools import product

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, same, table
from attn_lessons.lesson05.self_attention import projections
from attn_lessons.lesson07.split_heads import CUT, HEADS_MISSING, cut_up, split, strided
from attn_parts import mathematics as maths

BACK = "l07-back"
JOINED = "l07-joined"
PRODUCT = "l07-product"
TWO = "l07-two"


def side_by_side(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def merged_by_reshape(heads):
    return heads.reshape(heads.shape[1], -1)


def all_by(cut):
    """The step of splitting, each of the three by the same cut."""
    return lambda q, k, v, n_heads: tuple(cut(each, n_heads) for each in (q, k, v))


def divided_by(number):
    """The step of dividing; `number` is made of Q and V of all heads, (n_heads, L, d_head), and of X."""
    return lambda scores, *given: scores / number(*given)


# fmt: off
PROJECT_MISTAKES = [
    Mistake("projections-mixed-up", "Q, K and V are mixed up", see=TWO,
        say="Some of Q, K and V are exchanged, or come from the same matrix. Q needs W_Q, K needs W_K, and V needs W_V. A score is a query times a key.",
        ways=[lambda X, *W, order=order: tuple(X @ W[i] for i in order)
            for order in sorted(product(range(3), repeat=3), key=lambda order: (order != (1, 0, 2), sum(i != own for own, i in enumerate(order)))) if order != (0, 1, 2)])
]
SPLIT_MISTAKES = [
    Mistake("reshape-without-transpose", "a reshape alone, which moves no axis", see=BACK,
        say="Your split or your concatenation mixes up words, because reshape alone moves no axis. Exchange the axes of words and heads as well.",
        ways=[all_by(cut_up)]),
    Mistake("strided-split", "every n-th column instead of a block", see=CUT,
        say="Your heads take turns, column by column. Head 0 needs the first columns of W_Q, W_K and W_V, next to each other.",
        ways=[all_by(strided)]),
    Mistake("one-head", "n_heads has no effect",
        say="You compute one wide head. Split the columns into heads before the scores.",
        ways=[all_by(lambda each, n_heads: each[None])]),
    Mistake("always-two-heads", "n_heads has no effect",
        say="You always make two heads. Make n_heads of them.",
        ways=[all_by(lambda each, n_heads: split(each, 2))]),
    Mistake("first-head-for-all", "every head uses head 0 of Q, K or V", see=TWO,
        say="Every head of yours uses the same Q, K or V, that of head 0. Each head needs its own of all three.",
        ways=[lambda *given, which=which: tuple(0 * heads + heads[:1] if i in which else heads for i, heads in enumerate(all_by(split)(*given)))
            for which in ((2,), (1,), (0,), (0, 1))]),
]
SCORE_MISTAKES = [
    Mistake("reversed-axes", ".T reverses every axis", see="l01-batch-md",
        say="K has three axes here, and .T reverses all of them. Exchange only the last two.",
        ways=[lambda Q, K: Q @ K.T])
]
OTHER_ROOTS = {
    "the root of the number of words": [lambda Q, *_: np.sqrt(Q.shape[1])],
    "the number of heads, or its root": [lambda Q, *_: np.sqrt(len(Q)), lambda Q, *_: len(Q)],
    "the root of a head's width over the number of heads": [lambda Q, *_: np.sqrt(Q.shape[-1] / len(Q))],
    "the root of a head's width in V": [lambda Q, V, X: np.sqrt(V.shape[-1])],
    "the root of the width of X over the number of heads": [lambda Q, V, X: np.sqrt(X.shape[-1] / len(Q))],
}
SCALE_MISTAKES = table(
    "l02-divide",
    Mistake("scaled-by-d-model", "scaled by √d_model",
        say="You divide by √d_model, the root of the width of X. A score adds up one product per column of a head, so divide by the root of that number.",
        ways=[divided_by(lambda Q, V, X: np.sqrt(X.shape[-1]))]),
    Mistake("scaled-by-all-heads", "scaled by the root of the width of all heads together",
        say="You divide by the root of the width of all heads together, as W_Q or W_V makes it. A score adds up only the products of its own head, so divide by the root of a head's width.",
        ways=[divided_by(lambda Q, *_: np.sqrt(len(Q) * Q.shape[-1])), divided_by(lambda Q, V, X: np.sqrt(len(V) * V.shape[-1]))]),
    Mistake("not-scaled", "the scores are not scaled",
        say="Your scores aren't scaled. Divide them by √d_head.",
        ways=[divided_by(lambda *_: 1.0)]),
    Mistake("divided-by-d-k", "divided by d_k, without the root",
        say="You divide by the width of a head. Divide by its square root.",
        ways=[divided_by(lambda Q, *_: Q.shape[-1])]),
    Mistake("multiplied-by-root", "multiplied by √d_head, not divided",
        say="You multiply by the root of a head's width. Divide by it.",
        ways=[divided_by(lambda Q, *_: Q.shape[-1] ** -0.5)]),
    *[Mistake("divided-by-another-root", f"divided by {what}",
        say="You don't divide by the root of a head's width, which is the last axis of Q once it's split.",
        ways=list(map(divided_by, numbers))) for what, numbers in OTHER_ROOTS.items()],
)
SOFTMAX_MISTAKES = table(
    TWO,
    Mistake("shared-over-heads", "softmax runs over the heads",
        say="Your softmax normalises over the heads, but each head needs a softmax of its own. Which axis of the scores holds the keys?",
        ways=[lambda scaled: maths.softmax(scaled, axis=0)]),
    Mistake("wrong-axis", "normalised over the queries", see="l04-axis",
        say="In each head the *columns* of your weights sum to 1. A row belongs to one query, so each row should sum to 1.",
        ways=[lambda scaled: maths.softmax(scaled, axis=-2)]),
    Mistake("whole-array", "normalised over several rows at once",
        say="All weights of a head, or of all heads, sum to 1 together. Each row should sum to 1.",
        ways=[lambda scaled: maths.softmax(scaled.ravel()).reshape(scaled.shape), lambda scaled: maths.softmax(scaled.reshape(len(scaled), -1)).reshape(scaled.shape)]),
    Mistake("no-softmax", "softmax is missing",
        say="You multiply the values by scores. Apply softmax first, so that each row of weights sums to 1.",
        ways=[lambda scaled: scaled]),
    Mistake("causal-unasked", "a causal mask that isn't needed", see=PRODUCT,
        say="You hide later tokens, but this function takes no mask. Every token may attend to every token.",
        ways=[lambda scaled: maths.softmax(np.where(np.tri(scaled.shape[-1], dtype=bool), scaled, -np.inf))]),
)
MIX_MISTAKES = [
    Mistake("divided-after-softmax", "something other than the scores is divided", see="l02-divide",
        say="You divide the weights, the values or the output. Only the scores are divided, before softmax.",
        ways=[lambda weights, V: weights @ V / np.sqrt(V.shape[-1]), lambda weights, V: weights @ V / len(V), lambda weights, V: weights @ V / V.shape[-1]]),
    Mistake("transposed-weights", "the weights were transposed", see="l05-output",
        say="In each head you weight the values with the columns of the weights. Row i of the weights belongs to word i.",
        ways=[lambda weights, V: weights.swapaxes(-1, -2) @ V])
]
MERGE_MISTAKES = [
    *again([HEADS_MISSING], {"heads-missing": [lambda heads, way=way: side_by_side(way(heads)) for way in HEADS_MISSING.ways[:4]]}),
    *again(SPLIT_MISTAKES, {"reshape-without-transpose": [merged_by_reshape]}),
    Mistake("heads-added", "the heads are not side by side", see=JOINED,
        say="When they meet W_O, your heads aren't side by side: they are added, averaged, below each other, or not joined at all. Concatenate them along the last axis, so that each head keeps its own columns in the row of a word.",
        ways=[np.vstack, lambda heads: heads.sum(axis=0), lambda heads: np.tile(heads.sum(axis=0), (1, len(heads))),
            lambda heads: np.tile(heads.mean(axis=0), (1, len(heads))), lambda heads: np.hstack([heads.sum(axis=0), *0 * heads[1:]])]),
    Mistake("joined-by-other-axes", "the wrong axes were exchanged before concatenating", see=BACK,
        say="You concatenate with the axes in the wrong order. Words must be the first axis and heads the second, so that a word's columns from all heads form one row.",
        ways=[lambda heads, order=order: heads.transpose(order).reshape(heads.shape[1], -1)
            for order in ((0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0))]),
]
RETURN_MISTAKES = [
    Mistake("no-output-projection", "W_O is missing", see=JOINED,
        say="You return the concatenated heads. Multiply them by one more matrix, W_O.",
        ways=[lambda joined, W_O: joined]),
    Mistake("output-projection-transposed", "W_O was transposed", see=JOINED,
        say="You use W_O transposed. A row of the concatenated heads is a word, so multiply by W_O from the right, as it is.",
        ways=[lambda joined, W_O: joined @ W_O.T]),
]
STEPS = Steps("X W_Q W_K W_V W_O n_heads", {
    "project": Step("X W_Q W_K W_V", "q k v", PROJECT_MISTAKES, projections),
    "split": Step("q k v n_heads", "Q K V", SPLIT_MISTAKES, all_by(split)),
    "scores": Step("Q K", "scores", SCORE_MISTAKES, lambda Q, K: Q @ K.swapaxes(-1, -2)),
    "scale": Step("scores Q V X", "scaled", SCALE_MISTAKES, divided_by(lambda Q, *_: np.sqrt(Q.shape[-1]))),
    "softmax": Step("scaled", "weights", SOFTMAX_MISTAKES, maths.softmax),
    "mix": Step("weights V", "heads", MIX_MISTAKES, lambda weights, V: weights @ V),
    "merge": Step("heads", "joined", MERGE_MISTAKES, side_by_side),
    "return": Step("joined W_O", "result", RETURN_MISTAKES, lambda joined, W_O: joined @ W_O),
}, few=7)
attend = STEPS.whole({})

# One idea in two steps.
IN_TWO_STEPS = again(SPLIT_MISTAKES, {
    "reshape-without-transpose": [STEPS.whole({"split": all_by(cut_up), "merge": merged_by_reshape})],
    "strided-split": [STEPS.whole({"split": all_by(strided), "merge": lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)})],
})


def where_it_parts(ask, given, wanted, got):
    """Say which part is still right where the weights are known: for one word, where all scores are 0, in one head."""
    X, W_Q, *W, n_heads = given

    def goes_right(X, W_Q, n_heads):
        """On X and, where no score is so large that it decides alone, on a smaller one; None if it fails there."""
        results = [(ask(x, W_Q, *W, n_heads), (attend(x, W_Q, *W, n_heads),)) for x in (X, X / 4)]
        return all(same(*pair) for pair in results) if all(mine for mine, _ in results) else None

    one_word, no_scores = goes_right(X[:1], W_Q, n_heads), goes_right(X, 0 * W_Q, n_heads)
    if one_word is None or no_scores is None:
        return ""
    if not one_word:
        text = "Your result is wrong even for a text of one word. That word gives itself the weight 1 in every head, so your result should be X @ W_V @ W_O there."
    elif not no_scores:
        text = "Your result is right for a single word. But where all scores are 0 (W_Q full of zeros) each word should get the mean of the values, and yours doesn't. Look at your softmax and at weights @ V."
    else:
        text = "Your result is right for a single word, and where all scores are 0 (W_Q full of zeros). Look at how each head makes its scores, at the axis of softmax, and at which weights multiply which V."
    if n_heads > 1 and goes_right(X, W_Q, 1):
        text += " With one head your result is right."
    return text


def embeddings(length, d_model, n_heads):
    """An input: X, four projections, and the number of heads."""
    return lambda draw: (draw(length, d_model), *(draw(d_model, d_model) / 2 for _ in range(4)), n_heads)


@exercise(own=where_it_parts, mistakes=[*STEPS.mistakes(), *IN_TWO_STEPS], steps=STEPS, result="output", see=PRODUCT, inputs={
    "smallest": embeddings(2, 4, 2),
    "three heads": embeddings(3, 6, 3),
    "more tokens than features in a head": embeddings(5, 6, 2),
    "one head": embeddings(3, 4, 1),
    "heads one feature wide": embeddings(4, 4, 4),
    "all widths differ": lambda draw: (draw(4, 6) / 4, draw(6, 10) / 2, draw(6, 10) / 2, draw(6, 14) / 2, draw(14, 6) / 2, 2),
})
def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, n_heads)` → (L, d_model). Returns Feedback."""
    return attend(X, W_Q, W_K, W_V, W_O, n_heads)
