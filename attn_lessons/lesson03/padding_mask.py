"""Lesson 03: the mask that hides padding."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_lessons.lesson03.causal_mask import mask_steps, what_a_row_sees
from attn_parts import mathematics as maths

PADDING = "l03-padding"


def sliced(part, value=True):
    """Fill a slice of each sentence with `value` and the rest with its opposite; its ends may be 0 or below."""

    def way(lengths, n_keys):
        keys = np.arange(n_keys)
        return np.array([[np.isin(keys, keys[part(length, n_keys)]) == value] for length in lengths])

    return way


def both_ways(mask):
    return mask & mask.swapaxes(-1, -2)


# fmt: off
STEPS = mask_steps("lengths n_keys", lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)[:, None, None], [
    Mistake("padding-rows", "rows are hidden instead of columns",
        say="Your mask hides the padding as queries. Hide it as *keys*, so that no query may look at it.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys).swapaxes(-1, -2)]),
    Mistake("padding-in-front", "the padding is in front",
        say="You hide the *first* keys. Here the words come first, from key 0 on, and the padding comes after them.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[..., ::-1],
            sliced(lambda length, n_keys: slice(-length, None))]),
    Mistake("one-length-for-all", "one length for every sentence",
        say="All your sentences end at the same key. Each has its own length, and so its own row.",
        ways=[lambda lengths, n_keys, pick=pick: maths.padding_mask([pick(lengths)] * len(lengths), n_keys)
            for pick in (max, min, lambda lengths: lengths[0])]),
    Mistake("one-too-many", "one padded key is visible",
        say="You show one [pad] too many. Keys are counted from 0, so a sentence of 2 tokens has keys 0 and 1.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) <= np.asarray(lengths)[:, None, None]]),
    Mistake("one-too-few", "the last word is hidden",
        say="You hide the last word. Keys are counted from 0, so a sentence of 2 tokens has keys 0 and 1, and the slice :2 already stops before key 2.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)[:, None, None] - 1,
            sliced(lambda length, n_keys: slice(length - 1))]),
    Mistake("counted-from-one", "the keys are counted from 1",
        say="The first word is hidden. Keys are counted from 0, so a sentence of 2 tokens has keys 0 and 1.",
        ways=[sliced(lambda length, n_keys: slice(1, length)), sliced(lambda length, n_keys: slice(1, length + 1))]),
    Mistake("one-key", "one key instead of all up to it",
        say="You show or hide at most one key of each sentence. All keys before the length are words, and all the others are padding.",
        ways=[lambda lengths, n_keys: np.arange(n_keys) != np.asarray(lengths)[:, None, None],
            lambda lengths, n_keys: np.arange(n_keys) == np.asarray(lengths)[:, None, None],
            lambda lengths, n_keys: np.arange(n_keys) == np.asarray(lengths)[:, None, None] - 1,
            lambda lengths, n_keys: np.arange(n_keys) == (np.asarray(lengths)[:, None, None] - 1) % n_keys]),
    Mistake("slice-from-zero", "every key of a full sentence is hidden",
        say="A full sentence has no padding, but yours shows nothing. A slice that starts at −0 starts at 0 and covers the whole row, so count from the front.",
        ways=[sliced(lambda length, n_keys: slice(length - n_keys, None), value=False)]),
    Mistake("padding-queries", "the padding is hidden as queries as well",
        say="You also hid the padding as queries, so your rows differ. Only the keys matter, so make one row per sentence, with an axis of length 1 for the queries.",
        ways=[lambda lengths, n_keys: both_ways(maths.padding_mask(lengths, n_keys))]),
    Mistake("slice-of-queries", "every key of a sentence is visible",
        say="Every sentence that has words shows all its keys. A slice such as m[b, :length] runs along the query axis, and m[b, 0, :length] along the keys.",
        ways=[lambda lengths, n_keys: np.array([[[length > 0] * n_keys] for length in lengths])]),
    Mistake("as-wide-as-the-longest", "as many columns as the longest sentence has words",
        say="Your mask is as wide as the longest sentence. The scores have n_keys columns, so even the longest sentence may have padding.",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, max(lengths))]),
    Mistake("lengths-along-keys", "lengths and key numbers lie along the same axis",
        say="NumPy compares your B lengths with the n_keys key numbers one by one, or raises an error. Put new axes after that of the lengths with None, so that each length meets all keys.",
        ways=[lambda lengths, n_keys, axes=axes: (np.arange(n_keys) < np.asarray(lengths))[axes]
            for axes in ((), (slice(None), None, slice(None)), (slice(None), None), None)]),
], sizes=[
    Mistake("wrong-size", "a wrong number of sentences or keys",
        say="Your mask has a wrong number of sentences, or of keys. Use len(lengths) and n_keys as they are, not a typed number and not one more or less.",
        ways=[lambda lengths, n_keys: ([lengths[0], lengths[1]], n_keys), lambda lengths, n_keys: (lengths, 4),
            lambda lengths, n_keys: (lengths, n_keys + 1), lambda lengths, n_keys: (lengths, n_keys - 1)]),
], shape=[
    Mistake("no-query-axis", "the axis for the queries is missing",
        say="Your shape is (B, n_keys), so NumPy would take the sentences for queries. Insert an axis of length 1 between the two.",
        ways=[lambda mask: mask[:, 0]]),
    Mistake("a-row-for-each-query", "a row for each query",
        say="Your mask repeats the same row for every query. One row per sentence is enough, with an axis of length 1 for the queries.",
        ways=[lambda mask: mask.repeat(mask.shape[-1], axis=1)]),
    Mistake("axis-in-front", "the new axis is in front of the batch",
        say="Your shape is (1, B, n_keys), so NumPy would take the sentences for queries. Put the axis of length 1 between sentences and keys.",
        ways=[lambda mask: mask[:, 0][None]]),
])


@exercise(
    inputs={"two sentences": ([1, 3], 3), "an empty sentence": ([2, 0, 4], 4), "one sentence": ([5], 5),
        "none is full": ([1, 2], 4)},
    steps=STEPS, result="mask", exact=True, see=PADDING, own=what_a_row_sees)
def padding_mask(lengths, n_keys):
    """Check `f(lengths, n_keys)` → bool (B, 1, n_keys), True = may look. Returns Feedback."""
    return maths.padding_mask(lengths, n_keys)
