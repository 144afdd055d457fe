"""An exercise that is made of steps, each right or wrong in a known way.

    STEPS = Steps("Q K", {
        "scores": Step("Q K", "scores", {"no-transpose": lambda Q, K: Q @ K}, products),
        "scale": Step("scores Q K", "result", SCALE_MISTAKES, by_root_of_width),
    })

Each step reads some values by name and writes one; the ways of its mistakes take what the step reads.
"""

from functools import cached_property
from itertools import chain
from typing import NamedTuple

from attn_checks.recognise.mistakes import inside, mistakes_of, told

FEW = 4  # ways of one mistake that are tried together with others: half a second does not do for more


class Step(NamedTuple):
    """One step: which values it reads and which it writes, by name, and the mistakes made in it."""

    reads: str
    writes: str
    mistakes: object  # a table; in Steps the mistakes of that table
    right: object = None  # None: nothing happens, unless a mistake is made that takes several steps at once
    fixed_first: bool = False  # a mistake in it turns round what is said of those in earlier steps


class Steps:
    """Named steps, one after the other; the last one writes "result"."""

    def __init__(self, takes, steps, few=FEW):
        self.takes, self.few = takes.split(), few
        self.steps = {
            name: step._replace(mistakes=mistakes_of(step.mistakes)) for name, step in steps.items()
        }
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

    def told(self, exercise, see):
        """The same steps with the words for their mistakes."""
        steps = {
            name: step._replace(mistakes=tuple(told(mistake, exercise, see) for mistake in step.mistakes))
            for name, step in self.steps.items()
        }
        return Steps(" ".join(self.takes), steps, self.few)

    def whole(self, ways):
        """The whole exercise as one function, some steps taken in other `ways`."""
        return lambda *given: self.walk(self.start(given), ways)["result"]

    def around(self, name):
        """What makes of a way to take one step the whole exercise, all other steps right."""
        return lambda way: self.whole({name: way})

    def lifted(self, name, mistake):
        """A mistake of one step as one of the whole; a condition on what the last step gives is one on the result."""
        whole = inside([mistake], self.around(name))[0]
        return whole._replace(shows=mistake.shows) if self.steps[name].writes == "result" else whole

    def mistakes(self):
        """The mistakes of all steps, lifted into the whole."""
        return tuple(
            self.lifted(name, each)
            for name, step in self.steps.items()
            if not self.is_aside(name)
            for each in step.mistakes
        )

    def is_aside(self, name):
        """Whether what a step writes is read by no other, unless a mistake is made there."""
        return not set(self.names[name][1]) & set(self.needed_after[name])

    def seconds_of(self, name):
        """The later steps in which a second mistake may meet one made in this step."""
        later = [other for other in self.order[self.place[name] + 1 :] if not self.is_aside(other)]
        if not self.is_aside(name):
            return later
        written = set(self.names[name][1])
        return [other for other in later if written & set(self.names[other][0])]

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
            name: [
                (name, mistake, way)
                for mistake in step.mistakes
                for way in mistake.ways[: None if self.is_aside(name) else self.few]
            ]
            for name, step in self.steps.items()
        }
        return [
            (first, [second for name in self.seconds_of(first[0]) for second in made[name]])
            for first in chain.from_iterable(made.values())
        ]
