"""Verify a page: what to ask its functions, and what their answers are worth. None of its code runs here.

Another process, or another worker of a browser, runs the code and only answers: `python -m attn_checks
verify` asks in grading's sandbox (attn_checks/grading/verify.py), the site in a worker (tools/in_browser/).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from attn_checks.check import recognised
from attn_checks.exercise import exercises
from attn_checks.kept.page import Page, needs, problem_of, record_of, shown
from attn_checks.recognise.answer import Answer, Exercise
from attn_checks.run import faults
from attn_checks.run.child import Caller
from attn_checks.run.data import as_text, outcome_of
from attn_checks.tell.faults import FAULTS, NOT_JUDGED

RIGHT, WRONG, CHANGED, STATED = "right", "wrong", "changed since", "stated"


class Verdict(NamedTuple):
    """What is said of one thing that a page shows."""

    is_: str  # RIGHT, WRONG, CHANGED or STATED
    what: str
    why: str = ""


class Question(NamedTuple):
    """What to ask of one function: an expression that gives it, its number of results, arguments as text."""

    expression: str
    n_results: int
    cases: list[str]


class Recorded(Caller):
    """A function that has answered already."""

    def __init__(self, question: Question, data: list):
        super().__init__(None, question.n_results)
        self.data = dict(zip(question.cases, data, strict=False))
        if len(data) < len(question.cases) and not (data and data[-1][0] == "harm"):
            raise ValueError("an answer is missing")

    def answers(self, texts):
        return [self.data[text] for text in texts if text in self.data]


class Verification:
    """One page: the `questions` to ask of it, new at each time, and the `verdicts` on the answers."""

    def __init__(self, page: Page):
        self.page = page
        names = {written.name for written in page.functions}
        self.asked = {name: known.on_other_inputs() for name, known in exercises().items() if name in names}
        self.questions = {
            name: Question(name, len(asked.results), list(map(as_text, asked.cases)))
            for name, asked in self.asked.items()
        }
        sentence = [as_text((np.array(page.Q), np.array(page.K)))]
        for expression in page.pictures:
            self.questions[expression] = Question(f"lambda Q, K: {expression}", 1, sentence)

    def verdicts(self, answers: Mapping[str, Any]) -> list[Verdict]:
        """On all that the page shows. `answers` has, by a question's expression, why there is none, as text,
        or ([what is known of the function unasked], an answer for each case).
        """
        found = [self.on_function(written, answers) for written in self.page.functions]
        right = {verdict.what for verdict in found if verdict.is_ == RIGHT}
        for expression in self.page.pictures:
            why = self.tried(expression, answers, self.of_picture)
            if missing := needs(expression) - right:
                why = why or f"it rests on {min(missing)}"
            found.append(Verdict(CHANGED if why else RIGHT, f"picture {expression}", why))
        return [*found, *self.stated()]

    def on_function(self, written, answers):
        name = written.name
        is_asked = written.name in self.asked
        why = problem_of(written)
        if is_asked and not why:
            why = self.tried(name, answers, self.of_function)
        if record_of(self.page.imports, written.code) != written.record:
            return Verdict(CHANGED, name, f"its code isn't that of its record. Run now: {why or 'right'}")
        if why or is_asked:
            return Verdict(WRONG if why else RIGHT, name, why)
        return Verdict(STATED, name, "no exercise of the course, used by the others")

    def tried(self, what, answers, judge):
        """What is wrong with an answer, "" if nothing is, whatever came from the other process."""
        question = self.questions[what]
        answer = answers.get(question.expression)
        if isinstance(answer, str):
            return shown(answer)[:200]
        try:
            [about], data = answer
            with np.errstate(all="ignore"):
                return shown(judge(what, about, Recorded(question, data)))[:200]
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError):
            return "it gave no answer as it should"

    def of_function(self, name, about, caller):
        if "is_stub" not in about:
            return "it isn't a function"
        if about["is_stub"]:
            return "it isn't written yet"
        if about["replaced"]:
            return "it replaces functions of NumPy or the course"
        if why := why_wrong(self.asked[name], caller):
            return why
        return f"the course's {about['borrowed']} does all the work" if about["borrowed"] else ""

    def of_picture(self, expression, about, caller):
        values = self.page.pictures[expression]
        [outcome] = map(outcome_of, caller.data.values())
        numbers = [array for array in outcome.arrays if array.shape == values.shape]
        near = 0.0051 + 1e-6 * abs(values).max()  # what is shown is rounded, perhaps to float32 before
        if len(numbers) == 1 and np.all(abs(numbers[0] - values) < near):
            return ""
        return "the functions give other numbers than it shows"

    def stated(self):
        page = self.page
        parts = {
            "the name": page.name,
            "the date": page.made,
            "mistakes and their dates": page.mistakes,
            "what a GPT wrote, and its losses": page.gpt,
        }
        return [Verdict(STATED, what) for what, part in parts.items() if part]


def why_wrong(exercise: Exercise, caller: Caller) -> str:
    answer = Answer(exercise, caller)
    if harm := answer.outcomes[-1].harm:
        return NOT_JUDGED[harm].name
    if fault := faults.fault_of(caller, answer.outcomes, {i: exercise.cases[i] for i in answer.wrong}):
        return FAULTS[fault].name
    if not answer.wrong:
        return ""
    if mistake := recognised(answer):
        return mistake.name
    raised = answer.outcomes[answer.wrong[0]].words
    return f"it raises {raised}" if raised else "it gives wrong numbers"
