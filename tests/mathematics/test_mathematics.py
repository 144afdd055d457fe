"""The mathematics on small cases that can be checked by hand, and at the edges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
attend = attn.scaled_dot_product_attention


def test_softmax_at_the_edges():
    far_apart = [[3e38, -3e38, 0], [-3e38, -3e38, -3e38]]
    one_or_thirds = [[1, 0, 0], [0.33333333, 0.33333333, 0.33333333]]
    columns = [[0.5, 0.25], [0.5, 0.75]]
    assert_allclose(attn.softmax(np.float32(far_apart)), one_or_thirds, rtol=1e-6)
    assert_allclose(attn.softmax([[0, 0], [0, np.log(3)]], axis=0), columns)
    assert_array_equal(attn.softmax([-np.inf, -np.inf]), [0, 0])
    assert_array_equal(attn.softmax([-np.inf, 1.0]), [0, 1])
    assert attn.softmax(np.empty((2, 0))).shape == (2, 0)
    assert np.isnan(attn.softmax([np.inf, 0.0])).all()


def test_masks():
    wide = [[1, 0, 0, 0], [1, 1, 0, 0]]
    later = [[1, 1, 1, 0], [1, 1, 1, 1]]
    padded = [[[0, 0, 0]], [[1, 1, 0]]]
    assert_array_equal(attn.causal_mask(2, 4), wide)
    assert_array_equal(attn.causal_mask(2, offset=2), later)
    assert attn.causal_mask(0).shape == (0, 0)
    assert attn.causal_mask(2).dtype == bool
    assert_array_equal(attn.padding_mask([0, 2], 3), padded)
    assert attn.padding_mask([[1], [2]], 3).shape == (2, 1, 1, 3)
    assert attn.padding_mask(2, 3).shape == (1, 3)


def test_float16_computes_in_float32():
    big = np.full((1, 64), 200, np.float16)  # q·k = 2,560,000 is more than float16 holds
    output, _ = attend(big, big, big)
    assert_array_equal(output, big)


def test_scores_that_overflow_only_before_scaling_do_no_harm():
    """1e19 · 1e19 · 4 is beyond float32, half of it, divided by √4, is not."""
    large = np.full((2, 4), 1e19, np.float32)
    with np.errstate(all="raise"):
        output, weights = attend(large[:1], large, np.float32([[1], [3]]))
    assert weights.tolist() == [[0.5, 0.5]]
    assert output.tolist() == [[2.0]]


def test_sequences_of_rows_and_of_nothing_are_arrays():
    assert attn.softmax(()).shape == (0,)
    zeros = np.zeros(2)
    assert attn.softmax((zeros, zeros)).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert attn.softmax([np.ones((2, 3))] * 2).shape == (2, 2, 3)
