"""Lesson 05: the outputs of attention on a plane, between the values they are made of."""

import numpy as np

from attn_parts.colours import BLOCKED, LIT, VALUE
from attn_parts.formatting import number
from attn_parts.heatmaps import Picture


def plot_outputs(values, outputs, tokens, features):
    """Draw values of width 2 as squares, the output of each token as a dot, and all that a weighted mean can reach.

    >>> plot_outputs([[0, 0], [4, 1]], [[2, 0.5], [1, 0.25]], ["The", "chai"], ["drink", "warm"])
    Picture: Values and outputs in the plane of drink and warm. The contributes (0.00, 0.00) and holds (2.00, 0.50) afterwards; chai contributes (4.00, 1.00) and holds (1.00, 0.25) afterwards.
    """
    (across, up), values, outputs = features, np.array(values, float), np.array(outputs, float)
    ax = _plane_of(values, tokens, (across, up))
    ax.fill(*_corners(values).T, color=BLOCKED, alpha=0.5, zorder=0)
    for output, token in zip(outputs, tokens, strict=True):
        ax.plot(*output, "o", markersize=8, color=LIT)
        up_or_down = 9 if output[1] >= _nearest(output, outputs)[1] else -17
        ax.annotate(token, output, (0, up_or_down), textcoords="offset points", ha="center", weight="bold")
    ax.margins(0.2, 0.14)
    ax.set_title("What each word contributes (■) and what it holds afterwards (●)", fontsize=10)
    return Picture(ax.figure, _in_words(values, outputs, tokens, across, up))


def _plane_of(values, tokens, features):
    """Axes with a square at each value, named after its tokens."""
    from matplotlib.figure import Figure

    ax = Figure(figsize=(5.6, 4.4)).add_subplot(xlabel=features[0], ylabel=features[1])
    places = {}  # words with the same value share a square
    for token, value in zip(tokens, values.tolist(), strict=True):
        places.setdefault(tuple(value), []).append(token)
    for place, words in places.items():
        label = f"value of {' and '.join(words)}"
        ax.plot(*place, "s", color=VALUE, markersize=11)
        ax.annotate(label, place, (9, 9), textcoords="offset points", color=VALUE)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _corners(points):
    """Find the points that a line drawn around all of them would touch, in order (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points)))
    sides = []
    for side in (ordered, ordered[::-1]):
        chain = []
        for point in side:
            while (
                len(chain) > 1
                and np.linalg.det([np.subtract(chain[-1], chain[-2]), np.subtract(point, chain[-2])]) <= 0
            ):
                chain.pop()
            chain.append(point)
        sides += chain[:-1]
    return np.array(sides or ordered)


def _nearest(point, points):
    """Find the other point that is closest to this one, or the point itself if it is alone."""
    distance = np.linalg.norm(points - point, axis=-1)
    return points[np.argsort(distance)[min(1, len(points) - 1)]]


def _in_words(values, outputs, tokens, across, up):
    parts = [
        f"{token} contributes ({number(value[0])}, {number(value[1])}) and holds ({number(output[0])}, {number(output[1])}) afterwards"
        for token, value, output in zip(tokens, values, outputs, strict=True)
    ]
    return f"Values and outputs in the plane of {across} and {up}. {'; '.join(parts)}."
