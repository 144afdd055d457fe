"""The numbers of the tutorials that the course grew from."""

import json
import pathlib

import numpy as np
import pytest

import attn_helpers as attn


@pytest.fixture(scope="module")
def s1():
    return {name: np.array(rows) for name, rows in attn.load_data("published_s1").items()}


def test_s1_step_by_step(s1):
    """Eight printed digits: half a unit of the last one, and the rounding of the printed inputs."""
    scores = s1["Q"] @ s1["K"].T
    np.testing.assert_allclose(scores, s1["scores"], atol=5e-8)
    np.testing.assert_allclose(scores / np.sqrt(8), s1["scaled"], atol=5e-8)
    output, weights = attn.scaled_dot_product_attention(s1["Q"], s1["K"], s1["V"], attn.causal_mask(4))
    np.testing.assert_allclose(weights, s1["weights"], atol=2e-8)
    np.testing.assert_allclose(output, s1["output"], atol=3e-8)


@pytest.mark.parametrize("masked", ["unmasked", "causal"])
def test_s4_weights_with_its_seed(masked):
    """What the code of a tutorial on "The chai is hot" gives when it is run with its seed, to four digits."""
    published = json.loads(pathlib.Path(__file__).with_name("published_s4.json").read_text("utf-8"))
    draw = np.random.RandomState(published["seed"])
    X = draw.randn(4, 8)
    W_Q, W_K, W_V = draw.randn(3, 8, 4)
    mask = attn.causal_mask(4) if masked == "causal" else None
    _, weights = attn.self_attention(X, W_Q, W_K, W_V, mask)
    np.testing.assert_allclose(weights, published[masked], atol=5.1e-5)
