"""What is said around an answer: not attempted, its line, its input; what never is, and how long it takes."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn


def stub(x):
    """Softmax."""
    ...


@pytest.mark.parametrize("answer", [stub, ..., None])
def test_not_attempted_is_neutral(answer):
    feedback = check.softmax(answer)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert "wrong" not in feedback.message


def test_no_line_of_the_course_s_own_is_shown_as_the_learners(in_kernel):
    """Where the call itself fails there is no line of theirs, whatever the engine's files are called."""
    for name, exercise in check.EXERCISES.items():
        message = getattr(check, name)(lambda: 1).message
        assert "Your line" not in message and exercise.parameters[0] in message, message


@pytest.mark.parametrize("name", ["call.py", "attn_checks.py"])
def test_a_learners_file_may_have_any_name(tmp_path, name):
    """Frames are told apart by folder: a learner's own call.py is theirs."""
    path = tmp_path / name
    space = {}
    path.write_text("def softmax(x):\n    return x / nothing\n")
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert "Your line: return x / nothing" in check.softmax(space["softmax"]).message


@pytest.mark.parametrize(
    ("name", "code", "is_named"),
    [
        ("self_attention", "def g(Q, K, V): ...\ndef f(X, Q, K, V): return g(X @ Q, X @ K, X @ V)", True),
        ("self_attention", "def g(X, Q, K): ...\ndef f(X, Q, K, V): return g(X, Q, K)[0]", True),
        ("apply_mask", "def g(): return -1e9\ndef f(s, m): return np.where(m, s, g())", False),
        ("apply_mask", "def tri(L): ...\ndef f(s, m): return np.where(np.tri(4), s, 0)", False),
    ],
)
def test_a_helper_that_is_still_a_stub_is_named(name, code, is_named):
    space = {"np": np}
    exec(code, space)
    feedback = getattr(check, name)(space["f"])
    assert (feedback.mistake == "calls-a-stub") == is_named == ("calls g," in feedback.message)


def test_not_a_function():
    assert check.softmax(np.ones(3)).mistake == "not-a-function"


def test_a_check_that_fails_itself_says_so(monkeypatch):
    monkeypatch.setattr("attn_checks.check.by_answers", lambda *given: {}["odd"])
    feedback = check.softmax(attn.softmax)
    assert (feedback.status, feedback.mistake) == ("error", "check-failed")
    assert "KeyError: 'odd' (<lambda>, line " in feedback.lines[0] and "report it" in feedback.lines[0]


def test_plain_text_and_html_say_the_same():
    feedback = check.softmax(lambda x: attn.softmax(x, axis=-2))
    bundle = feedback._repr_mimebundle_()
    assert bundle["text/plain"] == feedback.message == str(feedback)
    assert all(line in " ".join(feedback.message.split()) for line in feedback.lines)
    for text in ("0.731*", "normalised over the queries", "A * marks each wrong cell."):
        assert text in bundle["text/html"] and text in feedback.message
    assert "<caption" in bundle["text/html"]
    assert '<a href="04_softmax.ipynb#Spot-the-bug">lesson 04, Spot the bug</a>' in bundle["text/html"]
    assert "x - x.max" not in feedback.message  # never the solution


def test_one_matrix_of_several_is_called_so():
    every_pair = check.scores(lambda Q, K: np.dot(Q, K.swapaxes(-1, -2)))
    one_sentence = check.split_heads(lambda X, n: np.swapaxes(X.reshape(*X.shape[:-1], n, -1), 0, 1))
    heads_first = check.split_heads(lambda X, n: np.moveaxis(attn.split_heads(X, n), -3, 0))
    for feedback in (every_pair, one_sentence):
        assert ". Only the first matrix of each array is shown:" in feedback.message
    assert ". Only matrix [0, 1] is shown:" in heads_first.message


def test_require_raises_with_the_message_unless_passed():
    assert check.require("softmax", lambda x: attn.softmax(x - 1)).status == "passed"
    for answer in (
        lambda x: attn.softmax(x, axis=-2),
        lambda x: x / 0 + nothing,  # noqa: F821
        ...,
    ):
        with pytest.raises(AssertionError) as raised:
            check.require("softmax", answer)
        assert str(raised.value) == check.softmax(answer).message
    with pytest.raises(KeyError, match="there are weighted_mean, scores"):
        check.require("softmaks", attn.softmax)
