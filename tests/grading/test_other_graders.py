"""Otter and nbgrader grade with the checkers. Each runs where it is installed: `nox -s graders`."""

import csv
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

import students
from set_address import ROOT

CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'attention'\nc.ExecutePreprocessor.timeout = 60\n"
STUB = "def softmax(x):\n    ### BEGIN SOLUTION\n    return attn.softmax(x)\n    ### END SOLUTION"


def only_with(module):
    return pytest.mark.skipif(not importlib.util.find_spec(module), reason=f"{module} is not installed here")


def run(folder, *command):
    """Run a command of this Python's environment, which finds the course."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@only_with("otter")
def test_otter_grades_a_lesson(tmp_path):
    run(tmp_path, sys.executable, str(ROOT / "tools" / "otter_assignment.py"), "01", "--output", "made")
    answers = {1: "def scores(Q, K):\n    return Q @ K"}
    handed_in = {"right": students.answered("01"), "wrong": students.answered("01", answers)}
    scores, words = {}, {}
    for name, notebook in handed_in.items():
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
        run(tmp_path, "otter", "run", "-a", "made/autograder.zip", f"{name}.ipynb", "--no-logo")
        results = json.loads((tmp_path / "results.json").read_text())["tests"]
        scores[name] = {test["name"]: test["score"] for test in results if "score" in test}
        words[name] = "\n".join(test["output"] for test in results)
    names = students.names_of("01")
    assert scores == {"right": dict.fromkeys(names, 1), "wrong": dict.fromkeys(names, 0)}
    assert "Looks like: K was not transposed" in words["wrong"] and "not yet" not in words["right"]


@only_with("nbgrader")
def test_nbgrader_grades_with_a_checker(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(CONFIG)
    source = tmp_path / "source" / "lesson" / "softmax.ipynb"
    source.parent.mkdir(parents=True)
    cells = [cell(students.SETUP, "setup", locked=True), cell(STUB, "softmax", solution=True)]
    cells.append(cell('check.require("softmax", softmax)', "test-softmax", grade=True, points=1, locked=True))
    nbformat.write(v4.new_notebook(cells=cells, metadata=students.lesson("01").metadata), source)
    run(tmp_path, "nbgrader", "generate_assignment", "lesson")
    for name, answer in (("right", students.SOFTMAX), ("wrong", students.WRONG)):
        notebook = nbformat.read(tmp_path / "release" / "lesson" / "softmax.ipynb", as_version=4)
        notebook.cells[1].source = answer
        submitted = tmp_path / "submitted" / name / "lesson" / "softmax.ipynb"
        submitted.parent.mkdir(parents=True)
        nbformat.write(notebook, submitted)
    run(tmp_path, "nbgrader", "autograde", "lesson", "--create")
    run(tmp_path, "nbgrader", "export")
    with (tmp_path / "grades.csv").open(newline="") as file:
        assert {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)} == {
            "right": 1,
            "wrong": 0,
        }
    graded = (tmp_path / "autograded" / "wrong" / "lesson" / "softmax.ipynb").read_text()
    assert "Looks like: normalised over the queries" in graded


def cell(source, name, *, grade=False, solution=False, locked=False, points=None):
    """A code cell with nbgrader's marks."""
    marks = {"grade_id": name, "grade": grade, "solution": solution, "locked": locked, "task": False}
    marks |= {"schema_version": 3} | ({"points": points} if grade else {})
    return v4.new_code_cell(source, metadata={"nbgrader": marks})
