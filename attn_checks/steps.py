"""An exercise that is made of steps, each right or wrong in a known way; and two mistakes made in two of them.

    STEPS = Steps("Q K", {
        "scores": Step("Q K", "scores", SCORE_MISTAKES, products),
        "scale": Step("scores Q K", "result", SCALE_MISTAKES, by_root_of_width),
    })

Each step reads some values by name and writes one; the ways of its mistakes take what the step reads.
"""

from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from attn_checks.comparing import agree, as_arrays
from attn_checks.errors import words_of
from attn_checks.exercise import inside
from attn_checks.running import Outcome, mostly_raises

FEW = 4  # ways of one mistake that are tried together with others: half a second does not do for more


class Step(NamedTuple):
    """One step: which values it reads and which it writes, by name, and the mistakes made in it."""

    reads: str
    writes: str
    mistakes: tuple
    right: object = (
        None  # None: nothing happens, unless a mistake is made (one that takes several steps at once)
    )


class Steps:
    """Named steps, one after the other; the last one writes "result"."""

    def __init__(self, takes, steps):
        self.takes, self.steps, self.memories = takes.split(), steps, {}
        self.order = list(steps)
        self.place = {name: i for i, name in enumerate(self.order)}
        self.names = {name: (step.reads.split(), step.writes.split()) for name, step in steps.items()}
        self.needed_after = {
            name: sorted(
                {each for later in self.order[i + 1 :] if steps[later].right for each in self.names[later][0]}
                | {"result"}
            )
            for name, i in self.place.items()
        }

    def around(self, name):
        """What makes of a way to take one step the whole exercise, all other steps right."""
        return lambda way: lambda *given: self.walk(self.start(given), {name: way})["result"]

    def mistakes(self):
        """The mistakes of all steps, lifted into the whole."""
        return tuple(
            lifted for name, step in self.steps.items() for lifted in inside(step.mistakes, self.around(name))
        )

    def start(self, given):
        """The values by name before the first step."""
        return {name: None for name in self.takes} | dict(zip(self.takes, given, strict=False))

    def walk(self, values, ways, apply=lambda way, *values: way(*values), after=None, until=None):
        """The values by name when some steps were taken in other `ways`: all steps, or those after and until two."""
        first = 0 if after is None else self.place[after] + 1
        last = len(self.order) if until is None else self.place[until] + 1
        for name in self.order[first:last]:
            values = self.take(values, name, ways.get(name, self.steps[name].right), apply)
        return values

    def take(self, values, name, way, apply):
        """The values by name after one step more."""
        if way is None:
            return values
        reads, writes = self.names[name]
        written = apply(way, *[values[each] for each in reads])
        several = len(writes) > 1 and not isinstance(written, Exception)
        return values | (
            dict(zip(writes, written, strict=True)) if several else dict.fromkeys(writes, written)
        )

    @cached_property
    def pairs(self):
        """Any two ways to make mistakes in two different steps: each first one with all its seconds."""
        made = {
            name: [(name, mistake, way) for mistake in step.mistakes for way in mistake.ways[:FEW]]
            for name, step in self.steps.items()
        }
        later = {name: self.order[i + 1 :] for i, name in enumerate(self.order)}
        return [
            (first, [second for name in later[first[0]] for second in made[name]])
            for first in chain.from_iterable(made.values())
        ]

    def name_two(self, exercise, outcomes, order, wrong):
        """The two mistakes that together give the outcomes on every input, if no other two do; or what is sure."""
        strict = mostly_raises(outcomes, wrong)
        alive = self.pairs
        for i in order:
            fits = self.like(exercise, i, outcomes[i], strict)
            alive = [(first, [s for s in seconds if fits(first, s)]) for first, seconds in alive]
            alive = [(first, seconds) for first, seconds in alive if seconds]
        return self.what_is_sure([(first, second) for first, seconds in alive for second in seconds])

    def like(self, exercise, number, outcome, strict):
        """A function of two mistakes: whether together they come to an outcome on one input.

        Where few numbers speak, `strict`, exceptions must be the same.

        Whatever leads to the same values before a step is tried once from there.
        """
        memory = self.memories.setdefault((exercise.name, number), Memory())
        start = self.start(map(memory.keep, exercise.cases[number]))
        on_the_way, found, ends = {}, {}, {}

        def states(first):
            """The values before each step that comes after a mistake."""
            if id(first) not in on_the_way:
                values, at = (
                    self.walk(start, {first[0]: first[2]}, memory.apply, until=first[0]),
                    self.place[first[0]],
                )
                passed = on_the_way[id(first)] = {}
                for name in self.order[at + 1 :]:
                    needed = {*self.names[name][0], *self.needed_after[name]}
                    passed[name] = values, tuple(id(values.get(each)) for each in sorted(needed))
                    values = self.take(values, name, self.steps[name].right, memory.apply)
            return on_the_way[id(first)]

        def ends_alike(values, name):
            key = name, *(id(values.get(each)) for each in self.needed_after[name])
            if key not in ends:
                result = self.walk(values, {}, memory.apply, after=name)["result"]
                ends[key] = is_like(result, outcome, exercise.exact, strict)
            return ends[key]

        def fits(first, second):
            name, _, way = second
            values, alike = states(first)[name]
            key = id(second), alike
            if key not in found:
                found[key] = ends_alike(self.take(values, name, way, memory.apply), name)
            return found[key]

        return fits

    def what_is_sure(self, pairs):
        """Of all pairs that fit what they have in common: the pair, one mistake of it, or nothing."""
        names = {(first.short, second.short) for (_, first, _), (_, second, _) in pairs}
        common = set.intersection(*map(set, names)) if names else set()
        sure = [made for pair in pairs for made in pair if made[1].short in common]
        if not sure:
            return None
        step, mistake, _ = sure[0]
        both = f"two mistakes, {mistake.name}, and {pairs[0][1][1].name}"
        one = f"two mistakes, one of them: {mistake.name}"
        return mistake._replace(
            name=both if len(names) == 1 else one,
            say=f"Mend this one first: {mistake.say}",
            first=inside([mistake], self.around(step))[0],
        )


def is_like(value, outcome, exact, strict):
    """Whether a value, or an exception, is what a learner's function came to on the same input."""
    if isinstance(value, Exception):
        return outcome.raised is not None and (not strict or words_of(value) == words_of(outcome.raised))
    return agree(Outcome(as_arrays(value)), outcome, exact)


class Memory:
    """Equal arrays are kept as one object, so that the same step on the same values is taken once."""

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
