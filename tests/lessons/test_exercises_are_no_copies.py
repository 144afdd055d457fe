"""No exercise asks to write what stands in a cell above it, not even under other names."""

import ast
import builtins
import keyword
import re

import course
from course import every_lesson

KEPT = {"np", "attn", "check", *keyword.kwlist, *dir(builtins)}
NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?![\w(=])")  # not an attribute, a call or an argument's name


def renamed(node):
    """Source of a piece of code, its variables named by their order."""
    names = {}
    return NAME.sub(
        lambda found: found[0] if found[0] in KEPT else names.setdefault(found[0], f"x{len(names)}"),
        ast.unparse(node),
    )


def expressions(source):
    """Everything that a piece of code computes, from small to large."""
    return {renamed(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.expr)}


def steps(source):
    """What each line of a solution computes; plain names and numbers are no steps."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        for field in ("value", "test", "iter"):
            value = getattr(node, field, None) if isinstance(node, ast.stmt) else None
            if isinstance(value, ast.expr) and not isinstance(value, (ast.Name, ast.Constant)):
                found.add(renamed(value))
    return found


def copied_from(cell, solution, stub=""):
    """Whether one cell holds every step of the solution that the stub does not give."""
    asked = steps(solution) - steps(stub)
    return bool(asked) and asked <= expressions(cell)


@every_lesson
def test_no_solution_stands_in_a_cell_above(path):
    notebook = course.read(path)
    for exercise in filter(course.is_open, course.exercises(notebook)):
        solution = course.solution(exercise)
        above = notebook.cells[: notebook.cells.index(exercise.stub)]
        for cell in (cell for cell in above if cell.cell_type == "code"):
            copied = copied_from(cell.source, solution, exercise.stub.source)
            assert not copied, f"{exercise.title}: its solution stands in cell {cell.id}"
