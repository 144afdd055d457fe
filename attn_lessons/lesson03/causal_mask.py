"""Lesson 03: making masks."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise
from attn_parts import mathematics as maths

TRIANGLE = "l03-causal"
TRUE_MEANS = "l03-true"


def mask_of(*rows):
    """Make a mask from rows such as "101"."""
    return np.array([[cell == "1" for cell in row] for row in rows])


def kept_rows(keep, rest=False):
    """Leave some rows (or sentences of a batch) all False, or True."""
    return lambda mask: np.array([np.where(keep(i, mask), row, rest) for i, row in enumerate(mask)])


# fmt: off
INVERTED = Mistake("inverted-mask", "True and False are exchanged", see=TRUE_MEANS,
    say="You marked the *blocked* cells. Here True means that the query may look at the key.",
    ways=[lambda mask: ~mask])
# Mistakes in how any mask is filled, and written.
OF_ANY_LOOP = [
    Mistake("first-row-only", "only the first row is filled",
        say="Everything after the first row (or sentence) is False, as if the loop ended after one round. Is return indented too far?",
        ways=[kept_rows(lambda i, mask: i == 0)]),
    Mistake("last-row-only", "only the last row is filled",
        say="Everything before the last row (or sentence) is False. Do you make a new mask in each round of a loop, or fill a row only after it?",
        ways=[kept_rows(lambda i, mask: i == len(mask) - 1)]),
    Mistake("a-row-left-out", "the first row, or the last, is left out",
        say="The first row (or sentence) or the last one is all False or all True. range(n) already runs from 0 to n − 1.",
        ways=[kept_rows(keep, rest) for rest in (False, True) for keep in (lambda i, mask: i > 0, lambda i, mask: i < len(mask) - 1)]),
]
OF_ANY_WRITING = [
    Mistake("additive-mask", "an additive mask instead of a boolean one", see=TRUE_MEANS,
        say="A mask of such numbers is added to the scores. Here we need the boolean form, with True and False.",
        ways=[lambda mask, low=low: np.where(mask, 0, low) for low in (-np.inf, -1e9)]),
    Mistake("integer-mask", "0 and 1 instead of True and False", see=TRIANGLE,
        say="Your 0 and 1 are numbers, and ~mask and scores[mask] do something else with them. Make them booleans, for example with dtype=bool, as in the typed mask.",
        ways=[lambda mask: mask.astype(int)]),
    Mistake("nothing-blocked", "nothing is blocked",
        say="All cells are True, so every query may look at every key. Any text counts as True, even 'False'. In [[False] * L] * L a change to one row changes them all.",
        ways=[lambda mask: np.ones_like(mask)]),
]


def mask_steps(takes, right, mistakes, sizes=(), shape=()):
    """The steps of an exercise that makes a mask: sizes, cells, shape, how they are written."""
    return Steps(takes, {
        "sizes": Step(takes, takes, sizes),
        "pattern": Step(takes, "result", mistakes, right),
        "shape": Step("result", "result", shape),
        "meaning": Step("result", "result", (INVERTED,), fixed_first=True),
        "filled": Step("result", "result", OF_ANY_LOOP),
        "written": Step("result", "result", OF_ANY_WRITING),
    })


def what_a_row_sees(ask, given, wanted, got):
    """Say which keys the first wrong row of a mask sees, and which it should."""
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


WRONG_SIZE = Mistake("wrong-size", "one row or column too many or too few",
    say="Your mask needs one row and one column for each token. A range of L numbers already runs from 0 to L − 1.",
    ways=[lambda L: L + 1, lambda L: L - 1])
STEPS = mask_steps("L", maths.causal_mask, [
    Mistake("transposed-mask", "rows and columns are exchanged",
        say="Your queries look at themselves and at *later* keys. Rows are queries, so row 0, the first token, may look only at column 0.",
        ways=[lambda L: maths.causal_mask(L).T]),
    Mistake("mirrored", "a triangle along the other diagonal",
        say="Your triangle lies along the diagonal from bottom left to top right. Row i and column i are the same token, so the diagonal must run from top left to bottom right.",
        ways=[lambda L: maths.causal_mask(L)[::-1], lambda L: maths.causal_mask(L)[:, ::-1]]),
    Mistake("one-too-many", "one key of the future is visible",
        say="Row 0 may look at column 1, row 1 at column 2, and so on, which is the future. Row i should see the keys from 0 to i.",
        ways=[lambda L: np.tri(L, k=1, dtype=bool)]),
    Mistake("only-diagonal", "each token sees only itself",
        say="A query should see itself and every earlier token. Yours sees only itself.",
        ways=[lambda L: np.eye(L, dtype=bool)]),
    Mistake("nearest-only", "only the nearest keys are visible",
        say="Your queries see only the last few keys. They should see all earlier keys, however far back.",
        ways=[lambda L, w=w: np.tri(L, dtype=bool) ^ np.tri(L, k=-w, dtype=bool) for w in (2, 3, 4)]),
    Mistake("along-one-axis", "one row or column instead of a matrix",
        say="Your mask is a single row or column, but each query needs its own row. If you compare two ranges, turn one of them, and only one, into a column with [:, None].",
        ways=[lambda L: np.ones(L, dtype=bool), lambda L: np.ones((1, L), dtype=bool),
            lambda L: np.ones((L, 1), dtype=bool)]),
], sizes=[WRONG_SIZE], shape=[
    WRONG_SIZE._replace(ways=[lambda mask: mask[:, :-1], lambda mask: mask[:-1]]),
    Mistake("strictly-lower", "the diagonal is missing",
        say="In your mask no token may look at itself, and the first token may look at nothing. Include the diagonal, because a token may look at itself.",
        ways=[lambda mask: mask & ~np.eye(*mask.shape, dtype=bool)]),
])


@exercise(
    inputs={"three": (3,), "two": (2,), "one": (1,), "five": (5,), "more than anyone types": (12,)},
    steps=STEPS, result="mask", exact=True, see=TRIANGLE, own=what_a_row_sees)
def causal_mask(L):
    """Check `f(L)` → bool (L, L), True = may look. Returns Feedback."""
    return maths.causal_mask(L)
