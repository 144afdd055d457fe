"""Checkers for the exercises: they name the mistake, and never show the solution.

On Linux (Colab, Binder, JupyterHub) an answer runs in a process of its own, where it may hang, crash or eat
memory without harm. Nothing can be forked on macOS or Windows, nor once jax, tensorflow or torch are loaded:
there an answer runs in the kernel itself, an endless loop needs the Stop button, and a crash ends the kernel.

In a lesson: `import attn_checks as check`, then `check.softmax(softmax)`. How an answer gets its name is
told in attn_checks/check.py, from top to bottom. The checkers themselves are in the folders of
attn_lessons, a file per exercise; they are loaded when the first of them is asked for.
"""

import attn_parts  # noqa: F401, which asks for a Python that is new enough
from attn_checks.ask.predict import explain, predict
from attn_checks.ask.progress import progress
from attn_checks.ask.questions import every_question, question
from attn_checks.ask.tutor import tutor
from attn_checks.check import passes
from attn_checks.exercise import checkers, exercises, require
from attn_checks.kept.mine import Mine
from attn_checks.tell.feedback import Feedback

mine = Mine(exercises, passes)

__all__ = ["Feedback", "QUESTIONS", "explain", "mine", "predict", "progress", "question", "require", "tutor"]


def __getattr__(name):
    """`EXERCISES`, `QUESTIONS`, or the checker of an exercise by its name."""
    if name in ("EXERCISES", "QUESTIONS"):
        return exercises() if name == "EXERCISES" else every_question()
    if name.startswith("__") or name not in checkers():
        raise AttributeError(f"attn_checks has no {name!r}; the exercises are {', '.join(checkers())}")
    return checkers()[name]


def __dir__():
    return sorted({*globals(), "EXERCISES", "QUESTIONS", *checkers()})
