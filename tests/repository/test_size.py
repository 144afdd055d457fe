"""Code has air: no folder is denser than its limit. That every file is formatted, test_tidy.py proves."""

import ast
import collections

import pytest

import size
from course import ROOT

MODULES = [*ROOT.glob("*.py"), *(path for folder in size.FOLDERS for path in (ROOT / folder).rglob("*.py"))]
FMT = "# " + "fmt:"
MOST_NODES = {"attn_parts": 14, "attn_checks": 14, "tools": 14}


@pytest.mark.parametrize("folder", size.FOLDERS)
def test_a_folder_is_not_too_dense(folder):
    measured = (size.measure(path) for path in (ROOT / folder).rglob("*.py"))
    per_line, per_statement = size.densities(sum(measured, collections.Counter()))
    assert per_line <= 9.5, "tokens a code line: say in two lines what one line says"
    assert per_statement <= MOST_NODES.get(folder, per_statement)


@pytest.mark.parametrize(
    "path",
    MODULES,
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_file_is_short_and_so_are_its_lines(path):
    """Only docstrings may have longer lines than the formatter makes, and nothing may stop the formatter."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= 500
    told = size.rows_of(size.docstrings(ast.parse(text)))
    code = [(row, line) for row, line in enumerate(lines, start=1) if row not in told]
    assert [row for row, line in code if len(line) > 110 or FMT in line] == []
