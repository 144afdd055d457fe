"""Lesson 11: the loss and the scores of two kinds of head along training; fractions by head."""

from attn_parts.colours import BLUE, LIT, VALUE
from attn_parts.example import load_data
from attn_parts.heatmaps import Picture, plot_attention
from attn_parts.stills import panels

LINES = {
    "loss": BLUE,
    "previous-token score": LIT,
    "induction score": VALUE,
}  # in the file after the step


def plot_training():
    """Plot the loss and the largest scores of any head by step of training, dotted without weight decay."""
    stored = load_data("language_model")
    (figure, (left, right)), told = panels(9, 3, 2), []
    for column, (name, color) in enumerate(LINES.items(), 1):
        ax = left if name == "loss" else right
        for run, line in ("curve", "o-"), ("without_decay", ":"):
            steps, values = zip(*((row[0], row[column]) for row in stored[run]))
            ax.plot(
                steps,
                values,
                line,
                color=color,
                markersize=4,
                label=name if run == "curve" else None,
            )
            kind = name if run == "curve" else f"{name} without weight decay"
            told.append(f"{kind}: " + ", ".join(f"{values[i]:.2f} at step {steps[i]}" for i in (2, 3, 6, -1)))
    left.set(xlabel="step of training", ylabel="loss", ylim=(0, 5.5))
    right.set(xlabel="step of training", ylabel="largest score of any head", ylim=(0, 1))
    right.legend(loc="upper left", frameon=False)
    return Picture(figure, f"Training, step by step. {'; '.join(told)}.")


def plot_fractions(fractions, rows, columns, title):
    """Draw fractions from 0 to 1, a row and a column for each name, as a heatmap.

    >>> plot_fractions([[0.25, 1]], ["layer 0"], ["head 0", "head 1"], "Weight on itself")
    Picture: Weight on itself. layer 0: head 0 0.25, head 1 1.00.
    """
    figure = plot_attention(fractions, rows, columns, title=title).figure
    ax, bar = figure.axes
    ax.set(xlabel="", ylabel="")
    bar.set_ylabel("")
    told = [
        f"{row}: " + ", ".join(f"{column} {value:.2f}" for column, value in zip(columns, values))
        for row, values in zip(rows, fractions)
    ]
    return Picture(figure, f"{title}. {'; '.join(told)}.")
