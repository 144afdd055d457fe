"""What runs before a commit: every hook passes on the course as it stands, and notices what it is there for."""

import os
import re
import subprocess
import sys

import nbformat
import pytest
import yaml

from course import ROOT
from stand_in import copy_course, git

LESSON = "notebooks/02_scaling.ipynb"
WORKFLOW = ".github/workflows/ci.yml"


@pytest.fixture(scope="module")
def run_hooks(request, tmp_path_factory):
    """Runs the hooks of a copy of the course over all its files: {hook: passed}, and what was printed."""
    store = {"PRE_COMMIT_HOME": str(request.config.cache.mkdir("pre-commit")), "PRE_COMMIT_COLOR": "never"}

    def pre_commit(tree, *command):
        command = [sys.executable, "-m", "pre_commit", *command]
        return subprocess.run(
            command, cwd=tree, env=os.environ | store, capture_output=True, text=True
        ).stdout

    empty = tmp_path_factory.mktemp("empty")
    git(empty, "init", "-q")
    pre_commit(empty, "install-hooks", "--config", ROOT / ".pre-commit-config.yaml")

    def run(tree):
        git(tree, "add", "--all")
        said = pre_commit(tree, "run", "--all-files", "--verbose")
        return {hook: hook not in failed(said) for hook in re.findall(r"(?m)^- hook id: (.+)$", said)}, said

    return run


def failed(said):
    """The hooks that did not pass, from what pre-commit prints."""
    return re.findall(r"(?m)^.*\.Failed\n- hook id: (.+)$", said)


@pytest.fixture
def tree(tmp_path):
    copy_course(tmp_path / "course")
    git(tmp_path / "course", "init", "-q")
    return tmp_path / "course"


def hooks(tree):
    described = yaml.safe_load((tree / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    return [hook["id"] for repo in described["repos"] for hook in repo["hooks"]]


def test_the_course_is_tidy(run_hooks, tree):
    passed, said = run_hooks(tree)
    assert passed == dict.fromkeys(hooks(tree), True), said


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def make_noisy(path):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].metadata["collapsed"] = True
    nbformat.write(notebook, path)


def test_every_hook_notices(run_hooks, tree):
    change(
        tree / "attn_helpers.py", "\nfrom ", "\nimport os\nx = {  'a':1 }\nfrom "
    )  # ruff-check, ruff-format
    make_noisy(tree / LESSON)  # tidy-notebooks
    change(tree / WORKFLOW, "matrix.python", "matrix.snake")  # actionlint
    change(tree / WORKFLOW, "persist-credentials: false", "persist-credentials: true")  # zizmor
    change(tree / LESSON, "the ", "teh ")  # codespell:ignore teh
    change(tree / "MAINTAINING.md", "## Publish under", "## Publish at")  # local-links
    change(tree / "TEACHING.md", "\n", " \n")  # whitespace
    passed, said = run_hooks(tree)
    assert passed == dict.fromkeys(hooks(tree), False), said
