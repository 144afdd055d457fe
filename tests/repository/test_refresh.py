"""The command that re-runs and tidies notebooks."""

import nbformat
import pytest

import refresh
import set_address

new = nbformat.v4
SLIDE = {"slideshow": {"slide_type": "slide"}}
ANSWER = {"tags": ["answer"]}
FOLDED = {"collapsed": True, "jupyter": {"outputs_hidden": True}}


def write(folder, *cells):
    path = folder / "01_sample.ipynb"
    nbformat.write(new.new_notebook(cells=list(cells), metadata={"widgets": {"a": 1}, "x": 2}), path)
    return path


def printed(text, name="stdout", kind="stream", **fields):
    """A cell that has been run, with one output."""
    output = new.new_output(kind, **fields or {"name": name, "text": text})
    return new.new_code_cell("...", id="cell", outputs=[output], execution_count=7)


def tidied(path):
    """The notebook as it is stored after tidying, which leaves nothing more to tidy."""
    assert refresh.refresh(path, run=False) == "tidied"
    assert refresh.refresh(path, run=False) == "unchanged"
    return nbformat.read(path, as_version=4)


def test_a_second_run_changes_not_one_byte(tmp_path):
    cells = [new.new_code_cell("print(3)\nx = 1 / 8", id="a"), new.new_code_cell("x", id="b")]
    path = write(tmp_path, *cells)
    assert refresh.refresh(path) == "refreshed"
    before = path.read_bytes()
    assert refresh.refresh(path) == "unchanged"
    assert path.read_bytes() == before
    stored = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in stored.cells] == [1, 2]
    assert stored.cells[1].outputs[0].data == {"text/plain": "0.125"}


def test_a_failing_cell_is_named_and_nothing_is_written(tmp_path, capsys):
    cells = [new.new_code_cell("x = 1", id="fine"), new.new_code_cell("x / 0", id="broken")]
    path = write(tmp_path, *cells)
    before = path.read_bytes()
    assert refresh.main([str(path)]) == 1
    said = capsys.readouterr().out
    assert "FAILED\ncell broken: ZeroDivisionError stops Run All" in said
    assert "x / 0" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"tags": ["a-tag"], "vscode": {}} | SLIDE, {"tags": ["a-tag"]} | SLIDE),
        (ANSWER, ANSWER | FOLDED | SLIDE),
        (FOLDED | SLIDE, SLIDE),
    ],
)
def test_keeps_tags_and_slides_and_folds_the_outputs_of_answers_alone(tmp_path, given, kept):
    cell = new.new_code_cell("1", id="cell", metadata=given)
    [stored] = tidied(write(tmp_path, cell)).cells
    assert (stored.id, stored.metadata) == ("cell", kept)


def test_drops_widgets_and_what_describes_an_output(tmp_path):
    view = {refresh.WIDGET_VIEW: {"model_id": "1"}}
    data = view | {"text/plain": "a slider"}
    cell = printed("", kind="execute_result", data=data, metadata={"a": 1}, execution_count=9)
    cell.outputs += [new.new_output("display_data", view)]  # a widget and no more
    stored = tidied(write(tmp_path, cell))
    assert stored.metadata == refresh.NOTEBOOK
    [output] = stored.cells[0].outputs
    assert (output.data, output.metadata) == ({"text/plain": "a slider"}, {})


def test_writes_setup_cell_the_line_above_it_and_links(tmp_path):
    colab = "https://colab.research.google.com/github/old/name/blob/main/x.ipynb"
    title = f"# Title\n\n[![Open in Colab](a.svg)]({colab}) [![B](b.svg)](https://mybinder.org/v2/x)\n\nMore"
    line = new.new_markdown_cell("other", id="setup-line")
    setup = new.new_code_cell("old", id="setup")
    stored = tidied(write(tmp_path, new.new_markdown_cell(title, id="t"), line, setup))
    links = set_address.links("01_sample.ipynb")
    sources = [
        f"# Title\n\n{links}\n\nMore",
        refresh.SETUP_LINE,
        set_address.setup_cell(),
    ]
    assert [cell.source for cell in stored.cells] == sources
    folded = {"cellView": "form", "jupyter": {"source_hidden": True}}
    assert stored.cells[2].metadata == folded | {"slideshow": {"slide_type": "skip"}}


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (printed("careful", "stderr"), "writes to stderr"),
        (
            printed("", kind="error", ename="ValueError"),
            "ValueError stops Run All; show it by `with attn.expect_",
        ),
        (printed("see /home/ada/course/x.py"), "a path of this machine"),
        (printed(r"D:\course\attn_helpers.py"), "a path of this machine"),
        (printed("Wall time: 2"), "a timing"),
    ],
)
def test_refuses_what_differs_from_run_to_run(tmp_path, cell, why):
    with pytest.raises(refresh.UntidyError, match=f"cell cell: .*{why}"):
        refresh.refresh(write(tmp_path, cell), run=False)
