"""Every cell says what becomes of it when a lesson is walked through, and an author's own mark stays."""

import nbformat

import slide_marks

new = nbformat.v4
CELLS = [  # and the mark of each
    (new.new_markdown_cell("# Title"), "slide"),
    (new.new_code_cell("x = 1", id="setup"), "skip"),
    (new.new_markdown_cell("## Why?"), "slide"),
    (new.new_markdown_cell("Word after word. " * 30), "notes"),
    (new.new_markdown_cell("One line."), "fragment"),
    (new.new_code_cell("check.predict('02-size')"), "subslide"),
    (new.new_markdown_cell("Now look."), "notes"),
    (new.new_code_cell("x", metadata={"tags": ["answer"]}), "fragment"),
    (new.new_markdown_cell("## Seen", metadata={"slideshow": {"slide_type": "notes"}}), "notes"),
    (new.new_markdown_cell("### Exercise 1: sum"), "subslide"),
    (new.new_code_cell("check.sum(sum)"), "skip"),
    (new.new_markdown_cell("<details><summary>Hint</summary></details>"), "skip"),
]


def test_a_cell_without_a_mark_gets_one():
    cells, wanted = zip(*CELLS, strict=True)
    marked = slide_marks.give(new.new_notebook(cells=list(cells))).cells
    assert tuple(cell.metadata.slideshow.slide_type for cell in marked) == wanted
