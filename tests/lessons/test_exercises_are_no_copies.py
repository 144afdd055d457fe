"""No exercise asks to write what stands in a cell above it, not even under other names."""

import ast
import builtins
import keyword
import re

import course
from course import every_lesson

KEPT = {
    "np",
    "attn",
    "check",
    *keyword.kwlist,
    *dir(builtins),
}
NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?![\w(=])")  # not an attribute, a call or an argument's name


def renamed(node):
    """Source of a piece of code, its variables named by their order."""
    names = {name: name for name in KEPT}
    return NAME.sub(lambda found: names.setdefault(found[0], f"x{len(names)}"), ast.unparse(node))


def steps(source):
    """What each line computes; plain names and numbers are no steps."""
    found = set()
    for line in ast.walk(ast.parse(source)):
        for field in ("value", "test", "iter"):
            value = getattr(line, field, None)
            plain = isinstance(value, (ast.Name, ast.Constant))
            if isinstance(line, ast.stmt) and isinstance(value, ast.expr) and not plain:
                found.add(renamed(value))
    return found


@every_lesson
def test_no_solution_stands_in_a_cell_above(notebook):
    """No cell holds every step of a solution that the stub doesn't give."""
    for exercise in filter(course.is_open, course.exercises(notebook)):
        asked = steps(course.solution(exercise)) - steps(exercise.stub.source)
        for cell in notebook.cells[: notebook.cells.index(exercise.stub)]:
            code = ast.parse(cell.source if cell.cell_type == "code" else "")
            computed = {renamed(node) for node in ast.walk(code) if isinstance(node, ast.expr)}
            copied = asked and asked <= computed
            assert not copied, f"{exercise.title}: its solution stands in cell {cell.id}"
