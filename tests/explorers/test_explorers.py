"""The sliders: every explorer over the whole range of its controls, without a browser."""

import gc
import pathlib
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attn_helpers as attn
from attn_parts.explorer import Slider, Text
from explorers import NAMES, SVG, at, moved, of_kind, root_of, slider_of, texts

TOKENS, X, W_Q, _, _ = attn.load_example()
BOXES = [f"q_{kind}" for kind in attn.KINDS]
CHAI = dict(zip(BOXES, X[TOKENS.index("chai")] @ W_Q, strict=True))


@pytest.fixture(params=NAMES)
def explorer(request):
    return getattr(attn, request.param)()


def picture(svg):
    """An explorer's SVG, parsed; whatever it shows, these must hold."""
    root = root_of(svg)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    assert not [node for node in root.iter() if "id" in node.attrib]
    assert "could not be drawn" not in root.find(f"{SVG}title").text
    assert not re.search(r'="[^"]*\b(nan|inf)\b[^"]*"', svg), "a length that is no number"
    return root


def some_values(explorer, name):
    """Values of a control from one end to the other."""
    if isinstance(explorer.controls[name], Text):
        return ["tea", "The chai is hot", 'two  blanks <b> & "', " ".join(attn.WORDS)]
    values = explorer.controls[name].values(explorer.values())
    return [
        values[k]
        for k in sorted(
            {
                round(k)
                for k in np.linspace(
                    0,
                    len(values) - 1,
                    20,
                )
            }
        )
    ]


@pytest.mark.parametrize("name", NAMES)
def test_any_combination_of_values_draws(name):
    explorer = getattr(attn, name)()
    any_values = {name: st.sampled_from(some_values(explorer, name)) for name in explorer.values()}

    @settings(max_examples=20, derandomize=True, deadline=None, database=None)
    @given(st.fixed_dictionaries(any_values))
    def draws(wanted):
        values = explorer.values()
        for name, value in wanted.items():
            values = explorer.after(name, value, values)
        drawing, told = explorer.draw(**values)
        picture(drawing.svg(told))

    draws()


def test_slider_and_number_box_move_each_other(explorer):
    for name in of_kind(explorer, Slider):
        box = getattr(explorer, name)
        slider = slider_of(explorer, name)
        for place in (
            slider.min,
            slider.max,
            slider.min + slider.step,
        ):
            slider.value = place
            number = box.value
            box.value = box.max if number != box.max else box.min  # away, and back to what the slider gave
            box.value = number
            assert slider.value == place, (name, place)


@pytest.mark.parametrize(
    ("name", "moves", "held"),
    [
        ("dot_product", {"query": "chai"}, CHAI),
        ("dot_product", {"q_verb": 5}, {"query": "your own"}),
        ("dot_product", CHAI, {"query": "chai"}),
        ("mask", {"padding": 4, "length": 3}, {"padding": 3}),
        ("pipeline", {"length": 3}, {"row": 2}),
        ("attention", {"row": 30}, {"row": 3}),
        ("attention", {"words": "tea"}, {"length": 1, "row": 0, "column": 0}),
        ("attention", {"length": 3}, {"words": "The chai is", "row": 2, "column": 1}),
        ("heads", {"head": 3, "heads": 2}, {"head": 1}),
        ("language_model", {"text": "tea sour, owl loud, coat blue. owl"}, {"row": 9}),
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
        limit = explorer.controls[label].highest(explorer.values())
        box = getattr(explorer, label)
        slider = slider_of(explorer, label)
        place = explorer.controls[label].place
        assert (box.max, slider.max, slider.value) == (limit, place(limit), place(box.value))


def test_buttons_step_and_stop_at_the_ends():
    explorer = at("pipeline", stage=0)
    seen = []
    for button, presses in (
        (explorer.back, 1),
        (explorer.forward, 7),
        (explorer.back, 7),
    ):
        for _ in range(presses):
            button.click()
            seen.append(explorer.stage.value)
            assert f"step {explorer.stage.value + 1} of 6" in explorer._title
    assert seen == [0, 1, 2, 3, 4, 5, 5, 5, 4, 3, 2, 1, 0, 0, 0]


def test_a_number_put_in_a_control_s_place_is_refused_with_the_remedy():
    words = {"lengths": "there are words, length", "picture": "no control"}
    for name in ("length", "size", *words):
        with pytest.raises(AttributeError, match=re.escape(words.get(name, f".{name}.value = 3"))):
            setattr(attn.explore_attention(), name, 3)


def test_nan_from_code_is_refused_and_the_control_goes_on():
    softmax = attn.explore_softmax()
    before = softmax.description
    with pytest.raises(ValueError, match="score must be a number from -20.0 to 20.0, got nan; it stays 1.5"):
        softmax.score.value = np.nan
    assert (softmax.score.value, softmax.description) == (1.5, before)
    assert moved(softmax, score=3.0).description != before


@pytest.mark.parametrize(
    "name, control",
    [("mask", "kind"), ("heads", "heads")],
)
def test_a_list_without_a_choice_says_so_until_there_is_one(name, control):
    explorer = getattr(attn, f"explore_{name}")()
    first = getattr(explorer, control).value
    before = explorer.description
    moved(explorer, **{control: None})
    assert f"choose one of its values, at {control} = None" in explorer.description
    assert moved(explorer, **{control: first}).description == before


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
    heavy = "'matplotlib', 'ipywidgets', 'IPython'"
    code = f"import sys, attn_helpers; print([name for name in ({heavy}) if name in sys.modules])"
    root = pathlib.Path(attn.__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.thorough
@pytest.mark.weekly
def test_moves_leave_no_growing_memory(explorer):
    def memory_after_moves():
        for name in of_kind(explorer, Slider):
            for value in some_values(explorer, name)[::4]:
                moved(explorer, **{name: value})
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    memory_after_moves()  # what is kept for good is kept by then
    tracemalloc.start()
    sizes = [memory_after_moves(), memory_after_moves()]  # the same pictures twice
    tracemalloc.stop()
    assert sizes[1] - sizes[0] < 20_000, sizes  # bytes; one picture more a move would be over 35,000


def test_control_characters_do_no_harm():
    drawing = attn.Drawing(100, 50, "a\x00b")
    drawing.text(0, 10, "tea\x07 \ud800\ufffe\uffff< hot 🍵 茶", room=200)
    assert root_of(drawing.svg("\x1b")).findtext("{*}text") == "tea < hot 🍵 茶"
