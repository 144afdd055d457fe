"""Reading the lessons, for the tests that look at how they are built."""

import ast
import base64
import functools
import re
from typing import NamedTuple

import nbformat
import pytest

import attn_helpers as attn
from set_address import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
every_lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
SVG = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=\s]+)")


class Exercise(NamedTuple):
    title: str
    minutes: int
    is_transfer: bool
    stub: nbformat.NotebookNode
    check: nbformat.NotebookNode
    answer: nbformat.NotebookNode


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def headings(cells):
    return re.findall(r"(?m)^#{1,6} (.+?)\s*$", without_code(markdown(cells)))


def without_code(text):
    return re.sub(r"(?ms)^\s*```.*?^\s*```\s*$", "", text)


def exercises(notebook):
    """Every exercise: "### Exercise 2, transfer: title (5 minutes)", and its last three cells.

    A question may be shown above them.
    """
    cells = notebook.cells
    solutions = [i for i, cell in enumerate(cells) if "<summary>Solution" in cell.source]
    found = []
    for place, cell in enumerate(cells):
        title = re.search(r"(?m)^### (Exercise \d+(, transfer)?.*)$", cell.source)
        if cell.cell_type == "markdown" and title:
            last = next((i for i in solutions if i > place), place)
            kinds = [each.cell_type for each in cells[last - 2 : last + 1]]
            is_whole = last > place + 2 and kinds == ["code", "code", "markdown"]
            assert is_whole, f"{title[1]}: must end with stub, check, hints and solution"
            minutes = re.search(r"\((\d+) minutes?\)$", title[1])
            assert minutes, f"{title[1]}: end it with '(8 minutes)'"
            found.append(
                Exercise(
                    title[1],
                    int(minutes[1]),
                    bool(title[2]),
                    *cells[last - 2 : last + 1],
                )
            )
    assert len({exercise.answer.id for exercise in found}) == len(found), "an exercise without a solution"
    return found


@functools.cache
def all_exercises():
    """(lesson, exercise) of the whole course."""
    return [(path, exercise) for path in NOTEBOOKS for exercise in exercises(read(path))]


def predictions(notebook):
    """Pairs of place and slug of every cell that ends in `check.predict("slug")`."""
    asks = re.compile(r"""(?m)^check\.predict\(["']([\w-]+)["']\)$""")
    found = enumerate(asks.search(cell.source) for cell in notebook.cells)
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
    """All numbers in a lesson's code and in what it prints and draws, SVG's coordinates left out."""
    shown = [cell.source for cell in code_cells(notebook)]
    for _, output in outputs(notebook):
        text = output_text(output)
        shown += [re.sub(r"<[^>]+>", " ", text), *re.findall(r'\balt="([^"]*)"', text)]
    found = re.findall(r"\d*\.\d+(?:e[-+]?\d+)?|\d+(?:e[-+]?\d+)?\.?", "\n".join(shown).replace(",", ""))
    return [float(number) for number in found]


def stale_numbers(text, shown, digits):
    """Which decimals of a text, of so many significant digits or more, no shown number rounds to."""
    stale = []
    for quoted in sorted(set(re.findall(r"(?<![\w.])\d*\.\d+(?![\w]|\.\d)", text))):
        half = 0.5001 * 10.0 ** -len(quoted.split(".")[1])
        is_long = len(quoted.replace(".", "").lstrip("0")) >= digits
        if is_long and not any(abs(value - float(quoted)) <= half for value in shown):
            stale.append(quoted)
    return stale
