"""What every command here needs: the course and the modules of its pages on the path, and a parser of arguments."""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("", "tools", "tools/pages", "tools/in_browser")]

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def parser_of(told):
    """A parser of a command's arguments, which shows the docstring `told` as it is written."""
    return argparse.ArgumentParser(description=told, formatter_class=argparse.RawTextHelpFormatter)


def output_of(told, arguments):
    """The folder that a command is to write, given as --output FOLDER."""
    command = parser_of(told)
    command.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER")
    return command.parse_args(arguments).output.resolve()
