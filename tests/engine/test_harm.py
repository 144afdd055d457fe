"""Answers that would do harm: each is told what it does, and what comes after it is checked as before."""

import os
import signal
import sys
import time
import types

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from attn_checks.run import child as call

forked = pytest.mark.skipif(not call.can_fork(), reason="there is no process that could be harmed instead")


def catches_twice(x):
    while True:
        try:
            try:
                x = x + 1
            except:  # noqa: E722
                x = 0
        except BaseException:
            x = 1


class Raising:
    def __init__(self, error):
        self.error = error

    def __array__(self, *arguments, **options):
        raise self.error

    def __getattr__(self, name):
        raise self.error


class OwnError(BaseException):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__


def interrupts_itself(x):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    os.kill(os.getpid(), signal.SIGINT)


def raises(error):
    raise error


def calls_itself(x):
    return calls_itself(x)


HARMLESS = [  # these raise, wherever they run
    (lambda x: input("scores? "), "waits-for-input"),
    (lambda x: sys.exit(), "ends-python"),
    (lambda x: raises(OwnError()), "own-refusal"),
    (lambda x: raises(KeyboardInterrupt), "interrupted"),
    (lambda x: Raising(OwnError()), "not-numbers"),
    (calls_itself, "calls-itself"),
    (lambda x: np.ones((1000, 1000)), "too-large"),
]
HARMFUL = [
    (catches_twice, "endless-loop"),
    (lambda x: time.sleep(100), "endless-loop"),
    (lambda x: 10**10**8, "endless-loop"),
    (lambda x: np.zeros(10**9), "too-large"),
    (lambda x: os._exit(0), "ends-python"),
    (lambda x: os.kill(os.getpid(), signal.SIGKILL), "ends-python"),
    (interrupts_itself, "interrupted"),
    (lambda x: os.fork() and x, "forks"),
]


@pytest.mark.parametrize(("answer", "mistake"), HARMLESS)
@pytest.mark.parametrize("in_kernel", [pytest.param(False, marks=forked), True])
def test_an_answer_that_raises_anything_is_told(answer, mistake, in_kernel, monkeypatch):
    monkeypatch.setattr(call, "can_fork", lambda: not in_kernel)
    assert check.softmax(answer).mistake == mistake


@forked
@pytest.mark.parametrize(("answer", "mistake"), HARMFUL)
def test_harm_is_told_and_done_to_nobody(answer, mistake):
    feedback = check.softmax(answer)
    assert (feedback.status, feedback.mistake) == ("error", mistake), str(feedback)
    assert check.softmax(lambda x: attn.softmax(x - 1)).status == "passed"


@forked
def test_a_call_that_ends_the_child_costs_that_call_alone():
    def harms_at_0_and_3(x):
        return os._exit(0) if x == 0 else os.fork() if x == 3 else x

    with call.Caller(harms_at_0_and_3, 1) as caller:
        outcomes = [caller.outcome((1,)), *caller.outcomes([(0,), (2,)])]
        outcomes += [caller.outcome((3,)), caller.outcome((4,))]
    assert [outcome.harm for outcome in outcomes] == ["", "ends-python", "forks", ""]
    assert outcomes[3].values == (4,)


def test_an_interrupt_of_the_reader_s_ends_the_check(monkeypatch):
    """The Stop button: in the kernel the answer is interrupted, elsewhere the cell ends as any other."""

    def stop(*arguments):
        raise KeyboardInterrupt

    if call.can_fork():
        monkeypatch.setattr(call.Child, "lateness", stop)
        with pytest.raises(KeyboardInterrupt):
            check.softmax(catches_twice)
        monkeypatch.undo()
    monkeypatch.setattr(call, "can_fork", lambda: False)
    assert check.softmax(stop).mistake == "interrupted"


def replaces_numpy(x):
    np.exp = lambda x: x
    return np.exp(x)


def test_what_was_replaced_in_numpy_or_the_course_is_named(monkeypatch):
    monkeypatch.setattr(np, "exp", abs)
    feedback = check.softmax(lambda x: attn.softmax(x - 1))
    assert feedback.mistake == "replaced" and "`np.exp = …`" in feedback.message
    monkeypatch.undo()
    mine = types.FunctionType(attn.softmax.__code__, {"__name__": "__main__"})
    monkeypatch.setattr(attn, "softmax", mine)
    assert "`attn.softmax = …`" in check.attention(attn.scaled_dot_product_attention).message
    monkeypatch.undo()
    monkeypatch.setattr(call, "can_fork", lambda: False)
    exp = np.exp
    try:
        assert check.softmax(replaces_numpy).mistake == "replaced"
    finally:
        np.exp = exp


def closes_the_streams(x):
    sys.stdin = sys.stdout = sys.stderr = None
    return attn.softmax(x - 1)


def test_streams_are_put_back_in_the_kernel(in_kernel):
    before = sys.stdin, sys.stdout, sys.stderr
    assert check.softmax(closes_the_streams).status == "passed"
    assert (sys.stdin, sys.stdout, sys.stderr) == before


@forked
def test_a_matrix_that_takes_forever_to_make_is_told():
    nested = []
    nested.extend([nested] * 2)
    assert check.two_heads(nested).mistake == "not-numbers"
