"""Lesson 14: grouped-query attention: which key-value head a query head uses, then the steps of lesson 05."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, mask_of
from attn_lessons.lesson05 import _steps as lesson05


def in_groups(heads, kv_heads):
    return np.arange(heads) // (heads // kv_heads)


def in_turn(heads, kv_heads):
    return np.arange(heads) % kv_heads


def backwards(heads, kv_heads):
    return in_groups(heads, kv_heads)[::-1]


def head_0(heads, kv_heads):
    return np.zeros(heads, int)


def last_head(heads, kv_heads):
    return np.full(heads, kv_heads - 1)


def picked(keys, values):
    """Each query head with the key head and the value head that these choose."""
    return lambda Q, K, V: (Q, K[keys(len(Q), len(K))], V[values(len(Q), len(K))])


def both(pick):
    return picked(pick, pick)


def means(K, V):
    return K.mean(axis=0, keepdims=True), V.mean(axis=0, keepdims=True)


def fewer_queries(pick):
    """As many query heads as key-value heads, made of each group by `pick`."""
    return lambda Q, K, V: (pick(Q.reshape(len(K), -1, *Q.shape[1:])), K, V)


# Q: (heads, L_q, d_k), K: (kv_heads, L_k, d_k), V: (kv_heads, L_k, d_v)
SHARE_MISTAKES = {
    "in-turn": both(in_turn),
    "keys-and-values-apart": [
        picked(in_groups, in_turn),
        picked(in_turn, in_groups),
    ],
    "one-for-all": [both(head_0), both(last_head)],
    "only-one-shared": [
        picked(in_groups, head_0),
        picked(head_0, in_groups),
    ],
    "wrong-order": both(backwards),
    "averaged": lambda Q, K, V: (Q, *means(K, V)),
    "queries-dropped": [
        fewer_queries(lambda groups: groups[:, 0]),
        fewer_queries(lambda groups: groups[:, -1]),
        lambda Q, K, V: (Q[: len(K)], K, V),
        lambda Q, K, V: (Q[-len(K) :], K, V),
    ],
    "queries-averaged": [
        fewer_queries(lambda groups: groups.mean(axis=1)),
        fewer_queries(lambda groups: groups.sum(axis=1)),
    ],
    "reshaped": lambda Q, K, V: (
        Q,
        *(np.repeat(one, len(Q) // len(K), axis=1).reshape(len(Q), *one.shape[1:]) for one in (K, V)),
    ),
}
HEADS_MISTAKES = {
    "heads-added": [
        lambda output: output.sum(axis=0),
        lambda output: output.mean(axis=0),
    ],
    "heads-merged": [
        lambda output: output.swapaxes(0, 1).reshape(output.shape[1], -1),
        lambda output: output.reshape(output.shape[1], -1),
    ],
}
STEPS = Steps(
    "Q K V mask",
    {
        "share": Step("Q K V", "Q K V", SHARE_MISTAKES, both(in_groups)),
        "scores": lesson05.kept("scores", []),
        "scale": lesson05.kept("scale", ["not-scaled", "divided-by-d-k"]),
        "mask": lesson05.kept(
            "mask",
            [
                "mask-ignored",
                "inverted-mask",
                "multiplied-by-zero",
                "causal-unasked",
            ],
        ),
        "softmax": lesson05.kept("softmax", ["wrong-axis"]),
        "mask and softmax": lesson05.kept("mask and softmax", ["no-softmax"]),
        "mix": lesson05.kept("mix", ["transposed-weights"]),
        "heads": Step("output", "output", HEADS_MISTAKES),
        "return": lesson05.kept(
            "return",
            ["results-swapped", "one-result-only", "one-result-only (weights)"],
        ),
    },
)
attend = STEPS.whole({})


def heads(n, kv, queries, keys, mask=None, d_k=2, d_v=3):
    """An input: n query heads, kv key-value heads."""
    return lambda draw: (
        draw(n, queries, d_k),
        draw(kv, keys, d_k),
        draw(kv, keys, d_v),
        mask,
    )


@exercise(
    inputs={
        "smallest": (
            np.zeros((4, 1, 1)),
            np.zeros((2, 1, 1)),
            np.array([[[1.0]], [[5.0]]]),
            None,
        ),
        "four and two": heads(4, 2, 3, 3),
        "six and two, masked": heads(6, 2, 3, 3, mask_of("100", "110", "011")),
        "one for all": heads(3, 1, 2, 4, d_k=3),
        "each its own": heads(2, 2, 3, 2, mask_of("10", "11", "01")),
        "six and three, more keys": heads(6, 3, 2, 4, mask_of("1100", "1011"), d_k=4, d_v=2),
        "a query that sees nothing": heads(2, 1, 2, 3, mask_of("000", "101")),
    },
    steps=STEPS,
    result=("output", "weights"),
)
def grouped_attention(Q, K, V, mask):
    """Check `f(Q, K, V, mask)` → output (heads, L_q, d_v), weights (heads, L_q, L_k); neighbouring heads of Q
    share one of K and V.

    Returns Feedback.
    """
    return attend(Q, K, V, mask)
