"""The helpers against what torch, JAX and ONNX answered (see notebooks/data/README.md)."""

import numpy as np
import pytest

import attn_helpers as attn

CASES = attn.load_data("reference_vectors")["cases"]
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
        np.testing.assert_allclose(output, expected, atol=TOLERANCE[case["dtype"]], err_msg=library)


def test_only_jax_differs_and_only_where_a_row_is_blocked():
    apart = {case["name"]: set(case["differs"]) for case in CASES if case["differs"]}
    assert apart == {"a query that may look at nothing": {"jax"}, "additive mask, a row all -inf": {"jax"}}
