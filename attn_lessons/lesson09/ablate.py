"""Lesson 09: what some heads hand over, set to 0."""

import numpy as np

from attn_checks.compare import close
from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson01.scores import result_is

OFF = "l09-off"


def put(values, place, what=0.0):
    """A copy with `what` at this place, where there is such a place."""
    changed = np.array(values)
    changed[place] = what
    return changed


def only(heads, off):
    kept = np.zeros_like(heads)
    kept[off] = heads[off]
    return kept


def something_is_left(mine, right):
    """Whether only heads that should be 0 are wrong, and in none of their cells is a 0."""
    off = right == 0
    return close(mine, right)[~off].all() and (mine[off] != 0).all()


# fmt: off
MISTAKES = table(
    OFF,
    Mistake("kept-these-only", "the other heads are switched off",
        say="You kept the heads of the list, and switched off all others. It is the other way round.",
        ways=[only]),
    Mistake("words-not-heads", "words are set to 0, not heads",
        say="The first axis counts the heads, the second the words. You have set some words of every head to 0.",
        ways=[lambda heads, off: put(heads, (slice(None), off))]),
    Mistake("one-of-them-only", "only one head of the list is switched off",
        say="The list may hold several heads, and one of them alone is at 0. Does your return, or the copy, stand inside the loop?",
        ways=[lambda heads, off: put(heads, off[:1]), lambda heads, off: put(heads, off[-1:]),
            lambda heads, off: put(heads, off[:1]) if off else None,  # the next two fail where the list is empty
            lambda heads, off: put(heads, off[0]), lambda heads, off: put(heads, off[-1])]),
    Mistake("counted-from-1", "the head beside the right one",
        say="You have switched off the head before, or after, the one that is named. Heads are counted from 0, as Python counts.",
        ways=[lambda heads, off: put(heads, [head - 1 for head in off]),
            lambda heads, off: put(heads, [(head + 1) % len(heads) for head in off]),
            lambda heads, off: put(heads, [head + 1 for head in off if head + 1 < len(heads)]),
            lambda heads, off: put(heads, [head + 1 for head in off])]),
    Mistake("one-index-for-each-axis", "the numbers are taken for one place along each axis",
        say="As an index a tuple such as (0, 2) means head 0, and in it word 2. A list, or an array, picks heads 0 and 2.",
        ways=[lambda heads, off: put(heads, tuple(off))]),
    Mistake("removed", "heads are taken away",
        say="Without its place in the row of heads, the next step does not know whose columns are whose. A head that is off hands over zeros, as many as before.",
        ways=[lambda heads, off: np.delete(heads, off, axis=0)]),
    Mistake("mean-in-place-of-zero", "a mean is handed over, not 0",
        say="In the place of what the head said you have put a mean. (That is done, too, by its name *mean ablation*.) Zeros are asked for.",
        ways=[lambda heads, off: put(heads, off, heads.mean(axis=0)), lambda heads, off: put(heads, off, heads.mean()),
            *(lambda heads, off, axis=axis: put(heads, off, heads.mean(axis, keepdims=True)[off])
                for axis in (1, 2, (1, 2)))]),
    Mistake("not-zero", "something else is handed over, not 0",
        say="Only the heads of the list are wrong: they still pass something on, NaN, other numbers or their own. All of it should be 0.",
        ways=(), shows=result_is(something_is_left)),
)


@exercise(mistakes=MISTAKES, result="heads", see=OFF, inputs={
    "one head of two": lambda draw: (draw(2, 3, 2) + 4.0, [1]),
    "two of four": lambda draw: (np.cbrt(draw(4, 3, 5) + 0.5), [0, 2]),
    "as many heads as words and columns": lambda draw: (draw(3, 3, 3) + 0.5, [1]),
    "none": lambda draw: (draw(2, 2, 3) + 4.0, []),
    "the last of four": lambda draw: (draw(4, 5, 4) + 4.0, [3]),
})
def ablate(heads, off):
    """Check `f(heads, off)` → a copy of heads (n_heads, L, d_head) in which those numbered in `off` are 0. Returns Feedback."""
    return put(heads, off)
