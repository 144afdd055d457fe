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
    arrays = (np.array(case[name], dtype=case["dtype"]) for name in ("query", "key", "value"))
    mask = case["mask"] if case["bias"] is None else case["bias"]
    mask = None if mask is None else np.array(mask)
    output, weights = attn.scaled_dot_product_attention(*arrays, mask, scale=case["scale"])
    assert output.dtype == weights.dtype == np.dtype(case["dtype"])
    assert {"torch", "onnx"} <= set(case["outputs"])
    for library, expected in case["outputs"].items():
        assert_allclose(output, expected, atol=TOLERANCE[case["dtype"]], err_msg=library)


@pytest.mark.parametrize("case", HEADS, ids=lambda case: case["name"])
def test_several_heads_agree_with_torch(case):
    names = ("query", "key", "key", "W_Q", "W_K", "W_V", "W_O")
    mask = None if case["mask"] is None else np.array(case["mask"])
    arrays = [np.array(case[name]) for name in names]
    output, weights = attn.multi_head_attention(*arrays, case["n_heads"], mask)
    assert_allclose(output, case["output"], atol=1e-6)
    assert_allclose(weights, case["weights"], atol=1e-6)
