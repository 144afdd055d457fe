"""One call of a learner's function, in any process: nothing that it patches, prints or closes gets out."""

import builtins
import contextlib
import inspect
import io
import linecache
import sys
import warnings

import numpy as np

from attn_checks.run.compare import as_arrays
from attn_checks.run.data import KINDS, MOST_NUMBERS, as_data, from_data, has_stray_comma
from attn_checks.run.hints import explained
from attn_checks.run.raised import is_own, words_of


@np.errstate(all="warn", under="ignore")
def answer(function, case, n_results):
    """One call of a function, its result taken as generously as it means, as plain data."""
    given, original = ([from_data(argument) for argument in case] for _ in range(2))
    with kept_in() as (printed, warned):
        try:
            raw, values = as_results(function(*given), n_results)
            changed = not all(map(untouched, given, original))
            arrays = "same" if is_same(raw, values) else values and list(map(as_data, values))
            return ["result", as_data(raw), arrays, changed, printed.getvalue()[-200:], *warned]
        except MemoryError:
            return ["harm", "too-large"]
        except KeyboardInterrupt:
            return ["harm", "interrupted"]
        except BaseException as error:  # reported to the learner, as theirs
            return ["raised", explained(error), printed.getvalue()[-200:], *warned]


def as_results(raw, n_results):
    """What a function returned, and the same as arrays."""
    if inspect.iscoroutine(raw):
        raw.close()  # nobody awaits it, and nobody is to be warned of that
    raw = tuple(raw) if isinstance(raw, tuple) else raw  # a named one is a tuple too
    values = as_arrays(unpacked(raw, n_results))
    if sum(array.size for array in values or ()) > MOST_NUMBERS:
        raise MemoryError
    return raw, values


def is_same(raw, values):
    """Whether what was returned is its arrays already: then they need not be sent twice."""
    parts = raw if type(raw) is tuple else (raw,)
    return values is not None and all(type(part) is np.ndarray and part.dtype.kind in KINDS for part in parts)


running = False  # whether a function that is being checked runs now


@contextlib.contextmanager
def kept_in():
    """Keep in what a function prints, asks and warns of, and that it would end Python."""
    streams = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
    ask = builtins.input
    printed = io.StringIO()
    warned = []
    leaving = leave_notebook()
    printed.close = lambda: None  # closing sys.stdout is no reason to lose a result
    global running
    sys.stdout = printed
    builtins.input = asks
    running = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda *told: warned.extend([] if warned else own_warning(*told))
            yield printed, warned
    finally:
        vars(sys).update(streams)
        builtins.input = ask
        running = False
        for kind, call in leaving.items():
            kind.__call__ = call


def leave_notebook():
    """Have exit and quit of a notebook raise as Python's own do; returns what they did before."""
    autocall = sys.modules.get("IPython.core.autocall")
    kinds = [autocall.ExitAutocall, autocall.ZMQExitAutocall] if autocall else []
    before = {kind: kind.__call__ for kind in kinds}
    for kind in kinds:
        kind.__call__ = ends
    return before


def asks(*prompt):
    raise EOFError("nobody is there to answer input()")


def ends(*arguments, **options):
    raise SystemExit


def own_warning(message, category, *where):
    """The words of a warning of NumPy's and the learner's line; an empty list for other warnings."""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_filename != __file__:
        name = frame.f_code.co_filename
        if issubclass(category, RuntimeWarning) and is_own(name) and name != warnings.__file__:
            return [words_of(message), linecache.getline(name, frame.f_lineno).strip()[:200]]
        frame = frame.f_back
    return []


def unpacked(raw, n_results):
    """Lists, tuples and arrays of objects count where the same numbers or tokens in an array would."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind == "O":
        raw = raw.tolist()
    is_row = isinstance(raw, list) or (isinstance(raw, np.ndarray) and raw.ndim == 1)
    if n_results > 1 and is_row and len(raw) == n_results:
        return tuple(raw)
    if n_results == 1 and isinstance(raw, tuple) and not any(isinstance(part, np.ndarray) for part in raw):
        return raw if has_stray_comma(raw) else list(raw)
    return raw


def untouched(given, original):
    """Whether an argument is still what it was; lists are looked into."""
    if type(given) is not type(original):
        return False
    if isinstance(original, np.ndarray):
        exact = original.dtype.kind != "f"
        return given.shape == original.shape and np.array_equal(given, original, equal_nan=not exact)
    if isinstance(original, list):
        return len(given) == len(original) and all(map(untouched, given, original))
    return given is original or bool(given == original)
