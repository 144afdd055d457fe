"""Attention in blocks of rows against the plain function, its memory, windows and the cache."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn
from made_up import inputs

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
attend = attn.scaled_dot_product_attention


@given(
    inputs([np.float16, np.float32, np.float64, np.int64], sizes=[3]),
    st.booleans(),
    st.integers(1, 9),
)
def test_blocks_agree_with_the_plain_function(arrays, causal, block):
    got = attn.tiled_attention(*arrays, causal=causal, block=block)
    query, key, _ = arrays
    mask = attn.causal_mask(query.shape[-2], key.shape[-2]) if causal else None
    plain, _ = attend(*arrays, mask)
    assert got.shape == plain.shape
    assert got.dtype == plain.dtype
    tolerance = {"e": 2e-2, "f": 1e-5, "d": 1e-12}[got.dtype.char]
    assert_allclose(got, plain, rtol=tolerance, atol=tolerance)


def test_it_holds_no_square_matrix():
    arrays = np.random.default_rng(2).standard_normal((3, 1024, 2), dtype=np.float32)
    tracemalloc.start()
    attn.tiled_attention(*arrays, causal=True, block=16)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1024**2


def test_a_window_longer_than_the_text_is_the_causal_mask():
    assert_array_equal(attn.window_mask(5, 9), attn.causal_mask(5))


def test_token_by_token_with_a_cache_is_all_at_once():
    Q, K, V = np.random.default_rng(4).standard_normal((3, 2, 9, 4))
    together, _ = attend(Q, K, V, attn.causal_mask(9))
    cache = attn.KVCache()
    parts = []
    for first, last in ((0, 4), (4, 5), (5, 7), (7, 9)):
        mask = attn.causal_mask(last - first, offset=cache.length)
        keys, values = cache.append(K[:, first:last], V[:, first:last])
        parts.append(attend(Q[:, first:last], keys, values, mask)[0])
    assert_allclose(np.concatenate(parts, axis=1), together)


def test_the_cache_keeps_the_wider_dtype_and_what_it_returned():
    """Wide, narrow, wide, token by token: nothing is rounded, though arrays grow and change their type."""
    cache = attn.KVCache()
    expected = np.random.default_rng(5).standard_normal((9, 2))
    expected[3:6] = expected[3:6].astype(np.float16)
    views = []
    for place, row in enumerate(expected):
        row = row.astype(np.float16 if 3 <= place < 6 else np.float64)[None]
        views.append(cache.append(row, row)[0])
        row[:] = 7  # the cache has numbers of its own
    for length, view in enumerate(views, 1):
        assert_array_equal(view, expected[:length])
    assert cache.length == 9
    assert views[-1].dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        views[0][0] = 5
