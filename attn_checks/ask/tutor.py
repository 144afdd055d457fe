"""A prompt for any chat assistant, which knows what the last check saw and gives no solution away."""

import pathlib

from attn_checks.ask.progress import LAST
from attn_checks.tell.feedback import Feedback, section

HOW_TO = (
    "First check an answer, for example check.softmax(softmax). Then check.tutor() prints a prompt about it."
)
PASSED = (
    "{name}: passed, so there is no mistake to talk about. To find out how well you understand it, give this "
    "to an assistant:\n\n"
    "In a course on attention I've solved this: {asked}\n"
    "Ask me three short questions, one at a time: why each step is needed, what goes wrong without it, and "
    "what comes out for a tiny input. Wait for my answer, and tell me what it lacks. Show me no code."
)
LONGEST = 4000  # bytes of a prompt
KNOWN = "A program that knows many mistakes recognised this one"
UNKNOWN = "A program checked my answer. It has no name for what is wrong, and saw this"

PROMPT = pathlib.Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


class Prompt(str):
    """A text that a notebook shows as it is, to be copied."""

    __repr__ = str.__str__


def tutor(name: str | None = None) -> Prompt:
    """Make a prompt for a chat assistant about the last check, or about the last one of the function `name`.

    It has the exercise, the mistake by its name, what was seen, and how to help without solving, in at most
    4 kB. Before any check it says how to use it.

    Examples
    --------
    >>> import numpy as np, attn_checks as check
    >>> check.softmax(lambda x: np.exp(x)).mistake
    'not-normalised'
    >>> "not divided by the sum" in check.tutor()
    True
    """
    name = name or next(reversed(LAST), None)
    if name not in LAST:
        return Prompt(f"{name} hasn't been checked yet. {HOW_TO}" if name else HOW_TO)
    feedback, asked = LAST[name]
    if feedback.status == "not attempted":
        return Prompt(f"{name} isn't written yet. {HOW_TO}")
    if feedback.status == "passed":
        return Prompt(PASSED.format(name=name, asked=asked))
    return about(asked, feedback)


def about(asked: str, feedback: Feedback) -> Prompt:
    """The prompt about what was asked, and what its last check said."""
    parts = {
        "exercise": asked,
        "how": KNOWN if feedback.mistake else UNKNOWN,
        "place": section(feedback.see) if feedback.see else "the section above the exercise",
    }
    room = LONGEST - len(PROMPT.format(seen="", **parts).encode())
    return Prompt(PROMPT.format(seen=feedback.seen.encode()[:room].decode(errors="ignore"), **parts))
