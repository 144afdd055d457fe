"""Every picture with sliders prints what the functions compute, and printed sums come out when worked out by hand."""

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
from attn_lessons.lesson11.explorer import TEXT
from attn_lessons.lesson12.explorer import SIDE
from attn_parts.colours import BLUE
from attn_parts.formatting import gives
from attn_parts.long_sequences import tile_cost
from explorers import at, matrices, moved, rounded, texts

TOKENS, X, W_Q, W_K, W_V = attn.load_example()
BOXES = [f"q_{kind}" for kind in attn.KINDS]
STORED = attn.load_data("pronoun_head")
MODEL = attn.load_language_model()


def number(text):
    """The number that is printed with a true minus sign."""
    return float(text.strip("()").replace("−", "-"))


def allowed_by(causal, length):
    return np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)


SAID = [
    ("dot_product", {"query": "is"}, "Largest weight: chai and hot, 0.440."),
    ("dot_product", {"q_thing": 0}, "Largest weight: The and chai and is and hot, 0.250."),
    ("mask", {}, "Here: numbers set by hand."),
    ("mask", {"length": 5}, ">random numbers (seed 5)<"),
    ("softmax", {"score": 20, "temperature": 0.05, "subtract_max": False}, "overflows float32 (limit 88.72)"),
    ("attention", {}, ">set by hand<"),
    ("attention", {"words": "The tea is hot"}, ">random numbers (seed 0)<"),
    ("attention", {"d_k": 5}, ">random numbers (seed 0)<"),
    ("attention", {"seed": 1}, ">random numbers (seed 1)<"),
    ("attention", {"words": "tea"}, "1 query by 1 key;"),
    ("attention", {"words": ""}, "words must be 1 to 32"),
    ("attention", {"d_k": 64}, "… (64 products)"),
    ("attention", {"causal": True, "row": 0}, "Cell The → chai: blocked"),
    ("attention", {"length": 8, "d_k": 8, "seed": 5, "row": 0}, ">0.00<"),
    ("heads", {"heads": 1}, "1 head, 4 columns wide"),
    ("heads", {"head": 3, "heads": 2}, "2 heads, each 2 columns wide. Head 1"),
    ("positions", {"position": 40}, "Positions 40 and 43: the 4 hands turn by 3, 0.3, 0.03, 0.003 radians"),
    (
        "positions",
        {"d_model": 2, "k": 6},
        "the one hand turns by 6 radians. The dot product of their codes is 0.96",
    ),
    ("training", {"rate": 3.0}, "Loss 1.609."),
    ("language_model", {"off": ((0, 1),)}, "0 · 1 switched off"),
    ("language_model", {"text": "chai is hot"}, "no word 'is'"),
    ("language_model", {"text": "chai hot"}, ">2 words"),
    ("long", {"length": 4096}, "plain 67.1 MB, in tiles 262 kB"),
    ("long", {"block": 9999, "causal": False}, ">2,048 tokens in blocks of 2,048, full: 1 of 1"),
    ("long", {"length": 131_072, "block": 16}, "tiles are too small to be drawn one by one"),
]
UNSAID = [
    ("attention", {"length": 5}, "by hand"),
    (
        "attention",
        {"length": 8, "d_k": 8, "seed": 5, "row": 0, "causal": True},
        ">0.00<",
    ),  # blocked bars are hatched, not 0
    ("long", {"length": 131_072, "block": 131_072}, "blocks are too small"),
]


def shown(name, settings):
    return html.unescape(at(name, **settings)._svg)


@pytest.mark.parametrize(("name", "settings", "said"), SAID)
def test_pictures_say_it(name, settings, said):
    assert said in shown(name, settings)


@pytest.mark.parametrize(("name", "settings", "unsaid"), UNSAID)
def test_pictures_do_not_say_it(name, settings, unsaid):
    assert unsaid not in shown(name, settings)


# Every entry in every place: a cell's product depends on one entry alone, and so does a word's score
SHIFTED = [[(entry + shift) % 19 - 9 for shift in (0, 5, 10, 15)] for entry in range(19)]
# Times the values, these weights with three digits don't give the output
ROUNDED = [[4, 2, 0, 0], [3, 1, -1, -1], [-4, -6, -8, -8], [0, -4, 0, 0], [5, 7, 1, 5]]


@pytest.mark.parametrize("query", SHIFTED + ROUNDED)
def test_a_query_s_sums_add_up_to_scores_shares_and_output(query):
    found = texts(at("dot_product", **dict(zip(BOXES, query, strict=True))))
    (output,), (weights,) = attn.scaled_dot_product_attention(
        np.array([query]),
        X @ W_K,
        X @ W_V,
    )
    for token, key, weight in zip(TOKENS, X @ W_K, weights, strict=True):
        row = found[found.index(token) + 1 :]
        assert row[1:8:2] == ["+", "+", "+", "="]
        products = [math.prod(map(number, text.split("·"))) for text in row[0:8:2]]
        score, half = map(number, row[8:10])
        assert sum(products) == score == 2 * half == np.dot(query, key)
        assert gives(weight, row[10])
    assert [f"{value:.2f}" for value in output] == found[-2:]
    printed = np.array([float(found[found.index(token) + 11]) for token in TOKENS])
    assert all(map(gives, printed @ (X @ W_V), found[-2:]))


def test_lesson_02_draws_what_the_readers_function_returns():
    fixed = moved(attn.explore_scaling(lambda Q, K: Q @ K.T / 8), d_k=256)
    Q, K = random_inputs(256, 16, 0)
    assert f"standard deviation of the scores: {(Q @ K.T / 8).std():.2f}" in texts(fixed)
    one_row = attn.explore_scaling(lambda Q, K: (Q @ K.T)[0])
    assert "scaled_scores returned shape (16,), expected (200, 16)" in one_row.description


@pytest.mark.parametrize("where", ["before softmax", "after softmax"])
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "causal and padding"])
@pytest.mark.parametrize(
    ("length", "padding"),
    [(1, 1), (4, 0), (4, 1), (12, 12)],
)
def test_masks_print_what_masked_softmax_gives(kind, length, padding, where):
    explorer = at(
        "mask",
        kind=kind,
        length=length,
        padding=padding,
        where=where,
    )
    _, X, W_Q, W_K, W_V = attn.load_example() if length == 4 else attn.load_example(length)
    real = np.arange(length) < length - padding
    X = np.where(real[:, None], X, 0)
    allowed = allowed_by("causal" in kind, length)
    if "padding" in kind:
        allowed &= real
    early = where == "before softmax"
    output, weights = attn.self_attention(
        X,
        W_Q,
        W_K,
        W_V,
        allowed if early else None,
    )
    scaled = (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1])
    assert matrices(explorer) == [
        rounded(allowed, allowed, 0),
        rounded(scaled, allowed if early else allowed | True, 1),
        rounded(weights, allowed, 2),
    ]
    if length == 4 and early:
        assert {f"{value:.2f}" for value in output.flat} <= set(texts(explorer))
    assert f"{int((~allowed).sum())} of {length * length} pairs blocked" in explorer.description
    empty = int((~allowed.any(axis=-1)).sum())
    assert (f"look at nothing: {empty}" in explorer.description) == bool(empty)


@pytest.mark.parametrize(
    "score",
    [-20, -1, 1.5, 2.5, 6, 20],
)
@pytest.mark.parametrize("temperature", [0.05, 0.7, 1, 20])
def test_softmax_prints_weights_and_moves_and_puts_its_point_on_the_curve(score, temperature):
    explorer = at("softmax", score=score, temperature=temperature)
    scores = np.array([1, 2, 0.5, -1, score]) / temperature
    nudge = 1e-6
    weights = attn.softmax(scores)
    moves = (attn.softmax(scores + [0, 0, 0, 0, nudge]) - weights) / nudge
    found = texts(explorer)
    for value in [*weights, *moves]:
        near = {f"{value + off:.2f}".replace("-0.00", "0.00") for off in (-1e-5, 0, 1e-5)}
        assert near & set(found), value
    assert f"largest weight {weights.max():.3f}" in explorer.description
    assert f"p(1 − p) = {moves[-1]:.3f}" in explorer.description
    ((x, y),) = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="10" height="10"', explorer._svg)
    p = weights[-1]
    high = p * (1 - p) / 0.3
    assert float(x) + 5 == pytest.approx(800 + 180 * p, abs=0.6)
    assert float(y) + 5 == pytest.approx(240 - 180 * high, abs=0.6)


@pytest.mark.parametrize("length", [1, 4, 8])
@pytest.mark.parametrize("d_k", [1, 8])
@pytest.mark.parametrize("causal", [False, True])
def test_the_pipeline_prints_every_matrix_up_to_its_stage(length, d_k, causal):
    explorer = at("pipeline", length=length, d_k=d_k, causal=causal)
    _, X, W_Q, W_K, W_V = attn.load_example(length, d_k)
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    allowed = allowed_by(causal, length)
    output, weights = attn.scaled_dot_product_attention(Q, K, V, allowed)
    scaled = Q @ K.T / math.sqrt(d_k)
    before = [
        rounded(Q),
        rounded(K),
        rounded(V),
        rounded(Q @ K.T),
        rounded(scaled),
    ]
    shown = [
        *before,
        rounded(scaled, allowed),
        rounded(weights, allowed),
        rounded(output),
    ]
    for stage in range(6):
        assert matrices(moved(explorer, stage=stage)) == shown[: stage + 3]
    assert "random numbers (seed 5)" in texts(explorer)


SUM = r"q·k = (.*?) = (−?[\d.]+)(?:; −?[\d.]+ / √(\d+) = (−?[\d.]+))?; weight"


@pytest.mark.parametrize("d_k", range(1, 9))
def test_every_sum_and_quotient_comes_out_as_printed(d_k):
    """Numbers are printed with as many digits as that takes: rounded to two, one sum in two would be off."""
    for seed in range(8):
        _, X, W_Q, W_K, _ = attn.load_example(d_k=d_k, seed=seed)
        for query, key in itertools.product(X @ W_Q, X @ W_K):
            told = _cell_in_words(
                ("hot", "chai"),
                query,
                key,
                d_k**-0.5,
                0.5,
            )
            products, score, root, scaled = re.search(SUM, told).groups()
            pairs = [pair.split("·") for pair in products.split(" + ")]
            total = sum(math.prod(map(number, pair)) for pair in pairs)
            assert gives(total, score), told
            assert gives(query @ key, score), told
            assert d_k == 1 or gives(number(score) / int(root) ** 0.5, scaled), told


@pytest.mark.parametrize(
    ("heads", "head"),
    [(1, 0), (2, 0), (2, 1), (4, 0), (4, 3)],
)
def test_heads_print_cards_weights_and_outputs(heads, head):
    V_twice = np.hstack([W_V, W_V])
    output, weights = attn.multi_head_attention(
        X,
        X,
        X,
        W_Q,
        W_K,
        V_twice,
        np.eye(4),
        n_heads=heads,
    )
    printed = matrices(at("heads", heads=heads, head=head))
    shown = [np.reshape(numbers, (4, 4)) for numbers in printed]
    wanted = [
        X @ W_Q,
        X @ W_K,
        X @ V_twice,
        weights[head],
        output,
    ]
    assert_allclose(shown, wanted, atol=0.0051)


@pytest.mark.parametrize("step", [0, 40, 500])
def test_the_head_of_lesson_00_is_shown_as_it_learns(step):
    explorer = at("training", step=step)
    stored = STORED["heads"]["looks"]
    for shown, name in zip(matrices(explorer), ("weights", "answers"), strict=True):
        assert_allclose(shown, np.ravel(stored[name][step // 10]), atol=0.011)
    assert f"Loss {stored['loss'][step // 10]:.3f}." in explorer.description


def test_a_film_shows_every_frame_and_stops_at_the_last(tmp_path):
    words, answers = ["The", "kettle", "is", "it"], [*attn.NEXT_WORD.values(), "whistle"]
    frames = [(step, np.roll(np.eye(4)[0], step), np.eye(6)[-1]) for step in (0, 1, 2)]
    film = attn.film_training(words, answers, frames)
    assert "after 2 steps of training: “it” looks most at is 1.00, kettle 0.00" in film.alt
    film.save(tmp_path / "my_head.svg")
    svg = (tmp_path / "my_head.svg").read_text("utf-8")
    assert re.findall(r"after (\d) steps? of training", svg.partition("</desc>")[2]) == ["1", "2"]
    assert (
        re.findall(r'class="f (f\d)"', svg)
        == re.findall(r"@keyframes (f\d)", svg)
        == [
            "f0",
            "f1",
            "f2",
        ]
    )
    assert svg.count(">whistle<") >= len(frames)


@pytest.mark.parametrize(
    "head",
    [(0, 0), (0, 1), (1, 0), (1, 1)],
)
@pytest.mark.parametrize(
    ("text", "row", "off", "temperature"),
    [(TEXT, 18, ((0, 1),), 1), ("tea sour, owl loud, coat blue. owl", 9, (), 4.0)],
)
def test_the_language_model_tells_where_a_head_looks_and_what_is_expected(head, text, row, off, temperature):
    told = at(
        "language_model",
        text=text,
        row=row,
        off=off,
        head=head,
        temperature=temperature,
    ).description
    logits, weights = attn.run_language_model(MODEL, text, off=off)
    (word, share), _ = attn.next_words(logits[row], 2, temperature)
    assert f"Layer {head[0]}, head {head[1]}" in told
    assert f" {weights[head][row].max():.2f}" in told
    assert f"Likeliest next words: {word.replace(',', 'comma')} {share:.2f}" in told


@pytest.mark.parametrize(
    ("length", "block"),
    [(1000, 300), (16, 16), (4096, 64), (64, 9999)],
)
@pytest.mark.parametrize("causal", [True, False])
def test_the_coloured_area_is_the_share_that_is_computed(length, block, causal):
    svg = at("long", length=length, block=block, causal=causal)._svg
    sizes = re.findall(rf'<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="{BLUE}"', svg)
    area = sum(float(width) * float(height) for width, height in sizes if width != "14")
    cost = tile_cost(length, min(block, length), causal)
    assert area / SIDE**2 == pytest.approx(cost.multiplications / (128 * length**2), rel=2e-3)
