"""How a wrong answer is told: the smallest input on which it shows, expected beside got, and where to look."""

import re
from itertools import chain

import numpy as np

from attn_checks.compare import SMALLEST, agree, close, mostly_raises, which_matrix
from attn_checks.feedback import say
from attn_checks.sections import look_again
from attn_checks.unnamed import first_different, first_wrong, has_stray_nan, only_some_inputs, unnamed

ROWS = 4  # of a table that is shown


def tell(exercise, caller, outcomes, wrong, found):
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    in_error = not found and mostly_raises(outcomes, wrong)
    at = next((i for i in wrong if (outcomes[i].raised is not None) == in_error), wrong[0])
    at = at if found or in_error else plain_numbers_first(exercise, outcomes, wrong, at)
    only = only_some_inputs(exercise, wrong, at)
    if in_error:
        return tell_error(exercise, outcomes[at], exercise.cases[at], only)
    if found:
        at = where_it_shows(exercise, found.first, with_numbers, at) if found.first else at
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    if found:
        mistake, advice, see = found.short, plain(found.say), found.see
        number = first_different(exercise, want, got)
    else:
        number, before = first_wrong(exercise, outcomes, at)
        mistake, advice = unnamed(exercise, caller, outcomes, wrong, at, number)
        advice = only or f"{before} {advice}".strip()
        see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
    title = f"{exercise.name}: not yet." + (f" Looks like: {found.name}." if found else "")
    lines, tables = compare(exercise, case, want, got, number)
    return say("incorrect", mistake, title, [*lines, printed(got), advice, look_again(see)], tables)


def plain_numbers_first(exercise, outcomes, wrong, otherwise):
    """Of wrong inputs, some of which give a NaN, the first that gives none, if there are more of these."""
    without = [i for i in wrong if outcomes[i].values and not has_stray_nan(exercise, outcomes, i)]
    return without[0] if len(without) > len(wrong) / 2 else otherwise


def tell_error(exercise, outcome, case, only):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    error = outcome.raised
    given = ", ".join(argument_text(*each) for each in zip(exercise.parameters, case, strict=False))
    mistake, advice = error.mistake, error.advice
    if only and mistake in (
        "error",
        "shape-mismatch",
        "index-out-of-bounds",
        "unpacking",
        "truth-of-an-array",
    ):
        advice = ""
    lines = [
        only,  # first: NumPy's own words below frighten
        f"Your line: {error.line}" if error.line else "",
        error.words,
        f"It was called with {given}.",
        printed(outcome),
        advice,
    ]
    return say("error", mistake, f"{exercise.name}: your function raised an error.", lines)


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    words = " · ".join(outcome.printed.split("\n")).strip(" ·")
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}" if words else ""


def where_it_shows(exercise, mistake, wrong, otherwise):
    """The first of the wrong inputs on which a mistake matters alone."""
    for i in wrong:
        if any(
            not agree(exercise.imitated(way, i), exercise.wanted[i], exercise.exact) for way in mistake.ways
        ):
            return i
    return otherwise


def plain(text):
    """A text without the stars that mark emphasis."""
    return re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", text)


# ---------------------------------------------------------------------------
# Expected beside got
# ---------------------------------------------------------------------------


def compare(exercise, case, want, got, number):
    """Lines and tables that show the input on which learner and right answer differ."""
    inputs = [(n, joined(a)) for n, a in zip(exercise.parameters, case, strict=False) if a is not None]
    picked = () if number is None else which_matrix(want.values[number], got.values[number])
    shown = [sliced(name, array, picked, want) for name, array in inputs]
    shapes = ", ".join(argument_text(name, array) for name, array in inputs)
    whole = got.raised is None and all(
        np.size(array) <= 20 and len(as_cells(array)) <= ROWS for _, array in shown
    )
    if picked and whole:
        where = f"On inputs of shape {shapes}, at index {', '.join(map(str, picked))} in front:"
    else:
        where = "On this input:" if whole else f"On inputs of shape {shapes}:"
    lines, tables = [where], [(name, as_cells(array)) for name, array in shown] if whole else []
    if got.raised is not None:
        lines.append(f"your function raised {got.raised.words}")
    if number is not None:
        name, w, g = exercise.results[number], want.values[number], got.values[number]
        sizes = [f" {array[picked].shape}" for array in (w, g)] if w.ndim or g.ndim else ["", ""]
        digits = enough_digits(w[picked], g[picked])
        cells = as_cells(w[picked], digits=digits), as_cells(g[picked], w[picked], digits)
        rows = which_rows(cells[1])
        cut = f", rows {rows.start} to {rows.stop - 1}" if len(cells[1]) > ROWS else ""
        tables += [
            (f"{name} expected{sizes[0]}{cut}", cells[0][rows]),
            (f"{name}, yours{sizes[1]}{cut}", cells[1][rows]),
        ]
    return lines, [table for table in tables if sum(map(len, table[1])) <= 48]


def which_rows(cells):
    """Of a long table the rows around the first that differs."""
    first = next((i for i, row in enumerate(cells) if any(cell.endswith("*") for cell in row)), 0)
    start = max(0, min(first - 1, len(cells) - ROWS))
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
    return f"{name} {np.shape(argument)}" if np.ndim(argument) else f"{name} = {argument}"


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
        [as_text(v, digits) + ("*" if m else "") for v, m in zip(row, flags, strict=True)]
        for row, flags in zip(array, marks, strict=True)
    ]


def enough_digits(want, got):
    """How many digits tell apart all cells that differ."""
    for digits in (3, 5, 7):
        pairs = zip(chain(*as_cells(want, got, digits)), chain(*as_cells(got, want, digits)), strict=False)
        if not any(a == b and a.endswith("*") for a, b in pairs):
            return digits
    return 9


def as_text(value, digits=3):
    if isinstance(value, (bool, np.bool_, str)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value:.{digits}g}"
    number = 0.0 if abs(float(value)) < SMALLEST else float(value)
    whole = np.isfinite(number) and number == round(number) and abs(number) < 1e16
    return f"{number:.0f}" if whole else f"{number:.{digits}g}"
