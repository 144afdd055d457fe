"""Which inputs a wrong result depends on: they are changed, and the learner's function is asked again."""

import time
from itertools import product

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import are_shares, same
from attn_checks.run.data import imitate
from attn_checks.tell.values import AXES, name_list

SECONDS = 0.5  # for `follows_wrongly`, which says nothing when they are over
MOST_UNITS = 5  # rows or columns of one argument that are changed one by one
MOST_INPUTS = 2  # on which that is done
# of the numbers in softened inputs: no attention weight is so near 0 or 1 that it can't move
SIZES = (0.5, 0.25)
CHANGES = (  # of the numbers at positions n: any one may go unseen, by rounding or at an end
    lambda x, n: -2 * x + 1.7 * np.sin(3 * n + 1),
    lambda x, n: x + 40 + 7 * n,
    lambda x, n: x - 40 - 7 * n,
)


def replaced(case, position, other):
    """A case with another argument at one position."""
    return (*case[:position], other, *case[position + 1 :])


# --- A whole argument -----------------------------------------------------------------------------


def unused(answer: Answer, number: int) -> str:
    """Which arguments have no effect on this result, or else on another, although they should; or ""."""
    exercise = answer.exercise
    for result in sorted(range(len(exercise.results)), key=lambda result: result != number):
        names = [name for i, name in enumerate(exercise.parameters) if is_unused(answer, i, result)]
        if names:
            have = "have" if names[1:] else "has"
            return f"{name_list(names)} {have} no effect on your {result_name(exercise, result)}, but should."
    return ""


def result_name(exercise, number):
    return exercise.results[number] if len(exercise.results) > 1 else "result"


def is_unused(answer, position, number):
    """Whether an argument never moves one of the learner's results, and moves the right one on some input."""
    exercise = answer.exercise
    part = slice(number, number + 1)
    n_tried = 0
    for case, want, got in zip(exercise.cases, exercise.wanted, answer.outcomes, strict=False):
        for other in others(case[position]) if len(case) > position and got.values else ():
            changed = replaced(case, position, other)
            right = imitate(exercise.right, changed)
            if right.values is None or same(want.values[part], right.values[part]):
                continue
            mine = answer.caller.outcome(changed)
            if mine.values is None or not same(got.values[part], mine.values[part]):
                return False
            n_tried += 1
    return n_tried > 2  # one or two may go unseen


def others(argument):
    """Something else of the same kind and size, and of a list a shorter one too; nothing where that isn't clear."""
    if isinstance(argument, list) and all(type(entry) is int for entry in argument):
        return [[entry - 1 if entry > 1 else entry + 1 for entry in argument], argument[1:]]
    if isinstance(argument, bool):
        return [not argument]
    if isinstance(argument, int):
        return [argument + 1, 1] if argument > 1 else [argument + 1]
    return [other_than(argument, way) for way in CHANGES if isinstance(argument, (float, np.ndarray))]


def other_than(value, way):
    """Something else of the same kind."""
    if isinstance(value, np.ndarray):
        return ~value if value.dtype == bool else way(value, np.arange(value.shape[-1]))
    return float(way(value, 0))


# --- A row, a column, a position of one -----------------------------------------------------------


def follows_wrongly(answer: Answer, number: int, inputs: list[int]) -> tuple[int, str]:
    """The input to show, and which part of it has no effect and should, or the other way round; or ""."""
    exercise = answer.exercise
    result = result_name(exercise, number)
    until = time.monotonic() + SECONDS
    for (position, name), i in product(enumerate(exercise.parameters), inputs[:MOST_INPUTS]):
        case = exercise.cases[i]
        soft = [tuple(softened(argument, size) for argument in case) for size in SIZES]
        for unit, axis in units(case[position]) if len(case) > position else ():
            if time.monotonic() > until:
                return inputs[0], ""
            moves = [moved(answer, number, each, position, axis) for each in (case, *soft)]
            if None in moves:
                continue
            right, mine = map(np.array, zip(*moves, strict=True))
            if said := wrong_part(unit, name, result, right, mine):
                return i, said
    return inputs[0], ""


def units(argument):
    """Each kind of part that an array has: its name, and its axis, counted from the end."""
    if not isinstance(argument, np.ndarray) or not argument.ndim:
        return []
    names = AXES[min(argument.ndim, 4)]
    named = enumerate(names, -len(names))
    return [(unit, axis) for axis, unit in named if argument.shape[axis] > 1]


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
    largest = np.max(np.abs(given), where=np.isfinite(given), initial=size)
    return given * (size / largest) + odd


def changed_part(argument, axis, i, way):
    """An array with its i-th row, column, … changed in some way; weights still sum to 1."""
    other = np.moveaxis(argument.copy(), axis, 0)
    other[i] = other_than(other[i], way)
    other = np.moveaxis(other, 0, axis)
    if not are_shares(argument):
        return other
    other = np.maximum(other, 0.01)
    return other / other.sum(axis=-1, keepdims=True)


def moved(answer, number, case, position, axis):
    """How far each cell of the right result and of the learner's moves with each unit: two arrays (units, *result), or None."""
    argument = case[position]
    n_units = min(argument.shape[axis], MOST_UNITS)
    parts = [changed_part(argument, axis, i, way) for i in range(n_units) for way in CHANGES]
    cases = [case, *[replaced(case, position, part) for part in parts]]
    right = results_of([imitate(answer.exercise.right, each) for each in cases], number)
    mine = results_of(answer.caller.outcomes(cases), number)
    if right is None or mine is None or right.shape != mine.shape:
        return None
    moves = []
    for results in (right, mine):
        far = how_far(results[:1], results[1:])
        # (units · changes, *result) → (units, changes, *result) → (units, *result)
        far = far.reshape(n_units, len(CHANGES), *far.shape[1:])
        moves.append(far.max(axis=1))
    return moves


def results_of(outcomes, number):
    """One result of several outcomes, (outcomes, *result) in floats; None if they aren't all numbers of one shape."""
    results = [outcome.values[number] for outcome in outcomes if len(outcome.arrays) > number]
    if len(results) < len(outcomes) or len({result.shape for result in results}) > 1:
        return None
    numbers = np.stack(results)
    return numbers.astype(float) if numbers.dtype.kind in "biuf" else None


def how_far(a, b):
    """0 where a number has not moved, 1 where it has, 0.5 where that is not clear."""
    far = abs(a - b)
    still = far <= 1e-12 * np.maximum(1, abs(a))
    still |= a == b  # both infinite
    still |= np.isnan(a) & np.isnan(b)
    clear = far > 1e-3 * np.maximum(1e-2, abs(a))
    clear |= np.isfinite(a) != np.isfinite(b)
    return np.where(still, 0, np.where(clear, 1, 0.5))


def wrong_part(unit, name, result, right, mine):
    """Which part of an argument the result follows and shouldn't, or the other way round, from how far both move; or "".

    right, mine: (cases, units, *result)
    """
    line, axis = line_of(unit, right)
    rest = tuple(i for i in range(2, right.ndim) if i != axis)
    # (cases, units, *result) → (cases, units, lines)
    sizes = *right.shape[:2], -1
    right = right.max(axis=rest).reshape(sizes)
    mine = mine.max(axis=rest).reshape(sizes)
    missing = (right == 1).any(axis=0) & (mine == 0).all(axis=0)  # (units, lines)
    extra = (right == 0).all(axis=0) & (mine == 1).all(axis=0)
    moves = (mine > 0).any(axis=(0, 2))  # (units,)
    dead = np.flatnonzero(missing.any(axis=1) & ~moves)
    if len(dead) and moves.any():
        s, have = ("s", "have") if len(dead) > 1 else ("", "has")
        which = name_list([str(i) for i in dead])
        return f"{unit.capitalize()}{s} {which} of {name} {have} no effect on your {result}, but should."
    if missing.any() and line:
        wrong, follows = missing, "should change as well, but it doesn't"
    else:
        wrong, follows = extra, "changes as well, but it shouldn't"
    if not wrong.any():
        return ""
    i, place = np.argwhere(wrong)[0]
    where = f"{line} {place} of your {result}" if line else f"your {result}"
    return f"When {unit} {i} of {name} changes, {where} {follows}."


def line_of(unit, right):
    """By what parts of the result to say where it moves, and their axis in (cases, units, *result)."""
    if right.ndim == 2:
        return "", None
    if right.ndim == 3:
        return "entry", 2
    if unit == "matrix" and right.ndim > 4:
        return "matrix", right.ndim - 3
    if unit == "column" and (right.max(axis=-2) < 1).any():  # some columns keep still
        return "column", right.ndim - 1
    return "row", right.ndim - 2
