"""The static pictures of the lessons: matplotlib figures that display with their alternative text.

What isn't a matrix of real numbers, a list of names or a mask that fits raises a TypeError or
ValueError.
"""

import io
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from attn_parts.colours import (
    BLOCKED,
    FAINT,
    INK,
    LIT,
    PAPER,
    WEIGHTS,
    ink_on,
    scale_around_zero,
)
from attn_parts.formatting import PRINT_UP_TO, image_bundle, matrix_in_words, number
from attn_parts.validation import check_labels, check_matrix, check_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STAGES = ("Q, K, V", "QKᵀ", "÷ √d_k", "mask", "softmax", "· V")
NAMES_UP_TO = 48  # of more rows or columns only some names are written


class Picture:
    """A matplotlib figure that displays itself together with its alternative text, `alt`."""

    def __init__(self, figure: "Figure", alt: str):
        self.figure = figure
        self.alt = alt

    def __repr__(self):
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        buffer = io.BytesIO()
        # Software=None: the file must not depend on matplotlib's version string
        about = {"Software": None}
        self.figure.savefig(buffer, format="png", dpi=120, bbox_inches="tight", metadata=about)
        return image_bundle(buffer.getvalue(), "image/png", self.alt)


def show(figure: "Figure", alt: str) -> Picture:
    """Display a matplotlib figure with alternative text, a sentence or two: make it a cell's last line.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> lines = figure.add_subplot().plot([1, 4, 9])
    >>> show(figure, "A curve that grows faster and faster.")
    Picture: A curve that grows faster and faster.
    """
    import matplotlib.pyplot as plt

    if not isinstance(figure, plt.Figure):
        raise TypeError(
            f"show: expected a matplotlib figure, got {type(figure).__name__}; pass the first result of "
            "plt.subplots(), or ax.figure, and leave plt.show() out"
        )
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"show: alt is {alt!r}, expected a sentence that says what the picture shows")
    plt.close(figure)  # else the notebook would draw it a second time
    return Picture(figure, alt)


def plot_scores(
    scores: ArrayLike,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    *,
    mask: ArrayLike | None = None,
    title: str = "Scores QKᵀ",
    ax: "Axes | None" = None,
    source: str = "",
) -> Picture:
    """Draw a heatmap of scores: queries down the side, keys along the bottom, colours centred on 0.

    Parameters
    ----------
    scores : array_like, shape (L_q, L_k)
        One matrix; of a batch or several heads pick one first, `scores[0]`.
    queries, keys : sequence of str, optional
        Names of rows and columns; `keys` is `queries` if not given, positions if both are missing.
    mask : array_like of bool or float, shape (L_q, L_k), optional
        As in `scaled_dot_product_attention`. Blocked cells are drawn hatched; cells of -inf always are.
    title : str
    ax : matplotlib.axes.Axes, optional
        Where to draw; a figure of its own if not given. Of a figure with several such pictures
        the last one, as a cell's last line, shows and tells them all.
    source : str
        Where the numbers are from, written below: `source=example.source` says that they are random.

    Returns
    -------
    Picture

    Examples
    --------
    >>> plot_scores([[0, 6], [4, -2]], ["hot", "chai"])  # doctest: +ELLIPSIS
    Picture: Scores QKᵀ. 2 queries by 2 keys; largest score 6.00, hot → chai; smallest score -2.00, ...
    """
    scores, allowed = check_matrix("scores", scores, mask)
    scale = scale_around_zero(scores[allowed])
    return _plot_matrix(scores, allowed, (queries, keys), scale, title, ax, source)


def plot_attention(
    weights: ArrayLike,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    *,
    mask: ArrayLike | None = None,
    title: str = "Attention weights",
    ax: "Axes | None" = None,
    source: str = "",
) -> Picture:
    """Draw a heatmap of attention weights, colours from 0 to 1, and otherwise as in `plot_scores`.

    >>> plot_attention([[1, 0], [0.25, 0.75]], ["hot", "chai"])  # doctest: +ELLIPSIS
    Picture: Attention weights. 2 queries by 2 keys; largest weight 1.00, hot → hot; ...
    """
    weights, allowed = check_matrix("weights", weights, mask)
    check_weights("weights", weights, "scores go to plot_scores")
    return _plot_matrix(weights, allowed, (queries, keys), WEIGHTS, title, ax, source)


def plot_pipeline(step: str | None) -> Picture:
    """Draw the six steps of attention in a row, with one of STAGES highlighted, or all of them for None.

    >>> plot_pipeline("mask")
    Picture: The pipeline Q, K, V → QKᵀ → ÷ √d_k → mask → softmax → · V; the step mask is lit.
    """
    if step is not None and not (isinstance(step, str) and step in STAGES):
        raise ValueError(f"no step {step!r}; the steps are {', '.join(map(repr, STAGES))}")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 0.9))
    draw_pipeline(figure.add_axes((0, 0, 1, 1)), step)
    where = "all steps are lit" if step is None else f"the step {step} is lit"
    return Picture(figure, f"The pipeline {' → '.join(STAGES)}; {where}.")


def draw_pipeline(ax, step):
    """The six steps in a row on these axes, which they have to themselves."""
    ax.set(xlim=(-0.1, len(STAGES) - 0.1), ylim=(-0.5, 0.5))
    ax.axis("off")
    for place, name in enumerate(STAGES):
        fill, edge = (LIT, LIT) if step in (None, name) else (PAPER, FAINT)
        box = {"boxstyle": "round,pad=0.5", "facecolor": fill, "edgecolor": edge}
        ax.text(place + 0.4, 0, name, ha="center", va="center", fontsize=13, color=INK, bbox=box)
        if place:
            arrow = {"arrowstyle": "->", "color": FAINT}
            end = place + 0.02, 0
            start = place - 0.22, 0
            ax.annotate("", end, start, arrowprops=arrow)


def _plot_matrix(values, allowed, names, scale, title, ax, source):
    """Draw one matrix with both axes named; returns the Picture."""
    from matplotlib import colormaps

    queries, keys = names
    if keys is None:
        keys = queries
    queries = check_labels("queries", queries, len(values))
    keys = check_labels("keys", keys, values.shape[1])
    title = title or ""
    ax = _axes_for(ax, *values.shape)
    # a NaN stays white; the cells that are blocked are hatched below
    cmap = colormaps[scale.colors].with_extremes(bad=PAPER)
    shown = np.where(allowed, values, np.nan)
    image = ax.imshow(shown, cmap=cmap, vmin=scale.low, vmax=scale.high)
    ax.figure.colorbar(image, ax=ax, label=scale.label, fraction=0.046, pad=0.04)
    if not allowed.all():
        ax.add_patch(_hatched_cells(~allowed))
    if max(values.shape) <= PRINT_UP_TO:
        colors = image.cmap(image.norm(values))
        inks = ink_on(colors[..., :3])
        for i, j in np.argwhere(allowed):
            text = number(values[i, j])
            ax.text(j, i, text, ha="center", va="center", fontsize=9, color=inks[i, j])
    _name_axes(ax, queries, keys, source)
    ax.set_title(title, parse_math=False)
    words = matrix_in_words(values, allowed, queries, keys, scale.label)
    parts = title and f"{title}.", words, source and f"{source[:1].upper()}{source[1:]}."
    ax.told = " ".join(filter(None, parts))
    figure = ax.figure.figure  # of a subfigure the figure around it
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)  # else a figure made by plt.subplots would be shown a second time
    told = [panel.told for panel in figure.axes if hasattr(panel, "told")]
    return Picture(figure, " ".join(told))


def _name_axes(ax, queries, keys, source):
    """Names of rows and columns, and what they are; of very many only some."""
    flat = len(keys) <= 6 and max(map(len, keys)) <= 7  # longer names would run into one another
    across = math.ceil(len(keys) / NAMES_UP_TO)
    down = math.ceil(len(queries) / NAMES_UP_TO)
    # parse_math: a token may hold a $
    turn = 0 if flat else 90
    columns = range(0, len(keys), across)
    rows = range(0, len(queries), down)
    ax.set_xticks(columns, keys[::across], rotation=turn, parse_math=False)
    ax.set_yticks(rows, queries[::down], parse_math=False)
    ax.set(xlabel="key: is attended to" + (source and f"\n{source}"), ylabel="query: attends")


def _axes_for(ax, rows, columns):
    """The given axes, or those of a new figure large enough for the cells."""
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    if ax is None:
        width = 1.8 + 0.62 * min(columns, 12)
        height = 1.3 + 0.55 * min(rows, 12)
        return Figure(figsize=(width, height)).add_subplot()
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes, got {type(ax).__name__}; of several pick one, axes[0], "
            "and of a figure make one, figure.add_subplot()"
        )
    return ax


def _hatched_cells(blocked):
    """Grey, hatched squares over all blocked cells in one mark: blocked must not look like 0."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    runs = []  # neighbours in a row are one rectangle
    padded = np.pad(blocked, ((0, 0), (1, 1)))
    for i, change in enumerate(np.diff(padded.astype(int))):
        starts = np.flatnonzero(change > 0)
        ends = np.flatnonzero(change < 0)
        for a, b in zip(starts, ends, strict=True):
            corners = np.array([(a, i), (b, i), (b, i + 1), (a, i + 1), (a, i)])
            runs.append(Path(corners - 0.5, closed=True))  # cells reach half to each side of their number
    path = Path.make_compound_path(*runs)
    return PathPatch(path, facecolor=BLOCKED, edgecolor=FAINT, hatch="////", linewidth=0)
