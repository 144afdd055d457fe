"""Lesson 03: making masks."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, told_in, with_each
from attn_parts import mathematics as maths


def kept_rows(keep, rest=False):
    """Leave some rows (or sentences of a batch) all False, or True."""
    return lambda mask: np.array([np.where(keep(i, mask), row, rest) for i, row in enumerate(mask)])


# Mistakes in how any mask is filled, and written. mask: (L, L), or (B, 1, n_keys) for padding.
OF_ANY_LOOP = {
    "first-row-only": kept_rows(lambda i, mask: i == 0),
    "last-row-only": kept_rows(lambda i, mask: i == len(mask) - 1),
    "a-row-left-out": [
        kept_rows(lambda i, mask: i > 0),
        kept_rows(lambda i, mask: i < len(mask) - 1),
        kept_rows(lambda i, mask: i > 0, rest=True),
        kept_rows(lambda i, mask: i < len(mask) - 1, rest=True),
    ],
}
OF_ANY_WRITING = {
    "additive-mask": with_each((-np.inf, -1e9), lambda mask, low: np.where(mask, 0, low)),
    "integer-mask": lambda mask: mask.astype(int),
    "nothing-blocked": lambda mask: np.ones_like(mask),
}


def mask_steps(takes, right, mistakes, sizes=(), shape=()):
    """The steps of an exercise that makes a mask: sizes, cells, shape, how they are written."""
    return Steps(
        takes,
        {
            "sizes": Step(takes, takes, sizes),
            "pattern": Step(takes, "result", mistakes, right),
            "shape": Step("result", "result", shape),
            "meaning": Step(
                "result",
                "result",
                told_in("causal_mask", {"inverted-mask": np.invert}),
                fixed_first=True,
            ),
            "filled": Step("result", "result", told_in("causal_mask", OF_ANY_LOOP)),
            "written": Step("result", "result", told_in("causal_mask", OF_ANY_WRITING)),
        },
    )


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


STEPS = mask_steps(
    "L",
    maths.causal_mask,
    {
        "transposed-mask": lambda L: maths.causal_mask(L).T,
        "mirrored": [
            lambda L: maths.causal_mask(L)[::-1],
            lambda L: maths.causal_mask(L)[:, ::-1],
        ],
        "one-too-many": lambda L: np.tri(L, k=1, dtype=bool),
        "only-diagonal": lambda L: np.eye(L, dtype=bool),
        "nearest-only": with_each(
            (2, 3, 4),
            lambda L, w: np.tri(L, dtype=bool) ^ np.tri(L, k=-w, dtype=bool),
        ),
        "along-one-axis": [
            lambda L: np.ones(L, dtype=bool),
            lambda L: np.ones((1, L), dtype=bool),
            lambda L: np.ones((L, 1), dtype=bool),
        ],
    },
    sizes={"wrong-size": [lambda L: L + 1, lambda L: L - 1]},
    shape={
        "wrong-size": [
            lambda mask: mask[:, :-1],
            lambda mask: mask[:-1],
        ],
        "strictly-lower": lambda mask: mask & ~np.eye(*mask.shape, dtype=bool),
    },
)


@exercise(
    inputs={
        "three": (3,),
        "two": (2,),
        "one": (1,),
        "five": (5,),
        "more than anyone types": (12,),
    },
    steps=STEPS,
    result="mask",
    exact=True,
    own=what_a_row_sees,
)
def causal_mask(L):
    """Check `f(L)` → bool (L, L), True = may look. Returns Feedback."""
    return maths.causal_mask(L)
