"""Heads: the picture prints the weights and outputs that the helper gives for this cut, and says which head has what."""

import numpy as np
import pytest

import attn_helpers as attn
from explorers import matrices, moved

_, X, W_Q, W_K, W_V = attn.load_example()


@pytest.mark.parametrize(("heads", "head"), [(1, 0), (2, 0), (2, 1), (4, 0), (4, 3)])
def test_weights_and_outputs_are_those_of_the_helper(heads, head):
    explorer = moved(attn.explore_heads(), heads=heads, head=head)
    output, weights = attn.multi_head_attention(
        X, X, X, W_Q, W_K, np.hstack([W_V, W_V]), np.eye(4), n_heads=heads
    )
    *cards, seen, out = (np.reshape(numbers, (4, 4)) for numbers in matrices(explorer))
    for card, W in zip(cards, (W_Q, W_K, np.hstack([W_V, W_V])), strict=True):
        np.testing.assert_array_equal(card, X @ W)
    np.testing.assert_allclose(seen, weights[head], atol=0.0051)
    np.testing.assert_allclose(out, output, atol=0.0051)


def test_fewer_heads_leave_no_head_that_is_not_there():
    explorer = moved(attn.explore_heads(), head=3, heads=2)
    assert explorer.head.value == 1 and "2 heads, each 2 columns wide. Head 1" in explorer.description


def test_the_undecided_word_holds_the_middle_in_one_head_and_both_in_four():
    explorer = attn.explore_heads()
    assert "holds 3.79, 3.81" in explorer.description
    explorer.heads.value = 1
    assert "1 head, 4 columns wide" in explorer.description and "holds 1.76, 2.20" in explorer.description


def test_the_stripes_are_the_embeddings_on_a_scale_from_minus_1_to_1():
    embeddings = np.cos(np.arange(12).reshape(4, 3))
    picture = attn.plot_places(embeddings)
    image = picture.figure.axes[0].images[0]
    np.testing.assert_array_equal(image.get_array(), embeddings.T)
    assert image.get_clim() == (-1, 1) and "4 places, 3 numbers each" in picture.alt


def test_the_way_through_two_heads_keeps_every_column_in_its_colour():
    """Columns dealt out, and side by side again: as many cells of each head's colour before, between and after."""
    axes = attn.plot_heads().figure.axes[0]
    cells = [(patch.get_x(), patch.get_facecolor()) for patch in axes.patches if hasattr(patch, "get_xy")]
    for low, high in ((0, 3), (4, 6), (10, 13)):
        colors = [color for x, color in cells if low < x < high]
        assert sorted(map(colors.count, set(colors))) == [8, 8]
