"""Checkers for the exercises: they name the mistake, and never show the solution.

An answer is first tried in a process of its own, where it may hang, crash or eat memory without harm; that takes a fork,
which is had on Linux only (Colab, Binder, JupyterHub), and not once jax, tensorflow or torch are loaded. Elsewhere loops
of Python and sleeps are stopped after a second. A compiled function that does not end, a crash and os._exit cannot be:
there the kernel has to be started again.

In a lesson: `import attn_checks as check`, then `check.softmax(softmax)`. How an answer gets its name is told in
attn_checks/engine.py, from top to bottom. The checkers themselves are in the folders of attn_lessons, a file per exercise;
they are loaded when the first of them is asked for.
"""

import sys

from attn_checks import tampering
from attn_checks.feedback import Feedback
from attn_checks.predict import explain, predict
from attn_checks.progress import progress
from attn_checks.questions import every_question, question
from attn_checks.registry import checkers, exercises, require

__all__ = ["Feedback", "QUESTIONS", "explain", "predict", "progress", "question", "require"]

tampering.OWN["check"] = (sys.modules[__name__], tampering.callables(sys.modules[__name__]))


def __getattr__(name):
    """`EXERCISES`, `QUESTIONS`, or the checker of an exercise by its name."""
    if name in ("EXERCISES", "QUESTIONS"):
        return exercises() if name == "EXERCISES" else every_question()
    if name.startswith("__") or name not in checkers():
        raise AttributeError(f"attn_checks has no {name!r}; the exercises are {', '.join(checkers())}")
    return checkers()[name]


def __dir__():
    return sorted({*globals(), "EXERCISES", "QUESTIONS", *checkers()})
