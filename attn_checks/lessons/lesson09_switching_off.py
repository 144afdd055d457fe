"""Lesson 09: what some heads hand over, set to 0."""

import numpy as np

from attn_checks.exercise import Mistake, exercise

OFF = "lesson 09, Switch a head off"


def put(values, place, what=0.0):
    """A copy with `what` at this place, where there is such a place."""
    changed = np.array(values)
    changed[place] = what
    return changed


def only(heads, off):
    kept = np.zeros_like(heads)
    kept[off] = heads[off]
    return kept


MISTAKES = [
    Mistake(
        "kept-these-only",
        name="the other heads are switched off",
        ways=[only],
        say="You kept the heads of the list, and switched off all others. It is the other way round.",
        see=OFF,
    ),
    Mistake(
        "words-not-heads",
        name="words are set to 0, not heads",
        ways=[lambda heads, off: put(heads, (slice(None), off))],
        say="The first axis counts the heads, the second the words. You have set some words of every head to 0.",
        see=OFF,
    ),
    Mistake(
        "columns-not-heads",
        name="columns are set to 0, not heads",
        ways=[lambda heads, off: put(heads, (..., off))],
        say="The last axis counts the columns within a head. The heads are the first axis.",
        see=OFF,
    ),
    Mistake(
        "up-to-the-head",
        name="a range of heads in place of these",
        ways=[
            lambda heads, off: put(heads, slice(0, max(off, default=-1) + 1)),
            lambda heads, off: put(heads, slice(0, max(off, default=0))),
            lambda heads, off: put(heads, slice(min(off, default=len(heads)), None)),
            lambda heads, off: put(heads, slice(0, len(off))),
        ],
        say="You have set a whole range of heads to 0. Only those on the list are meant.",
        see=OFF,
    ),
    Mistake(
        "one-of-them-only",
        name="only one head of the list is switched off",
        ways=[lambda heads, off: put(heads, off[:1]), lambda heads, off: put(heads, off[-1:])],
        say="The list may hold several heads, and one of them alone is at 0. Does your return stand inside the loop?",
        see=OFF,
    ),
    Mistake(
        "counted-from-1",
        name="heads are counted from 1",
        ways=[lambda heads, off: put(heads, [head - 1 for head in off])],
        say="You have switched off the head before. Heads are counted from 0, as Python counts.",
        see=OFF,
    ),
    Mistake(
        "removed",
        name="heads are taken away",
        ways=[lambda heads, off: np.delete(heads, off, axis=0)],
        say="Without its place in the row of heads, the next step does not know whose columns are whose. A head that is off hands over zeros, as many as before.",
        see=OFF,
    ),
    Mistake(
        "mean-in-place-of-zero",
        name="a mean is handed over, not 0",
        ways=[
            lambda heads, off: put(heads, off, heads.mean(axis=0)),
            lambda heads, off: put(heads, off, heads[off].mean(axis=-2, keepdims=True)),
        ],
        say="In the place of what the head said you have put a mean. (That is done, too, by its name *mean ablation*.) Zeros are asked for.",
        see=OFF,
    ),
    Mistake(
        "nothing-off",
        name="nothing is switched off",
        ways=[lambda heads, off: heads],
        say="All heads still hand over what they did. Did you return the copy that you changed?",
        see=OFF,
    ),
    Mistake(
        "everything-off",
        name="all heads are switched off",
        ways=[lambda heads, off: np.zeros_like(heads)],
        say="Everything is 0. Only the heads of the list should be.",
        see=OFF,
    ),
]


@exercise(
    inputs={
        "one head of two": lambda draw: (draw(2, 3, 2) + 4.0, [1]),
        "two of four": lambda draw: (draw(4, 3, 5) + 4.0, [0, 2]),
        "as many heads as words and columns": lambda draw: (draw(3, 3, 3) + 4.0, [1]),
        "none": lambda draw: (draw(2, 2, 3) + 4.0, []),
        "the last of four": lambda draw: (draw(4, 5, 4) + 4.0, [3]),
    },
    mistakes=MISTAKES,
    result="heads",
    see=OFF,
)
def ablate(heads, off):
    """Check `f(heads, off)` → a copy of heads (n_heads, L, d_head) in which those numbered in `off` are 0. Returns Feedback."""
    return put(heads, off)
