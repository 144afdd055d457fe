"""Lesson 10: a head during training, by step: its loss, what *it* attends to, next-word probabilities."""

import functools

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, SOFT, WEIGHTS
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import listed, number, number_told
from attn_parts.learning import start_head, watch_training
from attn_parts.pronoun import nearest_frame, stored_heads
from attn_parts.svg import Drawing

STEPS, HIGHEST = 500, 3.0  # of the curve; a higher loss leaves it at the top
SEEDS = (0, 1, 7)  # of lesson 00 is 1, its twin in lesson 06 is 7
RATES = (0.001, 0.01, 0.1, 1.0, 3.0)
CURVE, CELL = (
    (60, 40, 560, 120),
    38,
)  # left, top, width, height of the curve; side of a cell


def explore_training():
    """Explore the training of a head that learns what *it* means (lesson 10): move to any step.

    A head is trained for each seed and rate, with Adam. Controls: step (0 to 500), seed, rate.
    """
    step = Slider("step", STEPS, 0, STEPS, 10)
    return Explorer(
        lambda step, seed, rate: _draw(trained(seed, rate), step, f"seed {seed}, learning rate {rate:g}"),
        [step, Choice("seed", 1, SEEDS), Choice("rate", 0.01, RATES)],
    )


@functools.cache
def trained(seed, rate):
    """The frames of one training; made once."""
    with np.errstate(all="ignore"):  # a rate that is too large may overflow
        return watch_training(start_head(seed), STEPS, rate)


def _draw(seen, step, name):
    """The curve with its dot, and below it two tables: weights and probabilities, a row for each sentence."""
    frames, place = seen["frames"], nearest_frame(seen, step)
    weights, answers = (
        np.array(seen["weights"][place]),
        np.array(seen["answers"][place]),
    )
    drawing = Drawing(760, 478, f"Learning, {name}, step {frames[place]}")
    loss = seen["loss"][place]
    here = number(loss, 3) if np.isfinite(loss) else "no number"
    _draw_curve(drawing, frames, seen["loss"], place, here)
    stored = stored_heads()
    nouns, words = (
        stored["nouns"],
        ["The", "noun", "is", "descr.", *stored["sentences"][0][4:]],
    )
    left = drawing.matrix(60, 232, weights, WEIGHTS, cell=CELL)
    left.title("what “it” attends to").names(nouns, words)
    right = drawing.matrix(452, 232, answers, WEIGHTS._replace(label="probability"), cell=CELL)
    right.title("next-word probability").names(nouns, stored["answers"]).color_bar()
    for row in range(len(nouns)):
        left.light(row, 1)
        right.light(row, row)
    looking = listed(nouns, weights[:, 1], number_told)
    sure = listed(nouns, answers.diagonal(), number_told)
    return drawing, (
        f"Loss {here}. Weight of “it” on the noun: {looking}. Probability of the right next word: {sure}."
    )


def _draw_curve(drawing, frames, losses, place, here):
    left, top, width, height = CURVE
    drawing.text(left, 16, "loss on the 20 training sentences", font=14, bold=True)

    def at(step, loss):
        loss = min(loss, HIGHEST) if np.isfinite(loss) else HIGHEST
        return left + width * step / frames[-1], top + height * (1 - loss / HIGHEST)

    for loss in (0, 1, 2, 3):
        drawing.text(left - 8, at(0, loss)[1], str(loss), anchor="end", font=12)
    marks = {share: f"{frames[-1] * share:g}" for share in (0, 0.25, 0.5, 0.75, 1)}
    drawing.axis(left, top + height, width, marks, "step")
    _, y = at(0, np.log(5))
    drawing.line(left, y, left + width, y, color=FAINT, dash="4 4")
    drawing.text(left + width + 8, y, "guessing: 1.61", font=12, color=SOFT)
    points = [at(step, loss) for step, loss in zip(frames, losses)]
    drawing.curve(points, BLUE)
    x, y = points[place]
    drawing.line(x, top, x, top + height, color=LIT)
    drawing.dot(x, y, 6, LIT)
    drawing.text(left + width + 8, top + 4, f"here: {here}", font=14, bold=True)
