"""Lesson 04: scores on the curve of the exponential, weights against temperature, and sampled words."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, INK, LIT, VALUE
from attn_parts.formatting import listed
from attn_parts.heatmaps import Picture
from attn_parts.mathematics import softmax
from attn_parts.stills import panels

STYLES = (
    (BLUE, "-"),
    (LIT, "--"),
    (VALUE, "-."),
    (
        INK,
        ":",
    ),
)


def plot_exponentials(scores, words):
    """A row of scores on the curve eˣ, and beside it the weights that softmax makes of them.

    >>> plot_exponentials([0, 1], ["The", "chai"]).alt[-79:]
    'The 0 gives 1.00, chai 1 gives 2.72. Right: the weights, The 0.269, chai 0.731.'
    """
    scores = np.array(scores)
    exponentials = np.exp(scores)
    weights = softmax(scores)
    figure, (left, right) = panels(8, 2.6, 2)
    line = np.linspace(scores.min() - 0.4, scores.max() + 0.2)
    left.plot(line, np.exp(line), color=FAINT)
    left.bar(scores, exponentials, width=0.12, color=BLUE)
    for word, score, height in zip(words, scores, exponentials):
        left.annotate(
            word,
            (score, height),
            (-7, 4),
            textcoords="offset points",
            ha="right",
        )
    left.set(
        xlabel="score x",
        ylabel="eˣ",
        xticks=scores,
        ylim=(0, 1.2 * exponentials.max()),
    )
    right.bar_label(right.bar(words, weights, color=BLUE), fmt="%.3f", padding=2)
    right.set(ylabel="weight", ylim=(0, 1), yticks=[0, 0.5, 1])
    told = [f"{word} {x:g} gives {e:.2f}" for word, x, e in zip(words, scores, exponentials)]
    return Picture(
        figure,
        f"Left: the curve eˣ with the scores as bars up to it: {', '.join(told)}. Right: the weights, "
        f"{listed(words, weights, '{:.3f}'.format)}.",
    )


def plot_temperatures(logits, words):
    """The probability of each word against the temperature, on a logarithmic axis from 0.1 to 20."""
    temperatures = np.geomspace(0.1, 20, 80)
    curves = softmax(np.array(logits) / temperatures[:, None])
    figure, (ax,) = panels(6, 3)
    for word, curve, (color, style) in zip(words, curves.T, STYLES):
        ax.semilogx(
            temperatures,
            curve,
            style,
            color=color,
            linewidth=2,
            label=word,
        )
    ax.axhline(1 / len(words), color=FAINT, linewidth=0.8)
    ax.set(
        xlabel="temperature T",
        ylabel="probability",
        ylim=(0, 1.02),
        yticks=[0, 0.25, 0.5, 0.75, 1],
    )
    ax.set_xticks(
        [0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
        ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20"],
    )
    ax.minorticks_off()
    ax.legend(frameon=False)
    told = [f"at T = {t:g} {listed(words, softmax(np.array(logits) / t))}" for t in (0.1, 1, 20)]
    return Picture(figure, f"Probabilities against the temperature: {'; '.join(told)}.")


def plot_samples(drawn, words, temperatures):
    """How often each word was drawn, in one panel per temperature."""
    figure, axes = panels(9, 2.6, len(temperatures))
    told = []
    for ax, sample, T in zip(axes, drawn, temperatures):
        counts = [int((sample == word).sum()) for word in words]
        ax.bar_label(ax.bar(words, counts, color=BLUE), padding=2)
        ax.set(title=f"T = {T}", ylim=(0, 1.1 * len(sample)), yticks=[0, 500, 1000])
        told.append(f"T = {T}: {listed(words, counts, str)}")
    axes[0].set_ylabel(f"times in {len(drawn[0])}")
    return Picture(figure, f"How often each word was drawn. {'. '.join(told)}.")
