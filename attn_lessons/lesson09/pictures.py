"""Lesson 09: what a gradient says about each word, and what steps against it have changed."""

import numpy as np

from attn_parts.colours import BLUE, INK, LIT, PAPER, ink_on, scale_around_zero
from attn_parts.formatting import listed, number
from attn_parts.heatmaps import Picture
from attn_parts.stills import panels


def plot_gradients(words, weights=None, **rows):
    """Draw rows of numbers, one per word, as bars; with `weights`, the mean that they give is a line.

    >>> plot_gradients(["chai", "hot"], weights=[0.5, 0.5], d_weights=[-2, 1])
    Picture: Bars. weights: chai 0.500, hot 0.500. d_weights: chai -2.000, hot 1.000; weighted mean -0.500.
    """
    shown = rows if weights is None else {"weights": weights, **rows}
    (figure, axes), told = panels(4.2 * len(shown), 2.6, len(shown)), []
    for ax, (name, row) in zip(axes, shown.items()):
        row = np.ravel(row)
        bars = ax.bar(
            range(len(words)),
            row,
            color=[LIT if value < 0 else BLUE for value in row],
        )
        numbers = [number(value) for value in row]
        ax.bar_label(bars, numbers, color=INK, padding=3, bbox={"color": PAPER, "pad": 0.5})
        ax.axhline(0, color=INK, linewidth=0.8)
        ax.set_xticks(range(len(words)), words, parse_math=False)
        ax.set_title(name)
        ax.margins(y=0.16)
        told.append(f"{name}: {listed(words, row, '{:.3f}'.format)}")
        if weights is not None and name != "weights":
            mean = float(np.ravel(weights) @ row)
            ax.axhline(mean, color=INK, linestyle="--", linewidth=1, zorder=0)
            ax.annotate(
                "weighted\nmean",
                (0, mean),
                (0, 4),
                textcoords="offset points",
                ha="center",
            )
            told[-1] += f"; weighted mean {mean:.3f}"
    return Picture(figure, f"Bars. {'. '.join(told)}.")


def plot_changes(change, words, columns):
    """Draw how much each number of some words has changed, one row per word, colours centred on 0.

    >>> plot_changes([[0, 0.5]], ["is"], ["thing", "description"])
    Picture: What has changed in each word. is: thing 0.00, description 0.50.
    """
    change = np.array(change, float)
    scale = scale_around_zero(change, label="change")
    figure, (ax,) = panels(7, 0.9 + 0.55 * len(words))
    image = ax.imshow(change, cmap=scale.colors, vmin=scale.low, vmax=scale.high, aspect="auto")
    inks = ink_on(image.cmap(image.norm(change))[..., :3])
    for i, j in np.ndindex(change.shape):
        ax.text(j, i, number(change[i, j]), ha="center", va="center", color=inks[i, j])
    ax.set_xticks(range(len(columns)), columns, parse_math=False)
    ax.set_yticks(range(len(words)), words, parse_math=False)
    ax.set_title("What has changed in each word", fontsize=10)
    told = [f"{word}: {listed(columns, row)}" for word, row in zip(words, change)]
    return Picture(figure, f"What has changed in each word. {'; '.join(told)}.")
