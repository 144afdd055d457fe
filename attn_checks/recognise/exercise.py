"""What is known of one exercise: its right answer, its inputs, its mistakes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attn_checks.run.compare import agree
from attn_checks.run.data import imitate


@dataclass(frozen=True, eq=False)  # each is one of its kind
class Exercise:
    """All that is known of one exercise."""

    name: str
    right: Callable
    parameters: tuple  # their names head the tables that a learner sees
    inputs: dict  # name -> arguments, smallest first
    mistakes: tuple
    results: tuple  # names of what the function returns
    see: str  # where to look when no mistake is recognised
    see_nan: str = ""  # and where if there is a NaN; `see` if empty
    exact: bool = False  # booleans are asked for, not any numbers
    steps: object = None  # Steps it is made of: any two mistakes in different steps are recognised too
    mix: Callable | None = None  # (arguments, weights) -> output, to tell which of the two goes wrong first
    # (ask, arguments, wanted, got) -> what is true of unnamed wrong numbers, a sentence or "";
    # `ask(*arguments)` is what the learner's function gives there, or None
    own: Callable | None = None
    made: dict = field(default_factory=dict, repr=False)  # what imitations have given so far

    @cached_property
    def cases(self):
        return tuple(self.inputs.values())

    @cached_property
    def wanted(self):
        return tuple(imitate(self.right, case) for case in self.cases)

    def imitated(self, way, number):
        """What one way to make a mistake gives on one input; computed once."""
        if (way, number) not in self.made:
            self.made[way, number] = imitate(way, self.cases[number])
        return self.made[way, number]

    def known(self):
        """The mistakes that show on some input, each with those of its ways that do."""
        for mistake in self.mistakes:
            ways = [way for way in mistake.ways if self.is_shown(way)]
            if ways or mistake.shows:
                yield mistake._replace(ways=ways)

    @np.errstate(all="ignore")
    def is_shown(self, way):
        numbers = range(len(self.cases))
        return any(not agree(self.imitated(way, i), self.wanted[i], self.exact) for i in numbers)
