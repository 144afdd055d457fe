"""What runs before a commit: every hook passes on the course as it is, and notices what it is there for."""

import os
import re
import subprocess
import sys

import nbformat
import pytest
import yaml

from stand_in import copy_course, git

pytestmark = pytest.mark.thorough
LESSON = "notebooks/02_scaling.ipynb"
WORKFLOW = ".github/workflows/ci.yml"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    tree = copy_course(tmp_path_factory.mktemp("tidy") / "course")
    git(tree, "init", "-q")
    return tree


def run_hooks(tree, request):
    """{hook: passed} of all hooks on all files of a copy of the course, and what was printed."""
    git(tree, "add", "--all")
    environment = os.environ | {"PRE_COMMIT_HOME": str(request.config.cache.mkdir("pre-commit"))}
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose", "--color=never"]
    said = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True).stdout
    failed = re.findall(r"(?m)^.*\.Failed\n- hook id: (.+)$", said)
    return {hook: hook not in failed for hook in re.findall(r"(?m)^- hook id: (.+)$", said)}, said


def hooks(tree):
    described = yaml.safe_load((tree / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    return [hook["id"] for repo in described["repos"] for hook in repo["hooks"]]


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def test_every_hook_passes_and_then_notices(tree, request):
    passed, said = run_hooks(tree, request)
    assert passed == dict.fromkeys(hooks(tree), True), said

    change(
        tree / "attn_helpers.py", "\nfrom ", "\nimport os\nx = {  'a':1 }\nfrom "
    )  # ruff-check, ruff-format
    change(tree / WORKFLOW, "matrix.python", "matrix.snake")  # actionlint
    change(tree / WORKFLOW, "persist-credentials: false", "persist-credentials: true")  # zizmor
    change(tree / LESSON, "the ", "teh ")  # codespell:ignore teh
    change(tree / "README.md", "(LICENSE)", "(LICENCE)")  # local-links
    change(tree / "README.md", "\n", " \n")  # whitespace
    notebook = nbformat.read(tree / LESSON, as_version=4)
    notebook.cells[0].metadata["collapsed"] = True  # tidy-notebooks
    nbformat.write(notebook, tree / LESSON)
    passed, said = run_hooks(tree, request)
    assert passed == dict.fromkeys(hooks(tree), False), said
