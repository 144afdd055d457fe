"""Lesson 09's judge: right gradients agree, wrong ones are named by place, a wrong slope judges nothing."""

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson09._gradient_check import run_lines


@pytest.fixture
def gradients():
    """The first four on the way back, by the lines that readers write."""
    head = run_lines()
    d_logits = attn.softmax(head["logits"]) - np.eye(5)[:1]
    d_output = d_logits @ head["W_O"].T
    d_weights = d_output @ head["V"].T
    d_V = head["weights"].T @ d_output
    return {
        "d_logits": d_logits,
        "d_output": d_output,
        "d_weights": d_weights,
        "d_V": d_V,
    }


def test_right_gradients_agree(gradients, capsys):
    attn.check_head(**gradients)
    told = capsys.readouterr().out.splitlines()
    assert told == [f"{name} agrees with finite differences." for name in gradients]


def test_what_is_wrong_is_said(gradients, capsys):
    attn.check_head(d_V=gradients["d_V"].T, d_output=-gradients["d_output"], d_Q=...)
    shape, sign, blank = capsys.readouterr().out.splitlines()
    assert shape == "d_V has the shape (8, 7), but V has (7, 8)."
    assert sign == "d_output differs, most in row 0, column 4: yours -2.115, measured 2.115."
    assert blank == "d_Q isn't filled in yet."


@pytest.mark.parametrize(
    ("slope", "told"),
    [
        (lambda loss, x, place: None, "isn't written yet"),
        (lambda loss, x, place: loss(x), "at x = 3, yours gives 9 for x², not 6"),
    ],
)
def test_only_a_slope_that_is_right_for_a_square_measures(slope, told, capsys):
    assert attn.finite_differences(
        lambda x: (x**2).sum(),
        [1.0, 2.0],
        slope,
    ).round(6).tolist() == [2, 4]
    assert told in capsys.readouterr().out


def test_an_unknown_gradient_is_refused():
    with pytest.raises(ValueError, match="the head has no d_loss; there are d_X, d_W_Q"):
        attn.check_head(d_loss=0)
