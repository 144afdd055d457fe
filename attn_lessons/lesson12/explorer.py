"""Lesson 12: which tiles of the scores are computed, and what that costs against the whole matrix at once."""

import functools
import math

import numpy as np

from attn_parts.colours import BLOCKED, BLUE, FAINT, INK, LIT
from attn_parts.explorer import Explorer, Slider, Switch
from attn_parts.long_sequences import attention_cost
from attn_parts.svg import Drawing

LEAST, MOST = 16, 2**17
LENGTHS = [2**power for power in range(4, 18)]
DRAWN = 64  # blocks along a side; more are too small to be told apart
LEFT, TOP, SIDE = 48, 66, 320  # of the matrix of scores
PLOTS = 480, 280, 130  # left, width and height of the two plots
UNITS = ((1e12, "trillion", "TB"), (1e9, "billion", "GB"), (1e6, "million", "MB"), (1e3, "thousand", "kB"))


def explore_long() -> Explorer:
    """Explore attention in blocks: which are computed, and the cost against plain attention (lesson 12).

    Nothing is run, everything is counted: one head of width 64, numbers of 4 bytes.

    Returns
    -------
    Explorer
        Controls: length (16 to 131,072, log), block (rows worked on together, 16 to 131,072, log), causal.

    Examples
    --------
    >>> explorer = explore_long()
    >>> explorer.length.value, explorer.block.value = 4096, 1024
    >>> explorer.description.split(";")[0]
    '4,096 tokens in blocks of 1,024, causal: 10 of 16 tiles computed, 6 skipped'
    """
    controls = [
        Slider("length", 2048, LEAST, MOST, log=2),
        Slider("block", 256, LEAST, MOST, log=2),
        Switch("causal", True),
    ]
    return Explorer(_draw_long, controls)


def _draw_long(length, block, causal):
    block = min(block, length)
    tiled, plain = attention_cost(length, causal=causal, block=block), attention_cost(length)
    costs = {"plain": (plain, _curve(None, False)), "blocks": (tiled, _curve(block, causal))}
    said = f"{tiled.blocks - tiled.blocks_skipped:,} of {tiled.blocks:,} tiles computed"
    kind = "causal" if causal else "full"
    counted = "counted, not run: one head of width 64, float32 (4 bytes)"
    drawing = Drawing(820, 470, f"{length:,} tokens in blocks of {block:,}, {kind}", counted)
    _draw_blocks(drawing, length, block, causal, said)
    told = [f"{length:,} tokens in blocks of {block:,}, {kind}: {said}, {tiled.blocks_skipped:,} skipped"]
    left, width, _ = PLOTS
    for y, title, field, unit in (
        (TOP, "multiplications", "multiplications", 1),
        (TOP + 214, "bytes of scores held at once", "nbytes", 2),
    ):
        drawing.text(left - 50, y - 24, title, font=14, bold=True)
        amounts = [_amount(getattr(cost, field), unit) for cost in (plain, tiled)]
        both = f"plain {amounts[0]}, in blocks {amounts[1]}"
        drawing.text(left - 50, y - 6, both, room=width + 50)
        _draw_plot(drawing, y + 8, costs, field, length, unit)
        told.append(f"{title}: {both}")
    return drawing, f"{'; '.join(told)}."


@functools.lru_cache(maxsize=64)
def _curve(block, causal):
    """The cost at each of LENGTHS."""
    return [attention_cost(length, causal=causal, block=block) for length in LENGTHS]


def _draw_blocks(drawing, length, block, causal, said):
    """The matrix of scores, one row of blocks under the other, hatched where nothing is computed."""
    cell, firsts = SIDE / length, range(0, length, block)
    drawing.text(LEFT, 14, "scores: queries down, keys across", font=14, bold=True)
    drawing.text(LEFT, 34, said, room=SIDE + 50)
    if len(firsts) > DRAWN:
        drawing.text(LEFT, 52, "tiles are too small to be drawn one by one", font=12)
    drawing.box(LEFT, TOP, SIDE, SIDE, fill=BLOCKED)
    drawing.hatch(LEFT, TOP, np.zeros((16, 16), bool), SIDE / 16)
    if len(firsts) > DRAWN:
        corners = [(LEFT, TOP), (LEFT + SIDE, TOP), (LEFT + SIDE, TOP + SIDE), (LEFT, TOP + SIDE)]
        drawing.polygon([corner for place, corner in enumerate(corners) if not causal or place != 1], BLUE)
        firsts = ()
    for first in firsts:
        stop = min(first + block, length)
        top, bottom = first * cell, stop * cell
        drawing.box(LEFT, TOP + top, bottom if causal else SIDE, bottom - top, fill=BLUE)
        if causal:
            right = LEFT + bottom
            drawing.polygon([(LEFT + top, TOP + top), (right, TOP + top), (right, TOP + bottom)], LIT)
    for first in firsts[1:]:
        drawing.line(LEFT, TOP + first * cell, LEFT + SIDE, TOP + first * cell, color="white")
        drawing.line(LEFT + first * cell, TOP, LEFT + first * cell, TOP + SIDE, color="white")
    drawing.box(LEFT, TOP, SIDE, SIDE, edge=FAINT)
    kinds = [("computed", BLUE), ("computed, then blocked", LIT), ("skipped", BLOCKED)]
    for y, (name, fill) in zip((16, 36, 56), kinds, strict=True):
        drawing.box(LEFT, TOP + SIDE + y - 7, 14, 14, fill=fill, edge=FAINT)
        if fill == BLOCKED:
            drawing.hatch(LEFT, TOP + SIDE + y - 7, np.array([[False]]), 14)
        drawing.text(LEFT + 22, TOP + SIDE + y, name, font=12)


def _draw_plot(drawing, top, costs, field, length, unit):
    """Both ways against length, on axes whose equal steps multiply."""
    left, width, height = PLOTS
    low, high = 2.5, 13.0  # powers of ten

    def along(length):
        return math.log2(length / LEAST) / math.log2(MOST / LEAST)

    def at(length, amount):
        return left + width * along(length), top + height * (high - math.log10(amount)) / (high - low)

    for one, *names in UNITS:
        _, y = at(LEAST, one)
        drawing.line(left, y, left + width, y, color=BLOCKED)
        drawing.text(left - 6, y, f"1 {names[unit - 1]}", anchor="end", font=11)
    marks = {along(mark): f"{mark:,}" for mark in (16, 256, 4096, 65536)}
    drawing.axis(left, top + height, width, marks, "length")
    for name, color in (("plain", INK), ("blocks", BLUE)):
        here, curve = costs[name]
        points = [at(place, getattr(cost, field)) for place, cost in zip(LENGTHS, curve, strict=True)]
        drawing.curve(points, color, dash="6 4" if name == "plain" else None)
        drawing.dot(*at(length, getattr(here, field)), 5, color)
    for x, y, name, color in ((0.04, 0.1, "- - plain", INK), (0.04, 0.22, "— in blocks", BLUE)):
        drawing.text(left + x * width, top + y * height, name, font=12, color=color)


def _amount(count, unit):
    """A count in words, or bytes: 2.15 billion, 67.1 MB."""
    for one, *names in UNITS:
        if count >= one:
            return f"{float(f'{count / one:.3g}'):g} {names[unit - 1]}"
    return f"{count}" + (" bytes" if unit == 2 else "")
