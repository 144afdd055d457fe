"""Lesson 07: attention with several heads, made of steps."""

from itertools import product

import numpy as np

from attn_checks.exercise import Step, Steps, each, exercise, same, with_each
from attn_lessons.lesson05.self_attention import projections
from attn_lessons.lesson07.split_heads import SOME_EMPTY, cut_up, split, strided
from attn_parts import mathematics as maths


def embeddings(length, d_model, n_heads):
    """An input: X, four projections, and the number of heads."""
    return lambda draw: (
        draw(length, d_model),
        *(draw(d_model, d_model) / 2 for _ in range(4)),
        n_heads,
    )


WIDTHS = (6, 10), (6, 10), (6, 14), (14, 6)  # of W_Q, W_K, W_V and W_O
INPUTS = {
    "smallest": embeddings(2, 4, 2),
    "three heads": embeddings(3, 6, 3),
    "more tokens than features in a head": embeddings(5, 6, 2),
    "one head": embeddings(3, 4, 1),
    "heads one feature wide": embeddings(4, 4, 4),
    "all widths differ": lambda draw: (
        draw(4, 6) / 4,
        *(draw(*shape) / 2 for shape in WIDTHS),
        2,
    ),
}

# --- ways to take a step
# q, k, v, joined: (L, n_heads · d_head); Q, K, V, heads: (n_heads, L, d_head)
# scores, scaled, weights: (n_heads, L, L)


def side_by_side(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def merged_by_reshape(heads):
    return heads.reshape(heads.shape[1], -1)


def merged_by_turns(heads):
    """The columns of all heads, taking turns."""
    return heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)


def all_by(cut):
    """The step of splitting, each of the three by the same cut."""
    return lambda q, k, v, n_heads: tuple(cut(each, n_heads) for each in (q, k, v))


def first_head_in(q, k, v, n_heads, which):
    """Q, K and V of all heads, some of them those of head 0 in every head."""
    heads = all_by(split)(q, k, v, n_heads)
    return tuple(0 * part + part[:1] if i in which else part for i, part in enumerate(heads))


def by(number):
    """The step of dividing; `number` is made of Q and V of all heads, (n_heads, L, d_head), and of X."""
    return lambda scores, Q, V, X: scores / number(Q, V, X)


def mixed_up(order):
    """How near an order of W_Q, W_K, W_V is to what people write: first Q and K exchanged, then few moved."""
    return order != (1, 0, 2), sum(i != own for own, i in enumerate(order))


ORDERS = [order for order in sorted(product(range(3), repeat=3), key=mixed_up) if order != (0, 1, 2)]
PROJECT_MISTAKES = {
    "projections-mixed-up": with_each(ORDERS, lambda X, *given: tuple(X @ given[i] for i in given[-1])),
}
SPLIT_MISTAKES = {
    "reshape-without-transpose": all_by(cut_up),
    "strided-split": all_by(strided),
    "one-head": all_by(lambda part, n_heads: part[None]),
    "always-two-heads": all_by(lambda part, n_heads: split(part, 2)),
    "values-not-split": lambda q, k, v, n_heads: (
        split(q, n_heads),
        split(k, n_heads),
        v,
    ),
    "first-head-for-all": with_each(((2,), (1,), (0,), (0, 1)), first_head_in),
}
SCORE_MISTAKES = {"reversed-axes": lambda Q, K: Q @ K.T}
SCALE_MISTAKES = {
    "scaled-by-d-model": by(lambda Q, V, X: np.sqrt(X.shape[-1])),
    "scaled-by-all-heads": [
        by(lambda Q, V, X: np.sqrt(len(Q) * Q.shape[-1])),
        by(lambda Q, V, X: np.sqrt(len(V) * V.shape[-1])),
    ],
    "not-scaled": by(lambda Q, V, X: 1.0),
    "divided-by-d-k": by(lambda Q, V, X: Q.shape[-1]),
    "multiplied-by-root": by(lambda Q, V, X: Q.shape[-1] ** -0.5),
    "divided-by-another-root (words)": by(lambda Q, V, X: np.sqrt(Q.shape[1])),
    "divided-by-another-root (heads)": [
        by(lambda Q, V, X: np.sqrt(len(Q))),
        by(lambda Q, V, X: len(Q)),
    ],
    "divided-by-another-root (width over heads)": by(lambda Q, V, X: np.sqrt(Q.shape[-1] / len(Q))),
    "divided-by-another-root (V)": by(lambda Q, V, X: np.sqrt(V.shape[-1])),
    "divided-by-another-root (X over heads)": by(lambda Q, V, X: np.sqrt(X.shape[-1] / len(Q))),
}
SOFTMAX_MISTAKES = {
    "shared-over-heads": lambda scaled: maths.softmax(scaled, axis=0),
    "wrong-axis": lambda scaled: maths.softmax(scaled, axis=-2),
    "whole-array": [
        lambda scaled: maths.softmax(scaled.ravel()).reshape(scaled.shape),
        lambda scaled: maths.softmax(scaled.reshape(len(scaled), -1)).reshape(scaled.shape),
    ],
    "no-softmax": lambda scaled: scaled,
    "causal-unasked": lambda scaled: maths.softmax(
        np.where(np.tri(scaled.shape[-1], dtype=bool), scaled, -np.inf)
    ),
}
MIX_MISTAKES = {
    "divided-after-softmax": [
        lambda weights, V: weights @ V / np.sqrt(V.shape[-1]),
        lambda weights, V: weights @ V / len(V),
        lambda weights, V: weights @ V / V.shape[-1],
    ],
    "transposed-weights": lambda weights, V: weights.swapaxes(-1, -2) @ V,
}
MERGE_MISTAKES = {
    "heads-missing": each(SOME_EMPTY, side_by_side),
    "reshape-without-transpose": merged_by_reshape,
    "heads-added": [
        lambda heads: heads,
        np.vstack,
        lambda heads: heads.sum(axis=0),
        lambda heads: np.tile(heads.sum(axis=0), (1, len(heads))),
        lambda heads: np.hstack([heads.sum(axis=0), *0 * heads[1:]]),
    ],
    "joined-by-other-axes": with_each(
        ((0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)),
        lambda heads, order: heads.transpose(order).reshape(heads.shape[1], -1),
    ),
}
RETURN_MISTAKES = {
    "no-output-projection": lambda joined, W_O: joined,
    "output-projection-transposed": lambda joined, W_O: joined @ W_O.T,
}
PROJECT = Step("X W_Q W_K W_V", "q k v", PROJECT_MISTAKES, projections)
SPLIT = Step("q k v n_heads", "Q K V", SPLIT_MISTAKES, all_by(split))
SCORES = Step("Q K", "scores", SCORE_MISTAKES, lambda Q, K: Q @ K.swapaxes(-1, -2))
SCALE = Step(
    "scores Q V X",
    "scaled",
    SCALE_MISTAKES,
    by(lambda Q, V, X: np.sqrt(Q.shape[-1])),
)
SOFTMAX = Step("scaled", "weights", SOFTMAX_MISTAKES, maths.softmax)
MIX = Step("weights V", "heads", MIX_MISTAKES, np.matmul)
MERGE = Step("heads", "joined", MERGE_MISTAKES, side_by_side)
RETURN = Step("joined W_O", "result", RETURN_MISTAKES, np.matmul)
STEPS = Steps(
    "X W_Q W_K W_V W_O n_heads",
    {
        "project": PROJECT,
        "split": SPLIT,
        "scores": SCORES,
        "scale": SCALE,
        "softmax": SOFTMAX,
        "mix": MIX,
        "merge": MERGE,
        "return": RETURN,
    },
    few=7,
)
attend = STEPS.whole({})
IN_TWO_STEPS = {  # one idea, both where the columns are split and where they are merged
    "reshape-without-transpose": STEPS.whole({"split": all_by(cut_up), "merge": merged_by_reshape}),
    "strided-split": STEPS.whole({"split": all_by(strided), "merge": merged_by_turns}),
}

# --- what is said of an unnamed answer

WRONG_FOR_ONE_WORD = (
    "Your result is wrong even for a text of one word. That word gives itself the weight 1 in every head, "
    "so your result should be X @ W_V @ W_O there."
)
WRONG_WITHOUT_SCORES = (
    "Your result is right for a single word. But where all scores are 0 (W_Q full of zeros) each word should "
    "get the mean of the values, and yours doesn't. Look at your softmax and at weights @ V."
)
WRONG_WITH_SCORES = (
    "Your result is right for a single word, and where all scores are 0 (W_Q full of zeros). Look at how "
    "each head makes its scores, at the axis of softmax, and at which weights multiply which V."
)


def where_it_parts(ask, given, wanted, got):
    """Say what is right where the weights are known: for one word, where all scores are 0, in one head."""
    X, W_Q, *W, n_heads = given

    def goes_right(X, W_Q, n_heads):
        """On X and on a smaller one, where no score decides alone; None if it fails there."""
        results = [(ask(x, W_Q, *W, n_heads), (attend(x, W_Q, *W, n_heads),)) for x in (X, X / 4)]
        return all(same(*pair) for pair in results) if all(mine for mine, _ in results) else None

    one_word, no_scores = (
        goes_right(X[:1], W_Q, n_heads),
        goes_right(X, 0 * W_Q, n_heads),
    )
    if one_word is None or no_scores is None:
        return ""
    if not one_word:
        text = WRONG_FOR_ONE_WORD
    elif not no_scores:
        text = WRONG_WITHOUT_SCORES
    else:
        text = WRONG_WITH_SCORES
    if n_heads > 1 and goes_right(X, W_Q, 1):
        text += " With one head your result is right."
    return text


@exercise(
    inputs=INPUTS,
    mistakes=[STEPS.mistakes(), IN_TWO_STEPS],
    steps=STEPS,
    result="output",
    own=where_it_parts,
)
def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, n_heads)` → (L, d_model). Returns Feedback."""
    return attend(X, W_Q, W_K, W_V, W_O, n_heads)
