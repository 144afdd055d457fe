"""What runs before a commit passes on the course as it is, and so do its types."""

import ast
import os
import re
import subprocess
import sys

import pytest
import yaml

from course import ROOT
from stand_in import copy_course, git


@pytest.mark.thorough
def test_every_hook_finds_its_files_and_passes(tmp_path, request):
    """What each notices is its tool's own promise; of ours, test_repository and test_refresh tell."""
    tree = copy_course(tmp_path / "course")
    git(tree, "init", "-q")
    git(tree, "add", "--all")
    described = yaml.safe_load((tree / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook["name"] for repo in described["repos"] for hook in repo["hooks"]]
    environment = os.environ | {"PRE_COMMIT_HOME": str(request.config.cache.mkdir("pre-commit"))}
    command = [
        sys.executable,
        "-m",
        "pre_commit",
        "run",
        "--all-files",
        "--color=never",
    ]
    said = subprocess.run(
        command,
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout
    assert re.findall(r"(?m)^(.+?)\.+Passed$", said) == hooks, said


@pytest.mark.thorough
def test_types_fit(request):
    """In the folders that pyproject.toml names for mypy."""
    cache = request.config.cache.mkdir("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_crosses_a_folder_of_the_checkers_has_types():
    trees = {path: ast.parse(path.read_text("utf-8")) for path in (ROOT / "attn_checks").rglob("*.py")}
    crossing = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            home = ROOT.joinpath(*(getattr(node, "module", None) or "").split(".")).with_suffix(".py")
            if isinstance(node, ast.ImportFrom) and home.parent != path.parent:
                crossing |= {(home, each.name) for each in node.names}
    lacking = []
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and (path, node.name) in crossing:
                given = [*node.args.args, *node.args.kwonlyargs]
                if not node.returns or not all(each.annotation for each in given):
                    lacking.append(f"{path.name}: {node.name}")
    assert crossing and not lacking
