"""Every cell says where it stands when a lesson is walked through, and an author's own mark stays."""

import nbformat
import pytest

import slide_marks

new = nbformat.v4
PROSE = "Word after word. " * 30


def marks(cells):
    return [cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells]


def text(source, mark=None):
    return new.new_markdown_cell(source, metadata={"slideshow": {"slide_type": mark}} if mark else {})


def code(source, output=""):
    outputs = [new.new_output("stream", text=output)] if output else []
    return new.new_code_cell(source, outputs=outputs)


FULL = "x = 1\n" * 10, "1\n" * 5


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        # a mark of an author is kept; prose is spoken; what does not fit begins another slide; no slide begins with it
        (
            [text("## Heading", "notes"), text("short", "skip"), code("1 + 1")],
            ["notes", "skip", "fragment"],
        ),
        (
            [text("## Why?\n\nSo."), text(PROSE), code("x = 1"), text("One line.")],
            ["slide", "notes", "fragment", "fragment"],
        ),
        (
            [code(*FULL), code(*FULL), code("y = 1")],
            ["fragment", "subslide", "fragment"],
        ),
        (
            [code("x = 1"), text("It is 1."), code("y = 1")],
            ["fragment", "notes", "fragment"],
        ),
    ],
)
def test_a_cell_gets_its_mark(cells, wanted):
    notebook = new.new_notebook(cells=[text("# Title"), *cells])
    assert marks(slide_marks.give(notebook).cells) == ["slide", *wanted]
