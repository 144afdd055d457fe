"""Whether two calls came to the same: an exception, or arrays alike in number, shape and numbers."""

from numbers import Number
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from attn_checks.run.data import Outcome

Arrays = tuple[np.ndarray, ...]
SMALLEST, RELATIVE = 1e-6, 1e-5  # what counts as 0, and as equal


def as_arrays(raw: object) -> Arrays | None:
    """What was returned, as a tuple of arrays; None where that is not possible."""
    parts = raw if isinstance(raw, tuple) else (raw,)
    try:
        arrays = tuple(plain_numbers(np.array(part)) for part in parts)  # copies: nothing changes them now
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:  # rows of different lengths, or what an object of the learner's own raises
        return None
    return arrays if all(a.dtype.kind in "bifuUc" for a in arrays) else None


def plain_numbers(array):
    """Fractions and decimals as floats; any other array as it is."""
    if array.dtype.kind == "O" and array.size and all(isinstance(x, Number) for x in array.flat):
        return array.astype(float)
    return array


def close(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cell by cell: equal to what float32 can tell; NaN equals NaN, inf equals inf of the same sign."""
    if "U" in (a.dtype.kind, b.dtype.kind):
        return a == b
    if a.dtype.kind in "ub":  # these know no minus
        a = a.astype(float)
    if b.dtype.kind in "ub":
        b = b.astype(float)
    tolerance = SMALLEST + RELATIVE * abs(b)
    near = (abs(a - b) <= tolerance) & (abs(b) != np.inf)
    if are_shares(b):  # what is blocked gets exactly nothing
        near &= (b != 0) | (abs(a) < 1e-30)
        near &= (a != 0) | (b < 1e-12)  # and a small share is not nothing
    both_nan = (a != a) & (b != b)
    return near | (a == b) | both_nan


def are_shares(array: np.ndarray) -> bool:
    """Whether all rows sum to 1, or to nothing at all."""
    if not array.ndim or array.dtype.kind != "f":
        return False
    if not (array >= 0).all():
        return False
    totals = array.sum(axis=-1)
    fine = (abs(totals - 1) < 1e-9) | (totals == 0)
    return bool(fine.all())


def same(values: Arrays | None, others: Arrays | None, exact: bool = False) -> bool:
    """Whether two tuples of arrays agree in number, shape, numbers and, for masks, in being boolean."""
    if values is None or others is None or len(values) != len(others):
        return False
    for a, b in zip(values, others, strict=True):
        if a.shape != b.shape or not close(a, b).all():
            return False
        if exact and (a.dtype == bool) != (b.dtype == bool):
            return False
    return True


def agree(outcome: "Outcome", other: "Outcome", exact: bool = False) -> bool:
    """Whether two outcomes are the same: both raise, both give nothing, or both give the same arrays."""
    if outcome.raised or other.raised:
        return bool(outcome.raised and other.raised)
    if outcome.values is None and other.values is None:
        return outcome.raw is None and other.raw is None
    return same(outcome.values, other.values, exact)


def first_difference(want: "Outcome", got: "Outcome", exact: bool = False) -> int | None:
    """Number of the first result that differs, or None if the results cannot be compared one by one."""
    if len(got.arrays) != len(want.arrays):
        return None
    for number, (right, mine) in enumerate(zip(want.arrays, got.arrays, strict=True)):
        if not same((mine,), (right,), exact):
            return number
    return None


def which_matrix(want: np.ndarray, got: np.ndarray) -> tuple[int, ...]:
    """Index of the first matrix of a batch that differs; () for a single matrix or other shapes."""
    if want.ndim <= 2 or want.shape != got.shape:
        return ()
    differs = (~close(want, got)).any(axis=(-1, -2))
    first = np.unravel_index(differs.argmax(), differs.shape)
    return tuple(map(int, first))
