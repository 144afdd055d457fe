"""Lesson 10: what grows with the length of a text, on axes where powers are straight lines."""

from collections.abc import Mapping, Sequence

from attn_parts.colours import BLUE, FAINT, LIT, VALUE
from attn_parts.heatmaps import Picture

STYLES = ((BLUE, "s-"), (LIT, "o-"), (VALUE, "^-"))


def plot_costs(lengths: Sequence[int], costs: Mapping[str, Sequence[float]], what: str) -> Picture:
    """Lines over the length of a text, both axes logarithmic: twice as steep where the cost grows with its square.

    Parameters
    ----------
    lengths : sequence of int
        Numbers of words, all above 0.
    costs : mapping of str to sequence of float
        Up to three lines by name, each with a number above 0 for every length.
    what : str
        What is counted, for the axis.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are more than three lines, or one has not a number for every length.

    Examples
    --------
    >>> plot_costs([10, 100], {"scores": [100, 10000]}, "numbers")
    Picture: Numbers against the number of words, both axes logarithmic. Scores: 1e+02 at 10 words, 1e+04 at 100 words.
    """
    from matplotlib.figure import Figure

    if len(costs) > len(STYLES):
        raise ValueError(f"plot_costs draws up to {len(STYLES)} lines, got {len(costs)}: {', '.join(costs)}")
    for name, numbers in costs.items():
        if len(numbers) != len(lengths):
            raise ValueError(
                f"{name} has {len(numbers)} numbers for {len(lengths)} lengths; give one for each"
            )
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
