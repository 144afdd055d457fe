"""Pictures with sliders print what the functions compute, and printed sums come out by hand.

What the language model's picture says is compared in tests/browser/test_front_page.py.
"""

import html
import itertools
import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_lessons.lesson02.explorer import random_inputs
from attn_lessons.lesson06.explorer import _cell_in_words
from attn_lessons.lesson12.explorer import SIDE
from attn_parts.colours import BLUE
from attn_parts.formatting import gives
from attn_parts.long_sequences import tile_cost
from explorers import at, matrices, moved, rounded, texts

TOKENS, X, W_Q, W_K, W_V = attn.load_example()
# What the stored pictures of the lessons don't say, because their controls are where they begin.
SAID = [
    ("dot_product", {"query": "is"}, "Largest weight: chai and hot, 0.440."),
    ("mask", {"length": 5}, ">random numbers (seed 5)<"),
    ("softmax", {"score": 20, "temperature": 0.05, "subtract_max": False}, "overflows float32"),
    ("attention", {"words": "The tea is hot"}, ">random numbers (seed 0)<"),
    ("attention", {"seed": 1}, ">random numbers (seed 1)<"),
    ("attention", {"words": "tea"}, "1 query by 1 key;"),
    ("attention", {"words": ""}, "words must be 1 to 32"),
    ("attention", {"d_k": 64}, "… (64 products)"),
    ("attention", {"causal": True, "row": 0}, "Cell The → chai: blocked"),
    ("positions", {"position": 40}, "the 4 hands turn by 3, 0.3, 0.03, 0.003 radians"),
    ("training", {"rate": 3.0}, "Loss 1.609."),
    ("language_model", {"text": "chai is hot"}, "no word 'is'"),
    ("long", {"length": 4096}, "plain 67.1 MB, in tiles 262 kB"),
    ("long", {"length": 131_072, "block": 16}, "too small to be drawn one by one"),
]
# Every entry in every place; in the last, weights with three digits times the values don't give the output.
QUERIES = [[(k + m) % 19 - 9 for m in (0, 5, 10, 15)] for k in range(19)]
QUERIES += [[4, 2, 0, 0]]


@pytest.mark.parametrize(("name", "values", "said"), SAID)
def test_pictures_say_it(name, values, said):
    assert said in html.unescape(at(name, **values)._svg)


def number(text):
    """The number that is printed with a true minus sign."""
    return float(text.strip("()").replace("−", "-"))


def product(text):
    return math.prod(map(number, text.split("·")))


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_s_sums_add_up_to_scores_weights_and_output(query):
    boxes = [f"q_{kind}" for kind in attn.KINDS]
    found = texts(at("dot_product", **dict(zip(boxes, query, strict=True))))
    keys = X @ W_K
    values = X @ W_V
    (output,), (weights,) = attn.scaled_dot_product_attention([query], keys, values)
    printed = []
    for token, key, weight in zip(TOKENS, keys, weights, strict=True):
        place = found.index(token)
        *sum_, _, score, half, share = found[place + 1 : place + 12]
        products = map(product, sum_[::2])
        assert sum(products) == number(score) == 2 * number(half) == np.dot(query, key)
        assert gives(weight, share)
        printed.append(float(share))
    assert [f"{value:.2f}" for value in output] == found[-2:]
    assert all(map(gives, printed @ values, found[-2:]))


def test_lesson_02_draws_what_the_readers_function_returns():
    explorer = moved(attn.explore_scaling(lambda Q, K: Q @ K.T / 8), d_k=256)
    Q, K = random_inputs(256, 16, 0)
    spread = (Q @ K.T / 8).std()
    assert f"standard deviation of the scores: {spread:.2f}" in texts(explorer)
    one_row = attn.explore_scaling(lambda Q, K: (Q @ K.T)[0])
    assert "scaled_scores returned shape (16,), expected (200, 16)" in one_row.description


def computed(X, W_Q, W_K, W_V, allowed):
    """Queries, keys, values, scores, scaled scores, weights and output."""
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    scores = Q @ K.T
    output, weights = attn.scaled_dot_product_attention(Q, K, V, allowed)
    return Q, K, V, scores, scores / math.sqrt(Q.shape[1]), weights, output


@pytest.mark.parametrize("where", ["before softmax", "after softmax"])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "causal and padding"])
@pytest.mark.parametrize(("length", "padding"), [(5, 1), (12, 12)])
def test_masks_print_what_masked_softmax_gives(kind, length, padding, where):
    explorer = at("mask", kind=kind, length=length, padding=padding, where=where)
    allowed = np.ones((length, length), bool)
    if "causal" in kind:
        allowed = np.tril(allowed)
    if "padding" in kind:
        allowed[:, length - padding :] = False
    every = np.ones_like(allowed)
    blocks = allowed if where == "before softmax" else every
    _, X, *W = attn.load_example(length)
    X[length - padding :] = 0
    *_, scaled, weights, _ = computed(X, *W, blocks)
    shown = [rounded(allowed, allowed, 0), rounded(scaled, blocks, 1), rounded(weights, allowed)]
    assert matrices(explorer) == shown
    blocked = (~allowed).sum()
    assert f"{blocked} of {length * length} pairs blocked" in explorer.description
    empty = (~allowed.any(axis=-1)).sum()
    assert (f"look at nothing: {empty}" in explorer.description) == bool(empty)


@pytest.mark.parametrize("score", [-20, 1.5, 20])
@pytest.mark.parametrize("temperature", [0.05, 1, 20])
def test_softmax_prints_weights_and_moves(score, temperature):
    explorer = at("softmax", score=score, temperature=temperature)
    scores = np.array([1, 2, 0.5, -1, score])
    weights = attn.softmax(scores / temperature)
    *others, p = weights
    moves = [*-p * np.array(others), p * (1 - p)]
    printed = [text for text in texts(explorer) if re.fullmatch(r"[−-]?\d\.\d\d", text)]
    for value in [*weights, *moves]:
        assert any(gives(value, text) for text in printed), value
    assert f"p(1 − p) = {moves[-1]:.3f}" in explorer.description


@pytest.mark.parametrize(("length", "d_k"), [(1, 8), (4, 1), (8, 8)])
@pytest.mark.parametrize("causal", [False, True])
def test_the_pipeline_prints_every_matrix_up_to_its_stage(length, d_k, causal):
    explorer = at("pipeline", length=length, d_k=d_k, causal=causal)
    _, *arrays = attn.load_example(length, d_k)
    allowed = np.tri(length, k=0 if causal else length, dtype=bool)
    *before, scaled, weights, output = computed(*arrays, allowed)
    shown = [rounded(matrix) for matrix in (*before, scaled)]
    shown += [rounded(scaled, allowed), rounded(weights, allowed), rounded(output)]
    for stage in range(6):
        moved(explorer, stage=stage)
        assert matrices(explorer) == shown[: stage + 3]


SUM = r"q·k = (.*?) = (−?[\d.]+)(?:; −?[\d.]+ / √(\d+) = (−?[\d.]+))?; weight"


@pytest.mark.parametrize("d_k", range(1, 9))
def test_every_sum_and_quotient_comes_out_as_printed(d_k):
    """Numbers are printed with as many digits as that takes: rounded to two, one sum in two would be off."""
    for seed in range(8):
        _, X, W_Q, W_K, _ = attn.load_example(d_k=d_k, seed=seed)
        for query, key in itertools.product(X @ W_Q, X @ W_K):
            told = _cell_in_words(("hot", "chai"), query, key, d_k**-0.5, 0.5)
            products, score, root, scaled = re.search(SUM, told).groups()
            total = sum(map(product, products.split(" + ")))
            assert gives(total, score), told
            assert gives(query @ key, score), told
            assert d_k == 1 or gives(number(score) / int(root) ** 0.5, scaled), told


@pytest.mark.parametrize(("heads", "head"), [(1, 0), (2, 1), (4, 3)])
def test_heads_print_cards_weights_and_outputs(heads, head):
    V_twice = np.hstack([W_V, W_V])
    W_O = np.eye(4)
    output, weights = attn.multi_head_attention(X, X, X, W_Q, W_K, V_twice, W_O, n_heads=heads)
    expected = [X @ W_Q, X @ W_K, X @ V_twice, weights[head], output]
    printed = matrices(at("heads", heads=heads, head=head))
    assert_allclose(printed, [matrix.ravel() for matrix in expected], atol=0.0051)


def test_a_film_can_be_saved(tmp_path):
    """What it shows, lesson 10 stores."""
    words = ["The", "kettle", "is", "it"]
    film = attn.film_training(words, ["whistle"], [(0, [1, 0, 0, 0], [1]), (2, [0, 1, 0, 0], [1])])
    film.save(tmp_path / "my_head.svg")
    assert "after 2 steps of training" in (tmp_path / "my_head.svg").read_text("utf-8")


@pytest.mark.parametrize(("length", "block"), [(1000, 300), (16, 16), (64, 9999)])
@pytest.mark.parametrize("causal", [True, False])
def test_the_coloured_area_is_the_share_that_is_computed(length, block, causal):
    svg = at("long", length=length, block=block, causal=causal)._svg
    sizes = re.findall(rf'<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="{BLUE}"', svg)
    area = sum(float(width) * float(height) for width, height in sizes if width != "14")
    cost = tile_cost(length, min(block, length), causal)
    share = cost.multiplications / (128 * length**2)
    assert area / SIDE**2 == pytest.approx(share, rel=2e-3)
