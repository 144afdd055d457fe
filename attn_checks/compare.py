"""Whether two calls came to the same: arrays alike in number, shape and, as far as float32 can tell, in numbers; or an exception."""

import re
import textwrap
from numbers import Number
from typing import NamedTuple

import numpy as np

SMALLEST, RELATIVE = 1e-6, 1e-5  # what counts as 0, and as equal


class Raised(NamedTuple):
    """What is told of an exception: its words, the learner's own line, a short name, what to do about it."""

    words: str
    line: str = ""
    mistake: str = "error"
    advice: str = ""


def words_of(error):
    """Kind and text of an exception, in one line that is not too long."""
    try:
        text = str(error)
        of_product = r"Input operand 1 has a mismatch.*n\?,k.*\(size (\d+) is different from (\d+)\)"
        text = re.sub(of_product, r"rows of \2 numbers can't meet columns of \1", text)
    except BaseException:  # its own __str__ fails
        text = "(no text)"
    return textwrap.shorten(f"{type(error).__name__}: {text}", 180, placeholder=" …").removesuffix(":")


def as_arrays(raw):
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


def close(a, b):
    """Cell by cell: equal to what float32 can tell; NaN equals NaN, inf equals inf of the same sign."""
    if a.dtype.kind in "U" or b.dtype.kind in "U":
        return a == b
    if {a.dtype.kind, b.dtype.kind} & {"b", "u"}:  # these know no minus
        a, b = (x.astype(float) if x.dtype.kind in ("b", "u") else x for x in (a, b))
    near = (abs(a - b) <= SMALLEST + RELATIVE * abs(b)) & (abs(b) != np.inf)
    if are_shares(b):  # what is blocked gets exactly nothing
        near &= (b != 0) | (abs(a) < 1e-30)
        near &= (a != 0) | (b < 1e-12)  # and a small share is not nothing
    return near | (a == b) | ((a != a) & (b != b))


def are_shares(array):
    """Whether all rows sum to 1, or to nothing at all."""
    if not array.ndim or array.dtype.kind != "f" or not (array >= 0).all():
        return False
    totals = array.sum(axis=-1)
    return bool(((abs(totals - 1) < 1e-9) | (totals == 0)).all())


def same(values, others, exact=False):
    """Whether two tuples of arrays agree in number, shape, numbers and, for masks, in being boolean."""
    if values is None or others is None or len(values) != len(others):
        return False
    pairs = list(zip(values, others, strict=True))
    return all(a.shape == b.shape for a, b in pairs) and all(
        bool(close(a, b).all()) and (not exact or (a.dtype == bool) == (b.dtype == bool)) for a, b in pairs
    )


def agree(outcome, other, exact=False):
    """Whether two outcomes are the same: both raise, both give nothing, or both give the same arrays."""
    if (outcome.raised is None) != (other.raised is None):
        return False
    if outcome.raised is not None or (gives_nothing(outcome) and gives_nothing(other)):
        return True
    return same(outcome.values, other.values, exact)


def mostly_raises(outcomes, wrong):
    """Whether most of the inputs that went wrong ended in an exception: then numbers say little."""
    return 2 * sum(outcomes[i].raised is not None for i in wrong) > len(wrong)


def gives_nothing(outcome):
    return outcome.values is None and outcome.raw is None


def first_difference(want, got, exact=False):
    """Number of the first result that differs, or None if the results cannot be compared one by one."""
    if got.raised is not None or got.values is None or len(got.values) != len(want.values):
        return None
    pairs = enumerate(zip(want.values, got.values, strict=True))
    return next((i for i, (w, g) in pairs if not same((g,), (w,), exact)), None)


def which_matrix(want, got):
    """Index of the first matrix of a batch that differs; () for a single matrix, or where the shapes differ."""
    if want.ndim <= 2 or want.shape != got.shape:
        return ()
    differs = (~close(want, got)).any(axis=(-1, -2))
    return tuple(map(int, np.unravel_index(differs.argmax(), differs.shape)))


def told_apart(mine, right):
    """Two numbers as text, with as many digits as it takes to tell them apart."""
    pairs = ((f"{mine:.{digits}g}", f"{right:.{digits}g}") for digits in range(3, 17))
    return next((pair for pair in pairs if pair[0] != pair[1]), (f"{mine:.3g}", f"{right:.3g}"))


# names of what is no array, and of what holds none
KINDS = {"list": "a list", "tuple": "a tuple", "str": "a single text", "ndarray": "an array"}
KINDS["generator"] = "a generator, made by yield or by a `for` in parentheses (return a list instead)"
ODD = {"NoneType": "None", "ellipsis": "...", "str": "text"}
ODD |= {"ufunc": "a function that isn't called", "function": "a function that isn't called"}


def described(raw, fine=()):
    """What something is, and the first thing in it that is no number, nor of a `fine` type."""
    if type(raw) in (np.ndarray, np.ma.MaskedArray) and raw.dtype.kind != "O":  # no type that a learner made
        return f"an array of {'text' if raw.dtype.kind == 'U' else raw.dtype}"
    if type(raw) is tuple and any(type(part) is np.ndarray for part in raw):
        return f"a tuple of {len(raw)} results (give each a name, or pick one)"
    kind = KINDS.get(type(raw).__name__, f"an object of type {type(raw).__name__}")
    raw = raw.tolist() if type(raw) is np.ndarray else raw
    odd = odd_part(raw, fine) if type(raw) in (list, tuple) else ""
    return f"{kind} that holds {odd}" if odd else kind


def no_array(given, shape):
    """What to say of a value that came instead of an array of numbers."""
    if type(given) is np.ndarray and given.dtype.kind in "iufb":  # too large to be copied and looked at
        return f"Expected shape {shape}, got {given.shape}."
    return f"Expected an array of numbers, shape {shape}, got {described(given)}."


def odd_part(raw, fine=(), depth=9):
    """The type of the first thing in a result that is no number, or ""; a list may hold itself."""
    if type(raw) in (list, tuple) and raw and depth:
        return next(filter(None, (odd_part(part, fine, depth - 1) for part in raw)), "")
    is_array = type(raw) is np.ndarray and raw.dtype.kind in "biuf"
    if is_array or issubclass(type(raw), (bool, int, float, np.number, np.bool_, *fine)):
        return ""
    return ODD.get(type(raw).__name__, type(raw).__name__)


def ragged(raw):
    """How the parts of a list differ in length or shape, so that they make no array; or ""."""
    parts = raw if type(raw) in (list, tuple) else ()
    if all(type(row) in (list, tuple) for row in parts) and len(set(map(len, parts))) > 1:
        return "The rows of your result have different lengths. Each row needs an entry for every column."
    shapes = {str(part.shape) for part in parts} if all(type(part) is np.ndarray for part in parts) else ()
    if len(shapes) > 1:
        return f"The arrays in your list have different shapes: {' and '.join(sorted(shapes))}."
    return ""
