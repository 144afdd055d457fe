"""Lesson 02: weights as bars, histograms, and curves of what d_k does to scores and weights."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, INK, LIT, VALUE
from attn_parts.formatting import listed, number, number_told
from attn_parts.heatmaps import Picture
from attn_parts.stills import panels
from attn_parts.validation import as_floats, check_labels, check_weights

CURVES = ("raw: QKᵀ", LIT, "o"), ("scaled: QKᵀ/√d_k", BLUE, "s")
COLORS = LIT, BLUE, VALUE


def plot_weights(rows, titles, tokens):
    """Draw rows of weights, (n, L), side by side as bars, each with its number.

    >>> plot_weights([[0.25, 0.75]], ["weights of chai"], ["The", "hot"])
    Picture: Bars (attention weight). weights of chai: The 0.25, hot 0.75.
    """
    (rows,), _ = as_floats("n L", rows=rows)
    check_weights("rows", rows)
    titles = check_labels("titles", titles, len(rows))
    tokens = check_labels("tokens", tokens, rows.shape[1])
    (figure, axes), told = (
        panels(3.4 * len(titles), 2.6, len(titles), sharey=True),
        [],
    )
    for ax, row, title in zip(axes, rows, titles):
        bars = ax.bar(
            range(len(tokens)),
            row,
            color=[LIT if weight == max(row) else BLUE for weight in row],
        )
        ax.set_xticks(range(len(tokens)), tokens, parse_math=False)  # a token may occur twice, or hold a $
        ax.bar_label(
            bars,
            [number(weight) for weight in row],
            color=INK,
            padding=2,
        )
        ax.set(title=title, ylim=(0, 1.15), yticks=[0, 0.5, 1])
        told.append(f"{title}: {listed(tokens, row, number_told)}")
    axes[0].set_ylabel("attention weight")
    return Picture(figure, f"Bars (attention weight). {'; '.join(told)}.")


def plot_against_width(widths, raw, scaled):
    """Draw standard deviation of the scores and mean largest weight against d_k, (n, 2) each."""
    raw, scaled = np.array(raw), np.array(scaled)
    figure, axes = _against_d_k(widths, ["standard deviation of the scores", "mean largest weight of a row"])
    axes[0].set_yscale("log", base=2)
    axes[0].set_yticks([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])
    axes[1].set(ylim=(0, 1))
    told = []
    for place, (ax, what) in enumerate(zip(axes, ("standard deviation", "mean largest weight"))):
        for values, (label, color, mark) in zip((raw, scaled), CURVES):
            ax.plot(
                widths,
                values[:, place],
                mark + "-",
                color=color,
                label=label,
            )
        raw_ends, scaled_ends = (
            f"{number(values[0, place])} to {number(values[-1, place])}" for values in (raw, scaled)
        )
        told.append(f"{what}: raw {raw_ends}, scaled {scaled_ends}")
    axes[0].plot(
        widths,
        np.sqrt(widths),
        color=FAINT,
        linestyle=":",
        label="√d_k",
    )
    axes[0].legend(frameon=False)
    return Picture(
        figure,
        f"Two panels against d_k from {widths[0]} to {widths[-1]}. First to last, {'; '.join(told)}.",
    )


def plot_histograms(samples, same_axis=True, log=False):
    """Draw {name: array of numbers} as histograms one below the other, each with its standard deviation.

    Parameters
    ----------
    same_axis : bool
        Whether all have one axis, so that widths compare; else each has its own, so that shapes do.
    log : bool
        Whether heights are logarithmic, for a few numbers beside very many.

    >>> plot_histograms({"coins": [-1, 1, 1, -1]})
    Picture: Histograms. coins: 4 numbers from -1.00 to 1.00, standard deviation 1.00.
    """
    samples = {name: as_floats(**{name: values})[0][0].ravel() for name, values in samples.items()}
    if strange := [name for name, values in samples.items() if not np.isfinite(values).all()]:
        raise ValueError(f"{strange[0]!r} holds nan or inf; was something divided by 0?")
    ends = [(values.min(), values.max()) for values in samples.values()]
    both = (min(low for low, _ in ends), max(high for _, high in ends)) if same_axis else None
    figure, axes = panels(
        7,
        1.5 * len(samples),
        rows=len(samples),
        sharex=same_axis,
    )
    told = []
    for ax, (name, values), (low, high), color in zip(
        axes,
        samples.items(),
        ends,
        COLORS,
    ):
        size = f"standard deviation {number(values.std())}"
        ax.hist(values, bins=81, range=both, color=color, log=log)
        ax.set_title(f"{name}: {size}", loc="left", fontsize=11, parse_math=False)
        ax.set_yticks([])
        ax.set_yticks([], minor=True)
        told.append(f"{name}: {values.size:,} numbers from {number(low)} to {number(high)}, {size}")
    return Picture(figure, f"Histograms. {'. '.join(told)}.")


def _against_d_k(widths, titles):
    """A figure with one panel per title, their d_k axes logarithmic."""
    figure, axes = panels(9, 3.3, len(titles))
    for ax, title in zip(axes, titles):
        ax.set_xscale("log", base=2)
        ax.set_xticks(widths[::2], [str(width) for width in widths[::2]])
        ax.set_title(title, fontsize=11)
        ax.set_xlabel("d_k (random queries and keys)")
    return figure, axes
