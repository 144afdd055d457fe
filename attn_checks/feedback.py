"""What a checker says: a status, the name of a mistake, and a message as rich text and as plain text."""

import functools
import html
import json
import pathlib
import re
import textwrap
from dataclasses import dataclass

from attn_parts.colours import OPEN, PASSED, TO_MEND

MARKS = {"passed": ("✓", PASSED), "not attempted": ("·", OPEN)}
NOTEBOOKS = pathlib.Path(__file__).parents[1] / "notebooks"
WIDTH = 100  # letters in a line of plain text
NOT_YET = ("✗", TO_MEND)


@dataclass(frozen=True)
class Feedback:
    """The answer of a checker; displays as rich text in a notebook, as plain text elsewhere.

    Attributes
    ----------
    status : str
        "passed", "not attempted", "incorrect" or "error".
    mistake : str or None
        Short name of the mistake, for example "wrong-axis", where one was recognised.
    message : str
        What was seen on which small input, expected beside got, and where to look.

    Examples
    --------
    >>> import numpy as np, attn_checks as check
    >>> feedback = check.softmax(lambda x: np.exp(x))
    >>> feedback.status, feedback.mistake
    ('incorrect', 'not-normalised')
    """

    status: str
    mistake: str | None
    message: str
    title: str = ""
    lines: tuple = ()
    tables: tuple = ()  # of (caption, rows of text), shown after the first line

    def __str__(self):
        return self.message

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        mark, color = MARKS.get(self.status, NOT_YET)
        parts = [f"<strong>{mark} {html.escape(self.title)}</strong>"]
        parts += [f"<div>{html.escape(line)}</div>" for line in self.lines[:1]]
        if self.tables:
            parts.append("<div>" + "".join(html_table(*table) for table in self.tables) + "</div>")
        parts += [f"<div>{html.escape(line)}</div>" for line in self.lines[1:]]
        box = f"border-left:4px solid {color};padding:2px 0 2px 10px"
        return {"text/html": f'<div style="{box}">{"".join(parts)}</div>', "text/plain": self.message}


def say(status, mistake, title, lines=(), tables=()):
    """A Feedback, its message put together from a title, lines of text and tables."""
    lines, tables = tuple(line for line in lines if line), tuple(tables)
    text = [*map(wrapped, (title, *lines[:1])), *in_columns(tables), *map(wrapped, lines[1:])]
    return Feedback(status, mistake, "\n".join(text), title, lines, tables)


def wrapped(line):
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def in_columns(tables):
    """The tables side by side; where they are too wide the last ones, which are those of the result, or their first row that differs."""
    for shown in (tables, *(tables[i:] for i in range(1, len(tables) - 1))):
        text = side_by_side(shown) if shown else ""
        if max(map(len, text.split("\n"))) <= WIDTH:
            return [text] if text else []
    rows = enumerate(tables[-1][1])
    first = next((i for i, row in rows if any(cell.endswith("*") for cell in row)), 0)
    return [side_by_side([(caption, cells[first : first + 1])]) for caption, cells in tables[-2:]]


def passed(name, n_inputs, remark=""):
    line = f"Right on all {n_inputs} inputs, the awkward ones included."
    return say("passed", None, f"{name}: passed.", [line, remark])


def not_attempted(name):
    line = "Replace the ... with your answer, run that cell, then this one."
    return say("not attempted", None, f"{name}: not attempted yet.", [line])


def html_table(caption, cells):
    rows = "".join(
        "<tr>"
        + "".join(f'<td style="text-align:right;padding:0 6px">{html.escape(cell)}</td>' for cell in row)
        + "</tr>"
        for row in cells
    )
    return (
        '<table style="display:inline-table;margin:4px 24px 4px 0"><caption style="text-align:left;white-space:nowrap">'
        f"{html.escape(caption)}</caption>{rows}</table>"
    )


def side_by_side(tables):
    """The tables as columns of text, one beside the other."""
    blocks = []
    for caption, cells in tables:
        wide = max((len(cell) for row in cells for cell in row), default=0)
        block = [caption, *("  ".join(cell.rjust(wide) for cell in row) for row in cells)]
        width = max(map(len, block))
        blocks.append([line.ljust(width) for line in block])
    tall = max(map(len, blocks))
    blocks = [block + [" " * len(block[0])] * (tall - len(block)) for block in blocks]
    return "\n".join("    ".join(parts).rstrip() for parts in zip(*blocks, strict=True))


# Where a lesson is to be read again: a cell's id becomes the heading that its notebook has there today.


def look_again(cell):
    """The last line of a message: 'Look again at: lesson 04, Temperature' for the cell l04-temperature."""
    return f"Look again at: {section(cell)}" if cell else ""


def section(cell):
    """'lesson 04, Temperature' for l04-temperature; only the lesson where its notebook has no such cell."""
    lesson = cell[1:3]
    heading = headings(lesson).get(cell, "")
    return f"lesson {lesson}, {heading}" if heading else f"lesson {lesson}"


@functools.cache
def headings(lesson):
    """The heading in each Markdown cell of a lesson that has one, by the cell's id."""
    found = {}
    for path in NOTEBOOKS.glob(f"{lesson}_*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            heading = re.search(r"(?m)^#+ (.+?)\s*$", "".join(cell["source"]))
            if cell["cell_type"] == "markdown" and heading:
                found[cell["id"]] = heading[1].replace("*", "")
    return found
