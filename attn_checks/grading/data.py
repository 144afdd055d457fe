"""Values as text, between the grader and a student's process: plain data alone, and nothing that runs when it is read."""

import base64
import json

import numpy as np

from attn_checks.errors import ReportedError, hint, own_line, words_of
from attn_checks.faults import HARM
from attn_checks.running import MOST_NUMBERS, HarmError, Outcome, guarded

KINDS = "biufcU"  # of numbers and text; an array of objects would run code when it is read
LONGEST = 50 * 2**20  # letters of one message


class BadDataError(ValueError):
    """What came from a student's process is not what was asked for."""


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
        mask = np.ma.getmaskarray(value)
        return ["masked", as_data(np.asarray(value.filled(0))), as_data(mask)]
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in KINDS:
        array = np.ascontiguousarray(value)
        shape = list(np.shape(value))
        return ["array", array.dtype.str, shape, base64.b64encode(array.tobytes()).decode()]
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
    if kind == "array":
        return array_of(*parts)
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](map(from_data, parts[0]))
    if kind == "other":
        return type(str(parts[0])[:60], (Unknown,), {})()
    raise BadDataError(f"no such kind of data: {str(kind)[:80]}")


def array_of(dtype, shape, content):
    dtype = np.dtype(dtype)
    if dtype.kind not in KINDS:
        raise BadDataError(f"an array of {dtype}")
    return np.frombuffer(base64.b64decode(content), dtype).reshape(shape).copy()


def outcome_as_data(outcome):
    """An Outcome of a call, for the grader."""
    raised = outcome.raised
    if isinstance(raised, HarmError):
        raised = ["harm", [str(part)[:80] for part in raised.args]]
    elif raised is not None:
        told, _, _ = guarded(lambda: hint(outcome.raised))
        raised = ["error", words_of(raised), own_line(raised)[:200], told or ["error", ""]]
    values = outcome.values and [as_data(value) for value in outcome.values]
    return [as_data(outcome.raw), values, raised, bool(outcome.changed), outcome.printed[-200:]]


def outcome_from_data(data):
    """The Outcome again; what an answer is worth is decided here, by its numbers, not there."""
    raw, values, raised, changed, printed = data
    if raised is not None:
        return Outcome(None, raised_from_data(*raised), None, bool(changed), str(printed))
    values = None if values is None else tuple(map(from_data, values))
    if not all(isinstance(value, np.ndarray) for value in values or ()):
        raise BadDataError("a result that is no array")
    return Outcome(values, None, from_data(raw), bool(changed), str(printed))


def raised_from_data(kind, *parts):
    if kind == "harm":
        names = [str(part) for part in parts[0]]
        return HarmError(*names) if is_known(names) else HarmError("ends-python")
    words, line, (mistake, advice) = parts
    return ReportedError(str(words)[:200], str(line)[:200], (str(mistake)[:60], str(advice)[:400]))


def is_known(names):
    """Whether a harm has a text, and the names that the text speaks of."""
    return bool(names) and names[0] in HARM and (names[0] != "replaced" or len(names) > 1)


def to_text(data):
    return json.dumps(data)


def from_text(text):
    """Data of a text; BadDataError if it is none, or too long."""
    if len(text) > LONGEST:
        raise BadDataError(f"{len(text)} letters in one answer")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadDataError(f"no data: {text[:80]!r}") from error
