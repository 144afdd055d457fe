"""Lesson 03: a sliding window over the keys."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_lessons.lesson01.scores import result_is
from attn_lessons.lesson03.causal_mask import mask_steps, what_a_row_sees

WINDOW = "l03-window"


def back(L):
    """Count how many tokens key j is before query i, (L, L); negative for a later key."""
    return np.arange(L)[:, None] - np.arange(L)


def window(L, w):
    return (back(L) >= 0) & (back(L) < w)


def which_condition(ask, given, wanted, got):
    """Say what the first wrong row sees, and which of the two conditions of a window fails."""
    (want,), (mine,), (L, w) = wanted, got, given
    kinds = (
        ("later than the query", back(L) < 0, "none"),
        (f"w = {w} or more tokens back", back(L) >= w, "none"),
        ("inside the window", want, "all"),
    )
    said = [
        f"Of the {kind.sum()} cells for a key {what}, {(mine & kind).sum()} are True, and {should} should be."
        for what, kind, should in kinds
        if ((mine != want) & kind).any()
    ]
    return " ".join([what_a_row_sees(ask, given, wanted, got), *said])


# fmt: off
BLIND = Mistake("blind-to-itself", "a token doesn't see itself",
    say="Your diagonal is False, at least from row 1 on. It must be True whatever w is, because w counts the query's own token.",
    ways=[lambda mask: mask & (back(len(mask)) != 0)], shows=result_is(lambda mine, right: np.array_equal(mine[1:], np.tril(right, -1)[1:]), kinds="b"))
STEPS = mask_steps("L w", window, [
    Mistake("window-ignored", "the causal mask, whatever w is",
        say="No row sees the future, but every row sees the whole past. It should see at most w keys, including its own.",
        ways=[lambda L, w: back(L) >= 0]),
    Mistake("symmetric-window", "the window also reaches into the future",
        say="Your window covers *both* sides of the diagonal. A query may never see a later key, however near.",
        ways=[lambda L, w: np.abs(back(L)) < w, lambda L, w: np.abs(back(L)) <= w // 2]),
    Mistake("transposed-mask", "rows and columns are exchanged",
        say="Your window runs *forward* from each query, not back. Rows are queries, so row 0, the first token, may look only at column 0.",
        ways=[lambda L, w: window(L, w).T]),
    Mistake("future-visible", "nothing hides the future",
        say="You limit how far a query looks back, but it may still look ahead. Two conditions must hold at once.",
        ways=[lambda L, w: back(L) < w]),
    Mistake("blocks", "the sentence is cut into blocks",
        say="Your window starts again every w tokens. It must slide, so that each row's window ends at its own token.",
        ways=[lambda L, w: (back(L) >= 0) & (np.arange(L)[:, None] // w == np.arange(L) // w)]),
    Mistake("negative-start", "an index below 0",
        say="In the first rows i − w + 1 is below 0, and a negative index counts from the end. Start the window at key 0 there.",
        ways=[lambda L, w: np.array([np.eye(L, dtype=bool)[range(i - w + 1, i + 1)].any(axis=0) for i in range(L)]),
            lambda L, w: np.array([np.isin(np.arange(L), np.arange(L)[i - w + 1 : i + 1]) for i in range(L)])]),
    Mistake("nothing-blocked", "nothing is blocked",
        say="All cells are True, so every query may look at every key. Two conditions must hold at once. If you join them with |, one of them is enough.",
        ways=[lambda L, w: (back(L) >= 0) | (back(L) < w)]),
    BLIND._replace(ways=[lambda L, w: (back(L) > 0) & (back(L) <= w)]),
], shape=[BLIND], sizes=[
    Mistake("fixed-width", "the same width whatever w is",
        say="Your window has the same width whatever w is. Use the w that is passed in.",
        ways=[lambda L, w, width=width: (L, width) for width in (1, 2, 3, 4)]),
    Mistake("one-too-many", "the window is one key too wide",
        say="You show the key that is w tokens back. w counts the query's own token, so with w = 1 each row has a single True, on the diagonal.",
        ways=[lambda L, w: (L, w + 1)]),
    Mistake("one-too-few", "the window is one key too narrow",
        say="You hide the key that is w − 1 tokens back. w counts the query's own token and the w − 1 before it, so with w = 1 the diagonal is True.",
        ways=[lambda L, w: (L, w - 1)]),
])


@exercise(
    inputs={"four tokens, two visible": (4, 2), "only itself": (3, 1), "three visible": (5, 3),
        "wider than the sentence": (3, 5), "a single token": (1, 1), "more than anyone types": (12, 4)},
    steps=STEPS, result="mask", exact=True, see=WINDOW, own=which_condition)
def window_mask(L, w):
    """Check `f(L, w)` → bool (L, L), True for the query's own token and the w − 1 before it. Returns Feedback."""
    return window(L, w)
