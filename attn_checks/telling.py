"""How a wrong answer is told: the smallest input on which it shows, expected beside got, and where to look."""

import re

import numpy as np

from attn_checks.comparing import SMALLEST, agree, close, first_difference, which_matrix
from attn_checks.errors import hint, own_line
from attn_checks.feedback import say

COUNT_FROM_THE_END = (
    "Count axes from the end, and leave loops over rows to NumPy, which takes all axes in front at once."
)


def tell(exercise, outcomes, wrong, found):
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    at = with_numbers[0] if with_numbers else wrong[0]
    only = only_some_inputs(exercise, wrong, at)
    if not found and not with_numbers:
        return tell_error(exercise, outcomes[at], exercise.cases[at], only)
    if found:
        at = where_it_shows(exercise, found.first, with_numbers, at) if found.first else at
        mistake, advice, see = found.short, plain(found.say), found.see
    else:
        mistake, advice = unnamed(exercise, exercise.wanted[at], outcomes[at])
        see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
        advice = only or advice
    title = f"{exercise.name}: not yet." + (f" Looks like: {found.name}." if found else "")
    lines, tables = compare(exercise, exercise.cases[at], exercise.wanted[at], outcomes[at])
    return say("incorrect", mistake, title, [*lines, advice, f"Look again at: {see}"], tables)


def tell_error(exercise, outcome, case, only):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    error, line = outcome.raised, own_line(outcome.raised)
    given = ", ".join(argument_text(*each) for each in zip(exercise.parameters, case, strict=False))
    mistake, advice = hint(error)
    if only and mistake in ("error", "shape-mismatch", "index-out-of-bounds"):
        advice = ""
    lines = [
        only,  # first: NumPy's own words below frighten
        f"Your line: {line}" if line else "",
        f"{type(error).__name__}: {error}",
        f"It was called with {given}.",
        advice,
    ]
    return say("error", mistake, f"{exercise.name}: your function raised an error.", lines)


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


def only_some_inputs(exercise, wrong, at):
    """What sets the input `at` apart from those that went right, by its number of axes; or ""."""
    axes = [
        max((np.ndim(a) for a in case if isinstance(a, np.ndarray)), default=0) for case in exercise.cases
    ]
    if any(n == axes[at] for i, n in enumerate(axes) if i not in wrong):
        return ""
    right = set(axes) - {axes[i] for i in wrong}
    if axes[at] > 3 and {2, 3} <= right:
        return f"For one sentence it is right, and for a batch of sentences. This input has more axes in front (sentences and heads, say): any number of them must work. {COUNT_FROM_THE_END}"
    if axes[at] > 2 and 2 in right:
        return f"For one sentence it is right. This input is a batch: its first axis counts sentences. {COUNT_FROM_THE_END}"
    if axes[at] == 2 and 3 in right:
        return f"For a batch it is right. This input is a single sentence, with no axis in front. {COUNT_FROM_THE_END}"
    if axes[at] == 1 and 2 in right:
        return "For a table it is right. This input is a single row: it has one axis, and x[0] is a number. Let NumPy work along the last axis, axis=-1."
    return ""


# ---------------------------------------------------------------------------
# Where no mistake has a name for it
# ---------------------------------------------------------------------------


def unnamed(exercise, want, got):
    """What kind of difference it is (None: just other numbers), and what to say of it."""
    return not_comparable(exercise, want, got) or other_numbers(exercise, want, got)


def not_comparable(exercise, want, got):
    """The same for a result that cannot be compared cell by cell; None for one that can."""
    text = want.values[0].dtype.kind == "U"
    if got.raw is None:
        return (
            "returns-nothing",
            "On this input your function returned None. Does every path end in a return?",
        )
    if is_ragged(got.raw) and got.values is None:
        advice = "The rows of your result have different lengths. Each row needs an entry for every column."
        return "ragged", advice
    if got.values is None or isinstance(got.raw, str):
        return not_numbers(text, got.raw)
    if len(got.values) != len(want.values):
        names = " and ".join(exercise.results)
        return "wrong-number-of-results", f"Behind return there should be {names}, and nothing else."
    if text and any(values.dtype.kind != "U" for values in got.values):
        return "not-text", "Expected the tokens themselves, as text."
    if not text and any(values.dtype.kind == "U" for values in got.values):
        return not_numbers(text, got.raw)
    if any(g.shape != w.shape for w, g in zip(want.values, got.values, strict=True)):
        return "wrong-shape", wrong_shape(exercise, want)
    if exercise.exact and got.values[0].dtype != bool:
        return "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def other_numbers(exercise, want, got):
    if has_nan(got.values) and not has_nan(want.values):  # in some exercises a NaN is asked for
        advice = "There is a NaN (not a number) in your result. It comes from inf − inf, inf/inf, 0·inf or 0/0: which step subtracts, multiplies or divides?"
        return "nan", advice
    number = first_difference(want, got, exercise.exact)
    w, g = want.values[number], got.values[number]
    at = which_matrix(w, g)
    if as_cells(w[at]) == as_cells(g[at]):
        advice = "Equal in the digits shown here, and not beyond them. Do you round? Return the numbers as they are."
        return "rounded", advice
    return None, "The cells marked * differ. Work one of them out by hand and compare."


def has_nan(results):
    return any(values.dtype.kind == "f" and np.isnan(values).any() for values in results)


def is_ragged(raw):
    rows = isinstance(raw, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in raw)
    return rows and len({len(row) for row in raw}) > 1


def not_numbers(text_wanted, raw):
    wanted = "a list of tokens" if text_wanted else "numbers in an array"
    kind = f"an array of {raw.dtype}" if isinstance(raw, np.ndarray) else type(raw).__name__
    return "not-numbers", f"Expected {wanted}, got {kind}."


def wrong_shape(exercise, want):
    shapes = [str(w.shape) for w in want.values]
    if len(shapes) > 1:
        shapes = [f"{name} {shape}" for name, shape in zip(exercise.results, shapes, strict=True)]
    return f"The shape should be {', '.join(shapes)}. Print the shape after each step: where does it first surprise you?"


# ---------------------------------------------------------------------------
# Expected beside got
# ---------------------------------------------------------------------------


def compare(exercise, case, want, got):
    """Lines and tables that show the input on which learner and right answer differ."""
    inputs = [(n, joined(a)) for n, a in zip(exercise.parameters, case, strict=False) if a is not None]
    number = None if got.raised is not None else first_difference(want, got, exercise.exact)
    picked = () if number is None else which_matrix(want.values[number], got.values[number])
    shown = [sliced(name, array, picked, want) for name, array in inputs]
    shapes = ", ".join(argument_text(name, array) for name, array in inputs)
    whole = all(np.size(array) <= 20 for _, array in shown)
    if picked and whole:
        where = f"On inputs of shape {shapes}, at index {', '.join(map(str, picked))} of the batch:"
    else:
        where = "On this input:" if whole else f"On inputs of shape {shapes}:"
    lines, tables = [where], [(name, as_cells(array)) for name, array in shown] if whole else []
    if got.raised is not None:
        lines.append(f"your function raised {type(got.raised).__name__}: {got.raised}")
    if number is not None:
        name, w, g = exercise.results[number], want.values[number], got.values[number]
        sizes = [f" {array[picked].shape}" for array in (w, g)] if w.ndim or g.ndim else ["", ""]
        tables += [
            (f"{name} expected{sizes[0]}", as_cells(w[picked])),
            (f"{name}, yours{sizes[1]}", as_cells(g[picked], w[picked])),
        ]
    return lines, [table for table in tables if sum(map(len, table[1])) <= 64]


def joined(argument):
    """Chunks as one array; anything else as it is."""
    chunks = isinstance(argument, list) and isinstance(argument[0], np.ndarray)
    return np.concatenate(argument) if chunks else argument


def sliced(name, array, picked, want):
    """One input, or the matrix of it that belongs to the picked matrix of the result."""
    batched = picked and np.ndim(array) > 2 and np.shape(array)[:-2] == want.values[0].shape[:-2]
    return (f"{name}[{', '.join(map(str, picked))}]", array[picked]) if batched else (name, array)


def argument_text(name, argument):
    if isinstance(argument, list):
        return f"{name}, a list of {len(argument)}"
    return f"{name} {np.shape(argument)}" if np.ndim(argument) else f"{name} = {argument}"


def as_cells(value, other=None):
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
        [as_text(v) + ("*" if m else "") for v, m in zip(row, flags, strict=True)]
        for row, flags in zip(array, marks, strict=True)
    ]


def as_text(value):
    if isinstance(value, (bool, np.bool_, str)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value:.3g}"
    number = 0.0 if abs(float(value)) < SMALLEST else float(value)
    whole = np.isfinite(number) and number == round(number) and abs(number) < 1e16
    return f"{number:.0f}" if whole else f"{number:.3g}"
