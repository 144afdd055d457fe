"""Which exercises and questions are passed or open, as far as this kernel has seen them checked."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from attn_checks.ask.questions import question
from attn_checks.tell.feedback import Feedback

# name of an exercise or question -> the last Feedback on it, or the one with which it passed
CHECKED: dict[str, Feedback] = {}
# name -> the last Feedback on it and what was asked, the newest last
LAST: dict[str, tuple[Feedback, str]] = {}
PREDICTED: dict[str, bool] = {}  # name of a question -> whether the prediction was right
CELL = '<td style="text-align:left;padding:2px 12px 2px 0">{}</td>'


def record(name: str, feedback: Feedback, asked: str) -> Feedback:
    """Remember and return the last feedback on an exercise or a question, unless it has passed before."""
    if name not in CHECKED or CHECKED[name].status != "passed":
        CHECKED[name] = feedback
    LAST.pop(name, None)  # so that the newest comes last
    LAST[name] = feedback, asked
    return feedback


def task(kind: str, name: str, checker: Callable) -> str:
    """What a checker asks for, in words: "a matrix for two_heads. A projection …"."""
    told = " ".join((checker.__doc__ or "").split())
    sentence, _, _ = told.removeprefix("Check ").partition(" Returns Feedback")
    return f"{kind} {name}. {sentence}"


def progress(*names: str) -> "Progress":
    """Show which of these are passed, in this order; without names, all that were checked.

    An exercise goes by the name of the learner's function, as the lesson's stub has it.

    Returns
    -------
    Progress
        Displays itself as rich text in a notebook, as plain text elsewhere.

    Raises
    ------
    KeyError
        If a name that starts with a lesson's number is no question.

    Examples
    --------
    >>> progress("scores", "scaled_scores")
    0 of 2 passed
    · scores         open
    · scaled_scores  open
    Predictions: none made yet
    """
    for name in names:
        if re.match(r"\d\d-", name):
            question(name)
    rows = tuple((name, *_state(name)) for name in names or CHECKED)
    passed = sum(mark == "✓" for _, mark, _ in rows)
    made = len(PREDICTED)
    summary = f"{passed} of {len(rows)} passed" if rows else "Nothing checked yet"
    predicted = f"{made} made, {sum(PREDICTED.values())} of them right" if made else "none made yet"
    return Progress(summary, rows, f"Predictions: {predicted}")


def _state(name):
    """Mark and words for one exercise or question."""
    feedback = CHECKED.get(name)
    if feedback is None and name in PREDICTED:
        return ("✓", "passed") if PREDICTED[name] else ("✗", "another option is right")
    if feedback is None or feedback.status == "not attempted":
        return "·", "open"
    if feedback.status == "passed":
        return "✓", "passed"
    return "✗", feedback.verdict  # the check says which mistake it is


@dataclass(frozen=True, repr=False)
class Progress:
    """A reader's progress: rows (name, mark, words) between two lines of totals."""

    summary: str
    rows: tuple
    predicted: str

    def __str__(self):
        wide = max((len(name) for name, _, _ in self.rows), default=0)
        rows = (f"{mark} {name.ljust(wide)}  {words}" for name, mark, words in self.rows)
        return "\n".join([self.summary, *rows, self.predicted])

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        rows = ""
        for name, mark, words in self.rows:
            cells = mark, f"<code>{html.escape(name)}</code>", html.escape(words)
            rows += f"<tr>{''.join(map(CELL.format, cells))}</tr>"
        parts = [f"<div><strong>{self.summary}</strong></div>", f"<table>{rows}</table>"]
        parts.append(f"<div>{self.predicted}</div>")
        return {"text/html": "".join(parts), "text/plain": str(self)}
