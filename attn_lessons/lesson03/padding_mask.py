"""Lesson 03: the mask that hides padding."""

import numpy as np

from attn_checks.exercise import exercise, with_each
from attn_lessons.lesson03.causal_mask import mask_steps, what_a_row_sees
from attn_parts import mathematics as maths


def sliced(part, value=True):
    """Fill a slice of each sentence with `value`, the rest with its opposite; its ends may be 0 or less."""

    def way(lengths, n_keys):
        keys = np.arange(n_keys)
        return np.array([[np.isin(keys, keys[part(length, n_keys)]) == value] for length in lengths])

    return way


def both_ways(mask):
    return mask & mask.swapaxes(-1, -2)


def compared(way):
    """A mask made by comparing the numbers of the keys, (n_keys,), with the lengths, (B, 1, 1)."""
    return lambda lengths, n_keys: way(np.arange(n_keys), np.asarray(lengths)[:, None, None])


STEPS = mask_steps(
    "lengths n_keys",
    compared(np.less),
    {
        "padding-rows": lambda lengths, n_keys: maths.padding_mask(lengths, n_keys).swapaxes(-1, -2),
        "padding-in-front": [
            lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[..., ::-1],
            sliced(lambda length, n_keys: slice(-length, None)),
        ],
        "one-length-for-all": with_each(
            (max, min, lambda lengths: lengths[0]),
            lambda lengths, n_keys, pick: maths.padding_mask([pick(lengths)] * len(lengths), n_keys),
        ),
        "one-too-many": compared(np.less_equal),
        "one-too-few": [
            compared(lambda keys, length: keys < length - 1),
            sliced(lambda length, n_keys: slice(length - 1)),
        ],
        "counted-from-one": [
            compared(lambda keys, length: (keys >= 1) & (keys < length)),
            compared(lambda keys, length: (keys >= 1) & (keys <= length)),
        ],
        "one-key": [
            compared(np.not_equal),
            compared(np.equal),
            compared(lambda keys, length: keys == length - 1),
            compared(lambda keys, length: keys == (length - 1) % len(keys)),
        ],
        "slice-from-zero": sliced(lambda length, n_keys: slice(length - n_keys, None), value=False),
        "padding-queries": lambda lengths, n_keys: both_ways(maths.padding_mask(lengths, n_keys)),
        "slice-of-queries": compared(lambda keys, length: (length > 0) & (keys >= 0)),
        "as-wide-as-the-longest": lambda lengths, n_keys: maths.padding_mask(lengths, max(lengths)),
        "lengths-along-keys": with_each(
            (
                (),
                (slice(None), None, slice(None)),
                (slice(None), None),
                None,
            ),
            lambda lengths, n_keys, axes: (np.arange(n_keys) < np.asarray(lengths))[axes],
        ),
    },
    sizes={
        "wrong-size": [
            lambda lengths, n_keys: ([lengths[0], lengths[1]], n_keys),
            lambda lengths, n_keys: (lengths, 4),
            lambda lengths, n_keys: (lengths, n_keys + 1),
            lambda lengths, n_keys: (lengths, n_keys - 1),
        ]
    },
    shape={
        "no-query-axis": lambda mask: mask[:, 0],
        "a-row-for-each-query": lambda mask: mask.repeat(mask.shape[-1], axis=1),
        "axis-in-front": lambda mask: mask[:, 0][None],
    },
)


@exercise(
    inputs={
        "two sentences": ([1, 3], 3),
        "an empty sentence": ([2, 0, 4], 4),
        "one sentence": ([5], 5),
        "none is full": ([1, 2], 4),
    },
    steps=STEPS,
    result="mask",
    exact=True,
    own=what_a_row_sees,
)
def padding_mask(lengths, n_keys):
    """Check `f(lengths, n_keys)` → bool (B, 1, n_keys), True = may look. Returns Feedback."""
    return maths.padding_mask(lengths, n_keys)
