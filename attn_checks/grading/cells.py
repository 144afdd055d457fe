"""Which exercises a notebook holds: found by names, wherever their cells are and whatever they are called."""

import ast
import functools
import re
import symtable
from typing import NamedTuple

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from attn_checks.exercise import EXERCISES, checkers
from attn_checks.grading.sandbox import COURSE

SOLUTION = re.compile(r"(?ms)<summary>\s*Solution\s*</summary>.*?^```python\n(.*?)^```")


class Task(NamedTuple):
    """What a check is given: the exercise's name, or that of a question, and expressions."""

    name: str
    given: tuple

    @property
    def is_function(self):
        return self.name in EXERCISES


class Cell(NamedTuple):
    """One code cell: the names it gives values to, its checks, and whether it has only expressions."""

    number: int  # among all cells, from 1
    source: str
    names: set
    checks: tuple = ()
    is_expressions: bool = False

    @property
    def title(self):
        first, *_ = self.source.strip().splitlines()
        return f"Cell {self.number} ({first[:80]})"


def code_cells(notebook):
    cells = enumerate(notebook.cells, 1)
    return [read(n, cell.source) for n, cell in cells if cell.cell_type == "code" and cell.source.strip()]


def read(number, source):
    """The Cell of a source, also where Python cannot read it."""
    try:
        text = TransformerManager().transform_cell(source)
        symbols = symtable.symtable(text, "cell", "exec").get_symbols()
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Cell(number, source, set(re.findall(r"(?m)^(?:def +)?(\w+) *[=(]", source)))
    names = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
    is_expressions = all(isinstance(line, ast.Expr) for line in tree.body)
    return Cell(number, source, names, tuple(checks(tree)), is_expressions)


def checks(tree):
    """All checks in a cell, such as `check.softmax(softmax)`, `check.explain("00-row", answer)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                ast.Attribute(ast.Name("check"), "explain" | "require"),
                [ast.Constant(name), given, *_],
            ):
                yield Task(name, (ast.unparse(given),))
            case ast.Call(ast.Attribute(ast.Name("check"), name), [_, *_] as given) if name in checkers():
                yield Task(name, tuple(map(ast.unparse, given)))


class Course(NamedTuple):
    """What grading needs of the course's notebooks."""

    lessons: list  # the exercises of each, Tasks by name
    sources: set  # the texts of their code cells
    bodies: list  # what printed solutions write in place of the dots


@functools.cache
def course():
    found = Course([], set(), [])
    for path in sorted((COURSE / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        cells = code_cells(notebook)
        found.lessons.append({task.name: task for cell in cells for task in cell.checks})
        found.sources.update(cell.source.strip() for cell in cells)
        for solution in SOLUTION.findall("\n".join(cell.source for cell in notebook.cells)):
            body = solution.rpartition('"""\n')[2].strip()
            if "\n" in body:  # a single line may be the same by chance
                found.bodies.append(body)
    return found


def is_of_a_lesson(source):
    return source.strip() in course().sources


def only_shows(cell):
    """Whether a cell is a lesson's own, and does no more than check or show something."""
    return cell.is_expressions and is_of_a_lesson(cell.source)


def is_printed(source):
    """Whether a cell holds a lesson's printed solution, letter for letter."""
    return any(body in source for body in course().bodies)


def tasks_in(cells):
    """The exercises of the lessons that a notebook is of, by its checks, or else by its functions' names."""
    checked = {check.name for cell in cells for check in cell.checks}
    named = {name for cell in cells for name in cell.names if name in EXERCISES}
    return tasks_with(checked) or tasks_with(named)


def tasks_with(names):
    found = {}
    for lesson in course().lessons:
        if lesson.keys() & names:
            found |= lesson
    return found


def to_keep(cell, tasks):
    """What is to be kept after a cell has run: (exercise, expressions, whether only if it is a function)."""
    for task in tasks.values():
        if task.given[0] in cell.names:
            yield *task, task.is_function
    for check in cell.checks:
        if check.name in tasks:
            yield *check, False
