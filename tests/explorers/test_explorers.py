"""The sliders: every explorer over the whole range of its controls, without a browser.

What a page shows is read back from the SVG and held against the mathematics of part 1.
"""

import base64
import functools
import gc
import html
import itertools
import math
import pathlib
import re
import subprocess
import sys
import tracemalloc

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attn_helpers as attn
from attn_lessons.lesson02.explorer import random_scores
from attn_lessons.lesson05.explorer import _draw_pipeline
from attn_parts.explorer import Slider
from attn_parts.formatting import gives
from explorers import SVG, matrices, root_of, slider_of, texts

NAMES = sorted(name for name in vars(attn) if name.startswith("explore_"))
NUMBERS = (widgets.BoundedIntText, widgets.BoundedFloatText)


@pytest.fixture(params=NAMES)
def explorer(request):
    return getattr(attn, request.param)()


def picture(explorer):
    """The explorer's SVG, parsed; whatever it shows, these must hold."""
    root = root_of(explorer)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text and root.find(f"{SVG}desc").text
    assert not [node for node in root.iter() if "id" in node.attrib]
    assert "could not be drawn" not in root.find(f"{SVG}title").text
    assert not re.search(r'="[^"]*\b(nan|inf)\b[^"]*"', explorer._svg), "a length that is no number"
    return root


def rounded(values, allowed=True, digits=2):
    """The numbers that a matrix should print: row by row, none for blocked cells."""
    values = np.asarray(values, dtype=float)
    shown = np.broadcast_to(allowed, values.shape) & ~np.isneginf(values)
    return [round(float(value), digits) + 0.0 for value in values[shown]]


def whole_range(control):
    """Every value of a control; of long ranges both ends and some between."""
    if isinstance(control, NUMBERS):
        steps = round((control.max - control.min) / control.step)
        return [
            control.min + k * control.step
            for k in sorted({round(k) for k in np.linspace(0, steps, min(steps, 40) + 1)})
        ]
    if isinstance(control, widgets.Text):
        return ["tea", "The chai is hot", 'two  blanks <b> & "', " ".join(attn.WORDS)]
    if isinstance(control, widgets.Checkbox):
        return [False, True]
    return [option[1] if isinstance(option, tuple) else option for option in control.options]


def any_value(control):
    if isinstance(control, widgets.BoundedIntText):
        return st.integers(control.min, control.max)
    if isinstance(control, widgets.BoundedFloatText):
        return st.floats(control.min, control.max)
    return st.sampled_from(whole_range(control))


def number_names(explorer):
    return [name for name in explorer.values() if isinstance(getattr(explorer, name), NUMBERS)]


def test_every_control_over_its_whole_range(explorer):
    for name in explorer.values():
        control, first = getattr(explorer, name), getattr(explorer, name).value
        for value in whole_range(control):
            control.value = value
            picture(explorer)
        control.value = first


@pytest.mark.parametrize("name", NAMES)
def test_any_combination_of_values_draws(name):
    explorer = getattr(attn, name)()
    controls = {key: getattr(explorer, key) for key in explorer.values()}

    @settings(max_examples=60, derandomize=True, deadline=None, database=None)
    @given(st.fixed_dictionaries({key: any_value(control) for key, control in controls.items()}))
    def draws(values):
        for key, value in values.items():
            controls[key].value = value
        picture(explorer)

    draws()


@pytest.mark.parametrize("which", NAMES)
def test_words_change_with_every_slider(which):
    for name in number_names(getattr(attn, which)()):
        explorer = getattr(attn, which)()
        if "kind" in explorer.values():
            explorer.kind.value = "padding"  # else there is no padding to speak of
        control, seen = getattr(explorer, name), set()
        for value in whole_range(control):
            control.value = value
            seen.add(explorer._title + explorer.description)
        assert len(seen) > 1, name


@pytest.mark.parametrize("name", NAMES)
def test_slider_and_number_box_move_each_other(name):
    explorer = getattr(attn, name)()
    for label in number_names(explorer):
        box, slider = getattr(explorer, label), slider_of(explorer, label)
        for place in (slider.min, slider.max, slider.min + slider.step):
            slider.value = place
            moved = box.value
            assert box.min <= moved <= box.max
            box.value = box.max if moved != box.max else box.min  # away, and back to what the slider gave
            box.value = moved
            assert slider.value == place, (label, place)


@pytest.mark.parametrize(
    ("name", "label", "value"),
    [
        ("scaling", "d_k", 100),
        ("softmax", "temperature", 0.7),
        ("attention", "d_k", 1),
        ("scaling", "d_k", 1000),
    ],
)
def test_number_boxes_keep_values_between_the_slider_s_places(name, label, value):
    explorer = getattr(attn, f"explore_{name}")()
    box, slider = getattr(explorer, label), slider_of(explorer, label)
    box.value = value
    slider.value = slider.value  # what a browser sends back for the nearest place changes nothing
    assert box.value == value
    picture(explorer)


def test_logarithmic_slider_doubles():
    explorer = attn.explore_scaling()
    slider = slider_of(explorer, "d_k")
    for place in range(slider.min, slider.max + 1):
        slider.value = place
        assert explorer.d_k.value == 2**place


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaling", [False, True])
@pytest.mark.parametrize(
    ("length", "d_k", "row", "seed"), [(2, 1, 0, 0), (8, 8, 3, 5), (12, 64, 31, 99), (5, 10, 4, 7)]
)
def test_attention_prints_the_weights_of_the_helper(length, d_k, row, seed, scaling, causal):
    explorer = attn.explore_attention()
    values = {"length": length, "d_k": d_k, "row": row, "seed": seed, "scaling": scaling, "causal": causal}
    for name, value in values.items():
        getattr(explorer, name).value = value
    _, X, W_Q, W_K, W_V = attn.load_example(length, d_k, seed)
    allowed = np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)
    scale = None if scaling else 1.0
    _, weights = attn.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, allowed, scale=scale)
    picture(explorer)
    assert matrices(explorer) == [rounded(weights, allowed)]
    row = min(row, length - 1)
    assert (
        f"largest weight {weights[row].max():.2f}, entropy {attn.entropy(weights)[row]:.2f}"
        in explorer.description
    )


def test_numbers_stop_above_12_and_the_words_stay():
    explorer = attn.explore_attention()
    explorer.length.value = 32
    picture(explorer)
    assert matrices(explorer) == []
    assert "32 queries by 32 keys; largest weight" in explorer.description


@pytest.mark.parametrize("length", [1, 4, 8])
@pytest.mark.parametrize("d_k", [1, 8])
@pytest.mark.parametrize("causal", [False, True])
def test_pipeline_prints_every_matrix_up_to_its_stage(length, d_k, causal):
    explorer = attn.explore_pipeline()
    explorer.length.value, explorer.d_k.value, explorer.causal.value = length, d_k, causal
    _, X, W_Q, W_K, W_V = attn.load_example(length, d_k)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    allowed = np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)
    output, weights = attn.scaled_dot_product_attention(Q, K, V, allowed)
    scores = Q @ K.T
    scaled = scores / math.sqrt(d_k)
    all_shown = [
        rounded(Q),
        rounded(K),
        rounded(V),
        rounded(scores),
        rounded(scaled),
        rounded(scaled, allowed),
        rounded(weights, allowed),
        rounded(output),
    ]
    for stage in range(6):
        explorer.stage.value = stage
        assert matrices(explorer) == all_shown[: stage + 3]


def test_pipeline_s_scaled_score_is_what_its_printed_division_gives():
    for length, d_k, row in itertools.product(range(1, 9), range(1, 9), range(8)):
        _, told = _draw_pipeline(2, length, d_k, min(row, length - 1), causal=True)
        score, scaled, root = re.search(
            r"(-?[\d.]+) becomes (-?[\d.]+): divided by √\d = (\d+\.\d+)", told
        ).groups()
        assert gives(float(score) / float(root), scaled), told


def test_pipeline_buttons_step_and_stop_at_the_ends():
    explorer = attn.explore_pipeline()
    explorer.stage.value = 0
    seen = []
    for button, presses in ((explorer.back, 1), (explorer.forward, 7), (explorer.back, 7)):
        for _ in range(presses):
            button.click()
            seen.append(explorer.stage.value)
            assert f"step {explorer.stage.value + 1} of 6" in picture(explorer).find(f"{SVG}title").text
    assert seen == [0, 1, 2, 3, 4, 5, 5, 5, 4, 3, 2, 1, 0, 0, 0]


def test_scaling_reads_out_what_the_scores_measure():
    explorer = attn.explore_scaling()
    for d_k in (1, 16, 100, 1024):
        explorer.d_k.value = d_k
        scores = random_scores(d_k, 16, 0)
        lines = texts(explorer)
        for matrix in (scores, scores / math.sqrt(d_k)):
            assert f"standard deviation of the scores: {matrix.std():.2f}" in lines
            assert (
                f"mean over 200 queries: largest weight {attn.softmax(matrix).max(axis=-1).mean():.2f}"
                in lines
            )
        assert abs(scores.std() / math.sqrt(d_k) - 1) < (0.25 if d_k == 1 else 0.1)  # one draw of 16 keys


def test_size_scales_and_changes_nothing_else(explorer):
    small, said = picture(explorer), texts(explorer)
    explorer.size.value = 2.0
    large = picture(explorer)
    for side in ("width", "height"):
        assert float(large.get(side)) == pytest.approx(2 * float(small.get(side)))
    assert large.get("viewBox") == small.get("viewBox") and texts(explorer) == said
    assert "max-width:none" in explorer.picture.value  # large ones scroll, no page shrinks them back


def test_an_error_while_drawing_is_shown_and_left_again():
    def draw(number):
        if number == 13:
            raise ZeroDivisionError("13 & <b> do not go")
        return attn.Drawing(10, 10, "A number"), f"It is {number}."

    explorer = attn.Explorer(draw, [Slider("number", 1, 0, 20)])
    assert "It is 1." in explorer.picture.value
    explorer.number.value = 13
    shown = " ".join(texts(explorer))
    assert "ZeroDivisionError: 13 & <b> do not go" in shown and "number = 13" in shown
    assert "ZeroDivisionError" in repr(explorer)
    explorer.number.value = 14
    assert "It is 14." in explorer.picture.value


def test_the_still_is_the_picture_with_its_alternative_text(explorer):
    bundle = explorer.still()
    assert set(bundle) == {"text/html", "text/plain"}
    image = bundle["text/html"]
    encoded = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', image)[1]
    assert base64.b64decode(encoded).decode() == explorer._svg
    alt = html.unescape(re.search(r'alt="([^"]*)"', image)[1])
    assert alt == bundle["text/plain"] == f"{explorer._title}. {explorer.description}"
    assert repr(explorer) == f"Explorer: {alt}"
    assert explorer._svg.split(">", 1)[1] in explorer.picture.value


def test_two_explorers_are_two():
    one, other = attn.explore_scaling(), attn.explore_scaling()
    one.d_k.value = 2
    assert other.d_k.value == 64 and one._svg != other._svg


def test_importing_the_helpers_loads_neither_matplotlib_nor_widgets():
    heavy = "'matplotlib', 'ipywidgets', 'IPython'"
    code = f"import sys, attn_helpers; print([name for name in ({heavy}) if name in sys.modules])"
    root = pathlib.Path(attn.__file__).parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"


@pytest.mark.thorough
def test_moves_leave_no_growing_memory_and_no_figures():
    explorers = [getattr(attn, name)() for name in NAMES]

    def move(first, last):
        for k in range(first, last):
            explorer = explorers[k % len(explorers)]
            name = number_names(explorer)[k // len(explorers) % len(number_names(explorer))]
            values = whole_range(getattr(explorer, name))
            getattr(explorer, name).value = values[k * 7 % len(values)]

    def forget():  # what is kept up to a fixed number only
        for kept in [o for o in gc.get_objects() if isinstance(o, functools._lru_cache_wrapper)]:
            if kept.__module__.startswith(("attn_parts", "attn_lessons")):
                kept.cache_clear()
        gc.collect()

    move(0, 120)  # what is kept for good is kept by then
    forget()
    tracemalloc.start()
    sizes = []
    for part in (120, 180):
        move(part, part + 60)
        forget()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] - sizes[0] < 100_000, sizes  # bytes; one picture more a move would be over 600,000
    assert plt.get_fignums() == []


def test_bars_of_blocked_keys_are_hatched_not_zero():
    heat = attn.explore_attention()
    heat.length.value, heat.d_k.value, heat.seed.value, heat.row.value = 8, 8, 5, 0
    heat.causal.value = True
    assert ">0.00<" not in heat.picture.value
    heat.causal.value = False
    assert heat.picture.value.count(">0.00<") > 0, "what may be looked at and gets nothing is 0"
