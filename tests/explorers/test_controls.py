"""The controls that explorers are made of, and how they refuse what cannot work."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import attn_helpers as attn
from attn_parts.colours import WEIGHTS
from attn_parts.explorer import Explorer, Text
from attn_parts.svg import Drawing


def told(**values):
    """A picture that says nothing but the values of its controls."""
    return Drawing(100, 50, "Values"), repr(values)


def test_a_number_put_in_a_control_s_place_is_refused_with_the_remedy():
    heat = attn.explore_attention()
    with pytest.raises(AttributeError, match=re.escape(".length.value = 3")):
        heat.length = 3
    heat.length.value = 3
    assert heat.description.startswith("3 queries by 3 keys")
    for name, words in (
        ("size", ".size.value = 3"),
        ("lengths", "there are words, length"),
        ("picture", "no control"),
    ):
        with pytest.raises(AttributeError, match=re.escape(words)):
            setattr(heat, name, 3)


def test_nan_from_code_is_refused_and_the_control_goes_on():
    softmax = attn.explore_softmax()
    before = softmax.description
    with pytest.raises(ValueError, match="score must be a number from -20.0 to 20.0, got nan; it stays 1.5"):
        softmax.score.value = np.nan
    assert (softmax.score.value, softmax.description) == (1.5, before)
    softmax.score.value = 3.0
    assert softmax.description != before


def test_a_list_without_a_choice_says_so_until_there_is_one():
    masks = attn.explore_mask()
    masks.kind.value = None
    assert "choose one of its values, at kind = None" in masks.description
    masks.kind.value = "causal"
    assert masks.description.startswith("6 of 16")


@pytest.mark.parametrize("name", ["explore_attention", "explore_pipeline"])
def test_a_row_beyond_the_sentence_cannot_be_chosen(name):
    explorer = getattr(attn, name)()
    explorer.length.value, explorer.row.value = 8, 7
    explorer.length.value = 5
    assert (explorer.row.value, explorer.row.max) == (4, 4)
    explorer.row.value = 30
    assert explorer.row.value == 4
    explorer.length.value = 6
    explorer.row.value = 5
    assert explorer.row.value == 5


def test_typed_words_are_drawn():
    explorer = Explorer(told, [Text("words", "the tea is hot")])
    explorer.words.value = "a <b> & c"
    assert "'a <b> & c'" in explorer.description and not explorer.words.continuous_update


def test_keys_stand_below_the_matrix_and_queries_beside_it():
    drawing = Drawing(300, 300, "Weights")
    grid = drawing.matrix(60, 40, np.eye(2), WEIGHTS, cell=40).names(["q1", "q2"], ["k1", "k2"])
    places = {
        name: (float(x), float(y))
        for x, y, name in re.findall(
            r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([qk]\d)<', "".join(drawing.marks)
        )
    }
    assert all(places[name][1] > grid.bottom for name in ("k1", "k2"))
    assert all(places[name][0] < grid.x for name in ("q1", "q2"))
    assert grid.foot > places["k1"][1]


def test_a_line_that_is_wider_than_its_room_is_set_smaller_or_broken():
    drawing = Drawing(300, 300, "Words")
    drawing.text(0, 10, "a long line of words", room=60)
    assert 4 < float(re.search(r'font-size="([\d.]+)"', drawing.marks[-1])[1]) < 8
    below = drawing.paragraph(0, 30, "a long line of words", 60)
    assert below > 60 and len(drawing.marks) > 3


@pytest.mark.parametrize("name", ["explore_scaling", "explore_pipeline", "explore_attention"])
def test_pictures_of_random_numbers_say_so(name):
    explorer = getattr(attn, name)()
    explorer.length.value = 5  # some begin with the running example, which has 4 words
    assert re.search(r">random numbers \(seed \d+\)<", explorer.picture.value)


def test_control_characters_do_no_harm():
    drawing = Drawing(100, 50, "a\x00b")
    drawing.text(0, 10, "tea\x07 \ud800\ufffe\uffff< hot 🍵 茶", room=200)
    assert ElementTree.fromstring(drawing.svg("\x1b")).findtext("{*}text") == "tea < hot 🍵 茶"
