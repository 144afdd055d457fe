"""What students handed in: which notebooks are whose, and which files lie beside them."""

import contextlib
import hashlib
import pathlib
import re
import zipfile
from typing import NamedTuple

import nbformat

LARGEST = 50 * 2**20  # bytes of a notebook, of a zip, and of all that is in one
MOST_IN_ZIP = 1000  # files
MOST_BESIDE = 20 * 2**20  # bytes of a student's other files, which the notebook may read
# in a student's folder: what may be a notebook that nobody looks at, and what NumPy is imported in place of
TOLD = re.compile(r"\.ipynb\.|\.(rar|7z|tar|t?gz)$|^numpy\.py$", re.IGNORECASE)
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
        """(path, name) of other files in the student's folder, as far as they are not too much."""
        size = 0
        for path in files_in(self.folder) if self.folder else ():
            if not is_notebook(path) and (size := size + path.stat().st_size) <= MOST_BESIDE:
                yield path, path.relative_to(self.folder).as_posix()


def find(folder, output, unpacked):
    """(the notebooks below a folder, names of files not looked at); zips are opened in a new folder."""
    found = []
    left = []
    for entry in sorted(folder.iterdir()):
        if entry == output or entry.name.startswith("."):
            continue
        own = []
        above = entry if entry.is_dir() else None
        student = entry.name if above else entry.stem  # a sub-folder, or the name of a file
        for path in files_in(entry):
            name = path.relative_to(above or folder).as_posix()
            if is_notebook(path):
                own.append(Submission(student, name, path, above))
            elif path.suffix.lower() == ".zip":
                own += in_zip(student, name, path, unpacked / f"{len(found)}-{len(own)}")
            elif not above or TOLD.search(name):
                left.append(path.relative_to(folder).as_posix())
        if above and not own:
            own.append(Submission(student, "", problem=NO_NOTEBOOK))
        found += own
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
    found = []
    for inside in filter(is_notebook, files_in(target)):
        inner = inside.relative_to(target).as_posix()
        found.append(Submission(student, f"{name}/{inner}", inside, target))
    return found or [Submission(student, name, problem=NO_NOTEBOOK)]


def is_notebook(path):
    return path.suffix.lower() == ".ipynb"


def files_in(place):
    """All files in a folder, or the file itself, in order, but links and what is hidden."""
    for path in sorted([place, *place.rglob("*")]):
        hidden = any(part.startswith(".") for part in path.relative_to(place).parts)
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
    made = hashlib.sha256(repr((of_the_course, *submission[:2], submission.problem)).encode())
    own = [(submission.path, "")] if submission.path else []
    for path, name in [*own, *submission.beside()]:
        with contextlib.suppress(OSError), path.open("rb") as file:  # told when it is graded
            made.update(repr(name).encode() + hashlib.file_digest(file, "sha256").digest())
    return made.hexdigest()
