"""Lesson 08: clocks for two positions, k apart, and the dot product of a position's code with all others."""

import math

import numpy as np

from attn_parts.colours import BLUE, FAINT, KEY, LIT, SOFT
from attn_parts.explorer import ALL, Choice, Explorer, Slider
from attn_parts.formatting import number
from attn_parts.mathematics import sinusoidal_encoding
from attn_parts.svg import Drawing

LENGTH, RADIUS = 80, 42  # positions on the curve; of a clock
LEFT, WIDE, TOP, HIGH = 70, 820, 190, 130  # of the curve
RING = [(math.sin(a), -math.cos(a)) for a in np.linspace(0, 2 * math.pi, 49)]


def explore_positions() -> Explorer:
    """Explore the sinusoidal encoding: hands of two positions k apart, and dot products of codes (lesson 08).

    Controls: position, k (the other one is so many words later), d_model (2, 4, 8 or 16; half as many hands).
    """
    controls = [
        Slider("position", 10, 0, 60),
        Slider("k", 3, 0, 19),
        Choice("d_model", 8, [2, 4, 8, 16], width=120),
    ]
    frames = [
        {"position": ALL, "d_model": ALL},
        {"k": ALL, "d_model": ALL},
        {"position": [0, 10, 20, 40, 60], "k": ALL},
    ]
    return Explorer(_draw_positions, controls, frames)


def _draw_positions(position, k, d_model):
    there, n_hands = position + k, d_model // 2
    speeds = 10000.0 ** (-2 * np.arange(n_hands) / d_model)
    drawing = Drawing(
        930,
        TOP + HIGH + 90,
        f"Positions {position} and {there}: hands, and dot products",
    )
    for i, speed in enumerate(speeds):
        x, y = LEFT + RADIUS + i * 110, 86
        drawing.curve([(x + RADIUS * a, y + RADIUS * b) for a, b in RING], FAINT)
        for angle, color, width in (
            (position * speed, BLUE, 4),
            (there * speed, LIT, 2),
        ):
            tip = (
                x + RADIUS * math.sin(angle) * 0.9,
                y - RADIUS * math.cos(angle) * 0.9,
            )
            drawing.line(x, y, *tip, color=color, width=width, arrow=True)
        drawing.text(x, 26, f"turned {k * speed:.2g}", anchor="middle", font=12)
    drawing.text(
        LEFT - RADIUS + 18,
        148,
        f"hand at position {position}",
        color=BLUE,
        bold=True,
    )
    drawing.text(LEFT + 160, 148, f"hand at position {there}", color=KEY, bold=True)
    codes = sinusoidal_encoding(LENGTH, d_model)
    products = codes @ codes[position]
    drawing.text(
        LEFT - 44,
        TOP - 16,
        f"dot product of the code at {position} with every code",
        bold=True,
    )
    drawing.upright_axis(LEFT, TOP, HIGH, {0: f"−{n_hands}", 0.5: "0", 1: str(n_hands)})
    marks = {q / (LENGTH - 1): str(q) for q in range(0, LENGTH, 10)}
    drawing.axis(LEFT, TOP + HIGH, WIDE, marks, "position")
    drawing.line(LEFT, TOP + HIGH / 2, LEFT + WIDE, TOP + HIGH / 2, color=SOFT, dash="3 4")
    heights = TOP + HIGH * (1 - products / n_hands) / 2
    places = [(LEFT + WIDE * q / (LENGTH - 1), y) for q, y in enumerate(heights)]
    drawing.curve(places, BLUE)
    for (x, y), color in ((places[position], BLUE), (places[there], LIT)):
        drawing.line(x, y, x, TOP + HIGH, color=color, dash="3 3")
        drawing.dot(x, y, 5, color)
    turns = ", ".join(f"{k * speed:.2g}" for speed in speeds)
    hands = f"the {n_hands} hands turn" if n_hands > 1 else "the one hand turns"
    told = (
        f"Positions {position} and {there}: {hands} by {turns} radian{'s' if turns != '1' else ''}. "
        f"The dot product of their codes is {number(products[there])}, "
        f"where that of a code with itself is {n_hands}."
    )
    drawing.paragraph(20, TOP + HIGH + 58, told, drawing.width - 40, font=14)
    return drawing, told
