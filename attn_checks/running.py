"""One call of a function: on copies, with output, exceptions and endless loops kept in."""

import contextlib
import copy
import io
import sys
from typing import NamedTuple

import numpy as np

from attn_checks.comparing import as_arrays

STEP_LIMIT = 2_000_000  # steps of the interpreter that one call may take before it counts as endless


class Outcome(NamedTuple):
    """What one call came to."""

    values: tuple | None  # arrays, or None if it raised or gave no arrays
    raised: BaseException | None = None
    raw: object = None
    changed: bool = False  # whether an input was changed in place
    printed: bool = False


class EndlessError(BaseException):
    """Raised inside a learner's function that runs too long; no `except Exception` swallows it."""


def call(function, arguments, limit=None):
    """Run a function on copies of the arguments; with a limit, no longer than so many steps."""
    given = copy.deepcopy(list(arguments))
    printed, raised, raw = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            raw = at_most(limit, function, given) if limit else function(*given)
        except (Exception, EndlessError, SystemExit) as error:  # reported to the learner, as theirs
            raised = error
    changed = any(not untouched(a, b) for a, b in zip(given, arguments, strict=True))
    return Outcome(as_arrays(raw), raised, raw, changed, bool(printed.getvalue()))


def at_most(limit, function, given):
    """Call a function, and end it after so many steps of the interpreter by an EndlessError."""
    steps, tracer = 0, sys.gettrace()

    def count(frame, event, argument):
        nonlocal steps
        steps += 1
        frame.f_trace_opcodes = True  # `while True: pass` never reaches a new line
        if steps > limit:
            raise EndlessError
        return count

    sys.settrace(count)
    try:
        return function(*given)
    finally:
        sys.settrace(tracer)


def answer(function, arguments, n_results):
    """One call of a learner's function, its result taken as generously as its meaning allows."""
    outcome = call(function, arguments, STEP_LIMIT)
    raw = unpacked(outcome.raw, n_results)
    return outcome if raw is outcome.raw else outcome._replace(values=as_arrays(raw))


def unpacked(raw, n_results):
    """Lists, tuples and arrays of objects count where the same numbers or tokens in an array would."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in ("O", "T"):
        raw = raw.tolist()
    if n_results > 1 and isinstance(raw, list) and len(raw) == n_results:
        return tuple(raw)
    if n_results == 1 and isinstance(raw, tuple) and not any(isinstance(part, np.ndarray) for part in raw):
        return raw if has_stray_comma(raw) else list(raw)
    return raw


def has_stray_comma(raw):
    """Whether a result was made a tuple of one by a comma at the end of its line."""
    return isinstance(raw, tuple) and len(raw) == 1 and isinstance(raw[0], (np.ndarray, list))


def untouched(given, original):
    """Whether an argument is still what it was; lists are looked into."""
    if isinstance(original, np.ndarray):
        exact = original.dtype.kind != "f"
        return given.shape == original.shape and np.array_equal(given, original, equal_nan=not exact)
    if isinstance(original, list):
        return len(given) == len(original) and all(map(untouched, given, original))
    return given is original or bool(given == original)
