"""What an exercise is: its right answer, named inputs, and the mistakes that people make.

An exercise is written once, by a decorator on its right answer:

    @exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax")
    def softmax(x):
        \"\"\"Check `f(x)` → softmax over the last axis. Returns Feedback.\"\"\"
        return maths.softmax(x)

What is said of its mistakes, and where to look again, is below `## softmax` in mistakes.md of its lesson.
From then on `softmax` is the checker that learners call, and EXERCISES["softmax"] all that is known of it.
It is found by its place: the decorated function has the name of its file in attn_lessons/lessonNN.
"""

import functools
import importlib
import inspect
import zlib
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MethodType

import numpy as np

from attn_checks.ask.progress import record, task
from attn_checks.check import check
from attn_checks.kept import overcome
from attn_checks.kept.file import keep
from attn_checks.recognise.answer import Exercise
from attn_checks.recognise.mistakes import (
    Mistake,
    Shown,
    each,
    in_orders,
    inside,
    merged,
    mistakes_of,
    only,
    result_is,
    told,
    told_in,
    with_each,
    with_zeros,
    without,
)
from attn_checks.recognise.steps import Step, Steps, always, choices
from attn_checks.recognise.words import LESSONS, section_of
from attn_checks.run.compare import SMALLEST, close, same
from attn_checks.tell.feedback import Feedback, also, name_list, not_attempted, say, told_apart
from attn_checks.tell.shape import array_of, no_array

__all__ = [  # what the lessons' files are written with
    "SMALLEST",
    "Feedback",
    "Mistake",
    "Shown",
    "Step",
    "Steps",
    "always",
    "array_of",
    "choices",
    "close",
    "each",
    "exercise",
    "in_orders",
    "inside",
    "looks_like",
    "mask_of",
    "merged",
    "name_list",
    "no_array",
    "not_attempted",
    "only",
    "record",
    "result_is",
    "same",
    "say",
    "task",
    "told_apart",
    "told_in",
    "with_each",
    "with_zeros",
    "without",
]
NO_EXERCISES = {"explorer", "pictures"}  # nor any file that starts with _
EXERCISES: dict[str, Exercise] = {}  # name -> Exercise, in the order of the lessons


def exercise(*, inputs, mistakes=None, result="result", steps=None, see="", see_nan="", **others):
    """Make of a right answer the checker of an exercise; a second one of the same name is a ValueError.

    inputs: name of an input, for what it tells apart, to its arguments: a tuple, or a function of `draw` that
    makes one. `draw(2, 3)` is an array of whole numbers from -3 to 3, the same at every start.
    mistakes: a table, or several; those of the steps unless given. Where two give the same numbers on every
    input, the earlier one is named.
    result: name of what the function returns, or a tuple of names.
    steps, others: fields of Exercise.
    """

    def make(right):
        name = right.__name__
        if name in EXERCISES:
            raise ValueError(f"there are two exercises named {name}")
        look = see or section_of(name).see
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
            see_nan=see_nan if see else section_of(name).see_nan,
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
    checker.__doc__ = asked.right.__doc__
    checker.__module__ = __package__
    return checker


def checked(asked, function):
    """Feedback on a function, remembered for `progress`."""
    feedback = check(asked, function)
    overcome.note(asked.name, feedback)
    if feedback.status == "passed":
        feedback = also(feedback, keep(asked, function))
    name = own_name(function, asked.name)
    return record(name, feedback, task("a Python function", name, asked.right))


def own_name(function, otherwise):
    """The name that a learner gave a function: two exercises of a lesson may have the same right answer."""
    name = function.__name__ if type(function) in (FunctionType, MethodType) else otherwise
    return name if isinstance(name, str) and name.isidentifier() else otherwise


def looks_like(
    name: str, key: str, lines: Iterable[str] = (), tables: Sequence[tuple] = (), **said: str
) -> Feedback:
    """Feedback on an answer that is no function: a mistake of the exercise `name`, with its words.

    lines: what is said first. said: by name, what stands in its words where they have {name}.
    """
    section = section_of(name)
    words = section.mistakes[key]
    return say(
        "incorrect",
        key.partition(" (")[0],
        name,
        "not yet",
        *lines,
        advice=words.say.format(**said),
        like=words.name.format(**said),
        see=words.see or section.see,
        tables=tables,
    )


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


# --- Found by their places ------------------------------------------------------------------------


@functools.cache
def checkers() -> dict[str, Callable]:
    """The checker of each exercise by its name, which is that of its file, in the order of the lessons."""
    found = {}
    for path in sorted(LESSONS.glob("lesson[0-9][0-9]/[a-z]*.py")):
        if path.stem not in NO_EXERCISES:
            module = importlib.import_module(f"{LESSONS.name}.{path.parent.name}.{path.stem}")
            found[path.stem] = getattr(module, path.stem)
    return found


def exercises() -> dict[str, Exercise]:
    """What is known of each exercise that a function answers."""
    return {name: EXERCISES[name] for name in checkers() if name in EXERCISES}


def require(name: str, function: Callable) -> Feedback:
    """Check a function as `check.NAME` does, and raise unless it is passed: for tests, Otter and nbgrader.

    Raises
    ------
    AssertionError
        With the feedback's message, unless the function passed.
    KeyError
        If there is no exercise of this name; the message lists those that there are.

    Examples
    --------
    >>> import attn_helpers as attn, attn_checks as check
    >>> check.require("softmax", lambda x: attn.softmax(x - 1)).status
    'passed'
    """
    if name not in exercises():
        raise KeyError(f"no exercise {name!r}; there are {', '.join(exercises())}")
    feedback = checked(exercises()[name], function)
    if feedback.status != "passed":
        raise AssertionError(feedback.message)
    return feedback
