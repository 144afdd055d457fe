"""Lesson 02: its explorer keeps one scale on both sides, and its pictures say the numbers that they draw."""

import re

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson02.explorer import random_scores
from explorers import moved, texts


@pytest.mark.parametrize(("d_k", "length"), [(1, 2), (64, 16), (1024, 64)])
def test_both_histograms_and_both_rows_of_weights_have_an_axis_from_0_to_1(d_k, length):
    words = texts(moved(attn.explore_scaling(), d_k=d_k, length=length))
    assert words.count("1") >= 4 and words.count("0.5") >= 4
    assert sum("share in each bar" in word for word in words) == 2
    assert sum(word == "score" for word in words) == 2
    assert "random numbers (seed 0)" in words


def test_bars_of_equal_height_are_equal_shares():
    """At d_k = 1 both sides are the same scores, so the same bars."""
    explorer = moved(attn.explore_scaling(), d_k=1)
    tall = [float(h) for h in re.findall(r'<rect [^>]*height="([\d.e-]+)" fill="#', explorer._svg)]
    assert len(tall) % 2 == 0 and tall[: len(tall) // 2] == tall[len(tall) // 2 :]


@pytest.mark.parametrize("d_k", [1, 16, 100, 1024])
def test_it_reads_out_what_the_scores_measure(d_k):
    lines, scores = texts(moved(attn.explore_scaling(), d_k=d_k)), random_scores(d_k, 16, 0)
    for matrix in (scores, scores / np.sqrt(d_k)):
        largest = attn.softmax(matrix).max(axis=-1).mean()
        assert f"standard deviation of the scores: {matrix.std():.2f}" in lines
        assert f"mean over 200 queries: largest weight {largest:.2f}" in lines
    assert abs(scores.std() / np.sqrt(d_k) - 1) < (0.25 if d_k == 1 else 0.1)  # one draw of 16 keys


def test_pictures_say_the_numbers_that_they_draw():
    shares = attn.plot_shares([[0.25, 0.75], [0, 1]], ["one", "two"], ["The", "hot"])
    assert shares.alt == "Shares as bars. one: The 0.25, hot 0.75; two: The 0.00, hot 1.00."
    width = attn.plot_against_width([1, 4, 16], [(1, 0.1), (2, 0.3), (4, 0.58)], [(1, 0.1)] * 3)
    assert "raw 1.00 to 4.00, scaled 1.00 to 1.00" in width.alt and "raw 0.10 to 0.58" in width.alt
    nudges = attn.plot_nudges(
        [1, 4], [(0, 0.1, 0.2), (0, 0.3, 0.9)], [(0.03, 0.04, 0.05)] * 2, [(0, 0.002, 1)] * 2
    )
    assert "at 4 0.300 (0.000 to 0.900)" in nudges.alt and "at 4 0.040 (0.030 to 0.050)" in nudges.alt
    assert "too flat: QKᵀ/d_k: at 1 0.002 (0.000 to 1.000)" in nudges.alt


def test_raw_and_scaled_share_their_axes():
    width = attn.plot_against_width([1, 4], [(1, 0.1), (2, 0.3)], [(1, 0.1)] * 2)
    for ax in width.figure.axes:
        assert {"raw: QKᵀ", "scaled: QKᵀ/√d_k"} <= {line.get_label() for line in ax.lines}
        assert ax.get_xscale() == "log" and ax.get_xlabel()
    nudges = attn.plot_nudges([1, 4], *[[(0, 0.1, 0.2)] * 2] * 3)
    assert all(np.allclose(ax.get_ylim(), (0, 1)) for ax in nudges.figure.axes)
