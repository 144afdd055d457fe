"""Lesson 06: the explorer shows the example until something is changed, and a sum that adds up; the questioned pictures are what the lesson says."""

import itertools
import re

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson06 import pictures as cases
from attn_lessons.lesson06.explorer import _cell_in_words
from attn_parts.formatting import gives
from attn_parts.learning import pronoun_sentences, run_head, start_head
from explorers import matrices, moved, rounded


def number(text):
    return float(text.strip("()").replace("−", "-"))


def sum_shown(explorer):
    """The products of the chosen cell's sum, worked out, and the score that stands behind them."""
    told = re.search(r"q·k = (.*?) = (−?[\d.]+)", explorer.description)
    products = [np.prod([number(factor) for factor in pair.split("·")]) for pair in told[1].split(" + ")]
    return sum(products), number(told[2])


@pytest.mark.parametrize(
    ("name", "value"), [("words", "The tea is hot"), ("d_k", 5), ("seed", 1), ("length", 5)]
)
def test_numbers_are_set_by_hand_until_something_is_changed(name, value):
    explorer = attn.explore_attention()
    first = getattr(explorer, name).value
    assert (
        explorer.description.endswith("Numbers: set by hand.") and ">set by hand<" in explorer.picture.value
    )
    getattr(explorer, name).value = value
    assert "random numbers (seed" in explorer.description and ">set by hand<" not in explorer.picture.value
    getattr(explorer, name).value = first
    assert explorer.description.endswith("Numbers: set by hand.")


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaling", [False, True])
@pytest.mark.parametrize(
    ("length", "d_k", "row", "seed"), [(2, 1, 0, 0), (8, 8, 3, 5), (12, 64, 31, 99), (5, 10, 4, 7)]
)
def test_the_weights_of_the_helper_are_printed(length, d_k, row, seed, scaling, causal):
    values = {"length": length, "d_k": d_k, "row": row, "seed": seed, "scaling": scaling, "causal": causal}
    explorer = moved(attn.explore_attention(), **values)
    _, X, W_Q, W_K, W_V = attn.load_example(length, d_k, seed)
    allowed = np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)
    scale = None if scaling else 1.0
    _, weights = attn.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, allowed, scale=scale)
    assert matrices(explorer) == [rounded(weights, allowed)]
    row = min(row, length - 1)
    told = f"largest weight {weights[row].max():.2f}, entropy {attn.entropy(weights)[row]:.2f}"
    assert told in explorer.description


def test_numbers_stop_above_12_and_the_words_stay():
    explorer = moved(attn.explore_attention(), length=32)
    assert matrices(explorer) == []
    assert "32 queries by 32 keys; largest weight" in explorer.description


def test_bars_of_blocked_keys_are_hatched_not_zero():
    heat = moved(attn.explore_attention(), length=8, d_k=8, seed=5, row=0, causal=True)
    assert ">0.00<" not in heat.picture.value
    assert ">0.00<" in moved(heat, causal=False).picture.value


@pytest.mark.parametrize(("row", "column", "score"), [(3, 1, 6), (1, 2, -2), (0, 0, 0)])
def test_the_sum_of_a_cell_adds_up_by_hand(row, column, score):
    assert sum_shown(moved(attn.explore_attention(), row=row, column=column)) == (score, score)


def test_the_sum_of_a_cell_adds_up_for_random_numbers():
    explorer = moved(attn.explore_attention(), words="a cup of tea", d_k=3, seed=7)
    _, X, W_Q, W_K, _ = attn.load_example(d_k=3, seed=7, words="a cup of tea".split())
    shown, score = sum_shown(explorer)
    wanted = (X @ W_Q)[3] @ (X @ W_K)[1]
    assert score == pytest.approx(wanted, abs=0.006) and shown == pytest.approx(wanted, abs=0.006)


@pytest.mark.parametrize("d_k", range(1, 9))
def test_every_sum_and_quotient_comes_out_as_printed(d_k):
    """Numbers are printed with as many digits as that takes: rounded to two, one sum in two would be off."""
    for seed in range(8):
        _, X, W_Q, W_K, _ = attn.load_example(d_k=d_k, seed=seed)
        for query, key in itertools.product(X @ W_Q, X @ W_K):
            told = _cell_in_words(("hot", "chai"), query, key, d_k**-0.5, 0.5)
            products, score, root, scaled = re.search(
                r"q·k = (.*?) = (−?[\d.]+)(?:; −?[\d.]+ / √(\d+) = (−?[\d.]+))?; weight", told
            ).groups()
            total = sum(np.prod([number(f) for f in pair.split("·")]) for pair in products.split(" + "))
            assert gives(total, score), told
            assert d_k == 1 or gives(number(score) / int(root) ** 0.5, scaled), told


def test_a_blocked_cell_has_no_sum_and_a_long_sum_is_cut():
    explorer = moved(attn.explore_attention(), causal=True, row=0)
    assert "Cell The → chai: blocked" in explorer.description and "q·k" not in explorer.description
    moved(explorer, causal=False, d_k=64)
    assert "… (64 products)" in explorer.description


def test_typed_words_and_length_keep_in_step():
    explorer = attn.explore_attention()
    explorer.words.value = "  premature optimization is the root   of all evil "
    assert explorer.length.value == 8 and "8 queries by 8 keys" in explorer.description
    explorer.length.value = 3
    assert explorer.words.value == "The chai is" and explorer.row.max == 2
    explorer.words.value = "tea"
    assert "1 query by 1 key;" in explorer.description and explorer.length.value == 1
    assert (explorer.row.value, explorer.row.max, explorer.column.max) == (0, 0, 0)
    explorer.words.value = ""
    assert "words must be 1 to 32" in explorer.description


@pytest.mark.parametrize("name", cases.CASES)
def test_every_picture_is_told_in_words(name):
    picture = attn.plot_case(name)
    assert len(picture.alt) > 60 and picture.alt.endswith(".")
    assert "image/" in picture._repr_mimebundle_()["text/html"]


def test_the_random_head_looks_at_chai_more_than_2000_others():
    chai = pronoun_sentences(unseen=True)[0][:1]
    shares = [run_head(start_head(seed), chai)[0][0, 1] for seed in range(2000)]
    assert int(np.argmax(shares)) == cases.LUCKY_SEED


def test_the_two_tables_fill_their_colours():
    tables = [image.get_array() for ax in cases._two_tables().figure.axes for image in ax.images]
    limits = [image.get_clim() for ax in cases._two_tables().figure.axes for image in ax.images]
    assert limits[:2] == [(table.min(), table.max()) for table in tables[:2]]
