"""What attention mixes, as places on a plane: the values that go in, and what lies between them."""

from collections.abc import Sequence

import numpy as np

from attn_parts.colours import BLOCKED, BLUE, INK, LIT, VALUE
from attn_parts.heatmaps import Picture
from attn_parts.picture_refusals import as_table, check_labels
from attn_parts.words import number


def plot_mixes(values, tokens: Sequence[str], mixes, labels: Sequence[str]) -> Picture:
    """Values of width 2 as squares, and mixes of them as dots on a line.

    Parameters
    ----------
    values : array_like, shape (L_k, 2)
        One value a word: drink, warm.
    tokens : sequence of str
        The words whose values they are.
    mixes : array_like, shape (n, 2)
        Weighted means of the values, in the order in which the line runs.
    labels : sequence of str
        What stands beside each mix.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError, ValueError
        If an array is not of shape (…, 2), or there are more or fewer names than rows.

    Examples
    --------
    >>> plot_mixes([[4, 1], [0, 4]], ["chai", "hot"], [[2, 2.5]], ["mean"])
    Picture: Values and mixes of them, drink to the right, warm upwards. Values: chai (4, 1), hot (0, 4). Mixes: mean (2.00, 2.50).
    """
    values, mixes = as_table("values", values, 2), as_table("mixes", mixes, 2)
    tokens, labels = check_labels("tokens", tokens, len(values)), check_labels("labels", labels, len(mixes))
    ax, places = _plane_of(values, tokens, ("drink", "warm"), (6.2, 3.6))
    ax.plot(*zip(*mixes, strict=True), "o-", color=BLUE)
    for mix, label in zip(mixes, labels, strict=True):
        ax.annotate(label, mix, (0, -16), textcoords="offset points", ha="center", color=INK)
    ax.set(xlim=(-0.4, 5.4), ylim=(-0.6, 4.8))
    squares = ", ".join(f"{' and '.join(words)} ({x:.3g}, {y:.3g})" for (x, y), words in places.items())
    dots = ", ".join(
        f"{label} ({number(x)}, {number(y)})" for label, (x, y) in zip(labels, mixes, strict=True)
    )
    return Picture(
        ax.figure,
        f"Values and mixes of them, drink to the right, warm upwards. Values: {squares}. Mixes: {dots}.",
    )


def plot_outputs(values, outputs, tokens: Sequence[str], features: Sequence[str]) -> Picture:
    """Values of width 2 as squares, the output of each token as a dot, and all that a weighted mean can reach.

    Parameters
    ----------
    values, outputs : array_like, shape (L, 2)
        V, and weights·V.
    tokens : sequence of str
        L names.
    features : sequence of str
        Names of the two columns.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError, ValueError
        If an array is not of shape (L, 2), or there are more or fewer names than rows or columns.

    Examples
    --------
    >>> plot_outputs([[0, 0], [4, 1]], [[2, 0.5], [1, 0.25]], ["The", "chai"], ["drink", "warm"])
    Picture: Values and outputs in the plane of drink and warm. The hands over (0.00, 0.00) and holds (2.00, 0.50) afterwards; chai hands over (4.00, 1.00) and holds (1.00, 0.25) afterwards.
    """
    values = as_table("values", values, 2)
    outputs = as_table("outputs", outputs, 2, rows=len(values))
    tokens = check_labels("tokens", tokens, len(values))
    across, up = check_labels("features", features, 2)
    ax, _ = _plane_of(values, tokens, (across, up), (5.6, 4.4))
    ax.fill(*_corners(values).T, color=BLOCKED, alpha=0.5, zorder=0)
    for output, token in zip(outputs, tokens, strict=True):
        ax.plot(*output, "o", markersize=8, color=LIT)
        up_or_down = 9 if output[1] >= _nearest(output, outputs)[1] else -17
        ax.annotate(token, output, (0, up_or_down), textcoords="offset points", ha="center", weight="bold")
    ax.margins(0.2, 0.14)
    ax.set_title("What each word hands over (■) and what it holds afterwards (●)", fontsize=10)
    return Picture(ax.figure, _in_words(values, outputs, tokens, across, up))


def _plane_of(values, tokens, features, size):
    """Axes with a square at each value, and which tokens have it."""
    from matplotlib.figure import Figure

    ax = Figure(figsize=size).add_subplot(xlabel=features[0], ylabel=features[1])
    places = {}  # words with the same value share a square
    for token, value in zip(tokens, values, strict=True):
        places.setdefault(tuple(float(entry) for entry in value), []).append(token)
    for (x, y), words in places.items():
        ax.plot(x, y, "s", color=VALUE, markersize=11)
        ax.annotate(
            f"value of {' and '.join(words)}", (x, y), (9, 9), textcoords="offset points", color=VALUE
        )
    ax.spines[["top", "right"]].set_visible(False)
    return ax, places


def _corners(points):
    """The points that a line drawn round all of them would touch, in order (Andrew's monotone chain)."""
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
    """Of the other points the one closest to this, or itself if it is alone."""
    distance = np.linalg.norm(points - point, axis=-1)
    return points[np.argsort(distance)[min(1, len(points) - 1)]]


def _in_words(values, outputs, tokens, across, up):
    parts = [
        f"{token} hands over ({number(value[0])}, {number(value[1])}) and holds ({number(output[0])}, {number(output[1])}) afterwards"
        for token, value, output in zip(tokens, values, outputs, strict=True)
    ]
    return f"Values and outputs in the plane of {across} and {up}. {'; '.join(parts)}."
