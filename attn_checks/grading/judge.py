"""One notebook judged: run it, ask what its functions give, and check that here.

The student's code runs in another process, behind walls, and only answers. Here `check.judge` compares the numbers that
come back, names the mistake, and words the message, with the course's own code: nothing that the notebook prints, shows,
patches or stores has a say.
"""

import dataclasses
import inspect
import json
import re
from collections import defaultdict
from typing import NamedTuple

import numpy as np

import attn_checks
from attn_checks import check
from attn_checks.call import BadDataError, Caller, from_data
from attn_checks.contract import harmed
from attn_checks.exercise import EXERCISES
from attn_checks.grading import submissions
from attn_checks.grading.sandbox import StoppedError
from attn_checks.messages import not_attempted, say

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


def judge(submission, new_worker):
    """The rows of one notebook, at least one, whatever is in it; `new_worker` makes the process that runs it."""
    try:
        notebook = submissions.read(submission)
    except submissions.UnreadableError as error:
        return [Row("", "unreadable", *error.args)]
    cells = submissions.code_cells(notebook)
    asked = submissions.asked_in(notebook, cells)
    if not asked:
        return [Row("", "no exercise", "", "It holds no exercise of the course, by name or by its checker.")]
    trouble, verdicts = {}, {}  # number of a cell, name of an exercise, or None for all -> Row
    for _ in range(RUNS):
        worker = new_worker()
        stopped = run_once(worker, cells, asked, trouble, verdicts)
        if stopped is None:
            break
        where, reason = stopped
        why = STOPPED.get(reason, reason).format(**worker.limits._asdict())
        trouble[where] = Row("", "stopped", reason, f"{called(where, cells)} {why}, and was left out.")
        if where is None:
            break
    rows = [verdict(each, cells, trouble, verdicts) for each in asked]
    return [*rows_of_notebook(cells, trouble, rows), *rows]


def called(where, cells):
    """How a sentence begins about a cell, an exercise, or the whole notebook."""
    lines = {cell.number: cell.source.strip().split("\n")[0][:80] for cell in cells}
    if where in lines:
        return f"Cell {where} ({lines[where]})"
    return "Asked what it gives, it" if where else "The notebook"


def run_once(worker, cells, asked, trouble, verdicts):
    """Run all cells but those that stopped it, judge what is not judged yet; where and why it was stopped, or None."""
    where, kept = None, defaultdict(list)
    try:
        with worker:
            worker.ask("run", "", seconds=60)  # it starts
            for cell in cells:
                where = cell.number
                if where in trouble and trouble[where].status == "stopped":
                    continue
                if not submissions.only_shows(cell):
                    problem = worker.ask("run", cell.source, seconds=worker.limits.seconds)
                    if isinstance(problem, list):
                        trouble[where] = failed(called(where, cells), *map(str, [*problem, "", ""][:2]))
                keep_from(worker, cell, asked, kept)
            for each in asked:
                where = each.name
                if where not in verdicts and where not in trouble:
                    verdicts[where] = judge_one(worker, each, kept[where])
    except StoppedError as error:
        return where, str(error)
    return None


def failed(cell, mistake, what):
    """The Row of a cell that did not run to its end."""
    say = ADVICE.get(mistake, ADVICE["no-module"])
    return Row("", "error", mistake[:60], f"{cell} {what[:300]}.", say)


def keep_from(worker, cell, asked, kept):
    """Have the worker keep what an exercise is about, as it is after this cell."""
    for name, expressions, only_functions in submissions.to_keep(cell, asked):
        number = worker.ask("keep", expressions, only_functions)
        if type(number) is int:
            kept[name].append((cell.source.strip(), number))


def judge_one(worker, asked, kept):
    """The row of one exercise."""
    try:
        found = [(source, number, worker.ask("describe", number)) for source, number in kept]
        if not found:
            return None
        if not asked.is_function:
            return row_of(asked, by_values(asked, [from_data(part[1]) for part in found[-1][2]]))
        return of_function(worker, asked, found)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        text = f"The notebook's process did not answer as it should: {error}"
        return Row(asked.name, "error", "no-answer", text[:300])


def of_function(worker, asked, found):
    """The row of an exercise that asks for a function: of several, the last that is more than a stub."""
    written = [each for each in found if each[2][0][0] == "function" and not each[2][0][3]]
    _, number, (part, *_) = (written or found)[-1]
    defined_in = next(source for source, _, (other, *_) in found if other == part)
    row = row_of(asked, by_answers(worker, EXERCISES[asked.checker], number, part))
    if row.status not in ("passed", "not attempted") and submissions.is_of_a_lesson(defined_in):
        return Row(asked.name, "not attempted", "", "The cell to fix is as the lesson has it.")
    several = len({str(other[2]) for _, _, (other, *_) in written})
    note = f"\nOf {several} definitions in the notebook, this is the last." if several > 1 else ""
    row = row._replace(message=row.message + note)
    if row.status == "passed" and submissions.is_printed(defined_in):
        say = "This is the lesson's printed solution, letter for letter."
        return row._replace(mistake="printed-solution", say=say)
    return row


def by_values(asked, values):
    """Feedback on what is handed over as a value: a matrix, or the letter of an answer."""
    if asked.checker == "explain":
        return attn_checks.explain(asked.name, values[0])
    checker = getattr(attn_checks, asked.checker)
    return checker(*values[: len(inspect.signature(checker).parameters)])


def by_answers(worker, exercise, number, part):
    """Feedback on a function, by its answers."""
    if part[0] != "function":
        return check.check(exercise, from_data(part[1]))
    _, _, _, is_stub, unwritten, replaced = part
    if replaced:
        return harmed(exercise, "replaced", [str(name)[:60] for name in replaced])
    if is_stub:
        return not_attempted(exercise.name)
    caller = RemoteCaller(worker, number, len(exercise.results))
    feedback = check.judge(exercise, caller, unwritten and str(unwritten)[:60])
    return on_other_inputs(exercise, caller) or feedback if feedback.status == "passed" else feedback


def on_other_inputs(exercise, caller):
    """Feedback if a function is right on the course's inputs alone: it is asked about others, which nobody knows before."""
    inputs = {name: shuffled(case) for name, case in exercise.inputs.items()}
    if check.judge(dataclasses.replace(exercise, inputs=inputs, made={}), caller).status == "passed":
        return None
    line = "It gives the right numbers on the course's own inputs, and wrong ones on the same with columns shuffled."
    title = f"{exercise.name}: not yet. Looks like: only known inputs."
    return say("incorrect", "only-known-inputs", title, [line])


def shuffled(case):
    """A case with the columns of its arrays in another order, the same for all of the same width."""
    orders, chance = {}, np.random.default_rng()

    def other(value):
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [other(part) for part in value]
        if not isinstance(value, np.ndarray) or not value.ndim:
            return value
        width = value.shape[-1]
        return value[..., orders.setdefault(width, chance.permutation(width))]

    return tuple(map(other, case))


def row_of(asked, feedback):
    return Row(asked.name, feedback.status, feedback.mistake or "", feedback.message, sentence(feedback))


def sentence(feedback):
    """What to say to a class about a mistake that many made: the advice, without the numbers of one student."""
    lines = [line for line in feedback.lines if not line.startswith(("Look again at", "On th", "On inputs"))]
    return lines[-1] if lines and feedback.status not in ("passed", "not attempted") else ""


def rows_of_notebook(cells, trouble, rows):
    """The rows for the notebook itself: for each cell that stopped it, and one for all others that failed."""
    found = [trouble[each] for each in (None, *(cell.number for cell in cells)) if each in trouble]
    stopped = [row for row in found if row.status == "stopped"]
    said = "\n".join(row.message for row in rows)
    failures = "\n".join(row.message for row in found if row not in stopped and row.message not in said)
    return stopped + ([Row("", "cell failed", "", failures[:1000])] if failures else [])


def verdict(asked, cells, trouble, verdicts):
    """The row of one exercise: judged, stopped, not there, or failed with a cell that it needs."""
    if asked.name in trouble:
        return trouble[asked.name]._replace(exercise=asked.name)
    too_often = Row(asked.name, "stopped", "", "The notebook was stopped too often before it came to this.")
    row = verdicts.get(asked.name, too_often)
    if row is None:
        row = Row(asked.name, "missing", "", f"No cell gives {asked.given[0]} a value, or checks it.")
        calls = [call for cell in cells for call in submissions.calls(cell.tree)]
        lacks = {asked.given[0], *(call.given[0] for call in calls if call.sign == asked.sign)}
    else:
        lacks = set(re.findall(r"name '(\w+)' is not defined", row.message))
    for cell in cells:
        if cell.number in trouble and lacks & cell.names:
            _, status, mistake, message, say = trouble[cell.number]
            told = f"{message} So {', '.join(lacks & cell.names)} has no value. {say}".strip()
            return Row(asked.name, status, mistake, told, say)
    return row
