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
    """The two mistakes, in two steps or one at the end, that together give the outcomes on every input, if no other two do."""
    if not tells_mistakes_apart(answer):
        return None
    steps, pairs = with_end(answer.exercise), pairs_like(answer)
    if pairs := [pair for pair in pairs if pair[1].step != END] or pairs:
        names = {(one.mistake.short, other.mistake.short) for one, other in pairs}
        alone = [steps.whole({made.step: made.way}) for made in pairs[0]]
        if len(names) == 1 and both_show(answer, alone):  # where several fit, none is sure
            return told(steps, *pairs[0])
    return None


def tells_mistakes_apart(answer):
    """Whether there are numbers in the results; to all 0, NaN or truth values many pairs come by chance."""
    arrays = [array for outcome in answer.outcomes for array in outcome.arrays]
    if all(array.all() if answer.exercise.exact else array.dtype == bool for array in arrays):
        return False
    return any(np.count_nonzero(array) > np.count_nonzero(array != array) for array in arrays)


def both_show(answer, alone):
    """Whether each of two mistakes is seen in numbers: alone, it gives others than the answer somewhere."""
    exercise = answer.exercise
    given = [
        (case, mine)
        for case, mine in zip(exercise.cases, answer.outcomes, strict=False)
        if mine.raised is None
    ]
    return all(
        any(not agree(imitate(way, case), mine, exercise.exact) for case, mine in given) for way in alone
    )


def told(steps, first, second):
    """Two mistakes as one, which says which to fix first."""
    if not steps.steps[first.step].fixed_first and steps.steps[second.step].fixed_first:
        first, second = second, first
    name, other = first.mistake.name, second.mistake.name
    return first.mistake._replace(
        name=f"in two steps, {name}" if name == other else f"{name}; {other}",
        say=f"Begin with the first one. About it alone: {first.mistake.say}",
        first=steps.lifted(first.step, first.mistake),
    )


# --- All pairs ------------------------------------------------------------------------------------


def pairs_like(answer):
    """Pairs of mistakes in different steps that give the answer's outcomes on every input."""
    steps, alive = with_end(answer.exercise), None
    for number in answer.order:
        case = answer.exercise.cases[number]
        ends = all_ends(answer.exercise, number) if alive is None else ends_of(steps, case, alive)
        mine, size = answer.outcomes[number], total(answer.outcomes[number].arrays)
        like = [end for end in ends if is_like(end, mine, size, answer)]
        alive = {pair for end in like for pair in end.pairs}
        if not alive:
            return []
    return [(steps.made[i], steps.made[j]) for i, j in sorted(alive)]


def is_like(end, mine, size, answer):
    """Whether an end is the learner's outcome; where most inputs raise, exceptions must say the same."""
    if mine.raised is not None:
        return end.outcome.raised is not None and (
            not answer.mostly_raises or end.outcome.words == mine.words
        )
    is_near = math.isclose(
        end.total, size, rel_tol=1e-4, abs_tol=1e-3
    )  # nearly always not, and that is quick
    return is_near and agree(end.outcome, mine, answer.exercise.exact)


def total(arrays):
    """The size of all numbers in some arrays together."""
    numbers = [array for array in arrays if array.dtype.kind != "U"]
    return sum(float(abs(np.where(np.isfinite(array), array, 0)).sum()) for array in numbers)


@cache
def all_ends(exercise: Exercise, number: int):
    """The ends of all pairs on one input."""
    return [end for end in ends_of(with_end(exercise), exercise.cases[number]) if end.pairs]


Ways = dict[tuple, list[tuple[int, ...]]]


class End(NamedTuple):
    """A result, or an exception, and the ways that end in it, each by the places of its mistakes in `Steps.made`."""

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
    """What pairs of mistakes in different steps come to, all of them or those that are `alive`.

    The ways of all pairs go through the steps side by side. Those that have the same values before a step go on as one,
    so nothing is computed twice. A way is known by the places of its mistakes: (), (i,) or (i, j).
    """
    alive = steps.pairs if alive is None else alive
    firsts, memory = {i for i, _ in alive}, Memory()
    start = {name: memory.number(value) for name, value in steps.start(given).items()}
    # numbers of the values by name -> the ways that have them: with at most one mistake, and with two
    open_ways: Ways = {tuple(start.items()): [()]}
    closed: Ways = {}
    for name, step in steps.steps.items():
        reads, writes = steps.names[name]
        before_open, before_closed = open_ways, closed
        open_ways, closed = defaultdict(list), defaultdict(list)
        for state, ways in before_closed.items():
            after = memory.taken(dict(state), step.right, reads, writes)
            closed[kept(after, steps.needed_after[name])] += ways
        for state, ways in before_open.items():
            values = dict(state)
            after = memory.taken(values, step.right, reads, writes)
            open_ways[kept(after, steps.read_after[name])] += ways
            for place, take in steps.ways_of[name]:
                pairs = [(*way, place) for way in ways if (*way, place) in alive]
                is_first = () in ways and place in firsts
                after = memory.taken(values, take, reads, writes) if pairs or is_first else {}
                if is_first:
                    open_ways[kept(after, steps.read_after[name])].append((place,))
                if pairs:
                    closed[kept(after, steps.needed_after[name])] += pairs
    ends = [*open_ways.items(), *closed.items()]
    return [end_of(memory.values[dict(state)["result"]], ways) for state, ways in ends]


def kept(values, names):
    """The numbers of the values that matter later."""
    return tuple([(name, values[name]) for name in names if name in values])


class Memory:
    """Equal values have one number, and no step is taken twice on the same."""

    def __init__(self):
        self.values, self.known, self.steps = [], {}, {}

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
    """The steps of an exercise and one more, in which something may be done to the result; without steps it is one itself."""
    names, few = " ".join(exercise.parameters), None
    steps = {"the exercise": Step(names, "result", exercise.mistakes, exercise.right)}
    if exercise.steps:
        names, steps, few = " ".join(exercise.steps.takes), exercise.steps.steps, exercise.steps.few
    at_end = inside(ENDS, to_each_part)
    return Steps(names, {**steps, END: Step("result", "result", at_end)}, few)


def to_each_part(change):
    """What changes a result, or each of several."""

    def way(result):
        parts = result if isinstance(result, tuple) else (result,)
        changed = tuple(change(np.asarray(part)) for part in parts)
        return changed if isinstance(result, tuple) else changed[0]

    return way
