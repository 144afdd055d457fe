"""Lesson 06: the pictures that are questioned, drawn here so that no cell gives the fault away."""

import numpy as np

from attn_lessons.lesson00.explorer import draw_scale, draw_words
from attn_lessons.lesson00.pictures import CardsPicture
from attn_parts.colours import BLUE, FAINT, LIT, WEIGHT_COLORS
from attn_parts.example import load_data, load_example
from attn_parts.formatting import number
from attn_parts.heatmaps import Picture
from attn_parts.learning import NOUNS, pronoun_sentences, run_head, start_head
from attn_parts.mathematics import causal_mask, self_attention
from attn_parts.svg import Drawing

ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}  # so that no line strikes a number through
LUCKY_SEED = 257  # of 2,000 draws the one in which a head that has learned nothing looks most at chai


def plot_case(name):
    """One of the pictures that lesson 06 asks about: "two heads", "two heads again", "two matrices" or "dark cells"."""
    return CASES[name]()


def _plain_heatmap(ax, cells, tokens, title="", **limits):
    """A heatmap as matplotlib draws it: its own limits unless some are given, no numbers in the cells."""
    image = ax.imshow(cells, cmap=WEIGHT_COLORS, **limits)
    ax.figure.colorbar(image, ax=ax, label="weight", fraction=0.046, pad=0.04)
    ax.set_xticks(range(len(tokens)), tokens)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set(xlabel="key", ylabel="query", title=title)


def _figure(width, height, panels):
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").subplots(1, panels, squeeze=False)[0]


def _weights(mask=None, temperature=1.0):
    tokens, X, W_Q, W_K, W_V = load_example()
    return tokens, self_attention(X, W_Q / temperature, W_K, W_V, mask)[1]


def _two_matrices():
    """The running example, and the same scores divided by 100, each in the colours that it fills."""
    axes = _figure(8.6, 3.4, 2)
    told = []
    for ax, title, temperature in zip(axes, "AB", (1.0, 100.0), strict=True):
        tokens, weights = _weights(temperature=temperature)
        _plain_heatmap(ax, weights, tokens, title)
        told.append(f"{title}: the colour bar runs from {weights.min():.3f} to {weights.max():.3f}")
    return Picture(
        axes[0].figure,
        f"Two heatmaps of The, chai, is, hot that look almost the same, hot → chai lightest in both. {'; '.join(told)}.",
    )


def _dark_cells():
    """Causal weights of the running example, with blocked cells drawn as zeros."""
    (ax,) = _figure(4.2, 3.4, 1)
    tokens, weights = _weights(causal_mask(4))
    _plain_heatmap(ax, weights, tokens, vmin=0, vmax=1)
    bright = (
        f"{tokens[i]} → {tokens[j]} {number(weights[i, j], 1)}"
        for i, j in zip(*np.nonzero(weights > 0.2), strict=True)
    )
    return Picture(
        ax.figure,
        f"A heatmap of the running example without numbers in its cells, the colour bar from 0 to 1. "
        f"Bright or half bright: {', '.join(bright)}. All others are dark.",
    )


def _learned():
    """What *it* looks at in the five sentences after training, (5, 8), as stored."""
    return np.array(load_data("pronoun_head")["heads"]["looks"]["weights"][-1])


def _drawn_by_luck():
    return run_head(start_head(LUCKY_SEED), pronoun_sentences(unseen=True)[0])[0]


def _two_heads():
    """What *it* looks at after "The chai is hot", in a head by luck and in one that has learned; no numbers yet."""
    words = load_data("pronoun_head")["sentences"][0]
    drawing = Drawing(620, 318, "What “it” looks at, in two heads")
    for title, top, weights in (("A", 8, _drawn_by_luck()[0]), ("B", 166, _learned()[0])):
        drawing.text(14, top + 16, title, font=18, bold=True)
        draw_words(drawing, top + 106, words, weights, numbers=False)
    draw_scale(drawing, 440, 16)
    return CardsPicture(
        drawing,
        "Two rows, A and B, of the words The chai is hot so we let it, with an arc from it to each word. "
        "In both the arc to chai is thick and its box dark, and all others are faint.",
    )


def _five_nouns():
    """How much of its attention *it* gives to the noun, in five sentences, in the heads A and B."""
    (ax,) = _figure(7.6, 3, 1)
    places, told = np.arange(len(NOUNS)), []
    heads = (-0.2, "A", FAINT, _drawn_by_luck()), (0.2, "B", BLUE, _learned())
    for shift, label, color, weights in heads:
        bars = ax.bar(places + shift, weights[:, 1], 0.38, label=label, color=color)
        ax.bar_label(bars, fmt="%.2f", fontsize=9, padding=2, bbox=ON_WHITE)
        pairs = zip(NOUNS, weights[:, 1], strict=True)
        told.append(f"{label}: {', '.join(f'{noun} {number(weight)}' for noun, weight in pairs)}")
    ax.axhline(1 / 8, color=LIT, linestyle="--", label="1/8: uniform", zorder=0)
    ax.set_xticks(places, [f"the {noun} …\nlet it" for noun in NOUNS])
    ax.set(ylim=(0, 1.08), ylabel="weight on the noun")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    return Picture(
        ax.figure, f"Bars: how much “it” attends to the noun. {'; '.join(told)}. Uniform would be 0.125."
    )


CASES = {
    "two heads": _two_heads,
    "two matrices": _two_matrices,
    "dark cells": _dark_cells,
    "two heads again": _five_nouns,
}
