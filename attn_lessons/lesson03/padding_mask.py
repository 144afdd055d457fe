"""Lesson 03: the mask that hides padding."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson03.causal_mask import of_any_mask, what_a_row_sees
from attn_parts import mathematics as maths

PADDING = "l03-padding"


def sliced(part, value=True):
    """Each sentence filled with `value` in a slice whose ends may be 0 or below, the rest with its opposite."""

    def way(lengths, n_keys):
        keys = np.arange(n_keys)
        return np.array([[np.isin(keys, keys[part(length, n_keys)]) == value] for length in lengths])

    return way


# fmt: off
PADDING_MISTAKES = table(
    PADDING,
    *of_any_mask(maths.padding_mask, PADDING),
    Mistake("no-query-axis", "the axis for the queries is missing",
        say="With shape (B, n_keys) the batch would be taken for the queries. Put an axis of length 1 between them.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[:, 0]]),
    Mistake("padding-rows", "rows are hidden instead of columns",
        say="Your mask hides the queries that are padding. It is as *keys* that padding must not be looked at.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys).swapaxes(-1, -2)]),
    Mistake("padding-in-front", "the padding stands in front",
        say="You hide the *first* keys. Here the words come first, from key 0 on, and the padding stands behind them.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[..., ::-1],
            sliced(lambda length, n_keys: slice(-length, None))]),
    Mistake("one-length-for-all", "one length for every sentence",
        say="All your sentences end at the same key. Each has a length of its own, and a row of its own.",
        ways=[lambda lengths, n_keys, pick=pick: maths.padding_mask([pick(lengths)] * len(lengths), n_keys)
            for pick in (max, min, lambda lengths: lengths[0])]),
    Mistake("one-too-many", "one padded key is visible",
        say="Keys are counted from 0: a sentence of 2 tokens has keys 0 and 1.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) <= np.asarray(lengths)[:, None, None]]),
    Mistake("one-too-few", "the last word is hidden",
        say="Keys are counted from 0: a sentence of 2 tokens has keys 0 and 1, both visible. A slice :2 stops before key 2 by itself.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)[:, None, None] - 1,
            sliced(lambda length, n_keys: slice(length - 1))]),
    Mistake("one-key", "one key is meant, not all up to it",
        say="You see, or hide, a single key of each sentence. All keys before the length are words, and all from there on are padding.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) != np.asarray(lengths)[:, None, None],
            lambda lengths, n_keys: np.arange(n_keys) == np.asarray(lengths)[:, None, None],
            lambda lengths, n_keys: np.arange(n_keys) == np.asarray(lengths)[:, None, None] - 1]),
    Mistake("slice-from-zero", "a slice that starts at −0",
        say="Of a full sentence no key is padding: its slice starts at −0, and that is 0, the whole row. Count from the front.",
        ways=[sliced(lambda length, n_keys: slice(length - n_keys, None), value=False)]),
    Mistake("a-row-for-each-query", "a row for each query",
        say="Which keys are padding is the same for all queries: one row for each sentence, in an axis of length 1, does for them all.",
        ways=(), shows=lambda want, got: [mask.shape for mask in got.values or ()] == [
            (len(mask), mask.shape[-1], mask.shape[-1]) for mask in want.values]),
    Mistake("axis-in-front", "the new axis stands in front of the batch",
        say="With shape (1, B, n_keys) the batch would be taken for the queries. The axis of length 1 belongs between sentences and keys.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[:, 0][None]]),
    Mistake("fixed-size", "the same number of keys whatever n_keys is",
        say="A number is typed in place of n_keys. Use what is passed in.",
        ways=[lambda lengths, n_keys, n=n: maths.padding_mask(lengths, n) for n in (3, 4, 5, 6)]),
    Mistake("as-wide-as-the-longest", "as many columns as the longest sentence has words",
        say="The scores have n_keys columns, and there may be padding behind the longest sentence too.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, max(lengths))]),
    Mistake("lengths-along-keys", "lengths and key numbers lie along the same axis",
        say="B lengths against n_keys numbers: NumPy compares them one by one, or refuses. Give the lengths axes behind their own, by None, so that each meets all keys.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)]),
)


@exercise(
    inputs={"two sentences": ([1, 3], 3), "an empty sentence": ([2, 0, 4], 4), "one sentence": ([5], 5),
        "none is full": ([1, 2], 4)},
    mistakes=PADDING_MISTAKES, result="mask", exact=True, see=PADDING, own=what_a_row_sees)
def padding_mask(lengths, n_keys):
    """Check `f(lengths, n_keys)` → bool (B, 1, n_keys), True = may look. Returns Feedback."""
    return maths.padding_mask(lengths, n_keys)
