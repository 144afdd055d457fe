"""Lesson 12: what grows with the length of a text, on logarithmic axes."""

from attn_parts.colours import BLUE, FAINT, LIT, VALUE
from attn_parts.heatmaps import Picture

STYLES = ((BLUE, "s-"), (LIT, "o-"), (VALUE, "^-"))


def plot_costs(lengths, costs, what):
    """Plot up to three lines by name against the length of a text, both axes logarithmic. `what` is counted.

    >>> plot_costs([10, 100], {"scores": [100, 10000]}, "numbers")
    Picture: Numbers against the number of words, both axes logarithmic. Scores: 1e+02 at 10 words, 1e+04 at 100 words.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.6), layout="constrained")
    ax = figure.subplots()
    for (name, numbers), (color, style) in zip(costs.items(), STYLES, strict=False):
        ax.loglog(lengths, numbers, style, color=color, label=name)
    ax.set(xlabel="words", ylabel=what)
    ax.grid(color=FAINT, alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    told = [
        f"{name.capitalize()}: " + ", ".join(f"{cost:.2g} at {n} words" for n, cost in zip(lengths, numbers, strict=True))
        for name, numbers in costs.items()
    ]  # fmt: skip
    return Picture(figure, f"{what.capitalize()} against the number of words, both axes logarithmic. {'. '.join(told)}.")  # fmt: skip
