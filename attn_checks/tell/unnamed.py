"""What is true of wrong numbers that no named mistake explains.

`diagnose` asks, in this order: is the result of the right type and shape, is there a NaN, how are its numbers related
to the right ones, what can the exercise itself say, do rows sum to 1, and which inputs does the result depend on?
What is said of the answer holds on every input that can be compared; what is said of one cell or row holds on the
input shown. Where nothing specific is true, nothing is said: the message still shows the numbers.
"""

import time
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from attn_checks.errors.raised import source_of
from attn_checks.errors.shapes import typed_size
from attn_checks.run.compare import SMALLEST, are_shares, close, first_difference, same, which_matrix
from attn_checks.run.data import imitate
from attn_checks.tell.values import described, odd_part, ragged

SECONDS = 0.5  # for `sensitivity`, which says nothing when they are over
MOST_UNITS = 5  # rows or columns of one argument that are changed one by one
MOST_INPUTS = 2  # on which that is done
# of the numbers in softened inputs: no attention weight is so near 0 or 1 that it can't move
SIZES = (0.5, 0.25)
AXES = {1: ["entry"], 2: ["row", "column"], 3: ["matrix", "row", "column"], 4: ["row", "column"]}


class Tried(NamedTuple):
    """A wrong answer: its exercise, what calls the learner's function, and what it gave on each input."""

    exercise: object
    caller: object
    outcomes: list

    def sides(self):
        """The learner's outcomes, and the right ones."""
        return self.outcomes, self.exercise.wanted

    def comparable(self):
        """The inputs on which the results have the number and the shapes of the right ones."""
        both = enumerate(zip(*self.sides(), strict=False))
        shapes = lambda outcome: [array.shape for array in outcome.values or ()]  # noqa: E731
        return [i for i, (got, want) in both if shapes(want) == shapes(got)]

    def has_nan(self, i):
        """Whether there is a NaN on one input where the right answer has none."""
        nan = lambda outcome: any(v.dtype.kind == "f" and np.isnan(v).any() for v in outcome.values or ())  # noqa: E731
        return nan(self.outcomes[i]) and not nan(self.exercise.wanted[i])

    def pairs(self, number):
        """Right numbers, the learner's, and the arguments, for each input on which they can be compared."""
        for i in self.comparable():
            want, got = self.exercise.wanted[i].values[number], self.outcomes[i].values[number]
            if got.dtype.kind in "biuf" and not self.has_nan(i):
                yield want.astype(float), got.astype(float), self.exercise.cases[i]


def diagnose(exercise, caller, outcomes, wrong):
    """The input to show, the result to show (None: none), a short name or None, and what to say; `wrong` are inputs."""
    tried = Tried(exercise, caller, outcomes)
    at = input_to_show(tried, wrong)
    if found := result_shape(exercise, exercise.wanted[at], outcomes[at]):
        number, mistake, text = found
        more = mistake == "wrong-shape" and (fixed_shape(tried, number) or unused(tried, number))
        return at, number, mistake, sentences(text, more)
    number, beside = first_wrong_result(tried, at)
    if tried.has_nan(at):
        return at, number, "nan", sentences(beside, own_words(tried, at), where_nan(tried, at))
    if related := relation(tried, at, number):
        mistake = "rounded" if related.endswith("Round when you print.") else None
        return at, number, mistake, sentences(beside, related, unused(tried, number), where_nan(tried, at))
    own, follows = own_words(tried, at), unused(tried, number)
    if not own:
        own = rows_that_sum(tried, at, number)
        at, follows = (at, follows) if follows else sensitivity(tried, number, at, [] if own else wrong)
    return at, number, None, sentences(beside, own, follows, where_nan(tried, at))


def sentences(*texts):
    return " ".join(filter(None, texts))


def input_to_show(tried, wrong):
    """The first wrong input with a result; one without NaN where most have none."""
    given = [i for i in wrong if tried.outcomes[i].raised is None]
    plain = [i for i in given if tried.outcomes[i].values and not tried.has_nan(i)]
    return plain[0] if 2 * len(plain) > len(wrong) else given[0]


def first_wrong_result(tried, at):
    """The result to show, weights before the output that is made of them; and what to say of the others."""
    exercise, want, got = tried.exercise, tried.exercise.wanted[at], tried.outcomes[at]
    number = first_difference(want, got, exercise.exact)
    if len(exercise.results) == 1:
        return number, ""
    mine, right = ([side[i].values for i in tried.comparable()] for side in tried.sides())
    if exercise.mix and not same(got.values[1:], want.values[1:]):
        made = [exercise.mix(exercise.cases[i], tried.outcomes[i].values[1]) for i in tried.comparable()]
        mixed = all(same(values[:1], (output,)) for values, output in zip(mine, made, strict=True))
        text = "Your output is your weights times the values, so look at the weights."
        return 1, text if mixed else "Look at the weights first."
    both = list(zip(mine, right, strict=True))
    fine = [name for n, name in enumerate(exercise.results) if all(same((m[n],), (r[n],)) for m, r in both)]
    if not fine:
        return number, f"Look at {exercise.results[number]} first."
    wrong = [name for name in exercise.results if name not in fine]
    return number, f"Right: {name_list(fine)}. Wrong: {name_list(wrong)}."


def where_nan(tried, at):
    """On how many inputs a NaN comes out; and the learner's line in which NumPy warns, if the input shown has one."""
    nan = [tried.has_nan(i) for i in range(len(tried.outcomes))]
    wanted = [v for outcome in tried.exercise.wanted for v in outcome.values if v.dtype.kind == "f"]
    if not any(nan) or any(np.isnan(v).any() for v in wanted):
        return ""
    text = f"There is a NaN (not a number) in your result on {sum(nan)} of {len(nan)} inputs."
    if not nan[at] or not tried.outcomes[at].warned:
        return text
    words, line = tried.outcomes[at].warned
    return f"{text} NumPy first warns in your line {line}: {words.removeprefix('RuntimeWarning: ')}."


def own_words(tried, at):
    """What only this exercise can say, by asking the learner's function on other inputs; or ""."""
    exercise = tried.exercise

    def ask(*case):
        values = tried.caller.outcome(case).values
        fine = values and all(part.dtype.kind in "fiub" for part in values)
        return exactly(values) if fine else None

    given = exercise.cases[at], *map(exactly, (exercise.wanted[at].values, tried.outcomes[at].values))
    return exercise.own(ask, *given) if exercise.own else ""


def exactly(values):
    """Arrays with all numbers in double precision: NumPy's linear algebra takes no others."""
    return tuple(part.astype(float) if part.dtype.kind in "fiu" else part for part in values)


# ------------------------------------------------------------------------ Type and shape of the result


def result_shape(exercise, want, got):
    """Of a result that can't be compared cell by cell: which to show (None: none), a short name, and what to say."""
    raw, values, text = got.raw, got.values, want.values[0].dtype.kind == "U"
    if raw is None:
        told = "On this input you return None. Does an if or a loop keep it from reaching its return?"
        return None, "returns-nothing", told
    if values is None and (parts := ragged(raw)):
        return None, "ragged", parts
    if values is None or isinstance(raw, str) or (not text and any(g.dtype.kind == "U" for g in values)):
        return None, "not-numbers", not_numbers(exercise, want, raw)
    names = name_list(exercise.results)
    if len(values) != len(want.values):
        results = "1 result" if len(values) == 1 else f"{len(values)} results"
        text = f"You return {results}, but the exercise asks for {len(want.values)}: {names}."
        return None, "wrong-number-of-results", text
    if text and any(g.dtype.kind != "U" for g in values):
        return None, "not-text", "Expected the tokens themselves, as text."
    if order := order_of_results(exercise, want, got):
        text = f"On this input all are right, but you return {order} instead of {names}."
        return 0, "other-order-of-results", text
    for number, (w, g) in enumerate(zip(want.values, values, strict=True)):
        if w.shape != g.shape:
            of = f" of {exercise.results[number]}" if len(values) > 1 else ""
            asked = f"The shape{of} should be {w.shape}." if w.shape else ""
            part = raw[number] if type(raw) is tuple else raw
            return number, "wrong-shape", sentences(asked, other_shape(w, g, type(part) is tuple))
        if g.dtype.kind == "c":
            told = "Your numbers are complex, with a part in j. Did you take the root of a negative number?"
            return number, None, told
        if g.dtype == bool != w.dtype:
            return (
                number,
                "not-numbers",
                "Expected numbers, got truth values (True or False), as a comparison gives.",
            )
    if exercise.exact and values[0].dtype != bool:
        return 0, "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def order_of_results(exercise, want, got):
    """The right results in the order in which they came, where that is another one; or ""."""
    right = dict(zip(exercise.results, want.values, strict=True))
    names = [next((name for name in right if same((mine,), (right[name],))), "") for mine in got.values]
    is_other = names != list(exercise.results) and sorted(names) == sorted(exercise.results)
    return name_list(names) if is_other else ""


def other_shape(want, got, is_tuple):
    """What is true of a result that has a different shape from the right one."""
    if not want.ndim:
        return "Return one number, not several."
    if not got.ndim and want.size > 1:
        return "Yours is a single value. Did you sum everything, or return inside a loop?"
    if is_tuple and got.shape == (2, *want.shape) and close(got[0], want).all():
        return "Entry 0 of yours is right, so it looks like a pair. Attention, for example, returns two arrays: give each a name."
    if got.ndim != want.ndim:
        right = got.size == want.size and close(got.ravel(), want.ravel()).all()
        axes = "1 axis" if got.ndim == 1 else f"{got.ndim} axes"
        return f"Yours has {axes} instead of {want.ndim}.{' Its entries are right.' if right else ''}"
    if sorted(got.shape) == sorted(want.shape):
        return "The lengths are right, but in a different order. Is it transposed, or the wrong quantity?"
    axes = [i for i in range(want.ndim) if want.shape[i] != got.shape[i]]
    return " ".join(f"Axis {i} has length {got.shape[i]}, not {want.shape[i]}." for i in axes)


def fixed_shape(tried, number):
    """What to say of a result that has the same shape on all inputs, where the right one has not; or ""."""
    given = [sides for sides in zip(*tried.sides(), strict=False) if len(sides[0].values or ()) > number]
    mine, right = ({side.values[number].shape for side in sides} for sides in zip(*given, strict=True))
    is_fixed = len(given) > 1 == len(mine) < len(right) and () not in mine
    if not is_fixed:
        return ""
    typed = typed_size(source_of(tried.caller.function), mine.pop())
    return sentences("Your result has the same shape on every input.", typed)


def not_numbers(exercise, want, raw):
    """What came where numbers, or text, should have come."""
    first, parts = want.values[0], raw if type(raw) is tuple and len(raw) == len(want.values) > 1 else ()
    both = zip(exercise.results, parts, strict=False)
    odd = [f"{name} is {described(part)}" for name, part in both if type(part) is tuple or odd_part(part)]
    kind = "a list of text" if first.dtype.kind == "U" else "True and False" if exercise.exact else "numbers"
    fine = (str,) if first.dtype.kind == "U" else ()
    got = f"; {', '.join(odd)}" if odd else f", got {described(raw, fine)}"
    return f"Expected {kind if first.ndim else 'one number'}{got}."


def name_list(names):
    """Names as a sentence has them: X, Y and Z."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# ----------------------------------------------------- How wrong numbers are related to the right ones

ROUNDED = "The numbers are rounded to"
OF_EACH = (
    (np.abs, "Every number has lost its sign: negative ones have become positive."),
    (lambda w: np.maximum(w, 0), "Negative numbers have become 0; all others are right."),
    (np.exp, "Every number is e to the power of the right one."),
    (np.trunc, "The decimals are cut off."),
    (np.round, f"{ROUNDED} whole numbers."),
    *(
        (partial(np.round, decimals=n), f"{ROUNDED} the nearest {10**-n:.{n}f}. Round when you print.")
        for n in range(1, 7)
    ),
)
OF_MATRIX = (
    (lambda w: w.swapaxes(-1, -2), "It's the right matrix with rows and columns exchanged."),
    (lambda w: w[..., ::-1], "The numbers are right, but each row runs backwards."),
)


def relation(tried, at, number):
    """How all numbers are related to the right ones, the same on every input; or ""."""
    got = tried.outcomes[at].values[number]
    pairs = list(tried.pairs(number))
    if tried.exercise.exact or got.dtype.kind == "U" or not pairs:
        return ""
    want, mine = (np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1))
    return of_each(want, mine) or of_inputs(tried.exercise, pairs) or of_matrices(pairs)


@np.errstate(all="ignore")
def of_each(want, got):
    """What has been done to each number; all inputs in one row."""
    counted = np.isfinite(want) & (want != 0)
    if not got.any():
        return "Every number is 0."
    if len(np.unique(want[counted].round(9))) < 2:  # too few to tell a factor from a difference
        return ""
    factors, differences = got[counted] / want[counted], got - want
    is_factor = np.isfinite(factors[0]) and np.allclose(factors, factors[0], rtol=1e-6, atol=0)
    if is_factor and close(got, want)[~counted].all():
        if np.isclose(factors[0], -1):
            return "Every number has the opposite sign of the right one."
        return f"Every number is {factors[0]:.6g} times as large as it should be."
    if np.isfinite(differences).all() and np.allclose(differences, differences[0], atol=1e-9):
        return f"Every number is {abs(differences[0]):.4g} too {'large' if differences[0] > 0 else 'small'}."
    if np.minimum(abs(got), abs(got - 1)).max() < SMALLEST:  # saturated, not rounded
        return ""
    for make, text in OF_EACH:
        if np.isfinite(got).all() and np.allclose(make(want), got, rtol=1e-9, atol=1e-12):
            return text
    return ""


def of_inputs(exercise, pairs):
    """Whether an input comes back, alone or added to the right result."""
    for position, name in enumerate(exercise.parameters):
        for add, text in (
            (0, f"Your function returns {name} unchanged."),
            (1, f"{name} is added to the right result."),
        ):
            if all(is_sum(add * want, case[position : position + 1], got) for want, got, case in pairs):
                return text
    return ""


def is_sum(first, rest, got):
    fits = all(isinstance(array, np.ndarray) and array.shape == got.shape for array in rest)
    return bool(fits and rest and close(got, first + rest[0]).all())


def of_matrices(pairs):
    """Whether the right numbers are in other cells."""
    pairs = [(want, got) for want, got, _ in pairs]
    nearly = [np.allclose(got, want, atol=SMALLEST) and not close(got, want).all() for want, got in pairs]
    if any(nearly) or any(want.ndim < 2 for want, _ in pairs):  # nearly: a weight of almost 0 is 0
        return ""
    for make, text in OF_MATRIX:
        if all(make(want).shape == got.shape and close(got, make(want)).all() for want, got in pairs):
            return text
    if all(close(np.sort(got, axis=None), np.sort(want, axis=None)).all() for want, got in pairs):
        return "All the right numbers are there, but in other cells. Is something transposed, reshaped, or counted from the other end?"
    return ""


def rows_that_sum(tried, at, number):
    """Of a result whose rows should sum to 1: whether they do, and which cell gets most; or ""."""
    pairs = list(tried.pairs(number))
    if not pairs or not all(want.ndim and are_shares(want) for want, *_ in pairs):
        return ""
    want, got = tried.exercise.wanted[at].values[number], tried.outcomes[at].values[number]
    want, got = (array[which_matrix(want, got)] for array in (want, got))
    if (got < 0).any():
        return f"No weight can be negative, but {cell_name(got < 0)} is {got[got < 0][0]:.3g}."
    totals, right = got.sum(axis=-1), want.sum(axis=-1)
    if (uneven := ~close(totals, right)).any():
        row = f"Row {uneven.argmax()}" if got.ndim > 1 else "Your result"
        return f"{row} sums to {totals[uneven][0]:.6g}, and should sum to {right[uneven][0]:.0f}."
    if (given := (want == 0) & (got > 1e-12)).any():
        return f"The weight in {cell_name(given)} should be 0, and yours is {got[given][0]:.3g}."
    largest = (got == got.max(axis=-1, keepdims=True)) & (got > 0)
    alone = largest & (largest.sum(axis=-1, keepdims=True) == 1)
    if (missed := alone & ~close(want, want.max(axis=-1, keepdims=True))).any():
        return f"Your largest weight in this row is in {cell_name(missed)}, which isn't the right cell."
    sums = [close(got.sum(axis=-1), want.sum(axis=-1)).all() for want, got, _ in pairs]
    if len(sums) == len(tried.outcomes) and all(sums):
        return f"Your {'rows sum to 1, as they' if got.ndim > 1 else 'result sums to 1, as it'} should: look at the numbers before you normalise them."
    return ""


def cell_name(where):
    """The first cell where something holds: 'row 0, column 1', or 'entry 1' of a single row."""
    return ", ".join(f"{name} {i}" for name, i in zip(AXES[where.ndim], np.argwhere(where)[0], strict=True))


# ------------------------------------------------------------------ Which inputs the result depends on

CHANGES = (  # of the numbers at positions n: any one may go unseen, by rounding or at an end
    lambda x, n: -2 * x + 1.7 * np.sin(3 * n + 1),
    lambda x, n: x + 40 + 7 * n,
    lambda x, n: x - 40 - 7 * n,
)


def unused(tried, number):
    """Which arguments have no effect on this result, or else on another, although they should; or ""."""
    exercise = tried.exercise
    for i in sorted(range(len(exercise.results)), key=lambda i: i != number):
        names = [name for position, name in enumerate(exercise.parameters) if is_unused(tried, position, i)]
        if names:
            have = "have" if names[1:] else "has"
            return f"{name_list(names)} {have} no effect on your {result_name(exercise, i)}, but should."
    return ""


def result_name(exercise, number):
    return exercise.results[number] if len(exercise.results) > 1 else "result"


def is_unused(tried, position, number):
    """Whether an argument never moves one of the learner's results, and moves the right one on some input."""
    part, n_tried = slice(number, number + 1), 0
    for case, want, got in zip(tried.exercise.cases, tried.exercise.wanted, tried.outcomes, strict=False):
        for other in others(case[position]) if len(case) > position and got.values else ():
            case_with = (*case[:position], other, *case[position + 1 :])
            right = imitate(tried.exercise.right, case_with)
            if right.values is None or same(want.values[part], right.values[part]):
                continue
            mine = tried.caller.outcome(case_with)
            if mine.values is None or not same(got.values[part], mine.values[part]):
                return False
            n_tried += 1
    return n_tried > 2  # one or two may go unseen


def others(argument):
    """Something else of the same kind and size, and of a list a shorter one too; nothing where that isn't clear."""
    if isinstance(argument, list) and all(type(entry) is int for entry in argument):
        return [[entry - 1 if entry > 1 else entry + 1 for entry in argument], argument[1:]]
    return [other_than(argument, way) for way in CHANGES if isinstance(argument, (int, float, np.ndarray))]


def other_than(value, way):
    """Something else of the same kind."""
    if isinstance(value, np.ndarray):
        return ~value if value.dtype == bool else way(value, np.arange(value.shape[-1]))
    return value + 1 if isinstance(value, int) else float(way(value, 0))


def sensitivity(tried, number, at, wrong):
    """The input to show, and which row, column or position of it has no effect and should, or the other way round; or ""."""
    exercise, until = tried.exercise, time.monotonic() + SECONDS
    others = (i for i in wrong if i in tried.comparable() and first_wrong_result(tried, i)[0] == number)
    inputs = [at, *(i for i in others if i != at)][:MOST_INPUTS]
    for position, i in product(range(len(exercise.parameters)), inputs):
        case, name = exercise.cases[i], exercise.parameters[position]
        for unit, axis in units(case[position]) if len(case) > position else ():
            if time.monotonic() > until:
                return at, ""
            variants = [case, *(tuple(softened(each, size) for each in case) for size in SIZES)]
            moves = [moved(tried, number, each, position, axis) for each in variants]
            if None not in moves and (
                text := wrongly_followed(unit, name, result_name(exercise, number), moves)
            ):
                return i, f"{text}."
    return at, ""


def units(argument):
    """Each kind of part that an array has: its name, and its axis."""
    if isinstance(argument, np.ndarray) and argument.ndim:
        names = AXES[min(argument.ndim, 4)]
        yield from ((unit, axis) for axis, unit in enumerate(names, -len(names)) if argument.shape[axis] > 1)


def changed(argument, axis, i, way):
    """An array with its i-th row, column, … changed in some way; weights still sum to 1."""
    other = np.moveaxis(argument.copy(), axis, 0)
    other[i] = other_than(other[i], way)
    other = np.moveaxis(other, 0, axis)
    if not are_shares(argument):
        return other
    other = np.maximum(other, 0.01)
    return other / other.sum(axis=-1, keepdims=True)


def softened(given, size):
    """The same argument with smaller numbers, none of them 0, 1 or like another by chance; weights still sum to 1."""
    if isinstance(given, float):
        return min(max(given, -size), size) + 0.07
    if not isinstance(given, np.ndarray) or given.dtype.kind == "b" or not given.size:
        return given
    if given.dtype.kind == "i" and given.ndim == 1:  # words as numbers
        return given
    odd = 0.1 * np.sin(1 + np.arange(given.size)).reshape(given.shape)
    if given.ndim and are_shares(given):
        weights = (size * given + 1) * (1 + odd)
        return weights / weights.sum(axis=-1, keepdims=True)
    return given * (size / np.max(np.abs(given), where=np.isfinite(given), initial=size)) + odd


def moved(tried, number, case, position, axis):
    """How far each cell of the right result and of the learner's moves with each unit: two arrays, or None."""
    argument = case[position]
    count = min(argument.shape[axis], MOST_UNITS)
    parts = [changed(argument, axis, i, way) for i in range(count) for way in CHANGES]
    cases, sides = [case, *((*case[:position], part, *case[position + 1 :]) for part in parts)], []
    for outcomes in ([imitate(tried.exercise.right, each) for each in cases], tried.caller.outcomes(cases)):
        results = [outcome.values[number] for outcome in outcomes if len(outcome.values or ()) > number]
        if len(results) < len(cases) or any(result.dtype.kind not in "biuf" for result in results):
            return None
        sides.append([result.astype(float) for result in results])
    if len({result.shape for results in sides for result in results}) > 1:
        return None
    far = [np.array([how_far(first, other) for other in rest]) for first, *rest in sides]
    return [cells.reshape(count, len(CHANGES), *cells.shape[1:]).max(axis=1) for cells in far]


def how_far(a, b):
    """0 where a number has not moved, 1 where it has, 0.5 where that is not clear."""
    still = (abs(a - b) <= 1e-12 * np.maximum(1, abs(a))) | (a == b) | ((a != a) & (b != b))
    clear = (abs(a - b) > 1e-3 * np.maximum(1e-2, abs(a))) | (np.isfinite(a) != np.isfinite(b))
    return np.where(still, 0, np.where(clear, 1, 0.5))


def wrongly_followed(unit, name, result, moves):
    """Which part of an argument the result follows, and shouldn't, or the other way round; or ""."""
    right, mine = map(np.array, zip(*moves, strict=True))  # (inputs, units, *result)
    line, axis = {2: ("", None), 3: ("Entry", 2)}.get(right.ndim, ("Row", right.ndim - 2))
    if unit == "matrix" and right.ndim > 4:
        line, axis = "Matrix", right.ndim - 3
    if unit == "column" and right.ndim > 3 and (right.max(axis=-2) < 1).any():  # some columns keep still
        line, axis = "Column", right.ndim - 1
    rest = tuple(i for i in range(2, right.ndim) if i != axis)
    right, mine = (cells.max(axis=rest).reshape(*cells.shape[:2], -1) for cells in (right, mine))
    missing = (right == 1).any(axis=0) & (mine == 0).all(axis=0)  # (units, lines)
    extra = (right == 0).all(axis=0) & (mine == 1).all(axis=0)
    moves_something = (mine > 0).any(axis=(0, 2))
    dead = [str(i) for i in np.flatnonzero(missing.any(axis=1) & ~moves_something)]
    if dead and moves_something.any():
        which = f"{unit}s {name_list(dead)} of {name} have" if dead[1:] else f"{unit} {dead[0]} of {name} has"
        return f"{which[0].upper()}{which[1:]} no effect on your {result}, but should"
    cells, follows = extra, "changes as well, but it shouldn't"
    if missing.any() and line:
        cells, follows = missing, "should change as well, but it doesn't"
    if not cells.any():
        return ""
    i, place = np.argwhere(cells)[0]
    where = f"{line.lower()} {place} of your {result}" if line else f"your {result}"
    return f"When {unit} {i} of {name} changes, {where} {follows}"
