"""Lesson 05, transfer: the output of the newest word alone, from a cache of keys and values."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise
from attn_lessons.lesson05._steps import kept
from attn_parts import mathematics as maths

CACHE = "l05-cache"


def longer(rows, row):
    return np.vstack([rows, row])


def in_front(rows, row):
    return np.vstack([row, rows])


def grown(of_keys=longer, of_values=longer):
    """Both caches made longer in some way."""
    return lambda q, k, v, old_K, old_V: (of_keys(old_K, k), of_values(old_V, v))


INPUTS = {
    "second word": lambda draw: (draw(2), draw(2), draw(3), draw(1, 2), draw(1, 3)),
    "fourth word": lambda draw: (draw(4), draw(4), draw(2), draw(3, 4), draw(3, 2)),
    "first word": lambda draw: (draw(2), draw(2), draw(3), np.zeros((0, 2)), np.zeros((0, 3))),
    "decimals": lambda draw: (0.123 * draw(5), draw(5), 0.25 * draw(1), draw(6, 5), draw(6, 1)),
    "square cache": lambda draw: (draw(3), draw(3), draw(3), draw(3, 3), draw(3, 3)),
    "large scores": lambda draw: (100 * draw(3), 100 * draw(3), draw(2), 100 * draw(4, 3), draw(4, 2)),
}
# fmt: off
QUERY_MISTAKES = [
    Mistake("key-for-query", "the key is used as the query", see="l01-goal",
        say="A word looks with its query, q. Its key, k, is only there to be found.",
        ways=[lambda q, k: k[None]]),
    Mistake("query-as-column", "the query is a column",
        say="Your query is a column, so each of its numbers is a query of its own. One query is one row: q[None], of shape (1, d_k).",
        ways=[lambda q, k: q[:, None]]),
]
CACHE_MISTAKES = [
    Mistake("put-in-front", "the new word comes first",
        say="In K, V or both you put the new row first. Both caches keep the order of the words, with the newest last.",
        ways=[grown(in_front, in_front), grown(longer, in_front), grown(in_front)]),
    Mistake("query-stored", "the cache of keys gets the query", see="l01-goal",
        say="You add q to K. The next words will look for the *key* of this one, k.",
        ways=[lambda q, k, v, old_K, old_V: (longer(old_K, q), longer(old_V, v))]),
]
LENGTH_MISTAKES = [
    Mistake("divided-by-root-of-length", "divided by the root of the number of keys", see="l02-divide",
        say="The first axis of the cache counts words. Divide by the root of its last axis, the width.",
        ways=[lambda scores, Q, K, V: scores / np.sqrt(len(K)),
            lambda scores, Q, K, V: scores / np.sqrt(max(len(K) - 1, 1))]),
]
MASK_MISTAKES = [
    Mistake("causal-mask-on-one-query", "every key except the first is hidden", see="l03-causal",
        say="Your query sees the first key alone. A causal triangle does this, because it treats your one query as the *first* word. Later words aren't in the cache, so there's nothing to hide.",
        ways=[lambda scaled, mask: np.where(maths.causal_mask(*scaled.shape), scaled, -np.inf)]),
]
RETURN_MISTAKES = [
    Mistake("cache-not-grown", "a returned cache has no more rows than before",
        say="The next word won't find this one. Return both caches with its key and value added.",
        ways=[lambda output, K, V, old_K, old_V: (output[0], old_K, old_V),
            lambda output, K, V, old_K, old_V: (output[0], K, old_V),
            lambda output, K, V, old_K, old_V: (output[0], old_K, V)]),
    Mistake("row-not-taken", "the output still has an axis of queries",
        say="Your output has one row per query, and there is one query. Return that row itself: take row 0 of the output.",
        ways=[lambda output, K, V, *old: (output, K, V)]),
    Mistake("other-order-of-results", "the results are in another order",
        say="Return the output first, then the keys K, then the values V.",
        ways=[lambda output, K, V, *old, order=order: tuple((output[0], K, V)[i] for i in order)
            for order in ((0, 2, 1), (1, 2, 0), (2, 1, 0))]),
]
LOOK_MISTAKES = [
    Mistake("itself-left-out", "the new word cannot look at itself", see="l03-causal",
        say="You attend to the old cache, without the new word. A word may attend to itself, as the diagonal of the causal triangle shows.",
        ways=[lambda K, V, old_K, old_V, first=first: (old_K, old_V) if len(old_K) else (K, first(V))
            for first in (np.zeros_like, lambda V: V)]),
]
KEPT = {"not-scaled", "divided-by-root-of-d-v", "divided-by-d-k", "fixed-width", "power-before-division", "multiplied",
    "root-of-scores", "no-max-subtraction", "no-exponential", "not-normalised", "wrong-axis", "no-softmax", "keys-mixed"}
ONE_STEPS = Steps("q k v old_K old_V mask", {
    "query": Step("q k", "Q", QUERY_MISTAKES, lambda q, k: q[None]),
    "cache": Step("q k v old_K old_V", "new_K new_V", CACHE_MISTAKES, grown()),
    "look": Step("new_K new_V old_K old_V", "K V", LOOK_MISTAKES, lambda K, V, *old: (K, V)),
    "scores": kept("scores", KEPT),
    "scale": kept("scale", KEPT, *LENGTH_MISTAKES),
    "mask": Step("scaled mask", "hidden", MASK_MISTAKES, lambda scaled, mask: scaled),
    "softmax": kept("softmax", KEPT),
    "mask and softmax": kept("mask and softmax", KEPT),
    "mix": kept("mix", KEPT),
    "return": Step("output new_K new_V old_K old_V", "result", RETURN_MISTAKES, lambda output, K, V, *old: (output[0], K, V)),
})


@exercise(inputs=INPUTS, steps=ONE_STEPS, result=("output", "K", "V"), see=CACHE)
def next_output(q, k, v, K, V):
    """Check `f(q, k, v, K, V)` → (output, longer K, longer V): attention of the newest word alone. Returns Feedback."""
    K, V = longer(K, k), longer(V, v)
    return maths.scaled_dot_product_attention(q[None], K, V)[0][0], K, V
