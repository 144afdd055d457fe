"""Feedback: what a checker says, as rich text in a notebook and as plain text elsewhere."""

import functools
import html
import json
import pathlib
import re
import sys
import textwrap
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    name: str = ""  # of the exercise or question
    verdict: str = ""  # in a few words
    like: str = ""  # the mistake that it looks like, in a few words
    lines: tuple[str, ...] = ()
    tables: tuple = ()  # of (caption, rows of text), shown after the first line
    advice: str = ""  # the line that a whole class may be told, without one learner's numbers
    see: str = ""  # id of the cell to read again
    lacks: str = ""  # a name that the answer uses and that isn't defined

    @property
    def title(self) -> str:
        return f"{self.name}: {self.verdict}." + (f" Looks like: {self.like}." if self.like else "")

    @property
    def seen(self) -> str:
        """The message without the place to look again."""
        above = [self.title, *self.lines[:1]]
        below = [*legend(self.tables), *self.lines[1:]]
        return "\n".join([*map(wrapped, above), *in_columns(self.tables), *map(wrapped, below)])

    def __str__(self):
        return self.message

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        mark, color = MARKS.get(self.status, NOT_YET)
        parts = [f"<strong>{mark} {html.escape(self.title)}</strong>"]
        parts += [f"<div>{html.escape(line)}</div>" for line in self.lines[:1]]
        if self.tables:
            parts.append("<div>" + "".join(html_table(*table) for table in self.tables) + "</div>")
        below = *legend(self.tables), *self.lines[1:]
        parts += [f"<div>{html.escape(line)}</div>" for line in below]
        parts += [f"<div>{linked(self.see)}</div>"] if self.see else []
        box = f"border-left:4px solid {color};padding:2px 0 2px 10px"
        return {"text/html": f'<div style="{box}">{"".join(parts)}</div>', "text/plain": self.message}


def say(
    status: str,
    mistake: str | None,
    name: str,
    verdict: str,
    *lines: str,
    advice: str = "",
    tables: Sequence[tuple] = (),
    **others: str,
) -> Feedback:
    """A Feedback with its message, from lines of text, advice and tables; others: `like`, `see`, `lacks`."""
    shown = tuple([printable(line) for line in (*lines, advice) if line])
    verdict = printable(verdict)
    tables = tuple(tables)
    made = Feedback(status, mistake, "", name, verdict, lines=shown, tables=tables, advice=advice, **others)
    place = [wrapped(look_again(made.see))] if made.see else []
    return replace(made, message="\n".join([made.seen, *place]))


def printable(text):
    """Text with ? for what no terminal and no file can hold."""
    return text.encode(errors="replace").decode()


def also(feedback: Feedback, line: str) -> Feedback:
    """The same words about an answer that passed, with one more line."""
    return say(feedback.status, feedback.mistake, feedback.name, feedback.verdict, *feedback.lines, line)


def name_list(names: Sequence[str]) -> str:
    """Names as a sentence has them: X, Y and Z."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def sentences(*texts: str) -> str:
    return " ".join(filter(None, texts))


def told_apart(mine: float, right: float) -> tuple[str, str]:
    """Two numbers as text, with as many digits as it takes to tell them apart."""
    for digits in range(3, 17):
        pair = f"{mine:.{digits}g}", f"{right:.{digits}g}"
        if pair[0] != pair[1]:
            return pair
    return f"{mine:.3g}", f"{right:.3g}"


def wrapped(line):
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def in_columns(tables):
    """The tables side by side.

    Where they are too wide the last two, those of the result, are below the others or alone, or only their
    first row that differs is shown.
    """
    inputs = tables[:-2]
    result = tables[-2:]
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


LIST_FOR_ARRAY = (
    "You return a list, but the exercise asks for an array, because @ and .T work only on arrays. Return "
    "np.array(...) of it."
)


def passed(name: str, n_inputs: int, gives_list: bool = False) -> Feedback:
    line = f"Right on all {n_inputs} inputs, including the tricky ones."
    return say("passed", None, name, "passed", line, LIST_FOR_ARRAY if gives_list else "")


def not_attempted(name: str) -> Feedback:
    line = "Replace the ... with your answer, run that cell, then this one."
    return say("not attempted", None, name, "not attempted yet", line)


def html_table(caption, cells):
    cell = '<td style="text-align:right;padding:0 6px{}">{}</td>'
    odd = f";font-weight:bold;border-bottom:2px solid {TO_MEND}"
    rows = [
        "".join(cell.format(odd if text.endswith("*") else "", html.escape(text)) for text in row)
        for row in cells
    ]
    return (
        '<table style="display:inline-table;margin:4px 24px 4px 0">'
        f'<caption style="text-align:left;white-space:nowrap">{html.escape(caption)}</caption>'
        f"{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
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


def look_again(cell: str) -> str:
    """The last line of a message: 'Look again at: lesson 04, Temperature' for the cell l04-temperature."""
    return f"{AGAIN}{section(cell)}"


def section(cell: str) -> str:
    """'lesson 04, Temperature' for l04-temperature; only the lesson where its notebook has no such cell."""
    lesson = cell[1:3]
    heading = MINUTES.sub("", headings(lesson).get(cell, ""))
    return f"lesson {lesson}, {heading}" if heading else f"lesson {lesson}"


def linked(cell: str) -> str:
    """The same as HTML, with a link to the place, except in Colab, where a relative one leads nowhere."""
    heading = headings(cell[1:3]).get(cell, "")
    text = html.escape(section(cell))
    path = next(NOTEBOOKS.glob(f"{cell[1:3]}_*.ipynb"), None)
    if not heading or path is None or "google.colab" in sys.modules:
        return f"{AGAIN}{text}"
    place = urllib.parse.quote(heading.replace(" ", "-"))
    return f'{AGAIN}<a href="{path.name}#{place}">{text}</a>'


@functools.cache
def headings(lesson: str) -> dict[str, str]:
    """The heading in each Markdown cell of a lesson that has one, by the cell's id."""
    found = {}
    for path in NOTEBOOKS.glob(f"{lesson}_*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            heading = re.search(r"(?m)^#+ (.+?)\s*$", "".join(cell["source"]))
            if cell["cell_type"] == "markdown" and heading:
                found[cell["id"]] = heading[1].replace("*", "")
    return found
