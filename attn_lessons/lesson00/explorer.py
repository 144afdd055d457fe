"""Lesson 00: what *it* looks at, before and after a head is trained."""

import functools
import json
import pathlib

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, PAPER, SOFT
from attn_parts.example import load_data
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import number
from attn_parts.svg import Drawing

WORD, GAP, LEFT = 68, 5, 14  # width of a word's box, of the gap to the next, of the margin
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
    controls = [Slider("step", last, 0, last, 10), Choice("noun", stored["nouns"][0], stored["nouns"])]
    return Explorer(functools.partial(_draw_pronoun, heads, twin), controls)


stored_heads = functools.cache(functools.partial(load_data, "pronoun_head"))


def own_head(mine):
    """Return a reader's head, read from a file if need be."""
    if isinstance(mine, str | pathlib.Path):
        if not pathlib.Path(mine).exists():
            raise FileNotFoundError(
                f"no file {str(mine)!r} beside this notebook; lesson 10 saves one with attn.save_training, "
                "or pass what attn.watch_training returned"
            )
        mine = json.loads(pathlib.Path(mine).read_text(encoding="utf-8"))
    is_dict = isinstance(mine, dict)
    if not is_dict or not {"frames", "weights", "answers"} <= mine.keys():
        has = f"a dictionary with {', '.join(map(str, mine))}" if is_dict else type(mine).__name__
        raise ValueError(f"got {has}; a head of your own is what attn.watch_training returns")
    return mine


def _draw_pronoun(heads, twin, step, noun):
    stored, looks, before = stored_heads(), heads["looks"], "before training"
    which, answers = stored["nouns"].index(noun), stored["answers"]
    words = stored["sentences"][which]
    after = f"after {looks['frames'][nearest_frame(looks, step)]} steps"
    if twin:
        title = f"in two heads {after}"
        rows = (looks, step, f"one head, {after}"), (heads["does not look"], step, f"its twin, {after}")
    else:
        after = f"{after} of training" if step else before
        title = f"{before} and {after}"
        rows = (looks, 0, before), (looks, step, after)
    drawing, told = Drawing(780, 2 * ROW, f"What “it” looks at, {title}"), []
    for top, (head, step, label) in zip((0, ROW), rows, strict=True):
        frame = nearest_frame(head, step)
        weights, chances = (np.array(head[name][frame][which]) for name in ("weights", "answers"))
        drawing.text(LEFT, top + 14, label, font=16, bold=True)
        draw_words(drawing, top + 106, words, weights)
        _draw_answers(drawing, top + 62, answers, chances)
        best, answer = int(weights.argmax()), int(chances.argmax())
        first = "" if best == 1 else f", {words[1]} {number(weights[1])}"
        told.append(
            f"{label}: “it” looks most at {words[best]} {number(weights[best])}{first}, "
            f"and the likeliest next word is {answers[answer]} {number(chances[answer])}"
        )
    draw_scale(drawing, 612, 15)
    return drawing, f"The sentence “{' '.join(words)} …”; {'; '.join(told)}."


def nearest_frame(head, step):
    """Return the index of the frame nearest to a step."""
    return int(np.abs(np.array(head["frames"]) - step).argmin())


def draw_words(drawing, y, words, weights, numbers=True):
    """Draw the words in a row, each shaded by its weight, with an arc to each from the last one."""
    middles = LEFT + WORD / 2 + (WORD + GAP) * np.arange(len(words))
    *others, start = middles
    for end, weight in zip(others, weights, strict=False):
        high = y - 28 - 0.15 * (start - end)
        drawing.marks.append(
            f'<path d="M{start:.4g} {y:.4g}C{start:.4g} {high:.4g} {end:.4g} {high:.4g} {end:.4g} {y:.4g}" fill="none" '
            f'stroke="{LIT}" stroke-width="{0.8 + 9 * weight:.3g}" stroke-opacity="{0.3 + 0.7 * weight:.2g}"/>'
        )
    for middle, word, weight in zip(middles, words, weights, strict=True):
        largest, last = weight == weights.max(), middle == start
        _shade(drawing, middle - WORD / 2, y, WORD, 38, weight)
        drawing.box(middle - WORD / 2, y, WORD, 38, edge=BLUE if last else FAINT, thick=3 if last else 1)
        drawing.text(middle, y + 19, word, anchor="middle", font=17, bold=largest or last)
        if numbers:
            drawing.text(middle, y + 54, number(weight), anchor="middle", font=14, bold=largest)


def _shade(drawing, x, y, width, height, weight):
    """Shade a box between white for a weight of 0 and orange for 1."""
    drawing.box(x, y, width, height, fill=PAPER)
    drawing.marks.append(
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" fill="{LIT}" fill-opacity="{weight:.3g}"/>'
    )


def _draw_answers(drawing, y, answers, chances):
    """Draw a bar for the probability of each next word."""
    x = 666
    drawing.text(x - 54, y - 24, "next word", font=14, color=SOFT)
    for place, (answer, chance) in enumerate(zip(answers, chances, strict=True)):
        middle, top = y + 22 * place, chance == chances.max()
        drawing.text(x - 7, middle, answer, anchor="end", font=15, bold=top)
        drawing.box(x, middle - 7, 64 * chance, 14, fill=BLUE if top else FAINT)
        drawing.text(x + 64 * chance + 6, middle, number(chance), font=13, bold=top)
    drawing.line(x, y - 12, x, y + 100, color=FAINT)


def draw_scale(drawing, x, y):
    """Draw which shade means which weight."""
    drawing.text(x, y, "weight", font=13)
    drawing.text(x + 54, y, "0", anchor="end", font=13)
    for place in range(20):
        _shade(drawing, x + 60 + 4 * place, y - 7, 4, 14, (place + 0.5) / 20)
    drawing.box(x + 60, y - 7, 80, 14, edge=FAINT)
    drawing.text(x + 146, y, "1", font=13)
