"""Lesson 04's picture: scores, shares, and the moves of all shares when one score is pushed."""

import re

import numpy as np
import pytest

import attn_helpers as attn
from attn_parts.formatting import gives
from explorers import moved, texts


@pytest.mark.parametrize("score", [-20, -1, 1.5, 6, 20])
@pytest.mark.parametrize("temperature", [0.05, 0.7, 1, 20])
def test_prints_shares_and_measured_moves(score, temperature):
    explorer = moved(attn.explore_softmax(), score=score, temperature=temperature)
    scores = np.array([1, 2, 0.5, -1, score]) / temperature
    shares = attn.softmax(scores)
    nudge = 1e-6
    moves = (attn.softmax(scores + [0, 0, 0, 0, nudge]) - shares) / nudge
    found = texts(explorer)
    for value in [*shares, *moves]:
        near = [f"{value + off:.2f}".replace("-0.00", "0.00") for off in (-1e-5, 0, 1e-5)]
        assert any(text in found for text in near), value
    assert f"largest share {shares.max():.3f}" in explorer.description
    assert f"p(1 − p) = {moves[-1]:.3f}" in explorer.description


def test_without_the_subtraction_it_overflows_and_says_so():
    explorer = moved(attn.explore_softmax(), score=20, temperature=0.05, subtract_max=False)
    assert "overflows float32" in explorer.description and "88.72" in explorer.description
    assert "nan" in texts(explorer)
    explorer.subtract_max.value = True
    assert "largest share 1.000" in explorer.description


@pytest.mark.parametrize("score", [-20, 1.5, 2.5, 20])
def test_the_point_stands_on_the_curve(score):
    explorer = moved(attn.explore_softmax(), score=score)
    share = attn.softmax([1, 2, 0.5, -1, score])[-1]
    ((x, y),) = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="10" height="10"', explorer._svg)
    assert float(x) + 5 == pytest.approx(800 + 180 * share, abs=0.6)
    assert float(y) + 5 == pytest.approx(240 - 180 * share * (1 - share) / 0.3, abs=0.6)


@pytest.mark.parametrize("place", range(-13, 14, 2))
def test_the_rate_is_what_the_printed_share_gives(place):
    draw = attn.explore_softmax().draw
    for score in np.arange(-20, 20.5, 0.5):
        _, told = draw(score, 10 ** (place / 10), True)
        p, rate = re.search(r"p = ([\d.]+): .* = ([\d.]+), and", told).groups()
        assert gives(float(p) * (1 - float(p)), rate), told
