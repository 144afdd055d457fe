"""Whether two results are the same: in number, in shape, and in numbers as far as float32 can tell."""

import numpy as np

SMALLEST = 1e-6  # what counts as 0


def as_arrays(raw):
    """What was returned, as a tuple of arrays; None where that is not possible."""
    parts = raw if isinstance(raw, tuple) else (raw,)
    try:
        arrays = tuple(np.asarray(part) for part in parts)
    except ValueError:
        return None
    return arrays if all(a.dtype.kind in "bifuUc" for a in arrays) else None


def close(a, b):
    """Cell by cell: equal to what float32 can tell; NaN equals NaN, inf equals inf of the same sign."""
    if a.dtype.kind in "U" or b.dtype.kind in "U":
        return a == b
    if {a.dtype.kind, b.dtype.kind} & {"b", "u"}:  # these know no minus
        a, b = a.astype(float), b.astype(float)
    near = (abs(a - b) <= SMALLEST + 1e-4 * abs(b)) & (abs(b) != np.inf)
    return near | (a == b) | ((a != a) & (b != b))


def same(values, others, exact=False):
    """Whether two tuples of arrays agree in number, shape, numbers and, for masks, in being boolean."""
    if values is None or others is None or len(values) != len(others):
        return False
    pairs = list(zip(values, others, strict=True))
    return all(a.shape == b.shape for a, b in pairs) and all(
        bool(close(a, b).all()) and (not exact or (a.dtype == bool) == (b.dtype == bool)) for a, b in pairs
    )


def agree(outcome, other, exact=False):
    """Whether two outcomes are the same: both raise, or both give the same arrays."""
    if (outcome.raised is None) != (other.raised is None):
        return False
    return outcome.raised is not None or same(outcome.values, other.values, exact)


def first_difference(want, got, exact=False):
    """Number of the first result that differs, or None if the results cannot be compared one by one."""
    if got.values is None or len(got.values) != len(want.values):
        return None
    pairs = enumerate(zip(want.values, got.values, strict=True))
    return next((i for i, (w, g) in pairs if not same((g,), (w,), exact)), None)


def which_matrix(want, got):
    """Index of the first matrix of a batch that differs; () for a single matrix, or where the shapes differ."""
    if want.ndim <= 2 or want.shape != got.shape:
        return ()
    differs = (~close(want, got)).any(axis=(-1, -2))
    return tuple(map(int, np.unravel_index(differs.argmax(), differs.shape)))
