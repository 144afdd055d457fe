"""Attention in blocks of rows: by hand, against the plain function, and its memory."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn
from attn_parts import long_sequences
from made_up import inputs

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
ONES = np.ones((2, 3))
attend = attn.scaled_dot_product_attention


@given(
    inputs([np.float16, np.float32, np.float64, np.int64], sizes=[3]),
    st.booleans(),
    st.integers(1, 9),
    st.booleans(),
)
def test_blocks_agree_with_the_plain_function(case, causal, block, threads):
    arrays, mask, _ = case
    before = [array.copy() for array in arrays]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_sequences, "WORTH_THREADS", 0 if threads else math.inf)
        got = attn.tiled_attention(*arrays, mask, causal=causal, block=block)
    assert all(map(np.array_equal, arrays, before))
    if causal:
        query, key, _ = arrays
        early = attn.causal_mask(query.shape[-2], key.shape[-2])
        if mask is None or mask.dtype == bool:
            mask = early & (mask is None or mask)
        else:
            mask = np.where(early, mask, -np.inf)
    plain, _ = attend(*arrays, mask)
    assert got.shape == plain.shape
    assert got.dtype == plain.dtype
    tolerance = {"e": 2e-2, "f": 1e-5, "d": 1e-12}[got.dtype.char]
    assert_allclose(got, plain, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "rubbish",
    [np.nan, np.inf, -np.inf],
)
def test_nothing_leaks_into_rows_that_may_not_look(rubbish):
    """Row i sees keys up to i, in blocks of 4; the last key and value are rubbish."""
    query, key, value = np.random.default_rng(1).standard_normal((3, 10, 2))
    clean = attn.tiled_attention(
        query,
        key,
        value,
        causal=True,
        block=4,
    )
    value[9, 0] = rubbish
    dirty = attn.tiled_attention(
        query,
        key,
        value,
        causal=True,
        block=4,
    )
    assert_allclose(dirty[:9], clean[:9])
    assert_array_equal(dirty[9, 0], rubbish)
    key[9] = rubbish
    with_mask = attn.tiled_attention(
        query,
        key,
        value,
        attn.causal_mask(10),
        block=4,
    )
    assert_allclose(with_mask[:9], clean[:9])


def test_values_near_the_largest_float_do_not_overflow():
    value = np.full((4, 1), np.finfo(np.float32).max, np.float32)
    zeros = np.zeros((4, 1), np.float32)
    output = attn.tiled_attention(zeros[:1], zeros, value)
    assert_allclose(output, value[:1])


def test_it_holds_no_square_matrix():
    length = 1024
    block = 16
    query, key, value = np.random.default_rng(2).standard_normal((3, length, 2), dtype=np.float32)
    mask = np.zeros((1, length), np.float32)
    for settings in ({"causal": True}, {"mask": mask}):
        attn.tiled_attention(
            query[:1],
            key[:1],
            value[:1],
        )  # what the first call loads counts for nothing
        tracemalloc.start()
        attn.tiled_attention(query, key, value, block=block, **settings)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # scores and a copy of the mask for each of two threads, and some arrays of the inputs' size
        assert peak < 8 * 4 * length * block + 8 * query.nbytes < 4 * length**2 / 4


def test_window_by_hand():
    of_four = [[0, 1, 1, 0], [0, 0, 1, 1]]
    of_three = [[1, 1, 1], [0, 1, 1]]
    assert_array_equal(attn.window_mask(2, 2, offset=2), of_four)
    assert_array_equal(attn.window_mask(2, 3, n_keys=3, offset=2), of_three)
    assert_array_equal(attn.window_mask(5, 9), attn.causal_mask(5))


def scores_of(*arrays, **settings):
    """The output of attention in blocks, and every matrix of scores that was computed for it."""
    masked_scores = long_sequences.masked_scores
    computed = []
    with pytest.MonkeyPatch.context() as patch:
        watched = lambda *given: computed.append(masked_scores(*given)) or computed[-1]  # noqa: E731
        patch.setattr(long_sequences, "masked_scores", watched)
        return attn.tiled_attention(*arrays, **settings), computed


@pytest.mark.parametrize(
    "dtype",
    [np.float16, np.float32, np.float64],
)
def test_token_by_token_with_a_cache_is_all_at_once(dtype):
    Q, K, V = np.random.default_rng(4).standard_normal((3, 2, 9, 4)).astype(dtype)
    together, _ = attend(Q, K, V, attn.causal_mask(9))
    cache = attn.KVCache()
    parts = []
    for first, last in ((0, 4), (4, 5), (5, 7), (7, 9)):
        mask = attn.causal_mask(last - first, offset=cache.length)
        keys, values = cache.append(K[:, first:last], V[:, first:last])
        parts.append(attend(Q[:, first:last], keys, values, mask)[0])
    assert cache.length == 9
    assert cache.nbytes == K.nbytes + V.nbytes
    assert keys.dtype == dtype
    tolerance = 4e-3 if dtype == np.float16 else 1e-6
    assert_allclose(np.concatenate(parts, axis=1), together, atol=tolerance)


def test_the_cache_keeps_the_wider_dtype_and_what_it_handed_out():
    """Wide, narrow, wide, token by token: nothing is rounded, though the arrays behind grow and change their type."""
    assert attn.KVCache().length == attn.KVCache().nbytes == 0
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
    with pytest.raises(ValueError, match="the cache holds"):
        cache.append(ONES, ONES)
    assert cache.length == 9
    assert cache.nbytes == 2 * expected.nbytes
    with pytest.raises(ValueError, match="read-only"):
        views[0][0] = 5


@given(
    st.integers(1, 12),
    st.integers(0, 12),
    st.integers(1, 13),
    st.booleans(),
    st.integers(1, 2),
)
def test_cost_is_what_is_computed(n_queries, n_keys, block, causal, n_heads):
    query = np.ones((n_heads, n_queries, 3))
    key = np.ones((n_heads, n_keys, 3))
    _, computed = scores_of(
        query,
        key,
        key[..., :2],
        causal=causal,
        block=block,
    )
    sizes = {"d_k": 3, "d_v": 2, "n_heads": n_heads, "itemsize": 8}
    cost = attn.attention_cost(
        n_queries,
        n_keys,
        **sizes,
        causal=causal,
        block=block,
    )
    assert cost.multiplications == sum(scores.size for scores in computed) * 5
    assert cost.nbytes == max(scores.nbytes for scores in computed)
    squares = sum(-(-scores.shape[1] // block) for scores in computed)
    assert cost.blocks - cost.blocks_skipped == squares
