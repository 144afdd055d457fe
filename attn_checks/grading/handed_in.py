"""What students handed in: which notebooks are whose, and what is in one."""

import contextlib
import hashlib
import os
import pathlib
from typing import NamedTuple

import nbformat

LARGEST = 50 * 2**20  # bytes of a notebook


class UnreadableError(Exception):
    """Why a file is no notebook; `short` names it."""

    def __init__(self, short, text):
        super().__init__(text)
        self.short = short


class HandedIn(NamedTuple):
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
            found += [HandedIn(entry.name, path.relative_to(entry).as_posix(), path, entry) for path in own]
            if not own:
                found.append(HandedIn(entry.name, "", None, entry))
        elif entry.suffix == ".ipynb":
            found.append(HandedIn(entry.stem, entry.name, entry, None))
    return found


def notebooks_in(folder, output):
    for above, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and pathlib.Path(above, name).resolve() != output
        ]
        yield from (pathlib.Path(above, name) for name in files if name.endswith(".ipynb"))


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
        raise UnreadableError(
            "too-large", f"The file has {size // 2**20} MB; at most {LARGEST // 2**20} are read."
        )
    try:
        notebook = nbformat.reads(path.read_bytes().decode("utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            cell.source = "".join(cell.source)
    except UnicodeDecodeError:
        raise UnreadableError("not-json", "It is no text in UTF-8, so no notebook.") from None
    except nbformat.reader.NotJSONError:
        raise UnreadableError("not-json", "It is no JSON, so no notebook.") from None
    except Exception as error:  # whatever nbformat stumbles over
        raise UnreadableError(
            "not-a-notebook", f"It is no notebook: {type(error).__name__}: {error}"[:200]
        ) from None
    return notebook


def fingerprint(handed_in, of_the_course):
    """A hash of all that a verdict rests on: the notebook, what stands beside it, the course."""
    made = hashlib.sha256(of_the_course.encode())
    made.update(f"{handed_in.student}\0{handed_in.notebook}".encode(errors="replace"))
    for path in sorted(handed_in.beside.rglob("*")) if handed_in.beside else [handed_in.path]:
        if path != handed_in.path and path.suffix == ".ipynb":
            continue
        with contextlib.suppress(OSError):  # what cannot be read is told when it is graded
            if path.is_file() and not path.is_symlink():
                status = path.stat()
                made.update(f"{path}\0{status.st_size}".encode(errors="replace"))
                made.update(
                    path.read_bytes() if status.st_size <= LARGEST else str(status.st_mtime_ns).encode()
                )
    return made.hexdigest()
