"""`python -m attn_checks grade` and `verify`: what they print, and their exit codes."""

import signal
import sys

from attn_checks.grading.grade import BadFolderError, grade
from attn_checks.grading.sandbox import Limits, walls_here
from attn_checks.grading.verify import verify
from attn_checks.kept.page import BadPageError, shown


def run(options):
    """The exit code: 2 if nothing can be done, 130 if it was interrupted."""
    # ended from outside, it ends what it has started, too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    walls = walls_here()
    limits = Limits(options.seconds, options.memory)
    for line in walls.missing():
        print(f"Not stopped on this system: {line}", file=sys.stderr)
    try:
        return (grade_class if options.command == "grade" else verify_page)(options, walls, limits)
    except BadFolderError as error:
        print(f"python -m attn_checks grade: {error}", file=sys.stderr)
        return 2
    except BadPageError as reason:
        print(f"Refused: {options.file}. {reason}")
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on with what is not graded yet.", file=sys.stderr)
        return 130


def grade_class(options, walls, limits):
    """Grade a folder and print a summary."""
    report = grade(options.folder, options.output, walls, limits, options.jobs, options.again, show_progress)
    print(*report.summary(), sep="\n")
    print(f"Written into {options.output}: grades.html, grades.csv, students.csv, feedback/")
    return 0


def show_progress(done, all_of_them, submission):
    """A line for each notebook; a terminal writes the next one over it."""
    name = f"{submission.student}: {submission.notebook}"[:50] if submission else ""
    name = "".join(c if c.isprintable() else "?" for c in name)
    end = "\r" if sys.stderr.isatty() and done < all_of_them else "\n"
    line = f"{done} of {all_of_them} graded, {all_of_them - done} left  {name:<50}"
    print(line, end=end, file=sys.stderr, flush=True)


def verify_page(options, walls, limits):
    """Print a line for each thing that a page shows; 1 if something is wrong or changed."""
    sys.stdout.reconfigure(errors="replace")  # a terminal may not have all letters of a name
    page, verdicts = verify(options.file, walls, limits)
    print(f"{options.file}{', by ' if page.name else ''}{shown(page.name)}")
    for is_, what, why in verdicts:
        print(f"{is_:<14}{what}{': ' if why else ''}{why}")
    return int(any(verdict.is_ in ("wrong", "changed since") for verdict in verdicts))
