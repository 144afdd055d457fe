"""Two mistakes in one answer: found by trying every pair, and named where no other pair does the same.

What all pairs give on one input is stacked, so that one comparison with the answer tells which of them are like it.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from attn_checks.errors.raised import Raised, words_of
from attn_checks.recognise.answer import Answer, Exercise
from attn_checks.recognise.mistakes import Mistake, with_zeros
from attn_checks.recognise.steps import Made, Steps
from attn_checks.run.compare import agree, as_arrays, close
from attn_checks.run.data import Outcome, imitate


def name_two(answer: Answer) -> Mistake | None:
    """The two mistakes, in two steps or one at the end, that together give the outcomes on every input, if no other two do."""
    if not tells_mistakes_apart(answer):
        return None
    for search in (in_two_steps, one_at_the_end):
        if pairs := search(answer):
            first, second = pairs[0]
            alone = [as_function(answer.exercise, made) for made in pairs[0]]
            names = {(one.mistake.short, other.mistake.short) for one, other in pairs}
            # where several fit, or the end alone, none is sure
            is_sure = len(names) == 1 and first.mistake.short and both_show(answer, alone)
            return told(answer.exercise, first, second) if is_sure else None
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


def as_function(exercise, made):
    """The whole exercise with one mistake alone."""
    if made.step == END:
        return at_the_end(exercise.right, made.way)
    return made.way if made.step == WHOLE else exercise.steps.whole({made.step: made.way})


def told(exercise, first, second):
    """Two mistakes as one, which says which to fix first."""
    lifted = first.mistake
    if first.step != WHOLE:
        steps = exercise.steps
        if not steps.steps[first.step].fixed_first and steps.steps[second.step].fixed_first:
            first, second = second, first
        lifted = steps.lifted(first.step, first.mistake)
    name, other = first.mistake.name, second.mistake.name
    return first.mistake._replace(
        name=f"in two steps, {name}" if name == other else f"{name}; {other}",
        say=f"Begin with the first one. About it alone: {first.mistake.say}",
        first=lifted,
    )


class Stacked:
    """Many results on one input; those of one shape are one array, with an axis in front that counts them."""

    def __init__(self, results: list[Outcome]):
        self.count, rows = len(results), defaultdict(list)
        self.raised: dict[str, list[int]] = defaultdict(list)
        for number, result in enumerate(results):
            if result.raised is not None:
                self.raised[result.words].append(number)
            elif result.values is not None:
                rows[tuple([(part.shape, part.dtype.kind) for part in result.values])].append(number)
        self.groups = [
            (
                np.array(numbers),
                [np.stack(parts) for parts in zip(*[results[i].values for i in numbers], strict=True)],
            )
            for numbers in rows.values()
        ]

    def like(self, mine: Outcome, exact: bool, strict: bool) -> np.ndarray:
        """Which results are like the learner's: a truth value each. Where `strict`, exceptions must say the same."""
        found = np.zeros(self.count, bool)
        if mine.raised is not None:
            for words, raising in self.raised.items():
                found[raising] = not strict or words == mine.words
            return found
        for numbers, stacks in self.groups:
            found[numbers] = like_each(stacks, mine.values, exact)
        return found

    def changed(self, change: Callable) -> "Stacked":
        """The same with each result changed; where it can't be changed so, it raises."""
        other = Stacked([])
        other.count = self.count
        other.raised.update({words: [*numbers] for words, numbers in self.raised.items()})
        for numbers, stacks in self.groups:
            try:
                other.groups.append((numbers, [change(stack) for stack in stacks]))
            except Exception as error:
                other.raised[words_of(error)].extend(numbers)
        return other


def like_each(stacks, values, exact):
    """Which rows of some stacks hold the same numbers as these arrays."""
    if values is None or [stack.shape[1:] for stack in stacks] != [value.shape for value in values]:
        return False
    if exact and [stack.dtype == bool for stack in stacks] != [value.dtype == bool for value in values]:
        return False
    alike = [
        close(stack, value).reshape(len(stack), -1).all(axis=1)
        for stack, value in zip(stacks, values, strict=True)
    ]
    return np.all(alike, axis=0)


# --- In two steps ---------------------------------------------------------------------------------


def in_two_steps(answer):
    """Pairs of mistakes in different steps that give the answer's outcomes on every input."""
    exercise, alive = answer.exercise, None
    for number in answer.order if exercise.steps else ():
        ends, stacked = all_ends(exercise, number) if alive is None else ends_on(exercise, number, alive)
        like = stacked.like(answer.outcomes[number], exercise.exact, answer.mostly_raises)
        alive = {pair for i in np.flatnonzero(like) for pair in ends[i].pairs}
        if not alive:
            return []
    made = exercise.steps.made if alive else []
    return [(made[i], made[j]) for i, j in sorted(alive or ())]


@cache
def all_ends(exercise: Exercise, number: int):
    """The ends of all pairs on one input, and what they come to, stacked."""
    return ends_on(exercise, number, None)


def ends_on(exercise, number, alive):
    ends = ends_of(exercise.steps, exercise.cases[number], alive)
    return ends, Stacked([end.outcome() for end in ends])


Ways = dict[tuple, list[tuple[int, ...]]]


class End(NamedTuple):
    """A result, or an exception, and the ways that end in it, each by the places of its mistakes in `Steps.made`."""

    value: object
    ways: list[tuple[int, ...]]

    @property
    def pairs(self) -> list[tuple[int, ...]]:
        return [way for way in self.ways if len(way) == 2]

    def outcome(self) -> Outcome:
        is_error = isinstance(self.value, Exception)
        return Outcome(None, Raised(words_of(self.value))) if is_error else Outcome(as_arrays(self.value))


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
        before_open, before_closed, open_ways, closed = (
            open_ways,
            closed,
            defaultdict(list),
            defaultdict(list),
        )
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
    return [End(memory.values[dict(state)["result"]], ways) for state, ways in ends]


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


def exchanged(stack):
    if stack.ndim < 3:
        raise ValueError("a single row has no columns")
    return stack.swapaxes(-1, -2)


def without_row(stack, row):
    """Each result with one row set to 0, or with one entry of a single row."""
    return np.stack(list(map(with_zeros(row), stack)))


WHOLE, END = "the exercise", "the end"
# What may be done to any result at the end, beside another mistake: the ways take many results, stacked.
ENDS = (
    Mistake(
        "rounded",
        "the result is rounded",
        say="You round the result. Round when you print.",
        ways=[partial(np.round, decimals=digits) for digits in range(7)],
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
        ways=[lambda stack: stack[:, None], lambda stack: stack[..., None]],
    ),
    Mistake(
        "a-row-left-out",
        "a row is left out",
        say=(
            "One row of your result is never filled, so it stays 0. Does the loop begin at 0, and reach "
            "the end?"
        ),
        ways=[partial(without_row, row=-1), partial(without_row, row=0)],
    ),
)


def one_at_the_end(answer):
    """Pairs of a mistake of the exercise, or none, and one at the end that give the answer's outcomes on every input."""
    exercise = answer.exercise
    none = Made(WHOLE, Mistake("", "", ways=[exercise.right], say=""), exercise.right)
    whole = [none, *(Made(WHOLE, mistake, way) for mistake in exercise.mistakes for way in mistake.ways)]
    ends = [Made(END, mistake, way) for mistake in ENDS for way in mistake.ways]
    alive = {(i, j) for i in range(len(whole)) for j in range(len(ends))}
    for number in answer.order:
        rows = sorted({i for i, _ in alive})
        stacked = Stacked([exercise.imitated(whole[i].way, number) for i in rows])
        for j in sorted({j for _, j in alive}):
            like = stacked.changed(ends[j].way).like(
                answer.outcomes[number], exercise.exact, answer.mostly_raises
            )
            alive -= {(i, j) for i, is_like in zip(rows, like, strict=True) if not is_like}
        if not alive:
            break
    return [(whole[i], ends[j]) for i, j in sorted(alive)]


def at_the_end(right, change):
    """The right answer with its result changed."""

    def way(*given):
        result = right(*given)
        parts = result if isinstance(result, tuple) else (result,)
        return tuple(change(np.asarray(part)[None])[0] for part in parts)

    return way
