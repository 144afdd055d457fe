"""A head that was trained to say what *it* means, and a sentence drawn with its weights."""

import functools

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, PAPER, SOFT
from attn_parts.example import load_data
from attn_parts.formatting import number
from attn_parts.svg import Drawing

WORD, GAP, LEFT = 68, 5, 14  # width of a word's box, of the gap to the next, of the margin
ROW = 180  # height of one sentence with its arcs and numbers


@functools.cache
def stored_heads():
    """The heads that the course has trained."""
    return load_data("pronoun_head")


def nearest_frame(head, step):
    """Return the index of the frame nearest to a step."""
    return int(np.abs(np.array(head["frames"]) - step).argmin())


def draw_answers_of(words, answers, rows, title):
    """Draw a sentence in rows (label, weights, probabilities of `answers`), and say what they show."""
    drawing = Drawing(780, len(rows) * ROW, title)
    told = []
    for place, (label, weights, chances) in enumerate(rows):
        top = place * ROW
        drawing.text(LEFT, top + 14, label, font=16, bold=True)
        draw_words(drawing, top + 106, words, weights)
        _draw_answers(drawing, top + 62, answers, chances)
        best = int(weights.argmax())
        answer = int(chances.argmax())
        noun = "" if best == 1 else f", {words[1]} {number(weights[1])}"
        told.append(
            f"{label}: “it” looks most at {words[best]} {number(weights[best])}{noun}, "
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
        drawing.text(x - 7, middle, answer, anchor="end", font=15, bold=top, room=58)
        wide = 64 * chance
        fill = BLUE if top else FAINT
        drawing.box(x, middle - 7, wide, 14, fill=fill)
        drawing.text(x + wide + 6, middle, number(chance), font=13, bold=top)
    foot = y - 10 + 22 * len(answers)
    drawing.line(x, y - 12, x, foot, color=FAINT)


def draw_words(drawing, y, words, weights, numbers=True):
    """Draw the words in a row, each shaded by its weight, with an arc to each from the last one."""
    middles = LEFT + WORD / 2 + (WORD + GAP) * np.arange(len(words))
    *others, start = middles
    for end, weight in zip(others, weights, strict=False):
        high = y - 28 - 0.15 * (start - end)
        drawing.marks.append(
            f'<path d="M{start:.4g} {y:.4g}C{start:.4g} {high:.4g} {end:.4g} {high:.4g} {end:.4g} {y:.4g}" '
            f'fill="none" stroke="{LIT}" stroke-width="{0.8 + 9 * weight:.3g}" '
            f'stroke-opacity="{0.3 + 0.7 * weight:.2g}"/>'
        )
    for middle, word, weight in zip(middles, words, weights, strict=True):
        largest = weight == weights.max()
        asks = middle == start
        left = middle - WORD / 2
        edge, thick = (BLUE, 3) if asks else (FAINT, 1)
        _shade(drawing, left, y, WORD, 38, weight)
        drawing.box(left, y, WORD, 38, edge=edge, thick=thick)
        bold = largest or asks
        drawing.text(middle, y + 19, word, anchor="middle", font=17, bold=bold, room=WORD - 4)
        if numbers:
            drawing.text(middle, y + 54, number(weight), anchor="middle", font=14, bold=largest)


def _shade(drawing, x, y, width, height, weight):
    """Shade a box between white for a weight of 0 and orange for 1."""
    drawing.box(x, y, width, height, fill=PAPER)
    drawing.marks.append(
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" '
        f'fill="{LIT}" fill-opacity="{weight:.3g}"/>'
    )


def draw_scale(drawing, x, y):
    """Draw which shade means which weight."""
    drawing.text(x, y, "weight", font=13)
    drawing.text(x + 54, y, "0", anchor="end", font=13)
    for place in range(20):
        left = x + 60 + 4 * place
        _shade(drawing, left, y - 7, 4, 14, (place + 0.5) / 20)
    drawing.box(x + 60, y - 7, 80, 14, edge=FAINT)
    drawing.text(x + 146, y, "1", font=13)
