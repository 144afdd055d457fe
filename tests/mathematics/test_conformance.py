"""The helpers against what torch, JAX and ONNX answered (see make_reference_vectors.py)."""

import numpy as np
import pytest

import attn_helpers as attn

CASES = attn.load_data("reference_vectors")["cases"]
# float32 sums of a few dozen products are good to about 1e-6; float16 holds three digits
TOLERANCE = {"float64": 1e-6, "float32": 1e-5, "float16": 4e-3}
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])


def inputs(case):
    query, key, value = (np.array(case[name], dtype=case["dtype"]) for name in ("query", "key", "value"))
    mask = None
    if case["mask"] is not None:
        mask = np.array(case["mask"])
    if case["bias"] is not None:
        mask = np.array(case["bias"])
    return query, key, value, mask, case["scale"]


def differs(function, case):
    query, key, value, mask, scale = inputs(case)
    with np.errstate(all="ignore"):
        output = function(query, key, value, mask, scale)
    expected = np.array(case["outputs"]["torch"])
    return output.shape != expected.shape or not np.allclose(output, expected, atol=TOLERANCE[case["dtype"]])


@each_case
def test_agrees_with_the_libraries(case):
    query, key, value, mask, scale = inputs(case)
    output, weights = attn.scaled_dot_product_attention(query, key, value, mask, scale=scale)
    assert output.dtype == weights.dtype == np.dtype(case["dtype"])
    assert {"torch", "onnx"} <= set(case["outputs"])
    for library, expected in case["outputs"].items():
        np.testing.assert_allclose(output, expected, atol=TOLERANCE[case["dtype"]], err_msg=library)


def test_only_jax_differs_and_only_where_a_row_is_blocked():
    apart = {case["name"]: set(case["differs"]) for case in CASES if case["differs"]}
    assert apart == {"a query that may look at nothing": {"jax"}, "additive mask, a row all -inf": {"jax"}}


def broken(scale_by=None, axis=-1, stable=True, invert=False, ignore=False):
    """Attention with one slip; the vectors have to notice it."""

    def attention(query, key, value, mask, scale):
        scaled = query @ key.swapaxes(-1, -2) * (scale or scale_by or query.shape[-1] ** -0.5)
        if mask is not None and not ignore:
            allowed = (mask if mask.dtype == bool else ~np.isneginf(mask)) ^ invert
            scaled = np.where(
                allowed, scaled + (0 if mask.dtype == bool else np.where(allowed, mask, 0)), -np.inf
            )
        scaled = scaled - (scaled.max(axis=axis, keepdims=True) if stable else 0)
        powers = np.exp(scaled)
        total = powers.sum(axis=axis, keepdims=True)
        return np.nan_to_num(powers / total) @ value if stable else (powers / total) @ value

    return attention


@pytest.mark.parametrize(
    ("slip", "at_least"),
    [
        ({"stable": False}, 2),
        ({"invert": True}, 6),
        ({"ignore": True}, 8),
        ({"scale_by": 1.0}, 10),
        ({"axis": -2}, 12),
    ],
    ids=str,
)
def test_the_vectors_catch_a_slip(slip, at_least):
    assert sum(differs(broken(**slip), case) for case in CASES) >= at_least


def test_the_vectors_pass_what_is_right():
    right = broken()
    assert not [case["name"] for case in CASES if differs(right, case)]
