"""A rehearsal in a child process, where an answer may hang, crash, or ask for all the memory there is."""

import contextlib
import faulthandler
import gc
import io
import os
import select
import signal
import sys
import warnings

from attn_checks.feedback import say
from attn_checks.running import EndlessError, HarmError, answer

SECONDS = 0.4  # for one call, on a tiny input
MEMORY = 512 * 2**20  # bytes that an answer may take
NOT_TO_BE_FORKED = {"jax", "tensorflow", "torch"}  # their threads do not survive it


class AsleepError(EndlessError):
    """Of a child that waits: its answer sleeps, or a lock was held by another thread when it was forked."""


def harm_of(function, cases, n_results):
    """The HarmError that a function would do to the kernel on one of the inputs, or None. Linux only."""
    if not is_possible():
        return None
    harm = rehearsed(function, cases, n_results)
    # a lock held at the fork is no fault of the answer, and free the next time
    return rehearsed(function, cases, n_results) if isinstance(harm, AsleepError) else harm


def rehearsed(function, cases, n_results):
    """One rehearsal in a child: the HarmError that it came to, or None."""
    reading, writing = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # that there are threads: the child needs none of them
        child = os.fork()
    if child == 0:
        rehearse(function, cases, n_results, writing)
    os.close(writing)
    try:
        return watched(reading, len(cases), child)
    finally:
        os.close(reading)


def is_possible():
    return sys.platform.startswith("linux") and not NOT_TO_BE_FORKED & sys.modules.keys()


def rehearse(function, cases, n_results, writing):
    """In the child: call the function on each input, and send a sign of life after each. Does not return."""
    try:
        gc.disable()  # it would write to memory that is shared until then
        os.setsid()  # a group of its own
        os.register_at_fork(before=lambda: os.write(writing, b"forks\n"), after_in_child=lambda: os._exit(0))
        limit_memory()
        faulthandler.disable()
        sys.stderr = io.StringIO()
        sys.addaudithook(lambda event, _: event == "import" and os.write(writing, b"i"))
        for case in cases:
            raised = answer(function, case, n_results, seconds=None).raised
            sign = sign_of(raised)
            os.write(writing, sign)
            if sign != b".":
                return
        os.write(
            writing, b"." if say("error", None, "").status == "error" else b"replaced attn_checks.Feedback\n"
        )
    except AttributeError:
        os.write(writing, b"replaced attn_checks.Feedback\n")
    finally:
        os._exit(0)


def sign_of(raised):
    if isinstance(raised, MemoryError):
        return b"too-large\n"
    return f"{' '.join(raised.args)}\n".encode() if isinstance(raised, HarmError) else b"."


def limit_memory():
    import resource  # not on every system

    with open("/proc/self/statm", encoding="ascii") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = taken + MEMORY if most == resource.RLIM_INFINITY else min(taken + MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def watched(reading, n_calls, child):
    """In the kernel: wait for a sign of life after each call, then end the child and all that it started."""
    try:
        ended, patience = 0, 2000
        while ended <= n_calls:  # and one sign that Feedback itself works
            late = EndlessError("endless-loop") if not patience else lateness(reading, child)
            if late:
                return late
            sign = os.read(reading, 1)
            ended += sign == b"."
            patience -= sign == b"i"  # a module is loaded, which takes its time
            if sign not in (b".", b"i"):
                harm = (sign + os.read(reading, 500)).decode().partition("\n")[0].split()
                return HarmError(*(harm or ["ends-python"]))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    return None


def lateness(reading, child):
    """An EndlessError if no sign of life comes in time; time in which a busy machine let the child wait is not counted."""
    _, before = state_of(child)
    for _ in range(50):
        if select.select([reading], [], [], SECONDS)[0]:
            return None
        state, worked = state_of(child)
        if worked - before > 0.75 * SECONDS:
            break
        if state not in "RD":
            return AsleepError("endless-loop")
    return EndlessError("endless-loop")


def state_of(child):
    """The letter of a process's state, and the seconds that it has worked."""
    with open(f"/proc/{child}/stat", encoding="ascii") as file:
        state, *fields = file.read().rpartition(")")[2].split()
    return state, (int(fields[10]) + int(fields[11])) / os.sysconf("SC_CLK_TCK")
