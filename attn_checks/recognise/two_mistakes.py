"""Two mistakes in one answer: found by trying every pair, and named where no other pair does the same."""

from functools import cache

import numpy as np

from attn_checks.errors.raised import words_of
from attn_checks.recognise.mistakes import Mistake
from attn_checks.recognise.steps import Step, Steps
from attn_checks.run.compare import agree, as_arrays, mostly_raises
from attn_checks.run.data import Outcome, imitate


def each_part(change):
    """What changes each result; where one can't be changed so, it raises."""
    return lambda result: (
        tuple(map(change, result)) if isinstance(result, tuple) else change(np.asarray(result))
    )


def with_zeros(row):
    """What sets one row to 0, or one entry of a single row."""

    def change(array):
        array = array.copy()
        array[(..., row, slice(None)) if array.ndim > 1 else row] = 0
        return array

    return change


# what may be done to any result at the end, beside another mistake
ENDS = (
    Mistake(
        "rounded",
        "the result is rounded",
        say="You round the result. Round when you print.",
        ways=[each_part(lambda array, n=n: np.round(array, n)) for n in range(7)],
    ),
    Mistake(
        "whole-numbers",
        "the decimals are cut off",
        say="Your result holds whole numbers. Is its dtype int?",
        ways=[each_part(np.trunc)],
    ),
    Mistake(
        "transposed",
        "rows and columns are exchanged",
        say="You return the transpose of the result. Leave it out.",
        ways=[each_part(lambda array: array.swapaxes(-1, -2))],
    ),
    Mistake(
        "axis-too-many",
        "one axis too many",
        say="Your result has one axis too many.",
        ways=[each_part(lambda array: array[None]), each_part(lambda array: array[..., None])],
    ),
    Mistake(
        "a-row-left-out",
        "a row is left out",
        say="One row of your result is never filled, so it stays 0. Does the loop begin at 0, and reach the end?",
        ways=[each_part(with_zeros(-1)), each_part(with_zeros(0))],
    ),
)


@cache
def whole_and_end(exercise):
    """The exercise as two steps, all of it and what may be done to its result at the end."""
    takes, right = " ".join(exercise.parameters), exercise.right
    none = Mistake("", "", ways=[right], say="")
    whole = Step(takes, "result", (none, *exercise.mistakes), right)
    return Steps(
        takes, {"whole": whole, "end": Step("result", "result", ENDS, lambda result: result)}, few=None
    )


def name_two(exercise, outcomes, order, wrong):
    """The two mistakes, in two steps or one at the end, that together give the outcomes on every input, if no other two do."""
    arrays = [array for outcome in outcomes for array in outcome.values or ()]
    is_full = all(a.all() if exercise.exact else a.dtype == bool for a in arrays)
    if is_full or not any(np.count_nonzero(a) > np.count_nonzero(a != a) for a in arrays):
        return None  # all results are 0, NaN or truth values, to which many pairs come by chance
    strict = mostly_raises(outcomes, wrong)
    for steps in filter(None, (exercise.steps, whole_and_end(exercise))):
        alive = steps.pairs
        for number in order:
            ends = ends_on(exercise, steps, number)
            is_like = Likeness(outcomes[number], exercise.exact, strict)
            alive = [(first, [s for s in seconds if is_like(ends.of(first, s))]) for first, seconds in alive]
            alive = [(first, seconds) for first, seconds in alive if seconds]
        pairs = [(first, second) for first, seconds in alive for second in seconds]
        # where several fit, or the end alone, none is sure
        is_sure = len({(first.short, second.short) for (_, first, _), (_, second, _) in pairs}) == 1
        if pairs:
            is_sure = is_sure and pairs[0][0][1].short and both_show(exercise, steps, outcomes, pairs[0])
            return told(steps, pairs[0]) if is_sure else None
    return None


def both_show(exercise, steps, outcomes, pair):
    """Whether each of two mistakes is seen in numbers: alone, it gives others than the answer somewhere."""
    given = [(case, got) for case, got in zip(exercise.cases, outcomes, strict=False) if got.raised is None]
    alone = [steps.whole({step: way}) for step, _, way in pair]
    return all(
        any(not agree(imitate(one, case), got, exercise.exact) for case, got in given) for one in alone
    )


def told(steps, pair):
    """Two mistakes as one, which says which to fix first."""
    step, mistake, _ = min(pair, key=lambda made: not steps.steps[made[0]].fixed_first)
    other = next((made[1].name for made in pair if made[1] is not mistake), mistake.name)
    return mistake._replace(
        name=f"in two steps, {other}" if other == mistake.name else f"{mistake.name}; {other}",
        say=f"Begin with the first one. About it alone: {mistake.say}",
        first=steps.lifted(step, mistake),
    )


class Memory:
    """Keeps equal arrays as one object, so that the same step on the same values is taken once."""

    def __init__(self):
        self.kept, self.applied = {}, {}

    def keep(self, value):
        if isinstance(value, tuple):
            value = tuple(map(self.keep, value))
            return self.kept.setdefault(tuple(map(id, value)), value)
        if isinstance(value, np.ndarray):
            return self.kept.setdefault((value.shape, value.dtype.str, value.tobytes()), value)
        return self.kept.setdefault(id(value), value)

    def apply(self, way, *values):
        key = (way, *map(id, values))
        if key not in self.applied:
            failed = next((value for value in values if isinstance(value, Exception)), None)
            self.applied[key] = self.keep(failed or self.attempt(way, values))
        return self.applied[key]

    def attempt(self, way, values):
        try:
            return way(*values)
        except Exception as error:  # a mistake may well end in one
            return error


@cache
def ends_on(exercise, steps, number):
    return Ends(steps, exercise.cases[number])


class Ends:
    """What two mistakes come to on one input; what leads to the same values before a step is tried once from there."""

    def __init__(self, steps, case):
        self.steps, self.memory = steps, Memory()
        self.start = steps.start(map(self.memory.keep, case))
        self.states, self.second_taken, self.ends, self.numbers = {}, {}, {}, {}

    def of(self, first, second):
        """The result, or the exception; results that are equal are one object."""
        name, _, way = second
        values, alike = self.before_each_step_after(first)[name]
        key = id(second), alike
        if key not in self.second_taken:
            self.second_taken[key] = self.end(self.steps.take(values, name, way, self.memory.apply), name)
        return self.second_taken[key]

    def before_each_step_after(self, first):
        """After a first mistake: the values before each later step, and a number, the same for the same values."""
        if id(first) not in self.states:
            name, _, way = first
            values = self.steps.walk(self.start, {name: way}, self.memory.apply, until=name)
            passed = self.states[id(first)] = {}
            for later in self.steps.order[self.steps.place[name] + 1 :]:
                needed = {*self.steps.names[later][0], *self.steps.needed_after[later]}
                alike = later, same_objects(values, sorted(needed))
                passed[later] = values, self.numbers.setdefault(alike, len(self.numbers))
                values = self.steps.take(values, later, self.steps.steps[later].right, self.memory.apply)
        return self.states[id(first)]

    def end(self, values, name):
        """The result of all steps after this one, taken rightly."""
        key = name, same_objects(values, self.steps.needed_after[name])
        if key not in self.ends:
            self.ends[key] = self.steps.walk(values, {}, self.memory.apply, after=name)["result"]
        return self.ends[key]


def same_objects(values, names):
    return tuple(id(values.get(name)) for name in names)


class Likeness:
    """Whether results, or exceptions, are what a learner's function came to on the same input; one object is looked at once."""

    def __init__(self, outcome, exact, strict):
        self.outcome, self.exact = outcome, exact
        self.strict = strict  # few numbers speak: exceptions must be the same
        self.seen = {}

    def __call__(self, value):
        if id(value) not in self.seen:
            self.seen[id(value)] = self.is_like(value)
        return self.seen[id(value)]

    def is_like(self, value):
        outcome = self.outcome
        if isinstance(value, Exception):
            return outcome.raised is not None and (not self.strict or words_of(value) == outcome.raised.words)
        return agree(Outcome(as_arrays(value)), outcome, self.exact)
