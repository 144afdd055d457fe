"""Lesson 14: how many facts each way of attention finds, and how many numbers it keeps for that."""

import math

from attn_lessons.lesson14._facts import BEST, TEXTS, WAYS, WINDOW, found_by, kept
from attn_parts.colours import BLOCKED, BLUE, FAINT, KEY, LIT, SOFT
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.svg import Drawing

FEWEST, MOST = 4, 256
COUNTS = [2**power for power in range(2, 9)]
NAMES = {
    "softmax": "softmax, all keys",
    "window": f"softmax, the last {WINDOW}",
    "best keys": f"softmax, the best {BEST} keys",
    "linear": "linear: one sum",
    "delta": "delta rule",
}
LEFT, TOP, WIDE, HIGH = 70, 64, 290, 210  # of the plot
BARS, ROW, LONG = (
    410,
    44,
    210,
)  # where bars begin; from one to the next; a whole one


def explore_memory() -> Explorer:
    """Explore how many facts each way of attention finds, and how many numbers it keeps for that (lesson 14).

    Controls: facts (4 to 256, log), told (once, or twice with another answer the second time), width of keys
    and values (16 to 128), way (whose line is drawn).
    """
    controls = [
        Slider("facts", 64, FEWEST, MOST, log=2),
        Choice("told", 1, {"once": 1, "twice": 2}, buttons=True),
        Choice("width", 64, [16, 32, 64, 128], width=130),
        Choice("way", "linear", {name: way for way, name in NAMES.items()}, width=230),
    ]
    return Explorer(_draw_memory, controls)


def _draw_memory(facts, told, width, way):
    times = {1: "once", 2: "twice"}[told]
    asked = "" if told == 1 else ", and we ask for the latest"
    title = f"{facts} facts, told {times}{asked}; width {width}"
    drawing = Drawing(
        806,
        TOP + HIGH + 50,
        title,
        f"random keys and values of length 1, mean of {TEXTS} texts",
    )
    found = {name: found_by(name, facts, told, width) for name in WAYS}
    numbers = {name: kept(name, facts * told, width) for name in WAYS}
    _draw_line(drawing, facts, told, width, way)
    drawing.text(BARS, 22, "found", font=14, bold=True)
    drawing.text(BARS + LONG + 62, 22, "numbers kept", font=14, bold=True)
    for row, name in enumerate(WAYS):
        y = TOP - 10 + row * ROW
        drawing.text(
            BARS,
            y - 8,
            NAMES[name],
            font=13,
            bold=name == way,
            color=KEY if name == way else SOFT,
        )
        drawing.box(BARS, y + 2, LONG, 14, fill=BLOCKED)
        drawing.box(BARS, y + 2, LONG * found[name], 14, fill=LIT if name == way else BLUE)
        drawing.text(BARS + LONG + 6, y + 9, f"{found[name]:.2f}", font=12)
        drawing.text(BARS + LONG + 62, y + 9, f"{numbers[name]:,}", font=13)
    told_all = "; ".join(
        f"{NAMES[name]}: {found[name]:.2f} found, {numbers[name]:,} numbers kept" for name in WAYS
    )
    return drawing, f"{title}. {told_all}."


def _draw_line(drawing, facts, told, width, way):
    """What one way finds of more and more facts, and a dot at the present number."""

    def at(count):
        share = math.log2(count / FEWEST) / math.log2(MOST / FEWEST)
        return LEFT + WIDE * share, TOP + HIGH * (1 - found_by(way, count, told, width))

    drawing.text(LEFT - 44, 22, f"found: {NAMES[way]}", font=14, bold=True)
    for part in (0, 0.5, 1):
        y = TOP + HIGH * (1 - part)
        drawing.line(LEFT, y, LEFT + WIDE, y, color=BLOCKED)
    drawing.upright_axis(LEFT, TOP, HIGH, {0: "0", 0.5: "0.5", 1: "1"})
    marks = {math.log2(count / FEWEST) / math.log2(MOST / FEWEST): str(count) for count in COUNTS}
    drawing.axis(LEFT, TOP + HIGH, WIDE, marks, "facts")
    drawing.curve([at(count) for count in COUNTS], LIT)
    drawing.dot(*at(facts), 6, LIT)
    drawing.line(
        at(facts)[0],
        at(facts)[1],
        at(facts)[0],
        TOP + HIGH,
        color=FAINT,
        dash="3 3",
    )
