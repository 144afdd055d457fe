"""Attention and several heads against what torch, JAX and ONNX answered: see notebooks/data/README.md."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn

CASES = attn.load_data("reference_vectors")["cases"]
HEADS = attn.load_data("multi_head_vectors")["cases"]
# float32 sums of a few dozen products are good to about 1e-6; float16 holds three digits
TOLERANCE = {"float64": 1e-6, "float32": 1e-5, "float16": 4e-3}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_agrees_with_the_libraries(case):
    dtype = case["dtype"]
    query = np.array(case["query"], dtype)
    key = np.array(case["key"], dtype)
    value = np.array(case["value"], dtype)
    mask = case["mask"] if case["bias"] is None else case["bias"]
    scale = case["scale"]
    output, weights = attn.scaled_dot_product_attention(query, key, value, mask, scale=scale)
    assert output.dtype == dtype
    assert weights.dtype == dtype
    assert {"torch", "onnx"} <= set(case["outputs"])
    for library, expected in case["outputs"].items():
        assert_allclose(output, expected, atol=TOLERANCE[dtype], err_msg=library)


@pytest.mark.parametrize("case", HEADS, ids=lambda case: case["name"])
def test_several_heads_agree_with_torch(case):
    names = ("W_Q", "W_K", "W_V", "W_O", "n_heads", "mask")
    output, weights = attn.multi_head_attention(
        case["query"],
        case["key"],
        case["key"],
        **{name: case[name] for name in names},
    )
    assert_allclose(output, case["output"], atol=1e-6)
    assert_allclose(weights, case["weights"], atol=1e-6)
