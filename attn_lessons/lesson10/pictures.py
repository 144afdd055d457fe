"""Lesson 10: where 20 heads look, and how well heads of three widths learn with and without ÷√d_k."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, VALUE, WEIGHT_COLORS, ink_on
from attn_parts.formatting import listed, number
from attn_parts.heatmaps import Picture
from attn_parts.stills import panels

LINES = {
    "scaled": (BLUE, "s"),
    "unscaled": (LIT, "o"),
    "unscaled, small start": (VALUE, "^"),
}


def plot_seeds(looks, answers, nouns):
    """Draw how much 20 heads attend to each noun, `looks` (seeds, nouns), with ✗ where `answers` are
    unlikely.
    """
    from matplotlib import colormaps

    looks, wrong = np.array(looks).T, np.array(answers).T <= 0.5
    figure, (ax,) = panels(10.5, 3.2)
    ax.spines[:].set_visible(True)
    image = ax.imshow(looks, cmap=WEIGHT_COLORS, vmin=0, vmax=1)
    inks = ink_on(colormaps[WEIGHT_COLORS](looks)[..., :3])
    for (row, column), weight in np.ndenumerate(looks):
        text = "✗" if wrong[row, column] else f"{weight:.1f}".lstrip("0") if weight < 0.95 else "1"
        ax.text(column, row, text, ha="center", va="center", color=inks[row, column])
    ax.set_xticks(range(looks.shape[1]))
    ax.set_yticks(range(len(nouns)), nouns)
    ax.set(
        xlabel="seed of the initial weights",
        title="Weight of “it” on the noun (✗: the answer is wrong)",
    )
    figure.colorbar(image, label="attention weight", shrink=0.8)
    told = "Weight of “it” on the noun, by seed."
    for seed, (column, crosses) in enumerate(zip(looks.T, wrong.T)):
        texts = (number(w) + " (answer wrong)" * int(bad) for w, bad in zip(column, crosses))
        told += f" Seed {seed}: {listed(nouns, texts, str)}."
    return Picture(figure, told)


def plot_learned(runs):
    """Plot accuracy and loss of the runs in many_heads.json against the learning rate, one column per d_k."""
    widths, told = sorted({run["d_k"] for run in runs}), []
    figure, axes = panels(10.5, 5.6, len(widths), rows=2, sharey="row", sharex=True)
    axes = axes.reshape(2, -1)
    for column, d_k in enumerate(widths):
        mine = [run for run in runs if run["d_k"] == d_k]
        for ax, what, guess in zip(axes[:, column], ("accuracy", "loss"), (0.25, np.log(4))):
            told.append(f"d_k = {d_k}, {what}: {_draw_variants(ax, mine, what)}.")
            ax.axhline(guess, color=FAINT, linestyle=":")
        axes[0, column].set_title(f"d_k = {d_k}")
        axes[1, column].set_xlabel("learning rate")
    axes[0, 0].set(ylabel="accuracy (dotted: guessing)", ylim=(0, 1.05))
    axes[1, 0].set(ylabel="loss (dotted: guessing)", ylim=(0, 1.6))
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    return Picture(figure, f"Medians after training, by learning rate. {' '.join(told)}")


def _draw_variants(ax, runs, what):
    """A line for each variant with the range of its seeds; returns the medians in words."""
    told = []
    for variant, (color, mark) in LINES.items():
        mine = sorted(
            (run for run in runs if run["variant"] == variant),
            key=lambda run: run["rate"],
        )
        rates, found = (
            [run["rate"] for run in mine],
            np.array([run[what] for run in mine]),
        )
        low, middle, high = (
            found.min(axis=1),
            np.median(found, axis=1),
            found.max(axis=1),
        )
        ax.fill_between(rates, low, high, color=color, alpha=0.2, linewidth=0)
        ax.plot(rates, middle, mark + "-", color=color, label=variant)
        medians = ", ".join(f"{rate:g}: {number(m)}" for rate, m in zip(rates, middle))
        told.append(f"{variant} {medians}")
    ax.set_xscale("log")
    ax.set_xticks(rates, [f"{rate:g}" for rate in rates])
    ax.minorticks_off()
    return "; ".join(told)
