"""Lesson 11: zero ablation of some heads, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, close, exercise
from attn_lessons.lesson01.scores import result_is

OFF = "l11-off"


def put(values, place, what=0.0):
    """A copy with `what` at this place, where there is such a place."""
    changed = np.array(values)
    changed[place] = what
    return changed


def something_is_left(mine, right):
    """Whether only heads that should be 0 are wrong, each of which is 0 everywhere or nowhere."""
    off = (right == 0).all(axis=(1, 2))
    return close(mine, right)[~off].all() and all(head.all() or not head.any() for head in mine[off])


# fmt: off
STEPS = Steps("heads off", {
    "some": Step("off", "some", [
        Mistake("one-of-them-only", "only some heads of the list are ablated",
            say="The list can hold several heads, and you set only some of them to 0. Is your return, or the copy, inside the loop?",
            ways=[lambda off: off[:1], lambda off: off[-1:], lambda off: off[:-1], lambda off: off[1:],
                lambda off: [off[0]], lambda off: [off[-1]]])], lambda off: off),  # the last two fail where the list is empty
    "numbers": Step("some heads", "numbers", [
        Mistake("kept-these-only", "the other heads are ablated",
            say="You keep the heads in the list and set all others to 0. Set those in the list to 0.",
            ways=[lambda off, heads: [head for head in range(len(heads)) if head not in off]]),
        Mistake("counted-from-1", "the head next to the right one",
            say="You set the head before or after the right one to 0. Count heads from 0, as Python does.",
            ways=[lambda off, heads: [head - 1 for head in off], lambda off, heads: [(head + 1) % len(heads) for head in off],
                lambda off, heads: [head + 1 for head in off if head + 1 < len(heads)], lambda off, heads: [head + 1 for head in off]]),
        Mistake("positions-in-the-list", "the first heads, not those in the list",
            say="You set the first heads to 0, as many as the list has entries. The entries themselves are the numbers of heads.",
            ways=[lambda off, heads: list(range(len(off)))])], lambda off, heads: off),
    "place": Step("numbers", "place", [
        Mistake("words-not-heads", "words or columns are set to 0, not heads",
            say="You set some words or columns of every head to 0. The first axis counts heads: index that one, or give a factor per head the shape (n_heads, 1, 1).",
            ways=[lambda off: (slice(None), off), lambda off: (..., off)]),
        Mistake("one-index-for-each-axis", "the index picks words or columns as well",
            say="Your index has an entry for words or columns as well: (0, 2) means word 2 of head 0. A list or an array alone picks heads 0 and 2.",
            ways=[tuple, lambda off: (off, 0), lambda off: (off, off), lambda off: (off, -1), lambda off: (off, slice(None), off), lambda off: (off, slice(None), 0)]),
        Mistake("empty-list-as-index", "an array made of an empty list",
            say="You make an array of the list. Of an empty list that's an array of decimals, which can't be an index, so index by the list itself.",
            ways=[np.array])], lambda off: off),
    "what": Step("heads place", "result", [
        Mistake("mean-in-place-of-zero", "a mean instead of 0",
            say="You replace a head's output with a mean, which is called *mean ablation*. This exercise asks for zeros.",
            ways=[lambda heads, place: put(heads, place, heads.mean(axis=0)), lambda heads, place: put(heads, place, heads.mean()),
                *(lambda heads, place, axis=axis: put(heads, place, heads.mean(axis, keepdims=True)[place]) for axis in (1, 2, (1, 2)))]),
        Mistake("not-zero", "something other than 0", shows=result_is(something_is_left),
            say="Your ablated heads hold other numbers, or NaN. Set all of their entries to 0.",
            ways=[lambda heads, place, number=number: put(heads, place, number) for number in (1.0, -np.inf, np.nan, -1e9)])], put),
})
OTHERS = [
    *again(STEPS.mistakes(), {
        "one-of-them-only": [lambda heads, off: put(heads, off[:1]) if off else None],
        "words-not-heads": [lambda heads, off: heads * ~np.isin(range(len(heads)), off), lambda heads, off: heads * ~np.isin(range(len(heads)), off)[:, None]]}),
    Mistake("removed", "heads are removed",
        say="You remove heads, so the next step can't tell which columns belong to which head. Keep every head, and fill an ablated one with zeros.",
        ways=[lambda heads, off: np.delete(heads, off, axis=0)]),
]


@exercise(mistakes=[*STEPS.mistakes(), *OTHERS], steps=STEPS, result="heads", see=OFF, inputs={
    "one head of two": lambda draw: (draw(2, 3, 2) + 4.0, [1]),
    "two of four": lambda draw: (np.cbrt(draw(4, 3, 5) + 0.5), [0, 2]),
    "as many heads as words and columns": lambda draw: (draw(3, 3, 3) + 0.5, [1]),
    "none": lambda draw: (draw(2, 2, 3) + 4.0, []),
    "the last of four": lambda draw: (draw(4, 5, 4) + 4.0, [3]),
})
def ablate(heads, off):
    """Check `f(heads, off)` → a copy of heads (n_heads, L, d_head) in which those numbered in `off` are 0. Returns Feedback."""
    return put(heads, off)
