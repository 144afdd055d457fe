"""Lesson 03: a sliding window over the keys, the task whose answer stands in no cell; told by its properties."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_checks.lessons.lesson03_masks import TRIANGLE, TRUE_MEANS

WINDOW = "lesson 03, Exercise 4, transfer: a sliding window (6 minutes)"


def back(L):
    """How many tokens before query i key j stands, (L, L); negative for a later key."""
    return np.arange(L)[:, None] - np.arange(L)


def window(L, w):
    return (back(L) >= 0) & (back(L) < w)


def sliced_below_zero(L, w):
    """The window as a slice of each row, whose start is below 0 in the first rows."""
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        mask[i, i - w + 1 : i + 1] = True
    return mask


def rows_are(condition):
    """Whether a boolean matrix of the right shape has a property that it must not have."""

    def shows(want, got):
        if got.values is None or len(got.values) != 1:
            return False
        mine, right = got.values[0], want.values[0]
        return mine.shape == right.shape and mine.dtype == bool and bool(condition(mine, right))

    return shows


MISTAKES = [
    Mistake(
        "inverted-mask",
        name="True and False are exchanged",
        ways=[lambda L, w: ~window(L, w)],
        say="You marked what is *blocked*. Here True means: this query may look at this key.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "additive-mask",
        name="0 and −inf in place of True and False",
        ways=[lambda L, w: np.where(window(L, w), 0, -np.inf)],
        say="That is the mask to *add* to scores, and a good one. Here the boolean form is asked for.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "integer-mask",
        name="0 and 1 in place of True and False",
        ways=[lambda L, w: window(L, w).astype(int)],
        say="The pattern is right, the dtype is not: with numbers, ~mask and indexing by mask do something else, or fail.",
        see=TRUE_MEANS,
    ),
    Mistake(
        "fixed-size",
        name="the same size whatever L is",
        ways=[lambda L, w, size=size: window(size, w) for size in (3, 4, 5, 6)],
        say="A number is typed in place of L. Use the L that is passed in.",
        see=WINDOW,
    ),
    Mistake(
        "window-ignored",
        name="the causal mask, whatever w is",
        ways=[lambda L, w: back(L) >= 0],
        say="No row sees the future, but every row sees the whole past. It should see w keys at most, itself among them.",
        see=WINDOW,
    ),
    Mistake(
        "fixed-width",
        name="the same width whatever w is",
        ways=[lambda L, w, width=width: window(L, width) for width in (1, 2, 3, 4)],
        say="w changes nothing in your mask. Use the w that is passed in.",
        see=WINDOW,
    ),
    Mistake(
        "symmetric-window",
        name="the window reaches into the future too",
        ways=[
            lambda L, w: np.abs(back(L)) < w,
            lambda L, w: np.abs(back(L)) <= w,
            lambda L, w: np.abs(back(L)) <= w // 2,
        ],
        say="Your window lies on *both* sides of the diagonal. A later key is never visible, however near.",
        see=TRIANGLE,
    ),
    Mistake(
        "transposed-mask",
        name="rows and columns are exchanged",
        ways=[lambda L, w: window(L, w).T],
        say="Your queries look at the *next* keys. Rows are queries: row 0, the first token, may look at column 0 alone.",
        see=TRIANGLE,
    ),
    Mistake(
        "future-visible",
        name="nothing hides the future",
        ways=[lambda L, w: back(L) < w, lambda L, w: back(L) <= w],
        say="You limit how far a query looks back, not that it must not look ahead. Two conditions must hold at once.",
        see=TRIANGLE,
    ),
    Mistake(
        "one-too-many",
        name="the window is one key too wide",
        ways=[lambda L, w: window(L, w + 1)],
        say="w counts the query's own token. With w = 1 each row must have a single True, on the diagonal.",
        see=WINDOW,
    ),
    Mistake(
        "one-too-few",
        name="the window is one key too narrow",
        ways=[lambda L, w: window(L, w - 1)],
        say="w counts the query's own token and w − 1 before it. With w = 1 the diagonal must be True.",
        see=WINDOW,
    ),
    Mistake(
        "blocks",
        name="the sentence is cut into blocks",
        ways=[lambda L, w: (back(L) >= 0) & (np.arange(L)[:, None] // w == np.arange(L) // w)],
        say="Your window starts anew every w tokens. It must slide: each row's window ends at its own token.",
        see=WINDOW,
    ),
    Mistake(
        "first-keys",
        name="the first w keys, not the last",
        ways=[lambda L, w: (back(L) >= 0) & (np.arange(L) < w)],
        say="Late queries still see the beginning and no longer themselves. The window moves along with the query.",
        see=WINDOW,
    ),
    Mistake(
        "negative-start",
        name="a slice that starts below 0",
        ways=[sliced_below_zero],
        say="In the first rows i − w + 1 is below 0, and a negative index counts from the end, so the slice is empty. A window cannot start before key 0.",
        see=WINDOW,
    ),
    Mistake(
        "blind-to-itself",
        name="a token does not see itself",
        ways=[lambda L, w: (back(L) > 0) & (back(L) < w), lambda L, w: (back(L) > 0) & (back(L) <= w)],
        shows=rows_are(lambda mine, right: not mine.diagonal().all() and not np.triu(mine, 1).any()),
        say="The diagonal must be True: w counts the query's own token, whatever w is.",
        see=TRIANGLE,
    ),
    Mistake(
        "looks-ahead",
        name="a query sees a later key",
        ways=[],
        shows=rows_are(lambda mine, right: np.triu(mine, 1).any()),
        say="There is a True to the right of the diagonal. A window looks back only.",
        see=TRIANGLE,
    ),
    Mistake(
        "wrong-width",
        name="a row sees too many keys, or too few",
        ways=[],
        shows=rows_are(lambda mine, right: (mine.sum(axis=1) != right.sum(axis=1)).any()),
        say="No query looks ahead, and each sees itself. But count the True in each row: row i, from 0, must have i + 1 of them, and never more than w.",
        see=WINDOW,
    ),
]


@exercise(
    inputs={
        "four tokens, two visible": (4, 2),
        "only itself": (3, 1),
        "three visible": (5, 3),
        "wider than the sentence": (3, 5),
        "a single token": (1, 1),
        "more than anybody types": (12, 4),
    },
    mistakes=MISTAKES,
    result="mask",
    exact=True,
    see=WINDOW,
)
def window_mask(L, w):
    """Check `f(L, w)` → bool (L, L), True for the query's own token and the w − 1 before it. Returns Feedback."""
    return window(L, w)
