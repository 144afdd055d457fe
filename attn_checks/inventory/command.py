"""`python -m attn_checks inventory`: write a class's forms, or report what came of its answers."""

import sys
from pathlib import Path

from attn_checks.inventory import forms
from attn_checks.inventory.answers import Note, collected
from attn_checks.inventory.report import Report, page

TIMES = "before", "after"


class BadFolderError(ValueError):
    """A folder holds no answers, and how to hand them over."""


def run(options):
    """The exit code: 0 if files were written, 2 if not, with a sentence that says why."""
    output = Path(options.output)
    try:
        written = forms.files()
        if options.folder:
            report = read(Path(options.folder))
            print(*report.summary(options.names), sep="\n")
            written = {"report.html": page(report, options.names)}
        output.mkdir(parents=True, exist_ok=True)
        for name, text in written.items():
            (output / name).write_text(text, encoding="utf-8")
    except BadFolderError as error:
        print(f"python -m attn_checks inventory: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        why = f"{error.filename or output}: {error.strerror}. Give another folder."
        print(f"python -m attn_checks inventory: {why}", file=sys.stderr)
        return 2
    print(f"Written into {output}: {', '.join(written)}")
    return 0


def read(folder):
    """The Report of a folder with the sub-folders before and after, or one of them."""
    there = [time for time in TIMES if (folder / time).is_dir()]
    if not there:
        raise BadFolderError(f"{folder} has no sub-folder named before or after. Put the answers into these.")
    handed_in = {}
    notes = []
    for time in there:
        answers, odd = collected(folder / time)
        notes += odd
        if answers:
            handed_in[time] = answers
    if not handed_in:
        said = "; ".join({note.text for note in notes}) or "the sub-folders are empty"
        raise BadFolderError(f"There are no answers in {folder}: {said}.")
    both = set.intersection(*(set(answers) for answers in handed_in.values()))
    if not both:
        raise BadFolderError(
            f"No name in {folder} is in both sub-folders. Students give the same name each time."
        )
    for time, answers in handed_in.items():
        for student in sorted(answers.keys() - both):
            once = f"a form only {time}, left out (or the name is spelled in another way)"
            notes.append(Note(once, answers[student].name))
    students = [student for student in answers if student in both]
    times = {time: [answers[student] for student in students] for time, answers in handed_in.items()}
    for first, *others in zip(*times.values(), strict=True):
        if any(other.form == first.form for other in others):
            notes.append(Note("the same form both times, so part of the gain may be memory", first.name))
    return Report(times, notes)
