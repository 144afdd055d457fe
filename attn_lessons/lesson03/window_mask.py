"""Lesson 03: a sliding window over the keys."""

import numpy as np

from attn_checks.exercise import Shown, exercise, result_is, with_each
from attn_lessons.lesson03.causal_mask import mask_steps, what_a_row_sees


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


BLIND = {
    "blind-to-itself": Shown(
        result_is(
            lambda mine, right: np.array_equal(mine[1:], np.tril(right, -1)[1:]),
            kinds="b",
        ),
        lambda mask: mask & (back(len(mask)) != 0),
    )
}
STEPS = mask_steps(
    "L w",
    window,
    {
        "window-ignored": lambda L, w: back(L) >= 0,
        "symmetric-window": [
            lambda L, w: np.abs(back(L)) < w,
            lambda L, w: np.abs(back(L)) <= w // 2,
        ],
        "transposed-mask": lambda L, w: window(L, w).T,
        "future-visible": lambda L, w: back(L) < w,
        "blocks": lambda L, w: (back(L) >= 0) & (np.arange(L)[:, None] // w == np.arange(L) // w),
        "negative-start": [
            lambda L, w: np.array(
                [np.eye(L, dtype=bool)[range(i - w + 1, i + 1)].any(axis=0) for i in range(L)]
            ),
            lambda L, w: np.array([np.isin(np.arange(L), np.arange(L)[i - w + 1 : i + 1]) for i in range(L)]),
        ],
        "nothing-blocked (either)": lambda L, w: (back(L) >= 0) | (back(L) < w),
        "blind-to-itself": lambda L, w: (back(L) > 0) & (back(L) <= w),
    },
    shape=BLIND,
    sizes={
        "fixed-width": with_each((1, 2, 3, 4), lambda L, w, width: (L, width)),
        "one-too-many": lambda L, w: (L, w + 1),
        "one-too-few": lambda L, w: (L, w - 1),
    },
)


@exercise(
    inputs={
        "four tokens, two visible": (4, 2),
        "only itself": (3, 1),
        "three visible": (5, 3),
        "wider than the sentence": (3, 5),
        "a single token": (1, 1),
        "more than anyone types": (12, 4),
    },
    steps=STEPS,
    result="mask",
    exact=True,
    own=which_condition,
)
def window_mask(L, w):
    """Check `f(L, w)` → bool (L, L), True for the query's own token and the w − 1 before it.

    Returns Feedback.
    """
    return window(L, w)
