"""Verify a page: what to ask its functions, and what their answers are worth. None of its code runs here.

Another process, or another worker of a browser, runs the code and only answers. `python -m attn_checks verify` asks in
grading's sandbox (attn_checks/grading/verify.py), the site in a worker of its own (tools/in_browser/).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from attn_checks.check import recognised
from attn_checks.kept.page import Page, needs, problem_of, record_of, shown
from attn_checks.recognise.answer import Answer, Exercise
from attn_checks.registry import exercises
from attn_checks.run import faults
from attn_checks.run.child import Caller
from attn_checks.run.data import as_text, outcome_of
from attn_checks.tell.faults import FAULTS, HARM

RIGHT, WRONG, CHANGED, STATED = "right", "wrong", "changed since", "stated"
NO_ANSWER = "it gave no answer as it should"


class Verdict(NamedTuple):
    """What is said of one thing that a page shows."""

    is_: str  # RIGHT, WRONG, CHANGED or STATED
    what: str
    why: str = ""


class Question(NamedTuple):
    """What to ask of one function: an expression that gives it, how many results it has, and the arguments as text."""

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
    """One page: its `program`, the `questions` to ask of it, new at each time, and the `verdicts` on the answers."""

    def __init__(self, page: Page):
        self.page = page
        known = {written.name: exercises().get(written.name) for written in page.functions}
        self.asked = {
            name: (exercise, exercise.on_other_inputs()) for name, exercise in known.items() if exercise
        }
        self.questions = [
            Question(name, len(one.results), list(map(as_text, (*one.cases, *other.cases))))
            for name, (one, other) in self.asked.items()
        ]
        sentence = [as_text((np.array(page.Q), np.array(page.K)))]
        self.questions += [Question(f"lambda Q, K: {each}", 1, sentence) for each in page.pictures]

    def verdicts(self, answers: Mapping[str, Any]) -> list[Verdict]:
        """On all that the page shows; `answers` has, by a question's expression, why there is none, as text, or
        ([what is known of the function unasked], an answer for each case).
        """
        found = [self.on_function(written, answers) for written in self.page.functions]
        right = {verdict.what for verdict in found if verdict.is_ == RIGHT}
        for question in self.questions[len(self.asked) :]:
            _, _, expression = question.expression.partition(": ")
            why = self.tried(question, answers, self.of_picture)
            if not why and not needs(expression) <= right:
                why = f"it rests on {min(needs(expression) - right)}"
            found.append(Verdict(CHANGED if why else RIGHT, f"picture {expression}", why))
        return [*found, *self.stated()]

    def on_function(self, written, answers):
        why = problem_of(written)
        question = next((each for each in self.questions if each.expression == written.name), None)
        if question and not why:
            why = self.tried(question, answers, self.of_function)
        if record_of(self.page.imports, written.code) != written.record:
            why = f"its code isn't that of its record. Run now: {why or 'right'}"
            return Verdict(CHANGED, written.name, why)
        if not question and not why:
            return Verdict(STATED, written.name, "no exercise of the course, used by the others")
        return Verdict(WRONG if why else RIGHT, written.name, why)

    def tried(self, question, answers, judge):
        """What is wrong with the answer to a question, "" if nothing is; whatever came from the other process."""
        answer = answers.get(question.expression)
        if isinstance(answer, str):
            return shown(answer)[:200]
        try:
            [about], data = answer
            return shown(judge(question, about, data))[:200]
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError):
            return NO_ANSWER

    def of_function(self, question, about, data):
        exercise, other = self.asked[question.expression]
        if "is_stub" not in about:
            return "it isn't a function"
        if about["is_stub"]:
            return "it isn't written yet"
        if about["replaced"]:
            return "it replaces functions of NumPy or the course"
        with np.errstate(all="ignore"):
            caller = Recorded(question, data)
            if why := why_wrong(exercise, caller):
                return why
            if about["borrowed"]:
                return f"the course's {about['borrowed']} does all the work"
            if why_wrong(other, caller):
                return "right on the course's own inputs alone"
            return ""

    def of_picture(self, question, about, data):
        values = self.page.pictures[question.expression.partition(": ")[2]]
        numbers = [array for array in outcome_of(data[0]).arrays if array.shape == values.shape]
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
        return HARM.get(harm, HARM["ends-python"])[0]
    if fault := faults.fault_of(caller, answer.outcomes, {i: exercise.cases[i] for i in answer.wrong}):
        return FAULTS[fault][0]
    if not answer.wrong:
        return ""
    if mistake := recognised(answer):
        return mistake.name
    raised = answer.outcomes[answer.wrong[0]].words
    return f"it raises {raised}" if raised else "it gives wrong numbers"
