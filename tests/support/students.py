"""Made-up students for the tests of grading: what each hands in, and which rows that must give.

Right answers are the lessons' own solutions; wrong and hostile ones are here. `Student.rows` says how
rows that must be there begin: "exercise: status mistake", or "notebook: …" for one about the whole notebook.
"""

import re
from typing import NamedTuple

import nbformat
from nbformat import v4

from attn_checks.grading import cells, sandbox
from course import NOTEBOOKS, exercises, read, solution

SOFTMAX = (
    "def softmax(x):\n"
    "    powers = np.exp(x - x.max(-1, keepdims=True))\n"
    "    return powers / powers.sum(-1, keepdims=True)"
)
SETUP = "import os, sys, time, socket\nimport numpy as np, attn_checks as check, attn_helpers as attn"
CHECK = "check.softmax(softmax)"
WRONG = SOFTMAX.replace("-1", "0")
PASSED = "softmax: passed"
FAILED = "softmax: incorrect wrong-axis"
STUB = 'def softmax(x):\n    """Over the last axis."""\n    ...'


class Student(NamedTuple):
    name: str
    files: dict  # name -> text or bytes
    rows: list


def text(*sources):
    """A notebook of these code cells, as text."""
    cells = list(map(v4.new_code_cell, sources))
    return nbformat.writes(v4.new_notebook(cells=cells))


def brief(name, rows, *sources):
    """A student who hands in a few cells."""
    return Student(name, {"a.ipynb": text(SETUP, *sources)}, rows)


def lesson(number):
    return read(NOTEBOOKS[number])


def solved(number):
    """A whole lesson with its solutions filled in."""
    notebook = lesson(number)
    for exercise in exercises(notebook):
        exercise.stub.source = filled(exercise.stub.source, solution(exercise))
    for stub, told in zip(notebook.cells, notebook.cells[2:], strict=False):  # a stub without a number
        if stub.source.endswith("\n    ...") and "<summary>Solution" in told.source:
            [stub.source] = re.findall(r"(?ms)^```python\n(.*?)^```", told.source)
    return notebook


def filled(stub, answer):
    """The answer, with the lines of the stub around it where dots are a line of their own."""
    return stub.replace("\n...", f"\n{answer}") if "\n...\n" in stub else answer


def names_of(number):
    return list(cells.course().lessons[number])


def whole_students():
    """A whole lesson each: all of it right, one wrong answer, or the cells turned around and renamed."""
    for number, path in enumerate(NOTEBOOKS):
        rows = [f"{name}: passed" for name in names_of(number)]
        yield whole(f"right-{path.name[:2]}", rows, solved(number), path.name)
    softmax = lesson(4)
    exercises(softmax)[0].stub.source = WRONG
    rows = [f"{name}: not attempted" for name in names_of(4) if name != "softmax"]
    yield whole("wrong-axis", [FAILED, *rows], softmax)
    letters = lesson(11)
    exercises(letters)[2].stub.source = 'answer = "(B)"'
    yield whole("wrong-letter", ["11-proof: incorrect chose-b"], letters)
    moved = solved(4)
    moved.cells[4:] = moved.cells[:3:-1]
    for number, cell in enumerate(moved.cells):
        cell.id = f"colab-{number}"
    yield whole("moved", ["softmax: passed printed-solution"], moved)


def whole(name, rows, notebook, file="my homework (2).ipynb"):
    return Student(name, {file: nbformat.writes(notebook)}, rows)


def brief_students():
    """The same answers elsewhere, and cells that fail, which costs an exercise only what it needs."""
    missing = "joined_softmax: missing"
    yield brief("copied-stub-below", [PASSED, missing], SOFTMAX, CHECK, STUB)
    yield brief("copied-worse-below", [FAILED], SOFTMAX, CHECK, WRONG)
    renamed = SOFTMAX.replace("softmax", "own")
    yield brief("renamed", [PASSED], renamed, "check.softmax(own)")
    yield Student("no-setup-no-check", {"a.ipynb": text(SOFTMAX)}, [PASSED])
    beside = {
        "a.ipynb": text("from own import softmax", CHECK),
        "own.py": f"import numpy as np\n{SOFTMAX}",
    }
    yield Student("file-beside", beside, [PASSED])
    yield brief("syntax-error", ["softmax: error syntax-error"], SOFTMAX[:-1], CHECK)
    lacks = "import nowhere\nscale = 1.0"
    scaled = SOFTMAX.replace("np.exp(", "scale * np.exp(")
    yield brief("lacks-it-above", ["softmax: error no-nowhere"], lacks, scaled, CHECK)
    raises = f"print(nothing)\n{SOFTMAX}"
    yield brief("raises-above", ["softmax: error cell-failed"], raises, CHECK)
    yield brief("raises-elsewhere", ["notebook: cell failed", PASSED], "1 / 0", SOFTMAX, CHECK)


UNREADABLE = {
    "empty": b"",
    "not-json": b"Dear teacher, here is my homework",
    "not-a-notebook": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": "none"}',
    "deeply-nested": b"[" * 100_000,
}


def unreadable_students():
    for name, content in UNREADABLE.items():
        why = name.replace("deeply-nested", "not-a-notebook")
        yield Student(name, {"a.ipynb": content}, [f"notebook: unreadable {why}"])
    essay = {"essay.txt": "words"}
    yield Student("no-notebook", essay, ["notebook: unreadable no-notebook"])
    other = {"@b.ipynb": text("x = 1")}
    yield Student("=1+1<script>", other, ["notebook: no exercise"])


def hostile_students(outside, port):
    """Notebooks that do harm. `outside` is a file that none may write, `port` one at which none may call."""
    for name, cell in STOPPED.items():
        rows = [f"notebook: stopped {name}", PASSED]
        yield brief(f"hostile-{name}", rows, SOFTMAX, cell, CHECK)
    for name, cell in HARMLESS.items():
        wrong = f"import numpy as np\n{WRONG}"
        yield brief(f"hostile-{name}", [FAILED], cell, wrong, CHECK)
    writes = f"open({str(outside)!r}, 'w').write('changed')"
    yield brief("hostile-writes-outside", [PASSED], writes, SOFTMAX, CHECK)
    for name, (answer, told) in answers(outside, port).items():
        yield brief(f"hostile-{name}", [f"softmax: {told}"], answer, CHECK)


NOISE = """
for number in range(3, 20):
    try:
        os.write(number, b'"passed"\\n')
    except OSError:
        pass
"""
# Cells that cost the notebook a row, and no exercise its verdict.
STOPPED = {
    "hangs": "while True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
    "ends-python": "os._exit(0)",
    "forks": "for i in range(150):\n    if os.fork() == 0:\n        time.sleep(1000)\ntime.sleep(1000)",
    "fills-the-disk": "for i in range(6000):\n    open(f'file{i}', 'w').close()\ntime.sleep(1000)",
    "garbles": NOISE.replace('"', ""),
}
# Cells that change no verdict on the wrong answer below them.
HARMLESS = {
    "exit": "exit()",
    "writes-to-devices": "open('/dev/kmsg', 'w'); softmax = attn.softmax",
    "kills-its-parent": "os.kill(os.getppid() or os.getpid() + 10**6, 9)",
    "edits-the-checker": """
import attn_checks.check as e, attn_checks.tell.feedback as f
path = e.__file__
text = open(path).read().replace('if not wrong:', 'if True:')
open(path, 'w').write(text)
e.check = lambda exercise, function: f.passed(exercise.name, 7)
check.softmax = lambda g: f.passed('softmax', 7)
""",
    "resets-names": "%reset -f",
}


def answers(outside, port):
    """Functions that do harm when they are asked, or pretend: (text, status and mistake)."""
    calls = f'socket.create_connection(("127.0.0.1", {port}), timeout=1)'
    reads = f"open({str(outside.parent / 'hostile-reads' / 'a.ipynb')!r}).read()"
    # namespaces alone keep it from reading: a report says where a system has none
    unread = "incorrect" if sandbox.walls_here().namespaces else "passed"
    return {
        "calls-out": (RIGHT_IF.format(calls), "incorrect"),
        "reads": (RIGHT_IF.format(reads), unread),
        "hangs-when-asked": ("def softmax(x):\n    while True: pass", "error endless-loop"),
        "patches-numpy": (f"np.exp = lambda x: x\n{WRONG}", "error replaced"),
        "looks-up": (TABLE, "incorrect only-known-inputs"),
        "forges-answers": (FORGED, "error no-answer"),
        "writes-answers": (NOISE + SOFTMAX, "error no-answer"),
        "equal-to-all": (YES, "incorrect"),
        "html": ("def softmax(x):\n    raise ValueError('<img src=x onerror=alert(1)>')", "error"),
    }


RIGHT_IF = """
try:
    {}
    softmax = lambda x: attn.softmax(x - 1)
except OSError:
    softmax = lambda x: x
"""
TABLE = """
KNOWN = [(case[0], attn.softmax(case[0])) for case in check.EXERCISES["softmax"].cases]
def softmax(x):
    return next((right for known, right in KNOWN if np.array_equal(known, x)), x)
"""
FORGED = """
import attn_checks.grading.worker as w
w.Notebook.ask = lambda *given: [["result", ["plain", 7], "same", False, ""]] * 99
def softmax(x):
    return x
"""
YES = """
class Yes(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __sub__(self, other): return np.zeros(self.shape)
    def __reduce__(self): return (os.system, ("touch /tmp/harm",))
def softmax(x):
    return x.view(Yes)
"""


def everybody(outside, port):
    """All of them, some forty whole and hostile notebooks."""
    hostile = hostile_students(outside, port)
    return [*whole_students(), *brief_students(), *unreadable_students(), *hostile]


def hand_in(students, folder):
    """Write what they hand in, a folder for each."""
    for student in students:
        (folder / student.name).mkdir(parents=True)
        for name, content in student.files.items():
            content = content.encode() if isinstance(content, str) else content
            (folder / student.name / name).write_bytes(content)


def unlike(student, rows):
    """What a student's rows lack; of a right lesson all of them, if there are more than its exercises."""
    told = [f"{row['exercise'] or 'notebook'}: {row['status']} {row['mistake']}" for row in rows]
    if student.name.startswith("right-") and len(told) > len(student.rows):
        return told
    return [row for row in student.rows if not any(line.startswith(row) for line in told)]
