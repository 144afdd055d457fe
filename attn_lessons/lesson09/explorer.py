"""Lesson 09: one score is nudged; finite differences are shown beside the gradient of the backward pass."""

import functools

import numpy as np

from attn_lessons.lesson09._gradient_check import WORDS, run_lines
from attn_parts.colours import BLUE, FAINT, KEY, LIT
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import number
from attn_parts.learning import softmax_backward
from attn_parts.mathematics import softmax
from attn_parts.svg import Drawing

FURTHEST, HIGHEST = 10, 4.0  # nudge and loss at the ends of the curve's axes


def explore_backward() -> Explorer:
    """Nudge one score of an untrained head: finite differences beside the gradient (lesson 09).

    Controls: word (whose score is nudged), nudge (1e-15 to 10, log).
    """
    controls = [
        Choice("word", "hot", WORDS),
        Slider("nudge", 10.0, 1e-15, 10.0, 1, log=10),
    ]
    return Explorer(_draw_nudge, controls)


@functools.cache
def _head():
    """Scaled scores of *it*, and the gradient at them: one forward and one backward pass."""
    arrays = run_lines()
    d_logits = softmax(arrays["logits"]) - np.eye(5)[:1]
    d_weights = d_logits @ arrays["W_O"].T @ arrays["V"].T
    return arrays["scaled"], softmax_backward(arrays["weights"], d_weights)[0]


def _draw_nudge(word, nudge):
    scaled, gradient = _head()
    place = WORDS.index(word)

    def nudged(change):
        return run_lines(scaled=scaled + change * np.eye(len(WORDS))[place])["loss"]

    up, down = nudged(nudge), nudged(-nudge)
    measured, rate = (up - down) / (2 * nudge), float(gradient[place])
    drawing = Drawing(980, 400, f"The loss when the score of “{word}” is nudged by {nudge:g}")
    left, top, width, height = 60, 46, 430, 220  # of the curve

    def at(change, value):
        return left + width * (change + FURTHEST) / (2 * FURTHEST), top + height * (1 - value / HIGHEST)

    drawing.text(left - 40, 18, "loss, when the score changes", font=14, bold=True)
    drawing.upright_axis(left, top, height, {k / 4: str(k) for k in range(5)})
    marks = {(k + 10) / 20: f"{k:+d}" for k in (-10, -5, 5, 10)} | {0.5: "0"}
    drawing.axis(left, top + height, width, marks, "change of the score")
    drawing.curve([at(t, nudged(t)) for t in np.linspace(-FURTHEST, FURTHEST, 81)], FAINT)
    drawing.curve([at(t, nudged(0.0) + rate * t) for t in (-3, 3)], LIT, dash="6 4")
    ends = at(-nudge, down), at(nudge, up)
    drawing.curve(ends, BLUE)
    for end in ends:
        drawing.dot(*end, 5, BLUE)
    drawing.text(
        left + 12,
        top + height - 34,
        "dashed: slope by the gradient",
        font=12,
        color=KEY,
    )
    drawing.text(
        left + 12,
        top + height - 16,
        "with dots: the two nudges",
        font=12,
        color=BLUE,
    )
    drawing.text(
        560,
        18,
        "gradient at each score, from one backward pass",
        font=14,
        bold=True,
    )
    drawing.bars(
        580,
        46,
        380,
        220,
        list(gradient),
        limits=(-0.6, 0.6),
        labels=WORDS,
        lit=place,
    )
    told = f"finite differences {number(measured, 6)}, gradient {number(rate, 6)}"
    drawing.text(60, 334, f"loss {number(down, 6)} below, {number(up, 6)} above", font=14)
    drawing.text(60, 360, told, font=16, bold=True)
    drawing.text(60, 386, f"They differ by {abs(measured - rate):.1g}.", font=14)
    return drawing, f"Score of {word}, nudged by {nudge:g} up and down: {told}."
