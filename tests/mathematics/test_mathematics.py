"""The mathematics on small cases that can be checked by hand, and at the edges."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import attn_helpers as attn

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
attend = attn.scaled_dot_product_attention


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-np.inf, -np.inf], [0, 0]),
        ([np.inf, 0.0], [np.nan, np.nan]),
        ([[], []], [[], []]),
        (np.float32([3e38, -3e38, 0]), [1, 0, 0]),
        (np.float32([-3e38, -3e38]), [0.5, 0.5]),
        ((np.zeros(2), np.zeros(2)), [[0.5, 0.5], [0.5, 0.5]]),
    ],
)
def test_softmax_at_the_edges(scores, expected):
    assert_array_equal(attn.softmax(scores), expected)


def test_masks():
    wide = [[1, 0, 0, 0], [1, 1, 0, 0]]
    later = [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert_array_equal(attn.causal_mask(2, 4), wide)
    assert_array_equal(attn.causal_mask(2, offset=2), later)
    assert attn.causal_mask(0).shape == (0, 0)
    assert attn.padding_mask([[1], [2]], 3).shape == (2, 1, 1, 3)
    assert attn.padding_mask(2, 3).shape == (1, 3)


def test_float16_computes_in_float32():
    big = np.full((1, 64), 200, np.float16)  # q·k = 2,560,000 is more than float16 holds
    output, _ = attend(big, big, big)
    assert_array_equal(output, big)


def test_scores_that_overflow_only_before_scaling_do_no_harm():
    """1e19 · 1e19 · 4 is beyond float32, half of it, divided by √4, is not."""
    large = np.full((2, 4), 1e19, np.float32)
    value = np.float32([[1], [3]])
    with np.errstate(all="raise"):
        output, weights = attend(large[:1], large, value)
    assert weights.tolist() == [[0.5, 0.5]]
    assert output.tolist() == [[2.0]]
