"""Lesson 03: making masks, the causal one and the one that hides padding."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_parts import mathematics as maths

TRIANGLE = "lesson 03, The causal triangle"
TRUE_MEANS = "lesson 03, True means may look"
PADDING = "lesson 03, Padding"

CAUSAL_MISTAKES = [
    Mistake(
        "inverted-mask",
        name="True and False are exchanged",
        ways=[lambda L: ~maths.causal_mask(L), lambda L: (~maths.causal_mask(L)).astype(int)],
        say="You marked what is *blocked*. Here True means: this query may look at this key.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "strictly-lower",
        name="the diagonal is missing",
        ways=[lambda L: np.tril(np.ones((L, L), bool), -1)],
        say="Nobody may look at themselves, and the first token at nothing at all. A token knows itself: the diagonal belongs in.",
        see=TRIANGLE,
    ),
    Mistake(
        "transposed-mask",
        name="rows and columns are exchanged",
        ways=[lambda L: maths.causal_mask(L).T],
        say="Your queries look at *later* keys only. Rows are queries: row 0, the first token, may look at column 0 alone.",
        see=TRIANGLE,
    ),
    Mistake(
        "one-too-many",
        name="one key of the future is visible",
        ways=[lambda L: np.tril(np.ones((L, L), bool), 1)],
        say="Row 0 may already look at column 1: one step into the future.",
        see=TRIANGLE,
    ),
    Mistake(
        "additive-mask",
        name="0 and −inf in place of True and False",
        ways=[lambda L: np.where(maths.causal_mask(L), 0, -np.inf)],
        say="That is the mask to *add* to scores, and a good one. Here the boolean form is asked for.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "integer-mask",
        name="0 and 1 in place of True and False",
        ways=[lambda L: maths.causal_mask(L).astype(int)],
        say="The pattern is right, the dtype is not: with numbers, ~mask and indexing by mask do something else, or fail.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "nothing-blocked",
        name="nothing is blocked",
        ways=[lambda L: np.ones((L, L), bool)],
        say="Every query may look at every key, the future included.",
        see=TRIANGLE,
    ),
    Mistake(
        "fixed-size",
        name="the same size whatever L is",
        ways=[lambda L, size=size: maths.causal_mask(size) for size in (2, 3, 4, 5, 6, 8)],
        say="A number is typed in place of L, or an array from an earlier cell comes back. Use the L that is passed in.",
        see=TRIANGLE,
    ),
    Mistake(
        "first-row-only",
        name="only the first row is worked out",
        ways=[lambda L: maths.causal_mask(L) & (np.arange(L) < 1)[:, None]],
        say="The loop ended after its first round. Is return indented too far?",
        see=TRIANGLE,
    ),
    Mistake(
        "only-diagonal",
        name="each token sees only itself",
        ways=[lambda L: np.eye(L, dtype=bool)],
        say="Earlier tokens should be visible too.",
        see=TRIANGLE,
    ),
]


@exercise(
    inputs={"three": (3,), "two": (2,), "one": (1,), "five": (5,), "more than anybody types": (12,)},
    mistakes=CAUSAL_MISTAKES,
    result="mask",
    exact=True,
    see=TRIANGLE,
)
def causal_mask(L):
    """Check `f(L)` → bool (L, L), True = may look. Returns Feedback."""
    return maths.causal_mask(L)


def one_short(lengths, n_keys):
    """Each sentence filled with True by a slice that ends one key early; below 0 it counts from the end."""
    mask = np.zeros((len(lengths), 1, n_keys), dtype=bool)
    for sentence, length in zip(mask, lengths, strict=True):
        sentence[:, : length - 1] = True
    return mask


PADDING_MISTAKES = [
    Mistake(
        "inverted-mask",
        name="True and False are exchanged",
        ways=[lambda lengths, n_keys: ~maths.padding_mask(lengths, n_keys)],
        say="You marked the padding. True means: may look.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "no-query-axis",
        name="the axis for the queries is missing",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[:, 0]],
        say="With shape (B, n_keys) the batch would be taken for the queries. Put an axis of length 1 between them.",
        see=PADDING,
    ),
    Mistake(
        "padding-rows",
        name="rows are hidden instead of columns",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys).swapaxes(-1, -2)],
        say="Your mask hides the queries that are padding. It is as *keys* that padding must not be looked at.",
        see=PADDING,
    ),
    Mistake(
        "padding-in-front",
        name="the padding stands in front",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys)[..., ::-1]],
        say="You hide the *first* keys. Here the words come first, from key 0 on, and the padding stands behind them.",
        see=PADDING,
    ),
    Mistake(
        "one-length-for-all",
        name="the longest length for every sentence",
        ways=[
            lambda lengths, n_keys: maths.padding_mask([max(lengths)] * len(lengths), n_keys),
            lambda lengths, n_keys: np.ones((len(lengths), 1, n_keys), dtype=bool),
        ],
        say="A shorter sentence keeps some of its padding visible. Each has a length of its own, and a row of its own.",
        see=PADDING,
    ),
    Mistake(
        "one-too-many",
        name="one padded key is visible",
        ways=[lambda lengths, n_keys: np.arange(n_keys) <= np.asarray(lengths)[:, None, None]],
        say="Keys are counted from 0: a sentence of 2 tokens has keys 0 and 1.",
        see=PADDING,
    ),
    Mistake(
        "one-too-few",
        name="the last word is hidden",
        ways=[
            lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)[:, None, None] - 1,
            one_short,
        ],
        say="Keys are counted from 0: a sentence of 2 tokens has keys 0 and 1, both visible. A slice :2 stops before key 2 by itself.",
        see=PADDING,
    ),
    Mistake(
        "lengths-along-keys",
        name="lengths and key numbers lie along the same axis",
        ways=[lambda lengths, n_keys: np.arange(n_keys) < np.asarray(lengths)],
        say="B lengths against n_keys numbers: NumPy compares them one by one, or refuses. Give the lengths axes behind their own, by None, so that each meets all keys.",
        see=PADDING,
    ),
    Mistake(
        "integer-mask",
        name="0 and 1 in place of True and False",
        ways=[lambda lengths, n_keys: maths.padding_mask(lengths, n_keys).astype(int)],
        say="The pattern is right, the dtype is not.",
        see=TRUE_MEANS,
    ),
]


@exercise(
    inputs={
        "two sentences": ([1, 3], 3),
        "an empty sentence": ([2, 0, 4], 4),
        "one sentence": ([5], 5),
        "none is full": ([1, 2], 4),
    },
    mistakes=PADDING_MISTAKES,
    result="mask",
    exact=True,
    see=PADDING,
)
def padding_mask(lengths, n_keys):
    """Check `f(lengths, n_keys)` → bool (B, 1, n_keys), True = may look. Returns Feedback."""
    return maths.padding_mask(lengths, n_keys)
