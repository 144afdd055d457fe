"""Code has air: the formatter touches every file, and no folder is denser than its limit. tools/size.py measures."""

import ast
import collections
import subprocess
import sys

import pytest

import size
from course import ROOT

NOT_YET = [
    "attn_checks",
    "attn_lessons",
    "tests",
    "attn_parts",
    "tools",
    "attn_helpers.py",
]  # which are still too dense
FOLDERS = [
    folder
    for folder in ["attn_parts", "attn_checks", "attn_lessons", "tools", "tests"]
    if folder not in NOT_YET
]
MODULES = [path for path in size.files("*.py") if path.parts[0] not in NOT_YET]


def test_every_file_is_formatted():
    command = [sys.executable, "-m", "ruff", "format", "--check", "--quiet", "--diff", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_is_not_too_dense(folder):
    measured = (size.measure(ROOT / path) for path in MODULES if path.parts[0] == folder)
    per_line, per_statement = size.densities(sum(measured, collections.Counter()))
    assert per_line <= 9.5, "tokens a code line: say in two lines what one line says"
    assert per_statement <= (14 if folder in ("attn_parts", "attn_checks", "tools") else 100)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_file_is_short_and_so_are_its_lines(path):
    """Only lines of docstrings may be longer than the formatter makes them; `fmt: off` would keep it from its work."""
    text = (ROOT / path).read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= 500
    told = {
        row for node in size.docstrings(ast.parse(text)) for row in range(node.lineno, node.end_lineno + 1)
    }
    rows = [(row, line) for row, line in enumerate(lines, start=1) if row not in told]
    assert [row for row, line in rows if len(line) > 110] == []
    assert [row for row, line in rows if "# fmt:" in line] == []


def test_an_f_string_is_one_token_and_a_table_is_not_dense(tmp_path):
    """Python 3.12 and newer take an f-string apart; a budget must not depend on who measures it."""
    path = tmp_path / "module.py"
    nested = """x = f"{len(f'{TABLE[0]}'.strip())} {1:{2}}"\n"""
    path.write_text('"""Told."""\nTABLE = [1, 2, -3, "four"]\n' + nested)
    counts = size.measure(path)
    assert counts["tokens"] == 1 + 12 + 3
    assert (counts["code_tokens"], counts["code_lines"], counts["statements"]) == (3, 1, 2)
