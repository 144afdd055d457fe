"""Lesson 07: columns split into two heads and concatenated again, and a puzzle to send."""

import textwrap

import numpy as np

from attn_parts.colours import BLOCKED, FAINT, HEADS, INK, LIT, PAPER
from attn_parts.formatting import listed, number
from attn_parts.heatmaps import Picture
from attn_parts.stills import panels
from attn_parts.validation import as_floats, check_labels

ROWS, CELL = 4, 0.4


def plot_heads():
    """Draw how the columns of Q, K and V are split into two heads, concatenated, and multiplied by W_O."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 2.7))
    ax = figure.add_axes([0, 0, 1, 1], xlim=(0, 18), ylim=(0, 5.4))
    ax.axis("off")
    first, second = HEADS[:2]
    _block(ax, 0.6, 1.8, [first, first, second, second], "Q, K, V\neach like this")
    _arrow(ax, (2.5, 2.6), (3.9, 3.9), "split")
    _arrow(ax, (2.5, 2.6), (3.9, 1.3))
    for head, (color, y) in enumerate(((first, 3.1), (second, 0.5))):
        _block(ax, 4.2, y, [color] * 2)
        ax.text(4.6, y + 1.8, f"head {head}", ha="center", color=color, weight="bold")
        middle = y + ROWS * CELL / 2
        _arrow(ax, (5.2, middle), (5.9, middle))
        box = {
            "boxstyle": "round,pad=0.5",
            "facecolor": PAPER,
            "edgecolor": color,
            "linewidth": 2,
        }
        ax.text(
            7.5,
            middle,
            "softmax(QKᵀ/√d_k)·V",
            ha="center",
            va="center",
            color=INK,
            fontsize=10,
            bbox=box,
        )
        _arrow(ax, (9.2, middle), (10.2, 2.6))
    _block(ax, 10.6, 1.8, [first, first, second, second], "concatenated")
    _arrow(ax, (12.5, 2.6), (14.4, 2.6), "· W_O")
    _block(ax, 14.8, 1.8, [BLOCKED] * 6, "output, as wide\nas an embedding")
    return Picture(
        figure,
        "The columns of Q, K and V are split into two heads, blue and green, and a row is still a word. Each "
        "head computes its own softmax(QKᵀ/√d_k)·V. Their outputs are concatenated, blue columns beside "
        "green ones, and W_O turns them into an output as wide as an embedding.",
    )


def plot_puzzle(sentences, got, looks_for, meanings):
    """Draw a puzzle to send: two sentences, and what one head and then two heads got from one of them.

    Parameters
    ----------
    sentences : two pairs of words, and their values (L, n)
    got : array_like (3, n)
        What one head got from the secret sentence, and what each of two heads got.
    looks_for : two names, of what each of the two heads looks for
    meanings : n names, of the columns of the values

    >>> sentences = (["I", "saw", "him"], np.eye(3)), (["He", "saw", "me"], np.eye(3)[::-1])
    >>> plot_puzzle(sentences, np.eye(3), ["who sees", "who is seen"], ["me", "you", "him"]).alt[-66:]
    'A head that looks for who is seen got me 0.00, you 0.00, him 1.00.'
    """
    (got,), _ = as_floats("h n", got=got)
    meanings = check_labels("meanings", meanings, got.shape[1])
    looks_for = check_labels("looks_for", looks_for, 2)
    heads = [
        "One head got",
        *(f"A head that looks for {each} got" for each in looks_for),
    ]
    lines = ["Which of the two was read?"]
    lines += [f"{name}: {_with_values(*each, meanings)}" for name, each in zip("AB", sentences)]
    figure, axes = panels(9, 3.6, len(heads), sharey=True)
    for ax, head, numbers, color in zip(axes, heads, got, (LIT, *HEADS)):
        bars = ax.bar(range(len(meanings)), numbers, width=0.45, color=color)
        ax.set_xticks(range(len(meanings)), meanings, parse_math=False)
        ax.bar_label(bars, [number(each) for each in numbers], color=INK, padding=2)
        ax.set_title(textwrap.fill(head, 28), fontsize=11, parse_math=False)
        ax.margins(y=0.18)
    figure.suptitle(
        "\n".join(textwrap.fill(line, 100) for line in lines),
        fontsize=11,
        parse_math=False,
    )
    told = [f"{head} {listed(meanings, numbers)}." for head, numbers in zip(heads, got)]
    return Picture(figure, " ".join([lines[0], *(f"{line}." for line in lines[1:]), *told]))


def _with_values(words, values, meanings):
    """A sentence, each word with what it passes on: I (me 1) saw him (him 1)."""
    (values,), _ = as_floats("L n", values=values)
    words, told = check_labels("words", words, len(values)), []
    for word, value in zip(words, values):
        passed_on = np.flatnonzero(value)
        given = listed([meanings[i] for i in passed_on], value[passed_on], "{:g}".format)
        told.append(f"{word} ({given})" if given else word)
    return " ".join(told)


def _block(ax, x, y, colors, label=""):
    """A matrix of four rows, each column in its colour."""
    from matplotlib.patches import Rectangle

    for place, color in enumerate(colors):
        for row in range(ROWS):
            corner = (x + place * CELL, y + row * CELL)
            ax.add_patch(
                Rectangle(
                    corner,
                    CELL,
                    CELL,
                    facecolor=color,
                    edgecolor=PAPER,
                    linewidth=1.5,
                )
            )
    ax.text(
        x + len(colors) * CELL / 2,
        y - 0.25,
        label,
        ha="center",
        va="top",
        fontsize=10,
        color=INK,
    )


def _arrow(ax, start, end, label=""):
    ax.annotate(
        "",
        end,
        start,
        arrowprops={"arrowstyle": "->", "color": FAINT, "linewidth": 1.5},
    )
    ax.text(
        (start[0] + end[0]) / 2 - 0.1,
        (start[1] + end[1]) / 2 + 0.3,
        label,
        ha="center",
        color=INK,
    )
