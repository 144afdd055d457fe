"""Pictures with sliders print what the functions compute, and printed sums come out by hand."""

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
BOXES = [f"q_{kind}" for kind in attn.KINDS]
# What the stored pictures of the lessons don't say, because their controls are where they begin.
SAID = [
    ("dot_product", {"query": "is"}, "Largest weight: chai and hot, 0.440."),
    ("mask", {"length": 5}, ">random numbers (seed 5)<"),
    (
        "softmax",
        {"score": 20, "temperature": 0.05, "subtract_max": False},
        "overflows float32 (limit 88.72)",
    ),
    ("attention", {"words": "The tea is hot"}, ">random numbers (seed 0)<"),
    ("attention", {"seed": 1}, ">random numbers (seed 1)<"),
    ("attention", {"words": "tea"}, "1 query by 1 key;"),
    ("attention", {"words": ""}, "words must be 1 to 32"),
    ("attention", {"d_k": 64}, "… (64 products)"),
    ("attention", {"causal": True, "row": 0}, "Cell The → chai: blocked"),
    (
        "positions",
        {"position": 40},
        "Positions 40 and 43: the 4 hands turn by 3, 0.3, 0.03, 0.003 radians",
    ),
    ("training", {"rate": 3.0}, "Loss 1.609."),
    ("language_model", {"text": "chai is hot"}, "no word 'is'"),
    ("long", {"length": 4096}, "plain 67.1 MB, in tiles 262 kB"),
    (
        "long",
        {"length": 131_072, "block": 16},
        "tiles are too small to be drawn one by one",
    ),
]


def number(text):
    """The number that is printed with a true minus sign."""
    return float(text.strip("()").replace("−", "-"))


@pytest.mark.parametrize(("name", "values", "said"), SAID)
def test_pictures_say_it(name, values, said):
    assert said in html.unescape(at(name, **values)._svg)


# Every entry in every place; in the last, weights with three digits times the values don't give the output.
@pytest.mark.parametrize(
    "query",
    [*([(k + m) % 19 - 9 for m in (0, 5, 10, 15)] for k in range(19)), [4, 2, 0, 0]],
)
def test_a_query_s_sums_add_up_to_scores_weights_and_output(query):
    found = texts(at("dot_product", **dict(zip(BOXES, query, strict=True))))
    (output,), (weights,) = attn.scaled_dot_product_attention([query], X @ W_K, X @ W_V)
    printed = []
    for token, key, weight in zip(TOKENS, X @ W_K, weights, strict=True):
        row = found[found.index(token) + 1 :]
        products = [math.prod(map(number, text.split("·"))) for text in row[0:8:2]]
        score, half = map(number, row[8:10])
        assert sum(products) == score == 2 * half == np.dot(query, key)
        assert gives(weight, row[10])
        printed.append(float(row[10]))
    assert [f"{value:.2f}" for value in output] == found[-2:]
    assert all(map(gives, printed @ (X @ W_V), found[-2:]))


def test_lesson_02_draws_what_the_readers_function_returns():
    fixed = moved(attn.explore_scaling(lambda Q, K: Q @ K.T / 8), d_k=256)
    Q, K = random_inputs(256, 16, 0)
    assert f"standard deviation of the scores: {(Q @ K.T / 8).std():.2f}" in texts(fixed)
    one_row = attn.explore_scaling(lambda Q, K: (Q @ K.T)[0])
    assert "scaled_scores returned shape (16,), expected (200, 16)" in one_row.description


def allowed_by(causal, length):
    return np.tri(length, k=0 if causal else length, dtype=bool)


def steps(X, W_Q, W_K, W_V, allowed):
    """Queries, keys, values, scores, scaled scores, weights and output."""
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    output, weights = attn.scaled_dot_product_attention(Q, K, V, allowed)
    return Q, K, V, Q @ K.T, Q @ K.T / math.sqrt(Q.shape[1]), weights, output


@pytest.mark.parametrize("where", ["before softmax", "after softmax"])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "causal and padding"])
@pytest.mark.parametrize(("length", "padding"), [(5, 1), (12, 12)])
def test_masks_print_what_masked_softmax_gives(kind, length, padding, where):
    explorer = at("mask", kind=kind, length=length, padding=padding, where=where)
    _, X, *W = attn.load_example(length)
    real = np.arange(length) < length - padding
    allowed = allowed_by("causal" in kind, length) & (real | ("padding" not in kind))
    blocks = allowed if where == "before softmax" else allowed | True
    *_, scaled, weights, _ = steps(np.where(real[:, None], X, 0), *W, blocks)
    expected = [
        rounded(allowed, allowed, 0),
        rounded(scaled, blocks, 1),
        rounded(weights, allowed),
    ]
    assert matrices(explorer) == expected
    assert f"{(~allowed).sum()} of {length * length} pairs blocked" in explorer.description
    empty = (~allowed.any(axis=-1)).sum()
    assert (f"look at nothing: {empty}" in explorer.description) == bool(empty)


@pytest.mark.parametrize("score", [-20, 1.5, 20])
@pytest.mark.parametrize("temperature", [0.05, 1, 20])
def test_softmax_prints_weights_and_moves_and_puts_its_point_on_the_curve(score, temperature):
    explorer = at("softmax", score=score, temperature=temperature)
    weights = attn.softmax(np.array([1, 2, 0.5, -1, score]) / temperature)
    p = weights[-1]
    moves = [*-p * weights[:-1], p * (1 - p)]
    printed = [text for text in texts(explorer) if re.fullmatch(r"[−-]?\d\.\d\d", text)]
    for value in [*weights, *moves]:
        assert any(gives(value, text) for text in printed), value
    assert f"p(1 − p) = {moves[-1]:.3f}" in explorer.description
    [place] = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="10" height="10"', explorer._svg)
    assert [float(edge) + 5 for edge in place] == pytest.approx(
        [800 + 180 * p, 240 - 600 * moves[-1]], abs=0.6
    )


@pytest.mark.parametrize(("length", "d_k"), [(1, 8), (4, 1), (8, 8)])
@pytest.mark.parametrize("causal", [False, True])
def test_the_pipeline_prints_every_matrix_up_to_its_stage(length, d_k, causal):
    explorer = at("pipeline", length=length, d_k=d_k, causal=causal)
    _, *arrays = attn.load_example(length, d_k)
    allowed = allowed_by(causal, length)
    *before, scaled, weights, output = steps(*arrays, allowed)
    expected = [*map(rounded, (*before, scaled))]
    expected += [rounded(scaled, allowed), rounded(weights, allowed), rounded(output)]
    for stage in range(6):
        assert matrices(moved(explorer, stage=stage)) == expected[: stage + 3]


SUM = r"q·k = (.*?) = (−?[\d.]+)(?:; −?[\d.]+ / √(\d+) = (−?[\d.]+))?; weight"


@pytest.mark.parametrize("d_k", range(1, 9))
def test_every_sum_and_quotient_comes_out_as_printed(d_k):
    """Numbers are printed with as many digits as that takes: rounded to two, one sum in two would be off."""
    for seed in range(8):
        _, X, W_Q, W_K, _ = attn.load_example(d_k=d_k, seed=seed)
        for query, key in itertools.product(X @ W_Q, X @ W_K):
            told = _cell_in_words(("hot", "chai"), query, key, d_k**-0.5, 0.5)
            products, score, root, scaled = re.search(SUM, told).groups()
            pairs = [pair.split("·") for pair in products.split(" + ")]
            assert gives(sum(math.prod(map(number, pair)) for pair in pairs), score), told
            assert gives(query @ key, score), told
            assert d_k == 1 or gives(number(score) / int(root) ** 0.5, scaled), told


@pytest.mark.parametrize(("heads", "head"), [(1, 0), (2, 1), (4, 3)])
def test_heads_print_cards_weights_and_outputs(heads, head):
    V_twice = np.hstack([W_V, W_V])
    output, weights = attn.multi_head_attention(X, X, X, W_Q, W_K, V_twice, np.eye(4), n_heads=heads)
    printed = [np.reshape(numbers, (4, 4)) for numbers in matrices(at("heads", heads=heads, head=head))]
    assert_allclose(printed, [X @ W_Q, X @ W_K, X @ V_twice, weights[head], output], atol=0.0051)


def test_a_film_shows_every_frame_and_stops_at_the_last(tmp_path):
    frames = [(step, np.roll([1, 0, 0, 0], step), [1]) for step in (0, 1, 2)]
    film = attn.film_training(["The", "kettle", "is", "it"], ["whistle"], frames)
    assert "after 2 steps of training: “it” looks most at is 1.00, kettle 0.00" in film.alt
    film.save(tmp_path / "my_head.svg")
    svg = (tmp_path / "my_head.svg").read_text("utf-8")
    assert re.findall(r"after (\d) steps? of training", svg.partition("</desc>")[2]) == ["1", "2"]
    assert re.findall(r'class="f (f\d)"', svg) == re.findall(r"@keyframes (f\d)", svg) == ["f0", "f1", "f2"]


@pytest.mark.parametrize("head", [(0, 0), (1, 1)])
def test_the_language_model_tells_where_a_head_looks_and_what_is_expected(head):
    text = "tea sour, owl loud, coat blue. owl"
    told = at("language_model", text=text, row=9, off=((0, 1),), head=head, temperature=4.0).description
    logits, weights = attn.run_language_model(attn.load_language_model(), text, off=((0, 1),))
    [(_, probability)] = attn.next_words(logits[9], 1, temperature=4.0)
    assert f"Layer {head[0]}, head {head[1]}" in told
    assert f" {weights[head][9].max():.2f}" in told
    assert f"Likeliest next words: comma {probability:.2f}" in told


@pytest.mark.parametrize(("length", "block"), [(1000, 300), (16, 16), (64, 9999)])
@pytest.mark.parametrize("causal", [True, False])
def test_the_coloured_area_is_the_share_that_is_computed(length, block, causal):
    svg = at("long", length=length, block=block, causal=causal)._svg
    sizes = re.findall(rf'<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="{BLUE}"', svg)
    area = sum(float(width) * float(height) for width, height in sizes if width != "14")
    cost = tile_cost(length, min(block, length), causal)
    assert area / SIDE**2 == pytest.approx(cost.multiplications / (128 * length**2), rel=2e-3)
