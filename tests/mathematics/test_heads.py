"""Several heads: against torch's stored answers, against small heads one by one."""

import numpy as np
import pytest

import attn_helpers as attn

CASES = attn.load_data("multi_head_vectors")["cases"]
PROJECTIONS = ("W_Q", "W_K", "W_V", "W_O")
rng = np.random.default_rng(7)


def inputs(case):
    arrays = [np.array(case[name]) for name in ("query", "key", "key", *PROJECTIONS)]
    mask = None if case["mask"] is None else np.array(case["mask"])
    return *arrays, case["n_heads"], mask


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_agrees_with_torch(case):
    output, weights = attn.multi_head_attention(*inputs(case))
    np.testing.assert_allclose(output, case["output"], rtol=0, atol=1e-6)
    np.testing.assert_allclose(weights, case["weights"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("n_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_one_big_product_is_so_many_small_ones(n_heads, batch):
    """Widths of queries, values, embeddings and outputs all differ, and the lengths too."""
    query, key, value = (rng.standard_normal((*batch, length, 5)) for length in (3, 4, 4))
    W_Q, W_K, W_V = (rng.standard_normal((5, width)) for width in (6, 6, 12))
    W_O = rng.standard_normal((12, 7))
    output, weights = attn.multi_head_attention(query, key, value, W_Q, W_K, W_V, W_O, n_heads)
    assert output.shape == (*batch, 3, 7) and weights.shape == (*batch, n_heads, 3, 4)
    total, narrow, wide = 0, 6 // n_heads, 12 // n_heads
    for head in range(n_heads):
        q, v = slice(head * narrow, (head + 1) * narrow), slice(head * wide, (head + 1) * wide)
        per_head, shares = attn.scaled_dot_product_attention(
            query @ W_Q[:, q], key @ W_K[:, q], value @ W_V[:, v]
        )
        np.testing.assert_allclose(weights[..., head, :, :], shares, atol=1e-12)
        total = total + per_head @ W_O[v]
    np.testing.assert_allclose(output, total, atol=1e-12)
