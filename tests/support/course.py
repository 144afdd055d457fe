"""Reading the lessons, for the tests that look at how they are built."""

import ast
import base64
import functools
import itertools
import re
from typing import NamedTuple

import nbformat
import pytest

import attn_helpers as attn
from set_address import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
every_lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
LESSONS = [path for path in NOTEBOOKS if not path.name.startswith("00")]
SVG = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=\s]+)")


class Exercise(NamedTuple):
    title: str
    minutes: int | None
    is_transfer: bool
    kinds: list
    stub: nbformat.NotebookNode | None
    check: nbformat.NotebookNode | None
    answer: nbformat.NotebookNode | None


def read(path):
    return nbformat.read(path, as_version=4)


def as_notebook(parts):
    return nbformat.from_dict(parts)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def headings(cells):
    return re.findall(r"(?m)^#{1,6} (.+?)\s*$", without_code(markdown(cells)))


def without_code(text):
    return re.sub(r"(?ms)^\s*```.*?^\s*```\s*$", "", text)


def exercises(notebook):
    """Every exercise: "### Exercise 2, transfer: title (5 minutes)" and its cells, hints and solution last.

    The check is the last code cell, the stub the one before it; a question may be shown above them.
    """
    found = []
    for place, cell in enumerate(notebook.cells):
        title = re.search(r"(?m)^### (Exercise \d+(, transfer)?.*)$", cell.source)
        if cell.cell_type == "markdown" and title:
            below = list(itertools.takewhile(belongs_to_exercise, notebook.cells[place + 1 :]))
            last = [i for i, each in enumerate(below, 1) if ends_exercise(each)]
            below = below[: last[0]] if last else below
            code = [each for each in below if each.cell_type == "code"]
            texts = [each for each in below if each.cell_type == "markdown"]
            cells = [*[None, None, *code][-2:], *[*texts, None][:1]]
            minutes = re.search(r"\((\d+) minutes?\)$", title[1])
            kinds = [each.cell_type for each in below]
            found.append(
                Exercise(
                    title[1],
                    minutes and int(minutes[1]),
                    bool(title[2]),
                    kinds,
                    *cells,
                )
            )
    return found


@functools.cache
def all_exercises():
    """(lesson, exercise) of the whole course."""
    return [(path, exercise) for path in NOTEBOOKS for exercise in exercises(read(path))]


def belongs_to_exercise(cell):
    """Whether a cell below an exercise's heading is still part of it."""
    code = cell.cell_type == "code"
    return "check.progress(" not in cell.source if code else not cell.source.startswith("#")


def ends_exercise(cell):
    """Whether this is the cell of hints and solution, the last one of an exercise."""
    return cell.cell_type == "markdown" and "<summary>Solution" in cell.source


def predictions(notebook):
    """Pairs of place and slug of every cell that ends in `check.predict("slug")`."""
    asks = re.compile(r"""(?m)^check\.predict\(["']([\w-]+)["']\)$""")
    sources = [cell.source if cell.cell_type == "code" else "" for cell in notebook.cells]
    found = enumerate(map(asks.search, sources))
    return [(place, asked[1]) for place, asked in found if asked]


@functools.cache
def explorers():
    """(lesson, id of the cell, its source) of every cell that shows an explorer."""
    return [
        (path, cell.id, cell.source)
        for path in NOTEBOOKS
        for cell in code_cells(read(path))
        if cell.source.startswith("attn.explore_")
    ]


def made(source):
    return eval(source, {"attn": attn, "mine": attn.mine})


def section(notebook, place):
    """The heading under which a cell stands."""
    return (headings(notebook.cells[: place + 1]) or [""])[-1]


def is_open(exercise):
    """Whether the stub leaves a `...` to fill in; else it is code with a bug to find and fix."""
    nodes = ast.walk(ast.parse(exercise.stub.source))
    return any(isinstance(node, ast.Constant) and node.value is ... for node in nodes)


def solution(exercise):
    """The Python of an exercise's folded solution."""
    folded = re.search(r"(?s)<summary>\s*Solution\s*</summary>(.*?)</details>", exercise.answer.source)
    assert folded, f"{exercise.title}: no <details> with the summary 'Solution'"
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", folded[1])
    assert len(blocks) == 1, f"{exercise.title}: the solution holds {len(blocks)} ```python blocks, not one"
    return blocks[0]


def outputs(notebook):
    """Pairs of cell and output, without the empty ones that stand before what is folded."""
    pairs = [(cell, output) for cell in code_cells(notebook) for output in cell.outputs]
    return [(cell, output) for cell, output in pairs if output.get("data") != {"text/plain": ""}]


def output_text(output):
    """What a reader can read in an output, SVG pictures included."""
    data = output.get("data", {})
    texts = [value for mime, value in data.items() if mime.startswith("text/")]
    texts += [output.get("text", ""), output.get("evalue", "")]
    return SVG.sub(lambda match: base64.b64decode(match[1]).decode("utf-8"), "\n".join(texts))


def shown_numbers(notebook):
    """All numbers in a lesson's code and in what it prints and draws."""
    shown = [cell.source for cell in code_cells(notebook)]
    for _, output in outputs(notebook):
        text = output_text(output)
        shown += [
            re.sub(
                r"<[^>]+>",
                " ",
                text,
            ),
            *re.findall(r'\balt="([^"]*)"', text),
        ]  # no SVG coordinates
    found = re.findall(r"\d*\.\d+(?:e[-+]?\d+)?|\d+(?:e[-+]?\d+)?\.?", "\n".join(shown).replace(",", ""))
    return [float(number) for number in found]


def stale_numbers(text, shown, digits):
    """Which decimals of a text, of so many significant digits or more, none of the shown numbers rounds to."""
    quoted = sorted(set(re.findall(r"(?<![\w.])\d*\.\d+(?![\w]|\.\d)", text)))
    quoted = [number for number in quoted if len(number.replace(".", "").lstrip("0")) >= digits]
    steps = {number: 10.0 ** -len(number.split(".")[1]) for number in quoted}

    def is_near(number):
        return any(abs(value - float(number)) <= 0.5001 * steps[number] for value in shown)

    return [number for number in quoted if not is_near(number)]
