"""Lesson 11: zero ablation of some heads, made of steps."""

import numpy as np

from attn_checks.exercise import Shown, Step, Steps, close, exercise, result_is, with_each


def put(values, place, what=0.0):
    """A copy with `what` at this place, where there is such a place."""
    changed = np.array(values)
    changed[place] = what
    return changed


def something_is_left(mine, right):
    """Whether only heads that should be 0 are wrong, each of which is 0 everywhere or nowhere."""
    off = (right == 0).all(axis=(1, 2))
    return close(mine, right)[~off].all() and all(head.all() or not head.any() for head in mine[off])


SOME_MISTAKES = {
    "one-of-them-only": [
        lambda off: off[:1],
        lambda off: off[-1:],
        lambda off: off[:-1],
        lambda off: off[1:],
        lambda off: [off[0]],
        lambda off: [off[-1]],  # this and the one before fail where the list is empty
    ]
}
NUMBER_MISTAKES = {
    "kept-these-only": lambda off, heads: [head for head in range(len(heads)) if head not in off],
    "counted-from-1": [
        lambda off, heads: [head - 1 for head in off],
        lambda off, heads: [(head + 1) % len(heads) for head in off],
        lambda off, heads: [head + 1 for head in off if head + 1 < len(heads)],
        lambda off, heads: [head + 1 for head in off],
    ],
    "positions-in-the-list": lambda off, heads: list(range(len(off))),
}
PLACE_MISTAKES = {
    "words-not-heads": [
        lambda off: (slice(None), off),
        lambda off: (..., off),
    ],
    "one-index-for-each-axis": [
        tuple,
        lambda off: (off, 0),
        lambda off: (off, off),
        lambda off: (off, -1),
        lambda off: (off, slice(None), off),
        lambda off: (off, slice(None), 0),
    ],
    "empty-list-as-index": np.array,
}
WHAT_MISTAKES = {
    "mean-in-place-of-zero": [
        lambda heads, place: put(heads, place, heads.mean(axis=0)),
        lambda heads, place: put(heads, place, heads.mean()),
        *with_each(
            (1, 2, (1, 2)),
            lambda heads, place, axis: put(heads, place, heads.mean(axis, keepdims=True)[place]),
        ),
    ],
    "not-zero": Shown(
        result_is(something_is_left),
        with_each((1.0, -np.inf, np.nan, -1e9), lambda heads, place, number: put(heads, place, number)),
    ),
}
STEPS = Steps(
    "heads off",
    {
        "some": Step("off", "some", SOME_MISTAKES, lambda off: off),
        "numbers": Step("some heads", "numbers", NUMBER_MISTAKES, lambda off, heads: off),
        "place": Step("numbers", "place", PLACE_MISTAKES, lambda off: off),
        "what": Step("heads place", "result", WHAT_MISTAKES, put),
    },
)
OTHERS = {
    "one-of-them-only": lambda heads, off: put(heads, off[:1]) if off else None,
    "words-not-heads": [
        lambda heads, off: heads * ~np.isin(range(len(heads)), off),
        lambda heads, off: heads * ~np.isin(range(len(heads)), off)[:, None],
    ],
    "removed": lambda heads, off: np.delete(heads, off, axis=0),
}


@exercise(
    mistakes=[STEPS.mistakes(), OTHERS],
    steps=STEPS,
    result="heads",
    inputs={
        "one head of two": lambda draw: (draw(2, 3, 2) + 4.0, [1]),
        "two of four": lambda draw: (np.cbrt(draw(4, 3, 5) + 0.5), [0, 2]),
        "as many heads as words and columns": lambda draw: (draw(3, 3, 3) + 0.5, [1]),
        "none": lambda draw: (draw(2, 2, 3) + 4.0, []),
        "the last of four": lambda draw: (draw(4, 5, 4) + 4.0, [3]),
    },
)
def ablate(heads, off):
    """Check `f(heads, off)` → a copy of heads (n_heads, L, d_head) in which those numbered in `off` are 0. Returns Feedback."""
    return put(heads, off)
