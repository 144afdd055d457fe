"""What runs before a commit: every hook passes on the course as it stands, and notices what it is there for."""

import os
import subprocess
import sys

import nbformat
import pytest

from stand_in import copy_course, git


@pytest.fixture(scope="module")
def run_hooks(request):
    """Runs the hooks of a copy of the course over all its files: the exit code and what was printed."""
    store = {"PRE_COMMIT_HOME": str(request.config.cache.mkdir("pre-commit")), "PRE_COMMIT_COLOR": "never"}

    def run(tree, *hook):
        git(tree, "add", "--all")
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--show-diff-on-failure", *hook]
        done = subprocess.run(command, cwd=tree, env=os.environ | store, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.fixture
def tree(tmp_path):
    copy_course(tmp_path / "course")
    git(tmp_path / "course", "init", "-q")
    return tmp_path / "course"


def test_the_course_is_tidy(run_hooks, tree):
    code, said = run_hooks(tree)
    assert code == 0, said


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def make_noisy(path):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].metadata["collapsed"] = True
    nbformat.write(notebook, path)


LESSON = "notebooks/02_scaling.ipynb"
# hook: what is done to the course that it must notice
BREAKS = {
    "ruff-check": lambda tree: append(tree / "attn_helpers.py", "\n\nimport os\n"),
    "ruff-format": lambda tree: append(tree / "attn_helpers.py", "\n\nx = {  'a':1 }\n"),
    "tidy-notebooks": lambda tree: make_noisy(tree / LESSON),
    "codespell": lambda tree: append(tree / "README.md", "\nTeh end.\n"),
    "local-links": lambda tree: append(tree / "README.md", "\n[gone](notebooks/99_gone.ipynb)\n"),
    "whitespace": lambda tree: append(tree / "TEACHING.md", "\nThe end. \n"),
}


@pytest.mark.parametrize("hook", BREAKS)
def test_hook_notices(run_hooks, tree, hook):
    BREAKS[hook](tree)
    code, said = run_hooks(tree, hook)
    assert code == 1, said
    assert f"hook id: {hook}" in said


def test_tidying_keeps_outputs(run_hooks, tree):
    before = nbformat.read(tree / LESSON, as_version=4)
    make_noisy(tree / LESSON)
    run_hooks(tree, "tidy-notebooks")
    assert nbformat.read(tree / LESSON, as_version=4) == before
