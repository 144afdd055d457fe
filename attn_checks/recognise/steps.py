"""An exercise that is made of steps, each right or wrong in a known way.

    STEPS = Steps("Q K", {
        "scores": Step("Q K", "scores", {"no-transpose": lambda Q, K: Q @ K}, products),
        "scale": Step("scores Q K", "result", SCALE_MISTAKES, by_root_of_width),
    })

Each step reads some values by name and writes one; the ways of its mistakes take what the step reads.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from attn_checks.recognise.mistakes import Mistake, inside, mistakes_of, told

FEW = 4  # ways of one mistake that are tried together with others: half a second does not do for more


class Step(NamedTuple):
    """One step: which values it reads and which it writes, by name, and the mistakes made in it."""

    reads: str
    writes: str
    mistakes: Any  # a table; in Steps the mistakes of that table
    # without it nothing happens, unless a mistake is made that takes several steps at once
    right: Callable | None = None
    fixed_first: bool = False  # a mistake in it turns round what is said of those in earlier steps


class Made(NamedTuple):
    """One way of a mistake, made in one step."""

    step: str
    mistake: Mistake
    way: Callable


class Steps:
    """Named steps, one after the other; the last one writes "result"."""

    def __init__(self, takes: str, steps: dict[str, Step], few: int | None = FEW):
        self.takes = takes.split()
        self.few = few
        self.steps = {
            name: step._replace(mistakes=mistakes_of(step.mistakes)) for name, step in steps.items()
        }
        self.names = {name: (step.reads.split(), step.writes.split()) for name, step in steps.items()}

    def after(self, name: str) -> list[str]:
        """The names of the steps after this one."""
        order = list(self.steps)
        return order[order.index(name) + 1 :]

    def read_after(self, name: str) -> set[str]:
        """What any later step reads, and the result."""
        return {"result"}.union(*[self.names[later][0] for later in self.after(name)])

    def walk(self, values: dict, ways: dict[str, Callable]) -> dict:
        """The values by name after all steps, some of them taken in other `ways`."""
        for name, step in self.steps.items():
            way = ways.get(name, step.right)
            if way is not None:
                reads, writes = self.names[name]
                written = way(*[values[read] for read in reads])
                several = written if len(writes) > 1 else [written]
                values = values | dict(zip(writes, several, strict=True))
        return values

    def told(self, exercise: str, see: str) -> "Steps":
        """The same steps with the words for their mistakes."""
        steps = {
            name: step._replace(mistakes=tuple(told(mistake, exercise, see) for mistake in step.mistakes))
            for name, step in self.steps.items()
        }
        return Steps(" ".join(self.takes), steps, self.few)

    def whole(self, ways: dict[str, Callable]) -> Callable:
        """The whole exercise as one function, some steps taken in other `ways`."""
        return lambda *given: self.walk(self.start(given), ways)["result"]

    def lifted(self, name, mistake):
        """A mistake of one step as one of the whole; a condition on the last step is one on the result."""
        whole = inside([mistake], lambda way: self.whole({name: way}))[0]
        if self.steps[name].writes != "result":
            return whole
        return whole._replace(shows=mistake.shows)

    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of all steps, lifted into the whole."""
        found: list[Mistake] = []
        for name, step in self.steps.items():
            if not self.is_aside(name):
                found += [self.lifted(name, mistake) for mistake in step.mistakes]
        return tuple(found)

    def is_aside(self, name):
        """Whether what a step writes is read by no other, unless a mistake is made there."""
        later = [other for other in self.after(name) if self.steps[other].right]
        return "result" not in self.names[name][1] and not self.is_read_by(name, later)

    def is_read_by(self, name, others):
        writes = self.names[name][1]
        read = {each for other in others for each in self.names[other][0]}
        return not read.isdisjoint(writes)

    def meet(self, name, later):
        """Whether a mistake in a later step may meet one made in this step."""
        return not self.is_aside(later) and (not self.is_aside(name) or self.is_read_by(name, [later]))

    def start(self, given):
        """The values by name before the first step."""
        return dict.fromkeys(self.takes) | dict(zip(self.takes, given, strict=False))

    @cached_property
    def made(self) -> list[Made]:
        """The ways of mistakes that are tried together, in the order of their steps."""
        found = []
        for name, step in self.steps.items():
            few = None if self.is_aside(name) else self.few
            for mistake in step.mistakes:
                found += [Made(name, mistake, way) for way in mistake.ways[:few]]
        return found

    @cached_property
    def ways_of(self) -> dict[str, list[tuple[int, Callable]]]:
        """The same by step: their places and ways."""
        found: dict[str, list] = {name: [] for name in self.steps}
        for i, made in enumerate(self.made):
            found[made.step].append((i, made.way))
        return found

    @cached_property
    def pairs(self) -> set[tuple[int, int]]:
        """The places of any two of them in two different steps."""
        found = set()
        for name in self.steps:
            for later in self.after(name):
                if self.meet(name, later):
                    both = product(self.ways_of[name], self.ways_of[later])
                    found |= {(i, j) for (i, _), (j, _) in both}
        return found


def always(choice: object) -> Callable:
    """A step that makes this choice."""
    return lambda: choice


def choices(takes: str, whole: Callable, **each: tuple) -> Steps:
    """Steps of an exercise that is one loop: each makes a choice, and the last runs `whole` with all by name.

    each: name of a choice to the right one and a table, whose ways are wrong choices.
    """
    count = len(takes.split())
    steps = {
        name: Step("", name, inside(wrong, always), always(right)) for name, (right, wrong) in each.items()
    }

    def run(*values):
        return whole(*values[:count], **dict(zip(each, values[count:], strict=True)))

    return Steps(takes, steps | {"run": Step(" ".join([takes, *each]), "result", (), run)})
