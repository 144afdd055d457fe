"""The numbers of a tutorial that the course grew from; those of another are in lessons 01 and 05."""

import json
import pathlib

import numpy as np
import pytest

import attn_helpers as attn


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
