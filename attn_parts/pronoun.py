"""A head that was trained to say what *it* means, and a sentence drawn with its weights."""

import functools
import json
import pathlib

import numpy as np

from attn_parts.colours import BLUE, FAINT, LIT, PAPER
from attn_parts.example import load_data
from attn_parts.formatting import number

WORD, GAP, LEFT = 68, 5, 14  # width of a word's box, of the gap to the next, of the margin


@functools.cache
def stored_heads():
    """The heads that the course has trained."""
    return load_data("pronoun_head")


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
            f'<path d="M{start:.4g} {y:.4g}C{start:.4g} {high:.4g} {end:.4g} {high:.4g} {end:.4g} {y:.4g}" '
            f'fill="none" stroke="{LIT}" stroke-width="{0.8 + 9 * weight:.3g}" '
            f'stroke-opacity="{0.3 + 0.7 * weight:.2g}"/>'
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
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" '
        f'fill="{LIT}" fill-opacity="{weight:.3g}"/>'
    )


def draw_scale(drawing, x, y):
    """Draw which shade means which weight."""
    drawing.text(x, y, "weight", font=13)
    drawing.text(x + 54, y, "0", anchor="end", font=13)
    for place in range(20):
        _shade(drawing, x + 60 + 4 * place, y - 7, 4, 14, (place + 0.5) / 20)
    drawing.box(x + 60, y - 7, 80, 14, edge=FAINT)
    drawing.text(x + 146, y, "1", font=13)
