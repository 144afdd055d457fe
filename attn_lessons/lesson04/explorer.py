"""Lesson 04: scores, their softmax, and how fast each weight moves when one score is nudged."""

import numpy as np

from attn_parts.colours import BLUE, LIT, PAPER
from attn_parts.explorer import ALL, Explorer, Slider, Switch
from attn_parts.formatting import digits_that_fit, gives, number
from attn_parts.mathematics import softmax
from attn_parts.svg import Drawing

KEYS = ["k₁", "k₂", "k₃", "k₄", "k₅"]
TOP, HEIGHT = 60, 180  # of all four panels
QUARTER = 0.25  # the largest that p(1 − p) can be


def explore_softmax() -> Explorer:
    """Show scores, their softmax, and how a nudge to one score moves all weights (lesson 04).

    Controls: score (of the last of five keys), temperature (0.05 to 20, log), subtract_max.
    """
    controls = [
        Slider("score", 1.5, -20.0, 20.0, 0.5),
        Slider("temperature", 1.0, 0.05, 20.0, 0.1, log=10),
        Switch("subtract_max", True),
    ]
    frames = [
        {"score": ALL, "temperature": [1.0], "subtract_max": ALL},
        {
            "score": [-20, -10, -5, 0, 1.5, 2.5, 5, 10, 15, 20],
            "temperature": ALL,
            "subtract_max": ALL,
        },
    ]
    return Explorer(_draw_softmax, controls, frames)


def _draw_softmax(score, temperature, subtract_max):
    scores = (np.array([1.0, 2.0, 0.5, -1.0, score]) / temperature).astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):  # the overflow is what the picture shows
        exponentials = np.exp(scores)
        weights = softmax(scores) if subtract_max else exponentials / exponentials.sum()
    rates = -weights * weights[-1]
    rates[-1] = weights[-1] * (1 - weights[-1])
    drawing = Drawing(1010, 325, "Scores, their softmax, and a nudge to one score")
    largest = float(np.abs(scores).max())
    top = max(5.0, 1.15 * largest)
    edge = max(5, int(largest))
    _draw_bars(
        drawing,
        50,
        scores,
        (-top, top),
        "scores ÷ temperature T",
        (-edge, 0, edge),
    )
    _draw_bars(
        drawing,
        300,
        weights,
        (0.0, 1.0),
        "weights (float32)",
        (0, 0.5, 1),
    )
    _draw_bars(
        drawing,
        550,
        rates,
        (-0.3, 0.3),
        "nudge k₅'s score ÷ T",
        (-QUARTER, 0, QUARTER),
    )
    _draw_curve(drawing, 800, weights[-1])
    words = _in_words(scores, weights, rates)
    drawing.paragraph(20, 298, words, 970)
    return drawing, f"Scores ÷ T: {', '.join(number(s) for s in scores)}; {words}."


def _draw_bars(drawing, x, values, limits, title, marks):
    """Five bars with an axis on their left; the last one, whose score is dragged, is lit."""
    low, top = limits
    drawing.bars(
        x,
        TOP,
        180,
        HEIGHT,
        values,
        limits=limits,
        labels=KEYS,
        lit=4,
    )
    drawing.text(x - 34, TOP - 26, title, font=14, bold=True, room=225)
    places = {(mark - low) / (top - low): f"{mark:g}".replace("-", "−") for mark in marks}
    drawing.upright_axis(x, TOP, HEIGHT, places, tick=4)


def _draw_curve(drawing, x, weight):
    """p(1 − p) over p, and where on it the weight of k₅ is."""
    width, top = 180, 0.3
    places = [(x + p * width, TOP + HEIGHT * (1 - p * (1 - p) / top)) for p in np.linspace(0, 1, 41)]
    drawing.text(
        x - 34,
        TOP - 26,
        "its own move: p(1 − p)",
        font=14,
        bold=True,
        room=225,
    )
    drawing.upright_axis(
        x,
        TOP,
        HEIGHT,
        {0: "0", QUARTER / top: "0.25"},
        tick=4,
    )
    drawing.axis(
        x,
        TOP + HEIGHT,
        width,
        {0: "0", 0.5: "0.5", 1: "1"},
        "p, the weight of k₅",
    )
    for (x1, y1), (x2, y2) in zip(places, places[1:]):
        drawing.line(x1, y1, x2, y2, color=BLUE, width=2)
    if np.isfinite(weight):
        at = x + float(weight) * width
        up = TOP + HEIGHT * (1 - float(weight * (1 - weight)) / top)
        drawing.line(at, up, at, TOP + HEIGHT, color=LIT, dash="3 3")
        drawing.box(at - 5, up - 5, 10, 10, fill=LIT, edge=PAPER)


def _in_words(scores, weights, rates):
    if not np.isfinite(weights).all():
        return (
            f"exp({scores.max():.0f}) overflows float32 (limit 88.72): inf/inf gives nan; subtract "
            "the largest score first"
        )
    largest = KEYS[int(weights.argmax())]
    p = float(weights[-1])
    rate = f"{rates[-1]:.3f}"
    digits = digits_that_fit(lambda n: gives(round(p, n) * (1 - round(p, n)), rate), least=3)
    return (
        f"largest weight {weights.max():.3f}, of {largest}; k₅ has p = {p:.{digits}f}: if its "
        "score ÷ T is nudged up, "
        f"p rises at the rate p(1 − p) = {rate}, and the other four lose as much together"
    )
