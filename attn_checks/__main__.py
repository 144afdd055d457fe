"""The checkers as a command: `python -m attn_checks grade FOLDER --output OUT` grades a class's notebooks."""

import argparse
import os
import signal
import sys

GRADE = """Grade a folder of students' notebooks. A student is a sub-folder, or the name of a file.

Each notebook runs in a process of its own: its functions answer there, and are compared here, so that nothing that a
notebook prints, patches or pretends has a say. Exercises are found by name, wherever their cells are. The command writes
grades.html, with the class's mistakes on top, grades.csv (a row per answer), students.csv (a row per student) and a file
for each student in feedback/. Of several notebooks of a student, the best answer to each exercise counts.

On Linux a notebook has no network, and writes in a copy of its folder alone; the command says at the start, and
grades.html at its top, what your system can't stop. Interrupted, the same command goes on where it stopped; a notebook
that is graded and unchanged isn't run again."""


def whole(text):
    """A whole number from 1 on."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 on is expected, got {text!r}")
    return number


def parser():
    made = argparse.ArgumentParser(prog="python -m attn_checks", description="The course's checkers.")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    grade = commands.add_parser("grade", help="grade a folder of students' notebooks")
    grade.description, grade.formatter_class = GRADE, argparse.RawDescriptionHelpFormatter
    add = grade.add_argument
    add("folder", metavar="FOLDER", help="the folder with the students' notebooks")
    add("--output", metavar="OUT", required=True, help="where what is written goes")
    for name, default, metavar, about in (
        ("--jobs", os.cpu_count() or 1, "N", "notebooks that run at once (here: %(default)s)"),
        ("--seconds", 20, "N", "what one cell may take (%(default)s seconds)"),
        ("--memory", 2048, "MB", "what a notebook may take (%(default)s MB)"),
    ):
        add(name, type=whole, default=default, metavar=metavar, help=about)
    add("--again", action="store_true", help="grade also what is graded and unchanged")
    return made


def show_progress(done, all_of_them, submission):
    """A line for each notebook; a terminal writes the next one over it."""
    name = f"{submission.student}: {submission.notebook}"[:50] if submission else ""
    name = "".join(c if c.isprintable() else "?" for c in name)
    end = "\r" if sys.stderr.isatty() and done < all_of_them else "\n"
    line = f"{done} of {all_of_them} graded, {all_of_them - done} left  {name:<50}"
    print(line, end=end, file=sys.stderr, flush=True)


def main(arguments=None):
    """Run the command; returns its exit code."""
    asked = parser().parse_args(arguments)
    from attn_checks.grading import grade, sandbox

    # ended from outside, it ends what it has started, too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    limits = sandbox.Limits(asked.seconds, asked.memory)
    for line in sandbox.walls_here().missing():
        print(f"Not stopped on this system: {line}", file=sys.stderr)
    try:
        report = grade.grade(asked.folder, asked.output, asked.jobs, limits, asked.again, show_progress)
    except grade.BadFolderError as error:
        print(f"python -m attn_checks grade: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted. What is graded is kept: the same command goes on from there.", file=sys.stderr)
        return 130
    if report.left:
        print(f"Not looked at: {', '.join(report.left)}", file=sys.stderr)
    print("\n".join(report.summary()))
    print(f"Written into {asked.output}: grades.html, grades.csv, students.csv, feedback/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
