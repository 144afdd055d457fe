"""Laws of attention, on inputs that hypothesis makes up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn
from made_up import inputs

attend = attn.scaled_dot_product_attention


@given(
    inputs([np.float64], sizes=[0.1, 1.0, 30.0, 3e4]),
    st.sampled_from([0.2, 0.8]),
    st.booleans(),
)
def test_rows_sum_to_one_or_to_zero(arrays, share, as_float):
    """With a mask of either kind; rows without a key give zeros, and the inputs stay as they are."""
    query, key, _ = arrays
    rng = np.random.default_rng(7)
    allowed = rng.random((query.shape[-2], key.shape[-2])) < share
    mask = np.where(allowed, 0.5, -np.inf) if as_float else allowed
    before = [array.copy() for array in (*arrays, mask)]
    output, weights = attend(*arrays, mask)
    seeing = allowed.any(axis=-1)
    sums = weights.sum(axis=-1)
    assert np.isfinite(output).all()
    assert_allclose(sums, np.broadcast_to(seeing, sums.shape), atol=1e-12)
    assert (weights >= 0).all()
    assert not weights[..., ~allowed].any()
    assert not output[..., ~seeing, :].any()
    assert all(map(np.array_equal, [*arrays, mask], before))


@given(
    st.booleans(),
    st.sampled_from([np.nan, np.inf, -np.inf]),
    st.integers(0, 2**32),
)
def test_a_key_and_its_value_reach_only_those_who_may_look(as_float, rubbish, seed):
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((3, 4))
    key, value = rng.standard_normal((2, 5, 4))
    mask = rng.random((3, 5)) < 0.5
    given_mask = np.where(mask, 0.0, -np.inf) if as_float else mask
    clean, _ = attend(query, key, value, given_mask)
    value[2] = rubbish
    reached, _ = attend(query, key, value, given_mask)
    may = mask[:, 2]
    assert_array_equal(reached[may], np.full_like(clean[may], rubbish))
    assert_array_equal(reached[~may], clean[~may])
    key[2] = rubbish
    reached, _ = attend(query, key, value, given_mask)
    assert_array_equal(reached[~may], clean[~may])


@given(
    arrays(np.float64, (3, 4), elements=st.floats(-50, 50, width=32)),
    st.floats(-1e6, 1e6),
)
def test_softmax_ignores_a_shift_and_sums_to_one(x, shift):
    shares = attn.softmax(x)
    assert_allclose(shares.sum(axis=-1), 1)
    assert_allclose(attn.softmax(x + shift), shares, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.uint8])
def test_floats_keep_their_dtype_and_whole_numbers_become_float64(dtype):
    x = np.array([[1, 2], [3, 4]], dtype)
    weights = np.array([[1, 0], [0, 1]], dtype)
    zeros = np.zeros(2, int)
    results = [
        attn.softmax(x),
        *attend(x, x, x),
        *attn.self_attention(x, x, x, x),
        attn.split_heads(x, 2),
        attn.merge_heads(x[None]),
        *attn.multi_head_attention(x, x, x, x, x, x, x, 2),
        attn.cross_entropy(x, zeros)[1],
        attn.softmax_backward(weights, x),
        *attn.attention_backward(x, x, x, weights, x),
    ]
    is_float = np.issubdtype(dtype, np.floating)
    expected = np.dtype(dtype if is_float else np.float64)
    for result in results:
        assert result.dtype == expected
