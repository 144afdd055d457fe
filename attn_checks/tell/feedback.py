"""Feedback: what a checker says, as rich text in a notebook and as plain text elsewhere."""

import functools
import html
import json
import pathlib
import re
import sys
import textwrap
import urllib.parse
from dataclasses import dataclass
from itertools import chain

from attn_parts.colours import OPEN, PASSED, TO_MEND

MARKS = {"passed": ("✓", PASSED), "not attempted": ("·", OPEN)}


NOTEBOOKS = pathlib.Path(__file__).parents[2] / "notebooks"


WIDTH = 100  # letters in a line of plain text


NOT_YET = ("✗", TO_MEND)


AGAIN = "Look again at: "


MINUTES = re.compile(r" \(\d+ minutes?\)$")


DIFFERS = "A * marks each wrong cell."


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
        parts += [f"<div>{linked(line)}</div>" for line in self.lines[:1]]
        if self.tables:
            parts.append("<div>" + "".join(html_table(*table) for table in self.tables) + "</div>")
        parts += [f"<div>{linked(line)}</div>" for line in (*legend(self.tables), *self.lines[1:])]
        box = f"border-left:4px solid {color};padding:2px 0 2px 10px"
        return {"text/html": f'<div style="{box}">{"".join(parts)}</div>', "text/plain": self.message}


def say(status, mistake, title, lines=(), tables=()):
    """A Feedback, its message put together from a title, lines of text and tables."""
    title, *lines = (printable(line) for line in (title, *lines) if line)
    tables, below = tuple(tables), [*legend(tables), *lines[1:]]
    text = [*map(wrapped, (title, *lines[:1])), *in_columns(tables), *map(wrapped, below)]
    return Feedback(status, mistake, "\n".join(text), title, tuple(lines), tables)


def printable(text):
    """Text with ? for what no terminal and no file can hold."""
    return text.encode(errors="replace").decode()


def also(feedback, line):
    """The same feedback with one more line."""
    return say(feedback.status, feedback.mistake, feedback.title, [*feedback.lines, line], feedback.tables)


def wrapped(line):
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def in_columns(tables):
    """The tables side by side; where they are too wide the last two, those of the result, below the others or alone, or their first row that differs."""
    inputs, result = tables[:-2], tables[-2:]
    without = ["(The input is too wide to be shown in full.)"] if inputs else []
    first = next(iter(starred(tables[-1][1]) if tables else ()), 0)
    one_row = [[(f"{caption}, row {first}", cells[first : first + 1])] for caption, cells in result]
    ways = [tables], [inputs, result], [without, result], [without, *one_row]
    for way in ways:
        text = [part[0] if part == without else side_by_side(part) for part in way if part]
        if max(map(len, chain.from_iterable(map(str.splitlines, text))), default=0) <= WIDTH:
            break
    return text


def legend(tables):
    """What the stars in the tables mean, where there are any."""
    return [DIFFERS] if any(starred(rows) for _, rows in tables) else []


def starred(rows):
    """Numbers of the rows that have a wrong cell."""
    return [i for i, row in enumerate(rows) if any(cell.endswith("*") for cell in row)]


def passed(name, n_inputs, remark=""):
    line = f"Right on all {n_inputs} inputs, including the tricky ones."
    return say("passed", None, f"{name}: passed.", [line, remark])


def not_attempted(name):
    line = "Replace the ... with your answer, run that cell, then this one."
    return say("not attempted", None, f"{name}: not attempted yet.", [line])


def html_table(caption, cells):
    cell = '<td style="text-align:right;padding:0 6px{}">{}</td>'
    odd = f";font-weight:bold;border-bottom:2px solid {TO_MEND}"
    rows = [
        "".join(cell.format(odd if text.endswith("*") else "", html.escape(text)) for text in row)
        for row in cells
    ]
    return (
        '<table style="display:inline-table;margin:4px 24px 4px 0"><caption style="text-align:left;white-space:nowrap">'
        f"{html.escape(caption)}</caption>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
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


def look_again(cell):
    """The last line of a message: 'Look again at: lesson 04, Temperature' for the cell l04-temperature."""
    return f"{AGAIN}{section(cell)}" if cell else ""


def section(cell):
    """'lesson 04, Temperature' for l04-temperature; only the lesson where its notebook has no such cell."""
    lesson = cell[1:3]
    heading = MINUTES.sub("", headings(lesson).get(cell, ""))
    return f"lesson {lesson}, {heading}" if heading else f"lesson {lesson}"


def linked(line):
    """A line as HTML; a place to look at again is a link to it, except in Colab, where a relative one leads nowhere."""
    place = re.fullmatch(rf"{AGAIN}(lesson (\d\d), (.+))", line)
    for path in NOTEBOOKS.glob(f"{place[2]}_*.ipynb") if place and "google.colab" not in sys.modules else ():
        anchors = {MINUTES.sub("", name): name.replace(" ", "-") for name in headings(place[2]).values()}
        link = f"{path.name}#{urllib.parse.quote(anchors[place[3]])}"
        return f'{AGAIN}<a href="{link}">{html.escape(place[1])}</a>'
    return html.escape(line)


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
