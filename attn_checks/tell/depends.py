"""Which arguments of a wrong answer its result depends on: they are changed, and the function is asked again."""

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import are_shares
from attn_checks.run.data import imitate
from attn_checks.tell.feedback import name_list

AXES = {1: ["entry"], 2: ["row", "column"], 3: ["matrix", "row", "column"], 4: ["row", "column"]}
MOST_PARTS = 3  # rows, or columns, of one argument that are changed one by one
MOST_INPUTS = 2  # on which that is done
CHANGES = (  # of the numbers at positions n: any one may go unseen, by rounding or at an end
    lambda x, n: -2 * x + 1.7 * np.sin(3 * n + 1),
    lambda x, n: x + 40 + 7 * n,
    lambda x, n: x - 40 - 7 * n,
)


def unused(answer: Answer, number: int) -> str:
    """Which arguments have no effect on this result, or else on another, although they should; or ""."""
    results = range(len(answer.exercise.results))
    for result in sorted(results, key=lambda result: result != number):
        parameters = enumerate(answer.exercise.parameters)
        names = [name for position, name in parameters if is_unused(answer, position, result)]
        if names:
            have = "have" if len(names) > 1 else "has"
            return f"{name_list(names)} {have} no effect on {your_result(answer, result)}, but should."
    return ""


def your_result(answer, number):
    names = answer.exercise.results
    return f"your {names[number]}" if len(names) > 1 else "your result"


def is_unused(answer, position, number):
    """Whether an argument never moves the learner's result, and often moves the right one."""
    n_moved = 0
    for case in answer.exercise.cases:
        given = case[position : position + 1]
        for other in others(*given) if given else ():
            moves = moved(answer, number, case, position, [other])
            if moves is None:
                continue
            right, mine = moves
            if mine.any():
                return False
            n_moved += (right == 1).any()
    return n_moved > 2


def others(argument):
    """Something else of the same kind, and of a list a shorter one too; nothing where that isn't clear."""
    if isinstance(argument, list) and all(type(entry) is int for entry in argument):
        changed = [entry - 1 if entry > 1 else entry + 1 for entry in argument]
        return [changed, argument[1:]]
    if isinstance(argument, bool):
        return [not argument]
    if isinstance(argument, int):
        return [argument + 1, 1]
    if not isinstance(argument, (float, np.ndarray)):
        return []
    return [change_of(np.asarray(argument), change) for change in CHANGES]


def change_of(array, change):
    if array.dtype == bool:
        return ~array
    positions = np.arange(array.size).reshape(array.shape)
    return change(array, positions)


def moved(answer, number, case, position, others):
    """How far each number of the right result and of the learner's moves when one argument is another.

    Of several others the one counts that moves it most. Two arrays, or None where they can't be compared.
    """
    cases = [case]
    cases += [(*case[:position], other, *case[position + 1 :]) for other in others]
    right = [imitate(answer.exercise.right, each) for each in cases]
    mine = answer.caller.outcomes(cases)
    moves = []
    for outcomes in (right, mine):
        results = [outcome.values[number] for outcome in outcomes if len(outcome.arrays) > number]
        if len(results) < len(cases) or len({result.shape for result in results}) > 1:
            return None
        first, *changed = results
        moves.append(np.max([how_far(first, result) for result in changed], axis=0))
    return moves if moves[0].shape == moves[1].shape else None


def how_far(before, after):
    """0 where a number has not moved, 1 where it has, 0.5 where that is not clear."""
    if before.dtype.kind not in "biuf":
        return 1.0 * (before != after)
    before = before.astype(float)
    after = after.astype(float)
    still = np.isclose(after, before, rtol=1e-12, atol=1e-12, equal_nan=True)
    near = np.isclose(after, before, rtol=1e-3, atol=1e-5, equal_nan=True)
    return np.select([still, near], [0, 0.5], 1)


# --- A row, a column, an entry of an argument -----------------------------------------------------


def follows_wrongly(answer: Answer, number: int, inputs: list[int]) -> tuple[int, str]:
    """The input to show, and which part of it has no effect and should, or the other way round; or ""."""
    for at in inputs[:MOST_INPUTS]:
        said = wrong_part(answer, number, answer.exercise.cases[at])
        if said:
            return at, said
    return inputs[0], ""


def wrong_part(answer, number, case):
    """What moves with a part of one argument and shouldn't, or the other way round; or ""."""
    case = tuple(map(softened, case))
    named = zip(answer.exercise.parameters, case, strict=False)
    for position, (name, argument) in enumerate(named):
        for part, changed in parts_of(argument):
            moves = moved(answer, number, case, position, changed)
            if moves is None:
                continue
            said = wrong_move(f"{part} of {name}", your_result(answer, number), *moves)
            if said:
                return said
    return ""


def softened(given):
    """An argument with small numbers, none alike, so that no weight is so near 0 or 1 that it can't move."""
    if isinstance(given, float):
        return float(np.clip(given, -0.5, 0.5)) + 0.07
    if not isinstance(given, np.ndarray) or given.dtype == bool or not given.size:
        return given
    if given.dtype.kind == "i" and given.ndim == 1:  # words as numbers
        return given
    positions = np.arange(given.size).reshape(given.shape)
    odd = 0.1 * np.sin(1 + positions)
    if are_shares(given):
        return normalised((0.5 * given + 1) * (1 + odd))
    largest = np.max(np.abs(given), where=np.isfinite(given), initial=0.5)
    return given * (0.5 / largest) + odd


def normalised(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


def parts_of(argument):
    """Each part of an array by name, with arrays in which it alone is changed; weights still sum to 1."""
    if not isinstance(argument, np.ndarray) or not argument.ndim:
        return
    names = AXES[min(argument.ndim, 4)]
    for axis, name in enumerate(names, -len(names)):
        size = argument.shape[axis]
        numbers = np.indices(argument.shape)[axis]  # of each cell, along this axis
        for i in range(min(size, MOST_PARTS) if size > 1 else 0):
            here = numbers == i
            changed = [np.where(here, change_of(argument, change), argument) for change in CHANGES]
            if are_shares(argument):
                changed = [normalised(np.maximum(array, 0.01)) for array in changed]
            yield f"{name} {i}", changed


def wrong_move(part, result, right, mine):
    """What moves with a part of an argument and shouldn't, or the other way round; or ""."""
    wrong = (right == 1) & (mine == 0)
    follows = "should change as well, but it doesn't"
    if not wrong.any():
        wrong = (right == 0) & (mine == 1)
        follows = "changes as well, but it shouldn't"
    if not wrong.any():
        return ""
    while wrong.ndim > 3:
        wrong = wrong.any(axis=0)
    where = f"{cell_name(wrong)} of {result}" if wrong.ndim else result
    return f"When {part} changes, {where} {follows}."


def cell_name(where):
    """The first cell where something holds: 'row 0, column 1', or 'entry 1' of a single row."""
    indices = np.argwhere(where)[0]
    named = zip(AXES[where.ndim], indices, strict=True)
    return ", ".join(f"{name} {i}" for name, i in named)
