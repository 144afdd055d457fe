"""Lesson 01: values and mixes of them on a plane."""

from attn_parts.colours import BLUE, INK, VALUE
from attn_parts.formatting import number
from attn_parts.heatmaps import Picture


def plot_mixes(values, tokens, mixes, labels):
    """Values of width 2 as squares, and mixes of them as dots on a line.

    >>> plot_mixes([[4, 1], [0, 4]], ["chai", "hot"], [[2, 2.5]], ["mean"])
    Picture: Values and mixes of them, drink to the right, warm upwards. Values: chai (4, 1), hot (0, 4). Mixes: mean (2.00, 2.50).
    """
    ax, places = plane_of(values, tokens, ("drink", "warm"), (6.2, 3.6))
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


def plane_of(values, tokens, features, size):
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
