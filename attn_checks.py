"""Checkers for the exercises: they name the mistake, and never show the solution.

A checker runs the learner's function on small inputs, compares with `attn_helpers`, and on a difference asks
each known mistake "is this what they did?", by computing what that mistake gives on the same inputs. A name is
given only where the answers agree on every input, so any way of writing the same mistake is recognised.

In a lesson: `import attn_checks as check`, then `check.softmax(softmax)`.
"""

import contextlib
import copy
import difflib
import dis
import html
import inspect
import io
import re
import sys
import traceback
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import attn_helpers as attn

STEP_LIMIT = 2_000_000  # steps of the interpreter that one call may take before it counts as endless


# ---------------------------------------------------------------------------
# What a checker says
# ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Feedback:
    """The answer of a checker; displays as rich text in a notebook, as plain text elsewhere.

    Attributes
    ----------
    status : str
        "passed", "not attempted", "incorrect" or "error".
    misconception : str or None
        Short name of the slip, for example "wrong-axis", where one was recognised.
    message : str
        What was seen on which small input, expected beside got, and where to look.
    """

    status: str
    misconception: str | None
    message: str
    title: str = ""
    lines: tuple = ()
    tables: tuple = ()  # of (caption, array of text), shown after the first line

    def __str__(self):
        return self.message

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        mark, color = {"passed": ("✓", "#2e7d32"), "not attempted": ("·", "#757575")}.get(
            self.status, ("✗", "#c75000")
        )
        parts = [f"<strong>{mark} {html.escape(self.title)}</strong>"]
        parts += [f"<div>{html.escape(line)}</div>" for line in self.lines[:1]]
        if self.tables:
            parts.append("<div>" + "".join(_html_table(*table) for table in self.tables) + "</div>")
        parts += [f"<div>{html.escape(line)}</div>" for line in self.lines[1:]]
        box = f"border-left:4px solid {color};padding:2px 0 2px 10px"
        return {"text/html": f'<div style="{box}">{"".join(parts)}</div>', "text/plain": self.message}


def _feedback(status, slug, title, lines=(), tables=()):
    lines, tables = tuple(line for line in lines if line), tuple(tables)
    text = [title, *lines[:1], *([_side_by_side(tables)] if tables else []), *lines[1:]]
    return Feedback(status, slug, "\n".join(text), title, lines, tables)


def _html_table(caption, cells):
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


def _side_by_side(tables):
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


def _cells(value, other=None):
    """A matrix as text, cells that differ from `other` marked with *; of a batch, its first matrix."""
    array = np.asarray(value)
    marks = np.zeros(array.shape, dtype=bool)
    if other is not None and np.shape(other) == array.shape:
        marks = ~_close(array, np.asarray(other))
    if not array.size:
        return [["(empty)"]]
    if array.ndim > 2:
        array, marks = array.reshape(-1, *array.shape[-2:])[0], marks.reshape(-1, *array.shape[-2:])[0]
    array, marks = np.atleast_2d(array), np.atleast_2d(marks)
    return [
        [_text(v) + ("*" if m else "") for v, m in zip(row, flags, strict=True)]
        for row, flags in zip(array, marks, strict=True)
    ]


def _text(value):
    if isinstance(value, (bool, np.bool_, str)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value:.3g}"
    number = 0.0 if abs(float(value)) < SMALLEST_SHOWN else float(value)
    return (
        f"{number:.0f}"
        if np.isfinite(number) and number == round(number) and abs(number) < 1e16
        else f"{number:.3g}"
    )


# ---------------------------------------------------------------------------
# The engine
# ---------------------------------------------------------------------------

NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # all that a stub's bytecode holds
COUNT_FROM_THE_END = (
    "Count axes from the end, and leave loops over rows to NumPy, which takes all axes in front at once."
)
SMALLEST_SHOWN = 1e-6  # what _close takes for 0; -9.3e-12 says nothing to a reader


class Mistake(NamedTuple):
    """One slip as data: what it computes, how to say it, where to look."""

    slug: str
    name: str
    imitate: tuple  # functions with the exercise's signature; each is one way that the slip can come out
    explain: str
    see: str
    others: tuple = ()  # slugs of further slips made at the same time


@dataclass(frozen=True)
class Exercise:
    """What one checker needs to know."""

    name: str
    reference: object
    cases: tuple  # argument tuples, smallest first
    mistakes: tuple
    results: tuple = ("result",)  # names of what the function returns
    kind: str = "f"  # kind of dtype asked for: "b" is exact, "f" takes any number
    see: str = ""
    see_nan: str = ""  # where to look when a NaN comes out and no known slip fits; `see` if empty
    pairs: object = None  # called without arguments, gives the Mistakes made of two slips
    diagnose: tuple = field(
        default=()
    )  # functions (case, wanted, got) -> Mistake or None, for whole families of values


class Outcome(NamedTuple):
    """What one call came to."""

    values: tuple | None  # arrays, or None if it raised or gave no arrays
    raised: BaseException | None = None
    raw: object = None
    changed: bool = False  # whether an input was changed in place
    printed: bool = False


class EndlessError(BaseException):
    """Raised inside a learner's function that runs too long; no `except Exception` swallows it."""


def _call(function, arguments, limit=None):
    """Run a function on copies of the arguments; output, exceptions and, given a limit, endless loops are kept in."""
    given = copy.deepcopy(list(arguments))
    printed, steps, tracer = io.StringIO(), 0, sys.gettrace()

    def count(frame, event, argument):
        nonlocal steps
        steps += 1
        frame.f_trace_opcodes = True  # `while True: pass` never reaches a new line
        if steps > limit:
            raise EndlessError
        return count

    raised = raw = None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        if limit:
            sys.settrace(count)
        try:
            raw = function(*given)
        except (Exception, EndlessError, SystemExit) as error:  # reported to the learner, as theirs
            raised = error
        finally:
            if limit:
                sys.settrace(tracer)
    changed = any(not _untouched(a, b) for a, b in zip(given, arguments, strict=True))
    return Outcome(_as_arrays(raw), raised, raw, changed, bool(printed.getvalue()))


def _unpacked(outcome, exercise):
    """Lists, tuples and arrays of objects count where the same numbers or tokens in an array would."""
    raw, expected = outcome.raw, len(exercise.results)
    if isinstance(raw, np.ndarray) and raw.dtype.kind in ("O", "T"):
        raw = raw.tolist()
    if expected > 1 and isinstance(raw, list) and len(raw) == expected:
        raw = tuple(raw)
    if expected == 1 and isinstance(raw, tuple) and not any(isinstance(part, np.ndarray) for part in raw):
        raw = raw if _stray_comma(raw) else list(raw)
    return outcome if raw is outcome.raw else outcome._replace(values=_as_arrays(raw))


def _stray_comma(raw):
    """Whether a result was made a tuple of one by a comma at the end of its line."""
    return isinstance(raw, tuple) and len(raw) == 1 and isinstance(raw[0], (np.ndarray, list))


def _untouched(given, original):
    """Whether an argument is still what it was; lists are looked into."""
    if isinstance(original, np.ndarray):
        return given.shape == original.shape and np.array_equal(
            given, original, equal_nan=original.dtype.kind == "f"
        )
    if isinstance(original, list):
        return len(given) == len(original) and all(map(_untouched, given, original))
    return given is original or bool(given == original)


def _as_arrays(raw):
    """What was returned, as a tuple of arrays; None where that is not possible."""
    parts = raw if isinstance(raw, tuple) else (raw,)
    try:
        arrays = tuple(np.asarray(part) for part in parts)
    except ValueError:
        return None
    return arrays if all(a.dtype.kind in "bifuUc" for a in arrays) else None


def _close(a, b):
    """Cell by cell: equal to what float32 can tell; NaN equals NaN, inf equals inf of the same sign."""
    if a.dtype.kind in "U" or b.dtype.kind in "U":
        return a == b
    return np.isclose(a.astype(complex), b.astype(complex), rtol=1e-4, atol=1e-6, equal_nan=True) | (a == b)


def _same(values, others, kind="f"):
    """Whether two tuples of arrays agree in number, shape, numbers and, for masks, in dtype."""
    return (
        values is not None
        and others is not None
        and len(values) == len(others)
        and all(a.shape == b.shape and bool(_close(a, b).all()) for a, b in zip(values, others, strict=True))
        and (
            kind != "b"
            or all((a.dtype == bool) == (b.dtype == bool) for a, b in zip(values, others, strict=True))
        )
    )


def _agree(outcome, other, kind):
    """Whether two outcomes are the same: both raise, or both give the same arrays."""
    if (outcome.raised is None) != (other.raised is None):
        return False
    return outcome.raised is not None or _same(outcome.values, other.values, kind)


def _check(exercise, function):
    """Run a learner's function through one exercise."""
    if function is None or function is ...:
        return _not_attempted(exercise.name)
    if not callable(function):
        line = f"check.{exercise.name} takes your function itself, got {type(function).__name__}: pass its name without brackets."
        return _feedback("error", "not-a-function", f"{exercise.name}: not a function.", [line])
    outcomes = []
    for case in exercise.cases:
        outcomes.append(_unpacked(_call(function, case, STEP_LIMIT), exercise))
        if isinstance(outcomes[-1].raised, EndlessError):
            line = "It ran for millions of steps on a tiny input, so it was stopped. Which loop has no way to end?"
            return _feedback(
                "error", "endless-loop", f"{exercise.name}: stopped, it does not come to an end.", [line]
            )
    wanted = [_call(exercise.reference, case) for case in exercise.cases]
    wrong = [
        i for i, (o, w) in enumerate(zip(outcomes, wanted, strict=True)) if not _agree(o, w, exercise.kind)
    ]
    habit = _bad_habit(exercise, function, outcomes, wrong)
    if habit or wrong:
        return habit or _tell(exercise, outcomes, wanted, wrong, _name_it(exercise, outcomes, wanted, wrong))
    line = f"Right on all {len(outcomes)} inputs, the awkward ones included."
    return _feedback("passed", None, f"{exercise.name}: passed.", [line])


def _bad_habit(exercise, function, outcomes, wrong):
    """Feedback on what is wrong with a function whatever its numbers are, or None."""
    unwritten = None if _is_stub(function) else _unwritten_helper(function)
    if unwritten and wrong:
        line = f"It calls {unwritten}, whose body is still ... in this notebook: finish that one, run its cell, then this."
        return _feedback("error", "calls-a-stub", f"{exercise.name}: not yet.", [line])
    if all(o.raw is None and o.raised is None for o in outcomes):
        return _returned_nothing(exercise.name, function, outcomes[0])
    if any(o.changed for o in outcomes):
        name = "the input was changed in place"
        line = "Your function changed an array that it was given. The caller still needs it: work on a copy, x.copy(), or build a new array."
        return _feedback(
            "incorrect", "changes-its-input", f"{exercise.name}: not yet. Looks like: {name}.", [line]
        )
    if len(exercise.results) == 1 and all(_stray_comma(o.raw) for o in outcomes):
        name = "a comma behind the result"
        line = "A comma at the end of the return line makes a tuple of one out of the result."
        return _feedback("incorrect", "stray-comma", f"{exercise.name}: not yet. Looks like: {name}.", [line])
    if wrong and any(isinstance(o.raw, np.ma.MaskedArray) for o in outcomes):
        name = "a masked array"
        line = "A masked array only hides cells; what stands in them is still there. Its .filled(...) puts a value in."
        return _feedback(
            "incorrect", "masked-array", f"{exercise.name}: not yet. Looks like: {name}.", [line]
        )
    if wrong and not _repeatable(exercise, function, outcomes, wrong[0]):
        name = "another answer at every call"
        line = "Called twice on the same input, your function gave two answers. Is something drawn at random, or kept from call to call? Use what is passed in, and nothing else."
        return _feedback(
            "incorrect", "not-repeatable", f"{exercise.name}: not yet. Looks like: {name}.", [line]
        )
    return None


def _repeatable(exercise, function, outcomes, at):
    """Whether a second call on one input gives what the first gave."""
    first, again = outcomes[at], _unpacked(_call(function, exercise.cases[at], STEP_LIMIT), exercise)
    return first.values is None or again.values is None or _same(first.values, again.values)


def _not_attempted(name):
    return _feedback(
        "not attempted",
        None,
        f"{name}: not attempted yet.",
        ["Replace the ... with your answer, run that cell, then this one."],
    )


def _returned_nothing(name, function, outcome):
    if _is_stub(function):
        return _not_attempted(name)
    if outcome.printed:
        return _feedback(
            "incorrect",
            "prints-instead-of-returning",
            f"{name}: not yet. Looks like: it prints the result.",
            ["Printing shows a result to you; only return hands it to the caller."],
        )
    return _feedback(
        "incorrect",
        "returns-nothing",
        f"{name}: not yet. Looks like: it returns nothing.",
        ["Your function computes, but gives back None. Does every path end in a return?"],
    )


def _is_stub(function):
    """Whether the body is only a docstring and `...` or `pass`."""
    code = getattr(function, "__code__", None)
    return code is not None and all(
        step.opname in NOTHING and (step.opname == "RESUME" or step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


def _unwritten_helper(function):
    """The name of a function that this one calls and that is still a stub, or None."""
    code, known = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    for step in dis.get_instructions(code) if code else ():
        called = known.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if inspect.isfunction(called) and _is_stub(called):
            return step.argval
    return None


def _name_it(exercise, outcomes, wanted, wrong):
    """The mistake that gives the learner's answers on every input, or None."""
    first = wrong[0]
    for diagnose in exercise.diagnose:
        found = diagnose(exercise.cases[first], wanted[first], outcomes[first])
        if found:
            return found

    def fits(mistake):
        return any(_imitated(exercise, outcomes, wrong, imitate) for imitate in mistake.imitate)

    for mistake in exercise.mistakes:
        if fits(mistake):
            return mistake
    return _name_pair(
        exercise, [] if exercise.pairs is None else [pair for pair in exercise.pairs() if fits(pair)]
    )


def _imitated(exercise, outcomes, wrong, imitate):
    """Whether an imitation does what the learner's function did, on every input."""
    numbers = any(outcomes[i].raised is None for i in wrong)
    for case, outcome in zip(exercise.cases, outcomes, strict=True):
        tried = _call(imitate, case)
        if not _agree(tried, outcome, exercise.kind):
            return False
        # where no number speaks, any broken function raises like any other: then the errors must be the same
        if not numbers and repr(tried.raised) != repr(outcome.raised):
            return False
    return True


def _name_pair(exercise, pairs):
    """Of the pairs of slips that fit, what all have in common: the pair, one slip, or no name at all."""
    common = set.intersection(*({pair.slug, *pair.others} for pair in pairs)) if pairs else set()
    if pairs and pairs[0].slug in common:
        return pairs[0]
    for mistake in exercise.mistakes:
        if mistake.slug in common:
            return mistake._replace(name=f"two slips, one of them: {mistake.name}")
    return None


def _tell(exercise, outcomes, wanted, wrong, found):
    """The feedback for an answer that is not right."""
    values = [i for i in wrong if outcomes[i].raised is None]
    at = values[0] if values else wrong[0]
    only = _only_some_inputs(exercise, wrong, at)
    if not found and not values:
        return _tell_error(exercise, outcomes[wrong[0]], exercise.cases[wrong[0]], only)
    if found and found.others:
        at = _where_the_first_shows(exercise, wanted, values, found, at)
    got, want = outcomes[at], wanted[at]
    title = f"{exercise.name}: not yet." + (f" Looks like: {found.name}." if found else "")
    lines, tables = _compare(exercise, exercise.cases[at], want, got)
    if found:
        lines += [_plain(found.explain), f"Look again at: {found.see}"]
    else:
        hint = only or _generic(want, got, exercise)
        nan = not only and _generic_slug(want, got, exercise) == "nan"
        lines += [hint, f"Look again at: {(nan and exercise.see_nan) or exercise.see}"]
    return _feedback(
        "incorrect", found.slug if found else _generic_slug(want, got, exercise), title, lines, tables
    )


def _where_the_first_shows(exercise, wanted, wrong, pair, otherwise):
    """Of two slips the first is to be mended first: the first wrong input on which it matters."""
    ways = [way for mistake in exercise.mistakes if mistake.slug == pair.slug for way in mistake.imitate]
    for i in wrong:
        if any(not _agree(_call(way, exercise.cases[i]), wanted[i], exercise.kind) for way in ways):
            return i
    return otherwise


def _plain(text):
    """A text without the stars that mark emphasis."""
    return re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", text)


def _only_some_inputs(exercise, wrong, at):
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


def _compare(exercise, case, want, got):
    """Lines and tables that show the smallest input on which learner and reference differ."""
    names = exercise.reference.__code__.co_varnames
    inputs = [(n, _joined(a)) for n, a in zip(names, case, strict=False) if a is not None]
    raised = got.raised is not None
    number = None if raised else _first_difference(want, got, exercise.kind)
    picked = () if number is None else _which_matrix(want.values[number], got.values[number])
    shown = [_sliced(name, array, picked, want) for name, array in inputs]
    whole = all(np.size(array) <= 20 for _, array in shown)
    if picked and whole:
        where = f"On inputs of shape {_shapes(inputs)}, at index {', '.join(map(str, picked))} of the batch:"
    else:
        where = "On this input:" if whole else f"On inputs of shape {_shapes(inputs)}:"
    lines, tables = [where], [(name, _cells(array)) for name, array in shown] if whole else []
    if raised:
        lines.append(f"your function raised {type(got.raised).__name__}: {got.raised}")
    if number is not None:
        name, w, g = exercise.results[number], want.values[number], got.values[number]
        tables += [
            (f"{name} expected {w[picked].shape}", _cells(w[picked])),
            (f"{name}, yours {g[picked].shape}", _cells(g[picked], w[picked])),
        ]
    return lines, [t for t in tables if sum(map(len, t[1])) <= 64]


def _joined(argument):
    """Chunks as one array; anything else as it is."""
    chunks = isinstance(argument, list) and isinstance(argument[0], np.ndarray)
    return np.concatenate(argument) if chunks else argument


def _shapes(inputs):
    return ", ".join(_argument_text(name, argument) for name, argument in inputs)


def _first_difference(want, got, kind):
    """Number of the first result that differs, or None if the results cannot be compared one by one."""
    if got.values is None or len(got.values) != len(want.values):
        return None
    pairs = enumerate(zip(want.values, got.values, strict=True))
    return next((i for i, (w, g) in pairs if not _same((g,), (w,), kind)), None)


def _which_matrix(w, g):
    """Index of the first matrix of a batch that differs; () for a single matrix, or where the shapes differ."""
    if w.ndim <= 2 or w.shape != g.shape:
        return ()
    differs = (~_close(w, g)).any(axis=(-1, -2))
    return tuple(map(int, np.unravel_index(differs.argmax(), differs.shape)))


def _sliced(name, array, picked, want):
    """One input, or the matrix of it that belongs to the picked matrix of the result."""
    batched = picked and np.ndim(array) > 2 and np.shape(array)[:-2] == want.values[0].shape[:-2]
    return (f"{name}[{', '.join(map(str, picked))}]", array[picked]) if batched else (name, array)


def _generic_slug(want, got, exercise):
    if got.raw is None:
        return "returns-nothing"
    if got.values is None or isinstance(got.raw, str):
        return "ragged" if _is_ragged(got.raw) else "not-numbers"
    if len(got.values) != len(want.values):
        return "wrong-number-of-results"
    if any(
        (g.dtype.kind == "U") != (w.dtype.kind == "U") for g, w in zip(got.values, want.values, strict=True)
    ):
        return "not-text" if want.values[0].dtype.kind == "U" else "not-numbers"
    if any(g.shape != w.shape for g, w in zip(got.values, want.values, strict=True)):
        return "wrong-shape"
    if exercise.kind == "b" and got.values[0].dtype != bool:
        return "not-boolean"
    if any(g.dtype.kind == "f" and np.isnan(g).any() for g in got.values):
        return "nan"
    number = _first_difference(want, got, exercise.kind)
    w, g = want.values[number], got.values[number]
    at = _which_matrix(w, g)
    return "rounded" if _cells(w[at]) == _cells(g[at]) else None


def _is_ragged(raw):
    rows = isinstance(raw, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in raw)
    return rows and len({len(row) for row in raw}) > 1


def _generic(want, got, exercise):
    """What to say where no known mistake fits."""
    shapes = [str(w.shape) for w in want.values]
    if len(shapes) > 1:
        shapes = [f"{name} {shape}" for name, shape in zip(exercise.results, shapes, strict=True)]
    return {
        "returns-nothing": "On this input your function returned None. Does every path end in a return?",
        "ragged": "The rows of your result have different lengths. Each row needs an entry for every column.",
        "not-numbers": f"Expected {'a list of tokens' if want.values[0].dtype.kind == 'U' else 'numbers in an array'}, got {_type_text(got.raw)}.",
        "not-text": "Expected the tokens themselves, as text.",
        "wrong-number-of-results": f"Behind return there should be {' and '.join(exercise.results)}, and nothing else.",
        "wrong-shape": f"The shape should be {', '.join(shapes)}. Print the shape after each step: where does it first surprise you?",
        "not-boolean": "The cells should be True and False (dtype bool), not numbers.",
        "nan": "There is a NaN (not a number) in your result. It comes from inf − inf, 0·inf or 0/0: which step subtracts, multiplies or divides?",
        None: "The cells marked * differ. Work one of them out by hand and compare.",
        "rounded": "Equal in the digits shown here, and not beyond them. Do you round? Return the numbers as they are.",
    }[_generic_slug(want, got, exercise)]


def _type_text(raw):
    return f"an array of {raw.dtype}" if isinstance(raw, np.ndarray) else type(raw).__name__


def _argument_text(name, argument):
    if isinstance(argument, list):
        return f"{name}, a list of {len(argument)}"
    return f"{name} {np.shape(argument)}" if np.ndim(argument) else f"{name} = {argument}"


def _tell_error(exercise, outcome, case, only):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    error = outcome.raised
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if f.line and not f.filename.endswith(("attn_checks.py", "attn_helpers.py"))
    ]
    own = [f for f in frames if "site-packages" not in f.filename and not f.filename.endswith("numpy")]
    names = exercise.reference.__code__.co_varnames
    given = ", ".join(_argument_text(name, a) for name, a in zip(names, case, strict=False))
    lines = [
        f"Your line: {own[-1].line}" if own else "",
        f"{type(error).__name__}: {error}",
        f"It was called with {given}.",
    ]
    slug, hint = _error_hint(error)
    if only:
        hint = only if slug in ("error", "shape-mismatch") else f"{only} {hint}"
    return _feedback("error", slug, f"{exercise.name}: your function raised an error.", [*lines, hint])


_SHAPE_WORDS = ("broadcast", "mismatch", "shape", "aligned", "dimension")
# kind of exception, a part of its text, short name, what to do about it
_ERRORS = (
    (
        ValueError,
        "both or neither of x and y",
        "where-without-else",
        "np.where takes a condition, what stands where it holds, and what stands elsewhere.",
    ),
    (
        ValueError,
        "axes don't match array",
        "transpose-of-some-axes",
        "NumPy's transpose wants a new order for *all* axes. To exchange two of them take swapaxes(-1, -2).",
    ),
    (
        np.exceptions.AxisError,
        "",
        "axis-out-of-range",
        "Not every input has that many axes. Counted from the end, -1 and -2 are there in a matrix and in a batch.",
    ),
    (
        ValueError,
        "truth value",
        "truth-of-an-array",
        "`if`, `not` and `and` want one truth value, an array has many. np.where chooses cell by cell, ~ turns a mask round; of an optional array ask whether it `is not None`.",
    ),
    (
        IndexError,
        "boolean index",
        "mask-as-index",
        "A mask used as an index needs the shape of the array itself. np.where stretches it to fit.",
    ),
    (
        TypeError,
        "Cannot cast ufunc",
        "whole-numbers",
        "An array made of whole numbers, or of True and False, holds nothing else. Make a new one, with np.zeros and a shape: that one holds any number.",
    ),
    (
        TypeError,
        "tri() missing",
        "matrix-wanted",
        "np.tril and np.triu cut a matrix: give them a whole matrix, not one number.",
    ),
    (
        TypeError,
        "argument 'keepdim'",
        "unknown-argument",
        "NumPy spells it keepdims.",
    ),
    (
        TypeError,
        "unexpected keyword argument",
        "unknown-argument",
        "That function takes no argument of this name. Its help (type its name and a question mark) lists those it takes.",
    ),
    (
        TypeError,
        "required positional argument",
        "argument-missing",
        "A function in that line got fewer arguments than it needs. Which ones does it ask for?",
    ),
    (
        TypeError,
        "can be converted to Python scalars",
        "one-number-wanted",
        "Functions of Python's math take one number. NumPy's of the same name, np.exp for math.exp, take a whole array.",
    ),
    (
        TypeError,
        "'tuple' object is not callable",
        "brackets",
        "A shape is a tuple: its entries stand in square brackets, Q.shape[-1].",
    ),
    (
        TypeError,
        "object is not subscriptable",
        "brackets",
        "Square brackets pick from an array or a list; a function is called with round ones.",
    ),
    (
        TypeError,
        "object is not iterable",
        "one-number-given",
        "A loop needs several values, and this is one. Without an axis, max, sum and argmax give one for the whole array.",
    ),
    (
        TypeError,
        "as a data type",
        "shape-in-brackets",
        "NumPy takes a shape as *one* argument, a pair in brackets: np.ones((2, 3)) has 2 rows and 3 columns.",
    ),
    (
        TypeError,
        "scalar index",
        "list-indexed-by-array",
        "Where one whole number belongs, a position in a list or an axis, stands an array. Take positions one by one in a loop; as an argument, see which place it stands in.",
    ),
)


_COURSE = sorted(n for n, f in vars(attn).items() if inspect.isfunction(f) and not n.startswith("_"))


def _error_hint(error):
    """Slug of an exception and what to do about it."""
    text = str(error)
    if isinstance(error, TypeError) and error.__traceback__.tb_next is None:  # the call itself failed
        hint = "Does the def line take the parameters that the exercise names, in that order and with their defaults?"
        return "wrong-parameters", hint
    if isinstance(error, UnboundLocalError):
        hint = "That name gets its value only on a way that was not taken here, such as inside an if. Is a line indented too far?"
        return "unbound-name", hint
    if isinstance(error, NameError):
        return "undefined-name", _undefined(error)
    if isinstance(error, (TypeError, AttributeError)) and "'NoneType'" in text:
        hint = "Something in that line is None. An optional mask may be: ask first whether it `is not None`. Or did a function of yours forget its return?"
        return "none-used", hint
    if isinstance(error, AttributeError):
        return "unknown-attribute", _unknown_attribute(error)
    for kind, part, slug, hint in _ERRORS:
        if isinstance(error, kind) and part in text:
            return slug, _plain(hint)
    if isinstance(error, ValueError) and any(word in text for word in _SHAPE_WORDS):
        return "shape-mismatch", "Two shapes do not fit. Print both just before that line."
    return (
        "error",
        "Python's own words about that line stand above: which value in it is not what you thought?",
    )


def _undefined(error):
    """What to say of a name that is defined nowhere."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    close = difflib.get_close_matches(error.name or "", frames[-1].f_locals, 1, 0.8)
    if close:
        return f"There is no {error.name}; is it {close[0]}?"
    if error.name in sys.stdlib_module_names:
        return f"A module of Python has to be imported first, import {error.name}. Much of math is in NumPy too: np.sqrt, np.exp, np.inf."
    if error.name in _COURSE:
        return f"The course's functions need their prefix: attn.{error.name}."
    if hasattr(np, error.name or ""):
        return f"NumPy's functions need its prefix: np.{error.name}."
    return "That name is defined nowhere. Is a parameter spelt otherwise, or has the cell that defines it not been run?"


def _unknown_attribute(error):
    """What to say of an attribute, or a function of a module, that is not there."""
    if "was removed in the NumPy 2" in str(error):
        return "NumPy 2 has taken that name away. Its own words above say what to write now."
    if error.obj is np and error.name in _COURSE:
        return f"NumPy has no {error.name}. The course has one, attn.{error.name}, or write your own."
    if error.obj is attn:
        near = [name for name in _COURSE if error.name in name]
        return f"The course has no {error.name}" + (f"; it has {', '.join(near)}." if near else ".")
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    close = difflib.get_close_matches(error.name or "", known, 1)
    return f"There is no {error.name}" + (f"; is it {close[0]}?" if close else " there.")


# ---------------------------------------------------------------------------
# Inputs: small, asymmetric, d_k ≠ L ≠ d_v, with batches and extreme values
# ---------------------------------------------------------------------------


def _draw(seed, *shape):
    """Whole numbers from -3 to 3, the same at every call."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(float)


_HALF = np.array([[True, False, True, True], [True, True, False, False]])
_Q2, _K2 = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[3.0, 1.0], [0.0, 2.0]])
_SCORE_CASES = (
    (_Q2, _K2),
    (_draw(1, 3, 2), _draw(2, 3, 2)),
    (0.123 * _draw(3, 2, 5), _draw(4, 4, 5)),
    (_draw(5, 3, 4), _draw(6, 1, 4)),
    (_draw(7, 2, 3, 5), _draw(8, 2, 4, 5)),
    (_draw(9, 3, 3, 3), _draw(10, 3, 3, 3)),
    (_draw(11, 2, 3, 4, 5), _draw(12, 2, 3, 2, 5)),
    (_draw(15, 2, 1, 2, 3, 2), _draw(16, 2, 1, 2, 4, 2)),
    (1e4 * _draw(13, 2, 4), 1e4 * _draw(14, 3, 4)),
)


def _swap(array):
    return np.swapaxes(array, -1, -2)


# ---------------------------------------------------------------------------
# scores, scaled scores
# ---------------------------------------------------------------------------


def _scores(Q, K):
    return Q @ _swap(K)


def _scaled_scores(Q, K):
    return _scores(Q, K) / np.sqrt(Q.shape[-1])


def _looped(Q, K, rows=None, turned=False):
    """Scores of one sentence by two loops, as beginners write them; batches fail."""
    if Q.ndim > 2:
        raise ValueError("setting an array element with a sequence")
    table = np.zeros((len(Q), len(K)))
    for i in range(len(Q) if rows is None else rows):
        for j in range(len(K)):
            table[(j, i) if turned else (i, j)] = Q[i] @ K[j]
    return table


def _dot_on_batch(Q, K):
    return np.dot(Q, _swap(K))


SCORE_MISTAKES = (
    Mistake(
        "no-transpose",
        "K was not transposed",
        (lambda Q, K: Q @ K, lambda Q, K: np.dot(Q, K), lambda Q, K: Q @ K.T.swapaxes(-1, -2)),
        "Q @ K multiplies queries with *columns* of K, one feature of all tokens; a key is a row.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "queries-and-keys-swapped",
        "rows and columns are exchanged",
        (lambda Q, K: K @ _swap(Q),),
        "Your rows belong to keys and your columns to queries. The one who asks is the row.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "elementwise",
        "* in place of @",
        (lambda Q, K: Q * K, lambda Q, K: (Q * K).sum(axis=-1)),
        "* multiplies entry by entry: each query meets only the key in its own row. Every query should meet every key.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "reversed-axes",
        ".T reverses every axis",
        (lambda Q, K: Q @ K.T,),
        "For one sentence this is right. On a batch .T (or exchanging the first axis with the last) moves the batch axis to the end too; only the last two axes should change places.",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "transpose-keeps-order",
        "transpose(-2, -1) moves nothing",
        (lambda Q, K: Q @ K.transpose(-2, -1),),
        "NumPy's transpose takes the new order of *all* axes, and -2, -1 is the old order. To exchange two axes take swapaxes(-1, -2).",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "counted-from-the-front",
        "axes are counted from the front",
        (
            lambda Q, K: Q @ K.swapaxes(1, 2),
            lambda Q, K: Q @ K.swapaxes(2, 1),
            lambda Q, K: Q @ K.transpose(0, 2, 1),
            lambda Q, K: Q @ K.swapaxes(0, 2),
        ),
        "Axes 0, 1 and 2 are there in a batch only, and only in one kind of batch. The last two are -1 and -2 in any array.",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "first-axes-swapped",
        "the first two axes are exchanged",
        (lambda Q, K: Q @ K.swapaxes(0, 1),),
        "For one sentence the first two axes are the last two. In a batch the first axis counts sentences: count from the end.",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "dot-on-batch",
        "np.dot or np.inner on a batch",
        (_dot_on_batch, lambda Q, K: np.inner(Q, K), lambda Q, K: np.dot(Q, K.T)),
        "On a batch they pair every sentence with every other one. @ goes sentence by sentence.",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "keys-ignored",
        "one input meets itself",
        (lambda Q, K: Q @ _swap(Q), lambda Q, K: K @ _swap(K)),
        "One of them is used twice, the other not at all. Each query has to meet each key.",
        "lesson 01, Three projections",
    ),
    Mistake(
        "features-by-features",
        "the features meet, not the tokens",
        (lambda Q, K: _swap(Q) @ K, lambda Q, K: Q.T @ K),
        "Your result has a row for each feature. There should be a row for each query and a column for each key.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "both-transposed",
        "both are transposed",
        (lambda Q, K: Q.T @ K.T, lambda Q, K: _swap(Q) @ _swap(K)),
        "Rows of the left meet columns of the right. Each query is a row already: only K has to be turned.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "reshaped",
        "K was reshaped, not turned",
        (
            lambda Q, K: Q @ K.reshape(K.shape[::-1]),
            lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]),
            lambda Q, K: Q @ K.reshape(K.shape[1], K.shape[0]),
            lambda Q, K: Q @ K.reshape(K.shape[-1], -1),
        ),
        "reshape keeps the order of the numbers and breaks the rows elsewhere: no column is a key. Turning moves the axes.",
        "lesson 01, All scores at once: QKᵀ",
    ),
    Mistake(
        "first-row-only",
        "only the first row is worked out",
        (lambda Q, K: _looped(Q, K, rows=1),),
        "The loop ended after its first round. Is return indented too far?",
        "lesson 01, Scores by hand",
    ),
    Mistake(
        "indices-exchanged",
        "rows and columns are exchanged in the loop",
        (lambda Q, K: _looped(Q, K, turned=True),),
        "table[j, i] puts the score of query i and key j into row j. The one who asks is the row: table[i, j].",
        "lesson 01, Scores by hand",
    ),
    Mistake(
        "rounded-to-whole",
        "something is rounded to a whole number",
        (lambda Q, K: np.trunc(_scores(Q, K)), lambda Q, K: np.round(_scores(Q, K))),
        "A table made with dtype=int, int() or a rounding cuts the decimals off. Scores are any numbers.",
        "lesson 01, Scores by hand",
    ),
    Mistake(
        "rounded",
        "the scores are rounded",
        tuple(lambda Q, K, digits=digits: _scores(Q, K).round(digits) for digits in (1, 2)),
        "Return the numbers as they are; round when you print.",
        "lesson 01, Scores by hand",
    ),
)

_SCALE = "lesson 02, Dividing by √d_k"


def _scaled_by(divisor):
    return (lambda Q, K: _scores(Q, K) / divisor(Q, K),)


SCALE_MISTAKES = (
    Mistake(
        "not-scaled",
        "the scores are not scaled",
        _scaled_by(lambda Q, K: 1.0),
        "These are the raw scores. Their size grows with d_k; what brings it back to 1?",
        "lesson 02, How large is a dot product?",
    ),
    Mistake(
        "divided-by-d-k",
        "divided by d_k, without the root",
        (*_scaled_by(lambda Q, K: Q.shape[-1]), lambda Q, K: _scaled_scores(Q, K) / np.sqrt(Q.shape[-1])),
        "The result is too small by a factor √d_k: divided by d_k, or by √d_k twice. The standard deviation is the root of the variance.",
        _SCALE,
    ),
    Mistake(
        "power-before-division",
        "** binds before /",
        _scaled_by(lambda Q, K: 2 * Q.shape[-1]),
        "d_k ** 1/2 is (d_k ** 1)/2, so dividing by it divides by d_k and by 2. Parentheses, 0.5 or np.sqrt mend it.",
        _SCALE,
    ),
    Mistake(
        "fixed-width",
        "a fixed number in place of d_k",
        (
            *_scaled_by(lambda Q, K: np.sqrt(8)),
            *_scaled_by(lambda Q, K: 8),
            *_scaled_by(lambda Q, K: np.sqrt(64)),
            *_scaled_by(lambda Q, K: 64),
        ),
        "You divide by the same number whatever comes in, typed or left over from an earlier cell. Read the width off the shape of the inputs.",
        _SCALE,
    ),
    Mistake(
        "multiplied",
        "multiplied by √d_k",
        _scaled_by(lambda Q, K: Q.shape[-1] ** -0.5),
        "The scores grew. They are too large already: divide.",
        _SCALE,
    ),
    Mistake(
        "shape-from-the-front",
        "the shape is counted from the front",
        (
            *_scaled_by(lambda Q, K: np.sqrt(Q.shape[1])),
            *_scaled_by(lambda Q, K: np.sqrt(K.shape[1])),
            *_scaled_by(lambda Q, K: np.sqrt(Q.shape[2])),
            *_scaled_by(lambda Q, K: np.sqrt(K.shape[2])),
        ),
        "In a matrix axis 1 counts features, in a batch axis 2 does. The features are always the *last* axis, -1.",
        "lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "divided-by-root-of-length",
        "divided by the root of the number of keys or queries",
        (
            *_scaled_by(lambda Q, K: np.sqrt(K.shape[-2])),
            *_scaled_by(lambda Q, K: np.sqrt(Q.shape[-2])),
            *_scaled_by(lambda Q, K: np.sqrt(len(Q))),
            *_scaled_by(lambda Q, K: np.sqrt(len(K))),
        ),
        "Your divisor counts tokens (or sentences). The sum in a dot product runs over the features of one key: count those.",
        "lesson 02, How large is a dot product?",
    ),
    Mistake(
        "divided-by-length",
        "divided by the number of keys or queries",
        (*_scaled_by(lambda Q, K: K.shape[-2]), *_scaled_by(lambda Q, K: Q.shape[-2])),
        "Your divisor counts tokens. The sum in a dot product runs over the features of one key.",
        "lesson 02, How large is a dot product?",
    ),
    Mistake(
        "root-of-scores",
        "the root is taken of the scores",
        (
            lambda Q, K: np.sqrt(_scores(Q, K) / Q.shape[-1]),
            lambda Q, K: np.sqrt(_scores(Q, K)) / np.sqrt(Q.shape[-1]),
            lambda Q, K: np.sqrt(_scores(Q, K)) / Q.shape[-1],
            lambda Q, K: np.sqrt(_scores(Q, K)),
        ),
        "The root belongs to d_k alone; then the scores are divided by it. (A negative score has no root: it becomes NaN.)",
        _SCALE,
    ),
    Mistake(
        "rounded-to-whole",
        "something is rounded to a whole number",
        (
            lambda Q, K: _scores(Q, K) // np.sqrt(Q.shape[-1]),
            lambda Q, K: _scores(Q, K) / np.floor(np.sqrt(Q.shape[-1])),
            lambda Q, K: _scores(Q, K) / np.round(np.sqrt(Q.shape[-1])),
            lambda Q, K: _scores(Q, K) // Q.shape[-1],
            lambda Q, K: np.trunc(_scaled_scores(Q, K)),
            lambda Q, K: np.round(_scaled_scores(Q, K)),
        ),
        "By //, int(), isqrt or a rounding, of the root or of the result. Scores and √d_k are any numbers.",
        _SCALE,
    ),
    Mistake(
        "rounded",
        "the scores are rounded",
        tuple(lambda Q, K, digits=digits: _scaled_scores(Q, K).round(digits) for digits in (1, 2, 3)),
        "The cells look alike because they are printed with three digits. Return the numbers as they are; round when you print.",
        _SCALE,
    ),
    Mistake(
        "divided-by-measured-spread",
        "divided by the measured standard deviation",
        (
            lambda Q, K: _scores(Q, K) / _scores(Q, K).std(),
            lambda Q, K: _scores(Q, K) / _scores(Q, K).std(axis=-1, keepdims=True),
            lambda Q, K: _scores(Q, K) / _scores(Q, K).std(axis=(-1, -2), keepdims=True),
        ),
        "That is the spread of this one table. The divisor is the spread that is *expected*: it depends on d_k and on nothing else.",
        "lesson 02, How large is a dot product?",
    ),
    Mistake(
        "divided-by-root-of-size",
        "divided by the root of the number of all entries",
        (*_scaled_by(lambda Q, K: np.sqrt(Q.size)), *_scaled_by(lambda Q, K: np.sqrt(K.size))),
        "The sum in a dot product runs over the features of one key: count those, not all entries.",
        "lesson 02, How large is a dot product?",
    ),
    Mistake(
        "scaled-after-softmax",
        "softmax first, scaling after",
        (lambda Q, K: attn.softmax(_scores(Q, K)) / np.sqrt(Q.shape[-1]),),
        "There is a softmax in your result. This function stops at the scaled scores.",
        "lesson 02, What softmax makes of it",
    ),
    Mistake(
        "softmax-included",
        "softmax is in it already",
        (lambda Q, K: attn.softmax(_scaled_scores(Q, K)),),
        "Scaled rightly, and then shared out. This function stops at the scaled scores.",
        "lesson 02, What softmax makes of it",
    ),
)


def _also_scaled(mistake):
    """The same slip in the scores, with the right scaling."""
    imitate = tuple(lambda Q, K, f=f: f(Q, K) / np.sqrt(Q.shape[-1]) for f in mistake.imitate)
    return mistake._replace(imitate=imitate)


def _score_pairs():
    """A slip in the scores together with one in the scaling, named after the first."""
    for first in SCORE_MISTAKES:
        for second, divisor in (("no scaling", 1.0), ("divided by d_k", None)):
            both = tuple(lambda Q, K, f=f, d=divisor: f(Q, K) / (d or Q.shape[-1]) for f in first.imitate)
            yield first._replace(
                name=f"two slips, {first.name}, and {second}",
                imitate=both,
                explain=f"Mend this one first: {first.explain}",
                others=("not-scaled" if divisor else "divided-by-d-k",),
            )


# ---------------------------------------------------------------------------
# masks
# ---------------------------------------------------------------------------

_TRIANGLE = "lesson 03, The causal triangle"


def _causal_mask(L):
    return attn.causal_mask(L)


CAUSAL_MISTAKES = (
    Mistake(
        "inverted-mask",
        "True and False are exchanged",
        (lambda L: ~attn.causal_mask(L), lambda L: (~attn.causal_mask(L)).astype(int)),
        "You marked what is *blocked*. Here True means: this query may look at this key.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "strictly-lower",
        "the diagonal is missing",
        (lambda L: np.tril(np.ones((L, L), bool), -1),),
        "Nobody may look at themselves, and the first token at nothing at all. A token knows itself: the diagonal belongs in.",
        _TRIANGLE,
    ),
    Mistake(
        "transposed-mask",
        "rows and columns are exchanged",
        (lambda L: attn.causal_mask(L).T,),
        "Your queries look at *later* keys only. Rows ask: row 0, the first token, may look at column 0 alone.",
        _TRIANGLE,
    ),
    Mistake(
        "one-too-many",
        "one key of the future is visible",
        (lambda L: np.tril(np.ones((L, L), bool), 1),),
        "Row 0 may already look at column 1: one step into the future.",
        _TRIANGLE,
    ),
    Mistake(
        "additive-mask",
        "0 and −inf in place of True and False",
        (lambda L: np.where(attn.causal_mask(L), 0, -np.inf),),
        "That is the mask to *add* to scores, and a good one. Here the boolean form is asked for.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "integer-mask",
        "0 and 1 in place of True and False",
        (lambda L: attn.causal_mask(L).astype(int), lambda L: attn.causal_mask(L).astype(float)),
        "The pattern is right, the dtype is not: with integers, ~mask and indexing by mask do something else.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "nothing-blocked",
        "nothing is blocked",
        (lambda L: np.ones((L, L), bool),),
        "Every query may look at every key, the future included.",
        _TRIANGLE,
    ),
    Mistake(
        "fixed-size",
        "the same size whatever L is",
        tuple(lambda L, n=n: attn.causal_mask(n) for n in (2, 3, 4, 5, 6, 8)),
        "A number is typed in place of L, or an array from an earlier cell comes back. Use the L that is passed in.",
        _TRIANGLE,
    ),
    Mistake(
        "first-row-only",
        "only the first row is worked out",
        (lambda L: attn.causal_mask(L) & (np.arange(L) < 1)[:, None],),
        "The loop ended after its first round. Is return indented too far?",
        _TRIANGLE,
    ),
    Mistake(
        "only-diagonal",
        "each token sees only itself",
        (lambda L: np.eye(L, dtype=bool),),
        "Earlier tokens should be visible too.",
        _TRIANGLE,
    ),
)


def _filled_where(blocked, scores):
    """A copy of the scores with −inf put in by index, which asks for a mask of the same shape."""
    filled = np.array(scores)
    filled[blocked] = -np.inf
    return filled


def _apply_mask(scores, mask):
    return np.where(mask, scores, -np.inf)


def _finite_mask(case, want, got):
    """Blocked scores that are very negative, but finite: a whole family of values."""
    if (
        got.raised is not None
        or got.values is None
        or len(got.values) != 1
        or got.values[0].shape != want.values[0].shape
    ):
        return None
    blocked, mine = np.isneginf(want.values[0]), got.values[0]
    kept = _close(mine, want.values[0])[~blocked].all()
    filled = mine[blocked]
    if not kept or not filled.size or not np.isfinite(filled).all():
        return None
    if (filled <= -1e3).all():
        return _FINITE
    return _TINY if (filled < 0).all() and (filled > -1e-3).all() else None


_FINITE = Mistake(
    "finite-mask-value",
    "a large negative number in place of −inf",
    (),
    "A number such as −1e9 blocks only while real scores stay above it, overflows float16, and gives a fully masked row uniform weights.",
    "lesson 03, −1e9 and where it breaks",
)
_TINY = Mistake(
    "tiny-mask-value",
    "a tiny negative number, like −1e-9",
    (),
    "−1e-9 is practically 0, an ordinary score. The sign of the *exponent* makes all the difference.",
    "lesson 03, −1e9 and where it breaks",
)

APPLY_MISTAKES = (
    Mistake(
        "inverted-mask",
        "the mask is read the wrong way round",
        (
            lambda scores, mask: np.where(mask, -np.inf, scores),
            lambda scores, mask: _filled_where(mask, scores),
        ),
        "You blocked what may be seen and kept what may not. True means: may look.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "multiplied-by-zero",
        "blocked scores became 0",
        (lambda scores, mask: scores * mask, lambda scores, mask: np.where(mask, scores, 1e-9)),
        "A score of 0 is an ordinary score, and e⁰ = 1: the blocked key still gets a share.",
        "lesson 03, Masking before softmax",
    ),
    Mistake(
        "zero-times-inf",
        "0 · inf",
        (
            lambda scores, mask: scores + (1 - mask) * -np.inf,
            lambda scores, mask: scores * mask + (1 - mask) * -np.inf,
            lambda scores, mask: scores + mask * -np.inf,
        ),
        "Where a factor is 0 this computes 0 · −inf, which is NaN. Choose between two values; do not multiply.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "mask-added",
        "the boolean mask was added",
        (lambda scores, mask: scores + mask, lambda scores, mask: scores - ~mask),
        "Adding a boolean adds 1 or 0. Only a mask made of 0 and −inf can be added.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "mask-ignored",
        "the mask has no effect",
        (lambda scores, mask: scores,),
        "The scores came back as they went in.",
        "lesson 03, Masking before softmax",
    ),
    Mistake(
        "times-minus-infinity",
        "the scores are multiplied by −inf",
        (
            lambda scores, mask: scores * np.where(mask, 1, -np.inf),
            lambda scores, mask: np.where(mask, scores, scores * -np.inf),
            lambda scores, mask: np.where(mask, scores, np.abs(scores) * -np.inf),
        ),
        "A negative score times −inf is +inf, and 0 times −inf is NaN. Put −inf in the place of a score; do not multiply by it.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "own-causal-mask",
        "a causal mask in place of the one passed in",
        (lambda scores, mask: np.where(attn.causal_mask(*scores.shape[-2:]), scores, -np.inf),),
        "You block the future whatever the mask says. It is the mask passed in that decides.",
        "lesson 03, Padding",
    ),
    Mistake(
        "real-zero-blocked",
        "a score of 0 is taken for a blocked one",
        (
            lambda scores, mask: np.where(scores * mask == 0, -np.inf, scores * mask),
            lambda scores, mask: np.where(np.where(mask, scores, 0), scores, -np.inf),
        ),
        "An allowed key may have the score 0, and you blocked it too. Only the mask says who is blocked.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "scores-lost",
        "the mask came back, without the scores",
        (
            lambda scores, mask: np.where(mask, 0, -np.inf) + 0 * scores,
            lambda scores, mask: np.where(mask, 0, -np.inf),
        ),
        "That is the additive mask, 0 and −inf. What is asked for is the scores with that mask applied.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "condition-last",
        "the scores stand where the condition belongs",
        (lambda scores, mask: np.where(scores, mask, -np.inf),),
        "np.where takes the condition first: the mask decides, the scores are what is kept.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "nan-mask-value",
        "NaN in place of −inf",
        (lambda scores, mask: np.where(mask, scores, np.nan),),
        "One NaN makes all of its row NaN in softmax. −inf becomes a share of exactly 0.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "positive-infinity",
        "+inf in place of −inf",
        (lambda scores, mask: np.where(mask, scores, np.inf),),
        "e to the +inf takes everything: the blocked keys would get all the attention.",
        "lesson 03, Masking before softmax",
    ),
    Mistake(
        "transposed-mask",
        "the mask was turned on its side",
        (lambda scores, mask: np.where(_swap(mask), scores, -np.inf),),
        "Rows of the mask are queries, as rows of the scores are.",
        "lesson 03, The causal triangle",
    ),
    Mistake(
        "softmax-included",
        "softmax is in it already",
        (
            lambda scores, mask: attn.softmax(np.where(mask, scores, -np.inf)),
            lambda scores, mask: attn.softmax(scores) * mask,
        ),
        "This function stops before softmax: it returns scores.",
        "lesson 03, Masking before softmax",
    ),
)

_TRI3 = attn.causal_mask(3)
_APPLY_CASES = (
    (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[True, False], [True, True]])),
    (_draw(20, 3, 3), np.array([[True, False, True], [True, True, False], [False, True, True]])),
    (_draw(21, 2, 4), _HALF),
    (_draw(22, 2, 3), np.array([[False, False, False], [True, True, False]])),
    (_draw(23, 2, 3, 3), _TRI3),
    (1e10 * (_draw(24, 2, 4) - 4), _HALF),
    (np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]), np.array([[True, True, False]])),
    (_draw(25, 2, 3, 4), np.array([[[True, True, True, False]], [[True, False, False, False]]])),
    (_draw(26, 2, 3, 3), np.stack([_TRI3, ~_TRI3])),
    (0.123 * _draw(27, 2, 3), np.zeros((2, 3), dtype=bool)),
    (0.123 * _draw(28, 2, 2, 2, 3), _HALF[None, :, :3]),
)


def _padding_mask(lengths, n_keys):
    return attn.padding_mask(np.asarray(lengths), n_keys)


_PADDING = "lesson 03, Padding"
PADDING_MISTAKES = (
    Mistake(
        "inverted-mask",
        "True and False are exchanged",
        (lambda lengths, n_keys: ~_padding_mask(lengths, n_keys),),
        "You marked the padding. True means: may look.",
        "lesson 03, True means may look",
    ),
    Mistake(
        "no-query-axis",
        "the axis for the queries is missing",
        (lambda lengths, n_keys: _padding_mask(lengths, n_keys)[:, 0],),
        "With shape (B, n_keys) the batch would be taken for the queries. Put an axis of length 1 between them.",
        _PADDING,
    ),
    Mistake(
        "padding-rows",
        "rows are hidden instead of columns",
        (lambda lengths, n_keys: _swap(_padding_mask(lengths, n_keys)),),
        "Your mask hides the queries that are padding. It is as *keys* that padding must not be looked at.",
        _PADDING,
    ),
    Mistake(
        "one-too-many",
        "one padded key is visible",
        (lambda lengths, n_keys: np.arange(n_keys) <= np.asarray(lengths)[:, None, None],),
        "Keys are counted from 0: a sentence of 2 tokens has keys 0 and 1.",
        _PADDING,
    ),
    Mistake(
        "integer-mask",
        "0 and 1 in place of True and False",
        (lambda lengths, n_keys: _padding_mask(lengths, n_keys).astype(int),),
        "The pattern is right, the dtype is not.",
        "lesson 03, True means may look",
    ),
)


# ---------------------------------------------------------------------------
# softmax
# ---------------------------------------------------------------------------

_LARGE = np.array([[1000.0, 1001.0], [-1000.0, -1002.0]])
_SOFTMAX_CASES = (
    (np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]),),
    (np.array([[0.0, 1.0], [3.0, 0.0]]),),
    (np.array([1.0, 2.0, 4.0]),),
    (_draw(30, 3, 3),),
    (_draw(31, 2, 3, 4),),
    (_draw(32, 2, 2, 3, 3),),
    (_LARGE,),
    (np.array([[-1000.0, -1001.0]]),),
    (np.array([[-np.inf, 5.0, 0.0], [0.0, 1000.0, 999.0]]),),
    (np.stack([_LARGE, -_LARGE]),),
    (np.array([[0.0, -800.0]]),),
    (np.array([[0, 1, 2]]),),
    (np.array([[1e4, -1e4, 0.0]], dtype=np.float32),),
)


def _softmax(x):
    return attn.softmax(x)


def _divided(powers):
    return powers / powers.sum(axis=-1, keepdims=True)


def _stable(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))


def _naive(x):
    return np.exp(x)


def _globally(x):
    return np.exp(x - x.max())


def _flat_powers(x):
    return np.exp(x - x.max(axis=-1))


_POWERS = (_stable, _naive, _globally)
_WHICH_WAY, _OVERFLOW = "lesson 04, Which way do the shares run?", "lesson 04, Overflow, seen and cured"
_AXIS_LOST = "lesson 04, Spot the bug"


def _shares(total, powers=_POWERS):
    """One imitation for each way of taking the powers, with this way of dividing them."""
    return tuple(lambda x, p=p: total(p(x)) for p in powers)


def _axis_max(axis):
    return lambda x: np.exp(x - x.max(axis=axis, keepdims=True))


SOFTMAX_MISTAKES = (
    Mistake(
        "wrong-axis",
        "normalised over the queries",
        (
            *_shares(lambda e: e / e.sum(axis=-2, keepdims=True)),
            *_shares(lambda e: e / e.sum(axis=-2, keepdims=True), (_axis_max(-2),)),
            *_shares(lambda e: e / e.sum(axis=0)),
            *_shares(lambda e: e / e.sum(axis=0), (_axis_max(0),)),
            lambda x: attn.softmax(x, axis=-2),
            lambda x: attn.softmax(x, axis=0),
        ),
        "Your *columns* sum to 1, your rows do not. A row belongs to one query, and it is the query that shares its attention out.",
        _WHICH_WAY,
    ),
    Mistake(
        "whole-array",
        "normalised over the whole array",
        _shares(lambda e: e / e.sum()),
        "All cells together sum to 1. Each row should: every query has a whole 1 to share out.",
        _WHICH_WAY,
    ),
    Mistake(
        "axis-1",
        "axis=1 in place of the last axis",
        (
            *_shares(lambda e: e / e.sum(axis=1, keepdims=True)),
            lambda x: attn.softmax(x, axis=1),
            *_shares(lambda e: e / e.sum(axis=1, keepdims=True), (_axis_max(1),)),
        ),
        "Right for a matrix, where axis 1 is the last one. A batch has its keys elsewhere: count axes from the end.",
        _WHICH_WAY,
    ),
    Mistake(
        "missing-keepdims",
        "the sum or maximum lost its axis (keepdims)",
        (
            *_shares(lambda e: e / e.sum(axis=-1)),
            *_shares(_divided, (_flat_powers,)),
            *_shares(lambda e: e / e.sum(axis=-1), (_flat_powers,)),
        ),
        "Without keepdims a sum (or maximum) of rows has shape (L,), and NumPy lays it along the *columns*. On a square matrix nothing warns you: cells meet the numbers of other rows.",
        _AXIS_LOST,
    ),
    Mistake(
        "transpose-trick",
        "the .T trick, for matrices only",
        (*_shares(lambda e: (e.T / e.sum(axis=-1)).T), *_shares(lambda e: e.T / e.sum(axis=-1))),
        "Turned back with a second .T this is right for one matrix. Of a batch .T reverses *all* axes.",
        _AXIS_LOST,
    ),
    Mistake(
        "no-max-subtraction",
        "the largest score is not subtracted",
        _shares(_divided, (_naive,)),
        "Right for small scores. exp of a large score overflows to inf, and inf/inf is NaN. Which change of the scores leaves all shares as they are?",
        _OVERFLOW,
    ),
    Mistake(
        "global-max",
        "one maximum for all rows",
        _shares(
            _divided,
            (_globally, lambda x: np.exp(x - x.max(axis=(-2, -1), keepdims=True))),
        ),
        "A row far below the largest score of *another* row underflows to 0/0. Each row needs its own maximum.",
        _OVERFLOW,
    ),
    Mistake(
        "maximum-of-columns",
        "the maximum runs along the wrong axis",
        _shares(
            _divided,
            (
                lambda x: np.exp(x - x.max(axis=0)),
                lambda x: np.exp(x - x.max(axis=-2, keepdims=True)),
                _axis_max(0),
                _axis_max(1),
            ),
        ),
        "A shift cancels only if all scores of one row are shifted alike. Subtract from each row *its own* maximum: the last axis, counted from the end.",
        _OVERFLOW,
    ),
    Mistake(
        "not-normalised",
        "not divided by the sum",
        _shares(lambda e: e),
        "Your rows do not sum to 1: the powers of e have not been turned into shares.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "no-exponential",
        "divided by the sum without exp",
        (lambda x: x / x.sum(axis=-1, keepdims=True), lambda x: x / x.sum(axis=-1)),
        "A share of the plain scores: negative scores would give negative shares.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "log-softmax",
        "the logarithm of softmax",
        (
            lambda x: np.log(attn.softmax(x)),
            lambda x: x - x.max(axis=-1, keepdims=True) - np.log(_stable(x).sum(axis=-1, keepdims=True)),
        ),
        "Your values are the logarithms of the shares. One exp is left to do.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "sigmoid",
        "each score on its own (sigmoid)",
        (lambda x: 1 / (1 + np.exp(-x)),),
        "Each value lies between 0 and 1, but a row does not sum to 1: the keys must compete.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "shift-only-above",
        "the maximum is subtracted above, not below",
        (
            lambda x: _stable(x) / np.exp(x).sum(axis=-1, keepdims=True),
            lambda x: np.exp(x) / _stable(x).sum(axis=-1, keepdims=True),
        ),
        "A shift cancels only if the powers and their sum have both been shifted. Compute the powers once, and use them twice.",
        _OVERFLOW,
    ),
    Mistake(
        "sign-reversed",
        "the largest score gets the smallest share",
        _shares(
            _divided,
            (
                lambda x: np.exp(-x),
                lambda x: np.exp(x.max(axis=-1, keepdims=True) - x),
                lambda x: _stable(-x),
            ),
        ),
        "The order is turned round: subtract the maximum from x, not x from the maximum.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "wrong-shift",
        "shifted by something else than the largest score",
        _shares(
            _divided,
            (
                lambda x: np.exp(x - x.min(axis=-1, keepdims=True)),
                lambda x: np.exp(x - x.mean(axis=-1, keepdims=True)),
                lambda x: np.exp(x - x[..., :1]),
                lambda x: np.exp(x - np.abs(x).max(axis=-1, keepdims=True)),
                lambda x: np.exp(x + x.max(axis=-1, keepdims=True)),
                lambda x: np.exp(x + np.abs(x).max(axis=-1, keepdims=True)),
            ),
        ),
        "A shift cancels as long as no power overflows, not all powers of a row vanish, and it is no −inf itself. Only *subtracting the largest* is safe whatever the scores.",
        _OVERFLOW,
    ),
    Mistake(
        "rounded",
        "the shares are rounded",
        tuple(lambda x, digits=digits: attn.softmax(x).round(digits) for digits in (1, 2, 3, 4)),
        "The cells look alike because they are printed with three digits. Rounded shares no longer sum to 1; round when you print.",
        "lesson 04, From scores to shares",
    ),
    Mistake(
        "powers-of-two",
        "2 in place of e",
        (
            lambda x: (
                2 ** (x - x.max(axis=-1, keepdims=True))
                / (2 ** (x - x.max(axis=-1, keepdims=True))).sum(axis=-1, keepdims=True)
            ),
        ),
        "Your rows sum to 1 but are too even: the base should be e.",
        "lesson 04, From scores to shares",
    ),
)


_CUT_SHARES = Mistake(
    "rounded-to-whole",
    "the shares are cut to whole numbers",
    (lambda x: attn.softmax(x).astype(x.dtype),),
    "zeros_like of whole numbers makes an array that holds whole numbers only. np.zeros with a shape makes one that holds shares.",
    "lesson 04, From scores to shares",
)


def _temperature_softmax(x, temperature):
    return attn.softmax(x / temperature)


TEMPERATURE_MISTAKES = (
    Mistake(
        "temperature-multiplied",
        "multiplied by the temperature",
        (lambda x, temperature: attn.softmax(x * temperature),),
        "A high temperature should make the shares more even; yours makes them sharper.",
        "lesson 04, Temperature",
    ),
    Mistake(
        "temperature-after-softmax",
        "the temperature comes after softmax",
        (
            lambda x, temperature: attn.softmax(x) / temperature,
            lambda x, temperature: attn.softmax(x) ** temperature,
        ),
        "Divide the *scores*: after softmax the shares are already made.",
        "lesson 04, Temperature",
    ),
    Mistake(
        "temperature-ignored",
        "the temperature has no effect",
        (
            lambda x, temperature: attn.softmax(x),
            lambda x, temperature: _divided(_naive(x)),
            lambda x, temperature: _divided(np.exp(x - x.max(axis=-1, keepdims=True) / temperature)),
        ),
        "The result is the same at every temperature.",
        "lesson 04, Temperature",
    ),
    Mistake(
        "shifted-before-dividing",
        "the largest score is not divided by the temperature",
        (lambda x, temperature: _divided(np.exp(x / temperature - x.max(axis=-1, keepdims=True))),),
        "The shift cancels, but it does not prevent overflow: subtract the largest of the scores *after* dividing them.",
        _OVERFLOW,
    ),
    *(
        m._replace(imitate=tuple(lambda x, temperature, f=f: f(x / temperature) for f in m.imitate))
        for m in SOFTMAX_MISTAKES
    ),
)


# ---------------------------------------------------------------------------
# attention: a pipeline of stages, each right or wrong in a known way
# ---------------------------------------------------------------------------

_HIDE, _WHOLE = "lesson 05, What the mask must do", "lesson 05, Assemble"


def _uniform_if_empty(scaled, mask):
    return attn.softmax(np.where(mask, scaled, -1e9))


def _nan_if_empty(scaled, mask):
    hidden = np.where(mask, scaled, -np.inf)
    return np.where(np.isneginf(hidden).all(axis=-1, keepdims=True), np.nan, attn.softmax(hidden))


def _shared_again(scaled, mask):
    return _divided(attn.softmax(scaled) * mask)


def _hidden_future(scaled):
    return attn.softmax(np.where(attn.causal_mask(*scaled.shape[-2:]), scaled, -np.inf))


def _careless(x):
    """Softmax without care for rows that are blocked altogether: they become NaN."""
    return _divided(_stable(x))


def _masked(how):
    """A stage from scaled scores and mask to weights that leaves unmasked calls alone."""
    return lambda scaled, mask: attn.softmax(scaled) if mask is None else how(scaled, mask)


_RIGHT = {
    "scores": _scores,
    "scale": lambda scores, Q, K, V: scores / np.sqrt(Q.shape[-1]),
    "weights": _masked(lambda scaled, mask: attn.softmax(np.where(mask, scaled, -np.inf))),
    "output": lambda weights, V: weights @ V,
    "result": lambda output, weights: (output, weights),
}


def _pipeline(**wrong):
    """Attention with some stages replaced."""
    stages = {**_RIGHT, **wrong}

    def attention(Q, K, V, mask=None):
        weights = stages["weights"](stages["scale"](stages["scores"](Q, K), Q, K, V), mask)
        return stages["result"](stages["output"](weights, V), weights)

    return attention


def _hide(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -np.inf)


def _softmax_stage(mistake):
    return [lambda scaled, mask, f=f: f(_hide(scaled, mask)) for f in mistake.imitate]


# Each row: stage, slug, name, ways to replace the stage, what to say, where to look.
_SLIPS = (
    *(("scores", m.slug, m.name, m.imitate, m.explain, m.see) for m in SCORE_MISTAKES),
    (
        "scale",
        "not-scaled",
        "the scores are not scaled",
        (lambda s, Q, K, V: s,),
        "Divide QKᵀ by √d_k before softmax.",
        "lesson 02, Dividing by √d_k",
    ),
    (
        "scale",
        "divided-by-d-k",
        "divided by d_k, without the root",
        (lambda s, Q, K, V: s / Q.shape[-1],),
        "The weights are too flat: divided by d_k, or by √d_k twice.",
        "lesson 02, Dividing by √d_k",
    ),
    (
        "scale",
        "multiplied",
        "multiplied by √d_k",
        (lambda s, Q, K, V: s * np.sqrt(Q.shape[-1]),),
        "The scores grew. Divide.",
        "lesson 02, Dividing by √d_k",
    ),
    (
        "scale",
        "shape-from-the-front",
        "the shape is counted from the front",
        (
            lambda s, Q, K, V: s / np.sqrt(Q.shape[1]),
            lambda s, Q, K, V: s / np.sqrt(K.shape[1]),
            lambda s, Q, K, V: s / np.sqrt(Q.shape[2]),
            lambda s, Q, K, V: s / np.sqrt(K.shape[2]),
        ),
        "In a matrix axis 1 counts features, in a batch axis 2 does. The features are always the *last* axis, -1.",
        "lesson 01, Batches: which axes to swap",
    ),
    (
        "scale",
        "divided-by-root-of-length",
        "divided by the root of the number of keys or queries",
        (
            lambda s, Q, K, V: s / np.sqrt(K.shape[-2]),
            lambda s, Q, K, V: s / np.sqrt(Q.shape[-2]),
            lambda s, Q, K, V: s / np.sqrt(len(Q)),
            lambda s, Q, K, V: s / np.sqrt(len(K)),
        ),
        "Your divisor counts tokens. Count the features of one key.",
        "lesson 02, How large is a dot product?",
    ),
    (
        "scale",
        "divided-by-root-of-d-v",
        "divided by √d_v",
        (lambda s, Q, K, V: s / np.sqrt(V.shape[-1]),),
        "Values have nothing to do with the size of scores: it is d_k that counts.",
        "lesson 02, Dividing by √d_k",
    ),
    (
        "weights",
        "mask-ignored",
        "the mask has no effect",
        (_masked(lambda s, m: attn.softmax(s)),),
        "With and without a mask your weights are the same.",
        _HIDE,
    ),
    (
        "weights",
        "inverted-mask",
        "the mask is read the wrong way round",
        (
            _masked(lambda s, m: attn.softmax(np.where(m, -np.inf, s))),
            _masked(lambda s, m: attn.softmax(_filled_where(m, s))),
        ),
        "True means: may look. You blocked those.",
        "lesson 03, True means may look",
    ),
    (
        "weights",
        "mask-after-softmax",
        "the mask comes after softmax",
        (
            _masked(lambda s, m: attn.softmax(s) * m),
            _masked(lambda s, m: np.where(m, attn.softmax(s), 0)),
        ),
        "Blocked weights were removed after the sharing, so rows no longer sum to 1. Block the scores, then share.",
        "lesson 03, Masking before softmax",
    ),
    (
        "weights",
        "mask-after-softmax",
        "the mask comes after softmax",
        (_masked(lambda s, m: np.where(m, attn.softmax(s), -np.inf)),),
        "−inf is a fine *score* and no weight at all. Block the scores, then share.",
        "lesson 03, Masking before softmax",
    ),
    (
        "weights",
        "shared-twice",
        "masked after softmax, then shared out again",
        (
            _masked(_shared_again),
            _masked(lambda s, m: np.nan_to_num(_shared_again(s, m))),
            _masked(lambda s, m: attn.softmax(s) * m / ((attn.softmax(s) * m).sum(-1, keepdims=True) + 1e-9)),
        ),
        "It looks right until a blocked score is much larger than the allowed ones: then their shares vanish, and there is nothing left to share again. Block the scores, then share once.",
        "lesson 03, Masking before softmax",
    ),
    (
        "weights",
        "zero-times-inf",
        "0 · inf",
        (
            _masked(lambda s, m: attn.softmax(s + (1 - m) * -np.inf)),
            _masked(lambda s, m: _careless(s + (1 - m) * -np.inf)),
        ),
        "For the cells to keep this computes 0 · −inf, which is NaN. Choose between two values; do not multiply.",
        "lesson 03, True means may look",
    ),
    (
        "weights",
        "own-causal-mask",
        "a causal mask in place of the one passed in",
        (
            _masked(lambda s, m: _hidden_future(s)),
            lambda s, m: _hidden_future(s),
        ),
        "You block the future whatever the mask says. It is the mask passed in that decides; without one nothing is blocked.",
        _HIDE,
    ),
    (
        "weights",
        "multiplied-by-zero",
        "blocked scores became 0",
        (_masked(lambda s, m: attn.softmax(s * m)), _masked(lambda s, m: attn.softmax(np.where(m, s, 1e-9)))),
        "A score of 0 is an ordinary score: e⁰ = 1. The blocked key still gets a share.",
        "lesson 03, Masking before softmax",
    ),
    (
        "weights",
        "mask-added",
        "the boolean mask was added",
        (_masked(lambda s, m: attn.softmax(s + m)),),
        "Adding a boolean adds 1 or 0. Only a mask of 0 and −inf can be added.",
        "lesson 03, True means may look",
    ),
    (
        "weights",
        "finite-mask-value",
        "a large negative number in place of −inf",
        (
            _masked(_uniform_if_empty),
            _masked(lambda s, m: attn.softmax(np.where(m, s, -1e4))),
            _masked(lambda s, m: attn.softmax(s + np.where(m, 0, -1e9))),
            _masked(lambda s, m: attn.softmax(np.where(m, s, -1e30))),
            _masked(lambda s, m: _uniform_if_empty(s, m) * m.any(axis=-1, keepdims=True)),
            _masked(lambda s, m: _uniform_if_empty(s, m) * m),
        ),
        "A score may lie below your number, and then a blocked key wins. And a query that may look at nothing has only such keys to share itself out among. −inf is below every score.",
        "lesson 03, −1e9 and where it breaks",
    ),
    (
        "weights",
        "fully-masked-nan",
        "a query that may look at nothing becomes NaN",
        (_masked(_nan_if_empty),),
        "Its largest score is −inf, or its shares sum to 0: −inf − (−inf) and 0/0 are both NaN. Such a query should get zeros, in weights and output.",
        _HIDE,
    ),
    (
        "weights",
        "transposed-mask",
        "the mask was turned on its side",
        (_masked(lambda s, m: attn.softmax(np.where(_swap(m), s, -np.inf))),),
        "Rows of the mask are queries.",
        "lesson 03, The causal triangle",
    ),
    (
        "weights",
        "mask-not-optional",
        "without a mask everything is blocked",
        (lambda s, m: attn.softmax(np.where(m, s, -np.inf)) if m is not None else np.zeros_like(s),),
        "mask=None means that everything may be looked at; np.where(None, …) takes None for False.",
        _HIDE,
    ),
    (
        "weights",
        "no-softmax",
        "softmax is missing",
        (_hide, lambda s, m: s),
        "Your weights are still scores: rows do not sum to 1.",
        _WHOLE,
    ),
    *(("weights", m.slug, m.name, tuple(_softmax_stage(m)), m.explain, m.see) for m in SOFTMAX_MISTAKES),
    (
        "output",
        "values-first",
        "V @ weights",
        (lambda w, V: V @ w,),
        "Rows of weights belong to queries; each mixes the rows of V. Which one comes first in the product?",
        "lesson 05, The output",
    ),
    (
        "output",
        "transposed-weights",
        "the weights were transposed",
        (lambda w, V: _swap(w) @ V, lambda w, V: w.T @ V),
        "Each row of the output should mix the values in the shares of that *row* of the weights.",
        "lesson 05, The output",
    ),
    (
        "output",
        "summed-over-positions",
        "the outputs of all positions were added up or averaged",
        (
            lambda w, V: (w @ V).sum(axis=-2),
            lambda w, V: (w @ V).sum(axis=0),
            lambda w, V: (w @ V).mean(axis=-2),
        ),
        "One vector is left of the whole sentence. Each query needs its own row.",
        "lesson 05, The output",
    ),
    (
        "output",
        "elementwise-values",
        "weights * V",
        (lambda w, V: w * V,),
        "* multiplies entry by entry; mixing rows is a matrix product.",
        "lesson 05, The output",
    ),
    (
        "result",
        "results-swapped",
        "the results are in the other order",
        (lambda o, w: (w, o),),
        "The order is (output, weights).",
        _WHOLE,
    ),
    (
        "result",
        "only-output",
        "only the output is returned",
        (lambda o, w: o,),
        "Return both: output, weights.",
        _WHOLE,
    ),
    (
        "result",
        "only-weights",
        "only the weights are returned",
        (lambda o, w: w,),
        "Return both: output, weights.",
        _WHOLE,
    ),
)


def _scaled_last(Q, K, V, mask=None):
    weights = attn.softmax(_hide(_scores(Q, K), mask)) / np.sqrt(Q.shape[-1])
    return weights @ V, weights


def _keys_mixed(Q, K, V, mask=None):
    weights = attn.scaled_dot_product_attention(Q, K, V, mask)[1]
    return weights @ K, weights


def _unshared(scores):
    """Attention that hands back scores where the weights belong."""
    return lambda Q, K, V, mask=None: (_attention(Q, K, V, mask)[0], scores(Q, K, mask))


def _scores_mixed(hide):
    def attention(Q, K, V, mask=None):
        scaled = _scaled_scores(Q, K)
        return (_hide(scaled, mask) if hide else scaled) @ V, _attention(Q, K, V, mask)[1]

    return attention


def _scaled_only(with_mask):
    """Attention whose division by √d_k stands in one branch of the test for a mask."""

    def attention(Q, K, V, mask=None):
        scale = None if (mask is not None) == with_mask else 1.0
        return attn.scaled_dot_product_attention(Q, K, V, mask, scale=scale)

    return attention


def _test_turned_round(Q, K, V, mask=None):
    weights = attn.softmax(_scaled_scores(Q, K))
    weights = np.zeros_like(weights) if mask is None else weights
    return weights @ V, weights


# Slips that no single stage shows.
_ACROSS = (
    Mistake(
        "scores-mixed",
        "the scores are mixed, not the weights",
        (_scores_mixed(False), _scores_mixed(True)),
        "The values are mixed in the *shares*, what comes out of softmax.",
        "lesson 05, The output",
    ),
    Mistake(
        "scaled-in-one-branch",
        "divided by √d_k only with a mask, or only without",
        (_scaled_only(True), _scaled_only(False)),
        "With and without a mask the scores need dividing. Is that line indented too far?",
        _WHOLE,
    ),
    Mistake(
        "test-turned-round",
        "the test for a mask is turned round",
        (_test_turned_round,),
        "A mask is applied where there is none, and left out where there is one: `is not None`.",
        _WHOLE,
    ),
    Mistake(
        "scaled-after-softmax",
        "softmax first, scaling after",
        (_scaled_last,),
        "Divide the *scores* by √d_k. After softmax it only makes the rows sum to less than 1.",
        "lesson 02, Dividing by √d_k",
    ),
    Mistake(
        "keys-mixed",
        "the keys are mixed, not the values",
        (_keys_mixed,),
        "Keys only decide the shares. What is mixed in these shares are the values, V.",
        "lesson 05, The output",
    ),
    Mistake(
        "scores-for-weights",
        "scores are returned in place of weights",
        (
            _unshared(lambda Q, K, mask: _scores(Q, K)),
            _unshared(lambda Q, K, mask: _scaled_scores(Q, K)),
            _unshared(lambda Q, K, mask: _hide(_scaled_scores(Q, K), mask)),
        ),
        "The output is right. The second result should be what came out of softmax: rows that sum to 1.",
        _WHOLE,
    ),
)
ATTENTION_MISTAKES = (
    tuple(
        Mistake(slug, name, tuple(_pipeline(**{stage: way}) for way in ways), explain, see)
        for stage, slug, name, ways, explain, see in _SLIPS
    )
    + _ACROSS
)


def _attention_pairs():
    """Two slips in two different stages, named after the one that comes first."""
    for i, (stage, slug, name, ways, explain, see) in enumerate(_SLIPS):
        for other, other_slug, other_name, other_ways, _, _ in _SLIPS[i + 1 :]:
            if stage != other:
                both = tuple(
                    _pipeline(**{stage: way, other: way2}) for way in ways[:2] for way2 in other_ways[:2]
                )
                yield Mistake(
                    slug,
                    f"two slips, {name}, and {other_name}",
                    both,
                    f"Mend this one first: {explain}",
                    see,
                    (other_slug,),
                )


def _attention(Q, K, V, mask=None):
    return attn.scaled_dot_product_attention(Q, K, V, mask)


_ATTENTION_CASES = (
    (
        np.array([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]]),
        np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
    ),
    (
        np.array([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]]),
        np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
        np.array([[True, False], [True, True]]),
    ),
    (
        _draw(40, 3, 2),
        _draw(41, 3, 2),
        _draw(42, 3, 3),
        np.array([[True, False, True], [True, True, False], [False, True, True]]),
    ),
    (0.123 * _draw(43, 2, 5), _draw(44, 4, 5), _draw(45, 4, 3), _HALF),
    (100 * _draw(58, 3, 4), 100 * _draw(59, 2, 4), _draw(60, 2, 3), None),
    (_draw(46, 2, 3), _draw(47, 4, 3), _draw(48, 4, 2), np.array([[False] * 4, [True, False, True, True]])),
    (_draw(61, 1, 2), _draw(62, 2, 2), _draw(63, 2, 2), np.array([[False, False]])),
    (
        np.array([[1e5, 0.0]]),
        np.array([[-1e5, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0]]),
        np.array([[True, False]]),
    ),
    (
        np.array([[40.0, 0.0], [1.0, 1.0]]),
        np.array([[0.0, 1.0], [40.0, 0.0]]),
        np.array([[1.0, 2.0, 0.0], [3.0, 5.0, 1.0]]),
        np.array([[True, False], [True, True]]),
    ),
    (_draw(64, 3, 2), _draw(65, 4, 2), _draw(66, 4, 2), np.array([[True, False, True, True]])),
    (_draw(49, 2, 3, 4), _draw(50, 2, 3, 4), _draw(51, 2, 3, 2), _TRI3),
    (
        _draw(67, 2, 3, 4),
        _draw(68, 2, 3, 4),
        _draw(69, 2, 3, 2),
        np.array([[[True, True, False]], [[False, False, False]]]),
    ),
    (_draw(96, 2, 2, 2) * [[[100.0]], [[-100.0]]], 30 * _draw(97, 2, 2, 2), _draw(98, 2, 2, 2), None),
    (_draw(52, 3, 3, 3), _draw(53, 3, 3, 3), _draw(54, 3, 3, 3), None),
    (_draw(55, 2, 3, 2, 4), _draw(56, 2, 3, 5, 4), _draw(57, 2, 3, 5, 3), None),
)


def _self_attention(X, W_Q, W_K, W_V):
    return attn.self_attention(X, W_Q, W_K, W_V)


_NEEDS_MASK = {
    "scaled-in-one-branch",
    "test-turned-round",
    "queries-and-keys-swapped",
    "mask-ignored",
    "inverted-mask",
    "mask-after-softmax",
    "shared-twice",
    "own-causal-mask",
    "zero-times-inf",
    "multiplied-by-zero",
    "mask-added",
    "finite-mask-value",
    "fully-masked-nan",
    "transposed-mask",
}
SELF_MISTAKES = (
    Mistake(
        "not-projected",
        "X is used without its projections",
        (lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(X, X, X),),
        "Q, K and V are X seen through three matrices.",
        "lesson 01, Three projections",
    ),
    Mistake(
        "projections-mixed-up",
        "the projections are mixed up",
        (
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_K, W_Q, W_V),
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_Q, W_V, W_K),
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_V, W_K, W_Q),
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_K, W_V, W_Q),
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_V, W_Q, W_K),
        ),
        "Queries come from W_Q, keys from W_K, values from W_V.",
        "lesson 01, Three projections",
    ),
    Mistake(
        "projections-transposed",
        "the projections lie on their side",
        (
            lambda X, W_Q, W_K, W_V: attn.self_attention(X, _swap(W_Q), _swap(W_K), _swap(W_V)),
            lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(W_Q @ X, W_K @ X, W_V @ X),
            lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(
                _swap(W_Q @ _swap(X)), _swap(W_K @ _swap(X)), _swap(W_V @ _swap(X))
            ),
        ),
        "Tokens are rows here, so a projection is X·W, with W of shape (d_model, d_k).",
        "lesson 01, Two ways to write a projection",
    ),
    Mistake(
        "elementwise-projection",
        "* in place of @",
        (lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(X * W_Q, X * W_K, X * W_V),),
        "A projection is a matrix product: each entry of a query takes a little of *all* features of its token.",
        "lesson 01, Three projections",
    ),
    Mistake(
        "divided-by-root-of-d-model",
        "divided by √d_model",
        (
            lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(
                X @ W_Q, X @ W_K, X @ W_V, scale=X.shape[-1] ** -0.5
            ),
        ),
        "A score adds up d_k products, the width of a query. d_model is the width of X.",
        "lesson 02, Dividing by √d_k",
    ),
    Mistake(
        "causal-unasked",
        "a causal mask that nobody asked for",
        (lambda X, W_Q, W_K, W_V: attn.self_attention(X, W_Q, W_K, W_V, attn.causal_mask(X.shape[-2])),),
        "This function takes no mask: every token may look at every token.",
        "lesson 05, From embeddings to outputs",
    ),
    Mistake(
        "values-not-projected",
        "the values are not projected",
        (lambda X, W_Q, W_K, W_V: attn.scaled_dot_product_attention(X @ W_Q, X @ W_K, X),),
        "V = X·W_V: the values have a projection of their own.",
        _WHOLE,
    ),
    *(
        m._replace(
            imitate=tuple(lambda X, W_Q, W_K, W_V, f=f: f(X @ W_Q, X @ W_K, X @ W_V) for f in m.imitate)
        )
        for m in ATTENTION_MISTAKES
        if m.slug not in _NEEDS_MASK
    ),
)


# ---------------------------------------------------------------------------
# Small exercises of lessons 00 and 06
# ---------------------------------------------------------------------------


def _weighted_mean(weights, values):
    return weights @ values


def _whole_numbers(weights, values):
    """The mean added up in an array of the values' own dtype, which may be int."""
    total = np.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        total[:] = total + weight * value
    return total


MEAN_MISTAKES = (
    Mistake(
        "first-row-only",
        "only the first row is in it",
        (lambda weights, values: weights[0] * values[0],),
        "The loop ended after its first round. Is return indented too far?",
        "lesson 00, The one formula",
    ),
    Mistake(
        "rounded-to-whole",
        "something is rounded to a whole number",
        (
            _whole_numbers,
            lambda weights, values: np.trunc(weights @ values),
            lambda weights, values: np.round(weights @ values),
        ),
        "An array made with dtype=int, or with zeros_like of whole numbers, cuts the decimals off. np.zeros with a shape makes one that holds any number.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "plain-mean",
        "all rows count the same",
        (lambda weights, values: values.mean(axis=0),),
        "This is the plain mean: the weights have no effect.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "not-summed",
        "weighted, but not added up",
        (lambda weights, values: weights[:, None] * values,),
        "Each row has its weight. Now add the rows.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "summed-along-rows",
        "added along the wrong axis",
        (lambda weights, values: (weights[:, None] * values).sum(axis=1),),
        "You added the entries *within* each row. Add the rows to one another.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "divided-again",
        "divided by the number of rows",
        (
            lambda weights, values: weights @ values / len(weights),
            lambda weights, values: np.mean(weights * values, axis=0),
        ),
        "The weights sum to 1 already: nothing is left to divide by.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "columns-weighted",
        "the weights meet the columns",
        (
            lambda weights, values: values @ weights,
            lambda weights, values: (weights * values).sum(axis=0),
            lambda weights, values: (weights * values).sum(axis=1),
        ),
        "There is one weight for each *row* of values, but your product pairs the weights with the entries of a row.",
        "lesson 00, The one formula",
    ),
    Mistake(
        "unweighted-sum",
        "a sum without the weights",
        (lambda weights, values: values.sum(axis=0),),
        "The weights have no effect.",
        "lesson 00, The one formula",
    ),
)


def _most_attended(weights, tokens):
    return [tokens[j] for j in np.argmax(weights, axis=-1)]


_READ = "lesson 06, How to read a heatmap"
MOST_MISTAKES = (
    Mistake(
        "columns-read",
        "columns are read in place of rows",
        (lambda weights, tokens: [tokens[i] for i in weights.argmax(axis=0)],),
        "For each *key* you found who looks at it most. A query is a row: go along it.",
        _READ,
    ),
    Mistake(
        "least-attended",
        "the smallest weight",
        (lambda weights, tokens: [tokens[j] for j in weights.argmin(axis=-1)],),
        "You found the key that each query looks at *least*.",
        _READ,
    ),
    Mistake(
        "first-row-only",
        "only the first row is read",
        (
            lambda weights, tokens: tokens[weights[0].argmax()],
            lambda weights, tokens: [tokens[weights[0].argmax()]],
        ),
        "One answer came back, the first row's. Does return stand inside the loop?",
        _READ,
    ),
    Mistake(
        "whole-array",
        "one maximum for the whole picture",
        (
            lambda weights, tokens: tokens[weights.argmax() % len(tokens)],
            lambda weights, tokens: [tokens[weights.argmax() % len(tokens)]],
        ),
        "One answer came back; there should be one for each row.",
        _READ,
    ),
    Mistake(
        "letters",
        "the tokens fell apart into letters",
        (lambda weights, tokens: [c for j in weights.argmax(axis=-1) for c in tokens[j]],),
        "Adding a word to a list with += adds its letters one by one. append adds the word.",
        _READ,
    ),
    Mistake(
        "threshold",
        "every weight above a threshold counts",
        tuple(
            lambda weights, tokens, t=t: [tokens[j] for row in weights for j, w in enumerate(row) if w >= t]
            for t in (0.3, 0.4, 0.5)
        ),
        "A row may have no weight above your number, or several. Find the *largest* of each row, however small.",
        _READ,
    ),
    Mistake(
        "indices",
        "positions in place of tokens",
        (lambda weights, tokens: weights.argmax(axis=-1),),
        "These are column numbers. Which tokens stand there?",
        _READ,
    ),
    Mistake(
        "largest-weights",
        "weights in place of tokens",
        (lambda weights, tokens: weights.max(axis=-1),),
        "These are the largest weights. *Where* in the row are they?",
        _READ,
    ),
)

_W3 = np.array([[0.1, 0.7, 0.2], [0.2, 0.3, 0.5], [0.3, 0.6, 0.1]])

# ---------------------------------------------------------------------------
# Heads, the backward pass, long sequences (lessons 07, 08 and 10)
# ---------------------------------------------------------------------------

_HEADS, _BACKWARD, _LONG = "lesson 07 (several heads)", "lesson 08 (learning)", "lesson 10 (long sequences)"


def _split_heads(X, n_heads):
    return X.reshape(len(X), n_heads, -1).swapaxes(0, 1)


SPLIT_MISTAKES = (
    Mistake(
        "reshape-without-transpose",
        "reshaped without a transpose",
        (lambda X, n_heads: X.reshape(n_heads, len(X), -1),),
        "The shape is right, but each head got whole *tokens*, cut up, in place of its share of every token's features.",
        _HEADS,
    ),
    Mistake(
        "not-transposed",
        "heads and tokens are in the other order",
        (lambda X, n_heads: X.reshape(len(X), n_heads, -1),),
        "Your first axis counts tokens. The heads come first, so that each is a matrix of its own.",
        _HEADS,
    ),
    Mistake(
        "strided-split",
        "every n-th feature in place of a block",
        (lambda X, n_heads: X.reshape(len(X), -1, n_heads).transpose(2, 0, 1),),
        "Your heads take turns feature by feature. The first head has the first d_head columns.",
        _HEADS,
    ),
    Mistake(
        "features-first",
        "each head is turned on its side",
        (lambda X, n_heads: _swap(_split_heads(X, n_heads)),),
        "Within a head, rows are tokens and columns are features.",
        _HEADS,
    ),
    Mistake(
        "not-split",
        "all heads got everything",
        (lambda X, n_heads: np.stack([X] * n_heads),),
        "Each head should see its share of the columns, d_model / n_heads of them.",
        _HEADS,
    ),
)


def _merge(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def _multi_head_with(split=_split_heads, scale=None, merge=_merge, project=lambda X, W: X @ W):
    """Multi-head attention with some parts replaced."""

    def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
        Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
        factor = None if scale is None else scale(X, n_heads)
        return project(merge(attn.scaled_dot_product_attention(Q, K, V, scale=factor)[0]), W_O)

    return multi_head


def _multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
    return _multi_head_with()(X, W_Q, W_K, W_V, W_O, n_heads)


MULTI_HEAD_MISTAKES = (
    Mistake(
        "reshape-without-transpose",
        "reshaped without a transpose",
        (
            _multi_head_with(split=lambda X, h: X.reshape(h, len(X), -1)),
            _multi_head_with(merge=lambda Y: Y.reshape(Y.shape[1], -1)),
            _multi_head_with(
                split=lambda X, h: X.reshape(h, len(X), -1), merge=lambda Y: Y.reshape(Y.shape[1], -1)
            ),
        ),
        "Splitting or joining the heads mixes up tokens: reshape alone does not move axes.",
        _HEADS,
    ),
    Mistake(
        "scaled-by-d-model",
        "scaled by √d_model",
        (_multi_head_with(scale=lambda X, h: X.shape[-1] ** -0.5),),
        "Each head's dot products have d_model / n_heads terms, not d_model.",
        _HEADS,
    ),
    Mistake(
        "not-scaled",
        "the scores are not scaled",
        (_multi_head_with(scale=lambda X, h: 1.0),),
        "Divide by √d_head.",
        _HEADS,
    ),
    Mistake(
        "one-head",
        "n_heads has no effect",
        (lambda X, W_Q, W_K, W_V, W_O, n_heads: attn.self_attention(X, W_Q, W_K, W_V)[0] @ W_O,),
        "This is one wide head. Split the features among the heads before attending.",
        _HEADS,
    ),
    Mistake(
        "no-output-projection",
        "W_O is missing",
        (_multi_head_with(project=lambda X, W: X),),
        "The joined heads pass through one more matrix, W_O.",
        _HEADS,
    ),
    Mistake(
        "heads-added",
        "the heads were added up",
        (
            _multi_head_with(merge=lambda Y: np.tile(Y.sum(axis=0), (1, len(Y)))),
            _multi_head_with(merge=lambda Y: np.tile(Y.mean(axis=0), (1, len(Y)))),
        ),
        "Heads stand side by side (concatenated), each keeps its columns.",
        _HEADS,
    ),
    Mistake(
        "output-projection-transposed",
        "W_O was transposed",
        (_multi_head_with(project=lambda X, W: X @ W.T),),
        "Rows are tokens: joined heads · W_O.",
        _HEADS,
    ),
)


def _softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


BACKWARD_MISTAKES = (
    Mistake(
        "elementwise-jacobian",
        "the Jacobian is taken as elementwise",
        (lambda weights, d_weights: weights * (1 - weights) * d_weights,),
        "p(1 − p) is only its diagonal. Raising one score also lowers all *other* shares.",
        _BACKWARD,
    ),
    Mistake(
        "no-sum",
        "the sum over the row is missing",
        (lambda weights, d_weights: weights * d_weights,),
        "What one key gains the others lose: each row of the result sums to 0.",
        _BACKWARD,
    ),
    Mistake(
        "wrong-axis",
        "summed over the queries",
        (
            lambda weights, d_weights: (
                weights * (d_weights - (weights * d_weights).sum(axis=-2, keepdims=True))
            ),
            lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum(axis=0)),
        ),
        "Softmax ran along rows, so its gradient does too.",
        _BACKWARD,
    ),
    Mistake(
        "whole-array",
        "summed over the whole array",
        (lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum()),),
        "Each row has its own softmax, and its own sum.",
        _BACKWARD,
    ),
    Mistake(
        "missing-keepdims",
        "the sum or maximum lost its axis (keepdims)",
        (lambda weights, d_weights: weights * (d_weights - (weights * d_weights).sum(axis=-1)),),
        "Without keepdims the sums are laid along the columns.",
        _BACKWARD,
    ),
    Mistake(
        "unweighted-sum",
        "the sum is not weighted",
        (
            lambda weights, d_weights: weights * (d_weights - d_weights.sum(axis=-1, keepdims=True)),
            lambda weights, d_weights: weights * (d_weights - d_weights.mean(axis=-1, keepdims=True)),
        ),
        "The sum runs over weights · d_weights.",
        _BACKWARD,
    ),
    Mistake(
        "weights-missing",
        "not multiplied by the weights",
        (lambda weights, d_weights: d_weights - (weights * d_weights).sum(axis=-1, keepdims=True),),
        "A key with no share answers to no nudge: the weights are a factor of the whole.",
        _BACKWARD,
    ),
    Mistake(
        "sign",
        "the sign is turned round",
        (
            lambda weights, d_weights: -_softmax_backward(weights, d_weights),
            lambda weights, d_weights: (
                weights * (d_weights + (weights * d_weights).sum(axis=-1, keepdims=True))
            ),
        ),
        "Raising a score raises its own share.",
        _BACKWARD,
    ),
)


def _online_softmax(chunks):
    return attn.softmax(np.concatenate([np.asarray(c, dtype=float) for c in chunks]))


def _not_rescaled(chunks):
    largest, total = -np.inf, 0.0
    for chunk in chunks:
        largest = max(largest, chunk.max())
        total += np.exp(chunk - largest).sum()
    return np.exp(np.concatenate(chunks) - largest) / total


def _shifted_by(pick):
    def online(chunks):
        x = np.concatenate(chunks)
        powers = np.exp(x - pick(chunks))
        return powers / powers.sum()

    return online


def _own_maxima(chunks):
    powers = np.concatenate([np.exp(c - c.max()) for c in chunks])
    return powers / powers.sum()


ONLINE_MISTAKES = (
    Mistake(
        "not-rescaled",
        "the sum is not rescaled when the maximum moves",
        (_not_rescaled,),
        "The sum so far was taken relative to the *old* maximum. When a larger score comes along, what factor brings it up to date?",
        _LONG,
    ),
    Mistake(
        "softmax-per-chunk",
        "each chunk has a softmax of its own",
        (
            lambda chunks: np.concatenate([attn.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([attn.softmax(c) for c in chunks]) / len(chunks),
        ),
        "All chunks together share one whole 1.",
        _LONG,
    ),
    Mistake(
        "no-max-subtraction",
        "the largest score is not subtracted",
        (_shifted_by(lambda chunks: 0.0),),
        "exp overflows for large scores.",
        _LONG,
    ),
    Mistake(
        "first-maximum",
        "only the first chunk's maximum counts",
        (_shifted_by(lambda chunks: chunks[0].max()),),
        "A later chunk may hold a much larger score.",
        _LONG,
    ),
    Mistake(
        "last-maximum",
        "only the last chunk's maximum counts",
        (_shifted_by(lambda chunks: chunks[-1].max()),),
        "An earlier chunk may hold a much larger score.",
        _LONG,
    ),
    Mistake(
        "chunk-maxima",
        "each chunk keeps its own maximum",
        (_own_maxima,),
        "Powers relative to different maxima cannot be added.",
        _LONG,
    ),
    Mistake(
        "last-chunk",
        "only the last chunk came back",
        (
            lambda chunks: attn.softmax(np.concatenate(chunks))[-len(chunks[-1]) :],
            lambda chunks: attn.softmax(chunks[-1]),
        ),
        "The result has an entry for every score of every chunk.",
        _LONG,
    ),
)

# ---------------------------------------------------------------------------
# The checkers
# ---------------------------------------------------------------------------

EXERCISES = {
    "scores": Exercise(
        "scores",
        _scores,
        _SCORE_CASES,
        SCORE_MISTAKES
        + (
            SCALE_MISTAKES[0]._replace(
                slug="scaled-too-early",
                name="the scores are scaled already",
                imitate=(_scaled_scores,),
                explain="This function stops at QKᵀ. The division comes one lesson later.",
                see="lesson 01, All scores at once: QKᵀ",
            ),
        ),
        ("scores",),
        see="lesson 01, All scores at once: QKᵀ",
    ),
    "scaled_scores": Exercise(
        "scaled_scores",
        _scaled_scores,
        _SCORE_CASES,
        SCALE_MISTAKES + tuple(map(_also_scaled, SCORE_MISTAKES)),
        ("scaled scores",),
        see=_SCALE,
        pairs=_score_pairs,
    ),
    "causal_mask": Exercise(
        "causal_mask",
        _causal_mask,
        ((3,), (2,), (1,), (5,), (12,)),
        CAUSAL_MISTAKES,
        ("mask",),
        kind="b",
        see=_TRIANGLE,
    ),
    "apply_mask": Exercise(
        "apply_mask",
        _apply_mask,
        _APPLY_CASES,
        APPLY_MISTAKES,
        ("scores",),
        see="lesson 03, Masking before softmax",
        diagnose=(_finite_mask,),
    ),
    "padding_mask": Exercise(
        "padding_mask",
        _padding_mask,
        (([1, 3], 3), ([2, 0, 4], 4), ([5], 5), ([1, 2], 4)),
        PADDING_MISTAKES,
        ("mask",),
        kind="b",
        see=_PADDING,
    ),
    "softmax": Exercise(
        "softmax",
        _softmax,
        _SOFTMAX_CASES,
        (*SOFTMAX_MISTAKES, _CUT_SHARES),
        ("softmax",),
        see="lesson 04, From scores to shares",
        see_nan=_OVERFLOW,
    ),
    "temperature_softmax": Exercise(
        "temperature_softmax",
        _temperature_softmax,
        tuple(
            (c[0], t)
            for c, t in zip(
                _SOFTMAX_CASES,
                (2.0, 0.5, 4.0, 3.0, 0.5, 2.0, 1.0, 0.5, 1.0, 2.0, 1000.0, 0.1, 0.5),
                strict=True,
            )
        ),
        TEMPERATURE_MISTAKES,
        ("softmax",),
        see="lesson 04, Temperature",
        see_nan=_OVERFLOW,
    ),
    "attention": Exercise(
        "attention",
        _attention,
        _ATTENTION_CASES,
        ATTENTION_MISTAKES,
        ("output", "weights"),
        see=_WHOLE,
        pairs=_attention_pairs,
    ),
    "self_attention": Exercise(
        "self_attention",
        _self_attention,
        (
            (_draw(70, 2, 3), _draw(71, 3, 2), _draw(72, 3, 2), _draw(73, 3, 2)),
            (0.123 * _draw(74, 4, 3), _draw(75, 3, 2), _draw(76, 3, 2), _draw(77, 3, 5)),
            (_draw(78, 2, 3, 4), _draw(79, 4, 4), _draw(80, 4, 4), _draw(81, 4, 4)),
            (_draw(84, 3, 3, 3), _draw(85, 3, 3), _draw(86, 3, 3), _draw(87, 3, 3)),
            (_draw(88, 2, 3, 3, 4), _draw(89, 4, 3), _draw(90, 4, 3), _draw(91, 4, 2)),
            (_draw(82, 1, 3), _draw(83, 3, 2), _draw(84, 3, 2), _draw(85, 3, 2)),
            (30 * _draw(99, 2, 3, 2), _draw(93, 2, 2), _draw(94, 2, 2), _draw(95, 2, 3)),
            (30 * _draw(92, 3, 2), _draw(93, 2, 2), _draw(94, 2, 2), _draw(95, 2, 3)),
        ),
        SELF_MISTAKES,
        ("output", "weights"),
        see=_WHOLE,
    ),
    "weighted_mean": Exercise(
        "weighted_mean",
        _weighted_mean,
        (
            (np.array([0.25, 0.75]), np.array([[4, 0], [2, 8]])),
            (np.array([0.5, 0.125, 0.375]), _draw(82, 3, 2)),
            (np.array([1.0, 0.0, 0.0]), _draw(83, 3, 3)),
            (np.array([0.0, 0.6, 0.4]), 0.123 * _draw(84, 3, 1)),
        ),
        MEAN_MISTAKES,
        ("mean",),
        see="lesson 00, The one formula",
    ),
    "split_heads": Exercise(
        "split_heads",
        _split_heads,
        ((_draw(100, 2, 4), 2), (_draw(101, 3, 6), 3), (_draw(102, 4, 4), 4), (_draw(103, 5, 6), 2)),
        SPLIT_MISTAKES,
        ("heads",),
        see=_HEADS,
    ),
    "multi_head": Exercise(
        "multi_head",
        _multi_head,
        tuple(
            (_draw(k, L, d), *(_draw(k + i, d, d) / 2 for i in range(1, 5)), h)
            for k, L, d, h in ((110, 2, 4, 2), (120, 3, 6, 3), (130, 5, 6, 2), (140, 3, 4, 1), (150, 4, 4, 4))
        ),
        MULTI_HEAD_MISTAKES,
        ("output",),
        see=_HEADS,
    ),
    "softmax_backward": Exercise(
        "softmax_backward",
        _softmax_backward,
        tuple(
            (attn.softmax(_draw(k, *shape)), _draw(k + 1, *shape))
            for k, shape in (
                (160, (2, 2)),
                (162, (2, 3)),
                (164, (3, 3)),
                (166, (2, 3, 4)),
                (168, (3, 3, 3)),
                (170, (5,)),
            )
        ),
        BACKWARD_MISTAKES,
        ("d_scores",),
        see=_BACKWARD,
    ),
    "online_softmax": Exercise(
        "online_softmax",
        _online_softmax,
        (
            ([np.array([0.0, 1.0]), np.array([2.0])],),
            ([np.array([3.0]), np.array([1.0, 2.0]), np.array([0.0])],),
            ([np.array([1000.0, 999.0]), np.array([1001.0, -1000.0])],),
            ([np.array([-1000.0]), np.array([1000.0, 0.0]), np.array([-1000.0])],),
            ([np.array([-1000.0]), np.array([1000.0])],),
            ([np.array([5.0])],),
        ),
        ONLINE_MISTAKES,
        ("softmax",),
        see=_LONG,
    ),
    "most_attended": Exercise(
        "most_attended",
        _most_attended,
        (
            (_W3, ["a", "b", "c"]),
            (np.array([[0.9, 0.1], [0.8, 0.2]]), ["old", "tea"]),
            (
                np.array([[0.3, 0.28, 0.22, 0.2], [0.33, 0.34, 0.2, 0.13], [0.2, 0.2, 0.25, 0.35]]),
                ["The", "chai", "is", "hot"],
            ),
            (np.array([[0.8, 0.15, 0.05], [0.2, 0.5, 0.3]]), ["the", "cat", "the"]),
            (np.eye(4)[[2, 0, 3, 0]], ["p", "q", "r", "s"]),
            (np.array([[0.6, 0.4, 0.0], [0.1, 0.1, 0.8], [0.3, 0.5, 0.2]]), ["u", "v", "w"]),
        ),
        MOST_MISTAKES,
        ("tokens",),
        see=_READ,
    ),
}


def scores(function):
    """Check `f(Q, K)` → QKᵀ, any leading axes. Returns Feedback."""
    return _check(EXERCISES["scores"], function)


def scaled_scores(function):
    """Check `f(Q, K)` → QKᵀ/√d_k, any leading axes. Returns Feedback."""
    return _check(EXERCISES["scaled_scores"], function)


def causal_mask(function):
    """Check `f(L)` → bool (L, L), True = may look. Returns Feedback."""
    return _check(EXERCISES["causal_mask"], function)


def apply_mask(function):
    """Check `f(scores, mask)` → scores with −inf where mask is False. Returns Feedback."""
    return _check(EXERCISES["apply_mask"], function)


def padding_mask(function):
    """Check `f(lengths, n_keys)` → bool (B, 1, n_keys), True = may look. Returns Feedback."""
    return _check(EXERCISES["padding_mask"], function)


def softmax(function):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return _check(EXERCISES["softmax"], function)


def temperature_softmax(function):
    """Check `f(x, temperature)` → softmax of x/temperature over the last axis. Returns Feedback."""
    return _check(EXERCISES["temperature_softmax"], function)


def attention(function):
    """Check `f(Q, K, V, mask=None)` → (output, weights). Returns Feedback."""
    return _check(EXERCISES["attention"], function)


def self_attention(function):
    """Check `f(X, W_Q, W_K, W_V)` → (output, weights). Returns Feedback."""
    return _check(EXERCISES["self_attention"], function)


def split_heads(function):
    """Check `f(X, n_heads)`, X (L, d_model) → (n_heads, L, d_head). Returns Feedback."""
    return _check(EXERCISES["split_heads"], function)


def multi_head(function):
    """Check `f(X, W_Q, W_K, W_V, W_O, n_heads)` → (L, d_model). Returns Feedback."""
    return _check(EXERCISES["multi_head"], function)


def softmax_backward(function):
    """Check `f(weights, d_weights)` → d_scores. Returns Feedback."""
    return _check(EXERCISES["softmax_backward"], function)


def online_softmax(function):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return _check(EXERCISES["online_softmax"], function)


def weighted_mean(function):
    """Check `f(weights, values)` → the mean of the rows of values, in shares given by weights. Returns Feedback."""
    return _check(EXERCISES["weighted_mean"], function)


def most_attended(function):
    """Check `f(weights, tokens)` → for each query the key with the largest weight. Returns Feedback."""
    return _check(EXERCISES["most_attended"], function)


# ---------------------------------------------------------------------------
# Questions: an answer is a letter, and each letter gets a reason
# ---------------------------------------------------------------------------


class Question(NamedTuple):
    """A question with options: option text and what to say to those who choose it."""

    text: str
    right: str
    options: dict  # letter -> (option, reason)
    see: str


QUESTIONS = {
    "00-row": Question(
        "A row of attention weights reads 0.1, 0.2, 0.7. Whose row is it, and what do the numbers say?",
        "c",
        {
            "a": (
                "It belongs to a key; the numbers say how many queries look at it.",
                "A key is a column. A column need not sum to 1, this row does.",
            ),
            "b": (
                "It belongs to a query; it looks at 0.7 tokens.",
                "It is a query's row. But 0.7 is a share: 70 % of its attention goes to the third token.",
            ),
            "c": (
                "It belongs to a query; the numbers are the shares of its attention, one for each key.",
                "Rows ask. The query shares out a whole 1 among the keys.",
            ),
        },
        "lesson 00, The one formula",
    ),
    "01-why-three-projections": Question(
        "Why does a token get a query and a key of its own, instead of comparing embeddings directly (X·Xᵀ)?",
        "b",
        {
            "a": (
                "Because X·Xᵀ has the wrong shape.",
                "Its shape is (L, L), just like QKᵀ. The trouble is in its numbers.",
            ),
            "b": (
                "So that what *hot* asks of *chai* can differ from what *chai* asks of *hot*, and can be learned.",
                "X·Xᵀ is its own mirror image and has nothing to learn. Two projections break the mirror.",
            ),
            "c": (
                "To make the dot products smaller.",
                "Projections change sizes only by accident. Size is the business of lesson 02.",
            ),
            "d": (
                "Because a dot product of a vector with itself is always 0.",
                "It is the sum of squares, never below 0; on the diagonal of X·Xᵀ it is usually the *largest* in its row.",
            ),
        },
        "lesson 01, Three projections",
    ),
    "02-why-the-root": Question(
        "Why √d_k, and not d_k?",
        "a",
        {
            "a": (
                "The variance of q·k is d_k, so its typical size is √d_k; dividing by it brings the size to 1.",
                "Variances add up, sizes are their roots.",
            ),
            "b": (
                "Dividing by d_k would make rows of weights sum to less than 1.",
                "Softmax makes every row sum to 1 whatever you divide by. Dividing by d_k makes the rows too *even*.",
            ),
            "c": (
                "Because the square root keeps negative scores negative.",
                "Dividing by any positive number keeps the sign, d_k included.",
            ),
            "d": (
                "Because Q and K each get √d_k, and together that is d_k.",
                "That would divide the product by d_k. Measure: the standard deviation would then be 1/√d_k, not 1.",
            ),
        },
        _SCALE,
    ),
    "03-mask-before-softmax": Question(
        "Somebody multiplies the weights by the 0/1 mask *after* softmax. What goes wrong?",
        "c",
        {
            "a": (
                "Nothing: blocked weights are 0 either way.",
                "They are, but look at what is left: it no longer sums to 1.",
            ),
            "b": (
                "Blocked keys still get a small share.",
                "Not here: multiplied by 0 they get nothing. It is the other shares that are wrong.",
            ),
            "c": (
                "Rows sum to less than 1, and by how much depends on scores that should not matter.",
                "Blocked keys took part in the sharing and kept their part of the whole 1. The future still leaks in, through the total.",
            ),
        },
        "lesson 03, Masking before softmax",
    ),
    "03-padding-which-axis": Question(
        "A sentence is padded with two [pad] tokens at the end. Which part of its mask must be False?",
        "b",
        {
            "a": (
                "The last two rows.",
                "That silences the queries of the padding. But the real tokens could still look *at* the padding.",
            ),
            "b": (
                "The last two columns.",
                "No query may look at padding: as keys they are hidden from all. What the padding's own rows compute, nobody reads.",
            ),
            "c": ("The lower right 2 × 2 corner.", "That only keeps padding from looking at padding."),
        },
        "lesson 03, Padding",
    ),
    "04-add-constant": Question(
        "You add 100 to every score of one row. What happens to its softmax?",
        "b",
        {
            "a": (
                "The largest share gets closer to 1.",
                "That happens when scores are *multiplied*. Adding keeps every difference.",
            ),
            "b": (
                "Nothing.",
                "Every power of e is multiplied by the same e¹⁰⁰, which cancels in the division. That is what makes subtracting the maximum safe.",
            ),
            "c": (
                "All shares grow, by the same factor.",
                "The powers do, and so does their sum. The shares still sum to 1.",
            ),
        },
        "lesson 04, From scores to shares",
    ),
    "04-temperature": Question(
        "The temperature goes towards 0. What becomes of a row with one largest score?",
        "a",
        {
            "a": (
                "The largest score takes everything.",
                "Dividing by a small number stretches the differences, and softmax looks at differences.",
            ),
            "b": ("All keys get the same share.", "That is the limit of a *high* temperature."),
            "c": ("All shares go to 0.", "They cannot: they sum to 1 at every temperature."),
        },
        "lesson 04, Temperature",
    ),
    "05-permute": Question(
        "You shuffle the tokens of a sentence, without a mask. What happens to the outputs of self-attention?",
        "c",
        {
            "a": (
                "Each token gets a different output, because its neighbours changed.",
                "No step knows who stands next to whom. Each query meets the same set of keys.",
            ),
            "b": (
                "Nothing: the output matrix is unchanged.",
                "Its rows belong to tokens, and the tokens moved.",
            ),
            "c": (
                "The rows are shuffled the same way, and are otherwise unchanged.",
                "Attention does not know about order (it is *permutation equivariant*). Position has to be put into the embeddings.",
            ),
        },
        "lesson 05, Attention knows no order",
    ),
    "05-no-parameters": Question(
        "What of scaled dot-product attention, the function of Q, K, V and mask, is learned in training?",
        "d",
        {
            "a": (
                "The weights, which is why they have that name.",
                "Attention weights are computed afresh from each sentence. The learned numbers are elsewhere.",
            ),
            "b": ("The divisor √d_k.", "It follows from the shape of Q."),
            "c": ("The mask.", "The mask is given: it says what may be looked at."),
            "d": (
                "Nothing. What is learned are the projections that make Q, K and V.",
                "The function has no parameters of its own. W_Q, W_K and W_V do all the learning.",
            ),
        },
        "lesson 05, Assemble",
    ),
    "06-random-weights": Question(
        "A tutorial draws random projections, and its heatmap shows *chai* and *hot* attending to each other. What follows about language?",
        "c",
        {
            "a": (
                "The model has found that the two words belong together.",
                "Nothing was trained. Another seed draws another picture.",
            ),
            "b": (
                "The embeddings of the two words are alike.",
                "Random embeddings are alike only by chance.",
            ),
            "c": (
                "Nothing.",
                "Random numbers make pictures too. Redraw with another seed before you read one.",
            ),
        },
        "lesson 06, Random weights mean nothing",
    ),
    "06-colour-scale": Question(
        "Two heatmaps look equally bright. The first has a colour bar from 0 to 1, the second from 0 to 0.1. What do you know?",
        "b",
        {
            "a": (
                "Both heads attend equally strongly.",
                "Only if the scales were the same. The same colour stands for ten times less in the second.",
            ),
            "b": (
                "The second one's weights are about a tenth of the first one's.",
                "Same colour, another scale. Read the bar first; compare on one fixed scale.",
            ),
            "c": ("The second one is sharper.", "Its largest weight is at most 0.1: it is the flatter one."),
        },
        "lesson 06, Colour scale traps",
    ),
}


class Shown(NamedTuple):
    """A question as it is displayed."""

    question: Question

    def __str__(self):
        options = (f"  {letter}) {option}" for letter, (option, _) in self.question.options.items())
        return "\n".join([self.question.text, *options]).replace("*", "")

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        items = "".join(
            f"<div><strong>{k})</strong> {_emphasis(option)}</div>"
            for k, (option, _) in self.question.options.items()
        )
        return {
            "text/html": f"<div><strong>{_emphasis(self.question.text)}</strong></div>{items}",
            "text/plain": str(self),
        }


def _emphasis(text):
    """HTML of a text in which *stars* mark emphasis."""
    parts = html.escape(text).split("*")
    return "".join(f"<em>{part}</em>" if i % 2 else part for i, part in enumerate(parts))


def question(slug):
    """Show a question and its options.

    Raises
    ------
    KeyError
        If there is no such question; the message lists those that there are.
    """
    if slug not in QUESTIONS:
        raise KeyError(f"no question {slug!r}; there are {', '.join(QUESTIONS)}")
    return Shown(QUESTIONS[slug])


def explain(slug, answer):
    """Check the letter chosen for a question; says why for each option. Returns Feedback."""
    asked = question(slug).question
    if answer is ... or answer is None:
        return _not_attempted("answer")
    letter = str(answer).strip().lower().strip("(). ")
    if letter not in asked.options:
        return _feedback(
            "error",
            "no-such-option",
            "answer: no such option.",
            [f"Got {answer!r}; choose one of {', '.join(asked.options)}, in quotes."],
        )
    reason = asked.options[letter][1].replace("*", "")
    if letter == asked.right:
        return _feedback("passed", None, f"answer {letter}: passed.", [reason])
    return _feedback(
        "incorrect", f"chose-{letter}", f"answer {letter}: not yet.", [reason, f"Look again at: {asked.see}"]
    )
