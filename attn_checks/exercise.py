"""What an exercise is: its right answer, named inputs, and the mistakes that people make.

An exercise is written once, by a decorator on its right answer:

    @exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax")
    def softmax(x):
        \"\"\"Check `f(x)` → softmax over the last axis. Returns Feedback.\"\"\"
        return maths.softmax(x)

What is said of its mistakes, and where to look again, is below `## softmax` in mistakes.md of its lesson.
From then on `softmax` is the checker that learners call, and EXERCISES["softmax"] all that is known of it.
"""

import inspect
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType, MethodType

import numpy as np

from attn_checks.call import imitate
from attn_checks.check import array_of, check  # noqa: F401
from attn_checks.compare import SMALLEST, agree, close, no_array, same, told_apart  # noqa: F401
from attn_checks.kept import keep
from attn_checks.messages import Feedback, also, look_again, not_attempted, say  # noqa: F401
from attn_checks.mistake import (  # noqa: F401  what a table is written with
    Mistake,
    Shown,
    again,
    each,
    inside,
    merged,
    mistakes_of,
    only,
    result_is,
    table,
    told,
    told_in,
    with_each,
    without,
)
from attn_checks.progress import record
from attn_checks.steps import Step, Steps, always, choices  # noqa: F401
from attn_checks.two_mistakes import with_zeros  # noqa: F401
from attn_checks.words import sections

EXERCISES = {}  # name -> Exercise, in the order of the lessons


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


def exercise(*, inputs, mistakes=None, result="result", steps=None, see="", see_nan="", **others):
    """Make of a right answer the checker of an exercise; a second one of the same name is a ValueError.

    inputs: name of an input, for what it tells apart, to its arguments: a tuple, or a function of `draw` that makes
    one. `draw(2, 3)` is an array of whole numbers from -3 to 3, the same at every start.
    mistakes: a table, or several; those of the steps unless given. Where two give the same numbers on every input, the
    earlier one is named.
    result: name of what the function returns, or a tuple of names.
    steps, others: fields of Exercise.
    """

    def make(right):
        name = right.__name__
        if name in EXERCISES:
            raise ValueError(f"there are two exercises named {name}")
        section = sections().get(name)
        look = see or section.see
        made = steps.mistakes() if mistakes is None else mistakes_of(mistakes)
        asked = EXERCISES[name] = Exercise(
            name=name,
            right=right,
            parameters=tuple(inspect.signature(right).parameters),
            inputs={name: arguments(name, given) for name, given in inputs.items()},
            mistakes=tuple(told(mistake, name, look) for mistake in made),
            results=(result,) if isinstance(result, str) else result,
            steps=steps and steps.told(name, look),
            see=look,
            see_nan=see_nan or (section.see_nan if section else ""),
            **others,
        )
        return checker_of(asked)

    return make


def checker_of(asked):
    """The function that learners call: named and documented as the right answer is."""
    asked.wanted  # noqa: B018  worked out now, before anybody can change what it is worked out with

    def checker(function: Callable) -> Feedback:
        return checked(asked, function)

    checker.__name__ = checker.__qualname__ = asked.name
    checker.__doc__, checker.__module__ = asked.right.__doc__, __package__
    return checker


def checked(asked, function):
    """Feedback on a function, remembered for `progress`."""
    feedback = check(asked, function)
    if feedback.status == "passed":
        feedback = also(feedback, keep(asked, function))
    return record(own_name(function, asked.name), feedback)


def own_name(function, otherwise):
    """The name that a learner gave a function: two exercises of a lesson may have the same right answer."""
    name = function.__name__ if type(function) in (FunctionType, MethodType) else otherwise
    return name if isinstance(name, str) and name.isidentifier() else otherwise


def looks_like(
    name: str, key: str, lines: Iterable[str] = (), tables: Iterable = (), **said: str
) -> Feedback:
    """Feedback on an answer that is no function: a mistake of the exercise `name`, told below its key in mistakes.md.

    lines: what is said first. said: by name, what stands in its words where they have {name}.
    """
    section = sections()[name]
    words = section.mistakes[key]
    title = f"{name}: not yet. Looks like: {words.name.format(**said)}."
    lines = [*lines, words.say.format(**said), look_again(words.see or section.see)]
    return say("incorrect", key.partition(" (")[0], title, lines, tables)


def mask_of(*rows):
    """A mask from rows such as "101", for inputs."""
    return np.array([[cell == "1" for cell in row] for row in rows])


def arguments(name, given):
    """The arguments of one input; arrays cannot be written to."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))  # the name alone decides what is drawn
    drawn = given(lambda *shape: rng.integers(-3, 4, shape).astype(float)) if callable(given) else given
    for argument in drawn:
        for array in argument if isinstance(argument, list) else [argument]:
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    return drawn
