"""What students handed in: which notebooks are whose, and which exercises one holds.

Exercises are found by names, wherever their cells stand and whatever they are called.
"""

import ast
import contextlib
import functools
import hashlib
import pathlib
import re
import symtable
from typing import NamedTuple

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from attn_checks.exercise import EXERCISES
from attn_checks.grading.sandbox import COURSE, files_in
from attn_checks.registry import checkers

LARGEST = 50 * 2**20  # bytes of a notebook


class UnreadableError(Exception):
    """Why a file is no notebook: a short name, and a sentence."""


class Submission(NamedTuple):
    """One notebook of one student; `path` is None where the student's folder holds none."""

    student: str
    notebook: str
    path: pathlib.Path | None
    beside: pathlib.Path | None  # the student's folder, if they have one


def find(folder, output):
    """All notebooks below a folder: a student is a sub-folder, or the name of a file that is in none."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry == output or entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            own = [path for path in files_in(entry) if path.suffix == ".ipynb" and output not in path.parents]
            found += [Submission(entry.name, path.relative_to(entry).as_posix(), path, entry) for path in own]
            if not own:
                found.append(Submission(entry.name, "", None, entry))
        elif entry.suffix == ".ipynb":
            found.append(Submission(entry.stem, entry.name, entry, None))
    return found


def read(path):
    """The notebook in a file, in the newest format; UnreadableError says why there is none."""
    if path is None:
        raise UnreadableError("no-notebook", "The folder holds no file that ends in .ipynb.")
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
    except (UnicodeDecodeError, nbformat.reader.NotJSONError):
        raise UnreadableError("not-json", "It is no JSON in UTF-8, so no notebook.") from None
    except Exception as error:  # whatever nbformat stumbles over
        words = f"It is no notebook: {type(error).__name__}: {error}"[:200]
        raise UnreadableError("not-a-notebook", words) from None
    return notebook


def fingerprint(submission, of_the_course):
    """A hash of all that a verdict rests on: the notebook, the files beside it, the course."""
    made = hashlib.sha256(
        f"{of_the_course}\0{submission.student}\0{submission.notebook}".encode(errors="replace")
    )
    for path in files_in(submission.beside) if submission.beside else [submission.path]:
        if path == submission.path or path.suffix != ".ipynb":
            with contextlib.suppress(OSError), path.open("rb") as file:  # told when it is graded
                made.update(str(path).encode(errors="replace") + hashlib.file_digest(file, "sha256").digest())
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

    @property
    def sign(self):
        """What stays the same when the answer has another name."""
        return self.name if self.checker == "explain" else self.checker


class Cell(NamedTuple):
    """One code cell: its number among all cells, its text, the names it gives values to, and how Python reads it."""

    number: int
    source: str
    names: set
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
        text = TransformerManager().transform_cell(source)
        symbols = symtable.symtable(text, "cell", "exec").get_symbols()
        names = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
        return Cell(number, source, names, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        names = {name for pair in re.findall(r"(?m)\bdef\s+(\w+)|^(\w+)\s*=", source) for name in pair}
        return Cell(
            number, source, names, None, f"{type(error).__name__}: {getattr(error, 'msg', error)}{line}"
        )


def calls(tree):
    """All checkers called in a cell: `check.softmax(softmax)`, `check.require("softmax", softmax)`."""
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Call(ast.Attribute(ast.Name("check" | "attn_checks"), checker), args):
                name = None
                match checker, args:
                    case "explain", [ast.Constant(str(name)), letter, *_]:
                        args = [letter]
                    case "require", [ast.Constant(str(checker)), *args]:
                        pass
                given = tuple(map(ast.unparse, args))
                if given and (name or checker in checkers()):  # named as check.progress names it
                    yield Asked(name or (given[0] if checker in EXERCISES else checker), checker, given)


@functools.cache
def lessons():
    """{number of a lesson: (its exercises, in order, and the ids of its cells)}, read from the course's notebooks."""
    found = {}
    for path in sorted((COURSE / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook, number = nbformat.read(path, as_version=4), path.name[:2]
        asked = [call for cell in code_cells(notebook) for call in calls(cell.tree)]
        ids = {cell.id for cell in notebook.cells if cell.get("id", "").startswith(f"l{number}-ex")}
        found[number] = asked, ids
    return found


@functools.cache
def lesson_sources():
    """{text of a code cell of the lessons: whether it does more than check or show something}."""
    return {
        cell.source.strip(): not cell.tree or not all(isinstance(line, ast.Expr) for line in cell.tree.body)
        for path in (COURSE / "notebooks").glob("*.ipynb")
        for cell in code_cells(nbformat.read(path, as_version=4))
    }


def asked_in(notebook, cells):
    """The exercises of the lessons that a notebook is of, each name once.

    These are told by the ids of exercise cells and by the checkers called; where neither is left, by the names that are
    given a value. Lessons share some names: one counts only for what no lesson with more of its names explains.
    """
    ids = {cell.get("id") or cell.metadata.get("id") for cell in notebook.cells}
    found = [number for number, (_, own) in lessons().items() if own & ids]
    of = {number: {each.sign for each in asked} for number, (asked, _) in lessons().items()}
    found = explained({call.sign for cell in cells for call in calls(cell.tree)}, of, found)
    if not found:
        of = {n: {each.given[0] for each in asked if each.is_function} for n, (asked, _) in lessons().items()}
        found = explained({name for cell in cells for name in cell.names}, of, found)
    each_once = {}
    for number in sorted(found):
        for asked in lessons()[number][0]:
            each_once.setdefault(asked.name, asked)
    return list(each_once.values())


def explained(signs, of, found):
    """Numbers of the lessons that these signs are `of`: those found already first, then those that explain most."""
    left = signs.difference(*(of[number] for number in found))
    while best := max(
        (number for number in of if of[number] & left), key=lambda n: len(of[n] & left), default=""
    ):
        found, left = [*found, best], left - of[best]
    return found


def to_keep(cell, asked):
    """What is to be kept after a cell has run: (exercise, expressions, whether it was a checker's argument)."""
    kept = [(each.name, each.given, False) for each in asked if each.given[0] in cell.names]
    for call in calls(cell.tree):
        same = [each for each in asked if each.sign == call.sign]
        exact = [each for each in same if each.given == call.given]
        kept += [(each.name, call.given, True) for each in (exact or same)[:1]]
    return kept
