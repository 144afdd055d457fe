"""Lesson 06: the pictures that are questioned, drawn here so that no cell gives the fault away."""

import numpy as np

from attn_lessons.lesson00.explorer import draw_scale, draw_words, stored_heads
from attn_lessons.lesson00.pictures import CardsPicture
from attn_lessons.lesson02.pictures import panels
from attn_parts.colours import BLUE, FAINT, LIT, WEIGHT_COLORS
from attn_parts.example import load_example
from attn_parts.formatting import listed
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
    ax.spines[:].set_visible(True)


def _weights(mask=None, temperature=1.0):
    tokens, X, W_Q, W_K, W_V = load_example()
    return tokens, self_attention(X, W_Q / temperature, W_K, W_V, mask)[1]


def _two_matrices():
    """The running example, and the same scores divided by 100, each in the colours that it fills."""
    (figure, axes), told = panels(8.6, 3.4, 2), []
    for ax, title, temperature in zip(axes, "AB", (1.0, 100.0), strict=True):
        tokens, weights = _weights(temperature=temperature)
        _plain_heatmap(ax, weights, tokens, title)
        told.append(f"{title}: the colour bar runs from {weights.min():.3f} to {weights.max():.3f}")
    return Picture(
        figure,
        f"Two heatmaps of The, chai, is, hot that look almost the same, hot → chai lightest in both. {'; '.join(told)}.",
    )


def _dark_cells():
    """Causal weights of the running example, with blocked cells drawn as zeros."""
    figure, (ax,) = panels(4.2, 3.4)
    tokens, weights = _weights(causal_mask(4))
    _plain_heatmap(ax, weights, tokens, vmin=0, vmax=1)
    bright = (f"{tokens[i]} → {tokens[j]} {weights[i, j]:.1f}" for i, j in np.argwhere(weights > 0.2))
    return Picture(
        figure,
        f"A heatmap of the running example without numbers in its cells, the colour bar from 0 to 1. "
        f"Bright or half bright: {', '.join(bright)}. All others are dark.",
    )


def _a_and_b():
    """What *it* looks at in the five sentences, (5, 8): in a head by luck and in one that has learned, as stored."""
    by_luck, *_ = run_head(start_head(LUCKY_SEED), pronoun_sentences(unseen=True)[0])
    return by_luck, np.array(stored_heads()["heads"]["looks"]["weights"][-1])


def _two_heads():
    """What *it* looks at after "The chai is hot", in the heads A and B; no numbers yet."""
    words = stored_heads()["sentences"][0]
    drawing = Drawing(620, 318, "What “it” looks at, in two heads")
    for title, top, weights in zip("AB", (8, 166), _a_and_b(), strict=True):
        drawing.text(14, top + 16, title, font=18, bold=True)
        draw_words(drawing, top + 106, words, weights[0], numbers=False)
    draw_scale(drawing, 440, 16)
    return CardsPicture(
        drawing,
        "Two rows, A and B, of the words The chai is hot so we let it, with an arc from it to each word. "
        "In both the arc to chai is thick and its box dark, and all others are faint.",
    )


def _five_nouns():
    """How much of its attention *it* gives to the noun, in five sentences, in the heads A and B."""
    figure, (ax,) = panels(7.6, 3)
    ax.spines[:].set_visible(True)
    places, told = np.arange(len(NOUNS)), []
    for shift, label, color, weights in zip((-0.2, 0.2), "AB", (FAINT, BLUE), _a_and_b(), strict=True):
        bars = ax.bar(places + shift, weights[:, 1], 0.38, label=label, color=color)
        ax.bar_label(bars, fmt="%.2f", fontsize=9, padding=2, bbox=ON_WHITE)
        told.append(f"{label}: {listed(NOUNS, weights[:, 1])}")
    ax.axhline(1 / 8, color=LIT, linestyle="--", label="1/8: uniform", zorder=0)
    ax.set_xticks(places, [f"the {noun} …\nlet it" for noun in NOUNS])
    ax.set(ylim=(0, 1.08), ylabel="weight on the noun")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    alt = f"Bars: how much “it” attends to the noun. {'; '.join(told)}. Uniform would be 0.125."
    return Picture(figure, alt)


CASES = {
    "two heads": _two_heads,
    "two matrices": _two_matrices,
    "dark cells": _dark_cells,
    "two heads again": _five_nouns,
}
