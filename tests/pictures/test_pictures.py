"""Static pictures: what stands on the axes, in the cells and in the alternative text."""

import html
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import attn_helpers as attn
from attn_parts.formatting import from_matplotlib, number_told
from course import ROOT

TOKENS = ["The", "chai", "is", "hot"]
SCORES = np.array([[2, -3.5, 0.25, 1], [0, 1.5, -0.5, 3], [4, 0.1, 0.2, 0.3], [1, 1, -1, 2.5]])
WEIGHTS = attn.softmax(SCORES)


def matrix_of(picture):
    """The axes of the matrix, beside which is the colour bar."""
    matrix, _ = picture.figure.axes
    return matrix


def printed(matrix):
    """{(row, column)} of the cells that have a number."""
    return {tuple(map(round, text.get_position()))[::-1] for text in matrix.texts}


def hatched(matrix):
    """{(row, column)} of the cells in a hatched mark, of which there is one however many they are."""
    [path] = [patch.get_path() for patch in matrix.patches if patch.get_hatch()]
    shape = matrix.images[0].get_array().shape
    return {(i, j) for i, j in np.ndindex(shape) if path.contains_point((j, i))}


def words_on(labels):
    return [label.get_text() for label in labels]


@pytest.fixture(autouse=True)
def no_figure_is_left_open():
    yield
    assert plt.get_fignums() == []


@pytest.mark.parametrize("plot", [attn.plot_scores, attn.plot_attention])
def test_queries_down_the_side_keys_along_the_bottom_row_0_on_top(plot):
    matrix = matrix_of(plot(WEIGHTS[:3], TOKENS[:3], TOKENS))
    assert "query" in matrix.get_ylabel()
    assert "key" in matrix.get_xlabel()
    assert words_on(matrix.get_yticklabels()) == TOKENS[:3]
    assert words_on(matrix.get_xticklabels()) == TOKENS
    bottom, top = matrix.get_ylim()
    assert top < bottom
    assert words_on(matrix_of(plot(WEIGHTS)).get_yticklabels()) == list("0123")


def test_blocked_cells_are_hatched_and_print_nothing():
    mask = attn.causal_mask(4)
    blocked = np.where(mask, SCORES, -np.inf)
    for picture in (
        attn.plot_attention(attn.softmax(blocked), TOKENS, mask=mask),
        attn.plot_scores(SCORES, TOKENS, mask=mask),
        attn.plot_scores(blocked, TOKENS),
    ):
        matrix = matrix_of(picture)
        assert printed(matrix) == set(zip(*np.nonzero(mask), strict=True))
        assert hatched(matrix) == set(zip(*np.nonzero(~mask), strict=True))
        assert "6 of 16 pairs blocked" in picture.alt
    nothing = np.zeros((20, 30))
    picture = attn.plot_attention(nothing, mask=nothing > 0)
    assert len(hatched(matrix_of(picture))) == 600
    assert "no query may look at any key" in picture.alt


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([[np.nan, 1], [2, 3]], "smallest score 1.00, 0 → 1; NaN or infinite: 1."),
        (
            [[np.inf, 1], [0, 0]],
            "largest score 1.00, 0 → 1; smallest score 0.00, 1 → 0; NaN or infinite: 1.",
        ),
        ([[np.nan, np.nan]], "1 query by 2 keys; NaN or infinite: 2."),
        ([[1e308, -1.7e308]], "largest score 1e+308"),
    ],
)
def test_alternative_text_of_odd_numbers(values, words):
    picture = attn.plot_scores(values)
    assert words in picture.alt
    picture._repr_mimebundle_()
    assert not matrix_of(picture).patches, "a NaN is not a blocked cell"


def test_tokens_and_titles_are_no_formulas():
    picture = attn.plot_attention(np.eye(2), ["costs $5 or $10"] * 2, title=r"$\bar")
    assert "largest weight 1.00, costs $5 or $10 (1) → costs $5 or $10 (1)" in picture.alt
    picture._repr_mimebundle_()  # matplotlib would stop at half a formula
    matrix = matrix_of(picture)
    drawn = [*matrix.get_xticklabels(), *matrix.get_yticklabels(), matrix.title]
    assert not any(text.get_parse_math() for text in drawn)


def test_show_closes_the_figure_and_keeps_the_words():
    figure, _ = plt.subplots()
    picture = attn.show(figure, 'Two points, "a" < "b".')
    bundle = picture._repr_mimebundle_()
    assert bundle["text/plain"] == picture.alt
    assert f'alt="{html.escape(picture.alt)}"' in bundle["text/html"]
    assert repr(picture) == f"Picture: {picture.alt}"


def test_colours_kept_beside_the_code_are_matplotlibs():
    """The widths of letters are measured in tests/browser/test_drawings.py."""
    stored = from_matplotlib()
    for name in stored.keys() - {"plain", "bold"}:
        shown = matplotlib.colormaps[name](np.arange(256), bytes=True)[:, :3]
        assert stored[name] == shown.tobytes().hex()


@pytest.mark.parametrize(
    ("value", "told"),
    [(1 / 300, "0.0033"), (0.25, "0.25"), (0, "0.00"), (-2e-5, "-2e-05")],
)
def test_small_weights_are_told_in_digits_that_count(value, told):
    assert number_told(value) == told


def test_several_panels_of_pyplot_are_told_together_and_shown_once():
    _, (left, right) = plt.subplots(1, 2)
    attn.plot_scores(SCORES, TOKENS, ax=left, title="Left")
    picture = attn.plot_attention(WEIGHTS, TOKENS, ax=right, title="Right")
    assert plt.get_fignums() == []  # pyplot would show what it still holds
    assert re.match(r"Left\. 4 queries.* Right\. 4 queries", picture.alt)
    figure = Figure()
    half, _ = figure.subfigures(1, 2)
    assert attn.plot_attention(WEIGHTS, ax=half.add_subplot()).figure is figure


def test_a_source_is_written_and_told():
    picture = attn.plot_scores(SCORES, TOKENS, source="random numbers (seed 5)", title=None)
    assert matrix_of(picture).get_xlabel().endswith("\nrandom numbers (seed 5)")
    assert matrix_of(picture).get_title() == ""
    assert picture.alt.startswith("4 queries")
    assert picture.alt.endswith(" Random numbers (seed 5).")


def test_every_colour_is_named_in_one_file():
    """Pages, slides and reports have theirs from attn_parts/colours.py, as variables of a style sheet."""
    folders = ("attn_parts", "attn_lessons", "attn_checks", "tools")
    files = [
        file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in (".py", ".css")
    ]
    named = re.compile(r"""["': ]#[0-9a-f]{3}(?:[0-9a-f]{3})?\b""")
    assert [path.name for path in files if named.search(path.read_text("utf-8"))] == ["colours.py"]
