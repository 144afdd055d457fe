"""A class's notebooks graded: find them, judge each in processes of its own, write what came of it."""

import functools
import hashlib
import json
import multiprocessing
import sys
import tempfile
import time
import traceback
import warnings
from multiprocessing import connection
from pathlib import Path

import psutil

from attn_checks.grading import contents, handed_in, judging, reports
from attn_checks.grading.judging import Row
from attn_checks.grading.running import end_with_the_grader
from attn_checks.grading.walls import COURSE, Limits, Place, pristine_course, walls_here

KEPT = "graded.jsonl"  # what is graded, a line for each notebook: it is not run again


class BadFolderError(ValueError):
    """A folder cannot be graded, or not be written to, and why."""


def grade(folder, output, jobs=2, limits=None, again=False, tell=print):
    """Grade the notebooks of a folder; writes grades.csv and grades.html into `output`.

    Parameters
    ----------
    folder, output : str or Path
        A student is a sub-folder, or the name of a file. `output` is made if it is not there.
    jobs : int
        How many notebooks run at once.
    limits : Limits, optional
        What one notebook may take.
    again : bool
        Grade what is graded already, too.
    tell : callable
        Called as `tell(done, all, handed_in)` before the first notebook and after each.

    Returns
    -------
    reports.Report

    Raises
    ------
    BadFolderError
        If the folder is not there, holds no notebooks, or holds the course itself.
    """
    folder, output, limits = Path(folder).resolve(), Path(output).resolve(), limits or Limits()
    refuse_bad(folder, output)
    found = handed_in.find(folder, output)
    if not found:
        raise BadFolderError(f"{folder} holds no file that ends in .ipynb, and no folder of a student.")
    output.mkdir(parents=True, exist_ok=True)
    course = f"{fingerprint_of_the_course()} {limits}"
    keys = {handed_in.fingerprint(each, course): each for each in found}
    kept = {} if again else {key: record for key, record in read_kept(output / KEPT).items() if key in keys}
    walls = walls_here()
    tell(len(kept), len(keys), None)
    try:
        with tempfile.TemporaryDirectory() as made:
            new_place = functools.partial(Place, walls, Path(made) / "course", limits, hidden(folder, output))
            for key, _ in judged_and_kept(keys, kept, output / KEPT, jobs, new_place):
                tell(len(kept), len(keys), keys[key])
    finally:
        report = reports.Report([kept[key] for key in keys if key in kept], len(keys), walls.missing())
        reports.write(report, output)
    return report


def judged_and_kept(keys, kept, file, jobs, new_place):
    """Judge what is not kept yet; each record is kept, and stands in the file, before it is handed on."""
    waiting = [(key, each) for key, each in keys.items() if key not in kept]
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in kept.values())
        lines.flush()
        for key, record in judged(waiting, jobs, new_place) if waiting else ():
            kept[key] = record | {"key": key}
            lines.write(json.dumps(kept[key]) + "\n")
            lines.flush()
            yield key, kept[key]


def refuse_bad(folder, output):
    """BadFolderError if these are no folders to read from and write to."""
    if not folder.is_dir():
        raise BadFolderError(f"{folder} is no folder. Give the one that holds your students' notebooks.")
    needed = (COURSE, Path(sys.prefix).resolve(), Path(tempfile.gettempdir()).resolve())
    for each in needed:
        if each.is_relative_to(folder):
            raise BadFolderError(f"{folder} also holds {each}. Put the notebooks into a folder of their own.")
    if output == folder:
        raise BadFolderError(
            f"--output is the folder of the notebooks itself, {folder}. Give another, or a new one."
        )
    if output.exists() and not output.is_dir():
        raise BadFolderError(f"--output is a file, {output}. Give a folder; a new one is made.")


def fingerprint_of_the_course():
    made = hashlib.sha256()
    for part in ("attn_*/**/*.py", "attn_lessons/*/questions.md", "notebooks/*.ipynb"):
        for path in sorted(COURSE.glob(part)):
            made.update(path.read_bytes())
    return made.hexdigest()


def read_kept(path):
    """{key: record} of what an earlier run has graded; a line that was cut off is left out."""
    kept = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
            kept[record["key"]] = record
        except (ValueError, KeyError, TypeError):
            continue
    return kept


def hidden(folder, output):
    """Folders that a notebook is not to see: the class's, and /run, where programs of this machine listen."""
    wanted = [folder] if output.is_relative_to(folder) else [folder, output]
    needed = [
        COURSE,
        Path(sys.prefix).resolve(),
        Path(sys.executable).resolve(),
        Path(tempfile.gettempdir()).resolve(),
    ]
    wanted = [each for each in (*wanted, Path("/run")) if each.is_dir()]
    return [each for each in wanted if not any(path.is_relative_to(each) for path in needed)]


def judged(waiting, jobs, new_place):
    """Pairs of key and record, as they come: each notebook in a judge of its own, so many at once."""
    _, course, limits, _ = new_place.args
    pristine_course(course)
    contents.lessons(), contents.lesson_sources()  # once, for all judges that are forked from here
    context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    waiting, running = list(waiting)[::-1], {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                key, each = waiting.pop()
                receiving, sending = context.Pipe(duplex=False)
                judge = context.Process(target=in_a_judge, args=(sending, each, new_place, limits))
                with warnings.catch_warnings(
                    action="ignore"
                ):  # of a fork beside threads: the judge needs none of them
                    judge.start()
                sending.close()
                running[receiving] = key, each, judge, time.monotonic()
            ready = connection.wait(list(running), timeout=1)
            late = [r for r, (*_, start) in running.items() if time.monotonic() - start > longest(limits)]
            for receiving in {*ready, *late}:
                key, each, judge, start = running.pop(receiving)
                yield key, record_of(each, received(receiving, judge, limits), time.monotonic() - start)
    finally:
        for *_, judge, _ in running.values():
            end(judge)


def longest(limits):
    """Seconds that a notebook may take in all."""
    return 60 + 6 * limits.seconds


def in_a_judge(sending, each, new_place, limits):
    """In a process of its own: the rows of one notebook, sent to the grader."""
    end_with_the_grader()
    limit_own_memory()
    try:
        rows = judging.judge(each.path, functools.partial(new_place, each.beside), limits)
    except BaseException as error:  # a fault of the grader's own costs one notebook, too
        text = "".join(traceback.format_exception(error)[-3:])
        rows = [Row("", "not graded", "", f"The grader itself failed: {text}"[:1000])]
    sending.send([row._asdict() for row in rows])


def limit_own_memory():
    """A judge reads what a hostile process sends: on Linux it may take 2 GB for that."""
    if sys.platform.startswith("linux"):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + 2 * 2**30, most))


def received(receiving, judge, limits):
    """The rows that a judge sends, or one that says that it sent none; the judge has ended then, and all its processes."""
    try:
        if receiving.poll():
            return receiving.recv()
        why = f"It took more than {longest(limits)} seconds in all."
    except EOFError:
        why = "Its judge ended before it could say anything."
    finally:
        end(judge)
        receiving.close()
    return [Row("", "stopped", "", why)._asdict()]


def end(judge):
    """End a judge and all that it has started, the youngest last, so that none is left without one to end it."""
    judge.join(0.2)
    try:
        started = psutil.Process(judge.pid).children(recursive=True)
    except psutil.Error:
        started = []
    judge.kill()
    for process in started:
        try:
            process.kill()
        except psutil.Error:
            continue
    judge.join()


def record_of(each, rows, seconds):
    return {"student": each.student, "notebook": each.notebook, "seconds": round(seconds, 1), "rows": rows}
