"""One notebook judged: run it, ask what its functions give, and check that here.

The student's code runs in another process, behind walls, and only answers. Here `check.by_answers` compares
the numbers that come back, names the mistake, and words the message, with the course's own code: nothing
that the notebook prints, shows, patches or stores has a say.
"""

import functools
import json
from collections import defaultdict
from typing import NamedTuple

import attn_checks
from attn_checks.check import by_answers, check
from attn_checks.exercise import EXERCISES, checkers
from attn_checks.grading.cells import code_cells, is_of_a_lesson, is_printed, only_shows, tasks_in, to_keep
from attn_checks.grading.sandbox import StoppedError
from attn_checks.grading.submissions import UnreadableError, read
from attn_checks.run.child import Caller
from attn_checks.run.data import BadDataError, from_data
from attn_checks.tell.faults import replacing
from attn_checks.tell.feedback import not_attempted, say

RUNS = 3  # of a notebook: a cell that stops it is left out in the next
# what to say of a cell that did not run to its end
ADVICE = {
    "syntax-error": (
        "Python itself cannot read the cell, so nothing in it has run. Its own words name the line."
    ),
    "cell-failed": "Restart the kernel and run all cells: the first error is the one to fix.",
    "no-module": "Install it where you grade if you trust it, and run the same command again.",
}
TOO_OFTEN = "The notebook was stopped too often before it came to this."
ONLY_KNOWN = (
    "It gives the right numbers on the course's own inputs, and wrong ones on the same with columns shuffled."
)


class Row(NamedTuple):
    """What is known of one exercise of one notebook; `say` is the sentence for the class."""

    exercise: str
    status: str
    mistake: str
    message: str
    say: str = ""


class RemoteCaller(Caller):
    """Asks a student's function, which lives in a worker."""

    def __init__(self, worker, number, n_results):
        super().__init__(None, n_results)
        self.worker = worker
        self.number = number

    def answers(self, texts):
        cases = list(map(json.loads, texts))
        found = self.worker.ask("ask", self.number, self.n_results, cases) if texts else []
        if len(found) != len(texts) and not (found and found[-1][0] == "harm"):
            raise BadDataError(f"{len(found)} answers for {len(texts)} questions")
        return found


def graded(submission, new_worker):
    """The rows of one notebook, at least one; `new_worker` makes the process that runs it."""
    try:
        cells = code_cells(read(submission))
    except UnreadableError as error:
        return [Row("", "unreadable", *error.args)]
    tasks = tasks_in(cells)
    if not tasks:
        return [Row("", "no exercise", "", "It holds no exercise of the course, by name or by its checker.")]
    grading = Grading(cells, tasks)
    for _ in range(RUNS):
        if grading.run(new_worker()):
            break
    return grading.all_rows()


class Grading:
    """One notebook being graded: its cells, its exercises, and the Rows of what is known of them.

    `stopped` has those of cells that stopped it, by their numbers, 0 if Python did not even start, `failed`
    those of other cells that did not run to their end, and `rows` those of exercises, by their names.
    """

    def __init__(self, cells, tasks):
        self.cells = cells
        self.tasks = tasks
        self.stopped, self.failed, self.rows = {}, {}, {}

    def run(self, worker):
        """Run all cells but those that stopped it, judge what is left; whether that was the last run."""
        kept = defaultdict(dict)  # exercise -> {the number under which a value is kept: the cell's source}
        at = self.stopped, 0, "The notebook"
        try:
            with worker:
                worker.ask("run", "", seconds=60)  # it starts
                for cell in self.cells:
                    at = self.stopped, cell.number, cell.title
                    if cell.number not in self.stopped:
                        self.run_cell(worker, cell, kept)
                for name, task in self.tasks.items():
                    at = self.rows, name, "Asked what it gives, it"
                    if name not in self.rows:
                        self.rows[name] = self.judge(worker, task, kept[name])
        except StoppedError as error:
            (rows, key, title), (reason, why) = at, error.args
            rows[key] = Row("", "stopped", reason, f"{title} {why}, and was left out.")
            return key == 0
        return True

    def run_cell(self, worker, cell, kept):
        """Run a cell, and have what the exercises are about kept; the first cell that has it defines it."""
        if not only_shows(cell) and (problem := worker.run(cell.source)):
            mistake, what = problem
            advice = ADVICE.get(mistake, ADVICE["no-module"])
            self.failed[cell.number] = Row("", "error", mistake, f"{cell.title} {what}.", advice)
        for name, *what in to_keep(cell, self.tasks):
            number = worker.ask("keep", *what)
            if type(number) is int:
                kept[name][number] = kept[name].pop(number, cell.source)

    def judge(self, worker, task, kept):
        """The row of one exercise."""
        if not kept:
            given = {task.given[0]}
            given |= {
                check.given[0] for cell in self.cells for check in cell.checks if check.name == task.name
            }
            message = f"No cell gives {task.given[0]} a value, or checks it."
            return self.for_lack_of(given, task.name) or Row(task.name, "missing", "", message)
        try:
            if task.is_function:
                return self.judge_function(worker, EXERCISES[task.name], kept)
            *_, number = kept
            values = [from_data(part["value"]) for part in worker.ask("describe", number)]
            checker = checkers().get(task.name, functools.partial(attn_checks.explain, task.name))
            return row_of(task.name, checker(*values[: len(task.given)]))
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            text = f"The notebook's process did not answer as it should: {error}"
            return Row(task.name, "error", "no-answer", text[:300])

    def judge_function(self, worker, exercise, kept):
        """The row of an exercise that asks for a function: of several, the last that is more than a stub."""
        known = {number: worker.ask("describe", number)[0] for number in kept}
        written = [number for number, about in known.items() if "is_stub" in about and not about["is_stub"]]
        number = (written or list(kept))[-1]
        feedback = feedback_on(worker, exercise, number, known[number])
        if row := self.for_lack_of({feedback.lacks}, exercise.name):
            return row
        row = row_of(exercise.name, feedback)
        defined_in = kept[number]
        if row.status not in ("passed", "not attempted") and is_of_a_lesson(defined_in):
            return Row(exercise.name, "not attempted", "", "The cell to fix is as the lesson has it.")
        if len(written) > 1:
            note = f"\nOf {len(written)} definitions in the notebook, this is the last."
            row = row._replace(message=row.message + note)
        if row.status == "passed" and is_printed(defined_in):
            say = "This is the lesson's printed solution, letter for letter."
            row = row._replace(mistake="printed-solution", say=say)
        return row

    def for_lack_of(self, names, exercise):
        """The row of an exercise for which a failed cell should give one of these names a value, or None."""
        failed = self.stopped | self.failed
        for cell in self.cells:
            if cell.number in failed and (lacks := names & cell.names):
                row = failed[cell.number]
                told = f"{row.message} So {', '.join(lacks)} has no value. {row.say}"
                return row._replace(exercise=exercise, message=told.strip())
        return None

    def all_rows(self):
        """One for each cell that stopped it, one for all others that failed, then the exercises'."""
        too_often = Row("", "stopped", "", TOO_OFTEN)
        rows = [self.rows.get(name, too_often)._replace(exercise=name) for name in self.tasks]
        said = "\n".join(row.message for row in rows)
        others = [row.message for row in self.failed.values() if row.message not in said]
        above = [*self.stopped.values()]
        if others:
            above.append(Row("", "cell failed", "", "\n".join(others)[:1000]))
        return above + rows


def feedback_on(worker, exercise, number, about):
    """Feedback on a function, by its answers."""
    if "is_stub" not in about:
        return check(exercise, from_data(about["value"]))
    if about["replaced"]:
        return replacing(exercise.name, [str(name)[:60] for name in about["replaced"]])
    if about["is_stub"]:
        return not_attempted(exercise.name)
    caller = RemoteCaller(worker, number, len(exercise.results))
    unwritten, borrowed = (about[each] and str(about[each])[:60] for each in ("unwritten", "borrowed"))
    feedback = by_answers(exercise, caller, unwritten, borrowed)
    return on_other_inputs(exercise, caller) or feedback if feedback.status == "passed" else feedback


def on_other_inputs(exercise, caller):
    """Feedback if a function is right on the course's inputs alone: nobody knows these before."""
    if by_answers(exercise.on_other_inputs(), caller).status == "passed":
        return None
    return say(
        "incorrect",
        "only-known-inputs",
        exercise.name,
        "not yet",
        advice=ONLY_KNOWN,
        like="only known inputs",
    )


def row_of(name, feedback):
    """The Row of some feedback; what to say to a class is its advice, without the numbers of one student."""
    say = "" if feedback.status in ("passed", "not attempted") else feedback.advice
    return Row(name, feedback.status, feedback.mistake or "", feedback.message, say)
