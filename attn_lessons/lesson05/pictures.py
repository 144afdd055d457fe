"""Lesson 05: the outputs of attention on a plane, between the values they are made of."""

import numpy as np

from attn_parts.colours import BLOCKED, LIT, VALUE
from attn_parts.formatting import number
from attn_parts.heatmaps import Picture


def plot_outputs(values, outputs, tokens, features):
    """Draw values of width 2 as squares, outputs as dots, and all that a weighted mean can reach.

    >>> plot_outputs([[0, 0], [4, 1]], [[2, 0.5], [1, 0.25]], ["The", "chai"], ["drink", "warm"]).alt[-64:]
    'chai contributes (4.00, 1.00) and holds (1.00, 0.25) afterwards.'
    """
    from matplotlib.figure import Figure

    (across, up), values, outputs = (
        features,
        np.array(values, float),
        np.array(outputs, float),
    )
    ax = Figure(figsize=(5.6, 4.4)).add_subplot(xlabel=across, ylabel=up)
    ax.spines[["top", "right"]].set_visible(False)
    places, told = {}, []  # words with the same value share a square
    for token, value in zip(tokens, values.tolist()):
        places.setdefault(tuple(value), []).append(token)
    for place, words in places.items():
        label = f"value of {' and '.join(words)}"
        ax.plot(*place, "s", color=VALUE, markersize=11)
        ax.annotate(label, place, (9, 9), textcoords="offset points", color=VALUE)
    ax.fill(*_corners(values).T, color=BLOCKED, alpha=0.5, zorder=0)
    held_by = {}  # words with the same output share a dot
    for token, output in zip(tokens, outputs.round(6).tolist()):
        held_by.setdefault(tuple(output), []).append(token)
    for output, value, token in zip(outputs, values, tokens):
        ax.plot(*output, "o", markersize=8, color=LIT)
        words = held_by[tuple(output.round(6).tolist())]
        order = np.argsort(np.linalg.norm(outputs - output, axis=-1))
        nearest = outputs[order[min(1, len(outputs) - 1)]]  # the output itself if it is alone
        up_or_down = 9 if output[1] >= nearest[1] else -17
        held, given = (", ".join(map(number, vector)) for vector in (output, value))
        told.append(f"{token} contributes ({given}) and holds ({held}) afterwards")
        label = " and ".join(words) if token == words[0] else ""
        ax.annotate(
            label,
            output,
            (0, up_or_down),
            textcoords="offset points",
            ha="center",
            weight="bold",
        )
    ax.margins(0.2, 0.14)
    ax.set_title(
        "What each word contributes (■) and what it holds afterwards (●)",
        fontsize=10,
    )
    return Picture(
        ax.figure,
        f"Values and outputs in the plane of {across} and {up}. {'; '.join(told)}.",
    )


def _corners(points):
    """Find the points that a line around all of them would touch, in order (Andrew's monotone chain)."""
    ordered = np.unique(points, axis=0)
    sides = []
    for side in (ordered, ordered[::-1]):
        chain = []
        for point in side:
            while (
                len(chain) > 1
                and np.linalg.det(
                    [
                        chain[-1] - chain[-2],
                        point - chain[-2],
                    ]
                )
                <= 0
            ):
                chain.pop()
            chain.append(point)
        sides += chain[:-1]
    return np.array(sides or ordered)
