"""What a call came to, as an Outcome; and as plain data, of which nothing runs when it is read."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from attn_checks.run.compare import as_arrays
from attn_checks.run.raised import Raised, words_of

MOST_NUMBERS = 100_000  # in one result; no input asks for more than a hundred
KINDS = "biufcU"  # of numbers and text
HARMS = "endless-loop", "interrupted", "too-large", "forks", "ends-python"  # what a call may do to the kernel
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
def imitate(way: Callable, case: Case) -> Outcome:
    """What one of the course's own functions gives; they change no input."""
    try:
        raw = way(*case)
    except Exception as error:  # a mistake may well end in one
        return Outcome(None, Raised(words_of(error)))
    return Outcome(as_arrays(raw), None, raw)


def outcome_of(data: object) -> Outcome:
    """The Outcome that `answer` told; BadDataError if it told none."""
    try:
        match data:
            case ["harm", harm] if harm in HARMS:
                return Outcome(None, Raised(harm), harm=harm)
            case ["raised", told, printed, *warned]:
                raised = Raised(*shortened(told, 1000))
                return Outcome(None, raised, printed=str(printed), warned=shortened(warned, 200))
            case ["result", told, arrays, changed, printed, *warned]:
                raw = from_data(told)
                values = values_of(raw, arrays)
                warned = shortened(warned, 200)
                return Outcome(values, None, raw, bool(changed), str(printed), warned)
    except Exception as error:
        raise BadDataError(f"no such answer: {str(data)[:80]}") from error
    raise BadDataError(f"no such answer: {str(data)[:80]}")


def values_of(raw, arrays):
    """The arrays of a result: those told, or what was returned is them."""
    if arrays is None:
        return None
    values = raw if arrays == "same" else tuple(map(from_data, arrays))
    values = values if type(values) is tuple else (values,)
    if not all(isinstance(value, np.ndarray) for value in values):
        raise BadDataError("a result that is no array")
    return values


def shortened(texts, length):
    return tuple(str(text)[:length] for text in texts)


def as_text(case: Case) -> str:
    return json.dumps([as_data(argument) for argument in case])


class Unknown:
    """Stands for a value of another kind, whose type has this name."""


def as_data(value: Any, depth: int = 0) -> list:
    """A value as lists, numbers and text."""
    kind = type(value)
    if value is ...:
        return ["dots"]
    if kind is str:
        return ["plain", value[:1000]]
    if value is None or kind in (bool, int, float):
        return ["plain", value]
    if kind is complex:
        return ["complex", value.real, value.imag]
    if np.ma.isMaskedArray(value):
        numbers = np.asarray(value.filled(0))
        return ["masked", as_data(numbers), as_data(np.ma.getmaskarray(value))]
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in KINDS:
        return ["array", value.dtype.str, list(value.shape), value.tobytes().hex()]
    if depth < 20 and kind in (list, tuple) and len(value) <= MOST_NUMBERS:
        return [kind.__name__, [as_data(part, depth + 1) for part in value]]
    if depth < 20 and kind is np.ndarray and value.size <= MOST_NUMBERS:
        return ["objects", list(value.shape), [as_data(part, depth + 1) for part in value.flat]]
    return ["other", kind.__name__]


def from_data(data: object) -> Any:
    """The value that `as_data` made this of; BadDataError if it did not."""
    try:
        return value_of(data)
    except Exception as error:
        raise BadDataError(f"no such data: {str(data)[:80]}") from error


def value_of(data):
    match data:
        case ["dots"]:
            return ...
        case ["plain", None | bool() | int() | float() | str() as value]:
            return value
        case ["complex", real, imaginary]:
            return complex(real, imaginary)
        case ["masked", numbers, mask]:
            return np.ma.masked_array(from_data(numbers), from_data(mask))
        case ["array", kind, shape, content] if np.dtype(kind).kind in KINDS:
            return np.frombuffer(bytes.fromhex(content), kind).reshape(shape).copy()
        case ["objects", shape, parts]:
            made = np.empty(shape, object)
            for i, part in enumerate(parts):
                made.flat[i] = from_data(part)
            return made
        case ["list", parts]:
            return list(map(from_data, parts))
        case ["tuple", parts]:
            return tuple(map(from_data, parts))
        case ["other", name]:
            return type(str(name)[:60], (Unknown,), {})()
    raise ValueError("no such kind of data")
