"""A class's notebooks graded: find them, judge each, write what came of it."""

import functools
import hashlib
import json
import sys
import tempfile
import traceback
from concurrent import futures
from importlib import metadata
from pathlib import Path

from attn_checks.grading import cells, reports, submissions
from attn_checks.grading.notebook import Row, graded
from attn_checks.grading.sandbox import COURSE, INTERRUPTED, Worker, pristine_course

KEPT = "graded.json"  # what is graded: it is not run again
# what a notebook needs to run
NEEDED = [COURSE, *(Path(each).resolve() for each in (sys.prefix, sys.executable, tempfile.gettempdir()))]


class BadFolderError(ValueError):
    """A folder cannot be graded, and why."""


def grade(folder, output, walls, limits, jobs=2, again=False, tell=print):
    """Grade the notebooks of a folder; write grades.html, two tables and feedback/ into `output`.

    `jobs` notebooks run at once, each behind `walls` and within `limits`; `again` grades what is graded
    already, too. `tell(done, all, submission)` is called before the first notebook and after each. Returns
    a reports.Report.
    """
    folder, output = Path(folder).resolve(), Path(output).resolve()
    refuse_bad(folder, output)
    with tempfile.TemporaryDirectory() as made:
        found, left = submissions.find(folder, output, Path(made, "unpacked"))
        if not found:
            lacks = f"{folder} holds no .ipynb, no .zip and no folder of a student, but {left or 'nothing'}."
            raise BadFolderError(lacks)
        try:
            output.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=output).close()
        except OSError as error:
            why = f"Nothing can be written into {output}: {error.strerror}. Give --output another folder."
            raise BadFolderError(why) from None
        rests_on = f"{fingerprint_of_the_course()} {limits}"
        keys = {submissions.fingerprint(each, rests_on): each for each in found}
        file = output / KEPT
        before = json.loads(file.read_text(encoding="utf-8")) if file.exists() and not again else {}
        kept = {key: rows for key, rows in before.items() if key in keys}
        tell(len(kept), len(keys), None)
        course = pristine_course(Path(made, "pristine"))
        new_worker = functools.partial(Worker, walls, course, limits, hidden(folder, output))
        cells.course()  # once, for all threads
        pool = futures.ThreadPoolExecutor(jobs)
        try:
            running = {pool.submit(rows_of, keys[key], new_worker): key for key in keys if key not in kept}
            for done in futures.as_completed(running):
                key = running[done]
                kept[key] = done.result()
                file.with_suffix(".new").write_text(json.dumps(kept), encoding="utf-8")
                file.with_suffix(".new").replace(file)  # the whole file at once: none is ever cut off
                tell(len(kept), len(keys), keys[key])
        finally:
            INTERRUPTED.set()
            pool.shutdown(cancel_futures=True)
            INTERRUPTED.clear()  # what runs next in this process is not interrupted
            rows = [kept[key] for key in keys if key in kept]
            report = reports.Report(rows, len(keys), left, walls.missing())
            reports.write(report, output)
    return report


def rows_of(each, new_worker):
    """What came of one notebook."""
    try:
        rows = graded(each, functools.partial(new_worker, beside=list(each.beside())))
    except Exception as error:  # a fault of the grader's own costs one notebook, too
        text = "".join(traceback.format_exception(error)[-3:])
        rows = [Row("", "not graded", "", f"The grader itself failed: {text}"[:1000])]
    return [{"student": each.student, "notebook": each.notebook} | row._asdict() for row in rows]


def refuse_bad(folder, output):
    """BadFolderError if these are no folders to read from and write to."""
    if not folder.is_dir():
        raise BadFolderError(f"{folder} is no folder. Give the one that holds your students' notebooks.")
    for needed in NEEDED:
        if needed.is_relative_to(folder):
            raise BadFolderError(
                f"{folder} also holds {needed}. Put the notebooks into a folder of their own."
            )
    if output == folder:
        raise BadFolderError(f"--output is the folder of the notebooks itself, {folder}. Give a new one.")


def fingerprint_of_the_course():
    """A hash of the course and of what is installed beside it."""
    installed = sorted(f"{each.name} {each.version}" for each in metadata.distributions())
    made = hashlib.sha256(f"{sys.version} {installed}".encode())
    for part in ("attn_*/**/*.py", "attn_*/**/*.md", "notebooks/*.ipynb"):
        for path in sorted(COURSE.glob(part)):
            made.update(path.read_bytes())
    return made.hexdigest()


def hidden(folder, output):
    """Folders that a notebook is not to see: the class's, and /run, where programs of this machine listen."""
    wanted = [each for each in (folder, output, Path("/run")) if each.is_dir() and folder not in each.parents]
    return [each for each in wanted if not any(path.is_relative_to(each) for path in NEEDED)]
