"""What is said of wrong numbers without a name, and of exceptions: something that is true of this very answer."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from answers import attention


def shares(x):
    return attn.softmax(x)


def scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


UNNAMED = [
    ("scores", lambda Q, K: 1.5 * scores(Q, K) * (1 + 0 * Q[..., :1]), "Every number is 1.5 times as large"),
    ("scores", lambda Q, K: scores(Q, K) + 2, "Every number is 2 too large."),
    ("scores", lambda Q, K: np.abs(scores(Q, K)), "Every number has lost its sign"),
    ("scores", lambda Q, K: np.maximum(scores(Q, K), 0), "Negative numbers have become 0"),
    ("scores", lambda Q, K: scores(Q, K)[..., ::-1], "each row runs backwards"),
    ("scores", lambda Q, K: scores(Q, K) + np.arange(K.shape[-2]), "Right in column 0, wrong in column 1"),
    ("scores", lambda Q, K: scores(Q, Q[..., :1, :]) + 0 * scores(Q, K), "the same whatever K is"),
    (
        "scores",
        lambda Q, K: scores(Q, K)[None],
        "Yours has an axis of length 1 too many. Its numbers are right.",
    ),
    (
        "softmax",
        lambda x: shares(x) * 0.9,
        "Row 0 sums to 0.9, and should to 1; within the row the proportions",
    ),
    ("softmax", lambda x: shares(x * 2), "too far apart: as if all scores had been multiplied by 2."),
    ("softmax", lambda x: (shares(x) + 1 / x.shape[-1]) / 2, "The rows sum to 1"),
    ("softmax", lambda x: np.where(shares(x) < 1e-3, 0, shares(x)), "sums to"),
    ("softmax_backward", lambda w, d: attn.softmax_backward(shares(w), d), "Row 0, column 0 is"),
    ("split_heads", lambda X, n: X.swapaxes(0, 1).reshape(n, len(X), -1), "stand in other cells"),
    ("previous_token_share", lambda w: np.diag(w, -1).mean() / 2, "Every number is 0.5 times as large"),
    ("multi_head", lambda X, *W: check.EXERCISES["multi_head"].right(X, *W) + X, "with X added to it"),
    (
        "causal_mask",
        lambda L: np.tri(L, dtype=bool) & (np.arange(L) < 4),
        "Nothing is visible that should not be",
    ),
    ("attention", lambda Q, K, V, m=None: attention()(Q / 2, K, V, m), "the weights go wrong first"),
    ("attention", lambda Q, K, V, m=None: attention()(Q, K, V + 1, m), "Right: weights. Not right: output."),
]


@pytest.mark.parametrize("made", [lambda want, Q: Q, lambda want, Q: want + Q])
def test_an_input_that_comes_back_on_some_inputs_only_is_no_relation(made):
    """It must be so wherever the answer is wrong, not on the input shown alone."""
    sometimes = lambda Q, K: made(scores(Q, K), Q) if Q.shape == (2, 2) else scores(Q, K) ** 2 + 1  # noqa: E731
    assert "Q as it came in" in check.scores(lambda Q, K: Q).message
    for says in ("as it came in", "added to it"):
        assert says not in check.scores(sometimes).message


@pytest.mark.parametrize(("name", "answer", "says"), UNNAMED)
def test_what_is_true_of_wrong_numbers_is_said(name, answer, says):
    feedback = getattr(check, name)(answer)
    assert feedback.status == "incorrect" and says in " ".join(feedback.message.split()), str(feedback)


def appends(weights, tokens):
    found = []
    for row in weights:
        found = found.append(tokens[row.argmax()])
    return found


def total_without_a_start(weights):
    for i in range(1, len(weights)):
        total += weights[i, i - 1]  # noqa: F821, F841
    return total


def refuses(L, w):
    assert w <= L
    return np.tri(L, dtype=bool) & ~np.tri(L, k=-w, dtype=bool)


RAISING = [
    (
        "softmax",
        lambda x: np.exp(x) / np.exp(x).sum(-1, True),
        "unnamed-argument",
        "Give keepdims by its name",
    ),
    ("scores", lambda Q, K: Q @ K.swapaxes, "no-matrix", "a method without its round brackets"),
    ("scores", lambda Q, K: Q @ K.T(), "brackets", ".T and .shape take none"),
    ("scores", lambda Q, K: Q @ K.swapaxes(...), "leftover-dots", "There is a ... in that line"),
    ("scores", lambda Q, K: Q + ..., "leftover-dots", "There is a ... in that line"),
    ("most_attended", appends, "append-gives-none", "append lengthens the list itself"),
    (
        "previous_token_share",
        total_without_a_start,
        "unbound-name",
        "In its first round total has no value yet",
    ),
    ("split_heads", lambda X, n: X.reshape(-1, n, -1), "two-unknown-sizes", "write one of them out"),
    ("next_output", lambda q, k, v, K, V: np.concatenate([K, k]), "joined-unlike", "a single row has one"),
    (
        "next_output",
        lambda q, k, v, K, V: attn.scaled_dot_product_attention(q, K, V),
        "refused-by-the-course",
        "query[None, :]",
    ),
    ("window_mask", refuses, "own-refusal", "your own line that refuses this input"),
    (
        "window_mask",
        lambda L, w: np.tri(L, dtype=bool) - np.tri(L, dtype=bool),
        "minus-of-booleans",
        "no minus",
    ),
    ("online_softmax", lambda chunks: max(chunks), "truth-of-an-array", "compare whole arrays"),
    (
        "split_heads",
        lambda X, n: X.reshape(len(X), n, X.shape[1] / n),
        "whole-number-wanted",
        "// a whole one",
    ),
    ("causal_mask", lambda L: bool(np.tril(np.ones((L, L)))), "truth-of-an-array", "L = 3"),
]


def test_a_list_in_place_of_an_array_passes_and_is_told():
    feedback = check.causal_mask(lambda L: np.tri(L, dtype=bool).tolist())
    assert feedback.status == "passed" and "np.array(...) makes one" in " ".join(feedback.message.split())


@pytest.mark.parametrize(("name", "answer", "mistake", "says"), RAISING)
def test_an_exception_is_explained_by_what_the_line_holds(name, answer, mistake, says):
    feedback = getattr(check, name)(answer)
    assert (feedback.status, feedback.mistake) == ("error", mistake), str(feedback)
    assert says in " ".join(feedback.message.split()), str(feedback)


@pytest.mark.parametrize(
    ("name", "answer", "says"),
    [
        ("most_attended", lambda w, t: {t[0]}, "Expected text in a list, got an object of type set"),
        ("score_divisor", lambda d, q, k: "6", "Expected one number, got an object of type str."),
        ("causal_mask", lambda L: [["True"] * L] * L, "Expected True and False"),
        ("honest_heatmap", lambda w, m: (np.where(m, w, None), 0, 1), "cells is an array of object"),
        ("softmax", lambda x: [..., 1], "got an object of type list that holds ..."),
    ],
)
def test_what_came_in_place_of_numbers_is_named(name, answer, says):
    message = " ".join(getattr(check, name)(answer).message.split())
    assert says in message, message


ODD = {
    "complex": lambda a: a + 1j,
    "boolean": lambda a: a > 0,
    "infinite": lambda a: np.full(a.shape, -np.inf),
    "nothing": lambda a: np.zeros(a.shape),
    "text": lambda a: np.full(a.shape, "x"),
    "half precision": lambda a: (a + 1).astype(np.float16),
    "an axis in front": lambda a: a[None],
    "one row": lambda a: a[:1] if a.ndim else a,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", ["softmax", "attention", "causal_mask", "score_divisor", "next_output"])
def test_whatever_comes_back_is_told(name, odd):
    """No dtype and no shape is too odd to be told about."""
    right = check.EXERCISES[name].right

    def answer(*given):
        results = right(*given)
        made = [ODD[odd](np.asarray(a)) for a in (results if isinstance(results, tuple) else (results,))]
        return tuple(made) if len(made) > 1 else made[0]

    assert getattr(check, name)(answer).status in ("incorrect", "passed")
