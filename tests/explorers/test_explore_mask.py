"""The masks' explorer prints what masked softmax gives; the picture of the training questions shows where answers stand."""

import math
import re

import numpy as np
import pytest

import attn_helpers as attn
from explorers import matrices, moved, rounded, slider_of, texts

KINDS = ["none", "causal", "padding", "causal and padding"]


@pytest.mark.parametrize("where", ["before softmax", "after softmax"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("length", "padding"), [(1, 0), (1, 1), (4, 0), (4, 1), (6, 2), (12, 12)])
def test_prints_what_masked_softmax_gives(kind, length, padding, where):
    explorer = moved(attn.explore_mask(), kind=kind, length=length, padding=padding, where=where)
    _, X, W_Q, W_K, W_V = attn.load_example() if length == 4 else attn.load_example(length)
    X = np.concatenate([X[: length - padding], np.zeros((padding, X.shape[1]))])
    i, j = np.indices((length, length))
    allowed = ((j <= i) | ("causal" not in kind)) & ((j < length - padding) | ("padding" not in kind))
    early = where == "before softmax"
    output, weights = attn.self_attention(X, W_Q, W_K, W_V, allowed if early else None)
    scaled = (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1])
    assert matrices(explorer) == [
        rounded(allowed, allowed, 0),
        rounded(scaled, allowed if early else allowed | True, 1),
        rounded(weights, allowed, 2),
    ]
    if length == 4 and early:
        shown = texts(explorer)
        assert all(f"{value:.2f}" in shown for value in output.ravel())
    assert f"{int((~allowed).sum())} of {length * length} pairs blocked" in explorer.description
    empty = int((~allowed.any(axis=-1)).sum())
    assert (f"look at nothing: {empty}" in explorer.description) == bool(empty)


def test_opens_with_the_example_set_by_hand_and_says_where_numbers_are_random():
    explorer = attn.explore_mask()
    assert explorer.length.value == 4
    assert "Here: numbers set by hand." in explorer.description
    explorer.length.value = 5
    assert "Here: random numbers (seed 5)." in explorer.description
    assert ">random numbers (seed 5)<" in explorer.picture.value


def test_there_is_never_more_padding_than_tokens():
    explorer = moved(attn.explore_mask(), length=8, padding=7)
    explorer.length.value = 3
    assert explorer.padding.value == explorer.padding.max == 3
    explorer.length.value = 8
    assert explorer.padding.max == 8
    slider = slider_of(explorer, "padding")
    assert (slider.value, slider.max) == (3, 8)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_and_weights_have_their_colour_bars(kind):
    shown = texts(moved(attn.explore_mask(), kind=kind))
    assert "score" in shown and "weight" in shown
    assert shown.count("blocked") == (2 if "causal" in kind else 0)


def test_training_questions_mark_each_answer_one_cell_right_of_the_diagonal():
    picture = attn.plot_training_questions()
    (ax,) = picture.figure.axes
    place = {(round(t.get_position()[1]), t.get_position()[0]): t.get_text() for t in ax.texts}
    for i in range(4):
        for j in range(4):
            assert place[i, j] == ("read" if j <= i else "answer" if j == i + 1 else "later")
    assert [t.get_text() for t in ax.texts if "→" in t.get_text()] == ["→ chai?", "→ is?", "→ hot?", "→ so?"]
    assert re.findall(r"guess (\w+)", picture.alt)[1:] == ["chai", "is", "hot", "so"]
