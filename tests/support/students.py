"""Made-up students for the tests of grading: what each hands in, and which rows that must give.

Right answers are the lessons' own solutions; wrong and hostile ones stand here. `Student.rows` says what must be among the
student's rows: (exercise, status, mistake), exercise "" for a row about the whole notebook.
"""

import itertools
import json
import re
from typing import NamedTuple

import nbformat
from nbformat import v4

from attn_checks import QUESTIONS
from attn_checks.grading import cells, sandbox
from course import NOTEBOOKS, code_cells, exercises, read, solution

SOFTMAX = "def softmax(x):\n    powers = np.exp(x - x.max(-1, keepdims=True))\n    return powers / powers.sum(-1, keepdims=True)"
SETUP = "import os, sys, time, socket\nimport numpy as np, attn_checks as check, attn_helpers as attn"
CHECK = "check.softmax(softmax)"
WRONG = SOFTMAX.replace("-1", "0")
PASSED = [("softmax", "passed", "")]
FAILED = [("softmax", "incorrect", "wrong-axis")]


class Student(NamedTuple):
    name: str
    files: dict  # name -> text or bytes
    rows: list


def short(*cells):
    """A notebook of a few cells, as text."""
    return nbformat.writes(v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in (SETUP, *cells)]))


def brief(name, rows, *cells):
    """A student who hands in a few cells."""
    return Student(name, {"a.ipynb": short(*cells)}, rows)


def lesson(number):
    return read(next(path for path in NOTEBOOKS if path.name.startswith(number)))


def answered(number, answers=None):
    """A whole lesson with its solutions filled in, or the answers given, {number of the exercise: text}."""
    notebook = lesson(number)
    for place, exercise in enumerate(exercises(notebook), 1):
        if answers is None or place in answers:
            exercise.stub.source = answers[place] if answers else right_answer(exercise)
    for stub, told in zip(
        notebook.cells,
        notebook.cells[2:],
        strict=False,
    ):  # a stub without a number
        if answers is None and stub.source.endswith("\n    ...") and "<summary>Solution" in told.source:
            [stub.source] = re.findall(r"(?ms)^```python\n(.*?)^```", told.source)
    return notebook


def right_answer(exercise):
    stub = exercise.stub.source
    if stub.startswith("answer = ..."):
        slug = exercise.check.source.split('"')[1]
        return f"answer = {QUESTIONS[slug].right!r}"
    sets_values = "\n...\n" in stub and "def " not in stub  # around its dots
    return stub.replace("\n...", f"\n{solution(exercise)}") if sets_values else solution(exercise)


def names_of(number):
    return list(cells.course().lessons[int(number)])


def right_students():
    for path in NOTEBOOKS:
        number = path.name[:2]
        rows = [(name, "passed", None) for name in names_of(number)]
        yield Student(
            f"right-{number}",
            {path.name: nbformat.writes(answered(number))},
            rows,
        )


def wrong_students():
    """A whole lesson each, with one wrong answer."""
    rows = [("softmax", "incorrect", "wrong-axis")]
    rows += [(name, "not attempted", "") for name in names_of("04") if name != "softmax"]
    yield Student(
        "wrong-axis",
        {"04.ipynb": nbformat.writes(answered("04", {1: WRONG}))},
        rows,
    )
    letters = nbformat.writes(answered("11", {3: 'answer = "(B)"'}))
    yield Student(
        "wrong-letter",
        {"11.ipynb": letters},
        [("11-proof", "incorrect", "chose-b")],
    )


def moved_students():
    """The same answers in notebooks that were changed around."""
    backwards = answered("04")
    colab = answered("04")
    backwards.cells[4:] = backwards.cells[:3:-1]
    for number, cell in enumerate(colab.cells):
        cell.id = f"colab-{number}"
    stub = next(cell.source for cell in code_cells(lesson("04")) if cell.source.startswith("def softmax"))
    missing = [("softmax", "passed", ""), ("joined_softmax", "missing", "")]
    printed = [("softmax", "passed", "printed-solution")]
    yield Student("moved-backwards", {"04.ipynb": nbformat.writes(backwards)}, printed)
    yield Student(
        "moved-ids-gone",
        {"my homework (2).ipynb": nbformat.writes(colab)},
        printed,
    )
    yield brief("copied-stub-below", missing, SOFTMAX, CHECK, stub)
    yield brief("copied-worse-below", FAILED, SOFTMAX, CHECK, WRONG)
    yield brief(
        "renamed-function",
        PASSED,
        SOFTMAX.replace("softmax", "mine"),
        "check.softmax(mine)",
    )
    yield brief(
        "named-by-lambda",
        PASSED,
        "softmax = lambda x: attn.softmax(x - 1)",
        CHECK,
    )
    yield brief("no-checks", PASSED, SOFTMAX)
    bare = v4.new_notebook(cells=[v4.new_code_cell(SOFTMAX), v4.new_code_cell(CHECK)])
    yield Student("no-setup", {"a.ipynb": nbformat.writes(bare)}, PASSED)
    yield Student("format-of-2013", {"a.ipynb": nbformat.writes(bare, version=3)}, PASSED)
    beside = short("from mine import softmax", CHECK)
    yield Student(
        "file-beside",
        {"a.ipynb": beside, "mine.py": f"import numpy as np\n{SOFTMAX}"},
        PASSED,
    )
    broken, raising = (f"def softmax(x):\n    return {result}" for result in ("np.exp(x", "np.exp(y)"))
    yield brief("syntax-error", [("softmax", "error", "syntax-error")], broken, CHECK)
    yield brief("raises", [("softmax", "error", "undefined-name")], raising, CHECK)


def failing_students():
    """Notebooks whose cells raise, which costs an exercise no more than what it needs of them."""
    lacks = "import nowhere\nscale = 1.0"
    scaled = SOFTMAX.replace("np.exp(", "scale * np.exp(")
    failed = ("", "cell failed", "")
    yield brief(
        "lacks-it-above",
        [("softmax", "error", "no-nowhere")],
        lacks,
        scaled,
        CHECK,
    )
    yield brief(
        "raises-above",
        [("softmax", "error", "cell-failed")],
        f"print(nothing)\n{SOFTMAX}",
        CHECK,
    )
    yield brief(
        "raises-elsewhere",
        [failed, *PASSED],
        "1 / 0",
        "%pip install nowhere",
        SOFTMAX,
        CHECK,
    )
    forged = "import attn_checks.grading.worker as w\nw.Notebook.run = lambda *given: ['no-torch', 7, 8]"
    yield brief(
        "forged-failure",
        [("softmax", "error", "no-torch")],
        forged,
        SOFTMAX,
        CHECK,
    )


def unreadable_students():
    whole = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": "none",
    }
    for name, content, mistake in (
        ("empty-file", b"", "empty"),
        ("not-json", b"Dear teacher, here is my homework", "not-json"),
        ("no-cells", json.dumps(whole).encode(), "not-a-notebook"),
        ("deeply-nested", b"[" * 100_000, "not-a-notebook"),
    ):
        yield Student(name, {"a.ipynb": content}, [("", "unreadable", mistake)])
    yield Student(
        "no-notebook",
        {"essay.txt": "words"},
        [("", "unreadable", "no-notebook")],
    )
    yield Student("=1+1<script>", {"@b.ipynb": short("x = 1")}, [("", "no exercise", "")])


def hostile_students(outside, port):
    """Notebooks that do harm. `outside` is a file that none may write, `port` one at which none may call."""
    for name, cell in STOPPED.items():
        stopped = ("", "stopped", name.replace("-deaf", ""))
        yield brief(f"hostile-{name}", [stopped, *PASSED], SOFTMAX, cell, CHECK)
    for name, (cell, answer) in harmless_cells(outside).items():
        rows = PASSED if answer is SOFTMAX else FAILED
        if name == "patches-numpy":
            rows = [("softmax", "error", "replaced")]
        yield brief(f"hostile-{name}", rows, cell, answer, CHECK)
    yield brief(
        "hostile-noise",
        [("", "stopped", "garbles"), *PASSED],
        NOISE,
        SOFTMAX,
        CHECK,
    )
    for name, (answer, status, mistake) in hostile_answers(outside, port).items():
        yield brief(f"hostile-{name}", [("softmax", status, mistake)], answer, CHECK)


NOISE = "for number in range(3, 20):\n    try:\n        os.write(number, b'passed\\n')\n    except OSError:\n        pass"
# Cells that cost the notebook a row, and no exercise its verdict.
STOPPED = {
    "hangs": "while True:\n    pass",
    "hangs-deaf": "while True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
    "ends-python": "os._exit(0)",
    "forks": "for i in range(150):\n    if os.fork() == 0:\n        time.sleep(1000)\ntime.sleep(1000)",
    "fills-the-disk": "for i in range(6000):\n    open(f'file{i}', 'w').close()\ntime.sleep(1000)",
}


def harmless_cells(outside):
    """Cells that change no verdict: (the cell, the answer below it)."""
    return {
        "exit": ("exit()", SOFTMAX),
        "writes-to-devices": ("open('/dev/kmsg', 'w'); softmax = attn.softmax", WRONG),
        "writes-outside": (f"open({str(outside)!r}, 'w').write('changed')", SOFTMAX),
        "kills-its-parent": ("os.kill(os.getppid() or os.getpid() + 10**6, 9)", SOFTMAX),
        "edits-the-checker": (
            "import attn_checks.check as e, attn_checks.tell.feedback as f\n"
            "path = e.__file__\ntext = open(path).read().replace('if not wrong:', 'if True:')\nopen(path, 'w').write(text)\n"
            "e.check = lambda exercise, function: f.passed(exercise.name, 7)\ncheck.softmax = lambda g: f.passed('softmax', 7)",
            WRONG,
        ),
        "patches-numpy": (
            "np.allclose = np.isclose = np.array_equal = lambda *a, **k: True\nnp.exp = lambda x: x",
            WRONG,
        ),
        "resets-names": ("%reset -f", "import numpy as np\n" + WRONG),
    }


def hostile_answers(outside, port):
    """Functions that do harm when they are asked, or pretend: (text, status, mistake)."""
    try_all = f"""
def allowed():
    try:
        socket.create_connection(("127.0.0.1", {port}), timeout=1)
        return True
    except OSError:
        return False
CAN = allowed()
def softmax(x):
    return attn.softmax(x - 1) if CAN else x"""
    steals = f"""
try:
    open({str(outside.parent / "hostile-steals" / "a.ipynb")!r}).read()
    def softmax(x):
        return attn.softmax(x - 1)
except OSError:
    def softmax(x):
        return x"""
    table = """
KNOWN = [(case[0], attn.softmax(case[0])) for case in check.EXERCISES["softmax"].cases]
def softmax(x):
    return next((right for known, right in KNOWN if np.array_equal(known, x)), x)"""
    forged = """
import attn_checks.grading.worker as w
w.Notebook.ask = lambda *given: [["result", ["plain", 7], "same", False, ""]] * 99
def softmax(x):
    return x"""
    yes = """
class Yes(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __sub__(self, other): return np.zeros(self.shape)
    def __reduce__(self): return (os.system, ("touch /tmp/harm",))
def softmax(x):
    return x.view(Yes)"""
    return {
        "answer-hangs": ("def softmax(x):\n    while True: pass", "error", "endless-loop"),
        "calls-out": (try_all, "incorrect", None),
        # namespaces alone keep it from reading: a report says where a system has none
        "steals": (steals, "incorrect" if sandbox.walls_here().namespaces else "passed", None),
        "looks-up": (table, "incorrect", "only-known-inputs"),
        "forged-answers": (forged, "error", "no-answer"),
        "garbage": (NOISE.replace("passed", '"passed"') + f"\n{SOFTMAX}", "error", "no-answer"),
        "equal-to-all": (yes, "incorrect", None),
        "html": ("def softmax(x):\n    raise ValueError('<img src=x onerror=alert(1)>')", "error", None),
    }


def everybody(outside, port):
    """All of them, some forty whole and hostile notebooks."""
    harmless = right_students(), wrong_students(), moved_students(), failing_students(), unreadable_students()
    return [*itertools.chain(*harmless), *hostile_students(outside, port)]


def hand_in(students, folder):
    """Write what they hand in, a folder for each."""
    for student in students:
        (folder / student.name).mkdir(parents=True)
        for name, content in student.files.items():
            content = content.encode() if isinstance(content, str) else content
            (folder / student.name / name).write_bytes(content)


def unlike(student, rows):
    """What a student's rows should hold and do not; `rows` as grades.csv has them. A mistake of None may be any.

    Of a right lesson there should be no other row.
    """
    found = set()
    for row in rows:
        if row["student"] == student.name:
            told = row["exercise"], row["status"]
            found |= {(*told, row["mistake"]), (*told, None)}
    missing = [row for row in student.rows if row not in found]
    more = found - set(student.rows) if student.name.startswith("right-") else ()
    return missing + [row for row in more if row[2] is None]
