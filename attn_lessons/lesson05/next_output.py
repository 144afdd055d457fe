"""Lesson 05, transfer: the output of the newest word alone, from a cache of keys and values."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson04.softmax import rows
from attn_lessons.lesson05._steps import OUTPUT
from attn_parts import mathematics as maths

attend = maths.scaled_dot_product_attention
WRITING_ON = "l05-explore-md"


def longer(rows, row):
    return np.vstack([rows, row])


def in_front(rows, row):
    return np.vstack([row, rows])


def written(attention=attend, of_keys=longer, of_values=longer):
    """One word on, with another attention of one query (1, d_k), or other ways to lengthen the caches."""

    def next_output(q, k, v, K, V):
        K, V = of_keys(K, k), of_values(V, v)
        return attention(q[None], K, V)[0][0], K, V

    return next_output


def looks_before_it_grows(first):
    """Of an empty cache comes `first(v)`."""

    def next_output(q, k, v, K, V):
        return attend(q[None], K, V)[0][0] if len(K) else first(v), longer(K, k), longer(V, v)

    return next_output


def answered(give):
    """The right output and caches, given back in another way; those that came in as well."""
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
    WRITING_ON,
    Mistake("itself-left-out", "the new word cannot look at itself", see="l03-causal",
        say="You attend first and lengthen the cache afterwards. The diagonal of the causal triangle is True: a word may look at itself, too.",
        ways=[looks_before_it_grows(np.zeros_like), looks_before_it_grows(lambda v: v)]),
    Mistake("cache-not-grown", "the cache comes back as short as it was",
        say="The output is right for this word. The next one will not find it: hand back both caches with its key and value.",
        ways=[answered(lambda output, K, V, old_K, old_V: (output, old_K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, K, old_V)),
            answered(lambda output, K, V, old_K, old_V: (output, old_K, V))]),
    Mistake("put-in-front", "the new word stands in front",
        say="The rows of both caches should stand as the words do, the newest last. Keys and values in different orders do not belong together.",
        ways=[written(attend, in_front, in_front), written(attend, longer, in_front), written(attend, in_front)]),
    Mistake("other-order", "the three results are in another order",
        say="The order is output, K, V.",
        ways=[answered(lambda output, K, V, *old: (K, V, output)),
            answered(lambda output, K, V, *old: (output, V, K))]),
    Mistake("key-for-query", "the key looks, not the query", see="l01-goal",
        say="A word looks with its query. Its key is what the others, and itself, are looked up by.",
        ways=[lambda q, k, v, K, V: written()(k, k, v, K, V)]),
    Mistake("keys-mixed", "the keys are mixed, not the values", see=OUTPUT,
        say="Keys only decide the shares. What is mixed in these shares are the values, V.",
        ways=[lambda q, k, v, K, V: (attend(q[None], longer(K, k), longer(K, k))[0][0], longer(K, k), longer(V, v))]),
    Mistake("not-scaled", "the scores are not scaled", see="l02-divide",
        say="Divide by the root of the width of q, as ever.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1.0))]),
    Mistake("divided-by-root-of-length", "divided by the root of the number of keys", see="l02-divide",
        say="The first axis of the cache counts words. Divide by the root of the width, the last axis.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=len(K) ** -0.5)),
            written(lambda Q, K, V: attend(Q, K, V, scale=max(len(K) - 1, 1) ** -0.5))]),
    Mistake("divided-by-root-of-d-v", "divided by √d_v", see="l02-divide",
        say="Values have nothing to do with the size of scores: it is the width of q and k that counts.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=V.shape[-1] ** -0.5))]),
    Mistake("divided-by-d-k", "divided by d_k, without the root", see="l02-divide",
        say="The shares are too even. The typical size of a score is the root of d_k.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, scale=1 / K.shape[-1]))]),
    Mistake("causal-mask-on-one-query", "a causal mask over one query", see="l03-causal",
        say="The triangle starts in the upper left corner: it takes your one query for the *first* word and hides all keys but one. What comes later is not in the cache, so there is nothing to hide.",
        ways=[written(lambda Q, K, V: attend(Q, K, V, maths.causal_mask(len(Q), len(K))))]),
    Mistake("no-softmax", "softmax is missing", see=OUTPUT,
        say="The values are mixed in scores, not in shares.",
        ways=[written(lambda Q, K, V: (Q @ K.T / np.sqrt(K.shape[-1]) @ V, None))]),
    Mistake("no-exponential", "e to the power is missing", see="l04-shares",
        say="Scores divided by their sum are no shares: negative scores would give negative ones.",
        ways=[written(lambda Q, K, V: (rows(Q @ K.T) @ V, None))]),
    Mistake("no-max-subtraction", "the largest score is not subtracted", see="l04-overflow",
        say="Right for small scores. exp of a large one overflows to inf, and inf/inf is NaN.",
        ways=[written(lambda Q, K, V: (rows(np.exp(Q @ K.T / np.sqrt(K.shape[-1]))) @ V, None))]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result=("output", "K", "V"), see=WRITING_ON)
def next_output(q, k, v, K, V):
    """Check `f(q, k, v, K, V)` → (output, longer K, longer V): attention of the newest word alone. Returns Feedback."""
    return written()(q, k, v, K, V)
