"""Expected beside got: the input on which an answer is wrong, in lines and tables."""

from itertools import chain

import numpy as np

from attn_checks.run.compare import SMALLEST, close, which_matrix
from attn_checks.tell.feedback import printable, starred
from attn_checks.tell.values import WrongResult

ROWS = 4  # of a table that is shown


def counterexample(shown: WrongResult) -> tuple[list[str], list[tuple]]:
    """Lines and tables that show the input on which learner and right answer differ."""
    exercise = shown.answer.exercise
    at = shown.at
    number = shown.number
    want = exercise.wanted[at]
    got = shown.answer.outcomes[at]
    pairs = zip(exercise.parameters, exercise.cases[at], strict=False)
    inputs = [(name, joined(value)) for name, value in pairs if value is not None]
    sides = [] if number is None else [want.arrays[number], got.arrays[number]]
    picked = which_matrix(*sides) if sides else ()
    parts = [sliced(name, array, picked, want) for name, array in inputs]
    small = [np.size(array) <= 20 and len(as_cells(array)) <= ROWS for _, array in parts]
    is_whole = got.raised is None and all(small)
    where = "On this input"
    if not is_whole or picked:
        where = f"On inputs of shape {', '.join([argument_text(*each) for each in inputs])}"
    if picked:
        where += f". Only matrix [{', '.join(map(str, picked))}] is shown"
    elif any([np.ndim(array) > 2 for array in (*sides, *[array for _, array in parts if is_whole])]):
        where += ". Only the first matrix of each array is shown"
    lines = [f"{where}:"]
    if got.raised:
        lines.append(f"your function raised {got.words}")
    tables = [(name, as_cells(array)) for name, array in parts] if is_whole else []
    if number is not None:
        tables += expected_beside_got(exercise.results[number], *[side[picked] for side in sides])
    return lines, [table for table in tables if sum(map(len, table[1])) <= 48]


def expected_beside_got(name, want, got):
    """Two tables, the rows around the first that differs."""
    sizes = [f" {want.shape}", f" {got.shape}"] if want.ndim or got.ndim else ["", ""]
    digits = enough_digits(want, got)
    cells = as_cells(want, digits=digits), as_cells(got, want, digits)
    rows = which_rows(cells[1])
    cut = f", rows {rows.start} to {rows.stop - 1}" if len(cells[1]) > ROWS else ""
    sides = zip((" expected", ", yours"), sizes, cells, strict=True)
    return [(f"{name}{side}{size}{cut}", text[rows]) for side, size, text in sides]


def which_rows(cells):
    """Of a long table the rows around the first that differs."""
    first = next(iter(starred(cells)), 0)
    start = max(0, min(first - 1, len(cells) - ROWS))
    return slice(start, start + ROWS)


def joined(argument):
    """Chunks as one array; anything else as it is."""
    chunks = isinstance(argument, list) and argument and isinstance(argument[0], np.ndarray)
    return np.concatenate(argument) if chunks else argument


def sliced(name, array, picked, want):
    """One input, or the matrix of it that belongs to the picked matrix of the result."""
    leading = want.values[0].shape[:-2]
    if not picked or np.ndim(array) < 3 or np.shape(array)[:-2] != leading:
        return name, array
    return f"{name}[{', '.join(map(str, picked))}]", array[picked]


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
        first = (0,) * (array.ndim - 2)
        array = array[first]
        marks = marks[first]
    marked = np.where(marks, "*", "")
    rows = zip(np.atleast_2d(array), np.atleast_2d(marked), strict=True)
    return [
        [cell_text(value, digits) + mark for value, mark in zip(row, mark_of, strict=True)]
        for row, mark_of in rows
    ]


def enough_digits(want, got):
    """How many digits tell apart all cells that differ."""
    for digits in (3, 5, 7):
        expected = chain(*as_cells(want, got, digits))
        yours = chain(*as_cells(got, want, digits))
        pairs = zip(expected, yours, strict=False)
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
