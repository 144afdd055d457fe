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


def run_hooks(tree, request):
    """{hook: passed} of all hooks on all files of a copy of the course, and what was printed."""
    git(tree, "add", "--all")
    environment = os.environ | {"PRE_COMMIT_HOME": str(request.config.cache.mkdir("pre-commit"))}
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose", "--color=never"]
    said = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True).stdout
    failed = re.findall(r"(?m)^.*\.Failed\n- hook id: (.+)$", said)
    return {hook: hook not in failed for hook in re.findall(r"(?m)^- hook id: (.+)$", said)}, said


# file, what stands there, and instead of it what a hook notices
CHANGES = [
    ("attn_helpers.py", "\nfrom ", "\nimport os\nx = {  'a':1 }\nfrom "),  # ruff-check, ruff-format
    (WORKFLOW, "matrix.python", "matrix.snake"),  # actionlint
    (WORKFLOW, "persist-credentials: false", "persist-credentials: true"),  # zizmor
    (LESSON, "the ", "teh "),  # codespell:ignore teh
    ("README.md", "(LICENSE)", "(LICENCE)"),  # local-links
    ("README.md", "\n", " \n"),  # whitespace
]


def test_every_hook_passes_and_then_notices(tmp_path, request):
    tree = copy_course(tmp_path / "course")
    git(tree, "init", "-q")
    described = yaml.safe_load((tree / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook["id"] for repo in described["repos"] for hook in repo["hooks"]]
    passed, said = run_hooks(tree, request)
    assert passed == dict.fromkeys(hooks, True), said

    for name, old, new in CHANGES:
        text = (tree / name).read_text(encoding="utf-8")
        assert old in text
        (tree / name).write_text(text.replace(old, new), encoding="utf-8", newline="\n")
    notebook = nbformat.read(tree / LESSON, as_version=4)
    notebook.cells[0].metadata["collapsed"] = True  # tidy-notebooks
    nbformat.write(notebook, tree / LESSON)
    passed, said = run_hooks(tree, request)
    assert passed == dict.fromkeys(hooks, False), said
