"""Lesson 00: what *it* looks at, before and after a head is trained."""

import functools

import numpy as np

from attn_parts.colours import BLUE, FAINT, SOFT
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import number
from attn_parts.pronoun import LEFT, draw_scale, draw_words, nearest_frame, own_head, stored_heads
from attn_parts.svg import Drawing

ROW = 180  # height of one sentence with its arcs and numbers


def explore_pronoun(mine=None, twin=False):
    """Show what *it* looks at in a sentence such as "The chai is hot so we let it" (lesson 00).

    The weights are learned: stored frames of one attention head, from random parameters to step 500. `mine` shows a head of
    your own instead: what `watch_training` returned, or the name of the file that `save_training` wrote. Without `twin` the
    head before training is above the same head after `step` steps. With it both are after `step` steps, the first and
    another that answers as well but looks elsewhere (lesson 06). Controls: step (0 to 500), noun.
    """
    stored = stored_heads()
    heads = {name: {**head, "frames": stored["frames"]} for name, head in stored["heads"].items()}
    if mine is not None:
        heads["looks"] = own_head(mine)
    last = heads["looks"]["frames"][-1]
    controls = [
        Slider("step", last, 0, last, 10),
        Choice("noun", stored["nouns"][0], stored["nouns"]),
    ]
    return Explorer(functools.partial(_draw_pronoun, heads, twin), controls)


def _draw_pronoun(heads, twin, step, noun):
    stored = stored_heads()
    looks = heads["looks"]
    before = "before training"
    which = stored["nouns"].index(noun)
    answers = stored["answers"]
    words = stored["sentences"][which]
    after = f"after {looks['frames'][nearest_frame(looks, step)]} steps"
    if twin:
        title = f"in two heads {after}"
        rows = (looks, step, f"one head, {after}"), (heads["does not look"], step, f"its twin, {after}")
    else:
        after = f"{after} of training" if step else before
        title = f"{before} and {after}"
        rows = (looks, 0, before), (looks, step, after)
    drawing = Drawing(780, 2 * ROW, f"What “it” looks at, {title}")
    told = []
    for top, (head, step, label) in zip((0, ROW), rows, strict=True):
        frame = nearest_frame(head, step)
        weights, chances = (np.array(head[name][frame][which]) for name in ("weights", "answers"))
        drawing.text(LEFT, top + 14, label, font=16, bold=True)
        draw_words(drawing, top + 106, words, weights)
        _draw_answers(drawing, top + 62, answers, chances)
        best = int(weights.argmax())
        answer = int(chances.argmax())
        first = "" if best == 1 else f", {words[1]} {number(weights[1])}"
        told.append(
            f"{label}: “it” looks most at {words[best]} {number(weights[best])}{first}, "
            f"and the likeliest next word is {answers[answer]} {number(chances[answer])}"
        )
    draw_scale(drawing, 612, 15)
    return drawing, f"The sentence “{' '.join(words)} …”; {'; '.join(told)}."


def _draw_answers(drawing, y, answers, chances):
    """Draw a bar for the probability of each next word."""
    x = 666
    drawing.text(x - 54, y - 24, "next word", font=14, color=SOFT)
    for place, (answer, chance) in enumerate(zip(answers, chances, strict=True)):
        middle = y + 22 * place
        top = chance == chances.max()
        drawing.text(x - 7, middle, answer, anchor="end", font=15, bold=top)
        drawing.box(x, middle - 7, 64 * chance, 14, fill=BLUE if top else FAINT)
        drawing.text(
            x + 64 * chance + 6,
            middle,
            number(chance),
            font=13,
            bold=top,
        )
    drawing.line(x, y - 12, x, y + 100, color=FAINT)
