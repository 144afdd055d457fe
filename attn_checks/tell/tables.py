"""Expected beside got: the input on which an answer is wrong, in lines and tables."""

from itertools import chain

import numpy as np

from attn_checks.run.compare import SMALLEST, close, which_matrix
from attn_checks.tell.feedback import printable, starred

ROWS = 4  # of a table that is shown


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
