"""One notebook judged: run it, ask what its functions give, and check that here.

The student's code runs in another process, behind walls, and only answers. Here `check.judge` compares the numbers that
come back, names the mistake, and words the message, with the course's own code: nothing that the notebook prints, shows,
patches or stores has a say.
"""

import inspect
import json
import secrets
from collections import defaultdict
from typing import NamedTuple

import numpy as np

import attn_checks
from attn_checks import check
from attn_checks.call import BadDataError, Caller, from_data, imitate
from attn_checks.compare import agree
from attn_checks.contract import FAULTS, HARM, harmed
from attn_checks.exercise import EXERCISES
from attn_checks.grading import submissions
from attn_checks.grading.sandbox import StoppedError
from attn_checks.messages import not_attempted, say

RUNS = 3  # of a notebook: a cell that stops it is left out in the next
STOPPED = {
    "hangs": "did not come to an end in {seconds} seconds",
    "ends-python": "ended Python (os._exit, a crash, or more memory than there is)",
    "floods": "printed more than 10 million letters",
    "forks": "started dozens of processes",
    "too-large": "took more than {memory} MB of memory",
    "fills-the-disk": "wrote more than 200 MB, or 5,000 files",
    "garbles": "wrote into the line of the grader's answers",
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


def judge(path, new_worker):
    """The rows of one notebook, at least one, whatever is in it; `new_worker` makes the process that runs it."""
    try:
        notebook = submissions.read(path)
    except submissions.UnreadableError as error:
        return [Row("", "unreadable", *error.args)]
    cells = submissions.code_cells(notebook)
    asked = submissions.asked_in(notebook, cells)
    if not asked:
        return [Row("", "no exercise", "", "It holds no exercise of the course, by name or by its checker.")]
    left_out, verdicts = {}, {}  # number of a cell, or name of an exercise, -> why it is left out
    for _ in range(RUNS):
        worker = new_worker()
        stopped = run_once(worker, cells, asked, left_out, verdicts)
        if stopped is None:
            break
        where, reason = stopped
        left_out[where] = reason, STOPPED.get(reason, reason).format(**worker.limits._asdict())
        if where is None:
            break
    return [*stopped_rows(cells, left_out), *(verdict(each, cells, left_out, verdicts) for each in asked)]


def run_once(worker, cells, asked, left_out, verdicts):
    """Run all cells but those left out, judge what is not judged yet; where and why it was stopped, or None."""
    where, kept = None, defaultdict(list)
    try:
        with worker:
            worker.ask("ready", seconds=60)
            for cell in cells:
                where = cell.number
                if where not in left_out and submissions.lesson_sources().get(cell.source.strip(), True):
                    worker.ask("run", cell.source, seconds=worker.limits.seconds)
                keep_from(worker, cell, asked, kept)
            for each in asked:
                where = each.name
                if where not in verdicts and where not in left_out:
                    verdicts[where] = judge_one(worker, each, kept[where])
    except StoppedError as error:
        return where, str(error)
    return None


def keep_from(worker, cell, asked, kept):
    """Have the worker keep what an exercise is about, as it is after this cell."""
    functions = {each.name for each in asked if each.is_function}
    for name, expressions, is_checked in submissions.to_keep(cell, asked):
        number = worker.ask("keep", expressions, name in functions and not is_checked)
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
    if row.status not in ("passed", "not attempted") and defined_in in submissions.lesson_sources():
        return Row(asked.name, "not attempted", "", "The cell to fix is as the lesson has it.")
    several = len({str(other[2]) for _, _, (other, *_) in written})
    note = f"\nOf {several} definitions in the notebook, this is the last." if several > 1 else ""
    return row._replace(message=row.message + note)


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


@np.errstate(all="ignore")  # as in check.judge
def on_other_inputs(exercise, caller):
    """Feedback if a function is right on the course's inputs alone: it is asked about others, which nobody knows before."""
    cases = [shuffled(case) for case in exercise.cases]
    wanted = [imitate(exercise.right, case) for case in cases]
    pairs = zip(caller.outcomes(cases), wanted, strict=False)
    if all(want.raised is not None or agree(got, want, exercise.exact) for got, want in pairs):
        return None
    line = "It gives the right numbers on the course's own inputs, and wrong ones on the same with columns shuffled."
    title = f"{exercise.name}: not yet. Looks like: only known inputs."
    return say("incorrect", "only-known-inputs", title, [line])


def shuffled(case):
    """A case with the columns of its arrays in another order, the same for all of the same width."""
    orders = {}

    def other(value):
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [other(part) for part in value]
        if not isinstance(value, np.ndarray) or not value.ndim:
            return value
        width = value.shape[-1]
        if width not in orders:
            orders[width] = sorted(range(width), key=lambda _: secrets.randbits(30))
        return value[..., orders[width]]

    return tuple(map(other, case))


def row_of(asked, feedback):
    told = sentence(asked, feedback)
    return Row(asked.name, feedback.status, feedback.mistake or "", feedback.message, told)


def sentence(asked, feedback):
    """What to say to a class about a mistake that many made: its own words, without the numbers of one student."""
    if asked.is_function:
        known = {mistake.short: mistake.say for mistake in EXERCISES[asked.checker].mistakes}
        known |= {fault.mistake: fault.say for fault in FAULTS} | {
            name: text for name, (_, text) in HARM.items()
        }
        if feedback.mistake in known and "{" not in known[feedback.mistake]:
            return known[feedback.mistake].replace("*", "")
    lines = [line for line in feedback.lines if not line.startswith(("Look again at", "On th", "On inputs"))]
    return lines[-1] if lines and feedback.status not in ("passed", "not attempted") else ""


def stopped_rows(cells, left_out):
    """A row for the notebook itself, if a cell of it had to be left out."""
    numbers = {cell.number: cell for cell in cells}
    for where, (reason, why) in left_out.items():
        if where is None:
            yield Row("", "stopped", reason, f"The notebook {why}.")
        elif where in numbers:
            first = numbers[where].source.strip().split("\n")[0][:80]
            yield Row("", "stopped", reason, f"Cell {where} {why} and was left out: {first}")


def verdict(asked, cells, left_out, verdicts):
    """The row of one exercise: judged, stopped, not to be read, or not there."""
    if verdicts.get(asked.name):
        return verdicts[asked.name]
    if asked.name in left_out:
        reason, why = left_out[asked.name]
        return Row(asked.name, "stopped", reason, f"Asked what it gives, it {why}.")
    if asked.name not in verdicts:
        return Row(asked.name, "stopped", "", "The notebook was stopped too often before it came to this.")
    broken = next((cell for cell in cells if cell.problem and asked.given[0] in cell.names), None)
    if broken:
        text = f"Python cannot read cell {broken.number}: {broken.problem}"
        say = "Python itself cannot read the cell, so nothing in it has run. Its own words name the line."
        return Row(asked.name, "error", "syntax-error", text, say)
    return Row(asked.name, "missing", "", f"No cell gives {asked.given[0]} a value, or checks it.")
