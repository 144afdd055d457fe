"""Lesson 05, transfer: the output of the newest word alone, from a cache of keys and values."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson04.softmax import rows
from attn_lessons.lesson05._steps import OUTPUT
from attn_parts import mathematics as maths

attend = maths.scaled_dot_product_attention
CACHE = "l05-cache"


def longer(rows, row):
    return np.vstack([rows, row])


def in_front(rows, row):
    return np.vstack([row, rows])


def written(attention=attend, of_keys=longer, of_values=longer):
    """Generate one word with another attention of one query (1, d_k), or other ways to lengthen the caches."""

    def next_output(q, k, v, K, V):
        K, V = of_keys(K, k), of_values(V, v)
        return attention(q[None], K, V)[0][0], K, V

    return next_output


def looks_before_it_grows(first):
    """Attend before lengthening; an empty cache gives `first(v)`."""

    def next_output(q, k, v, K, V):
        return attend(q[None], K, V)[0][0] if len(K) else first(v), longer(K, k), longer(V, v)

    return next_output


def answered(give):
    """Return the right output and caches in another way, or the caches that came in."""
    return lambda q, k, v, K, V: give(*written()(q, k, v, K, V), K, V)


INPUTS = {
    "second word": lambda draw: (draw(2), draw(2), draw(3), draw(1, 2), draw(1, 3)),
    "fourth word": lambda draw: (draw(4), draw(4), draw(2), draw(3, 4), draw(3, 2)),
    "first word": lambda draw: (draw(2), draw(2), draw(3), np.zeros((0, 2)), np.zeros((0, 3))),
    "decimals": lambda draw: (0.123 * draw(5), draw(5), 0.25 * draw(1), draw(6, 5), draw(6, 1)),
    "square cache": lambda draw: (draw(3), draw(3), draw(3), draw(3, 3), draw(3, 3)),
    "large scores": lambda draw: (100 * draw(3), 100 * draw(3), draw(2), 100 * draw(4, 3), draw(4, 2)),
}
# fmt: off
MISTAKES = table(
    CACHE,
    Mistake("itself-left-out", "the new word cannot look at itself", see="l03-causal",
        say="You attend first and make the cache longer afterwards. A word may attend to itself, as the diagonal of the causal triangle shows.",
        ways=[looks_before_it_grows(np.zeros_like), looks_before_it_grows(lambda v: v)]),
    Mistake("cache-not-grown", "the returned cache is no longer than before",
        say="The output is right for this word, but the next word won't find it. Return both caches with its key and value added.",
        ways=[answered(lambda output, K, V, old_K, old_V: (output, old_K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, old_K, V))]),
    Mistake("put-in-front", "the new word comes first",
        say="Both caches should keep the order of the words, with the newest last. Keys and values in different orders don't belong together.",
        ways=[written(attend, in_front, in_front), written(attend, longer, in_front), written(attend, in_front)]),
    Mistake("row-not-taken", "the output still has an axis of queries",
        say="Attention returns a pair, and its first part, the output, has one row per query. Take row 0 of that part.",
        ways=[answered(lambda output, K, V, *old: (output[None], K, V))]),
    Mistake("other-order", "the three results are in a different order",
        say="Return the output first, then K, then V.",
        ways=[answered(lambda output, K, V, *old: (K, V, output)),
            answered(lambda output, K, V, *old: (output, V, K))]),
    Mistake("key-for-query", "the key is used as the query", see="l01-goal",
        say="A word looks with its query, q. Its key, k, is only there to be found.",
        ways=[lambda q, k, v, K, V: written()(k, k, v, K, V)]),
    Mistake("keys-mixed", "the weighted sum is over the keys, not the values", see=OUTPUT,
        say="Keys are used only to find the weights. The weights then go with the values, V.",
        ways=[lambda q, k, v, K, V: (attend(q[None], longer(K, k), longer(K, k))[0][0], longer(K, k), longer(V, v))]),
    Mistake("not-scaled", "the scores are not scaled", see="l02-divide",
        say="Divide the scores by the root of the width of q, as in every attention.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1.0))]),
    Mistake("divided-by-root-of-length", "divided by the root of the number of keys", see="l02-divide",
        say="The first axis of the cache counts words. Divide by the root of its last axis, the width.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=len(K) ** -0.5)),
            written(lambda Q, K, V: attend(Q, K, V, scale=max(len(K) - 1, 1) ** -0.5))]),
    Mistake("divided-by-root-of-d-v", "divided by √d_v", see="l02-divide",
        say="A score adds up as many products as q and k are wide. The values aren't part of it, so their width doesn't matter here.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=V.shape[-1] ** -0.5))]),
    Mistake("divided-by-d-k", "divided by d_k, without the root", see="l02-divide",
        say="Your weights are closer to uniform than they should be. Divide by the square root of d_k, which is a score's standard deviation.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1 / K.shape[-1]))]),
    Mistake("causal-mask-on-one-query", "a causal mask over one query", see="l03-causal",
        say="The triangle starts in the upper left corner, so it treats your one query as the *first* word and hides every key except one. Later words aren't in the cache, so there's nothing to hide.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, maths.causal_mask(len(Q), len(K))))]),
    Mistake("no-softmax", "softmax is missing", see=OUTPUT,
        say="You weight the values by scores. Softmax has to turn the scores into weights first.",
        ways=[written(lambda Q, K, V: (Q @ K.T / np.sqrt(K.shape[-1]) @ V, None))]),
    Mistake("no-exponential", "the exponential is missing", see="l04-shares",
        say="You divide scores by their sum, but negative scores would give negative weights. Exponentiate first.",
        ways=[written(lambda Q, K, V: (rows(Q @ K.T) @ V, None))]),
    Mistake("no-max-subtraction", "the largest score is not subtracted", see="l04-overflow",
        say="This is right for small scores. But exp of a large one overflows to inf, and inf/inf is NaN.",
        ways=[written(lambda Q, K, V: (rows(np.exp(Q @ K.T / np.sqrt(K.shape[-1]))) @ V, None))]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result=("output", "K", "V"), see=CACHE)
def next_output(q, k, v, K, V):
    """Check `f(q, k, v, K, V)` → (output, longer K, longer V): attention of the newest word alone. Returns Feedback."""
    return written()(q, k, v, K, V)
