"""What a call came to, as an Outcome; and as plain data, of which nothing runs when it is read."""

import json
from typing import NamedTuple

import numpy as np

from attn_checks.run.compare import as_arrays
from attn_checks.run.raised import Raised, words_of

MOST_NUMBERS = 100_000  # in one result; no input asks for more than a hundred


KINDS = "biufcU"  # of numbers and text


Case = tuple  # the arguments of one call


class Outcome(NamedTuple):
    """What one call came to."""

    values: tuple[np.ndarray, ...] | None  # arrays, or None if it raised or gave no arrays
    raised: Raised | None = None
    raw: object = None  # what it returned, as far as that is plain data
    changed: bool = False  # whether an input was changed in place
    printed: str = ""
    warned: tuple = ()  # NumPy's first warning: its words, and the learner's line
    harm: str = ""  # what the call would do to the kernel, by name

    @property
    def words(self) -> str:
        """Those of the exception, "" if there is none."""
        return self.raised.words if self.raised else ""

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return self.values or ()


class BadDataError(ValueError):
    """What came from another process is not what was asked for."""


def has_stray_comma(raw: object) -> bool:
    """Whether a result was made a tuple of one by a comma at the end of its line."""
    return type(raw) is tuple and len(raw) == 1 and isinstance(raw[0], (np.ndarray, list))


@np.errstate(all="ignore")
def imitate(way, case):
    """What one of the course's own functions gives; they change no input."""
    try:
        raw = way(*case)
    except Exception as error:  # a mistake may well end in one
        return Outcome(None, Raised(words_of(error)))
    return Outcome(as_arrays(raw), None, raw)


def outcome_of(data):
    """The Outcome that `answer` told; BadDataError if it told none."""
    try:
        kind, *parts = data
        if kind == "harm":
            return Outcome(None, Raised(str(parts[0])), harm=str(parts[0]))
        if kind == "raised":
            (told, printed, *warned), changed, raw, values = parts, False, None, None
            raised = Raised(*(str(part)[:1000] for part in told))
        else:
            (raw, values, changed, printed, *warned), raised = parts, None
            raw = from_data(raw)
            same = raw if type(raw) is tuple else (raw,)
            values = same if values == "same" else values and tuple(map(from_data, values))
        if not all(isinstance(value, np.ndarray) for value in values or ()):
            raise BadDataError("a result that is no array")
        warned = tuple(str(part)[:200] for part in warned)
        return Outcome(values, raised, raw, bool(changed), str(printed), warned)
    except BadDataError:
        raise
    except Exception as error:
        raise BadDataError(f"no such answer: {str(data)[:80]}") from error


def as_text(case):
    return json.dumps([as_data(argument) for argument in case])


class Unknown:
    """Stands for a value of another kind, whose type has this name."""


def as_data(value, depth=0):
    """A value as lists, numbers and text."""
    if value is ...:
        return ["dots"]
    if value is None or type(value) in (bool, int, float, str):
        return ["plain", value if type(value) is not str else value[:1000]]
    if type(value) is complex:
        return ["complex", value.real, value.imag]
    if np.ma.isMaskedArray(value):
        return ["masked", as_data(np.asarray(value.filled(0))), as_data(np.ma.getmaskarray(value))]
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in KINDS:
        return ["array", value.dtype.str, list(value.shape), value.tobytes().hex()]
    if type(value) is np.ndarray and value.dtype.kind == "O" and depth < 20 and value.size <= MOST_NUMBERS:
        return ["objects", list(value.shape), [as_data(part, depth + 1) for part in value.ravel().tolist()]]
    if type(value) in (list, tuple) and depth < 20 and len(value) <= MOST_NUMBERS:
        return [type(value).__name__, [as_data(part, depth + 1) for part in value]]
    return ["other", type(value).__name__]


def from_data(data):
    """The value that `as_data` made this of; BadDataError if it did not."""
    try:
        return value_of(*data)
    except BadDataError:
        raise
    except Exception as error:
        raise BadDataError(f"no such data: {str(data)[:80]}") from error


def value_of(kind, *parts):
    if kind == "dots":
        return ...
    if kind == "plain" and (parts[0] is None or type(parts[0]) in (bool, int, float, str)):
        return parts[0]
    if kind == "complex":
        return complex(*parts)
    if kind == "masked":
        return np.ma.masked_array(from_data(parts[0]), from_data(parts[1]))
    if kind == "array" and np.dtype(parts[0]).kind in KINDS:
        dtype, shape, content = parts
        return np.frombuffer(bytes.fromhex(content), dtype).reshape(shape).copy()
    if kind == "objects":
        made = np.empty(parts[0], object)
        for i, part in enumerate(parts[1]):
            made.flat[i] = from_data(part)
        return made
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](map(from_data, parts[0]))
    if kind == "other":
        return type(str(parts[0])[:60], (Unknown,), {})()
    raise BadDataError(f"no such kind of data: {str(kind)[:80]}")
