"""Lesson 07: columns split into two heads and concatenated again."""

from attn_parts.colours import BLOCKED, FAINT, HEADS, INK, PAPER
from attn_parts.heatmaps import Picture

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
        box = {"boxstyle": "round,pad=0.5", "facecolor": PAPER, "edgecolor": color, "linewidth": 2}
        ax.text(
            7.5, middle, "softmax(QKᵀ/√d_k)·V", ha="center", va="center", color=INK, fontsize=10, bbox=box
        )
        _arrow(ax, (9.2, middle), (10.2, 2.6))
    _block(ax, 10.6, 1.8, [first, first, second, second], "concatenated")
    _arrow(ax, (12.5, 2.6), (14.4, 2.6), "· W_O")
    _block(ax, 14.8, 1.8, [BLOCKED] * 6, "output, as wide\nas an embedding")
    return Picture(
        figure,
        "The columns of Q, K and V are split into two heads, blue and green, and a row is still a word. Each head computes its own softmax(QKᵀ/√d_k)·V. "
        "Their outputs are concatenated, blue columns beside green ones, and W_O turns them into an output as wide as an embedding.",
    )


def _block(ax, x, y, colors, label=""):
    """A matrix of four rows, each column in its colour."""
    from matplotlib.patches import Rectangle

    for place, color in enumerate(colors):
        for row in range(ROWS):
            corner = (x + place * CELL, y + row * CELL)
            ax.add_patch(Rectangle(corner, CELL, CELL, facecolor=color, edgecolor=PAPER, linewidth=1.5))
    ax.text(x + len(colors) * CELL / 2, y - 0.25, label, ha="center", va="top", fontsize=10, color=INK)


def _arrow(ax, start, end, label=""):
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": FAINT, "linewidth": 1.5})
    ax.text((start[0] + end[0]) / 2 - 0.1, (start[1] + end[1]) / 2 + 0.3, label, ha="center", color=INK)
