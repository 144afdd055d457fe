"""Where a lesson is to be read again: a cell's id becomes the heading that its notebook has there today."""

import functools
import json
import pathlib
import re

NOTEBOOKS = pathlib.Path(__file__).parents[1] / "notebooks"


def look_again(cell):
    """The last line of a message: 'Look again at: lesson 04, Temperature' for the cell l04-temperature."""
    return f"Look again at: {section(cell)}" if cell else ""


def section(cell):
    """'lesson 04, Temperature' for l04-temperature; only the lesson where its notebook has no such cell."""
    lesson = cell[1:3]
    heading = headings(lesson).get(cell, "")
    return f"lesson {lesson}, {heading}" if heading else f"lesson {lesson}"


@functools.cache
def headings(lesson):
    """The heading in each Markdown cell of a lesson that has one, by the cell's id."""
    found = {}
    for path in NOTEBOOKS.glob(f"{lesson}_*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            heading = re.search(r"(?m)^#+ (.+?)\s*$", "".join(cell["source"]))
            if cell["cell_type"] == "markdown" and heading:
                found[cell["id"]] = heading[1].replace("*", "")
    return found
