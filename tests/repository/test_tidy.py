"""What runs before a commit passes on the course as it is, and so do its types."""

import importlib
import inspect
import os
import re

import pytest
import yaml

from course import ROOT
from environments import python
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
    command = "-m pre_commit run --all-files --color=never".split()
    said = python(*command, cwd=tree, env=environment).stdout
    assert re.findall(r"(?m)^(.+?)\.+Passed$", said) == hooks, said


@pytest.mark.thorough
def test_types_fit(request):
    """In the folders that pyproject.toml names for mypy."""
    cache = request.config.cache.mkdir("mypy")
    done = python("-m", "mypy", "--cache-dir", cache, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_crosses_a_folder_of_the_checkers_has_types():
    crossing = set()
    for path in (ROOT / "attn_checks").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for each in vars(importlib.import_module(name)).values():
            home = getattr(each, "__module__", None) or ""
            if home.startswith("attn_checks") and folder_of(home) != folder_of(name):
                crossing.add(each)
    functions = list(filter(inspect.isfunction, crossing))
    for function in functions:
        wanted = {*inspect.signature(function).parameters, "return"}
        assert not wanted - function.__annotations__.keys(), function
    assert len(functions) > 50


def folder_of(module):
    return module.rpartition(".")[0]
