"""Lesson 08: binary digits of the positions, and the waves that replace them."""

import numpy as np

from attn_lessons.lesson02.pictures import panels
from attn_parts.colours import BLUE, FAINT, LIT
from attn_parts.heatmaps import Picture


def plot_digits():
    """Draw the three binary digits of the positions 0 to 15 as steps, and a wave of the same rhythm through each."""
    figure, axes = panels(8, 3.4, rows=3, sharex=True)
    fine = np.linspace(0, 16, 400)
    for ax, size in zip(axes, (4, 2, 1), strict=True):
        ax.stairs(np.arange(16) // size % 2, np.arange(17), color=FAINT, linewidth=2, baseline=None)
        ax.plot(fine, (1 - np.sin(np.pi * fine / size)) / 2, color=BLUE, linewidth=2)
        ax.axhline(0.5, color=LIT, linewidth=1, linestyle=":")
        ax.set(yticks=[0, 1], ylim=(-0.15, 1.15), ylabel=f"digit of {size}", xlim=(0, 16))
    axes[-1].set(xlabel="position", xticks=range(0, 17, 2))
    return Picture(
        figure,
        "Three digits of the positions 0 to 15, one below the other. In grey each digit jumps between 0 and 1: the digit of 4 every 4 positions, "
        "that of 2 every 2, that of 1 at every position. In blue a wave of the same rhythm glides up and down through each. "
        "A dotted line at half the height shows that a wave passes it once on its way up and once on its way down.",
    )
