"""Static pictures: what stands on the axes, in the cells and in the alternative text."""

import html
import itertools
import pathlib
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

import attn_helpers as attn
from attn_parts.colours import INK, PAPER, color_table
from attn_parts.formatting import from_matplotlib, number_told, text_width
from course import ROOT

TOKENS = ["The", "chai", "is", "hot"]
ROWS = [[2, -3.5, 0.25, 1], [0, 1.5, -0.5, 3], [4, 0.1, 0.2, 0.3], [1, 1, -1, 2.5]]
SCORES = np.array(ROWS)


def weights(causal=False, length=4):
    scores = np.resize(SCORES, (length, length))
    if causal:
        scores = np.where(attn.causal_mask(length), scores, -np.inf)
    return attn.softmax(scores)


def heatmap(picture):
    """(axes of the matrix, axes of the colour bar, the image)."""
    matrix, bar = picture.figure.axes
    return matrix, bar, matrix.images[0]


def cells(axes):
    """{(row, column): printed text}."""
    found = {}
    for text in axes.texts:
        column, row = map(round, text.get_position())
        found[row, column] = text.get_text()
    return found


def hatched(axes):
    """{(row, column)} of the cells whose middle lies in a hatched mark."""
    found = set()
    paths = [patch.get_path() for patch in axes.patches if patch.get_hatch()]
    for outline in itertools.chain(*[path.to_polygons() for path in paths]):
        left, bottom = outline.min(axis=0)
        right, top = outline.max(axis=0)
        for i, j in np.ndindex(axes.images[0].get_array().shape):
            if left < j < right and bottom < i < top:
                found.add((i, j))
    return found


def words_on(labels):
    return [label.get_text() for label in labels]


@pytest.fixture(autouse=True)
def no_figure_is_left_open():
    yield
    assert plt.get_fignums() == []


@pytest.mark.parametrize("plot", [attn.plot_scores, attn.plot_attention])
def test_queries_down_the_side_keys_along_the_bottom_row_0_on_top(plot):
    matrix, _, image = heatmap(plot(weights()[:3], TOKENS[:3], TOKENS))
    assert "query" in matrix.get_ylabel()
    assert "key" in matrix.get_xlabel()
    assert words_on(matrix.get_yticklabels()) == TOKENS[:3]
    assert words_on(matrix.get_xticklabels()) == TOKENS
    assert image.get_array().shape == (3, 4)
    bottom, top = matrix.get_ylim()
    assert top < bottom
    assert words_on(plot(weights()).figure.axes[0].get_yticklabels()) == list("0123")


def test_blocked_cells_are_hatched_and_print_nothing():
    allowed = {(i, j) for i, j in np.ndindex(4, 4) if j <= i}
    for picture in (
        attn.plot_attention(weights(causal=True), TOKENS, mask=attn.causal_mask(4)),
        attn.plot_scores(SCORES, TOKENS, mask=attn.causal_mask(4)),
        attn.plot_scores(np.where(attn.causal_mask(4), SCORES, -np.inf), TOKENS),
    ):
        matrix, _, _ = heatmap(picture)
        assert hatched(matrix) == set(np.ndindex(4, 4)) - allowed
        assert set(cells(matrix)) == allowed
        assert "6 of 16 pairs blocked" in picture.alt
    nothing = np.zeros((2, 3))
    picture = attn.plot_attention(nothing, mask=nothing > 0)
    assert len(hatched(picture.figure.axes[0])) == 6
    assert "no query may look at any key" in picture.alt


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            [[np.nan, 1], [2, 3]],
            "smallest score 1.00, 0 → 1; NaN or infinite: 1.",
        ),
        (
            [[np.inf, 1], [0, 0]],
            "largest score 1.00, 0 → 1; smallest score 0.00, 1 → 0; NaN or infinite: 1.",
        ),
        (
            [[np.nan, np.nan]],
            "1 query by 2 keys; NaN or infinite: 2.",
        ),
        ([[0.0, -0.0]], "smallest score 0.00"),
        ([[1e308, -1.7e308]], "largest score 1e+308"),
    ],
)
def test_alternative_text_of_odd_numbers(values, words):
    picture = attn.plot_scores(values)
    assert words in picture.alt
    picture._repr_mimebundle_()
    assert not hatched(picture.figure.axes[0]), "a NaN is not a blocked cell"


def test_tokens_and_titles_are_no_formulas():
    picture = attn.plot_attention(np.eye(2), ["costs $5 or $10"] * 2, title=r"$\bar")
    assert "largest weight 1.00, costs $5 or $10 (1) → costs $5 or $10 (1)" in picture.alt
    picture._repr_mimebundle_()
    matrix = picture.figure.axes[0]
    drawn = [*matrix.get_xticklabels(), *matrix.get_yticklabels(), matrix.title]
    assert not any(text.get_parse_math() for text in drawn)


def test_show_closes_the_figure_and_keeps_the_words():
    figure, axes = plt.subplots()
    axes.plot([1, 2])
    picture = attn.show(figure, 'Two points, "a" < "b".')
    assert picture.figure is figure
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == picture.alt
    assert html.unescape(re.search(r'alt="([^"]*)"', bundle["text/html"])[1]) == picture.alt
    assert repr(picture) == f"Picture: {picture.alt}"


def test_widths_and_colours_kept_beside_the_code_are_matplotlibs():
    stored = from_matplotlib()
    for key, file in (("plain", "DejaVuSans.ttf"), ("bold", "DejaVuSans-Bold.ttf")):
        font = FT2Font(str(pathlib.Path(matplotlib.get_data_path(), "fonts", "ttf", file)))
        font.set_size(100, 72)
        for letter in map(chr, font.get_charmap()):
            drawn = font.load_char(ord(letter)).linearHoriAdvance / 65536 / 100
            assert text_width(letter, 1, bold=key == "bold") == drawn, (file, letter)
        assert len("".join(stored[key].values())) == len(font.get_charmap())
    for name in stored.keys() - {"plain", "bold"}:
        shown = matplotlib.colormaps[name](np.arange(256), bytes=True)[:, :3]
        assert stored[name] == shown.tobytes().hex()


@pytest.mark.parametrize("name", ["cividis", "RdBu_r", "Greys"])
def test_numbers_read_on_every_colour(name):
    """A contrast of 4.5 or more, by WCAG's formula, in black only where neither of the usual inks has it."""

    def light(color):
        share = np.array(list(bytes.fromhex(color[1:]))) / 255
        linear = np.where(
            share <= 0.04045,
            share / 12.92,
            ((share + 0.055) / 1.055) ** 2.4,
        )
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    def contrast(one, other):
        return max(light(one), light(other)) / min(light(one), light(other))

    for fill, ink in zip(*color_table(name), strict=True):
        assert contrast(fill, ink) >= 4.5
        assert ink in (INK, PAPER) or max(contrast(fill, INK), contrast(fill, PAPER)) < 4.5


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (1 / 300, "0.0033"),
        (0.25, "0.25"),
        (0, "0.00"),
        (-2e-5, "-2e-05"),
    ],
)
def test_small_weights_are_told_in_digits_that_count(value, told):
    assert number_told(value) == told
    flat = attn.plot_attention(np.full((2, 300), 1 / 300))
    assert "largest weight 0.0033" in flat.alt


def test_blocked_cells_are_one_mark_however_many_they_are():
    causal = weights(causal=True, length=64)
    matrix, _, _ = heatmap(attn.plot_attention(causal, mask=attn.causal_mask(64)))
    assert len(matrix.patches) == 1
    assert len(hatched(matrix)) == 64 * 63 // 2
    scattered = np.random.default_rng(0).random((7, 9)) < 0.5
    matrix, _, _ = heatmap(attn.plot_scores(np.zeros((7, 9)), mask=scattered))
    assert hatched(matrix) == set(zip(*np.nonzero(~scattered), strict=True))


def test_several_panels_of_pyplot_are_told_together_and_shown_once():
    _, (left, right) = plt.subplots(1, 2)
    attn.plot_scores(SCORES, TOKENS, ax=left, title="Left")
    picture = attn.plot_attention(
        weights(),
        TOKENS,
        ax=right,
        title="Right",
    )
    assert plt.get_fignums() == []  # pyplot would show what it still holds
    assert re.match(r"Left\. 4 queries.* Right\. 4 queries", picture.alt)
    figure = Figure()
    half, _ = figure.subfigures(1, 2)
    assert attn.plot_attention(weights(), ax=half.add_subplot()).figure is figure


def test_a_source_is_written_and_told():
    picture = attn.plot_scores(
        SCORES,
        TOKENS,
        source="random numbers (seed 5)",
        title=None,
    )
    matrix, _, _ = heatmap(picture)
    assert matrix.get_xlabel().endswith("\nrandom numbers (seed 5)")
    assert matrix.get_title() == ""
    assert picture.alt.startswith("4 queries")
    assert picture.alt.endswith(" Random numbers (seed 5).")


def test_every_colour_is_named_in_one_file():
    """Pages, slides and reports have theirs from attn_parts/colours.py, as variables of a style sheet."""
    folders = ("attn_parts", "attn_lessons", "attn_checks", "tools")
    files = [
        file for folder in folders for kind in ("py", "css") for file in (ROOT / folder).rglob(f"*.{kind}")
    ]
    named = re.compile(r"""["': ]#[0-9a-f]{3}(?:[0-9a-f]{3})?\b""")
    assert [path.name for path in files if named.search(path.read_text("utf-8"))] == ["colours.py"]
