"""The checkers as a command: grade a class's notebooks, judge attention functions, verify a reader's page."""

import argparse
import functools
import os
import signal
import sys

GRADE = """Grade a folder of students' notebooks. A student is a sub-folder, or the name of a file.

The command writes grades.html, with the class's mistakes on top, grades.csv (a row per answer), students.csv (a row per
student) and a file for each student in feedback/. It says at the start what your system can't stop a notebook from doing.
Interrupted, the same command goes on where it stopped. teaching/grading.md says more."""

GRADING = {
    "jobs": (os.cpu_count() or 1, "N", "notebooks that run at once (here: %(default)s)"),
    "seconds": (20, "N", "what one cell or function may take (%(default)s seconds)"),
    "memory": (2048, "MB", "what a notebook or page may take (%(default)s MB)"),
}

VERIFY = """Verify a page that mine.page() wrote: run the functions it shows again, on new inputs, and its pictures.

Each is right, wrong, or changed since the page was made. What no file can prove (names, dates, mistakes, what a GPT
wrote) is stated. Nothing of the file runs in this process. What your system can't stop its code from doing is said.
Exit code 0: all that can be proved is right; 1: something is wrong or changed; 2: it isn't a page as mine.page() writes
it, and the reason is told."""

JUDGE = """Judge any attention function, called as function(query, key, value[, mask]) with arrays (batch, heads, L, d).

Exit code 0: it passed; 1: it has a bug, which is named with the smallest input that shows it; 2: it can't be judged;
3: it's right, but by another convention than the options say, and the option to use is named.
If a parameter is called mask, the mask is passed by that name, else as the fourth argument.
Example: python -m attn_checks judge torch.nn.functional:scaled_dot_product_attention --torch --causal upper-left"""
INVENTORY = """Ask a class for twelve ideas of attention, before the course and after it.

Without FOLDER, the command writes two parallel forms, A and B: as a page to print or to open, and as a notebook. With FOLDER,
it reads what was handed in, from its sub-folders before and after, and reports idea by idea. teaching/inventory.md says more."""
FILES = {
    "cases": "write inputs and expected results as JSON, for any language; 1 MB, 3 MB with weights",
    "answers": 'judge JSON, {"case name": {"output": [...]}, ...}; write NaN as "NaN", null is read as NaN too',
}
LAYOUT = {
    "equal-widths": "values are as wide as keys in every case, for functions that need it",
    "lengths-first": "arrays are (batch, L, heads, d)",
}
OPTIONS = {  # the first choice is what holds if nothing is said
    "mask": (
        ["true-attends", "true-blocks", "additive", "none"],
        "what a mask means; none: it takes no mask",
    ),
    "causal": (
        ["none", "upper-left", "lower-right"],
        "call it with is_causal=True too; where the triangle is",
    ),
    "blocked": (["zeros", "nan", "mean", "any"], "what a query gets whose keys are all blocked"),
    "returns": (["output", "both"], "the output alone, or (output, weights)"),
    "scale": (None, "what QKᵀ is multiplied by, if not 1/√d_k"),
    "softcap": (None, "call it with softcap=NUMBER too"),
    "tolerance": (1e-4, "how far it may be off (%(default)s)"),
    "seconds": (120, "how long it may take (%(default)s)"),
}


def above_0(text, kind=float):
    """A number above 0, of this kind."""
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        what = "whole number" if kind is int else "number"
        raise argparse.ArgumentTypeError(f"a {what} above 0 is expected, got {text!r}")
    return number


def parser():
    made = argparse.ArgumentParser(prog="python -m attn_checks", description="The course's checkers.")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    as_written = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    grade = commands.add_parser(
        "grade", help="grade a folder of students' notebooks", description=GRADE, **as_written
    )
    grade.add_argument("folder", metavar="FOLDER", help="the folder with the students' notebooks")
    grade.add_argument("--output", metavar="OUT", required=True, help="where what is written goes")
    add_limits(grade, *GRADING)
    grade.add_argument("--again", action="store_true", help="grade also what is graded and unchanged")
    verify = commands.add_parser("verify", help="verify a reader's page", description=VERIFY, **as_written)
    verify.add_argument("file", metavar="FILE", help="the page, my_attention.html")
    add_limits(verify, "seconds", "memory")
    about = "ask a class for the ideas of attention, before and after"
    inventory = commands.add_parser("inventory", help=about, description=INVENTORY, **as_written)
    inventory.add_argument("folder", metavar="FOLDER", nargs="?", help="where the answers are")
    inventory.add_argument("--output", metavar="OUT", required=True, help="where what is written goes")
    inventory.add_argument("--names", action="store_true", help="name students in what is written")
    judge = commands.add_parser("judge", help="judge any attention function", description=JUDGE, **as_written)
    what = judge.add_mutually_exclusive_group(required=True)
    what.add_argument("function", metavar="MODULE:FUNCTION", nargs="?")
    for name, about in FILES.items():
        what.add_argument(f"--{name}", metavar="FILE", help=about)
    for name in ("torch", "jax"):
        about = f"it takes arrays of {name}, not of NumPy"
        judge.add_argument(
            f"--{name}", dest="library", action="store_const", const=name, default="numpy", help=about
        )
    for name, about in LAYOUT.items():
        judge.add_argument(f"--{name}", action="store_true", help=about)
    for name, (values, about) in OPTIONS.items():
        if isinstance(values, list):
            judge.add_argument(f"--{name}", choices=values, default=values[0], help=about)
        else:
            judge.add_argument(f"--{name}", type=above_0, default=values, metavar="NUMBER", help=about)
    return made


def add_limits(command, *names):
    for name in names:
        default, metavar, about = GRADING[name]
        whole = functools.partial(above_0, kind=int)
        command.add_argument(f"--{name}", type=whole, default=default, metavar=metavar, help=about)


def show_progress(done, all_of_them, submission):
    """A line for each notebook; a terminal writes the next one over it."""
    name = f"{submission.student}: {submission.notebook}"[:50] if submission else ""
    name = "".join(c if c.isprintable() else "?" for c in name)
    end = "\r" if sys.stderr.isatty() and done < all_of_them else "\n"
    line = f"{done} of {all_of_them} graded, {all_of_them - done} left  {name:<50}"
    print(line, end=end, file=sys.stderr, flush=True)


def main(arguments=None):
    """Run the command; returns its exit code."""
    options = parser().parse_args(arguments)
    if options.command == "judge":
        from attn_checks.judge import command

        code, text = command.run(options)
        print(text)
        return code
    if options.command == "inventory":
        from attn_checks.inventory import command

        return command.run(options)
    from attn_checks.grading import sandbox

    # ended from outside, it ends what it has started, too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    walls, limits = sandbox.walls_here(), sandbox.Limits(options.seconds, options.memory)
    for line in walls.missing():
        print(f"Not stopped on this system: {line}", file=sys.stderr)
    return (grade_class if options.command == "grade" else verify_page)(options, walls, limits)


def verify_page(options, walls, limits):
    """Print a line for each thing that a page shows; the exit code."""
    from attn_checks.grading import verify
    from attn_checks.kept.page import BadPageError, shown

    sys.stdout.reconfigure(errors="replace")  # a terminal may not have all letters of a name
    try:
        page, verdicts = verify.verify(options.file, walls, limits)
    except BadPageError as reason:
        print(f"Refused: {options.file}. {reason}")
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"{options.file}{', by ' if page.name else ''}{shown(page.name)}")
    for is_, what, why in verdicts:
        print(f"{is_:<14}{what}{': ' if why else ''}{why}")
    return int(any(verdict.is_ in ("wrong", "changed since") for verdict in verdicts))


def grade_class(options, walls, limits):
    """Grade a folder and print a summary; the exit code."""
    from attn_checks.grading import grade

    try:
        report = grade.grade(
            options.folder, options.output, options.jobs, limits, options.again, show_progress
        )
    except grade.BadFolderError as error:
        print(f"python -m attn_checks grade: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted. What is graded is kept: the same command goes on from there.", file=sys.stderr)
        return 130
    if report.left:
        print(f"Not looked at: {', '.join(report.left)}", file=sys.stderr)
    print("\n".join(report.summary()))
    print(f"Written into {options.output}: grades.html, grades.csv, students.csv, feedback/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
