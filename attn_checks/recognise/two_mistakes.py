"""Two mistakes in one answer: found by trying every pair, and named where no other pair does the same."""

import math
from collections import defaultdict
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from attn_checks.recognise.answer import Answer, Exercise
from attn_checks.recognise.mistakes import Mistake, inside, with_zeros
from attn_checks.recognise.steps import Step, Steps
from attn_checks.run.compare import agree, as_arrays
from attn_checks.run.data import Outcome, imitate
from attn_checks.run.raised import Raised, words_of


def name_two(answer: Answer) -> Mistake | None:
    """The two mistakes, in two steps or one at the end, that alone give all outcomes together; or None."""
    if not tells_mistakes_apart(answer):
        return None
    pairs = pairs_like(answer)
    pairs = [pair for pair in pairs if pair[1].step != END] or pairs
    names = {(first.mistake.short, second.mistake.short) for first, second in pairs}
    if len(names) == 1 and all(shows(made, answer) for made in pairs[0]):  # where several fit, none is sure
        return told(with_end(answer.exercise), *pairs[0])
    return None


def tells_mistakes_apart(answer):
    """Whether there are numbers in the results; to all 0, NaN or truth values many pairs come by chance."""
    arrays = [array for outcome in answer.outcomes for array in outcome.arrays]
    if all(array.all() if answer.exercise.exact else array.dtype == bool for array in arrays):
        return False
    return any(np.count_nonzero(array) > np.count_nonzero(array != array) for array in arrays)


def shows(made, answer):
    """Whether a mistake is seen in numbers: alone, it gives others than the answer somewhere."""
    exercise = answer.exercise
    way = with_end(answer.exercise).whole({made.step: made.way})
    given = zip(exercise.cases, answer.outcomes, strict=False)
    return any(
        mine.raised is None and not agree(imitate(way, case), mine, exercise.exact) for case, mine in given
    )


def told(steps, first, second):
    """Two mistakes as one, which says which to fix first."""
    if not steps.steps[first.step].fixed_first and steps.steps[second.step].fixed_first:
        first, second = second, first
    name = first.mistake.name
    other = second.mistake.name
    return first.mistake._replace(
        name=f"in two steps, {name}" if name == other else f"{name}; {other}",
        say=f"Begin with the first one. About it alone: {first.mistake.say}",
        first=steps.lifted(first.step, first.mistake),
    )


# --- All pairs ------------------------------------------------------------------------------------


def pairs_like(answer):
    """Pairs of mistakes in different steps that give the answer's outcomes on every input."""
    steps = with_end(answer.exercise)
    alive = None
    for number in answer.order:
        case = answer.exercise.cases[number]
        ends = all_ends(answer.exercise, number) if alive is None else ends_of(steps, case, alive)
        size = total(answer.outcomes[number].arrays)
        near = [end for end in ends if math.isclose(end.total, size, rel_tol=1e-4, abs_tol=1e-3)]
        alive = {pair for end in near if is_like(end.outcome, number, answer) for pair in end.pairs}
        if not alive:
            return []
    return [(steps.made[i], steps.made[j]) for i, j in sorted(alive)]


def is_like(outcome, number, answer):
    """Whether an outcome is the learner's; where most inputs raise, exceptions must say the same."""
    mine = answer.outcomes[number]
    if mine.raised and answer.mostly_raises and outcome.words != mine.words:
        return False
    return agree(outcome, mine, answer.exercise.exact)


def total(arrays):
    """The size of all numbers in some arrays together."""
    numbers = [array for array in arrays if array.dtype.kind != "U"]
    return sum(float(abs(np.where(np.isfinite(array), array, 0)).sum()) for array in numbers)


@cache
def all_ends(exercise: Exercise, number: int):
    """The ends of all pairs on one input."""
    return [end for end in ends_of(with_end(exercise), exercise.cases[number]) if end.pairs]


class End(NamedTuple):
    """A result, or an exception, and the ways that end in it: places of their mistakes in `Steps.made`."""

    value: object
    ways: list[tuple[int, ...]]
    outcome: Outcome
    total: float

    @property
    def pairs(self) -> list[tuple[int, ...]]:
        return [way for way in self.ways if len(way) == 2]


def end_of(value, ways):
    is_error = isinstance(value, Exception)
    outcome = Outcome(None, Raised(words_of(value))) if is_error else Outcome(as_arrays(value))
    return End(value, ways, outcome, total(outcome.arrays))


def ends_of(steps: Steps, given: tuple, alive: set | None = None) -> list[End]:
    """What at most two mistakes in different steps come to, all pairs or those that are `alive`.

    All ways go through the steps side by side. Those that have the same values before a step go on as one, so
    nothing is computed twice. A way is known by the places of its mistakes: (), (i,) or (i, j).
    """
    memory = Memory()
    start = {name: memory.number(value) for name, value in steps.start(given).items()}
    # numbers of the values by name -> the ways that have them
    states: dict[tuple, list[tuple[int, ...]]] = {tuple(start.items()): [()]}
    allowed = steps.pairs if alive is None else alive
    allowed = allowed | {(i,) for i, _ in allowed}
    for name, step in steps.steps.items():
        reads, writes = steps.names[name]
        later = steps.read_after(name)
        before = states
        states = defaultdict(list)
        for state, ways in before.items():
            takes = [(step.right, ways)]
            fewer = [way for way in ways if len(way) < 2]
            for place, take in steps.ways_of[name] if fewer else ():
                takes.append((take, [(*way, place) for way in fewer if (*way, place) in allowed]))
            for take, went in takes:
                if went:
                    after = memory.taken(dict(state), take, reads, writes)
                    states[tuple([pair for pair in after.items() if pair[0] in later])] += went
    return [end_of(memory.values[dict(state)["result"]], ways) for state, ways in states.items()]


class Memory:
    """Equal values have one number, and no step is taken twice on the same."""

    def __init__(self):
        self.values = []
        self.known = {}
        self.steps = {}

    def number(self, value):
        """The number of a value: an older one's if they are equal."""
        if isinstance(value, np.ndarray):
            key = value.shape, value.dtype.str, value.tobytes()
        elif isinstance(value, tuple):
            key = tuple(map(self.number, value))
        else:
            key = id(value)  # nobody else's, because the value is kept
        if key not in self.known:
            self.known[key] = len(self.values)
            self.values.append(value)
        return self.known[key]

    def taken(self, values, take, reads, writes):
        """The numbers of the values by name after a step."""
        if take is None:
            return values
        key = take, *[values[name] for name in reads]
        if key not in self.steps:
            written = attempt(take, [self.values[number] for number in key[1:]])
            several = len(writes) > 1 and not isinstance(written, Exception)
            self.steps[key] = list(map(self.number, written if several else [written] * len(writes)))
        return values | dict(zip(writes, self.steps[key], strict=True))


def attempt(way, values):
    """What a way to take a step gives, or the exception that it, or a step before it, ends in."""
    failed = [value for value in values if isinstance(value, Exception)]
    try:
        return failed[0] if failed else way(*values)
    except Exception as error:  # a mistake may well end in one
        return error


# --- One of them at the end -----------------------------------------------------------------------


def exchanged(part):
    if part.ndim < 2:
        raise ValueError("a single row has no columns")
    return part.swapaxes(-1, -2)


END = "the end"
# What may be done to any result at the end, beside another mistake.
ENDS = (
    Mistake(
        "rounded",
        "the result is rounded",
        say="You round the result. Round when you print.",
        ways=[partial(np.round, decimals=digits) for digits in range(1, 5)],
    ),
    Mistake(
        "whole-numbers",
        "the decimals are cut off",
        say="Your result holds whole numbers. Is its dtype int?",
        ways=[np.trunc],
    ),
    Mistake(
        "transposed",
        "rows and columns are exchanged",
        say="You return the transpose of the result. Leave it out.",
        ways=[exchanged],
    ),
    Mistake(
        "axis-too-many",
        "one axis too many",
        say="Your result has one axis too many.",
        ways=[lambda part: part[None], lambda part: part[..., None]],
    ),
    Mistake(
        "a-row-left-out",
        "a row is left out",
        say=(
            "One row of your result is never filled, so it stays 0. Does the loop begin at 0, and reach "
            "the end?"
        ),
        ways=[with_zeros(-1), with_zeros(0)],
    ),
)


@cache
def with_end(exercise: Exercise) -> Steps:
    """The steps of an exercise, which is one itself if it has none, and one that changes the result."""
    at_end = {END: Step("result", "result", inside(ENDS, to_each_part))}
    if steps := exercise.steps:
        return Steps(" ".join(steps.takes), steps.steps | at_end, steps.few)
    names = " ".join(exercise.parameters)
    whole = {"the exercise": Step(names, "result", exercise.mistakes, exercise.right)}
    return Steps(names, whole | at_end, None)


def to_each_part(change):
    """What changes a result, or each of several."""

    def way(result):
        if isinstance(result, tuple):
            return tuple(map(way, result))
        return change(np.asarray(result))

    return way
