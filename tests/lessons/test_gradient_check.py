"""Lesson 09's judge: right gradients agree, wrong ones are named by place, and a wrong slope judges nothing."""

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson09._gradient_check import run_lines


@pytest.fixture
def gradients():
    """The gradient at every array of the head, by the lines that readers write."""
    head = run_lines()
    X, asks, K, V, weights = head["X"], head["X"][-1:], head["K"], head["V"], head["weights"]
    d_logits = attn.softmax(head["logits"]) - np.eye(5)[:1]
    d_output = d_logits @ head["W_O"].T
    d_weights = d_output @ V.T
    d_scaled = attn.softmax_backward(weights, d_weights)
    d_Q, d_K, d_V = attn.attention_backward(head["Q"], K, V, weights, d_output)
    d_X = d_K @ head["W_K"].T + d_V @ head["W_V"].T
    d_X[-1:] += d_Q @ head["W_Q"].T
    return {
        "d_logits": d_logits,
        "d_output": d_output,
        "d_weights": d_weights,
        "d_scaled": d_scaled,
        "d_scores": d_scaled / np.sqrt(8),
        "d_Q": d_Q,
        "d_K": d_K,
        "d_V": d_V,
        "d_W_Q": asks.T @ d_Q,
        "d_W_K": X.T @ d_K,
        "d_W_V": X.T @ d_V,
        "d_W_O": head["output"].T @ d_logits,
        "d_X": d_X,
    }


def test_right_gradients_agree(gradients, capsys):
    attn.check_head(**gradients)
    assert capsys.readouterr().out.splitlines() == [
        f"{name} agrees with finite differences." for name in gradients
    ]


def test_what_is_wrong_is_said(gradients, capsys):
    attn.check_head(d_K=gradients["d_K"].T, d_Q=-gradients["d_Q"], d_V=...)
    shape, sign, blank = capsys.readouterr().out.splitlines()
    assert shape == "d_K has the shape (8, 7), but K has (7, 8)."
    assert sign == "d_Q differs, most in row 0, column 3: yours 0.286, measured -0.286."
    assert blank == "d_V isn't filled in yet."


def test_only_a_slope_that_is_right_for_a_square_measures(capsys):
    def squares(x):
        return (x**2).sum()

    for slope, told in (
        (lambda loss, x, place: None, "isn't written yet"),
        (lambda loss, x, place: loss(x), "at x = 3, yours gives 9 for x², not 6"),
    ):
        assert attn.finite_differences(squares, [1.0, 2.0], slope).round(6).tolist() == [2, 4]
        assert told in capsys.readouterr().out


def test_an_unknown_gradient_is_refused():
    with pytest.raises(ValueError, match="the head has no d_loss; there are d_X, d_W_Q"):
        attn.check_head(d_loss=0)
