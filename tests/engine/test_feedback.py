"""What is said around an answer: not attempted, an error at its line, an endless loop, which input is shown."""

import doctest
import importlib
import inspect
import pathlib
import re
import time

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn


def test_not_attempted_is_neutral():
    def stub(x):
        """Softmax."""
        ...

    for answer in (stub, ..., None):
        feedback = check.softmax(answer)
        assert (feedback.status, feedback.mistake) == ("not attempted", None)
        assert "wrong" not in feedback.message


def test_no_line_of_the_course_s_own_is_shown_as_the_learners():
    """Where the call itself fails there is no line of theirs, whatever the engine's files are called."""
    for name, exercise in check.EXERCISES.items():
        message = getattr(check, name)(lambda: 1).message
        assert "Your line" not in message and exercise.parameters[0] in message, message


def test_a_learners_file_may_have_any_name(tmp_path):
    """Frames are told apart by folder: a learner's own engine.py is theirs."""
    for name in ("engine.py", "attn_checks.py", "running.py"):
        path = tmp_path / name
        path.write_text("def softmax(x):\n    return x / nothing\n")
        space = {}
        exec(compile(path.read_text(), str(path), "exec"), space)
        assert "Your line: return x / nothing" in check.softmax(space["softmax"]).message


def test_an_error_inside_the_course_s_helpers_is_shown_at_the_line_that_called_them():
    def calls(x):
        return attn.softmax(x, axis=7)

    assert "Your line: return attn.softmax(x, axis=7)" in check.softmax(calls).message


def unwritten(Q, K, V, mask=None):
    """Attention, to be written."""
    ...


def test_a_helper_that_is_still_a_stub_is_named():
    for calls in (
        lambda X, Q, K, V: unwritten(X @ Q, X @ K, X @ V),
        lambda X, Q, K, V: unwritten(X, Q, K)[0],
    ):
        feedback = check.self_attention(calls)
        assert (feedback.status, feedback.mistake) == ("error", "calls-a-stub")
        assert "It calls unwritten" in feedback.message


def test_a_batch_is_shown_by_the_matrix_that_differs():
    """Small enough to work out by hand: the Q and K of that matrix, not the shapes alone."""

    def second_sentence_wrong(Q, K):
        right = Q @ K.swapaxes(-1, -2)
        if right.ndim == 3:
            right[1] += 1
        return right

    message = check.scores(second_sentence_wrong).message
    assert "at index 1 in front" in message
    assert re.search(r"Q\[1\] +K\[1\] +scores expected \(3, 4\) +scores, yours \(3, 4\)", message), message


def test_a_sentence_only_answer_is_told_apart_from_a_batch_only_one():
    feedback = check.scores(lambda Q, K: np.array([q @ k.T for q, k in zip(Q, K, strict=False)]))
    assert "It is right for a batch. This input is one sentence" in " ".join(feedback.message.split())


def test_what_differs_beyond_three_digits_is_shown_with_more_of_them():
    feedback = check.softmax_backward(lambda w, d: (w * d - w * (w * d).sum(-1)[..., None]) * 1.0003)
    assert "Every number is 1.0003 times as large" in feedback.message
    assert "-0.22588" in feedback.message and "-0.22595*" in feedback.message, str(feedback)


def test_of_two_mistakes_the_input_shown_is_one_where_the_first_matters():
    """`.T` harms batches only, so the sentence on which the late mask differs would contradict the text."""

    def both(Q, K, V, mask=None):
        weights = attn.softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
        weights = weights if mask is None else weights * mask
        return weights @ V, weights

    feedback = check.attention(both)
    assert feedback.mistake == "reversed-axes" and "two mistakes" in feedback.message
    assert "On inputs of shape" in feedback.message or "raised" in feedback.message, feedback.message


def test_numbers_too_small_to_differ_are_shown_as_zero():
    feedback = check.scores(lambda Q, K: np.full((*Q.shape[:-1], K.shape[-2]), 1e-12))
    assert "e-1" not in feedback.message and "0*" in feedback.message


def test_an_answer_that_forgets_return_is_no_stub():
    def forgets_return(weights, values):
        weights @ values

    assert check.weighted_mean(forgets_return).mistake == "returns-nothing"


def test_what_an_answer_prints_is_shown_beside_its_input():
    def prints(Q, K):
        print("shapes", Q.shape, K.shape)
        return Q @ K.swapaxes(-1, -2) + 1

    assert "It printed: shapes (2, 2) (2, 2)" in check.scores(prints).message


@pytest.mark.parametrize(
    "code",
    [
        "def fill():\n    return -1e9\ndef f(s, m): return np.where(m, s, fill())",  # a constant is no stub
        "def causal_mask(L):\n    ...\ndef f(s, m): return np.where(attn.causal_mask(4), s, 0)",  # not that one
    ],
)
def test_what_only_looks_like_a_stub_is_none(code):
    space = {"attn": attn, "np": np}
    exec(code, space)
    assert check.apply_mask(space["f"]).mistake != "calls-a-stub"


def test_not_a_function():
    assert check.softmax(np.ones(3)).mistake == "not-a-function"


def test_plain_text_and_html_say_the_same():
    feedback = check.softmax(lambda x: attn.softmax(x, axis=-2))
    bundle = feedback._repr_mimebundle_()
    assert bundle["text/plain"] == feedback.message == str(feedback)
    for line in feedback.lines:
        assert line in " ".join(feedback.message.split())
    assert (
        "<caption" in bundle["text/html"] and "0.731*" in bundle["text/html"] and "0.731*" in feedback.message
    )
    assert "normalised over the queries" in bundle["text/html"]
    assert "x - x.max" not in feedback.message  # never the solution


def test_require_raises_with_the_message_unless_passed():
    assert check.require("softmax", attn.softmax).status == "passed"
    for answer in (lambda x: attn.softmax(x, axis=-2), lambda x: x / 0 + nothing, ...):  # noqa: F821
        with pytest.raises(AssertionError) as raised:
            check.require("softmax", answer)
        assert str(raised.value) == check.softmax(answer).message
    with pytest.raises(KeyError, match="there are weighted_mean, scores"):
        check.require("softmaks", attn.softmax)


def test_help_says_what_a_checker_takes(capsys):
    for name, exercise in check.EXERCISES.items():
        checker = getattr(check, name)
        assert checker.__name__ == name and inspect.getdoc(checker).startswith("Check `f("), name
        signature = inspect.getdoc(checker).split("`")[1].removeprefix("f(").removesuffix(")")
        assert [part.split("=")[0] for part in signature.split(", ")] == list(exercise.parameters)
    help(check.softmax)
    assert "Check `f(x)` → softmax over the last axis" in capsys.readouterr().out


def test_a_check_is_quick():
    """In processor time, far above what a quiet machine needs: not the tenfold of it."""

    def attention(Q, K, V, mask=None):
        output, weights = attn.scaled_dot_product_attention(Q, K, V, mask)
        return 1.5 * output, weights

    for checker, answer, limit in (
        (check.softmax, lambda x: 2 * attn.softmax(x), 0.5),
        (check.attention, attention, 2.0),
    ):
        taken = []
        for _ in range(3):
            start = time.process_time()
            assert checker(answer).mistake is None
            taken.append(time.process_time() - start)
        assert min(taken) < limit, taken


MODULES = sorted(pathlib.Path(check.__file__).parent.rglob("[!_]*.py"))


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_examples_in_docstrings_run(path):
    parts = path.relative_to(pathlib.Path(check.__file__).parents[1]).with_suffix("").parts
    assert doctest.testmod(importlib.import_module(".".join(parts))).failed == 0
