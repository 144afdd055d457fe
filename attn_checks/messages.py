"""What a checker says: Feedback, and how a wrong answer is put into words.

A message has the input on which it shows, expected beside yours, what happened, and where to look.
"""

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

import numpy as np

from attn_checks.compare import SMALLEST, agree, close, first_difference, mostly_raises, which_matrix
from attn_checks.diagnosis import diagnose, name_list, sentences
from attn_parts.colours import OPEN, PASSED, TO_MEND

MARKS = {"passed": ("✓", PASSED), "not attempted": ("·", OPEN)}
NOTEBOOKS = pathlib.Path(__file__).parents[1] / "notebooks"
WIDTH = 100  # letters in a line of plain text
NOT_YET = ("✗", TO_MEND)
AGAIN = "Look again at: "
MINUTES = re.compile(r" \(\d+ minutes?\)$")
COUNTED = {2: "two", 3: "three", 4: "four"}
DIFFERS = "A * marks each wrong cell."
ROWS = 4  # of a table that is shown
OF_SHAPES = "error", "shape-mismatch", "index-out-of-bounds", "unpacking", "truth-of-an-array"
ANY_AXES = "Count axes from the end, and let NumPy take all leading axes at once, without a loop."


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


# Where a lesson is to be read again: a cell's id becomes the heading that its notebook has there today.


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


# --- A wrong answer -------------------------------------------------------------------------------


def tell(exercise, caller, outcomes, wrong, found):
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    if found:
        return tell_mistake(exercise, outcomes, wrong, found)
    if mostly_raises(outcomes, wrong):
        return tell_error(exercise, outcomes, wrong)
    at, number, mistake, text = diagnose(exercise, caller, outcomes, wrong)
    only = right_elsewhere(exercise, wrong, at)
    see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
    return incorrect(
        exercise,
        outcomes,
        at,
        number,
        mistake,
        "",
        [only or sentences(text, right_on(exercise, wrong, text))],
        see,
    )


def tell_mistake(exercise, outcomes, wrong, found):
    """The feedback for a mistake with a name, on the first input on which it shows."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    shows = [i for i in with_numbers if matters(exercise, found.first, i)] if found.first else with_numbers
    at = (shows or with_numbers or wrong)[0]
    number = first_difference(exercise.wanted[at], outcomes[at], exercise.exact)
    several = found.name.split("; ")
    listed = [f"{i}. {one}" for i, one in enumerate(several, 1)] if several[1:] else []
    name = f" Looks like: {f'{COUNTED[len(several)]} mistakes' if listed else found.name}."
    advice = re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", found.say)  # stars mark emphasis
    see = found.see or exercise.see
    return incorrect(exercise, outcomes, at, number, found.short, name, [*listed, advice], see)


def matters(exercise, mistake, i):
    """Whether one of two mistakes matters alone on this input."""
    ways = (exercise.imitated(way, i) for way in mistake.ways)
    return any(not agree(way, exercise.wanted[i], exercise.exact) for way in ways)


def incorrect(exercise, outcomes, at, number, mistake, name, advice, see):
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    lines, tables = counterexample(exercise, case, want, got, number)
    lines = [*lines, printed(got), *advice, look_again(see)]
    return say("incorrect", mistake, f"{exercise.name}: not yet.{name}", lines, tables)


def tell_error(exercise, outcomes, wrong):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    at = next(i for i in wrong if outcomes[i].raised is not None)
    error, only = outcomes[at].raised, right_elsewhere(exercise, wrong, at)
    inputs = zip(exercise.parameters, exercise.cases[at], strict=False)
    given = ", ".join(argument_text(*each) for each in inputs)
    lines = [
        only or right_on(exercise, wrong, ""),  # first: NumPy's own words below frighten
        f"Your line: {error.line}" if error.line else "",
        error.words,
        f"It was called with {given}.",
        printed(outcomes[at]),
        "" if only and error.mistake in OF_SHAPES else error.advice,
    ]
    return say("error", error.mistake, f"{exercise.name}: your function raised an error.", lines)


def right_elsewhere(exercise, wrong, at):
    """What sets apart the input `at` from those that all went right, by its number of axes; or ""."""
    axes = [max((a.ndim for a in case if isinstance(a, np.ndarray)), default=0) for case in exercise.cases]
    here = axes[at]
    if any(n == here for i, n in enumerate(axes) if i not in wrong):
        return ""
    right = set(axes) - {axes[i] for i in wrong}
    if here > 3 and {2, 3} <= right:
        return f"With one sentence and with a batch it came out right. This input has more leading axes, for example sentences and heads. {ANY_AXES}"
    if here > 2 and 2 in right:
        return f"With one sentence it came out right. This input is a batch: its first axis counts sentences. {ANY_AXES}"
    if here == 2 and 3 in right:
        return "With a batch of 3 axes it came out right. This input is one sentence, so it has 2 axes. Count axes from the end."
    if here == 1 and 2 in right:
        return "With a matrix it came out right. This input is a single row, so it has one axis. Let NumPy work along the last axis, axis=-1."
    return ""


def right_on(exercise, wrong, said):
    """On how many inputs it is right, and on which, or on which it isn't, where these are few; "" if most are wrong and more is said."""
    names = [f"“{name}”" for name in exercise.inputs]
    right, bad = ([name for i, name in enumerate(names) if (i in wrong) == side] for side in (False, True))
    if not right or (said and len(right) < len(bad)):
        return ""
    lead, few = (": ", right) if len(right) < len(bad) else (", but not on ", bad)
    return f"Your function is right on {len(right)} of {len(names)} inputs{lead + name_list(few) if len(few) < 4 else ''}."


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    lines = [
        line for line in outcome.printed.split("\n") if not line.startswith("run by ")
    ]  # what `mine` says
    words = " · ".join(lines).strip(" ·")
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}" if words else ""


# --- Expected beside got --------------------------------------------------------------------------


def counterexample(exercise, case, want, got, number):
    """Lines and tables that show the input on which learner and right answer differ."""
    inputs = [(n, joined(a)) for n, a in zip(exercise.parameters, case, strict=False) if a is not None]
    picked = () if number is None else which_matrix(want.values[number], got.values[number])
    shown = [sliced(name, array, picked, want) for name, array in inputs]
    shapes = ", ".join(argument_text(name, array) for name, array in inputs)
    small = (np.size(array) <= 20 and len(as_cells(array)) <= ROWS for _, array in shown)
    whole = got.raised is None and all(small)
    sides = [] if number is None else [side.values[number] for side in (want, got)]
    where = "On this input" if whole and not picked else f"On inputs of shape {shapes}"
    if picked:
        where += f". Only matrix [{', '.join(map(str, picked))}] is shown"
    elif any(np.ndim(array) > 2 for array in (*sides, *(array for _, array in shown if whole))):
        where += ". Only the first matrix of each array is shown"
    lines = [f"{where}:"]
    tables = [(name, as_cells(array)) for name, array in shown] if whole else []
    if got.raised is not None:
        lines.append(f"your function raised {got.raised.words}")
    if number is not None:
        name, (w, g) = exercise.results[number], sides
        sizes = [f" {array[picked].shape}" for array in (w, g)] if w.ndim or g.ndim else ["", ""]
        digits = enough_digits(w[picked], g[picked])
        cells = as_cells(w[picked], digits=digits), as_cells(g[picked], w[picked], digits)
        rows = which_rows(cells[1])
        cut = f", rows {rows.start} to {rows.stop - 1}" if len(cells[1]) > ROWS else ""
        sides = zip((" expected", ", yours"), sizes, cells, strict=True)
        tables += [(f"{name}{side}{size}{cut}", text[rows]) for side, size, text in sides]
    return lines, [table for table in tables if sum(map(len, table[1])) <= 48]


def which_rows(cells):
    """Of a long table the rows around the first that differs."""
    start = max(0, min(next(iter(starred(cells)), 0) - 1, len(cells) - ROWS))
    return slice(start, start + ROWS)


def joined(argument):
    """Chunks as one array; anything else as it is."""
    chunks = isinstance(argument, list) and argument and isinstance(argument[0], np.ndarray)
    return np.concatenate(argument) if chunks else argument


def sliced(name, array, picked, want):
    """One input, or the matrix of it that belongs to the picked matrix of the result."""
    batched = picked and np.ndim(array) > 2 and np.shape(array)[:-2] == want.values[0].shape[:-2]
    return (f"{name}[{', '.join(map(str, picked))}]", array[picked]) if batched else (name, array)


def argument_text(name, argument):
    if isinstance(argument, list):
        return f"{name}, a list of {len(argument)}"
    return f"{name} {np.shape(argument)}" if np.ndim(argument) else f"{name} = {cell_text(argument)}"


def as_cells(value, other=None, digits=3):
    """A matrix as text, cells that differ from `other` marked with *; of a batch, its first matrix."""
    array = np.asarray(value)
    marks = np.zeros(array.shape, dtype=bool)
    if other is not None and np.shape(other) == array.shape:
        marks = ~close(array, np.asarray(other))
    if not array.size:
        return [["(empty)"]]
    if array.ndim > 2:
        array, marks = array.reshape(-1, *array.shape[-2:])[0], marks.reshape(-1, *array.shape[-2:])[0]
    array, marks = np.atleast_2d(array), np.atleast_2d(marks)
    return [
        [cell_text(v, digits) + ("*" if m else "") for v, m in zip(row, flags, strict=True)]
        for row, flags in zip(array, marks, strict=True)
    ]


def enough_digits(want, got):
    """How many digits tell apart all cells that differ."""
    for digits in (3, 5, 7):
        pairs = zip(chain(*as_cells(want, got, digits)), chain(*as_cells(got, want, digits)), strict=False)
        if not any(a == b and a.endswith("*") for a, b in pairs):
            return digits
    return 9


def cell_text(value, digits=3):
    if value is None or isinstance(value, (bool, np.bool_, str)):
        return printable(str(value))
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value:.{digits}g}"
    number = 0.0 if abs(float(value)) < SMALLEST else float(value)
    whole = np.isfinite(number) and number == round(number) and abs(number) < 1e16
    return f"{number:.0f}" if whole else f"{number:.{digits}g}"
