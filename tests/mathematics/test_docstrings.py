"""Every example in a docstring runs and shows what it says."""

import doctest
import importlib
import pathlib

import pytest

import attn_helpers as attn

FOLDER = pathlib.Path(attn.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    for path in (FOLDER / "attn_parts").rglob("[!_]*.py")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
