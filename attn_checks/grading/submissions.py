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
import zipfile
from typing import NamedTuple

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from attn_checks.exercise import EXERCISES
from attn_checks.grading.sandbox import COURSE
from attn_checks.registry import checkers

LARGEST = 50 * 2**20  # bytes of a notebook, of a zip, and of all that is in one
MOST_IN_ZIP = 1000  # files
MOST_BESIDE = 20 * 2**20  # bytes of a student's other files, which the notebook may read
# in a student's folder: what may be a notebook that nobody looks at, and a module in place of which NumPy is imported
TOLD = re.compile(r"\.ipynb\.|\.(zip|rar|7z|tar|t?gz)$|^numpy\.py$", re.IGNORECASE)

SOLUTION = re.compile(r"(?ms)<summary>\s*Solution\s*</summary>.*?^```python\n(.*?)^```")
DOTS = re.compile(r"(?m)^ *\.\.\.$")
NO_NOTEBOOK = "no-notebook", "It holds no file that ends in .ipynb."


class UnreadableError(Exception):
    """Why a file is no notebook: a short name, and a sentence."""


class Submission(NamedTuple):
    """One notebook of one student, or why there is none: a short name, and a sentence."""

    student: str
    notebook: str
    path: pathlib.Path | None = None
    folder: pathlib.Path | None = None  # the student's, if they have one
    problem: tuple = ()

    def beside(self):
        """(path, name) of the files in the student's folder that are no notebooks, as far as they are not too much."""
        size = 0
        for path in files_in(self.folder) if self.folder else ():
            if not is_notebook(path) and (size := size + path.stat().st_size) <= MOST_BESIDE:
                yield path, path.relative_to(self.folder).as_posix()


def find(folder, output, unpacked):
    """(all notebooks below a folder, names of files that are not looked at); zips are unpacked into a new folder."""
    found, left = [], []
    for entry in sorted(folder.iterdir()):
        if entry == output or entry.name.startswith("."):
            continue
        own, above = [], entry if entry.is_dir() and not entry.is_symlink() else None
        student = entry.name if above else entry.stem  # a sub-folder, or the name of a file
        for path in files_in(above) if above else [entry]:
            name = path.relative_to(above or folder).as_posix()
            if is_notebook(path):
                own.append(Submission(student, name, path, above))
            elif path.suffix.lower() == ".zip" and not path.is_symlink():
                own += in_zip(student, name, path, unpacked / f"{len(found)}-{len(own)}")
            elif not above or TOLD.search(name):
                left.append(path.relative_to(folder).as_posix())
        found += own if own or not above else [Submission(student, "", problem=NO_NOTEBOOK)]
    return found, left


def in_zip(student, name, path, target):
    """The notebooks in a zip, unpacked into `target`; where there are none, one that says why."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)  # no more than that is unpacked
            if max(size, path.stat().st_size) > LARGEST or len(parts) > MOST_IN_ZIP:
                raise ValueError(f"more than {MOST_IN_ZIP} files, or {LARGEST // 2**20} MB")
            archive.extractall(target)  # which follows no link, and writes nothing outside of it
    except Exception as error:  # whatever zipfile stumbles over, a password too
        return [Submission(student, name, problem=("bad-zip", f"It is not unpacked: {error}"[:200]))]
    inside = [(f"{name}/{each.relative_to(target).as_posix()}", each) for each in files_in(target)]
    found = [Submission(student, *each, target) for each in inside if is_notebook(each[1])]
    return found or [Submission(student, name, problem=NO_NOTEBOOK)]


def is_notebook(path):
    return path.suffix.lower() == ".ipynb" and not path.is_symlink()


def files_in(folder):
    """All files below a folder, in order, but links and what is hidden."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not path.is_symlink() and not hidden:
            yield path


def read(submission):
    """The notebook that was handed in, in the newest format; UnreadableError says why there is none."""
    if submission.problem:
        raise UnreadableError(*submission.problem)
    size = submission.path.stat().st_size
    if not 0 < size <= LARGEST:
        words = f"The file has {size:,} bytes; at most {LARGEST:,} are read."
        raise UnreadableError("too-large" if size else "empty", words)
    try:
        notebook = nbformat.reads(submission.path.read_bytes().decode("utf-8-sig"), as_version=4)
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
    said = of_the_course, submission.student, submission.notebook, *submission.problem
    made = hashlib.sha256("\0".join(said).encode(errors="replace"))
    own = [(submission.path, "")] if submission.path else []
    for path, name in [*own, *submission.beside()]:
        with contextlib.suppress(OSError), path.open("rb") as file:  # told when it is graded
            made.update(str(name).encode(errors="replace") + hashlib.file_digest(file, "sha256").digest())
    return made.hexdigest()


class Task(NamedTuple):
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
    """One code cell: which names it gives values to, which checkers it calls, whether it has only expressions."""

    number: int  # among all cells, from 1
    source: str
    names: set
    calls: tuple = ()
    is_expressions: bool = False


def code_cells(notebook):
    cells = enumerate(notebook.cells, 1)
    return [
        read_cell(n, cell.source) for n, cell in cells if cell.cell_type == "code" and cell.source.strip()
    ]


def read_cell(number, source):
    try:
        text = TransformerManager().transform_cell(source)
        symbols = symtable.symtable(text, "cell", "exec").get_symbols()
        names = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
        tree = ast.parse(text)
        return Cell(
            number, source, names, tuple(calls(tree)), all(isinstance(line, ast.Expr) for line in tree.body)
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        names = {name for pair in re.findall(r"(?m)\bdef\s+(\w+)|^(\w+)\s*=", source) for name in pair}
        return Cell(number, source, names)


def calls(tree):
    """All checkers called in a cell: `check.softmax(softmax)`, `check.require("softmax", softmax)`."""
    for node in ast.walk(tree):
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
                    yield Task(name or (given[0] if checker in EXERCISES else checker), checker, given)


class Lesson(NamedTuple):
    """What grading needs of one of the course's notebooks."""

    tasks: list  # its exercises, in order
    signs: set  # of its exercises: cells' ids and checkers
    names: set  # of the functions that it asks for
    sources: set  # the texts of its code cells
    bodies: list  # what its printed solutions write in place of the dots, where that is more than a line


@functools.cache
def lessons():
    """The course's notebooks, as Lessons in order."""
    found = []
    for path in sorted((COURSE / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        cells = code_cells(notebook)
        tasks = [call for cell in cells for call in cell.calls]
        ids = {cell.id for cell in notebook.cells if cell.id.startswith(f"l{path.name[:2]}-ex")}
        names = {call.given[0] for call in tasks if call.is_function}
        sources, bodies = {cell.source.strip() for cell in cells}, list(printed_bodies(notebook, cells))
        found.append(Lesson(tasks, ids | {call.sign for call in tasks}, names, sources, bodies))
    return found


def printed_bodies(notebook, cells):
    """What the solutions write in place of a stub's dots; a single line may be the same by chance."""
    printed = [text for cell in notebook.cells for text in SOLUTION.findall(cell.source)]
    for head in (DOTS.split(cell.source)[0] for cell in cells if DOTS.search(cell.source)):
        bodies = [text.removeprefix(head).strip() for text in printed if text.startswith(head)]
        yield from (body for body in bodies if "\n" in body)


def is_of_a_lesson(source):
    return any(source.strip() in lesson.sources for lesson in lessons())


def only_shows(cell):
    """Whether a cell is a lesson's own, and does no more than check or show something."""
    return cell.is_expressions and is_of_a_lesson(cell.source)


def is_printed(source):
    """Whether a cell holds a lesson's printed solution, letter for letter."""
    return any(body in source for lesson in lessons() for body in lesson.bodies)


def tasks_in(notebook, cells):
    """The exercises of the lessons that a notebook is of, by its cells' ids and its checkers, or else by names; each once."""
    ids = {cell.get("id") or cell.metadata.get("id") for cell in notebook.cells}
    signs = ids | {call.sign for cell in cells for call in cell.calls}
    names = {name for cell in cells for name in cell.names}
    found = lessons_of(signs, lambda lesson: lesson.signs) or lessons_of(names, lambda lesson: lesson.names)
    return list(dict.fromkeys(task for lesson in lessons() if lesson in found for task in lesson.tasks))


def lessons_of(left, of):
    """The lessons whose signs these are: a shared one counts for the lesson that explains most."""
    found = []
    while of(best := max(lessons(), key=lambda lesson: len(of(lesson) & left))) & left:
        found, left = [*found, best], left - of(best)
    return found


def to_keep(cell, tasks):
    """What is to be kept after a cell has run: (exercise, expressions, whether only if it is a function)."""
    kept = [(each.name, each.given, each.is_function) for each in tasks if each.given[0] in cell.names]
    for call in cell.calls:
        same = [each for each in tasks if each.sign == call.sign]
        exact = [each for each in same if each.given == call.given]
        kept += [(each.name, call.given, False) for each in (exact or same)[:1]]
    return kept
