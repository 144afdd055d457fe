"""How a wrong answer is put into words: the input on which it shows, what happened, and where to look."""

import re
from itertools import chain

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.recognise.mistakes import Mistake
from attn_checks.run.compare import SMALLEST, close, first_difference, which_matrix
from attn_checks.tell.feedback import Feedback, name_list, printable, say, sentences, starred
from attn_checks.tell.unnamed import WrongResult, diagnose

COUNTED = {2: "two", 3: "three", 4: "four"}
OF_SHAPES = "error", "shape-mismatch", "index-out-of-bounds", "unpacking", "truth-of-an-array"


def tell(answer: Answer, found: Mistake | None) -> Feedback:
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    if found:
        return tell_mistake(answer, found)
    if answer.mostly_raises:
        return tell_error(answer)
    exercise = answer.exercise
    shown, mistake, text = diagnose(answer)
    only = right_elsewhere(answer, shown.at)
    see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
    return not_yet(shown, mistake, only or sentences(text, right_on(answer, text)), see=see)


def tell_mistake(answer, found):
    """The feedback for a mistake with a name, on the first input on which it shows."""
    exercise = answer.exercise
    candidates = answer.wrong_numbers or answer.wrong
    alone = found.first.ways if found.first else []
    shows = [i for i in candidates if any(exercise.shows(way, i) for way in alone)]
    at = (shows or candidates)[0]
    number = first_difference(exercise.wanted[at], answer.outcomes[at], exercise.exact)
    like = found.name
    listed = []
    if len(found.names) > 1:
        like = f"{COUNTED[len(found.names)]} mistakes"
        listed = [f"{i}. {name}" for i, name in enumerate(found.names, 1)]
    advice = re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", found.say)  # stars mark emphasis
    see = found.see or exercise.see
    return not_yet(WrongResult(answer, at, number), found.short, advice, *listed, like=like, see=see)


def not_yet(shown, mistake, advice, *listed, **others):
    """Feedback on wrong numbers, with the input that shows them."""
    outcome = shown.answer.outcomes[shown.at]
    name = shown.answer.exercise.name
    lines, tables = counterexample(shown)
    lines += [printed(outcome), *listed]
    others["lacks"] = outcome.raised.lacks if outcome.raised else ""
    return say("incorrect", mistake, name, "not yet", *lines, advice=advice, tables=tables, **others)


def tell_error(answer):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    exercise = answer.exercise
    at = next(i for i in answer.wrong if answer.outcomes[i].raised is not None)
    error = answer.outcomes[at].raised
    only = right_elsewhere(answer, at)
    inputs = zip(exercise.parameters, exercise.cases[at], strict=False)
    lines = [
        only or right_on(answer, ""),  # first: NumPy's own words below frighten
        f"Your line: {error.line}" if error.line else "",
        error.words,
        f"It was called with {argument_texts(inputs)}.",
        printed(answer.outcomes[at]),
    ]
    advice = "" if only and error.mistake in OF_SHAPES else error.advice
    verdict = "your function raised an error"
    return say("error", error.mistake, exercise.name, verdict, *lines, advice=advice, lacks=error.lacks)


# --- On which inputs ------------------------------------------------------------------------------

ANY_AXES = "Count axes from the end, and let NumPy take all leading axes at once, without a loop."
# number of axes of an input that goes wrong -> those of inputs that must have gone right, and what to say
ELSEWHERE = {
    4: (
        {2, 3},
        "With one sentence and with a batch it came out right. This input has more leading axes, for "
        f"example sentences and heads. {ANY_AXES}",
    ),
    3: (
        {2},
        "With one sentence it came out right. This input is a batch: its first axis counts sentences. "
        f"{ANY_AXES}",
    ),
    2: (
        {3},
        "With a batch of 3 axes it came out right. This input is one sentence, so it has 2 axes. Count "
        "axes from the end.",
    ),
    1: (
        {2},
        "With a matrix it came out right. This input is a single row, so it has one axis. Let NumPy work "
        "along the last axis, axis=-1.",
    ),
}


def right_elsewhere(answer, at):
    """What sets apart the input `at` from those that all went right, by its number of axes; or ""."""
    axes = list(map(most_axes, answer.exercise.cases))
    wrong = {axes[i] for i in answer.wrong}
    right = {n for n in axes if n not in wrong}
    needed, said = ELSEWHERE.get(min(axes[at], 4), (set(), ""))
    alike = {i for i, n in enumerate(axes) if n == axes[at]}
    return said if needed <= right and alike <= set(answer.wrong) else ""


def most_axes(case):
    """How many axes the largest array of a case has."""
    arrays = [argument for argument in case if isinstance(argument, np.ndarray)]
    return max(map(np.ndim, arrays), default=0)


def right_on(answer, said):
    """On how many inputs it's right, and on which or not on which; "" if most are wrong and more is said."""
    names = [f"“{name}”" for name in answer.exercise.inputs]
    bad = [names[i] for i in answer.wrong]
    right = [name for name in names if name not in bad]
    is_mostly_wrong = len(right) < len(bad)
    if not right or (said and is_mostly_wrong):
        return ""
    lead = ": " if is_mostly_wrong else ", but not on "
    few = right if is_mostly_wrong else bad
    which = lead + name_list(few) if len(few) < 4 else ""
    return f"Your function is right on {len(right)} of {len(names)} inputs{which}."


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    words = " · ".join(outcome.printed.split("\n")).strip(" ·")
    if not words:
        return ""
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}"


# --- Expected beside got: the input on which the answer is wrong, in lines and tables -------------

ROWS = 4  # of a table that is shown
MOST_CELLS = 48


def counterexample(shown):
    """Lines and tables that show the input on which learner and right answer differ."""
    answer, at, number = shown
    exercise = answer.exercise
    want = exercise.wanted[at]
    got = answer.outcomes[at]
    sides = [] if number is None else [want.arrays[number], got.arrays[number]]
    picked = which_matrix(*sides) if sides else ()
    named = zip(exercise.parameters, exercise.cases[at], strict=False)
    inputs = [(name, joined(value)) for name, value in named if value is not None]
    parts = [sliced(name, value, picked, want) for name, value in inputs]
    is_whole = got.raised is None and all(is_small(value) for _, value in parts)
    in_tables = parts if is_whole else []
    where = "On this input"
    if picked or not is_whole:
        where = f"On inputs of shape {argument_texts(inputs)}"
    if picked:
        where += f". Only matrix {index_text(picked)} is shown"
    elif any(np.ndim(value) > 2 for value in [*sides, *dict(in_tables).values()]):
        where += ". Only the first matrix of each array is shown"
    lines = [f"{where}:"]
    if got.raised:
        lines.append(f"your function raised {got.words}")
    tables = [(name, as_cells(value)) for name, value in in_tables]
    if sides:
        tables += expected_beside_got(exercise.results[number], *[side[picked] for side in sides])
    return lines, [(name, rows) for name, rows in tables if sum(map(len, rows)) <= MOST_CELLS]


def joined(argument):
    """Chunks as one array; anything else as it is."""
    are_chunks = isinstance(argument, list) and argument and isinstance(argument[0], np.ndarray)
    return np.concatenate(argument) if are_chunks else argument


def sliced(name, value, picked, want):
    """One input, or the matrix of it that belongs to the picked matrix of the result."""
    leading = want.values[0].shape[:-2]
    if not picked or np.ndim(value) < 3 or value.shape[:-2] != leading:
        return name, value
    return f"{name}{index_text(picked)}", value[picked]


def index_text(picked):
    return f"[{', '.join(map(str, picked))}]"


def is_small(value):
    return np.size(value) <= 20 and len(as_cells(value)) <= ROWS


def argument_texts(inputs):
    return ", ".join(argument_text(name, value) for name, value in inputs)


def argument_text(name, argument):
    if isinstance(argument, list):
        return f"{name}, a list of {len(argument)}"
    return f"{name} {np.shape(argument)}" if np.ndim(argument) else f"{name} = {cell_text(argument)}"


def expected_beside_got(name, want, got):
    """Two tables, the rows around the first that differs."""
    digits = enough_digits(want, got)
    expected = as_cells(want, digits=digits)
    yours = as_cells(got, want, digits)
    rows = which_rows(yours)
    cut = f", rows {rows.start} to {rows.stop - 1}" if len(yours) > ROWS else ""
    has_axes = want.ndim or got.ndim
    sizes = [f" {want.shape}", f" {got.shape}"] if has_axes else ["", ""]
    return [
        (f"{name} expected{sizes[0]}{cut}", expected[rows]),
        (f"{name}, yours{sizes[1]}{cut}", yours[rows]),
    ]


def which_rows(cells):
    """Of a long table the rows around the first that differs."""
    first = next(iter(starred(cells)), 0)
    start = max(0, min(first - 1, len(cells) - ROWS))
    return slice(start, start + ROWS)


def enough_digits(want, got):
    """How many digits tell apart all cells that differ."""
    for digits in (3, 5, 7):
        expected = chain(*as_cells(want, got, digits))
        yours = chain(*as_cells(got, want, digits))
        pairs = zip(expected, yours, strict=False)
        if not any(right == mine and mine.endswith("*") for right, mine in pairs):
            return digits
    return 9


def as_cells(value, other=None, digits=3):
    """A matrix as text, cells that differ from `other` marked with *; of a batch, its first matrix."""
    array = np.asarray(value)
    if not array.size:
        return [["(empty)"]]
    marks = np.full(array.shape, "")
    if other is not None and other.shape == array.shape:
        marks = np.where(close(array, other), "", "*")
    if array.ndim > 2:
        first = (0,) * (array.ndim - 2)
        array = array[first]
        marks = marks[first]
    rows = []
    for numbers, marked in zip(np.atleast_2d(array), np.atleast_2d(marks), strict=True):
        cells = zip(numbers, marked, strict=True)
        rows.append([cell_text(number, digits) + mark for number, mark in cells])
    return rows


def cell_text(value, digits=3):
    if value is None or isinstance(value, (bool, np.bool_, str)):
        return printable(str(value))
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value:.{digits}g}"
    number = float(value)
    if abs(number) < SMALLEST:
        return "0"
    is_whole = np.isfinite(number) and number == round(number) and abs(number) < 1e16
    return f"{number:.0f}" if is_whole else f"{number:.{digits}g}"
