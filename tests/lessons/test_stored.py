"""What every notebook stores: tidy, run in order, short cells, no strange imports, pictures described."""

import ast
import pathlib
import re
import shutil
import statistics
import sys

import course
import refresh
from course import every_lesson

ALLOWED = {
    "numpy",
    "matplotlib",
    "ipywidgets",
    "attn_helpers",
    "attn_checks",
    *sys.stdlib_module_names,
}


@every_lesson
def test_tidy(path, tmp_path):
    copy = shutil.copy(path, tmp_path)
    assert refresh.refresh(pathlib.Path(copy), run=False) == "unchanged", "run python tools/refresh.py --tidy"


@every_lesson
def test_every_cell_was_run_in_order_and_none_stops_run_all(notebook):
    cells = course.code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not [cell.id for cell in cells if "raises-exception" in cell.metadata.get("tags", [])]


@every_lesson
def test_cells_are_short(notebook):
    cells = {cell.id: cell.source.splitlines() for cell in course.code_cells(notebook)}
    lengths = {
        cell: sum(map(bool, map(str.strip, lines))) for cell, lines in cells.items() if cell != "setup"
    }
    too_long = {cell: lines for cell, lines in lengths.items() if lines > 20}
    assert not too_long, f"more than 20 lines: {too_long}"
    assert lengths, "no code cell but the setup cell"
    median = statistics.median(lengths.values())
    assert median <= 5, f"half of the code cells have {median:g} lines or more, must be 5 or fewer: {lengths}"


@every_lesson
def test_imports_only_what_every_learner_has(notebook):
    sources = {cell.id: cell.source for cell in course.code_cells(notebook)}
    sources |= {exercise.title: course.solution(exercise) for exercise in course.exercises(notebook)}
    for where, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            strange = {full.split(".")[0] for full in names} - ALLOWED
            assert not strange, f"{where} imports {sorted(strange)}"


@every_lesson
def test_every_picture_has_alternative_text(notebook):
    for cell, output in course.outputs(notebook):
        data = output.get("data", {})
        bare = [mime for mime in data if mime.startswith("image/")]
        assert not bare, (
            f"cell {cell.id}: {bare} without alternative text; end it with attn.show(figure, alt)"
        )
        for tag in re.findall(r"<img\b[^>]*>", data.get("text/html", "")):
            alt = re.search(r"""\balt=("[^"]*"|'[^']*')""", tag)
            assert alt and alt[1].strip("\"' "), f"cell {cell.id}: an <img> without alternative text"
