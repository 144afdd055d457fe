"""Lesson 05, transfer: the output of the newest word alone, from a cache of keys and values."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each
from attn_lessons.lesson05._steps import kept
from attn_parts import mathematics as maths


# q, k: (d_k,), v: (d_v,), old_K: (L, d_k), old_V: (L, d_v)
def longer(rows, row):
    return np.vstack([rows, row])


def in_front(rows, row):
    return np.vstack([row, rows])


def grown(of_keys=longer, of_values=longer):
    """Both caches made longer in some way."""
    return lambda q, k, v, old_K, old_V: (of_keys(old_K, k), of_values(old_V, v))


def cached(length, d_k, d_v):
    """An input with so many words in the cache."""
    return lambda draw: (draw(d_k), draw(d_k), draw(d_v), draw(length, d_k), draw(length, d_v))


INPUTS = {
    "second word": cached(1, 2, 3),
    "fourth word": cached(3, 4, 2),
    "first word": cached(0, 2, 3),
    "decimals": lambda draw: (
        0.123 * draw(5),
        draw(5),
        0.25 * draw(1),
        draw(6, 5),
        draw(6, 1),
    ),
    "square cache": cached(3, 3, 3),
    "large scores": lambda draw: (
        100 * draw(3),
        100 * draw(3),
        draw(2),
        100 * draw(4, 3),
        draw(4, 2),
    ),
}
QUERY_MISTAKES = {
    "key-for-query": lambda q, k: k[None],
    "query-as-column": lambda q, k: q[:, None],
}
CACHE_MISTAKES = {
    "put-in-front": [
        grown(in_front, in_front),
        grown(longer, in_front),
        grown(in_front),
    ],
    "query-stored": lambda q, k, v, old_K, old_V: (
        longer(old_K, q),
        longer(old_V, v),
    ),
}
LENGTH_MISTAKES = {
    "divided-by-root-of-length": [
        lambda scores, Q, K, V: scores / np.sqrt(len(K)),
        lambda scores, Q, K, V: scores / np.sqrt(max(len(K) - 1, 1)),
    ]
}
MASK_MISTAKES = {
    "causal-mask-on-one-query": lambda scaled, mask: np.where(
        maths.causal_mask(*scaled.shape), scaled, -np.inf
    )
}
RETURN_MISTAKES = {
    "cache-not-grown": [
        lambda output, K, V, old_K, old_V: (output[0], old_K, old_V),
        lambda output, K, V, old_K, old_V: (output[0], K, old_V),
        lambda output, K, V, old_K, old_V: (output[0], old_K, V),
    ],
    "row-not-taken": lambda output, K, V, *old: (output, K, V),
    "row-taken-twice": lambda output, K, V, *old: (output[0][0], K, V),
    "other-order-of-results": with_each(
        ((0, 2, 1), (1, 2, 0), (2, 1, 0)),
        lambda output, K, V, *old: tuple((output[0], K, V)[i] for i in old[-1]),
    ),
}
LOOK_MISTAKES = {
    "itself-left-out": with_each(
        (np.zeros_like, lambda V: V),
        lambda K, V, old_K, old_V, first: (old_K, old_V) if len(old_K) else (K, first(V)),
    )
}
KEPT = [
    "not-scaled",
    "divided-by-root-of-d-v",
    "divided-by-d-k",
    "fixed-width",
    "power-before-division",
    "multiplied",
    "root-of-scores",
    "no-max-subtraction",
    "no-exponential",
    "not-normalised",
    "wrong-axis",
    "no-softmax",
    "keys-mixed",
]
ONE_STEPS = Steps(
    "q k v old_K old_V mask",
    {
        "query": Step("q k", "Q", QUERY_MISTAKES, lambda q, k: q[None]),
        "cache": Step("q k v old_K old_V", "new_K new_V", CACHE_MISTAKES, grown()),
        "look": Step(
            "new_K new_V old_K old_V",
            "K V",
            LOOK_MISTAKES,
            lambda K, V, *old: (K, V),
        ),
        "scores": kept("scores", []),
        "scale": kept("scale", KEPT, LENGTH_MISTAKES),
        "mask": Step("scaled mask", "hidden", MASK_MISTAKES, lambda scaled, mask: scaled),
        "softmax": kept("softmax", KEPT),
        "mask and softmax": kept("mask and softmax", KEPT),
        "mix": kept("mix", KEPT),
        "return": Step(
            "output new_K new_V old_K old_V",
            "result",
            RETURN_MISTAKES,
            lambda output, K, V, *old: (output[0], K, V),
        ),
    },
)


@exercise(inputs=INPUTS, steps=ONE_STEPS, result=("output", "K", "V"))
def next_output(q, k, v, K, V):
    """Check `f(q, k, v, K, V)` → (output, longer K, longer V): attention of the newest word alone.

    Returns Feedback.
    """
    K, V = longer(K, k), longer(V, v)
    return maths.scaled_dot_product_attention(q[None], K, V)[0][0], K, V
