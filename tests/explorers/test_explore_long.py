"""Lesson 10: what the explorer draws and says is what attention in blocks computes."""

import re

import pytest

import attn_helpers as attn
from attn_lessons.lesson10.explorer import SIDE
from attn_parts.colours import BLUE
from explorers import moved


def at(length, block, causal):
    return moved(attn.explore_long(), length=length, block=block, causal=causal)


@pytest.mark.parametrize(
    ("length", "block"), [(2048, 256), (1000, 300), (16, 16), (17, 16), (4096, 64), (64, 9999)]
)
@pytest.mark.parametrize("causal", [True, False])
def test_the_coloured_area_is_the_share_that_is_computed(length, block, causal):
    explorer = at(length, block, causal)
    sizes = re.findall(rf'<rect [^>]*width="([\d.]+)" height="([\d.]+)" fill="{BLUE}"', explorer._svg)
    area = sum(float(width) * float(height) for width, height in sizes if width != "14")
    cost, plain = attn.attention_cost(length, causal=causal, block=block), attn.attention_cost(length)
    assert area / SIDE**2 == pytest.approx(cost.multiplications / plain.multiplications, rel=2e-3)


def test_what_the_lesson_asks():
    assert (
        "36 of 64 blocks computed, 28 skipped; multiplications: plain 537 million, in blocks 302 million; "
        "bytes of scores held at once: plain 16.8 MB, in blocks 2.1 MB." in at(2048, 256, True).description
    )
    doubled = at(4096, 256, True).description
    assert "plain 2.15 billion" in doubled and "plain 67.1 MB, in blocks 4.19 MB" in doubled
    assert "1 of 1 blocks computed, 0 skipped" in at(4096, 4096, True).description
    assert at(2048, 10_000, False).description.startswith("2,048 tokens in blocks of 2,048, full: 1 of 1")


def test_a_book_says_that_its_blocks_are_too_small_to_draw():
    assert "blocks are too small to be drawn one by one" in at(131_072, 16, True)._svg
    assert "blocks are too small" not in at(131_072, 131_072, True)._svg


def test_a_picture_of_costs_says_them():
    alt = attn.plot_costs([10, 100], {"matrices": [20, 200], "scores": [100, 10_000]}, "numbers").alt
    assert alt.endswith(
        "Matrices: 20 at 10 words, 2e+02 at 100 words. Scores: 1e+02 at 10 words, 1e+04 at 100 words."
    )
