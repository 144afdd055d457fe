"""What runs before a commit: every hook passes on the course as it stands, and notices what it is there for."""

import os
import subprocess
import sys

import nbformat
import pytest
import yaml

from course import ROOT
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
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8", newline="\n")


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def make_noisy(path):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].metadata["collapsed"] = True
    nbformat.write(notebook, path)


LESSON = "notebooks/02_scaling.ipynb"
# what is done to the course: the hook that must notice, and the doing
BREAKS = {
    "unused import": ("ruff-check", lambda tree: append(tree / "attn_helpers.py", "\n\nimport os\n")),
    "layout": ("ruff-format", lambda tree: append(tree / "attn_helpers.py", "\n\nx = {  'a':1 }\n")),
    "metadata": ("tidy-notebooks", lambda tree: make_noisy(tree / LESSON)),
    "misspelling": ("codespell", lambda tree: append(tree / "README.md", "\nTeh end.\n")),
    "misspelling in a lesson": (
        "codespell",
        lambda tree: replace(tree / LESSON, "the ", "teh "),  # codespell:ignore teh
    ),
    "link to no file": (
        "local-links",
        lambda tree: append(tree / "README.md", "\n[x](notebooks/99.ipynb)\n"),
    ),
    "file that others link": ("local-links", lambda tree: (tree / "TEACHING.md").unlink()),
    "heading that others link": (
        "local-links",
        lambda tree: replace(tree / "CONTRIBUTING.md", "## Publish under", "## Publish at"),
    ),
    "space at an end": ("whitespace", lambda tree: append(tree / "TEACHING.md", "\nThe end. \n")),
    "no line end": ("whitespace", lambda tree: append(tree / "TEACHING.md", "\nThe end.")),
    "empty line at the end": ("whitespace", lambda tree: append(tree / "TEACHING.md", "\n")),
}


@pytest.mark.parametrize("damage", BREAKS)
def test_hook_notices(run_hooks, tree, damage):
    hook, do = BREAKS[damage]
    do(tree)
    code, said = run_hooks(tree, hook)
    assert code == 1, said
    assert f"hook id: {hook}" in said


def test_every_hook_is_seen_to_notice():
    described = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook["id"] for repo in described["repos"] for hook in repo["hooks"]]
    assert set(hooks) == {hook for hook, _ in BREAKS.values()}


def test_tidying_keeps_outputs(run_hooks, tree):
    before = nbformat.read(tree / LESSON, as_version=4)
    make_noisy(tree / LESSON)
    run_hooks(tree, "tidy-notebooks")
    assert nbformat.read(tree / LESSON, as_version=4) == before
