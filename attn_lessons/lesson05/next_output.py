"""Lesson 05, transfer: the output of the newest word alone, from a cache of keys and values."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson05._steps import OUTPUT
from attn_parts import mathematics as maths

attend = maths.scaled_dot_product_attention
WRITING_ON = "l05-explore-md"


def longer(rows, row):
    return np.vstack([rows, row])


def written(attention=attend, grow=longer):
    """One word on, with another attention of one query (1, d_k), or another way to lengthen the cache."""

    def next_output(q, k, v, K, V):
        K, V = grow(K, k), grow(V, v)
        return attention(q[None], K, V)[0][0], K, V

    return next_output


def looks_before_it_grows(first):
    """Of an empty cache comes `first(v)`."""

    def next_output(q, k, v, K, V):
        return attend(q[None], K, V)[0][0] if len(K) else first(v), longer(K, k), longer(V, v)

    return next_output


def in_front(rows, row):
    return np.vstack([row, rows])


def twice(rows, row):
    return np.vstack([rows, row, row])


def with_caches(of_keys, of_values):
    """What comes back when the caches are lengthened in other ways."""

    def next_output(q, k, v, K, V):
        K, V = of_keys(K, k), of_values(V, v)
        return attend(q[None], K, V)[0][0], K, V

    return next_output


def answered(give):
    """The right output and caches, given back in another way; those that came in as well."""
    return lambda q, k, v, K, V: give(*written()(q, k, v, K, V), K, V)


def unshifted(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[-1]))
    return powers / powers.sum() @ V, None


INPUTS = {
    "second word": lambda draw: (draw(2), draw(2), draw(3), draw(1, 2), draw(1, 3)),
    "fourth word": lambda draw: (draw(4), draw(4), draw(2), draw(3, 4), draw(3, 2)),
    "first word": lambda draw: (draw(2), draw(2), draw(3), np.zeros((0, 2)), np.zeros((0, 3))),
    "decimals": lambda draw: (0.123 * draw(5), draw(5), 0.25 * draw(1), draw(6, 5), draw(6, 1)),
    "square cache": lambda draw: (draw(3), draw(3), draw(3), draw(3, 3), draw(3, 3)),
    "large scores": lambda draw: (100 * draw(3), 100 * draw(3), draw(2), 100 * draw(4, 3), draw(4, 2)),
}
MISTAKES = table(
    WRITING_ON,
    Mistake(
        "itself-left-out",
        name="the new word cannot look at itself",
        ways=[looks_before_it_grows(np.zeros_like), looks_before_it_grows(lambda v: v)],
        say="You attend first and lengthen the cache afterwards. The diagonal of the causal triangle is True: a word may look at itself, too.",
        see="l03-causal",
    ),
    Mistake(
        "cache-not-grown",
        name="the cache comes back as short as it was",
        ways=[
            answered(lambda output, K, V, old_K, old_V: (output, old_K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, old_K, V)),
        ],
        say="The output is right for this word. The next one will not find it: hand back both caches with its key and value.",
    ),
    Mistake(
        "put-in-front",
        name="the new word stands in front",
        ways=[with_caches(in_front, in_front), with_caches(longer, in_front), with_caches(in_front, longer)],
        say="The rows of both caches should stand as the words do, the newest last. Keys and values in different orders do not belong together.",
    ),
    Mistake(
        "counted-twice",
        name="the new word stands in the cache twice",
        ways=[
            with_caches(twice, twice),
            lambda q, k, v, K, V: (
                attend(q[None], twice(K, k), twice(V, v))[0][0],
                longer(K, k),
                longer(V, v),
            ),
        ],
        say="Its key and value are put at the end two times, and it gets the share of two words. Is a cache lengthened that had been already?",
    ),
    Mistake(
        "other-order",
        name="the three results are in another order",
        ways=[
            answered(lambda output, K, V, *old: (K, V, output)),
            answered(lambda output, K, V, *old: (output, V, K)),
        ],
        say="The order is output, K, V.",
    ),
    Mistake(
        "first-word-left-out",
        name="the first word gets nothing",
        ways=[
            lambda q, k, v, K, V: (
                attend(q[None], longer(K, k), longer(V, v))[0][0] if len(K) else np.zeros_like(v),
                longer(K, k),
                longer(V, v),
            )
        ],
        say="Right but for the first word. When the cache is still empty, there is one word to look at: the new one itself.",
    ),
    Mistake(
        "only-itself",
        name="the new word looks only at itself",
        ways=[
            lambda q, k, v, K, V: (v, longer(K, k), longer(V, v)),
            lambda q, k, v, K, V: (attend(q[None], k[None], v[None])[0][0], longer(K, k), longer(V, v)),
        ],
        say="The cache is there to be looked at: all earlier words, and the new one.",
    ),
    Mistake(
        "key-for-query",
        name="the key looks, not the query",
        ways=[lambda q, k, v, K, V: written()(k, k, v, K, V)],
        say="A word looks with its query. Its key is what the others, and itself, are looked up by.",
        see="l01-goal",
    ),
    Mistake(
        "query-in-the-cache",
        name="the query goes into the cache, not the key",
        ways=[lambda q, k, v, K, V: written()(q, q, v, K, V)],
        say="The cache holds keys. The query is for this word alone, and nobody needs it again.",
    ),
    Mistake(
        "keys-mixed",
        name="the keys are mixed, not the values",
        ways=[
            lambda q, k, v, K, V: (
                attend(q[None], longer(K, k), longer(K, k))[0][0],
                longer(K, k),
                longer(V, v),
            )
        ],
        say="Keys only decide the shares. What is mixed in these shares are the values, V.",
        see=OUTPUT,
    ),
    Mistake(
        "not-scaled",
        name="the scores are not scaled",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1.0))],
        say="Divide by the root of the width of q, as ever.",
        see="l02-divide",
    ),
    Mistake(
        "divided-by-root-of-length",
        name="divided by the root of the number of keys",
        ways=[
            written(lambda Q, K, V: attend(Q, K, V, scale=len(K) ** -0.5)),
            written(lambda Q, K, V: attend(Q, K, V, scale=max(len(K) - 1, 1) ** -0.5)),
        ],
        say="The first axis of the cache counts words. Divide by the root of the width, the last axis.",
        see="l02-divide",
    ),
    Mistake(
        "divided-by-root-of-d-v",
        name="divided by √d_v",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=V.shape[-1] ** -0.5))],
        say="Values have nothing to do with the size of scores: it is the width of q and k that counts.",
        see="l02-divide",
    ),
    Mistake(
        "divided-by-d-k",
        name="divided by d_k, without the root",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1 / K.shape[-1]))],
        say="The shares are too even. The typical size of a score is the root of d_k.",
        see="l02-divide",
    ),
    Mistake(
        "causal-mask-on-one-query",
        name="a causal mask over one query",
        ways=[written(lambda Q, K, V: attend(Q, K, V, maths.causal_mask(len(Q), len(K))))],
        say="The triangle starts in the upper left corner: it takes your one query for the *first* word and hides all keys but one. What comes later is not in the cache, so there is nothing to hide.",
        see="l03-causal",
    ),
    Mistake(
        "no-softmax",
        name="softmax is missing",
        ways=[written(lambda Q, K, V: (Q @ K.T / np.sqrt(K.shape[-1]) @ V, None))],
        say="The values are mixed in scores, not in shares.",
        see=OUTPUT,
    ),
    Mistake(
        "no-exponential",
        name="e to the power is missing",
        ways=[written(lambda Q, K, V: ((Q @ K.T) / (Q @ K.T).sum() @ V, None))],
        say="Scores divided by their sum are no shares: negative scores would give negative ones.",
        see="l04-shares",
    ),
    Mistake(
        "no-max-subtraction",
        name="the largest score is not subtracted",
        ways=[written(unshifted)],
        say="Right for small scores. exp of a large one overflows to inf, and inf/inf is NaN.",
        see="l04-overflow",
    ),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result=("output", "K", "V"), see=WRITING_ON)
def next_output(q, k, v, K, V):
    """Check `f(q, k, v, K, V)` → (output, longer K, longer V): attention of the newest word alone. Returns Feedback."""
    return written()(q, k, v, K, V)
