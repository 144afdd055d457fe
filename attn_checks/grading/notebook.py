"""One notebook judged: run it, ask what its functions give, and check that here.

The student's code runs in another process, behind walls, and only answers. Here `check.by_answers` compares the numbers that
come back, names the mistake, and words the message, with the course's own code: nothing that the notebook prints, shows,
patches or stores has a say.
"""

import inspect
import json
from collections import defaultdict
from typing import NamedTuple

import attn_checks
from attn_checks.check import by_answers, check
from attn_checks.exercise import EXERCISES
from attn_checks.grading import submissions
from attn_checks.grading.sandbox import StoppedError
from attn_checks.run.child import Caller
from attn_checks.run.data import BadDataError, from_data
from attn_checks.tell.faults import harmed
from attn_checks.tell.feedback import not_attempted, say

RUNS = 3  # of a notebook: a cell that stops it is left out in the next
STOPPED = {
    "hangs": "did not come to an end in {seconds} seconds",
    "ends-python": "ended Python (os._exit, a crash, or more memory than there is)",
    "forks": "started dozens of processes",
    "too-large": "took more than {memory} MB of memory",
    "fills-the-disk": "wrote more than 200 MB, or 5,000 files",
    "garbles": "wrote into the line of the grader's answers",
}

# what to say of a cell that did not run to its end
ADVICE = {
    "syntax-error": "Python itself cannot read the cell, so nothing in it has run. Its own words name the line.",
    "cell-failed": "Restart the kernel and run all cells: the first error is the one to fix.",
    "command-failed": "No network can be reached here. The course needs nothing but NumPy and what comes with it.",
    "no-module": "Install it where you grade if you trust it, and run the same command again.",
}


class Row(NamedTuple):
    """What is known of one exercise of one notebook; `say` is the sentence for the class."""

    exercise: str
    status: str
    mistake: str
    message: str
    say: str = ""
    lacks: str = ""  # a name that it uses and that has no value


class RemoteCaller(Caller):
    """Asks a student's function, which lives in a worker."""

    def __init__(self, worker, number, n_results):
        super().__init__(None, n_results)
        self.worker, self.number = worker, number

    def answers(self, texts):
        cases = list(map(json.loads, texts))
        found = self.worker.ask("ask", self.number, self.n_results, cases) if texts else []
        if len(found) != len(texts) and not (found and found[-1][0] == "harm"):
            raise BadDataError(f"{len(found)} answers for {len(texts)} questions")
        return found


def graded(submission, new_worker):
    """The rows of one notebook, at least one, whatever is in it; `new_worker` makes the process that runs it."""
    try:
        notebook = submissions.read(submission)
    except submissions.UnreadableError as error:
        return [Row("", "unreadable", *error.args)]
    cells = submissions.code_cells(notebook)
    tasks = submissions.tasks_in(notebook, cells)
    if not tasks:
        return [Row("", "no exercise", "", "It holds no exercise of the course, by name or by its checker.")]
    known = {}  # the Row of each cell that failed, by its number, of each exercise, by name, or of all, by None
    for _ in range(RUNS):
        if run_once(new_worker(), cells, tasks, known):
            break
    rows = [verdict(task, cells, known) for task in tasks]
    return [*rows_of_notebook(cells, known, rows), *rows]


def run_once(worker, cells, tasks, known):
    """Run all cells but those that stopped it, judge what is not judged yet; whether that was the last run."""
    where, title, kept = None, "The notebook", defaultdict(list)
    try:
        with worker:
            worker.ask("run", "", seconds=60)  # it starts
            for cell in cells:
                where, title = cell.number, f"Cell {cell.number} ({cell.source.strip().splitlines()[0][:80]})"
                if where in known and known[where].status == "stopped":
                    continue
                if not submissions.only_shows(cell):
                    problem = worker.ask("run", cell.source, seconds=worker.limits.seconds)
                    if isinstance(problem, list):
                        mistake, what = map(str, [*problem, "", ""][:2])
                        advice = ADVICE.get(mistake, ADVICE["no-module"])
                        known[where] = Row("", "error", mistake[:60], f"{title} {what[:300]}.", advice)
                for name, *what in submissions.to_keep(cell, tasks):
                    number = worker.ask("keep", *what)
                    if type(number) is int:
                        kept[name].append((cell.source, number))
            title = "Asked what it gives, it"
            for task in tasks:
                where = task.name
                if where not in known:
                    known[where] = grade_one(worker, task, kept[where])
    except StoppedError as error:
        why = STOPPED.get(str(error), str(error)).format(**worker.limits._asdict())
        known[where] = Row("", "stopped", str(error), f"{title} {why}, and was left out.")
        return where is None
    return True


def grade_one(worker, task, kept):
    """The row of one exercise, or None if there is nothing to judge."""
    try:
        found = [(source, number, worker.ask("describe", number)) for source, number in kept]
        if not found:
            return None
        if task.is_function:
            return of_function(worker, task, [(source, number, parts[0]) for source, number, parts in found])
        values = [from_data(part["value"]) for part in found[-1][-1]]
        if task.checker == "explain":
            return row_of(task, attn_checks.explain(task.name, values[0]))
        checker = getattr(attn_checks, task.checker)
        return row_of(task, checker(*values[: len(inspect.signature(checker).parameters)]))
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        text = f"The notebook's process did not answer as it should: {error}"
        return Row(task.name, "error", "no-answer", text[:300])


def of_function(worker, task, found):
    """The row of an exercise that asks for a function: of several, the last that is more than a stub."""
    written = [each for each in found if "is_stub" in each[-1] and not each[-1]["is_stub"]]
    _, number, function = (written or found)[-1]
    defined_in = next(source for source, _, other in found if other == function)
    row = row_of(task, feedback_on(worker, EXERCISES[task.checker], number, function))
    if row.status not in ("passed", "not attempted") and submissions.is_of_a_lesson(defined_in):
        return Row(task.name, "not attempted", "", "The cell to fix is as the lesson has it.")
    if (several := len({str(other["id"]) for *_, other in written})) > 1:
        note = f"\nOf {several} definitions in the notebook, this is the last."
        row = row._replace(message=row.message + note)
    if row.status == "passed" and submissions.is_printed(defined_in):
        say = "This is the lesson's printed solution, letter for letter."
        return row._replace(mistake="printed-solution", say=say)
    return row


def feedback_on(worker, exercise, number, function):
    """Feedback on a function, by its answers."""
    if "is_stub" not in function:
        return check(exercise, from_data(function["value"]))
    if function["replaced"]:
        return harmed(exercise.name, "replaced", [str(name)[:60] for name in function["replaced"]])
    if function["is_stub"]:
        return not_attempted(exercise.name)
    caller = RemoteCaller(worker, number, len(exercise.results))
    unwritten, borrowed = (function[each] and str(function[each])[:60] for each in ("unwritten", "borrowed"))
    feedback = by_answers(exercise, caller, unwritten, borrowed)
    return on_other_inputs(exercise, caller) or feedback if feedback.status == "passed" else feedback


def on_other_inputs(exercise, caller):
    """Feedback if a function is right on the course's inputs alone: it is asked about others, which nobody knows before."""
    if by_answers(exercise.on_other_inputs(), caller).status == "passed":
        return None
    advice = (
        "It gives the right numbers on the course's own inputs, and wrong ones on the same with columns "
        "shuffled."
    )
    return say(
        "incorrect", "only-known-inputs", exercise.name, "not yet", advice=advice, like="only known inputs"
    )


def row_of(task, feedback):
    """The Row of some feedback; what to say to a class is its advice, without the numbers of one student."""
    say = "" if feedback.status in ("passed", "not attempted") else feedback.advice
    return Row(task.name, feedback.status, feedback.mistake or "", feedback.message, say, feedback.lacks)


def rows_of_notebook(cells, known, rows):
    """The rows for the notebook itself: for each cell that stopped it, and one for all others that failed."""
    found = [known[each] for each in (None, *(cell.number for cell in cells)) if each in known]
    stopped = [row for row in found if row.status == "stopped"]
    said = "\n".join(row.message for row in rows)
    failures = "\n".join(row.message for row in found if row not in stopped and row.message not in said)
    return stopped + ([Row("", "cell failed", "", failures[:1000])] if failures else [])


def verdict(task, cells, known):
    """The row of one exercise: judged, stopped, not there, or failed with a cell that it needs."""
    too_often = Row("", "stopped", "", "The notebook was stopped too often before it came to this.")
    if row := known.get(task.name, too_often):
        lacks = {row.lacks}
    else:
        row = Row("", "missing", "", f"No cell gives {task.given[0]} a value, or checks it.")
        calls = [call for cell in cells for call in cell.calls]
        lacks = {task.given[0], *(call.given[0] for call in calls if call.sign == task.sign)}
    for cell in cells:
        if cell.number in known and lacks & cell.names:
            row = known[cell.number]
            told = f"{row.message} So {', '.join(lacks & cell.names)} has no value. {row.say}".strip()
            row = row._replace(message=told)
            break
    return row._replace(exercise=task.name)
