"""Find the lessons' exercises: importing a file of attn_lessons/lessonNN registers the checker written in it."""

import functools
import importlib
import pathlib
from collections.abc import Callable

from attn_checks.exercise import EXERCISES, Feedback, checked

LESSONS = pathlib.Path(__file__).parents[1] / "attn_lessons"
NO_EXERCISES = {"explorer", "pictures"}  # nor any file that starts with _


@functools.cache
def checkers():
    """The checker of each exercise by its name, which is that of its file, in the order of the lessons."""
    found = {}
    for path in sorted(LESSONS.glob("lesson[0-9][0-9]/[a-z]*.py")):
        if path.stem not in NO_EXERCISES:
            module = importlib.import_module(f"{LESSONS.name}.{path.parent.name}.{path.stem}")
            found[path.stem] = getattr(module, path.stem)
    return found


def exercises():
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
