"""Lesson 06: the pictures that are questioned, drawn here so that no cell gives the fault away."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, WEIGHT_COLORS, luminance
from attn_parts.example import load_data, load_example
from attn_parts.formatting import listed, number
from attn_parts.heatmaps import Picture, show
from attn_parts.learning import (
    NEXT_WORD,
    NOUNS,
    VOCABULARY,
    pronoun_sentences,
    run_head,
    start_head,
)
from attn_parts.mathematics import causal_mask, self_attention
from attn_parts.pronoun import GAP, LEFT, WORD, draw_scale, draw_words, stored_heads
from attn_parts.stills import CardsPicture, panels
from attn_parts.svg import Drawing

ON_WHITE = {
    "facecolor": "white",
    "edgecolor": "none",
    "pad": 0.6,
}  # so that no line strikes a number through
LONGEST = 12  # words of a sentence that a reader asks a head about
LEAST_CONTRAST = 2.5  # of a number that can be read, between its ink and its cell
LUCKY_SEED = 257  # of 2,000 draws the one in which a head that has learned nothing looks most at chai


def plot_case(name):
    """One of the pictures that lesson 06 asks about, by its name in CASES."""
    return CASES[name]()


def _plain_heatmap(ax, cells, tokens, title="", **limits):
    """A heatmap as matplotlib draws it: its own limits unless some are given, no numbers in the cells."""
    image = ax.imshow(cells, cmap=WEIGHT_COLORS, **limits)
    ax.figure.colorbar(image, ax=ax, label="weight", fraction=0.046, pad=0.04)
    ax.set_xticks(range(len(tokens)), tokens)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set(xlabel="key", ylabel="query", title=title)
    ax.spines[:].set_visible(True)


def _weights(mask=None, temperature=1.0):
    tokens, X, W_Q, W_K, W_V = load_example()
    return tokens, self_attention(X, W_Q / temperature, W_K, W_V, mask)[1]


def _two_matrices():
    """The running example, and the same scores divided by 100, each in the colours that it fills."""
    (figure, axes), told = panels(8.6, 3.4, 2), []
    for ax, title, temperature in zip(axes, "AB", (1.0, 100.0)):
        tokens, weights = _weights(temperature=temperature)
        _plain_heatmap(ax, weights, tokens, title)
        told.append(f"{title}: the colour bar runs from {weights.min():.3f} to {weights.max():.3f}")
    return Picture(
        figure,
        "Two heatmaps of The, chai, is, hot that look almost the same, hot → chai lightest in "
        f"both. {'; '.join(told)}.",
    )


def _dark_cells():
    """Causal weights of the running example, with blocked cells drawn as zeros."""
    figure, (ax,) = panels(4.2, 3.4)
    tokens, weights = _weights(causal_mask(4))
    _plain_heatmap(ax, weights, tokens, vmin=0, vmax=1)
    bright = (f"{tokens[i]} → {tokens[j]} {weights[i, j]:.1f}" for i, j in np.argwhere(weights > 0.2))
    return Picture(
        figure,
        f"A heatmap of the running example without numbers in its cells, the colour bar from 0 to 1. "
        f"Bright or half bright: {', '.join(bright)}. All others are dark.",
    )


def _a_and_b():
    """What *it* looks at in the five sentences, (5, 8): in a head by luck and in one that has learned."""
    by_luck, *_ = run_head(start_head(LUCKY_SEED), pronoun_sentences(unseen=True)[0])
    return by_luck, np.array(stored_heads()["heads"]["looks"]["weights"][-1])


def _two_heads():
    """What *it* looks at after "The chai is hot", in the heads A and B; no numbers yet."""
    words = stored_heads()["sentences"][0]
    drawing = Drawing(620, 318, "What “it” looks at, in two heads")
    for title, top, weights in zip("AB", (8, 166), _a_and_b()):
        drawing.text(14, top + 16, title, font=18, bold=True)
        draw_words(drawing, top + 106, words, weights[0], numbers=False)
    draw_scale(drawing, 440, 16)
    return CardsPicture(
        drawing,
        "Two rows, A and B, of the words The chai is hot so we let it, with an arc from it to each word. "
        "In both the arc to chai is thick and its box dark, and all others are faint.",
    )


def _five_nouns():
    """How much of its attention *it* gives to the noun, in five sentences, in the heads A and B."""
    figure, (ax,) = panels(7.6, 3)
    ax.spines[:].set_visible(True)
    places = np.arange(len(NOUNS))
    told = []
    for shift, label, color, weights in zip(
        (-0.2, 0.2),
        "AB",
        (FAINT, BLUE),
        _a_and_b(),
    ):
        bars = ax.bar(
            places + shift,
            weights[:, 1],
            0.38,
            label=label,
            color=color,
        )
        ax.bar_label(bars, fmt="%.2f", fontsize=9, padding=2, bbox=ON_WHITE)
        told.append(f"{label}: {listed(NOUNS, weights[:, 1])}")
    ax.axhline(1 / 8, color=LIT, linestyle="--", label="1/8: uniform", zorder=0)
    ax.set_xticks(places, [f"the {noun} …\nlet it" for noun in NOUNS])
    ax.set(ylim=(0, 1.08), ylabel="weight on the noun")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
    alt = f"Bars: how much “it” attends to the noun. {'; '.join(told)}. Uniform would be 0.125."
    return Picture(figure, alt)


def _twenty_heads():
    """For heads of 20 seeds, the worst of five sentences: the weight on the noun and the right answer's
    chance.
    """
    figure, (ax,) = panels(5.4, 3.6)
    pronoun = load_data("many_heads")["pronoun"]
    looks = np.min(pronoun["looks"], axis=1)
    right = np.min(pronoun["answers"], axis=1)
    ax.scatter(looks, right, color=BLUE, alpha=0.7)
    ax.annotate(
        "the twin",
        (looks[7], right[7]),
        (0.06, 0.82),
        arrowprops={"arrowstyle": "-"},
    )
    ax.axhline(0.5, color=FAINT, linestyle="--", zorder=0)
    ax.axvline(0.5, color=FAINT, linestyle="--", zorder=0)
    ax.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.06))
    ax.set(xlabel="smallest weight on a noun", ylabel="least probable right answer")
    alt = (
        f"A dot per head. Weight on the noun: {', '.join(map(number, looks))}. Right answer: "
        f"{', '.join(map(number, right))}."
    )
    return Picture(figure, alt)


CASES = {
    "twenty heads": _twenty_heads,
    "two heads": _two_heads,
    "two matrices": _two_matrices,
    "dark cells": _dark_cells,
    "two heads again": _five_nouns,
}


def ask_head(head, sentence, meant):
    """Draw what *it* looks at in a sentence of your own, and say whether the head answers as you mean.

    Parameters
    ----------
    head : dict
        A trained head, as `start_head` and `train_head` make it.
    sentence : str
        At most 12 words of the head's vocabulary, of which *it* is the last.
    meant : str
        The noun in the sentence that *it* refers to.

    Raises
    ------
    ValueError
        If the head doesn't know a word, or the sentence doesn't hold the noun or doesn't end in *it*.

    Examples
    --------
    >>> ask_head(start_head(seed=1), "The chai is hot so we let it", "chai").alt[-47:]
    'cool would be right, so this sentence fools it.'
    """
    known = {word.lower(): word for word in VOCABULARY}
    words = [known.get(word.strip(".,!?…").lower(), word) for word in sentence.split()]
    if unknown := [word for word in words if word not in VOCABULARY]:
        raise ValueError(f"the head doesn't know {', '.join(unknown)}; its words are {' '.join(VOCABULARY)}")
    if words[-1:] != ["it"] or len(words) > LONGEST:
        raise ValueError(f"the sentence must end in 'it', and have at most {LONGEST} words, got {sentence!r}")
    if meant not in set(NOUNS) & set(words):
        raise ValueError(f"meant must be a noun of your sentence, one of {' '.join(NOUNS)}, got {meant!r}")
    one_hot = np.eye(len(VOCABULARY))[[VOCABULARY.index(word) for word in words]]
    (weights,), (chances,) = run_head(head, one_hot[None])
    said = NEXT_WORD[NOUNS[chances.argmax()]]
    right = NEXT_WORD[meant]
    verdict = "it isn't fooled" if said == right else f"{right} would be right, so this sentence fools it"
    told = f"The head says {said} ({chances.max():.2f}). If “it” is the {meant}, {verdict}."
    drawing = Drawing(max(620, 2 * LEFT + len(words) * (WORD + GAP)), 216, "What “it” looks at")
    draw_words(drawing, 112, words, weights)
    drawing.text(LEFT, 196, told, font=17, bold=True)
    return CardsPicture(drawing, f"{listed(words, weights)}. {told}")


def plot_needs(heads):
    """For each word of the first test sentence: its weight in each head, and how probable *cool* is without
    it.
    """
    (figure, axes), told = panels(9.6, 3.2, 2, sharey=True), []
    sentence = pronoun_sentences(unseen=True)[0][:1]
    words = stored_heads()["sentences"][0][:-1]
    places = np.arange(len(words))
    for ax, (name, head) in zip(axes, heads.items()):
        weights = run_head(head, sentence)[0][0, :-1]
        cool = np.array([run_head(head, np.delete(sentence, i, axis=1))[1][0, 0] for i in places])
        kinds = (
            (-0.2, "weight of the word", LIT, weights),
            (0.2, "“cool” without it", BLUE, cool),
        )
        for shift, label, color, heights in kinds:
            bars = ax.bar(places + shift, heights, 0.38, label=label, color=color)
            tells = (heights > 0.1) & (heights < 0.9) | (heights == cool.min())
            ax.bar_label(
                bars,
                np.where(tells, np.char.mod("%.2f", heights), ""),
                fontsize=8,
                padding=2,
            )
        ax.set_xticks(places, words)
        ax.set(ylim=(0, 1.08), title=name)
        told.append(f"{name}: weights {listed(words, weights)}; cool without {listed(words, cool)}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    alt = f"Two bars per word: its weight, and the probability of cool without it. {'. '.join(told)}."
    return Picture(figure, alt)


def examine_heatmap(figure, cells):
    """Show a heatmap that you drew with matplotlib, and print what it still lacks.

    >>> from matplotlib.figure import Figure
    >>> examine_heatmap(Figure(), [[1.0, 0.0], [0.5, 0.5]]).alt
    There's no heatmap in this figure yet. Draw it with ax.imshow(cells).
    'A heatmap that a reader draws. Missing: the picture.'
    """
    cells, drawn = np.array(cells, float), [ax for ax in figure.axes if ax.images]
    lacks = {"the picture": "There's no heatmap in this figure yet. Draw it with ax.imshow(cells)."}
    if drawn:
        lacks = {part: advice for part, (bad, advice) in _parts(figure, drawn[0], cells).items() if bad}
    found = lacks.values() or [
        "Nothing is missing: fixed colours, names, a colour bar, a number in every cell."
    ]
    print(*found, sep="\n")
    missing = f"Missing: {', '.join(lacks)}" if lacks else "Nothing is missing"
    return show(figure, f"A heatmap that a reader draws. {missing}.")


def _parts(figure, ax, cells):
    """By part of a heatmap, whether something is wrong with it, and what to look at then."""
    low, high = ax.images[0].get_clim()
    x, y = ([label.get_text() for label in axis.get_ticklabels()] for axis in (ax.xaxis, ax.yaxis))
    across, down = ax.get_xlabel().lower(), ax.get_ylabel().lower()
    named = "key" in across and "quer" in down  # also keys, queries
    which = "along x runs one of key and query, along y the other. Which is which?"
    if "quer" in across and "key" in down:
        which = "exchange the two, because a row is a query."
    numbers = _numbers(ax, cells)
    stretched = (
        f"Colours: yours run from {low:.2f} to {high:.2f}. Between which two numbers do all weights lie?"
    )
    return {
        "fixed colours": ((low, high) != (0, 1), stretched),
        "axes": (not named, f"Axes: {which}"),
        "names": (x != y, "Names: the rows need the names that the columns have."),
        "colour bar": (len(figure.axes) < 2, "Colour bar: there's none yet."),
        "numbers": (numbers is not None, f"Numbers: {numbers}"),
    }


def _numbers(ax, cells):
    """What is wrong with the numbers written into the cells, or None."""
    written = {tuple(map(round, text.get_position()[::-1])): text.get_text() for text in ax.texts}
    wanted = {place: f"{cells[place]:.2f}" for place in np.ndindex(cells.shape) if not np.isnan(cells[place])}
    if not written:
        return "there are none in the cells yet."
    wrong = [place for place in wanted if written.get(place) != wanted[place]]
    if wrong and all(written.get(place[::-1]) == wanted[place] for place in wanted):
        return (
            "rows and columns are exchanged, in the place or in the number. "
            "Write cells[i, j] with ax.text(j, i, …)."
        )
    if not wrong:
        return _unreadable(ax)
    (i, j), has = wrong[0], written.get(wrong[0], "nothing")
    return f"row {i}, column {j} says {has}, and its weight is {wanted[wrong[0]]}, to two digits."


def _unreadable(ax):
    """Which number its ink hides, or which blocked cell says nan; or None."""
    from matplotlib.colors import to_rgb

    image = ax.images[0]
    for text in ax.texts:
        column, row = map(round, text.get_position())
        if (row, column) not in np.ndindex(image.get_array().shape):
            continue  # a note beside the picture
        value, written = image.get_array()[row, column], text.get_text()
        is_blocked = np.ma.is_masked(value)
        behind = "white" if is_blocked else image.cmap(image.norm(value))
        dark, light = sorted(
            luminance(np.array(to_rgb(color))) + 0.05 for color in (behind, text.get_color())
        )
        is_seen = light / dark > LEAST_CONTRAST
        if is_blocked and is_seen:
            return f"the blocked cell in row {row}, column {column} says {written}. Write nothing there."
        if not is_blocked and not is_seen:
            return f"{written} in row {row}, column {column} can't be read. Change its ink."
    return None
