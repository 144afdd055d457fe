"""One answer to an exercise: who is asked, what came of it on each input, and on which inputs it is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from attn_checks.recognise.mistakes import Mistake
from attn_checks.recognise.steps import Steps
from attn_checks.run.child import Caller
from attn_checks.run.compare import agree
from attn_checks.run.data import Case, Outcome, imitate


@dataclass(frozen=True, eq=False)  # each is one of its kind
class Exercise:
    """All that is known of one exercise."""

    name: str
    right: Callable
    parameters: tuple[str, ...]  # they head the tables that a learner sees
    inputs: dict[str, Case]  # name -> arguments, smallest first
    mistakes: tuple[Mistake, ...]
    results: tuple[str, ...]  # names of what the function returns
    see: str  # where to look when no mistake is recognised
    see_nan: str = ""  # and where if there is a NaN; `see` if empty
    exact: bool = False  # booleans are asked for, not any numbers
    steps: Steps | None = None  # what it is made of: any two mistakes in different steps are recognised too
    mix: Callable | None = None  # (arguments, weights) -> output, to tell which of the two goes wrong first
    # (ask, arguments, wanted, got) -> what is true of unnamed wrong numbers, a sentence or "";
    # `ask(*arguments)` is what the learner's function gives there, or None
    own: Callable | None = None
    made: dict = field(default_factory=dict, repr=False)  # what imitations have given so far

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        return tuple(self.inputs.values())

    @cached_property
    def wanted(self) -> tuple[Outcome, ...]:
        return tuple(imitate(self.right, case) for case in self.cases)

    def imitated(self, way: Callable, number: int) -> Outcome:
        """What one way to make a mistake gives on one input; computed once."""
        if (way, number) not in self.made:
            self.made[way, number] = imitate(way, self.cases[number])
        return self.made[way, number]

    def on_other_inputs(self) -> "Exercise":
        """The same on inputs that nobody knows before: columns are shuffled, drawn anew at each call."""
        return replace(self, inputs={name: shuffled(case) for name, case in self.inputs.items()}, made={})

    @np.errstate(all="ignore")
    def shows(self, way: Callable, number: int) -> bool:
        """Whether a way to make a mistake gives something else than the right answer on one input."""
        return not agree(self.imitated(way, number), self.wanted[number], self.exact)

    def known(self) -> Iterator[Mistake]:
        """The mistakes that show on some input, each with those of its ways that do."""
        numbers = range(len(self.cases))
        for mistake in self.mistakes:
            ways = [way for way in mistake.ways if any(self.shows(way, i) for i in numbers)]
            if ways or mistake.shows:
                yield mistake._replace(ways=ways)


def shuffled(case):
    """A case with the columns of its arrays in another order, the same for all of the same width."""
    orders = {}
    chance = np.random.default_rng()

    def other(value):
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [other(part) for part in value]
        if not isinstance(value, np.ndarray) or not value.ndim:
            return value
        width = value.shape[-1]
        return value[..., orders.setdefault(width, chance.permutation(width))]

    return tuple(map(other, case))


class Answer:
    """A learner's answer to an exercise."""

    def __init__(self, exercise: Exercise, caller: Caller):
        self.exercise = exercise
        self.caller = caller
        self.outcomes = caller.outcomes(exercise.cases)
        pairs = enumerate(zip(self.outcomes, exercise.wanted, strict=False))
        self.wrong = [i for i, (mine, right) in pairs if not agree(mine, right, exercise.exact)]

    @cached_property
    def order(self) -> list[int]:
        """The numbers of the inputs, the wrong ones first: most mistakes are told apart by the first."""
        return self.wrong + [i for i in range(len(self.outcomes)) if i not in self.wrong]

    @cached_property
    def wrong_numbers(self) -> list[int]:
        """The inputs on which wrong numbers came out, not an exception."""
        return [i for i in self.wrong if self.outcomes[i].raised is None]

    @property
    def mostly_raises(self) -> bool:
        """Whether numbers say little: most wrong inputs raised, or the function can't be called."""
        raised = [self.outcomes[i].raised for i in self.wrong]
        if any(each and each.mistake == "wrong-parameters" for each in raised):
            return True
        return 2 * len(self.wrong_numbers) < len(self.wrong)

    def holds(self, condition: Callable) -> bool:
        """Whether a mistake's condition holds wherever wrong numbers came out."""
        both = [(self.exercise.wanted[i], self.outcomes[i]) for i in self.wrong_numbers]
        return bool(both) and all(condition(*each) for each in both)

    def is_made_by(self, way: Callable) -> bool:
        """Whether one way to make a mistake does what the learner's function did, on every input."""
        imitated = self.exercise.imitated
        exact = self.exercise.exact
        for i in self.order:
            if not agree(imitated(way, i), self.outcomes[i], exact):
                return False
        if self.wrong_numbers:
            return True
        # where no number speaks, any broken function raises like any other: then the errors must be the same
        return all(imitated(way, i).words == self.outcomes[i].words for i in self.order)
