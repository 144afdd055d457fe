"""Answers that would do harm: each is told what it does, and what comes after it is checked as before."""

import builtins
import ctypes
import itertools
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from attn_checks.running import answer as called
from nbclient import NotebookClient
from nbformat import v4

import attn_checks as check
import attn_helpers as attn
from attn_checks import engine, rehearsal
from attn_parts import mathematics

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is rehearsed on Linux only")


def while_true(x):
    while True:
        pass


def catches_all(x):
    while True:
        try:
            time.sleep(1)
        except:  # noqa: E722
            continue


def catches_twice(x):
    while True:
        try:
            try:
                x = x + 1
            except:  # noqa: E722
                x = 0
        except BaseException:
            x = 1


def ignores_signals(x):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        pass


class Raising:
    def __init__(self, error):
        self.error = error

    def __array__(self, *arguments, **options):
        raise self.error

    def __getattr__(self, name):
        raise self.error

    def __call__(self, x):
        return self


class OwnError(BaseException):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__


def raises(error):
    raise error


def calls_itself(x):
    return calls_itself(x)


ENDED_IN_THE_KERNEL = [
    (while_true, "endless-loop"),
    (catches_all, "endless-loop"),
    (catches_twice, "endless-loop"),
    (lambda x: time.sleep(100), "endless-loop"),
    (lambda x: input("scores? "), "waits-for-input"),
    (lambda x: sys.exit(), "ends-python"),
    (lambda x: raises(OwnError()), "own-refusal"),
    (lambda x: raises(KeyboardInterrupt), "own-refusal"),
    (lambda x: os.kill(os.getpid(), signal.SIGINT), "interrupted"),
    (lambda x: Raising(OwnError()), "own-refusal"),
    (calls_itself, "calls-itself"),
    (lambda x: np.ones((1000, 1000)), "too-large"),
]
ENDED_BY_REHEARSAL = [
    (ignores_signals, "endless-loop"),
    (lambda x: sum(itertools.count()), "endless-loop"),
    (lambda x: 10**10**8, "endless-loop"),
    (lambda x: np.zeros(10**9), "too-large"),
    (lambda x: os._exit(0), "ends-python"),
    (lambda x: os.abort(), "ends-python"),
    (lambda x: ctypes.string_at(0), "ends-python"),
]


@pytest.mark.parametrize(("answer", "mistake"), [*ENDED_IN_THE_KERNEL, *ENDED_BY_REHEARSAL])
@on_linux
def test_harm_is_told_and_done_to_nobody(answer, mistake):
    feedback = check.softmax(answer)
    assert (feedback.status, feedback.mistake) == ("error", mistake), str(feedback)
    assert check.softmax(attn.softmax).status == "passed"


@pytest.mark.parametrize(("answer", "mistake"), ENDED_IN_THE_KERNEL)
def test_without_a_rehearsal_too(answer, mistake, monkeypatch):
    """Where there is no fork: what Python itself runs, and sleeps, can be interrupted."""
    monkeypatch.setattr(rehearsal.sys, "platform", "darwin")
    before = signal.getsignal(signal.SIGINT), sys.gettrace(), threading.active_count()
    if answer is calls_itself:  # it ends by itself, later on a busy machine
        monkeypatch.setattr(engine, "SECONDS", 20.0)
    assert check.softmax(answer).mistake == mistake
    assert (signal.getsignal(signal.SIGINT), sys.gettrace(), threading.active_count()) == before


@on_linux
def test_in_a_notebook_the_kernel_lives_on():
    cells = [
        "import os\nimport attn_helpers as attn, attn_checks as check\nkept = 1",
        "print(check.softmax(lambda x: exit()).mistake, check.softmax(lambda x: os._exit(1)).mistake)",
        "print(check.softmax(lambda x: input()).mistake, check.softmax(attn.softmax).status, kept)",
    ]
    notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    texts = ["".join(output.text for output in cell.outputs) for cell in notebook.cells[1:]]
    assert texts == ["ends-python ends-python\n", "waits-for-input passed 1\n"]


def test_what_has_no_attributes_to_ask_for():
    assert check.softmax(Raising(KeyError("none"))).status == "error"


@on_linux
def test_a_second_process_is_not_let_into_the_kernel():
    assert check.softmax(lambda x: os.fork() and x).mistake == "forks"


def replaces_numpy(x):
    np.exp = lambda x: x
    return np.exp(x)


def replaces_a_built_in(x):
    builtins.isinstance = lambda *arguments: raises(KeyError("none"))


def replaces_the_course(x):
    mathematics.softmax = lambda x: x
    return x


def replaces_a_gradient(x):
    attn.softmax_backward = lambda weights, d_weights: d_weights
    return attn.softmax(x)


def unloads_numpy(x):
    sys.modules.pop("numpy", None)
    return attn.softmax(x)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (replaces_numpy, "np.exp"),
        (replaces_a_built_in, "builtins.isinstance"),
        (replaces_the_course, "attn_parts.mathematics.softmax"),
        (replaces_a_gradient, "attn.softmax_backward"),
        (unloads_numpy, "sys.modules['numpy']"),
    ],
)
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_numpy_and_the_course_are_put_back_and_named(answer, name, platform, monkeypatch):
    """Whether it is rehearsed in a process of its own, or runs in the kernel at once."""
    monkeypatch.setattr(rehearsal, "is_possible", lambda: platform == sys.platform)
    before = attn.softmax_backward
    feedback = check.softmax(answer)
    assert feedback.mistake == "replaced" and f"`{name} = …`" in feedback.message
    assert attn.softmax_backward is before and sys.modules["numpy"] is np
    assert check.softmax(attn.softmax).status == "passed"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (np, "isclose"),
        (attn, "softmax"),
        (mathematics, "softmax"),
        (attn, "attention_backward"),
    ],
)
def test_what_was_replaced_before_the_check_is_named(module, name):
    setattr(module, name, lambda *arguments: True)
    assert check.softmax(lambda x: x).mistake == "replaced"
    assert check.softmax(attn.softmax).status == "passed"


def test_a_numpy_unloaded_before_the_check_is_put_back_and_named():
    del sys.modules["numpy"], sys.modules["numpy.linalg"]
    feedback = check.softmax(attn.softmax)
    assert feedback.mistake == "replaced" and "sys.modules['numpy']" in feedback.message
    assert sys.modules["numpy"] is np and check.softmax(attn.softmax).status == "passed"


def test_what_an_answer_returned_is_judged_and_told_as_it_was():
    """A thread of it may go on changing the array."""

    def goes_on(x):
        shares = np.zeros(x.shape)
        outcomes.append(shares)
        return shares

    outcomes = []
    values = called(goes_on, (np.zeros((1, 2)),), 1).values
    outcomes[0][:] = 1
    assert not values[0].any()


def test_an_answer_leaves_python_as_it_was():
    depth = sys.getrecursionlimit()
    check.softmax(lambda x: sys.setrecursionlimit(depth - 100))
    check.softmax(lambda x: np.seterr(all="raise"))
    if hasattr(signal, "alarm"):
        check.softmax(lambda x: signal.alarm(1))  # by default that ends the process
        assert signal.alarm(0) == 0
    assert sys.getrecursionlimit() == depth and np.geterr()["over"] == "warn"


def closes_the_streams(x):
    sys.stdin = sys.stdout = sys.stderr = None
    return attn.softmax(x)


def sets_a_timer(x):
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
    return attn.softmax(x)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="is not on Windows")
def test_streams_and_timers_are_put_back():
    before = sys.stdin, sys.stdout, sys.stderr, signal.getsignal(signal.SIGALRM)
    assert [check.softmax(f).status for f in (closes_the_streams, sets_a_timer)] == ["passed"] * 2
    assert (sys.stdin, sys.stdout, sys.stderr, signal.getsignal(signal.SIGALRM)) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


class Unsayable(str):
    def __str__(self):
        raise SystemExit

    __repr__ = __hash__ = strip = lower = __str__

    def __eq__(self, other):
        raise KeyboardInterrupt


class Unwalkable(list):
    def __len__(self):
        raise SystemExit

    def __iter__(self):
        raise KeyboardInterrupt


def nested_in_itself(times):
    nested = []
    nested.extend([nested] * times)
    return nested


NO_MATRIX = {
    "raises from __array__": Raising(SystemExit()),
    "interrupts from __array__": Raising(KeyboardInterrupt()),
    "cells that raise": [[Unsayable("b")] * 10] * 5,
    "nested in itself": nested_in_itself(1),
    "ragged": [[1, 2], [3]],
    "huge text": "9" * 200_000_000,
    "cannot be said": Unsayable("b"),
    "cannot be walked through": Unwalkable([1]),
}


@on_linux
@pytest.mark.parametrize("name", NO_MATRIX)
def test_whatever_is_handed_over_as_a_matrix_is_told(name):
    given = NO_MATRIX[name]
    for feedback in (
        check.two_heads(given),
        check.query_projection(given, attn.load_example().W_K),
        check.explain("00-row", given),
    ):
        assert feedback.mistake in ("not-numbers", "no-such-option") and len(feedback.message) < 400
    assert check.query_projection(attn.load_example().W_Q, given).mistake == "keys-changed"
    assert check.softmax(lambda x: given).status != "passed"
    assert check.attention(lambda Q, K, V, mask=None: (Q, given)).status != "passed"


@on_linux
def test_a_matrix_that_takes_forever_to_make_is_told():
    assert check.two_heads(nested_in_itself(2)).mistake == "not-numbers"


def test_a_long_answer_is_not_shown_whole():
    assert len(check.explain("00-row", "b" * 10**8).message) < 200
