"""The checkers as a command: grade a class's notebooks, judge attention functions, verify a reader's page."""

import argparse
import importlib
import os
import sys

GRADE = """Grade a folder of students' notebooks. A student is a sub-folder, or the name of a file.

The command writes grades.html, with the class's mistakes on top, grades.csv (a row per answer), students.csv
(a row per student) and a file for each student in feedback/. It says at the start what your system can't stop
a notebook from doing. Interrupted, the same command goes on where it stopped.
teaching/grading.md says more."""
VERIFY = """Verify a page that mine.page() wrote: run its functions and pictures again, on new inputs.

Each is right, wrong, or changed since the page was made. What no file can prove (names, dates, mistakes, what
a GPT wrote) is stated. Nothing of the file runs in this process. What your system can't stop its code from
doing is said. Exit code 0: all that can be proved is right; 1: something is wrong or changed; 2: it isn't a
page as mine.page() writes it, and the reason is told."""
INVENTORY = """Ask a class for twelve ideas of attention, before the course and after it.

Without FOLDER, the command writes two parallel forms, A and B: as a page to print or to open, and as a
notebook. With FOLDER, it reads what was handed in, from its sub-folders before and after, and reports idea by
idea. teaching/inventory.md says more."""
JUDGE = """Judge any attention function.

It is called as function(query, key, value[, mask]) with arrays (batch, heads, L, d). If a parameter is called
mask, the mask is passed by that name, else as the fourth argument.
Exit code 0: it passed; 1: it has a bug, which is named with the smallest input that shows it; 2: it can't be
judged; 3: it's right, but by another convention than the options say, and the option to use is named.
Example:
  python -m attn_checks judge torch.nn.functional:scaled_dot_product_attention --torch --causal upper-left"""


def above_0(text):
    """A number above 0, whole if it is written so."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"a number above 0 is expected, got {text!r}")
    return int(number) if number.is_integer() else number


def number(default, about, metavar="N"):
    return {"type": above_0, "default": default, "metavar": metavar, "help": about}


def flag(about):
    return {"action": "store_true", "help": about}


def one_of(*values, about):
    return {"choices": values, "default": values[0], "help": about}


def arrays_of(library):
    about = f"it takes arrays of {library}, not of NumPy"
    return {"dest": "library", "action": "store_const", "const": library, "default": "numpy", "help": about}


OUTPUT = {"metavar": "OUT", "required": True, "help": "where what is written goes"}
LIMITS = {
    "--seconds": number(20, "what one cell or function may take (%(default)s seconds)"),
    "--memory": number(2048, "what a notebook or page may take (%(default)s MB)", "MB"),
}
# name: where it is, in a line what it does, in more lines, and what it is given
COMMANDS = {
    "grade": (
        "grading",
        "grade a folder of students' notebooks",
        GRADE,
        {
            "folder": {"metavar": "FOLDER", "help": "the folder with the students' notebooks"},
            "--output": OUTPUT,
            "--jobs": number(os.cpu_count() or 1, "notebooks that run at once (here: %(default)s)"),
            **LIMITS,
            "--again": flag("grade also what is graded and unchanged"),
        },
    ),
    "verify": (
        "grading",
        "verify a reader's page",
        VERIFY,
        {"file": {"metavar": "FILE", "help": "the page, my_attention.html"}, **LIMITS},
    ),
    "inventory": (
        "inventory",
        "ask a class for the ideas of attention, before and after",
        INVENTORY,
        {
            "folder": {"metavar": "FOLDER", "nargs": "?", "help": "where the answers are"},
            "--output": OUTPUT,
            "--names": flag("name students in what is written"),
        },
    ),
    "judge": (
        "judge",
        "judge any attention function",
        JUDGE,
        {
            "--torch": arrays_of("torch"),
            "--jax": arrays_of("jax"),
            "--equal-widths": flag("values are as wide as keys in every case, for functions that need it"),
            "--lengths-first": flag("arrays are (batch, L, heads, d)"),
            "--mask": one_of(
                "true-attends",
                "true-blocks",
                "additive",
                "none",
                about="what a mask means; none: it takes no mask",
            ),
            "--causal": one_of(
                "none",
                "upper-left",
                "lower-right",
                about="call it with is_causal=True too; where the triangle is",
            ),
            "--blocked": one_of(
                "zeros", "nan", "mean", "any", about="what a query gets whose keys are all blocked"
            ),
            "--returns": one_of("output", "both", about="the output alone, or (output, weights)"),
            "--scale": number(None, "what QKᵀ is multiplied by, if not 1/√d_k"),
            "--softcap": number(None, "call it with softcap=N too"),
            "--tolerance": number(1e-4, "how far it may be off (%(default)s)"),
            "--seconds": number(120, "how long it may take (%(default)s)"),
        },
    ),
}
WHAT_IS_JUDGED = {
    "function": {"metavar": "MODULE:FUNCTION", "nargs": "?"},
    "--cases": {
        "metavar": "FILE",
        "help": "write inputs and expected results as JSON, for any language; 1 MB, 3 MB with weights",
    },
    "--answers": {
        "metavar": "FILE",
        "help": (
            'judge JSON, {"case name": {"output": [...]}, ...}; write NaN as "NaN", null is read as NaN too'
        ),
    },
}


def parser():
    made = argparse.ArgumentParser(prog="python -m attn_checks", description="The course's checkers.")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, about, description, options) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=about,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == "judge":
            one = command.add_mutually_exclusive_group(required=True)
            for option, given in WHAT_IS_JUDGED.items():
                one.add_argument(option, **given)
        for option, given in options.items():
            command.add_argument(option, **given)
    return made


def main(arguments=None):
    """Run the command; returns its exit code."""
    options = parser().parse_args(arguments)
    folder, *_ = COMMANDS[options.command]
    result = importlib.import_module(f"attn_checks.{folder}.command").run(options)
    if options.command == "judge":
        result, text = result
        print(text)
    return result


if __name__ == "__main__":
    sys.exit(main())
