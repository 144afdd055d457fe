"""Lesson 12: which tiles of the scores are computed, and what that costs against the whole matrix at once."""

import functools
import math

import numpy as np

from attn_parts.colours import BLOCKED, BLUE, FAINT, INK, LIT
from attn_parts.explorer import Explorer, Slider, Switch
from attn_parts.long_sequences import tile_cost
from attn_parts.svg import Drawing

LEAST, MOST = 16, 2**17
LENGTHS = [2**power for power in range(4, 18)]
DRAWN = 64  # blocks along a side; more are too small to be told apart
LEFT, TOP, SIDE = 48, 66, 320  # of the matrix of scores
PLOTS = 480, 280, 130  # left, width and height of the two plots
UNITS = (
    (1e12, "trillion", "TB"),
    (1e9, "billion", "GB"),
    (1e6, "million", "MB"),
    (1e3, "thousand", "kB"),
)


def explore_long() -> Explorer:
    """Explore which tiles of the scores are computed, and what that costs beside plain attention (lesson 12).

    Nothing is run, everything is counted. Controls: length (16 to 131,072, log), block (queries and keys of a
    tile, 16 to 131,072, log), causal.
    """
    controls = [
        Slider("length", 2048, LEAST, MOST, log=2),
        Slider("block", 256, LEAST, MOST, log=2),
        Switch("causal", True),
    ]
    return Explorer(_draw_long, controls)


def _draw_long(length, block, causal):
    block, kind = min(block, length), "causal" if causal else "full"
    cost = tile_cost(length, block, causal)
    said = f"{cost.computed:,} of {cost.tiles:,} tiles computed"
    counted = "counted, not run: one head of width 64, float32 (4 bytes)"
    drawing = Drawing(820, 470, f"{length:,} tokens in blocks of {block:,}, {kind}", counted)
    _draw_blocks(drawing, length, block, causal, said)
    told = [
        f"{length:,} tokens in blocks of {block:,}, {kind}: {said}, {cost.tiles - cost.computed:,} skipped"
    ]
    left, width, _ = PLOTS
    for unit, title in enumerate(("multiplications", "bytes of scores held at once")):
        top = TOP + 214 * unit
        ways = {
            "plain": lambda length, unit=unit: _cost(length, length, False)[unit],
            "in tiles": lambda length, unit=unit: _cost(length, block, causal)[unit],
        }
        both = ", ".join(f"{name} {_amount(cost(length), unit)}" for name, cost in ways.items())
        drawing.text(left - 50, top - 24, title, font=14, bold=True)
        drawing.text(left - 50, top - 6, both, room=width + 50)
        _draw_plot(drawing, top + 8, ways, length, unit)
        told.append(f"{title}: {both}")
    return drawing, f"{'; '.join(told)}."


@functools.cache
def _cost(length, block, causal):
    """Multiplications, and the bytes of one tile of scores."""
    return tile_cost(length, block, causal).multiplications, 4 * min(length, block) ** 2


def _draw_blocks(drawing, length, block, causal, said):
    """The matrix of scores, one row of blocks under the other, hatched where nothing is computed."""
    cell = SIDE / length
    firsts = range(0, length, block)
    drawing.text(LEFT, 14, "scores: queries down, keys across", font=14, bold=True)
    drawing.text(LEFT, 34, said, room=SIDE + 50)
    drawing.box(LEFT, TOP, SIDE, SIDE, fill=BLOCKED)
    drawing.hatch(LEFT, TOP, np.zeros((16, 16), bool), SIDE / 16)
    if len(firsts) > DRAWN:
        drawing.text(LEFT, 52, "tiles are too small to be drawn one by one", font=12)
        start = LEFT if causal else LEFT + SIDE  # where the first row ends
        drawing.polygon(
            [
                (LEFT, TOP),
                (start, TOP),
                (LEFT + SIDE, TOP + SIDE),
                (LEFT, TOP + SIDE),
            ],
            BLUE,
        )
        firsts = ()
    for first in firsts:
        stop = min(first + block, length)
        top = first * cell
        bottom = stop * cell
        drawing.box(LEFT, TOP + top, bottom if causal else SIDE, bottom - top, fill=BLUE)
        if causal:
            right = LEFT + bottom
            drawing.polygon(
                [
                    (LEFT + top, TOP + top),
                    (right, TOP + top),
                    (right, TOP + bottom),
                ],
                LIT,
            )
    for first in firsts[1:]:
        drawing.line(LEFT, TOP + first * cell, LEFT + SIDE, TOP + first * cell, color="white")
        drawing.line(LEFT + first * cell, TOP, LEFT + first * cell, TOP + SIDE, color="white")
    drawing.box(LEFT, TOP, SIDE, SIDE, edge=FAINT)
    kinds = (
        (16, "computed", BLUE),
        (36, "computed, then blocked", LIT),
        (56, "skipped", BLOCKED),
    )
    for y, name, fill in kinds:
        drawing.box(LEFT, TOP + SIDE + y - 7, 14, 14, fill=fill, edge=FAINT)
        drawing.hatch(
            LEFT,
            TOP + SIDE + y - 7,
            np.array([[fill != BLOCKED]]),
            14,
        )
        drawing.text(LEFT + 22, TOP + SIDE + y, name, font=12)


def _draw_plot(drawing, top, ways, length, unit):
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
        drawing.text(left - 6, y, f"1 {names[unit]}", anchor="end", font=11)
    marks = {along(mark): f"{mark:,}" for mark in (16, 256, 4096, 65536)}
    drawing.axis(left, top + height, width, marks, "length")
    for (name, cost), color, dash, y in zip(
        ways.items(),
        (INK, BLUE),
        ("6 4", None),
        (22, 38),
    ):
        drawing.curve([at(place, cost(place)) for place in LENGTHS], color, dash=dash)
        drawing.dot(*at(length, cost(length)), 5, color)
        drawing.text(
            left + 11,
            top + y,
            f"{'- -' if dash else '—'} {name}",
            font=12,
            color=color,
        )


def _amount(count, unit):
    """A count in words, or bytes: 2.15 billion, 67.1 MB."""
    one, *names = next(row for row in UNITS if row[0] <= count)
    return f"{float(f'{count / one:.3g}'):g} {names[unit]}"
