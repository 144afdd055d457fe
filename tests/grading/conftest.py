"""Graders of others stand in environments of their own: `nox -s graders`. Elsewhere their tests are not gathered."""

import importlib.util

GRADERS = ("otter", "nbgrader")
collect_ignore = [] if any(map(importlib.util.find_spec, GRADERS)) else ["test_other_graders.py"]


def pytest_addoption(parser):
    told = "grade every made-up student, whole lessons and all hostile notebooks: minutes"
    parser.addoption("--whole-class", action="store_true", help=told)
