"""The sliders: every explorer over the whole range of its controls, without a browser."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attn_helpers as attn
import course
from attn_parts.explorer import Slider, Text
from environments import python
from explorers import NAMES, SVG, at, moved, of_kind, root_of, slider_of, texts

TOKENS, X, W_Q, _, _ = attn.load_example()
CHAI = dict(zip([f"q_{kind}" for kind in attn.KINDS], X[TOKENS.index("chai")] @ W_Q, strict=True))
TYPED = ["tea", "The chai is hot", 'two  blanks <b> & "', " ".join(attn.WORDS)]


@pytest.fixture(params=NAMES)
def explorer(request):
    return getattr(attn, request.param)()


def test_any_combination_of_values_draws(explorer):
    start = explorer.values()
    any_values = {
        name: st.sampled_from(TYPED if isinstance(control, Text) else control.values(start))
        for name, control in explorer.controls.items()
        if name in start
    }

    @settings(max_examples=20, derandomize=True, deadline=None, database=None)
    @given(st.fixed_dictionaries(any_values))
    def draws(wanted):
        values = start
        for name, value in wanted.items():
            values = explorer.after(name, value, values)
        drawing, told = explorer.draw(**values)
        svg = drawing.svg(told)
        root = root_of(svg)
        assert root.get("role") == "img"
        assert root.find(f"{SVG}title").text and root.find(f"{SVG}desc").text
        assert not root.findall(".//*[@id]"), "two explorers on a page would have the same id"
        assert not re.search(r'="[^"]*\b(nan|inf)\b[^"]*"', svg), "a length that is no number"

    draws()


def test_slider_and_number_box_move_each_other(explorer):
    for name in of_kind(explorer, Slider):
        box = getattr(explorer, name)
        slider = slider_of(explorer, name)
        for place in (slider.min, slider.max, slider.min + slider.step):
            slider.value = place
            number = box.value
            box.value = box.max if number != box.max else box.min  # away, and back to what the slider gave
            box.value = number
            assert slider.value == place, (name, place)


@pytest.mark.parametrize(
    ("name", "moves", "held"),
    [
        ("dot_product", {"query": "chai"}, CHAI),
        ("dot_product", CHAI, {"query": "chai"}),
        ("mask", {"padding": 4, "length": 3}, {"padding": 3}),
        ("attention", {"words": "tea"}, {"length": 1, "row": 0, "column": 0}),
        ("attention", {"length": 3}, {"words": "The chai is", "row": 2, "column": 1}),
        ("heads", {"head": 3, "heads": 2}, {"head": 1}),
        ("language_model", {"text": "chai is hot"}, {"row": 18}),  # it has no word "is"
    ],
)
def test_controls_follow_one_another(name, moves, held):
    explorer = at(name)
    values = explorer.values()
    for label, value in moves.items():  # as the frames of the pages are planned
        values = explorer.after(label, value, values)
    assert moved(explorer, **moves).values() == values
    assert values.items() >= held.items()
    for label in of_kind(explorer, Slider):
        control, box, slider = (
            explorer.controls[label],
            getattr(explorer, label),
            slider_of(explorer, label),
        )
        assert box.max == control.highest(values)
        assert (slider.max, slider.value) == (
            control.place(box.max),
            control.place(box.value),
        )


def test_buttons_step_and_stop_at_the_ends():
    explorer = at("pipeline", stage=0)
    seen = []
    for button in [explorer.back, *[explorer.forward] * 6, explorer.back]:
        button.click()
        seen.append(explorer.stage.value)
        assert f"step {seen[-1] + 1} of 6" in explorer._title
    assert seen == [0, 1, 2, 3, 4, 5, 5, 4]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("length", ".length.value = 3"),
        ("size", ".size.value = 3"),
        ("lengths", "there are words, length"),
        ("picture", "there are words, length"),
    ],
)
def test_a_number_put_in_a_control_s_place_is_refused_with_the_remedy(name, remedy):
    with pytest.raises(AttributeError, match=re.escape(remedy)):
        setattr(attn.explore_attention(), name, 3)


def test_an_error_while_drawing_is_shown_and_left_again():
    def draw(number):
        if number == 13:
            raise ZeroDivisionError("13 & <b> do not go")
        return attn.Drawing(10, 10, "A number"), f"It is {number}."

    explorer = attn.Explorer(draw, [Slider("number", 1, 0, 20)])
    assert "It is 1." in explorer.picture.value
    shown = " ".join(texts(moved(explorer, number=13)))
    assert "ZeroDivisionError: 13 & <b> do not go" in shown
    assert "number = 13" in shown
    assert "ZeroDivisionError" in repr(explorer)
    assert "It is 14." in moved(explorer, number=14).picture.value


def test_importing_the_helpers_loads_neither_matplotlib_nor_widgets():
    code = "import sys, attn_helpers; assert not {'matplotlib', 'ipywidgets', 'IPython'} & {*sys.modules}"
    assert python("-c", code, cwd=course.ROOT).returncode == 0


def test_control_characters_do_no_harm():
    drawing = attn.Drawing(100, 50, "a\x00b")
    drawing.text(0, 10, "tea\x07 \ud800\ufffe\uffff< hot 🍵 茶", room=200)
    assert root_of(drawing.svg("\x1b")).findtext("{*}text") == "tea < hot 🍵 茶"
