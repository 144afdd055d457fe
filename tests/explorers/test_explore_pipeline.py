"""The pipeline prints every matrix as attention computes it, stage by stage."""

import itertools
import math
import re

import numpy as np
import pytest

import attn_helpers as attn
from attn_parts.formatting import gives
from explorers import matrices, moved, rounded


@pytest.mark.parametrize("length", [1, 4, 8])
@pytest.mark.parametrize("d_k", [1, 8])
@pytest.mark.parametrize("causal", [False, True])
def test_it_prints_every_matrix_up_to_its_stage(length, d_k, causal):
    explorer = moved(attn.explore_pipeline(), length=length, d_k=d_k, causal=causal)
    _, X, W_Q, W_K, W_V = attn.load_example(length, d_k)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    allowed = np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)
    output, weights = attn.scaled_dot_product_attention(Q, K, V, allowed)
    scaled = Q @ K.T / math.sqrt(d_k)
    before = [rounded(Q), rounded(K), rounded(V), rounded(Q @ K.T), rounded(scaled)]
    shown = [*before, rounded(scaled, allowed), rounded(weights, allowed), rounded(output)]
    for stage in range(6):
        assert matrices(moved(explorer, stage=stage)) == shown[: stage + 3]
    assert ">random numbers (seed 5)<" in explorer.picture.value


def test_the_scaled_score_is_what_its_printed_division_gives():
    draw = attn.explore_pipeline().draw
    for length, d_k, row in itertools.product(range(1, 9), range(1, 9), range(8)):
        _, told = draw(2, length, d_k, min(row, length - 1), causal=True)
        printed = re.search(r"(-?[\d.]+) becomes (-?[\d.]+): divided by √\d = (\d+\.\d+)", told)
        score, scaled, root = printed.groups()
        assert gives(float(score) / float(root), scaled), told


def test_buttons_step_and_stop_at_the_ends():
    explorer, seen = moved(attn.explore_pipeline(), stage=0), []
    for button, presses in ((explorer.back, 1), (explorer.forward, 7), (explorer.back, 7)):
        for _ in range(presses):
            button.click()
            seen.append(explorer.stage.value)
            assert f"step {explorer.stage.value + 1} of 6" in explorer._title
    assert seen == [0, 1, 2, 3, 4, 5, 5, 5, 4, 3, 2, 1, 0, 0, 0]
