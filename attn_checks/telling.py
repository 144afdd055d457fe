"""How a wrong answer is told: the smallest input on which it shows, expected beside got, and where to look."""

import re
from itertools import chain, zip_longest

import numpy as np

from attn_checks.comparing import SMALLEST, agree, as_arrays, close, first_difference, same, which_matrix
from attn_checks.errors import NAMES_ITSELF, hint, own_line, words_of
from attn_checks.faults import without_effect
from attn_checks.feedback import say
from attn_checks.nan import about_nan, has_nan
from attn_checks.relations import first_cell, over_inputs, relation, right_on, shape_relation
from attn_checks.running import answer, guarded, mostly_raises

ROWS = 4  # of a table that is shown
COUNT_FROM_THE_END = (
    "Count axes from the end, and leave loops over rows to NumPy, which takes all axes in front at once."
)


def tell(exercise, function, outcomes, wrong, found):
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    in_error = not found and mostly_raises(outcomes, wrong)
    at = next((i for i in wrong if (outcomes[i].raised is not None) == in_error), wrong[0])
    only = only_some_inputs(exercise, wrong, at)
    if in_error:
        return tell_error(exercise, outcomes[at], exercise.cases[at], only)
    if found:
        at = where_it_shows(exercise, found.first, with_numbers, at) if found.first else at
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    number, before = first_wrong(exercise, case, want, got, found)
    if found:
        mistake, advice, see = found.short, plain(found.say), found.see
    else:
        others = [(exercise.cases[i], exercise.wanted[i], outcomes[i]) for i in with_numbers if i != at]
        mistake, advice = unnamed(exercise, case, want, got, number, others)
        if mistake == "nan":
            advice = about_nan(exercise.cases, [outcome.values for outcome in outcomes])
        if mistake is None and is_number(want):
            advice = over_inputs(*numbers_of(exercise, outcomes))
        advice = (
            advice or only_here(exercise, function, case, want, got) or always(exercise, outcomes, at, number)
        )
        see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
        unused = idle(exercise, function) if mistake != "nan" else ""  # a NaN hides what has an effect
        advice = only or " ".join(part for part in (before, advice, unused) if part)
    title = f"{exercise.name}: not yet." + (f" Looks like: {found.name}." if found else "")
    lines, tables = compare(exercise, case, want, got, number)
    return say("incorrect", mistake, title, [*lines, printed(got), advice, f"Look again at: {see}"], tables)


def tell_error(exercise, outcome, case, only):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    error, line = outcome.raised, own_line(outcome.raised)
    given = ", ".join(argument_text(*each) for each in zip(exercise.parameters, case, strict=False))
    told, _, _ = guarded(lambda: hint(error))  # an exception of their own may be like no other
    mistake, advice = told or ("error", NAMES_ITSELF)
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
        f"Your line: {line}" if line else "",
        words_of(error),
        f"It was called with {given}.",
        printed(outcome),
        advice,
    ]
    return say("error", mistake, f"{exercise.name}: your function raised an error.", lines)


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    words = " · ".join(outcome.printed.split("\n")).strip(" ·")
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}" if words else ""


def idle(exercise, function):
    """What is passed in and has no effect, though it should."""
    names = without_effect(exercise, function)
    return (
        f"Your result is the same whatever {' and '.join(names)} {'are' if names[1:] else 'is'}."
        if names
        else ""
    )


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


def unnamed(exercise, case, want, got, number, others):
    """What kind of difference it is (None: just other numbers), and what to say of it."""
    return not_comparable(exercise, want, got) or other_numbers(exercise, case, want, got, number, others)


def only_here(exercise, function, case, want, got):
    """What the exercise itself can say of wrong numbers, by asking the function on other inputs; or ""."""

    def ask(*given):
        values = answer(function, given, len(exercise.results)).values
        return values if values and all(part.dtype.kind in "fiub" for part in values) else None

    return exercise.own(ask, case, want.values, got.values) if exercise.own else ""


def always(exercise, outcomes, at, number):
    """What can be said of any wrong numbers: the first that differs, or on how many inputs they are right."""
    want, got = exercise.wanted[at].values[number], outcomes[at].values[number]
    if not want.ndim:
        return right_on(*numbers_of(exercise, outcomes))
    return first_token(want, got) if want.dtype.kind == "U" else first_cell(want, got)


def numbers_of(exercise, outcomes):
    """Of results that are single numbers, right ones and the learner's on all inputs."""
    both = [(exercise.wanted[i].values[0], o.values[0]) for i, o in enumerate(outcomes) if is_number(o)]
    return map(np.array, zip(*both, strict=True))


def is_number(outcome):
    return outcome.values is not None and outcome.values[0].ndim == 0


def first_wrong(exercise, case, want, got, found):
    """Number of the result that goes wrong first, None if they cannot be compared; and what is said before it."""
    number = None if got.raised is not None else first_difference(want, got, exercise.exact)
    text = any(values.dtype.kind == "U" for values in got.values or ())
    if number is None or found or text or len(want.values) == 1:
        return number, ""
    fine = [name for i, name in enumerate(exercise.results) if same((got.values[i],), (want.values[i],))]
    if exercise.mix is None or fine:
        return number, f"Right: {', '.join(fine)}. Not right: {exercise.results[number]}." if fine else ""
    mixed = exercise.mix(case, got.values[1]) if got.values[1].shape == want.values[1].shape else None
    if mixed is not None and same((got.values[0],), (mixed,)):
        return 1, "Your output is your weights times the values, as it should be: the weights go wrong first."
    return 1, "The weights go wrong first, and the output is not these weights times the values either."


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
        return not_numbers(exercise, want, got.raw)
    if len(got.values) != len(want.values):
        names = " and ".join(exercise.results)
        return "wrong-number-of-results", f"Behind return there should be {names}, and nothing else."
    if text and any(values.dtype.kind != "U" for values in got.values):
        return "not-text", "Expected the tokens themselves, as text."
    if not text and any(values.dtype.kind == "U" for values in got.values):
        return not_numbers(exercise, want, got.raw)
    if any(g.shape != w.shape for w, g in zip(want.values, got.values, strict=True)):
        return "wrong-shape", wrong_shape(exercise, want, got)
    if exercise.exact and got.values[0].dtype != bool:
        return "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def other_numbers(exercise, case, want, got, number, others):
    if has_nan(got.values) and not has_nan(want.values):  # in some exercises a NaN is asked for
        return "nan", ""
    w, g = want.values[number], got.values[number]
    if w.dtype.kind == "U":
        return None, ""
    others = [
        (right.values[number], mine.values[number], by_name(exercise, given))
        for given, right, mine in others
        if has_result(mine, number)
    ]
    text = relation(w, g, by_name(exercise, case), others)
    return "rounded" if "rounded" in text else None, text


def by_name(exercise, case):
    """Each parameter and what was passed for it; None for one that was left out."""
    return list(zip_longest(exercise.parameters, case))


def has_result(outcome, number):
    return len(outcome.values or ()) > number and outcome.values[number].dtype.kind != "U"


def first_token(want, got):
    wrong = np.flatnonzero(want != got)
    fine = [str(i) for i in np.flatnonzero(want == got)]
    return f"In row {wrong[0]} yours is {got[wrong[0]]}, and should be {want[wrong[0]]}." + (
        f" Right in row {', '.join(fine)}." if fine else ""
    )


def is_list(raw):
    """Whether it is a plain list or tuple, which can be walked through without running a learner's code."""
    return type(raw) in (list, tuple)


def is_ragged(raw):
    rows = is_list(raw) and all(map(is_list, raw))
    return rows and len({len(row) for row in raw}) > 1


def no_array(given, shape):
    """What is said of a value that was handed over in place of an array of numbers."""
    rows = ", whose rows have different lengths" if is_ragged(given) else ""
    return f"Expected an array of numbers, shape {shape}, got {type(given).__name__}{rows}."


def not_numbers(exercise, want, raw):
    """What is said of a result that holds something else than numbers, or than text."""
    if len(want.values) > 1 and type(raw) is tuple and len(raw) == len(want.values):
        odd = [i for i, part in enumerate(raw) if not guarded(lambda part=part: holds_numbers(part))[0]]
        got = "; ".join(f"{exercise.results[i]} is {described(raw[i])}" for i in odd) or described(raw)
    else:
        got = described(raw)
    first = want.values[0]
    wanted = (
        "text in a list" if first.dtype.kind == "U" else "True and False" if exercise.exact else "numbers"
    )
    return "not-numbers", f"Expected {wanted if first.ndim else 'one number'}, got {got}."


def holds_numbers(part):
    arrays = as_arrays(part)
    return arrays is not None and all(array.dtype.kind != "U" for array in arrays)


def described(raw):
    """What something is, and what it holds."""
    if raw is ...:
        return "..."
    kind = (
        f"an array of {raw.dtype}"
        if isinstance(raw, np.ndarray)
        else f"an object of type {type(raw).__name__}"
    )
    if not is_list(raw) or not raw:
        return kind
    for _ in range(9):  # a list may hold itself
        raw = raw[0] if is_list(raw) and raw else raw
    return f"{kind} that holds {'...' if raw is ... else type(raw).__name__}"


def wrong_shape(exercise, want, got):
    shapes = [str(w.shape) for w in want.values]
    if len(shapes) > 1:
        shapes = [f"{name} {shape}" for name, shape in zip(exercise.results, shapes, strict=True)]
    pairs = zip(want.values, got.values, strict=True)
    how = next(shape_relation(w, g) for w, g in pairs if w.shape != g.shape)
    if want.values[0].dtype.kind == "U" and got.values[0].ndim == 1:
        return (
            f"There should be {want.values[0].size} tokens, one for each row. You have {got.values[0].size}."
        )
    return f"The shape should be {', '.join(shapes)}. {how}"


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
        where = f"On inputs of shape {shapes}, at index {', '.join(map(str, picked))} of the batch:"
    else:
        where = "On this input:" if whole else f"On inputs of shape {shapes}:"
    lines, tables = [where], [(name, as_cells(array)) for name, array in shown] if whole else []
    if got.raised is not None:
        lines.append(f"your function raised {words_of(got.raised)}")
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
