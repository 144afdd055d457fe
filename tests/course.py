"""Reading the lessons, for the tests that look at how they are built."""

import base64
import itertools
import pathlib
import re
from typing import NamedTuple

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
CORE = [
    "00_start_here.ipynb",
    "01_query_key_scores.ipynb",
    "02_scaling.ipynb",
    "03_masking.ipynb",
    "04_softmax.ipynb",
    "05_attention_function.ipynb",
    "06_heatmaps.ipynb",
]
EMBEDDED = re.compile(r"data:image/([\w+]+);base64,([A-Za-z0-9+/=\s]+)")


class Exercise(NamedTuple):
    title: str
    kinds: list
    stub: nbformat.NotebookNode | None
    check: nbformat.NotebookNode | None
    answer: nbformat.NotebookNode | None


def read(path):
    return nbformat.read(path, as_version=4)


def name(path):
    return path.stem


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def headings(notebook):
    return re.findall(r"(?m)^#{1,6} (.+?)\s*$", without_code(markdown(notebook)))


def without_code(text):
    """Markdown without its fenced blocks."""
    return re.sub(r"(?ms)^\s*```.*?^\s*```\s*$", "", text)


def exercises(notebook):
    """Every exercise: title, kinds of its cells, stub, check, cell of hints and solution.

    The check is the last code cell, the stub the one before it; a question may be shown above them.
    """
    found = []
    for place, cell in enumerate(notebook.cells):
        title = cell.cell_type == "markdown" and re.search(r"(?m)^### (Exercise \d+.*)$", cell.source)
        if title:
            below = list(itertools.takewhile(not_a_heading, notebook.cells[place + 1 :]))
            code = [None, None, *(cell for cell in below if cell.cell_type == "code")]
            answers = [cell for cell in below if cell.cell_type == "markdown"]
            found.append(Exercise(title[1], [c.cell_type for c in below], *code[-2:], (answers or [None])[0]))
    return found


def not_a_heading(cell):
    return cell.cell_type == "code" or not cell.source.startswith("#")


def solution(exercise):
    """The Python of an exercise's folded solution."""
    folded = re.search(r"(?s)<summary>\s*Solution\s*</summary>(.*?)</details>", exercise.answer.source)
    assert folded, f"{exercise.title}: no <details> with the summary 'Solution'"
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", folded[1])
    assert len(blocks) == 1, f"{exercise.title}: the solution holds {len(blocks)} ```python blocks, not one"
    return blocks[0]


def outputs(notebook):
    """Pairs of cell and output."""
    return [(cell, output) for cell in code_cells(notebook) for output in cell.outputs]


def output_text(output):
    """What a reader can read in an output, SVG pictures included."""
    data = output.get("data", {})
    texts = [value for mime, value in data.items() if mime.startswith("text/")]
    texts += [output.get("text", ""), output.get("evalue", "")]
    return EMBEDDED.sub(_picture_text, "\n".join(texts))


def _picture_text(match):
    return base64.b64decode(match[2]).decode("utf-8") if match[1] == "svg+xml" else ""


def neighbours(path):
    """File names of the lessons before and after this one, None at either end."""
    names = sorted({*CORE, *(other.name for other in NOTEBOOKS)})
    place = names.index(path.name)
    return (names[place - 1] if place else None), (names[place + 1] if place + 1 < len(names) else None)
