"""One call of a function: on copies, with output, exceptions and endless loops kept in."""

import builtins
import contextlib
import copy
import inspect
import io
import os
import signal
import sys
import threading
import warnings
from typing import NamedTuple
from unittest import mock

import numpy as np

from attn_checks.compare import as_arrays
from attn_checks.tampering import replaced

SECONDS = 1.0  # for one call, unless it has been rehearsed
MOST_NUMBERS = 100_000  # in one result; no input asks for more than a hundred


class Outcome(NamedTuple):
    """What one call came to."""

    values: tuple | None  # arrays, or None if it raised or gave no arrays
    raised: BaseException | None = None
    raw: object = None
    changed: bool = False  # whether an input was changed in place
    printed: str = ""


def mostly_raises(outcomes, wrong):
    """Whether most of the inputs that went wrong ended in an exception: then numbers say little."""
    return 2 * sum(outcomes[i].raised is not None for i in wrong) > len(wrong)


class HarmError(BaseException):
    """What a call would do to the kernel, by name; and to what. No `except Exception` swallows it."""


class EndlessError(HarmError):
    """Raised inside a learner's function that runs too long."""


class Elsewhere:
    """A learner's function that lives in another process, where it is asked for outcomes; nothing of it runs here.

    is_stub, unwritten_helper: what attn_checks/faults.py says of it.
    """

    is_stub, unwritten_helper = False, None

    def outcomes(self, cases, n_results):
        """One Outcome for each case, or fewer after one that did harm."""
        raise NotImplementedError

    def __call__(self, *arguments):
        raise TypeError("a function that lives in another process is asked for outcomes, not called")


def answer(function, arguments, n_results, seconds=SECONDS):
    """One call of a learner's function on copies of the arguments, its result taken as generously as it means.

    In the main thread it ends after so many seconds, unless it stays inside one call of a compiled function:
    what such calls do, and crashes, is found out by rehearsal.py before.
    """
    if isinstance(function, Elsewhere):
        return function.outcomes([arguments], n_results)[0]
    given = copy.deepcopy(list(arguments))
    returned = lambda: as_results(undisturbed(lambda: function(*given)), n_results)  # noqa: E731
    results, raised, printed = guarded(returned, seconds)
    raw, values = results or (None, None)
    changed = any(not untouched(a, b) for a, b in zip(given, arguments, strict=True))
    return Outcome(values, raised, raw, changed, printed)


def guarded(function, seconds=SECONDS):
    """What a function of no parameters gives, or None; what it raised, or None; and what it printed.

    Whatever may run a learner's code goes through here: a function of theirs, and what is asked of their objects.
    """
    printed, given, raised = io.StringIO(), None, None
    with kept_in(printed):
        try:
            given = at_most(seconds, lambda: undisturbed(function))
        except BaseException as error:  # reported to the learner, as theirs
            raised = error
    return given, raised, printed.getvalue()


def undisturbed(function):
    """What a function returns; a HarmError if it replaces a part of NumPy or of the course, which is put back."""
    try:
        return function()
    finally:
        names = replaced()
        if names:
            raise HarmError("replaced", *names)


@np.errstate(all="ignore")
def imitate(way, case):
    """What one of the course's own functions gives; they change no input."""
    try:
        raw = way(*case)
    except Exception as error:  # a mistake may well end in one
        return Outcome(None, error)
    return Outcome(as_arrays(raw), None, raw)


def as_results(raw, n_results):
    """What a function returned, and the same as arrays; too much of it is a HarmError."""
    if inspect.iscoroutine(raw):
        raw.close()  # nobody awaits it, and nobody is to be warned of that
    values = as_arrays(unpacked(raw, n_results))
    if sum(array.size for array in values or ()) > MOST_NUMBERS:
        raise HarmError("too-large")
    return raw, values


@contextlib.contextmanager
def kept_in(printed):
    """Keeps in what a function prints, asks, warns of or sets, and that it would end Python."""
    ipython = sys.modules.get("IPython.core.autocall")
    folder, depth = os.getcwd(), sys.getrecursionlimit()
    streams = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
    alarms = hasattr(signal, "SIGALRM")  # not on Windows
    handler = alarms and signal.getsignal(signal.SIGALRM)
    unset = alarms and not signal.getitimer(signal.ITIMER_REAL)[0]
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(np.errstate(all="ignore"))
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(mock.patch.object(builtins, "input", asks))
        for leave in ("ExitAutocall", "ZMQExitAutocall") if ipython else ():  # exit and quit of a notebook
            stack.enter_context(mock.patch.object(getattr(ipython, leave), "__call__", ends))
        yield
    os.chdir(folder)
    vars(sys).update(streams)
    sys.setrecursionlimit(depth)
    if unset and signal.getitimer(signal.ITIMER_REAL)[0]:
        signal.setitimer(signal.ITIMER_REAL, 0)  # it would end the kernel when it goes off
    if alarms and signal.getsignal(signal.SIGALRM) is not handler:
        signal.signal(signal.SIGALRM, handler)


def asks(*prompt):
    raise EOFError("nobody is there to answer input()")


def ends(*arguments, **options):
    raise SystemExit


def at_most(seconds, function):
    """What a function of no parameters gives; in the main thread an EndlessError ends it after so long."""
    main = threading.main_thread()
    if seconds is None or threading.current_thread() is not main or sys.platform == "emscripten":
        return function()
    running, done = [True], threading.Lock()
    usual, tracer = signal.getsignal(signal.SIGINT), sys.gettrace()
    stops, late = 0, False

    def watch():
        nonlocal late
        wait = seconds
        while not done.acquire(timeout=wait):
            late = True
            interrupt(main)
            wait = 0.01  # again and again: the first may be swallowed

    def stop(number, frame):
        nonlocal stops
        if running and not late:  # somebody else's: a person's, or its own
            raise HarmError("interrupted")
        if running:
            stops += 1
            raise_later(frame, stops, running)
            raise EndlessError("endless-loop")

    done.acquire()
    watcher = threading.Thread(target=watch, daemon=True)
    signal.signal(signal.SIGINT, stop)
    watcher.start()
    try:
        return function()
    finally:
        running.clear()  # first, and in one step: from here on nothing is raised
        done.release()
        watcher.join()  # no interrupt is under way any more
        signal.signal(signal.SIGINT, usual)
        if stops:
            sys.settrace(tracer)


def interrupt(thread):
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread.ident, signal.SIGINT)  # wakes a sleep, too
    else:
        signal.raise_signal(signal.SIGINT)


def raise_later(frame, steps, running):
    """Have an EndlessError raised again some steps on: `while True: try: … except: …` swallows the one in its try."""

    def count(frame, event, argument):
        nonlocal steps
        steps -= 1
        frame.f_trace_opcodes = True
        if steps < 0 and running:
            raise EndlessError("endless-loop")
        return count

    while frame.f_code is not at_most.__code__:
        frame.f_trace, frame.f_trace_opcodes = count, True
        frame = frame.f_back
    sys.settrace(count)


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
    return type(raw) is tuple and len(raw) == 1 and isinstance(raw[0], (np.ndarray, list))


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
