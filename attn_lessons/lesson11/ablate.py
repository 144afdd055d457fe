"""Lesson 11: zero ablation of some heads."""

import numpy as np

from attn_checks.compare import close
from attn_checks.exercise import Mistake, exercise
from attn_lessons.lesson01.scores import result_is

OFF = "l11-off"


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
    """Whether only heads that should be 0 are wrong, each of which is 0 everywhere or nowhere."""
    off = (right == 0).all(axis=(1, 2))
    return close(mine, right)[~off].all() and all(head.all() or not head.any() for head in mine[off])


# fmt: off
MISTAKES = [
    Mistake("kept-these-only", "the other heads are ablated",
        say="You keep the heads in the list and set all others to 0. Set those in the list to 0.",
        ways=[only]),
    Mistake("words-not-heads", "words are set to 0, not heads",
        say="You set some words of every head to 0. The first axis counts heads, the second words.",
        ways=[lambda heads, off: put(heads, (slice(None), off))]),
    Mistake("one-of-them-only", "only one head of the list is ablated",
        say="The list can hold several heads, and you set only one of them to 0. Is your return, or the copy, inside the loop?",
        ways=[lambda heads, off: put(heads, off[:1]), lambda heads, off: put(heads, off[-1:]),
            lambda heads, off: put(heads, off[:1]) if off else None,  # the next two fail where the list is empty
            lambda heads, off: put(heads, off[0]), lambda heads, off: put(heads, off[-1])]),
    Mistake("counted-from-1", "the head next to the right one",
        say="You set the head before or after the right one to 0. Count heads from 0, as Python does.",
        ways=[lambda heads, off: put(heads, [head - 1 for head in off]),
            lambda heads, off: put(heads, [(head + 1) % len(heads) for head in off]),
            lambda heads, off: put(heads, [head + 1 for head in off if head + 1 < len(heads)]),
            lambda heads, off: put(heads, [head + 1 for head in off])]),
    Mistake("one-index-for-each-axis", "the list is used as one index per axis",
        say="Your index has an entry for the words as well: (0, 2) means word 2 of head 0. A list or an array alone picks heads 0 and 2.",
        ways=[lambda heads, off: put(heads, tuple(off)), lambda heads, off: put(heads, (off, off))]),
    Mistake("removed", "heads are removed",
        say="You remove heads, so the next step can't tell which columns belong to which head. Keep every head, and fill an ablated one with zeros.",
        ways=[lambda heads, off: np.delete(heads, off, axis=0)]),
    Mistake("mean-in-place-of-zero", "a mean instead of 0",
        say="You replace a head's output with a mean, which is called *mean ablation*. This exercise asks for zeros.",
        ways=[lambda heads, off: put(heads, off, heads.mean(axis=0)), lambda heads, off: put(heads, off, heads.mean()),
            *(lambda heads, off, axis=axis: put(heads, off, heads.mean(axis, keepdims=True)[off])
                for axis in (1, 2, (1, 2)))]),
    Mistake("empty-list-as-index", "an array made of an empty list",
        say="You make an array of the list. Of an empty list that's an array of decimals, which can't be an index, so index by the list itself.",
        ways=[lambda heads, off: put(heads, np.array(off))]),
    Mistake("not-zero", "something other than 0",
        say="Only heads in the list are wrong, because they still hold other numbers or NaN. Set all of their entries to 0.",
        ways=(), shows=result_is(something_is_left)),
]


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
