"""A published lesson alone in an empty folder, as Colab opens it: its setup cell fetches the rest, every cell runs.

The first lesson represents all of them, because they share the setup cell and no other cell opens a file.
"""

import os
import re
import subprocess
import sys

import nbformat
import pytest

import course
from course import every_lesson
from stand_in import publish

OPENS = re.compile(r"open\(|pathlib|read_\w+\(|np\.(load|fromfile|genfromtxt)")


@every_lesson
def test_no_cell_but_the_first_opens_a_file(path):
    for cell in course.code_cells(course.read(path)):
        assert cell.id == "setup" or not OPENS.search(cell.source), cell.id


@pytest.mark.thorough
def test_alone(tmp_path_factory, tmp_path):
    lesson, published = course.NOTEBOOKS[0].name, publish(tmp_path_factory.mktemp("published"))
    (tmp_path / "google" / "colab").mkdir(parents=True)
    (tmp_path / "google" / "colab" / "__init__.py").touch()
    content = tmp_path / "content"
    content.mkdir()
    notebook = nbformat.read(published.folder / "notebooks" / lesson, as_version=4)
    setup = next(cell for cell in notebook.cells if cell.id == "setup")
    setup.metadata.tags = ["nbval-ignore-output"]  # only here it says that it fetches
    nbformat.write(notebook, content / lesson)
    options = ["-c", course.ROOT / "pyproject.toml", "--rootdir", tmp_path, "--coarse-pictures"]
    command = [sys.executable, "-m", "pytest", *options, "--color=no", lesson]
    environment = os.environ | published.environment | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=content, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (content / "attention-from-scratch" / "attn_helpers.py").is_file()
