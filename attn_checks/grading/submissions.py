"""What students handed in: which notebooks are whose, and which exercises one holds.

Exercises are found by names, wherever their cells stand and whatever they are called.
"""

import ast
import contextlib
import functools
import hashlib
import os
import pathlib
import re
from typing import NamedTuple

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from attn_checks.exercise import EXERCISES
from attn_checks.grading.sandbox import COURSE
from attn_checks.registry import checkers

LARGEST = 50 * 2**20  # bytes of a notebook
CHECKERS = {*checkers(), "explain"}


class UnreadableError(Exception):
    """Why a file is no notebook; `short` names it."""

    def __init__(self, short, text):
        super().__init__(text)
        self.short = short


class Submission(NamedTuple):
    """One notebook of one student; `path` is None where the student's folder holds none."""

    student: str
    notebook: str
    path: pathlib.Path | None
    beside: pathlib.Path | None  # the student's folder, if they have one


def find(folder, output):
    """All notebooks below a folder: a student is a sub-folder, or the name of a file that is in none."""
    found = []
    for entry in sorted(folder.iterdir(), key=lambda path: path.name):
        if entry.resolve() == output or entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            own = sorted(notebooks_in(entry, output))
            found += [Submission(entry.name, path.relative_to(entry).as_posix(), path, entry) for path in own]
            if not own:
                found.append(Submission(entry.name, "", None, entry))
        elif entry.suffix == ".ipynb":
            found.append(Submission(entry.stem, entry.name, entry, None))
    return found


def notebooks_in(folder, output):
    for above, folders, files in os.walk(folder):
        above = pathlib.Path(above)
        folders[:] = [name for name in folders if name[0] != "." and (above / name).resolve() != output]
        yield from (above / name for name in files if name.endswith(".ipynb"))


def read(path):
    """The notebook in a file, in the newest format; UnreadableError says why there is none."""
    if path is None:
        raise UnreadableError("no-notebook", "The folder holds no file that ends in .ipynb.")
    if path.is_symlink() or not path.is_file():
        raise UnreadableError("not-a-file", "It is a link, or no ordinary file.")
    size = path.stat().st_size
    if not size:
        raise UnreadableError("empty", "The file is empty: 0 bytes.")
    if size > LARGEST:
        words = f"The file has {size // 2**20} MB; at most {LARGEST // 2**20} are read."
        raise UnreadableError("too-large", words)
    try:
        notebook = nbformat.reads(path.read_bytes().decode("utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            cell.source = "".join(cell.source)
    except UnicodeDecodeError:
        raise UnreadableError("not-json", "It is no text in UTF-8, so no notebook.") from None
    except nbformat.reader.NotJSONError:
        raise UnreadableError("not-json", "It is no JSON, so no notebook.") from None
    except Exception as error:  # whatever nbformat stumbles over
        words = f"It is no notebook: {type(error).__name__}: {error}"[:200]
        raise UnreadableError("not-a-notebook", words) from None
    return notebook


def fingerprint(submission, of_the_course):
    """A hash of all that a verdict rests on: the notebook, what stands beside it, the course."""
    made = hashlib.sha256(of_the_course.encode())
    made.update(f"{submission.student}\0{submission.notebook}".encode(errors="replace"))
    for path in sorted(submission.beside.rglob("*")) if submission.beside else [submission.path]:
        if path != submission.path and path.suffix == ".ipynb":
            continue
        with contextlib.suppress(OSError):  # what cannot be read is told when it is graded
            if path.is_file() and not path.is_symlink():
                large = path.stat().st_size > LARGEST
                made.update(f"{path}\0{path.stat().st_size}".encode(errors="replace"))
                made.update(str(path.stat().st_mtime_ns).encode() if large else path.read_bytes())
    return made.hexdigest()


# ---------------------------------------------------------------------------
# Which exercises a notebook holds
# ---------------------------------------------------------------------------


class Asked(NamedTuple):
    """One call of a checker: the exercise's name, the checker's, and the expressions that it is given."""

    name: str
    checker: str
    given: tuple

    @property
    def is_function(self):
        return self.checker in EXERCISES


class Cell(NamedTuple):
    """One code cell: its number among all cells, its text, its tree (None if Python cannot read it), and why not."""

    number: int
    source: str
    tree: ast.Module | None
    problem: str = ""


def code_cells(notebook):
    """The code cells of a notebook, numbered from 1 among all its cells."""
    return [
        read_cell(number, cell.source)
        for number, cell in enumerate(notebook.cells, 1)
        if cell.cell_type == "code" and cell.source.strip()
    ]


def read_cell(number, source):
    try:
        return Cell(number, source, ast.parse(TransformerManager().transform_cell(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        return Cell(number, source, None, f"{type(error).__name__}: {getattr(error, 'msg', error)}{line}")


def calls(tree):
    """All checkers called in a cell: `check.softmax(softmax)`, `check.require("softmax", softmax)`."""
    for node in ast.walk(tree) if tree else ():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("check", "attn_checks")):
            continue
        name, given = node.func.attr, node.args
        constant = given[0].value if isinstance(given[0], ast.Constant) else None
        if name == "require" and constant in CHECKERS:
            name, given = constant, given[1:]
        elif name == "explain" and isinstance(constant, str):
            yield Asked(constant, name, tuple(map(ast.unparse, given[1:2])))
        if name in CHECKERS and name != "explain" and given:
            given = tuple(map(ast.unparse, given))
            yield Asked(given[0] if name in EXERCISES else name, name, given)  # as check.progress has it


def bound(tree):
    """Names that a cell gives a value to, outside of its functions."""
    found, waiting = set(), list(tree.body) if tree else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return found


@functools.cache
def lessons():
    """{number of a lesson: (its exercises, in order, and the ids of its cells)}, read from the course's notebooks."""
    found = {}
    for path in sorted((COURSE / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook, number = nbformat.read(path, as_version=4), path.name[:2]
        asked = [call for cell in code_cells(notebook) for call in calls(cell.tree) if call.given]
        ids = {cell.id for cell in notebook.cells if cell.get("id", "").startswith(f"l{number}-ex")}
        found[number] = asked, ids
    return found


@functools.cache
def lesson_sources():
    """{text of a code cell of the lessons: whether it gives a name a value}."""
    sources = {}
    for path in (COURSE / "notebooks").glob("*.ipynb"):
        for cell in code_cells(nbformat.read(path, as_version=4)):
            shows = cell.tree and all(isinstance(line, ast.Expr) for line in cell.tree.body)
            sources[cell.source.strip()] = not shows or bool(bound(cell.tree))
    return sources


def is_needed(cell):
    """Whether a cell has to run, for what comes after it: one of the lesson's that only checks or shows something has not."""
    return lesson_sources().get(cell.source.strip(), True)


def asked_in(notebook, cells):
    """The exercises of the lessons that a notebook is of, each name once.

    These are told by the ids of exercise cells and by the checkers called; where neither is left, by the names that are
    given a value. Lessons share some names: one counts only for what no lesson with more of its names explains.
    """
    ids = {cell.get("id") or cell.metadata.get("id") for cell in notebook.cells}
    found = [number for number, (_, own) in lessons().items() if own & ids]
    called = [call for cell in cells for call in calls(cell.tree)]
    found = explained(called, is_call_of, found)
    if not found:
        names = set().union(*(bound(cell.tree) for cell in cells)) if cells else set()
        found = explained(names, lambda name, asked: asked.is_function and asked.given[0] == name)
    if not found:
        found = explained([cell for cell in cells if cell.tree is None], mentions)
    each_once = {}
    for number in sorted(found):
        for asked in lessons()[number][0]:
            each_once.setdefault(asked.name, asked)
    return list(each_once.values())


def explained(signs, is_sign_of, found=()):
    """Numbers of the lessons that explain these signs, those found already first, then those that explain most."""
    found, signs = list(found), list(signs)
    of = {
        number: {i for i, sign in enumerate(signs) if any(is_sign_of(sign, each) for each in asked)}
        for number, (asked, _) in lessons().items()
    }
    left = set(range(len(signs))).difference(*(of[number] for number in found))
    while left:
        best = max(of, key=lambda number: len(of[number] & left))
        if not of[best] & left:
            break
        found.append(best)
        left -= of[best]
    return found


def is_call_of(call, asked):
    return call.checker == asked.checker and (call.checker != "explain" or call.name == asked.name)


def mentions(cell, asked):
    """Whether a cell that Python cannot read was to define what an exercise is about."""
    name = re.escape(asked.given[0])
    return cell.tree is None and bool(re.search(rf"\bdef\s+{name}\b|^{name}\s*=", cell.source, re.MULTILINE))


def to_keep(cell, asked):
    """What is to be kept after a cell has run: (exercise, expressions, whether it was a checker's argument)."""
    names, kept = bound(cell.tree), []
    made = list(calls(cell.tree))
    for each in asked:
        if each.given[0] in names and each.given[0].isidentifier():
            kept.append((each.name, each.given, False))
    for call in made:
        same = [each for each in asked if is_call_of(call, each)]
        exact = [each for each in same if each.given == call.given]
        if same and call.given:
            kept.append(((exact or same)[0].name, call.given, True))
    return kept
