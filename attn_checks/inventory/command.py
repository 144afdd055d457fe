"""`python -m attn_checks inventory`: write a class's forms, or report what came of its answers."""

import sys
from pathlib import Path

from attn_checks.inventory import forms, report
from attn_checks.inventory.answers import Note, collected

TIMES = "before", "after"


def run(options):
    """The exit code: 0 if files were written, 2 if not, with a sentence that says why."""
    try:
        folder, output = options.folder and Path(options.folder), Path(options.output)
        classes = folder and read(folder, output)
        output.mkdir(parents=True, exist_ok=True)
        if not classes:
            written = forms.write(output)
        else:
            print("\n".join(classes.summary(options.names)))
            written = report.write(classes, output, options.names)
    except BadFolderError as error:
        print(f"python -m attn_checks inventory: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"python -m attn_checks inventory: {error.filename or output}: {error.strerror}.", file=sys.stderr
        )
        return 2
    print(f"Written into {output}: {', '.join(written)}")
    return 0


class BadFolderError(ValueError):
    """A folder holds no answers, and how to hand them over."""


def read(folder, output):
    """The Report of a folder with the sub-folders before and after, or one of them."""
    there = [folder / time for time in TIMES if (folder / time).is_dir()]
    if not there:
        raise BadFolderError(f"{folder} has no sub-folder named before or after. Put the answers into these.")
    if output.resolve().is_relative_to(folder.resolve()):
        raise BadFolderError(
            f"--output {output} is inside {folder}, so it would be read as answers. Give another."
        )
    found = {path.name: collected(path) for path in there}
    (before, notes), (after, more) = (found.get(time, ({}, [])) for time in TIMES)
    if not before and not after:
        said = "; ".join(sorted({note.text for note in notes + more})) or "the folders are empty"
        raise BadFolderError(f"There are no answers in {folder}: {said}.")
    notes = [*notes, *more, *between(before, after)]
    classes = report.Report(before, after, notes)
    if not classes.students:
        raise BadFolderError(
            f"No name in {folder} is in both before and after. Names must be the same both times."
        )
    return classes


def between(before, after):
    """Notes on students who answered once only, and on those who answered the same form twice."""
    if not before or not after:
        return
    for here, there, time in ((before, after, "before"), (after, before, "after")):
        for student, each in here.items():
            if student not in there:
                yield Note(f"a form only {time}, left out (or another spelling of the name)", each.name)
    for student, each in before.items():
        if student in after and after[student].form == each.form:
            yield Note("the same form both times, so part of the gain may be memory", each.name)
