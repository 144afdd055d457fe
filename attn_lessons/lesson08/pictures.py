"""Lesson 08: digits of positions, the waves that replace them, and words on their way through blocks."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT
from attn_parts.heatmaps import Picture
from attn_parts.mathematics import causal_mask, layer_norm, multi_head_attention
from attn_parts.stills import panels

BLOCKS, WORDS, WIDTH, STARTS = 24, 8, 8, 40
NUDGE = 0.001


def plot_digits():
    """Draw the binary digits of positions 0 to 15 as steps, and a wave of the same rhythm through each."""
    figure, axes = panels(8, 3.4, rows=3, sharex=True)
    fine = np.linspace(0, 16, 400)
    for ax, size in zip(axes, (4, 2, 1)):
        ax.stairs(
            np.arange(16) // size % 2,
            np.arange(17),
            color=FAINT,
            linewidth=2,
            baseline=None,
        )
        ax.plot(fine, (1 - np.sin(np.pi * fine / size)) / 2, color=BLUE, linewidth=2)
        ax.axhline(0.5, color=LIT, linewidth=1, linestyle=":")
        ax.set(
            yticks=[0, 1],
            ylim=(-0.15, 1.15),
            ylabel=f"digit of {size}",
            xlim=(0, 16),
        )
    axes[-1].set(xlabel="position", xticks=range(0, 17, 2))
    return Picture(
        figure,
        "Three digits of the positions 0 to 15, one below the other. In grey each digit jumps between 0 and "
        "1: the digit of 4 every 4 positions, that of 2 every 2, that of 1 at every position. In blue a wave "
        "of the same rhythm glides up and down through each. A dotted line at half the height shows that a "
        "wave passes it once on its way up and once on its way down.",
    )


def plot_depth():
    """Draw how alike words become in 24 random blocks, and what arrives of a nudge, with and without `X +`.

    Lines are medians of 40 starts, and the middle half of the starts is shaded.
    """
    figure, (left, right) = panels(8.6, 3.2, 2)
    told = []
    for name, keep, color, style in (
        ("with X +", 1, BLUE, "-"),
        ("without X +", 0, LIT, "--"),
    ):
        runs = np.array([_journey(seed, keep) for seed in range(STARTS)])
        for ax, measured in ((left, runs[:, 0]), (right, runs[:, 1])):
            low, middle, high = np.quantile(measured, [0.25, 0.5, 0.75], axis=0)
            ax.plot(middle, style, color=color, linewidth=2, label=name)
            ax.fill_between(range(BLOCKS + 1), low, high, color=color, alpha=0.15, linewidth=0)
        alike, arrives = np.median(runs[:, :, -1], axis=0)
        told.append(f"{name} the words end up {alike:.2f} alike and {arrives:.2g} of a nudge arrives")
    left.set(
        ylabel="mean cosine of two words",
        ylim=(-0.1, 1.05),
        title="How alike are the words?",
    )
    right.set(
        ylabel="change per unit of nudge",
        yscale="log",
        title="What arrives of a nudge?",
    )
    for ax in (left, right):
        ax.set(
            xlabel=f"blocks (median and middle half of {STARTS} starts)",
            xticks=range(0, BLOCKS + 1, 6),
        )
    left.legend(frameon=False, loc="center right")
    return Picture(
        figure,
        f"Eight random words on their way through {BLOCKS} random blocks, medians of {STARTS} starts. "
        f"{'; '.join(told)}.",
    )


def _journey(seed, keep):
    """How alike the words are, and how far they moved after a nudge, before the first block and after all."""
    rng = np.random.default_rng(seed)
    words = rng.standard_normal((WORDS, WIDTH))
    nudged = words.copy()
    nudged[0, 0] += NUDGE
    alike, arrives = [_mean_cosine(words)], [1.0]
    for _ in range(BLOCKS):
        matrices = _random_block(rng)
        words, nudged = (_block(X, matrices, keep) for X in (words, nudged))
        alike.append(_mean_cosine(words))
        arrives.append(np.abs(nudged - words).sum() / NUDGE)
    return alike, arrives


def _random_block(rng):
    """The six matrices as GPT-2 starts them: W_O and W_2 are smaller, the more sub-layers there are."""
    shapes = [(WIDTH, WIDTH)] * 4 + [(WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)]
    matrices = [rng.standard_normal(shape) / np.sqrt(shape[0]) for shape in shapes]
    for place in (3, 5):
        matrices[place] /= np.sqrt(2 * BLOCKS)
    return matrices


def _block(X, matrices, keep):
    """A pre-norm block; with `keep` 0 without residual connections."""
    *projections, W_1, W_2 = matrices
    rows = layer_norm(X)
    X = keep * X + multi_head_attention(rows, rows, rows, *projections, 2, causal_mask(WORDS))[0]
    return keep * X + np.maximum(layer_norm(X) @ W_1, 0) @ W_2


def _mean_cosine(X):
    rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    return (rows @ rows.T)[np.triu_indices(len(X), k=1)].mean()
