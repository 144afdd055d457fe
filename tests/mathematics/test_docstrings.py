"""Every example in a docstring runs and shows what it says."""

import doctest
import importlib

import pytest

from attn_checks.ask.progress import CHECKED, PREDICTED
from course import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("attn_checks", "attn_lessons", "attn_parts")
    for path in (ROOT / folder).rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    for memory in (CHECKED, PREDICTED):
        memory.clear()  # of tests before, in the same process
    assert doctest.testmod(importlib.import_module(name)).failed == 0
