"""A page that a reader made, verified: read here, run behind grading's walls."""

import functools
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attn_checks.grading.grade import hidden
from attn_checks.grading.sandbox import Limits, StoppedError, Walls, Worker, pristine_course
from attn_checks.kept.page import LARGEST, BadPageError, Page, read
from attn_checks.kept.verify import Question, Verdict, Verification


def verify(path: str, walls: Walls, limits: Limits) -> tuple[Page, list[Verdict]]:
    """The page in a file and a Verdict on each thing that it shows; BadPageError if it isn't such a page."""
    file = Path(path).resolve()
    if not file.is_file():
        raise BadPageError("There is no such file.")
    try:
        with file.open("rb") as opened:
            page = read(opened.read(LARGEST + 1))
    except OSError as error:
        raise BadPageError(f"It can't be read ({error.strerror}).") from None
    verification = Verification(page)
    with tempfile.TemporaryDirectory() as made:
        course = pristine_course(Path(made, "pristine"))
        new_worker = functools.partial(Worker, walls, course, limits, hidden(file.parent, file.parent))
        answers = answers_of(page.program, list(verification.questions.values()), new_worker)
    return page, verification.verdicts(answers)


def answers_of(
    program: str, questions: Sequence[Question], new_worker: Callable[[], Worker]
) -> dict[str, Any]:
    """What a program's functions answer, by the question's expression; where it is stopped, why."""
    found: dict[str, Any] = {}
    try:
        with new_worker() as worker:
            worker.ask("run", "del np, check, attn", seconds=60)  # it starts; a page has its own imports
            if problem := worker.run(program):
                raise StoppedError(*problem)
            for question in questions:
                found[question.expression] = answer_of(worker, question)
    except StoppedError as error:
        for question in questions:
            found.setdefault(question.expression, f"the code {error.args[1]}")
    return found


def answer_of(worker, question):
    number = worker.ask("keep", [question.expression], True)
    if type(number) is not int:
        return "it isn't a function"
    cases = list(map(json.loads, question.cases))
    return worker.ask("describe", number), worker.ask("ask", number, question.n_results, cases)
