"""Lesson 07: attention with several heads, made of steps."""

from itertools import product

import numpy as np

from attn_checks.compare import same
from attn_checks.exercise import Mistake, exercise, table
from attn_checks.steps import Step, Steps
from attn_lessons.lesson05.self_attention import projections
from attn_lessons.lesson07.split_heads import CUT, cut_up, split, strided
from attn_parts import mathematics as maths

BACK = "l07-back"
JOINED = "l07-joined"
PRODUCT = "l07-product"


def side_by_side(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def merged_by_reshape(heads):
    return heads.reshape(heads.shape[1], -1)


def all_by(cut):
    """The step of splitting, each of the three by the same cut."""
    return lambda q, k, v, n_heads: tuple(cut(each, n_heads) for each in (q, k, v))


def divided_by(number):
    """The step of dividing; `number` is made of Q of all heads, (n_heads, L, d_head)."""
    return lambda scores, Q: scores / number(Q)


# fmt: off
PROJECT_MISTAKES = [
    Mistake("projections-mixed-up", "two of Q, K and V come from one projection", see="l07-two",
        say="Queries come from W_Q, keys from W_K, values from W_V. Two of yours have changed places, or share one.",
        ways=[lambda X, *W, order=order: tuple(X @ W[i] for i in order)
            for order in sorted(product(range(3), repeat=3), key=lambda order: -len(set(order))) if order != (0, 1, 2)])
]
SPLIT_MISTAKES = [
    Mistake("reshape-without-transpose", "a reshape alone, which moves no axis", see=BACK,
        say="Splitting or joining the heads mixes up words: reshape alone does not move axes.",
        ways=[all_by(cut_up)]),
    Mistake("strided-split", "every n-th column in place of a block", see=CUT,
        say="Your heads take turns, column by column. Head 0 has the first columns of W_Q, W_K and W_V, all in a row.",
        ways=[all_by(strided)]),
    Mistake("one-head", "n_heads has no effect", see=PRODUCT,
        say="This is one wide head. Split the columns among the heads before attending.",
        ways=[all_by(lambda each, n_heads: each[None])]),
]
SCORE_MISTAKES = [
    Mistake("reversed-axes", ".T reverses every axis", see="l01-batch-md",
        say="K has three axes now, and .T turns all of them round. Only the last two should change places.",
        ways=[lambda Q, K: Q @ K.T])
]
OTHER_ROOTS = {
    "the root of the number of words": [lambda Q: np.sqrt(Q.shape[1])],
    "the number of heads, or its root": [lambda Q: np.sqrt(len(Q)), len],
    "the root of a head's width over the number of heads": [lambda Q: np.sqrt(Q.shape[-1] / len(Q))],
}
SCALE_MISTAKES = table(
    "l02-divide",
    Mistake("scaled-by-d-model", "scaled by √d_model",
        say="A score of one head adds up d_model / n_heads products, not d_model.",
        ways=[divided_by(lambda Q: np.sqrt(len(Q) * Q.shape[-1]))]),
    Mistake("not-scaled", "the scores are not scaled",
        say="Divide by √d_head.",
        ways=[divided_by(lambda Q: 1.0)]),
    Mistake("divided-by-d-k", "divided by d_k, without the root",
        say="The width of a head is right; its root is what the scores are divided by.",
        ways=[divided_by(lambda Q: Q.shape[-1])]),
    *[Mistake("divided-by-another-root", f"divided by {what}",
        say="The scores are not divided by the root of a head's width, d_model / n_heads. Which axis of Q is that, now that the heads stand in front?",
        ways=list(map(divided_by, numbers))) for what, numbers in OTHER_ROOTS.items()],
)
SOFTMAX_MISTAKES = table(
    JOINED,
    Mistake("shared-over-heads", "softmax runs over the heads",
        say="The first axis counts heads now, and each head shares out by itself. Keys are the *last* axis, counted from the end.",
        ways=[lambda scaled: maths.softmax(scaled, axis=0)]),
    Mistake("wrong-axis", "normalised over the queries", see="l04-axis",
        say="In each head it is the *columns* of your weights that sum to 1. A row belongs to one query, and its shares sum to 1.",
        ways=[lambda scaled: maths.softmax(scaled, axis=-2)]),
    Mistake("no-softmax", "softmax is missing",
        say="The values are mixed in scaled scores, not in shares.",
        ways=[lambda scaled: scaled]),
    Mistake("causal-unasked", "a causal mask that nobody asked for",
        say="This function takes no mask: every token may look at every token.",
        ways=[lambda scaled: maths.softmax(np.where(np.tri(scaled.shape[-1], dtype=bool), scaled, -np.inf))]),
)
MIX_MISTAKES = [
    Mistake("transposed-weights", "the weights were transposed", see=JOINED,
        say="In each head, row i of the weights says in which shares word i mixes the values. Yours are mixed by columns.",
        ways=[lambda weights, V: weights.swapaxes(-1, -2) @ V])
]
MERGE_MISTAKES = [
    SPLIT_MISTAKES[0]._replace(ways=[merged_by_reshape]),
    Mistake("heads-added", "the heads were added up, or averaged", see=JOINED,
        say="Heads stand side by side (concatenated), each keeps its columns.",
        ways=[lambda heads, add=add: np.tile(add(heads, axis=0), (1, len(heads))) for add in (np.sum, np.mean)]),
    Mistake("joined-by-other-axes", "the wrong axes were exchanged before joining", see=BACK,
        say="Before you join, the words must be the first axis and the heads the second. Then the columns of all heads stand in one row.",
        ways=[lambda heads, order=order: heads.transpose(order).reshape(heads.shape[1], -1)
            for order in ((0, 2, 1), (1, 2, 0), (2, 0, 1))]),
]
RETURN_MISTAKES = [
    Mistake("no-output-projection", "W_O is missing", see=JOINED,
        say="The joined heads pass through one more matrix, W_O.",
        ways=[lambda joined, W_O: joined]),
    Mistake("output-projection-transposed", "W_O was transposed", see=JOINED,
        say="A row of the joined heads is a word, so W_O multiplies from the right, as it is.",
        ways=[lambda joined, W_O: joined @ W_O.T]),
]
STEPS = Steps("X W_Q W_K W_V W_O n_heads", {
    "project": Step("X W_Q W_K W_V", "q k v", PROJECT_MISTAKES, projections),
    "split": Step("q k v n_heads", "Q K V", SPLIT_MISTAKES, all_by(split)),
    "scores": Step("Q K", "scores", SCORE_MISTAKES, lambda Q, K: Q @ K.swapaxes(-1, -2)),
    "scale": Step("scores Q", "scaled", SCALE_MISTAKES, divided_by(lambda Q: np.sqrt(Q.shape[-1]))),
    "softmax": Step("scaled", "weights", SOFTMAX_MISTAKES, maths.softmax),
    "mix": Step("weights V", "heads", MIX_MISTAKES, lambda weights, V: weights @ V),
    "merge": Step("heads", "joined", MERGE_MISTAKES, side_by_side),
    "return": Step("joined W_O", "result", RETURN_MISTAKES, lambda joined, W_O: joined @ W_O),
})
attend = STEPS.whole({})

# One idea in two steps.
IN_TWO_STEPS = [
    SPLIT_MISTAKES[0]._replace(ways=[STEPS.whole({"split": all_by(cut_up), "merge": merged_by_reshape})]),
    SPLIT_MISTAKES[1]._replace(ways=[STEPS.whole({"split": all_by(strided),
        "merge": lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)})]),
]


def where_it_parts(ask, given, wanted, got):
    """What still goes right when the weights are known beforehand: for one word, where all scores are 0, in one head."""
    X, W_Q, *W, n_heads = given

    def goes_right(X, W_Q, n_heads):
        """On X and, where no score is so large that it decides alone, on a smaller one; None if it fails there."""
        results = [(ask(x, W_Q, *W, n_heads), (attend(x, W_Q, *W, n_heads),)) for x in (X, X / 4)]
        return all(same(*pair) for pair in results) if all(mine for mine, _ in results) else None

    one_word, no_scores = goes_right(X[:1], W_Q, n_heads), goes_right(X, 0 * W_Q, n_heads)
    if one_word is None or no_scores is None:
        return ""
    if not one_word:
        text = "Even for a single word it is wrong. Its one weight is 1, whatever the score: out comes its V, joined, times W_O. Begin there."
    elif not no_scores:
        text = "For a single word it is right. Where all scores are 0 (W_Q full of zeros) each word gets the mean of the values, and yours does not: look at how you share out, and at weights @ V."
    else:
        text = "For a single word it is right, and where all scores are 0 (W_Q full of zeros). So what comes after the weights is right where all weights are alike. Look at how scores are made and shared out, each head by itself, and at which weights meet which V, on which axis."
    if n_heads > 1 and goes_right(X, W_Q, 1):
        text += " With one head it is right."
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
})
def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, n_heads)` → (L, d_model). Returns Feedback."""
    return attend(X, W_Q, W_K, W_V, W_O, n_heads)
