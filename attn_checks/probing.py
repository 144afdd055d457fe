"""What is found out about wrong numbers by asking again: which inputs they follow, how, and where they are right.

A probe changes one thing in one input and looks at what moves: the right result, and the learner's. What it says is
true of the inputs that were tried, whatever the mistake is.
"""

import time
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from attn_checks.call import imitate
from attn_checks.compare import are_shares, close

MOST_UNITS = 5  # rows or columns of one argument that are changed one by one
MOST_INPUTS = 2  # on which that is done
LARGEST = 2.0  # number in an input, so that no share is so near to 0 or 1 that it cannot move
# Ways in which the numbers of a unit, at positions n, are changed: any one may go unseen, by rounding or at an end.
CHANGES = (
    lambda x, n: -2 * x + 1.7 * np.sin(3 * n + 1),
    lambda x, n: x + 1.3 * (n == 0),
    lambda x, n: x - 2.6 * (n == n.max()),
    lambda x, n: x + 40 + 7 * n,
    lambda x, n: x - 40 - 7 * n,
)
STAYS = "stays as it is"
SECONDS = 1.5  # for all probes together; those that are left are not made


class Probed(NamedTuple):
    """An exercise, what asks the learner's function, and which of its results is looked at."""

    exercise: object
    caller: object
    number: int

    def all(self, cases):
        """The right result and the learner's on each input, arrays of one shape; None if there is no such pair."""
        right = [imitate(self.exercise.right, case).values for case in cases]
        mine = [outcome.values for outcome in self.caller.outcomes(cases)]
        fine = len(mine) == len(cases) and all(got and len(got) == len(self.exercise.results) for got in mine)
        if not fine or None in right:
            return None
        pairs = [(want[self.number], got[self.number]) for want, got in zip(right, mine, strict=True)]
        if not all(is_pair(want, got) for want, got in pairs):
            return None
        return [(want.astype(float), got.astype(float)) for want, got in pairs]


def is_pair(want, got):
    return want.shape == got.shape and {want.dtype.kind, got.dtype.kind} <= set("biuf")


def as_decimals(argument):
    """A table of whole numbers as one of decimals, which can be changed by parts; anything else as it is."""
    whole = isinstance(argument, np.ndarray) and argument.ndim > 1 and argument.dtype.kind in "iu"
    return argument.astype(float) if whole else argument


def without_chance(argument):
    """The same input with smaller numbers, none of them 0, 1 or like another by chance; shares stay shares."""
    if isinstance(argument, list):
        return [without_chance(part) for part in argument]
    if isinstance(argument, float):
        return min(max(argument, -LARGEST), LARGEST)
    if not isinstance(argument, np.ndarray) or argument.dtype.kind != "f" or not argument.size:
        return argument
    odd = 0.1 * np.sin(1 + np.arange(argument.size)).reshape(argument.shape)
    if argument.ndim and are_shares(argument):
        shares = argument * (1 + odd)
        return shares / np.where(shares.any(axis=-1), shares.sum(axis=-1), 1)[..., None]
    largest = np.max(np.abs(argument), where=np.isfinite(argument), initial=LARGEST)
    return argument * (LARGEST / largest) + odd


class Followed(NamedTuple):
    """Which lines of the result follow which units of an argument: booleans (units, lines)."""

    unit: str  # "matrix", "row", "column", "position", "chunk", "entry"
    line: str  # what is counted in the result: "row", "column", "position", or "" for all of it
    missing: np.ndarray  # the right ones follow, the learner's do not
    extra: np.ndarray  # the other way round
    moves: np.ndarray  # whether a unit moves anything of the learner's, on any input


def probe(exercise, caller, number, wrong):
    """Up to two sentences on an answer that is wrong on the inputs of these numbers, or ""."""
    probed, until, said = Probed(exercise, caller, number), time.monotonic() + SECONDS, []
    cases = [tuple(map(as_decimals, exercise.cases[i])) for i in wrong]
    for found in (following, doubling, adding):
        for position, name in enumerate(exercise.parameters):
            if time.monotonic() > until or len(said) == 2:
                return " ".join(said)
            sentence = found(probed, cases, position, name)
            if sentence:
                said.append(sentence)
                break
    return " ".join(said)


# ---------------------------------------------------------------------------
# Which lines of the result follow which parts of an input
# ---------------------------------------------------------------------------


def following(probed, cases, position, name):
    """What has no effect and should have, or has one and should not; or ""."""
    has_units = [i for i, case in enumerate(cases) if len(case) > position and count_units(case[position])]
    for i in has_units[:MOST_INPUTS]:
        tables = list(followed(probed, cases[i], position))
        for said in (without_effect, not_followed, followed_wrongly):
            table, sentence = next(filter(itemgetter(1), ((t, said(t, name)) for t in tables)), (None, ""))
            if sentence:
                if said is without_effect and (more := followed_wrongly(table, name)):
                    sentence = f"{sentence}. {more}"
                tried = f" (tried with {name} {shape_of(cases[i][position])})" if i else ""
                return f"{sentence}{tried}."
    return ""


def shape_of(argument):
    return f"a list of {len(argument)}" if isinstance(argument, list) else f"of shape {argument.shape}"


def count_units(argument):
    if isinstance(argument, list):
        return len(argument) > 1 and not isinstance(argument[0], str)
    return isinstance(argument, np.ndarray) and argument.ndim and max(argument.shape[-2:]) > 1


def followed(probed, case, position):
    """A table for each kind of unit of one argument, of what holds on the input and on one without chance."""
    inputs = [case, tuple(map(without_chance, case))]
    for unit, count, _ in units(case[position]):
        moves = [moved(probed, each, position, unit, count) for each in inputs]
        if None in moves:
            continue
        right, mine = (np.array(cells) for cells in zip(*moves, strict=True))
        line, right, mine = by_line(unit, right, mine)
        yield Followed(
            unit,
            line,
            missing=(right == 1).any(axis=0) & (mine == 0).all(axis=0),
            extra=(right == 0).all(axis=0) & (mine == 1).all(axis=0),
            moves=(mine > 0).any(axis=(0, 2)),
        )


def moved(probed, case, position, unit, count):
    """How far each cell of the right result, and of the learner's, moves with each unit: (units, *result); or None."""
    change = next(change for name, _, change in units(case[position]) if name == unit)
    others = [
        (*case[:position], change(i, way), *case[position + 1 :]) for i in range(count) for way in CHANGES
    ]
    pairs = probed.all([case, *others])
    if pairs is None:
        return None
    far = (np.array([how_far(ways[0], way) for way in ways[1:]]) for ways in zip(*pairs, strict=True))
    return [cells.reshape(count, len(CHANGES), *cells.shape[1:]).max(axis=1) for cells in far]


def units(argument):
    """Each kind of unit that an argument has: its name, how many there are, and `change(i, way)` of the i-th."""
    if isinstance(argument, list):
        name = "chunk" if isinstance(argument[0], np.ndarray) else "entry"
        yield (
            name,
            min(len(argument), MOST_UNITS),
            lambda i, way: [other_than(part, way) if j == i else part for j, part in enumerate(argument)],
        )
        return
    names = {0: "matrix", -2: "row", -1: "column"} if argument.ndim == 3 else {-2: "row", -1: "column"}
    for axis, name in names.items() if argument.ndim > 1 else [(-1, "position")]:
        if argument.shape[axis] > 1:
            count = min(argument.shape[axis], MOST_UNITS)
            yield name, count, lambda i, way, axis=axis: changed_at(argument, axis, i, way)


def changed_at(array, axis, i, way):
    other = np.moveaxis(array.copy(), axis, 0)
    other[i] = other_than(other[i], way)
    return np.moveaxis(other, 0, axis)


def other_than(value, way):
    """Something else of the same kind."""
    if not isinstance(value, np.ndarray):
        return way(value, np.zeros(1))[0] if isinstance(value, (float, np.floating)) else value + 1
    return ~value if value.dtype == bool else way(value, np.arange(value.shape[-1]))


def how_far(a, b):
    """0 where a number has not moved, 1 where it has, 0.5 where that is not clear."""
    with np.errstate(all="ignore"):
        still = (abs(a - b) <= 1e-12 * np.maximum(1, abs(a))) | (a == b) | ((a != a) & (b != b))
        clear = (abs(a - b) > 1e-3 * np.maximum(1e-2, abs(a))) | (np.isfinite(a) != np.isfinite(b))
    return np.where(still, 0, np.where(clear, 1, 0.5))


def by_line(unit, right, mine):
    """What is counted in the result, and how far it moves: (inputs, units, *result) → (inputs, units, lines)."""
    line, axis = "", None
    if right.ndim == 3:
        line, axis = "position", 2
    elif right.ndim > 3:
        columns = unit == "column" and (right.max(axis=-2) < 1).any()  # some columns keep still
        line, axis = ("column", right.ndim - 1) if columns else ("row", right.ndim - 2)
    rest = tuple(i for i in range(2, right.ndim) if i != axis)
    return line, *(cells.max(axis=rest).reshape(*cells.shape[:2], -1) for cells in (right, mine))


def without_effect(table, name):
    dead = table.missing.any(axis=1) & ~table.moves
    if not dead.any() or not table.moves.any():  # what has no effect at all is said elsewhere
        return ""
    which = f"{table.unit} {listed(dead)}" if dead.sum() == 1 else f"{table.unit}s {listed(dead)}"
    if table.moves.sum() == 1 and dead.sum() > 1 and len(dead) < MOST_UNITS:  # of more not all were changed
        return f"Of {name} only {table.unit} {listed(table.moves)} has an effect on your result; {which} should, too"
    if dead.sum() > 1:
        return f"{which.capitalize()} of {name} have no effect on your result, and should have"
    if dead[-1] and len(dead) < MOST_UNITS:
        return f"The last {table.unit} of {name}, {which}, has no effect on your result, and should have"
    return f"{which.capitalize()} of {name} has no effect on your result, and should have"


def not_followed(table, name):
    if not table.missing.any() or not table.line:
        return ""
    if is_diagonal(table.missing):
        return f"No {table.line} of your result changes with the {table.unit} of {name} that has its own number, and each should"
    return one_pair(table, name, table.missing, "does not change with", "should")


def followed_wrongly(table, name):
    if not table.extra.any():
        return ""
    if not table.line:
        unit = int(np.argwhere(table.extra)[0][0])
        return f"Your result changes with {table.unit} {unit} of {name}, and should not"
    if is_diagonal(table.extra):
        return f"Each {table.line} of your result changes with the {table.unit} of {name} that has its own number, and none should"
    return one_pair(table, name, table.extra, "changes with", "should not")


def is_diagonal(cells):
    return cells.shape[0] == cells.shape[1] and np.array_equal(cells, np.eye(len(cells), dtype=bool))


def one_pair(table, name, cells, verb, should):
    unit, line = map(int, np.argwhere(cells)[0])
    return (
        f"{table.line.capitalize()} {line} of your result {verb} {table.unit} {unit} of {name}, and {should}"
    )


def listed(flags):
    return " and ".join(map(str, np.flatnonzero(flags)))


# ---------------------------------------------------------------------------
# How the result grows with an input
# ---------------------------------------------------------------------------


def doubling(probed, cases, position, name):
    return growing(probed, cases, position, lambda a: 2 * a, ratio, f"With {name} doubled", times)


def adding(probed, cases, position, name):
    return growing(
        probed, cases, position, lambda a: a + 1, difference, f"With 1 added to all of {name}", more
    )


def growing(probed, cases, position, change, compare, when, words):
    """A sentence on how a result grows, if the right one grows evenly and the learner's differently on every input."""
    found = []
    for case in (form for each in cases[:MOST_INPUTS] for form in (each, tuple(map(without_chance, each)))):
        given = case[position] if len(case) > position else None
        if not isinstance(given, np.ndarray) or given.dtype.kind != "f" or are_shares(given):
            continue
        pairs = probed.all([case, (*case[:position], change(given), *case[position + 1 :])])
        if pairs:
            right, mine = (compare(*ways) for ways in zip(*pairs, strict=True))
            if right is None or (mine is not None and np.isclose(right, mine)):
                return ""
            found.append((right, mine))
    if not found or not all(np.allclose(*map(as_numbers, (one, found[0])), equal_nan=True) for one in found):
        return ""
    right, mine = found[0]
    other = "changes" if words(right) == STAYS else "changes in another way"
    return f"{when} the right result {words(right)}; yours {other if mine is None else words(mine)}."


def as_numbers(pair):
    return [np.nan if number is None else number for number in pair]


def ratio(before, after):
    """The one factor between two arrays, or None."""
    counted = (before != 0) & np.isfinite(before) & np.isfinite(after)
    if counted.sum() < 2 or not close(after, before)[~counted].all():
        return None
    ratios = after[counted] / before[counted]
    return float(ratios[0]) if np.allclose(ratios, ratios[0], rtol=1e-6) else None


def difference(before, after):
    """The one number between two arrays, or None."""
    if before.size < 2 or not (np.isfinite(before) & np.isfinite(after)).all():
        return None
    apart = (after - before).ravel()
    return float(apart[0]) if np.allclose(apart, apart[0], atol=1e-9) else None


def times(factor):
    names = {0.5: "is halved", 1: STAYS, 2: "is doubled"}
    return names.get(round(factor, 9), f"becomes {factor:.4g} times as large")


def more(number):
    return STAYS if abs(number) < 1e-9 else f"{'grows' if number > 0 else 'falls'} by {abs(number):.4g}"
