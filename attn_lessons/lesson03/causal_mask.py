"""Lesson 03: making masks."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, inside, table
from attn_parts import mathematics as maths

TRIANGLE = "l03-causal"
TRUE_MEANS = "l03-true"


def mask_of(*rows):
    """A mask, from rows such as "101"."""
    return np.array([[cell == "1" for cell in row] for row in rows])


def kept_rows(keep):
    """The mask with some rows (of a batch: some sentences) left all False."""
    return lambda mask: np.array([row & keep(i, mask) for i, row in enumerate(mask)])


# fmt: off
# Made with whatever mask; where `see` is empty, the lesson of the exercise is looked at.
OF_ANY_MASK = [
    Mistake("inverted-mask", "True and False are exchanged", see=TRUE_MEANS,
        say="You marked what is *blocked*. Here True means: this query may look at this key.",
        ways=[lambda mask: ~mask, lambda mask: (~mask).astype(int)]),
    Mistake("additive-mask", "0 and −inf in place of True and False", see=TRUE_MEANS,
        say="That is the mask to *add* to scores, and a good one. Here the boolean form is asked for.",
        ways=[lambda mask, low=low: np.where(mask, 0, low) for low in (-np.inf, -1e9)]),
    Mistake("integer-mask", "0 and 1 in place of True and False", see=TRUE_MEANS,
        say="The pattern is right, the dtype is not: with numbers, ~mask and indexing by mask do something else, or fail.",
        ways=[lambda mask: mask.astype(int)]),
    Mistake("nothing-blocked", "nothing is blocked",
        say="All cells are True: every query may look at every key. If your code marks fewer: [[False] * L] * L holds one and the same list L times, so that each row gets what any row gets.",
        ways=[lambda mask: np.ones_like(mask)]),
    Mistake("first-row-only", "only the first is worked out",
        say="All behind it is False. The loop ended after its first round: is return indented too far?",
        ways=[kept_rows(lambda i, mask: i == 0)]),
    Mistake("last-row-only", "only the last is worked out",
        say="All before it is False. Is the mask made anew in each round of the loop? It is made once, before.",
        ways=[kept_rows(lambda i, mask: i == len(mask) - 1)]),
    Mistake("a-row-left-out", "the first is left out, or the last",
        say="The very first row (or sentence), or the very last, is False from end to end, and all others are right. range(n) runs from 0 to n − 1.",
        ways=[kept_rows(lambda i, mask: i > 0), kept_rows(lambda i, mask: i < len(mask) - 1)]),
]


def of_any_mask(right, see):
    """The same, lifted to the right answer of an exercise."""
    return table(see, *inside(OF_ANY_MASK, lambda way: lambda *given: way(right(*given))))


def what_a_row_sees(ask, given, wanted, got):
    """Of the first wrong row of a mask: which keys it sees, and which it should."""
    (want,), (mine,) = wanted, got
    row = tuple(np.argwhere((want != mine).any(axis=-1))[0])
    name = f"Row {row[0]}" if want.ndim == 2 else f"Sentence {row[0]}"
    rest = " All others are right." if (want != mine).any(axis=-1).sum() == 1 and len(want) > 1 else ""
    return f"{name} sees {keys(mine[row])}, and should see {keys(want[row])}.{rest}"


def keys(row):
    seen = np.flatnonzero(row)
    if seen.size > 6:
        return f"{seen.size} keys"
    return f"key{'s' if seen.size > 1 else ''} {', '.join(map(str, seen))}" if seen.size else "no key"


CAUSAL_MISTAKES = table(
    TRIANGLE,
    *of_any_mask(maths.causal_mask, TRIANGLE),
    Mistake("strictly-lower", "the diagonal is missing",
        say="Nobody may look at themselves, and the first token at nothing at all. A token knows itself: the diagonal belongs in.",
        ways=[lambda L: np.tri(L, k=-1, dtype=bool)]),
    Mistake("transposed-mask", "rows and columns are exchanged",
        say="Your queries look at themselves and at *later* keys. Rows are queries: row 0, the first token, may look at column 0 alone.",
        ways=[lambda L: maths.causal_mask(L).T]),
    Mistake("mirrored", "a triangle along the other diagonal",
        say="Your triangle leans on the diagonal from bottom left to top right. Row i and column i are the same token: that diagonal runs from top left to bottom right.",
        ways=[lambda L: maths.causal_mask(L)[::-1], lambda L: maths.causal_mask(L)[:, ::-1]]),
    Mistake("one-too-many", "one key of the future is visible",
        say="Row 0 may already look at column 1: one step into the future.",
        ways=[lambda L: np.tri(L, k=1, dtype=bool)]),
    Mistake("fixed-size", "the same size whatever L is",
        say="A number is typed in place of L, or an array from an earlier cell comes back. Use the L that is passed in.",
        ways=[lambda L, size=size: maths.causal_mask(size) for size in (2, 3, 4, 5, 6, 8)]),
    Mistake("only-diagonal", "each token sees only itself",
        say="Earlier tokens should be visible too.",
        ways=[lambda L: np.eye(L, dtype=bool)]),
    Mistake("nearest-only", "only the nearest keys are visible",
        say="Your queries forget what lies further back. All earlier keys are visible, however far.",
        ways=[lambda L, w=w: np.tri(L, dtype=bool) ^ np.tri(L, k=-w, dtype=bool) for w in (2, 3, 4)]),
    Mistake("along-one-axis", "one row for all queries",
        say="Each query has a row of its own. If you compare two ranges, they lie along the same axis, and each number meets only itself: one of them has to stand upright.",
        ways=[lambda L: np.ones(L, dtype=bool), lambda L: np.ones((1, L), dtype=bool),
            lambda L: np.ones((L, 1), dtype=bool)]),
)


@exercise(
    inputs={"three": (3,), "two": (2,), "one": (1,), "five": (5,), "more than anybody types": (12,)},
    mistakes=CAUSAL_MISTAKES, result="mask", exact=True, see=TRIANGLE, own=what_a_row_sees)
def causal_mask(L):
    """Check `f(L)` → bool (L, L), True = may look. Returns Feedback."""
    return maths.causal_mask(L)
