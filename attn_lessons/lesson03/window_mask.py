"""Lesson 03: a sliding window over the keys, the task whose answer stands in no cell; told by its properties."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson03.causal_mask import TRIANGLE, of_any_mask, what_a_row_sees


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


def cell_by_cell(L, w):
    """The same, cell by cell: an index below 0 marks a cell at the row's other end, or is out of bounds."""
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        for j in range(i - w + 1, i + 1):
            mask[i, j] = True
    return mask


def which_condition(ask, given, wanted, got):
    """What the first wrong row sees, and which of the two conditions of a window does not work."""
    (want,), (mine,), (L, w) = wanted, got, given
    kinds = (
        ("later than the query", back(L) < 0, "none"),
        (f"w = {w} or more tokens back", back(L) >= w, "none"),
        ("inside the window", want, "all"),
    )
    said = [
        f"Of the {kind.sum()} cells for a key {what} {(mine & kind).sum()} are True, and {should} should be."
        for what, kind, should in kinds
        if ((mine != want) & kind).any()
    ]
    return " ".join([what_a_row_sees(ask, given, wanted, got), *said])


def rows_are(condition):
    """Whether a boolean matrix of the right shape has a property that it must not have."""

    def shows(want, got):
        if got.values is None or len(got.values) != 1:
            return False
        mine, right = got.values[0], want.values[0]
        return mine.shape == right.shape and mine.dtype == bool and bool(condition(mine, right))

    return shows


MISTAKES = table(
    TRIANGLE,
    *of_any_mask(window, TRIANGLE),
    Mistake(
        "fixed-size",
        name="the same size whatever L is",
        ways=[lambda L, w, size=size: window(size, w) for size in (3, 4, 5, 6)],
        say="A number is typed in place of L. Use the L that is passed in.",
    ),
    Mistake(
        "window-ignored",
        name="the causal mask, whatever w is",
        ways=[lambda L, w: back(L) >= 0],
        say="No row sees the future, but every row sees the whole past. It should see w keys at most, itself among them.",
    ),
    Mistake(
        "fixed-width",
        name="the same width whatever w is",
        ways=[lambda L, w, width=width: window(L, width) for width in (1, 2, 3, 4)],
        say="w changes nothing in your mask. Use the w that is passed in.",
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
    ),
    Mistake(
        "transposed-mask",
        name="rows and columns are exchanged",
        ways=[lambda L, w: window(L, w).T],
        say="Your queries look at the *next* keys. Rows are queries: row 0, the first token, may look at column 0 alone.",
    ),
    Mistake(
        "future-visible",
        name="nothing hides the future",
        ways=[lambda L, w: back(L) < w, lambda L, w: back(L) <= w],
        say="You limit how far a query looks back, not that it must not look ahead. Two conditions must hold at once.",
    ),
    Mistake(
        "one-too-many",
        name="the window is one key too wide",
        ways=[lambda L, w: window(L, w + 1)],
        say="w counts the query's own token. With w = 1 each row must have a single True, on the diagonal.",
    ),
    Mistake(
        "one-too-few",
        name="the window is one key too narrow",
        ways=[lambda L, w: window(L, w - 1)],
        say="w counts the query's own token and w − 1 before it. With w = 1 the diagonal must be True.",
    ),
    Mistake(
        "blocks",
        name="the sentence is cut into blocks",
        ways=[lambda L, w: (back(L) >= 0) & (np.arange(L)[:, None] // w == np.arange(L) // w)],
        say="Your window starts anew every w tokens. It must slide: each row's window ends at its own token.",
    ),
    Mistake(
        "first-keys",
        name="the first w keys, not the last",
        ways=[lambda L, w: (back(L) >= 0) & (np.arange(L) < w)],
        say="Late queries still see the beginning and no longer themselves. The window moves along with the query.",
    ),
    Mistake(
        "negative-start",
        name="a slice that starts below 0",
        ways=[sliced_below_zero],
        say="In the first rows i − w + 1 is below 0, and a negative index counts from the end, so the slice is empty. A window cannot start before key 0.",
    ),
    Mistake(
        "full-windows-only",
        name="a row whose window is not full sees nothing",
        ways=[lambda L, w: window(L, w) & (np.arange(L) >= w - 1)[:, None]],
        say="The first rows have fewer than w keys before and with them, and see those that there are.",
    ),
    Mistake(
        "sizes-exchanged",
        name="L and w are exchanged",
        ways=[lambda L, w: window(w, L)],
        say="There are L tokens, and so L rows and L columns. w only says how far back a row sees.",
    ),
    Mistake(
        "condition-turned-round",
        name="only what lies too far back is seen",
        ways=[lambda L, w: back(L) >= w, lambda L, w: back(L) > w, lambda L, w: back(L) >= w - 1],
        say="Your mask keeps what a window leaves out: keys far back, and not those nearby. Which way round is your condition on how far back?",
    ),
    Mistake(
        "triangles-apart",
        name="the two triangles hardly meet",
        ways=[
            lambda L, w: (back(L) >= 0) & (-back(L) >= w - 1),
            lambda L, w: (back(L) <= 0) & (back(L) >= w - 1),
        ],
        say="They meet only where w is 1. In np.tril and np.triu a positive k counts to the *right* of the diagonal, a negative one to the left. On which side do earlier keys lie?",
    ),
    Mistake(
        "blind-to-itself",
        name="a token does not see itself",
        ways=[lambda L, w: (back(L) > 0) & (back(L) < w), lambda L, w: (back(L) > 0) & (back(L) <= w)],
        shows=rows_are(
            lambda mine, right: np.array_equal(mine[1:], right[1:] & ~np.eye(len(mine), dtype=bool)[1:])
        ),
        say="The diagonal must be True: w counts the query's own token, whatever w is.",
    ),
    Mistake(
        "wraps-round",
        name="the window goes on at the other end",
        ways=[cell_by_cell, lambda L, w: back(L) % L < w],
        say="In the first rows the keys before key 0 have become the last ones: an index below 0 counts from the end, and so do % and np.roll. A window cannot start before key 0.",
    ),
    Mistake(
        "looks-ahead",
        name="a query sees a later key",
        ways=[],
        shows=rows_are(lambda mine, right: np.triu(mine, 1).any()),
        say="There is a True to the right of the diagonal. A window looks back only.",
    ),
    Mistake(
        "wrong-width",
        name="a row sees too many keys, or too few",
        ways=[],
        shows=rows_are(
            lambda mine, right: mine.diagonal().all() and (mine.sum(axis=1) != right.sum(axis=1)).any()
        ),
        say="No query looks ahead, and each sees itself. But count the True in each row: row i, from 0, must have i + 1 of them, and never more than w.",
    ),
)


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
    see=TRIANGLE,
    own=which_condition,
)
def window_mask(L, w):
    """Check `f(L, w)` → bool (L, L), True for the query's own token and the w − 1 before it. Returns Feedback."""
    return window(L, w)
