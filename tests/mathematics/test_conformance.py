"""The helpers against what torch, JAX and ONNX answered (see notebooks/data/README.md), and several heads one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn

CASES = attn.load_data("reference_vectors")["cases"]
HEADS = attn.load_data("multi_head_vectors")["cases"]
rng = np.random.default_rng(7)
# float32 sums of a few dozen products are good to about 1e-6; float16 holds three digits
TOLERANCE = {"float64": 1e-6, "float32": 1e-5, "float16": 4e-3}


@pytest.mark.parametrize(
    "case",
    CASES,
    ids=lambda case: case["name"],
)
def test_agrees_with_the_libraries(case):
    arrays = (np.array(case[name], dtype=case["dtype"]) for name in ("query", "key", "value"))
    mask = case["mask"] if case["bias"] is None else case["bias"]
    mask = None if mask is None else np.array(mask)
    output, weights = attn.scaled_dot_product_attention(*arrays, mask, scale=case["scale"])
    assert output.dtype == weights.dtype == np.dtype(case["dtype"])
    assert {"torch", "onnx"} <= set(case["outputs"])
    for library, expected in case["outputs"].items():
        assert_allclose(output, expected, atol=TOLERANCE[case["dtype"]], err_msg=library)


def test_only_jax_differs_and_only_where_a_row_is_blocked():
    apart = {case["name"]: set(case["differs"]) for case in CASES if case["differs"]}
    assert apart == {"a query that may look at nothing": {"jax"}, "additive mask, a row all -inf": {"jax"}}


@pytest.mark.parametrize(
    "case",
    HEADS,
    ids=lambda case: case["name"],
)
def test_several_heads_agree_with_torch(case):
    names = ("query", "key", "key", "W_Q", "W_K", "W_V", "W_O")
    mask = None if case["mask"] is None else np.array(case["mask"])
    arrays = [np.array(case[name]) for name in names]
    output, weights = attn.multi_head_attention(*arrays, case["n_heads"], mask)
    assert_allclose(output, case["output"], atol=1e-6)
    assert_allclose(weights, case["weights"], atol=1e-6)


@pytest.mark.parametrize(
    ("n_heads", "batch"),
    [(1, ()), (3, (2, 3))],
)
def test_one_big_product_is_so_many_small_ones(n_heads, batch):
    """Widths of queries, values, embeddings and outputs all differ, and the lengths too."""
    query, key, value = (rng.standard_normal((*batch, length, 5)) for length in (3, 4, 4))
    W_Q, W_K, W_V = (rng.standard_normal((5, width)) for width in (6, 6, 12))
    W_O = rng.standard_normal((12, 7))
    output, weights = attn.multi_head_attention(
        query,
        key,
        value,
        W_Q,
        W_K,
        W_V,
        W_O,
        n_heads,
    )
    assert output.shape == (*batch, 3, 7)
    assert weights.shape == (*batch, n_heads, 3, 4)
    total = 0
    slices = [np.split(W, n_heads, axis=1) for W in (W_Q, W_K, W_V)]
    for head, (w_q, w_k, w_v, w_o) in enumerate(zip(*slices, np.split(W_O, n_heads), strict=True)):
        per_head, shares = attn.scaled_dot_product_attention(query @ w_q, key @ w_k, value @ w_v)
        assert_allclose(weights[..., head, :, :], shares, atol=1e-12)
        total = total + per_head @ w_o
    assert_allclose(output, total, atol=1e-12)
