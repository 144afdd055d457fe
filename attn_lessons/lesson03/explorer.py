"""Lesson 03: which keys a query may look at, and what a mask before or after softmax gives."""

import math

import numpy as np

from attn_parts.colours import ALLOWED, SOFT, WEIGHTS, scale_around_zero
from attn_parts.example import MEANINGS, load_example
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import PRINT_UP_TO, number_told
from attn_parts.mathematics import causal_mask, padding_mask, softmax
from attn_parts.svg import Drawing

TOP, LEFT, SUMS, BAR = (
    58,
    70,
    58,
    80,
)  # room for titles, names, row sums, a colour bar
PAD = "[pad]"


def explore_mask():
    """Show which keys a query may look at, and what masking before or after softmax gives (lesson 03).

    At length 4 the sentence is the running example, set by hand, and its outputs are shown; at other lengths
    all numbers are random, and the picture says so. A [pad] is an embedding of zeros. Controls: kind ("none",
    "causal", "padding", "causal and padding"), length (1 to 12), padding (how many of the last tokens are
    [pad], 0 to length), where ("before softmax", "after softmax").
    """
    controls = [
        Choice("kind", "causal", ["none", "causal", "padding", "causal and padding"]),
        Slider("length", 4, 1, PRINT_UP_TO),
        Slider("padding", 0, 0, PRINT_UP_TO, at_most=lambda beside: beside["length"]),
        Choice("where", "before softmax", ["before softmax", "after softmax"]),
    ]
    return Explorer(_draw_mask, controls)


def _draw_mask(kind, length, padding, where):
    example = load_example() if length == 4 else load_example(length)
    words = length - min(padding, length)
    X = np.where(np.arange(length)[:, None] < words, example.X, 0)
    tokens = example.tokens[:words] + [PAD] * (length - words)
    allowed = causal_mask(length) | ("causal" not in kind)
    allowed &= padding_mask(words, length) | ("padding" not in kind)
    scaled = (X @ example.W_Q) @ (X @ example.W_K).T / math.sqrt(example.W_Q.shape[-1])
    early = where == "before softmax"
    weights = softmax(np.where(allowed, scaled, -np.inf)) if early else softmax(scaled) * allowed
    around_zero = scale_around_zero(scaled, np.ones((1, 1)))  # at least -1 to 1: all scores may be 0
    panels = (
        ("mask: 1 = may look", allowed * 1.0, allowed, ALLOWED, 0),
        (
            "scaled scores" + ", masked" * early,
            scaled,
            allowed | (not early),
            around_zero,
            1,
        ),
        (f"weights, masked {where}", weights, allowed, WEIGHTS, 2),
    )
    outputs = None if example.random else weights @ X @ example.W_V
    title = f"Mask: {kind}, applied {where}"
    sums = weights.sum(axis=-1)
    empty = (~allowed.any(axis=-1)).sum()
    told = (
        f"{(~allowed).sum()} of {allowed.size} pairs blocked; row sums of the weights from "
        f"{number_told(sums.min())} to {number_told(sums.max())}"
        + (f"; queries that may look at nothing: {empty}, their weights are 0." if empty else ".")
    )
    source = example.source if example.random else f"numbers {example.source}"
    return _draw((title, source), told, tokens, panels, outputs), f"{told} Here: {source}."


def _draw(title_and_source, told, tokens, panels, outputs):
    """Draw three panels side by side, the row sums of the last one, and outputs where they mean something."""
    cell = 40 if len(tokens) <= 6 else 27
    wide = max(len(tokens) * cell, 140)  # room for a title
    places = (LEFT, 2 * LEFT + wide, 3 * LEFT + 2 * wide + BAR)
    width = places[-1] + wide + SUMS + BAR + (0 if outputs is None else 130)
    foot = TOP + wide + (66 if cell == 40 else 86)  # slanted names reach deeper
    drawing = Drawing(width, foot + 40, *title_and_source)
    drawing.text(10, 12, "queries down the side, keys along the bottom", font=12, color=SOFT)
    for x, (name, values, shown, scale, digits) in zip(places, panels):
        grid = drawing.matrix(
            x,
            TOP,
            values,
            scale,
            cell=cell,
            allowed=shown,
            digits=digits,
        )
        grid.names(tokens, tokens).title(name, room=wide + SUMS)
        if scale not in (ALLOWED, WEIGHTS):
            grid.color_bar(blocked=not shown.all())
    for i, total in enumerate(panels[-1][1].sum(axis=-1)):
        y = TOP + (i + 0.5) * cell
        drawing.text(
            grid.right + 6,
            y,
            f"Σ {total:.2f}",
            font=12,
            bold=abs(total - 1) > 0.005,
        )
    tall = max(grid.bottom - TOP, 40)
    drawing.color_bar(
        grid.right + SUMS + 8,
        TOP,
        tall,
        WEIGHTS,
        blocked=not shown.all(),
    )
    if outputs is not None:
        x = grid.right + SUMS + BAR + 14
        drawing.text(x, TOP - 16, "output", font=14, bold=True)
        for j, meaning in enumerate(MEANINGS):
            drawing.text(x + 52 * j, TOP + len(outputs) * cell + 12, meaning)
            for i, entry in enumerate(outputs[:, j]):
                drawing.text(x + 52 * j, TOP + (i + 0.5) * cell, f"{entry:.2f}")
    drawing.paragraph(LEFT, foot, told, width - LEFT - 10)
    return drawing
