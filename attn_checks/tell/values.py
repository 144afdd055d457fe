"""What a message says of values: names and cells, and what came in place of an array of numbers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.child import Caller
from attn_checks.run.compare import as_arrays


class WrongResult(NamedTuple):
    """The input that a message shows of a wrong answer, and the result (None: no single one)."""

    answer: Answer
    at: int
    number: int | None


AXES = {1: ["entry"], 2: ["row", "column"], 3: ["matrix", "row", "column"], 4: ["row", "column"]}


def cell_name(where: np.ndarray) -> str:
    """The first cell where something holds: 'row 0, column 1', or 'entry 1' of a single row."""
    return ", ".join(f"{name} {i}" for name, i in zip(AXES[where.ndim], np.argwhere(where)[0], strict=True))


def name_list(names: Sequence[str]) -> str:
    """Names as a sentence has them: X, Y and Z."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def sentences(*texts: str) -> str:
    return " ".join(filter(None, texts))


def array_of(given: object) -> np.ndarray | None:
    """The array that a learner hands over as a value, made with the same care; None if it holds no real numbers."""
    with Caller(lambda: as_arrays((given,)), 1) as caller:
        values = caller.outcome(()).values
    return values[0] if values and values[0].dtype.kind in "iufb" else None


def told_apart(mine, right):
    """Two numbers as text, with as many digits as it takes to tell them apart."""
    pairs = ((f"{mine:.{digits}g}", f"{right:.{digits}g}") for digits in range(3, 17))
    return next((pair for pair in pairs if pair[0] != pair[1]), (f"{mine:.3g}", f"{right:.3g}"))


# names of what is no array, and of what holds none
KINDS = {
    "list": "a list",
    "tuple": "a tuple",
    "str": "a single text",
    "ndarray": "an array",
    "generator": "a generator, made by yield or by a `for` in parentheses (return a list instead)",
}
NOT_CALLED = "a function that isn't called"
ODD = {
    "NoneType": "None",
    "ellipsis": "...",
    "str": "text",
    "ufunc": NOT_CALLED,
    "function": NOT_CALLED,
}


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


def ragged(raw, size):
    """How the parts of a list differ in length or shape, so that they make no array of this size; or ""."""
    parts = raw if type(raw) in (list, tuple) else ()
    if all(type(row) in (list, tuple) for row in parts) and len(set(map(len, parts))) > 1:
        return "The rows of your result have different lengths. Each row needs an entry for every column."
    shapes = {str(part.shape) for part in parts} if all(type(part) is np.ndarray for part in parts) else ()
    if len(shapes) > 1:
        is_whole = sum(part.size for part in parts) == size
        advice = (
            "np.concatenate makes one."
            if is_whole
            else "Did you type a size that should come from the input?"
        )
        different = f"{' and '.join(sorted(shapes))}, so they make no single array"
        return f"The arrays in your list have different shapes, {different}. {advice}"
    return ""
