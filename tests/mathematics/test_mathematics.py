"""The mathematics on small cases that can be checked by hand, and at the edges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
ONES = np.ones((2, 3))
attend = attn.scaled_dot_product_attention


def test_softmax_at_the_edges():
    x = np.array([[3e38, -3e38, 0], [-3e38, -3e38, -3e38]], dtype=np.float32)
    assert_allclose(attn.softmax(x), [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-6)
    assert_allclose(attn.softmax([[0, 0], [0, np.log(3)]], axis=0), [[0.5, 0.25], [0.5, 0.75]])
    assert_array_equal(attn.softmax([-np.inf, -np.inf]), [0, 0])
    assert_array_equal(attn.softmax([-np.inf, 1.0]), [0, 1])
    assert attn.softmax(np.empty((2, 0))).shape == (2, 0)
    assert np.isnan(attn.softmax([np.inf, 0.0])).all()


def test_masks():
    assert_array_equal(attn.causal_mask(2, 4), [[1, 0, 0, 0], [1, 1, 0, 0]])
    assert_array_equal(attn.causal_mask(2, offset=2), [[1, 1, 1, 0], [1, 1, 1, 1]])
    assert attn.causal_mask(0).shape == (0, 0)
    assert attn.causal_mask(2).dtype == bool
    assert_array_equal(attn.padding_mask([0, 2], 3), [[[0, 0, 0]], [[1, 1, 0]]])
    assert attn.padding_mask(np.array([[1], [2]]), 3).shape == (2, 1, 1, 3)
    assert attn.padding_mask(2, 3).shape == (1, 3)


def test_float16_computes_in_float32():
    big = np.full((1, 64), 200, dtype=np.float16)  # q·k = 2,560,000 is more than float16 holds
    output, weights = attend(big, big, big)
    assert np.isfinite(output).all()
    assert weights.dtype == np.float16


def test_entropy_is_never_negative():
    assert attn.entropy([1.005, 0.0]) == 0


def test_scores_that_overflow_only_before_scaling_do_no_harm():
    """1e19 · 1e19 · 4 is beyond float32, half of it, divided by √4, is not."""
    large = np.full((2, 4), 1e19, np.float32)
    with np.errstate(all="raise"):
        output, weights = attend(large[:1], large, np.float32([[1], [3]]))
    assert weights.tolist() == [[0.5, 0.5]]
    assert output.tolist() == [[2.0]]


def test_numpy_s_strict_mode_is_no_trouble():
    with np.errstate(all="raise"):
        for scores in ([0.0, -1000.0], np.float16([0, -30])):
            assert attn.softmax(scores).tolist() == [1, 0]
        assert attend(*[np.float16([[1e-7], [0]])] * 3)[0].dtype == np.float16
        far = attend([[1.0]], [[0.0], [-1000.0]], [[1e-300], [1e-300]])
        arrays = map(np.float32, ([[1e30]], [[1e30], [1e-30]], [[1], [2]]))
        blocked = attend(*arrays, [[False, True]])
    assert far[0].tolist() == [[1e-300]]
    assert blocked[0].tolist() == [[2.0]]


def test_sequences_of_rows_and_of_nothing_are_arrays():
    assert attn.softmax(()).shape == (0,)
    assert attn.softmax((np.zeros(2), np.zeros(2))).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert attn.softmax([ONES, ONES]).shape == (2, 2, 3)
