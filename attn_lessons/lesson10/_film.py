"""Lesson 10: a moving picture of a head while it learns, as SVG; README's is drawn with it."""

import os
import pathlib

import numpy as np

from attn_parts.pronoun import draw_answers_of
from attn_parts.stills import CardsPicture
from attn_parts.svg import Drawing

FIRST, EACH, LAST = 1.5, 0.4, 4.0  # seconds
WHOSE = "What “it” looks at, before training and while it is trained"


class Film(CardsPicture):
    """A moving picture that displays itself; `save` writes it into a file for a browser."""

    def save(self, file):
        pathlib.Path(file).write_text(self._svg + "\n", encoding="utf-8")


def film_training(words, answers, frames):
    """Make a moving picture of a head that learns; it stops at the last frame where motion is unwelcome.

    Parameters
    ----------
    words, answers : list of str
        The sentence, which ends in "it", and the next words.
    frames : list of (step, weights, probabilities)
        Of each moment the step of training, a weight per word and a probability per answer; the first is
        before training.

    Examples
    --------
    >>> film = film_training(["The", "cup"], ["break"], [(0, [0.9, 0.1], [1]), (9, [0.1, 0.9], [1])])
    >>> film.alt[-98:]
    'after 9 steps of training: “it” looks most at cup 0.90, and the likeliest next word is break 1.00.'
    """
    shown = [(step, np.array(weights, float), np.array(chances, float)) for step, weights, chances in frames]
    for _, weights, chances in shown:
        if weights.shape != (len(words),) or chances.shape != (len(answers),):
            raise ValueError(
                f"a frame has weights {weights.shape} and probabilities {chances.shape}, expected "
                f"({len(words)},) and ({len(answers)},): those of one sentence"
            )
    drawn = []
    for step, weights, chances in shown:
        label = f"after {step} steps of training" if step else "before training"
        rows = [("before training", *shown[0][1:]), (label, weights, chances)]
        drawn.append(draw_answers_of(words, answers, rows, WHOSE))
    return Film(*moving(drawn))


def moving(drawn):
    """One drawing of several, each with its description: what all share once, and the rest of each in its
    time.
    """
    frames = [drawing.marks for drawing, _ in drawn]
    shared = os.path.commonprefix(frames)
    whole, told = drawn[-1]
    seconds = [FIRST, *[EACH] * (len(frames) - 2), LAST][-len(frames) :]
    rules = [
        ".f:nth-last-of-type(n+2){visibility:hidden}",
        "@media (prefers-reduced-motion:no-preference){",
    ]
    changing = []
    for place, marks in enumerate(frames):
        begin, end = (100 * sum(seconds[:k]) / sum(seconds) for k in (place, place + 1))
        rules.append(f"@keyframes f{place}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}")
        rules.append(f"{end:.2f}%{{visibility:{'visible' if end == 100 else 'hidden'}}}}}")
        rules.append(f".f{place}{{animation:f{place} {sum(seconds):g}s step-end infinite}}")
        changing += [f'<g class="f f{place}">', *marks[len(shared) :], "</g>"]
    film = Drawing(whole.width, whole.height, WHOSE)
    film.marks = [f"<style>{''.join(rules)}}}</style>", *shared, *changing]
    return film, told
