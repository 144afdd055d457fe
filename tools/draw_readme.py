"""Draw README.md's pictures: what a check says of a wrong answer, and lesson 00's head while it learns.

python tools/draw_readme.py     write verdict.svg, verdict_dark.svg, learning.svg, learned.svg into .github/
"""

import re

import numpy as np

import _command
import attn_checks as check
import attn_helpers as attn
from attn_checks.tell.feedback import legend, look_again
from attn_lessons.lesson10._film import moving
from attn_parts.colours import BLUE, GROUND, PALETTE, SOFT, TO_MEND
from attn_parts.formatting import text_width
from attn_parts.svg import Drawing

STEPS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 150, 200, 500]
WRONG = """def softmax(x):
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)"""
FONT, LINE, LEFT, WIDTH = 17, 28, 36, 640
LETTER = 0.6 * FONT  # how wide a letter of code is


def pictures():
    """{file name: SVG}."""
    explorer = attn.explore_pronoun()
    drawn = [explorer.draw(step=step, noun="chai") for step in STEPS]
    film, told = moving(drawn)
    whole, _ = drawn[-1]
    day = verdict()
    return {
        "verdict.svg": day,
        "verdict_dark.svg": by_night(day),
        "learning.svg": film.svg(told) + "\n",
        "learned.svg": whole.svg(told) + "\n",
    }


def verdict():
    """The wrong answer, and below it what its check says."""
    defined = {"np": np}
    exec(WRONG, defined)
    told = check.softmax(defined["softmax"])
    drawing = Drawing(WIDTH, 10, "A wrong answer, and what its check says")
    y = code(drawing, 10, WRONG) + 8
    y = code(drawing, y, "check.softmax(softmax)") + 28
    first = y - 16
    drawing.text(LEFT, y, f"✗ {told.title}", font=FONT, bold=True, room=WIDTH - LEFT - 16)
    y = drawing.paragraph(LEFT, y + LINE, told.lines[0], WIDTH - LEFT, font=FONT)
    y = tables(drawing, y + 4, told.tables)
    for line in (*legend(told.tables), *told.lines[1:], look_again(told.see)):
        y = drawing.paragraph(LEFT, y, line, WIDTH - LEFT - 20, font=FONT) + 3
    drawing.box(18, first, 5, y - first - 10, fill=TO_MEND)
    drawing.height = y
    return drawing.svg(told.message) + "\n"


def code(drawing, y, source):
    """A cell of code at the height y; where the next thing may begin."""
    lines = source.splitlines()
    below = y + LINE * len(lines) + 14
    drawing.box(14, y, WIDTH - 28, below - y, fill=GROUND)
    drawing.box(14, y, 4, below - y, fill=BLUE)
    drawing.marks.append("<g font-family='ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace'>")
    for row, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        drawing.text(LEFT + indent * LETTER, y + 7 + (row + 0.5) * LINE, line.strip(), font=FONT)
    drawing.marks.append("</g>")
    return below


def tables(drawing, y, given):
    """The tables side by side, wrong cells in bold and underlined; where the next line may begin."""
    x = LEFT
    for caption, rows in given:
        wide = 12 + max(text_width(cell, FONT, bold=True) for row in rows for cell in row)
        drawing.text(x, y, caption, font=FONT - 2, color=SOFT)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                right, middle = x + (j + 1) * wide - 6, y + (i + 1) * LINE
                wrong = cell.endswith("*")
                drawing.text(right, middle, cell, anchor="end", font=FONT, bold=wrong)
                if wrong:
                    drawing.box(right - wide + 10, middle + 10, wide - 8, 2, fill=TO_MEND)
        x += max(wide * len(rows[0]), text_width(caption, FONT - 2)) + 30
    return y + (1 + max(len(rows) for _, rows in given)) * LINE + 6


def by_night(svg):
    """The picture in the colours of dark pages."""
    night = dict(PALETTE.values())
    return re.sub(r"#[0-9a-f]{6}", lambda color: night.get(color[0], color[0]), svg)


if __name__ == "__main__":
    for name, svg in pictures().items():
        (_command.ROOT / ".github" / name).write_text(svg, "utf-8")
