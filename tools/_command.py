"""What every command here needs: the course and the modules of its pages on the path, and how it writes."""

import argparse
import datetime
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / folder) for folder in ("", "tools", "tools/pages", "tools/in_browser")]

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def parser_of(told):
    """A parser of a command's arguments, which shows the docstring `told` as it is written."""
    return argparse.ArgumentParser(description=told, formatter_class=argparse.RawTextHelpFormatter)


def writer_of(told):
    """A parser of the arguments of a command that writes a folder, given as --output FOLDER."""
    parser = parser_of(told)
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER")
    return parser


def read(path):
    """A notebook, its texts as strings."""
    import nbformat  # which commands that a workflow runs with no package don't have

    return nbformat.read(path, as_version=4)


def store(name, data):
    """Write what was trained to notebooks/data, as JSON on one line, and say what became of it."""
    file = ROOT / "notebooks" / "data" / f"{name}.json"
    file.write_text(json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8")
    print(f"{file.name}: {file.stat().st_size} bytes, sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


def day(date):
    """A date such as 2026-11-28 in words."""
    date = datetime.date.fromisoformat(date)
    return f"{date.day} {date:%B %Y}"


def table(heads, rows):
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
