"""The command that re-runs and tidies notebooks."""

import nbformat
import pytest

import refresh
import set_address

new = nbformat.v4


def write(folder, *cells, name="01_sample.ipynb"):
    path = folder / name
    nbformat.write(new.new_notebook(cells=list(cells), metadata={"widgets": {"a": 1}, "x": 2}), path)
    return path


def printed(text, stream="stdout"):
    output = new.new_output("stream", name=stream, text=text)
    return new.new_code_cell("...", id="cell", outputs=[output], execution_count=7)


def failed(name):
    output = new.new_output("error", ename=name, evalue="no", traceback=["File /home/me/x.py", "more"])
    return new.new_code_cell("...", id="cell", outputs=[output], execution_count=7)


def test_a_second_run_changes_not_one_byte(tmp_path):
    cells = [
        new.new_code_cell("import numpy as np\nprint(np.arange(3))", id="a"),
        new.new_code_cell("1 / 8", id="b"),
    ]
    path = write(tmp_path, *cells)
    assert refresh.refresh(path) == "refreshed"
    before = path.read_bytes()
    assert refresh.refresh(path) == "unchanged"
    assert path.read_bytes() == before
    assert refresh.check(path) == "tidy"
    stored = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in stored.cells] == [1, 2]
    assert stored.cells[1].outputs[0].data == {"text/plain": "0.125"}


def test_a_failing_cell_is_named_and_nothing_is_written(tmp_path):
    path = write(tmp_path, new.new_code_cell("x = 1", id="fine"), new.new_code_cell("x / 0", id="broken"))
    before = path.read_bytes()
    with pytest.raises(refresh.UntidyError, match="(?s)cell broken:.*x / 0.*ZeroDivisionError"):
        refresh.refresh(path)
    assert path.read_bytes() == before


def test_keeps_tags_ids_and_slides_and_drops_the_rest(tmp_path):
    view = {refresh.WIDGET_VIEW: {"model_id": "1"}}
    outputs = [
        new.new_output(
            "execute_result", view | {"text/plain": "a slider"}, metadata={"a": 1}, execution_count=9
        )
    ]
    outputs += [new.new_output("display_data", view)]  # a widget and no more
    kept = {"tags": ["a-tag"], "slideshow": {"slide_type": "slide"}}
    noise = {"collapsed": True, "jupyter": {"source_hidden": True}, "vscode": {"languageId": "python"}}
    cell = new.new_code_cell("x", id="kept", outputs=outputs, execution_count=9, metadata=kept | noise)
    path = write(tmp_path, cell)
    with pytest.raises(refresh.UntidyError, match="cell kept: not as"):
        refresh.check(path)
    assert refresh.refresh(path, run=False) == "tidied"
    stored = nbformat.read(path, as_version=4)
    assert stored.metadata == refresh.NOTEBOOK
    assert stored.metadata.colab.generative_ai_disabled is True
    assert (stored.cells[0].id, stored.cells[0].metadata) == ("kept", kept)
    [output] = stored.cells[0].outputs
    assert (output.data, output.metadata) == ({"text/plain": "a slider"}, {})


def test_folds_the_output_of_answers_and_unfolds_it_without_the_tag(tmp_path):
    path = write(tmp_path, new.new_code_cell("1", id="a", metadata={"tags": ["answer"]}))
    refresh.refresh(path, run=False)
    stored = nbformat.read(path, as_version=4)
    folded = {"tags": ["answer"], "collapsed": True, "jupyter": {"outputs_hidden": True}}
    shown = {"slideshow": {"slide_type": "slide"}}
    assert stored.cells[0].metadata == folded | shown
    assert refresh.check(path) == "tidy"
    del stored.cells[0].metadata["tags"]
    nbformat.write(stored, path)
    refresh.refresh(path, run=False)
    assert nbformat.read(path, as_version=4).cells[0].metadata == shown


def test_writes_setup_cell_and_badges(tmp_path):
    colab = "https://colab.research.google.com/github/old/name/blob/main/x.ipynb"
    title = f"# Title\n\n[![Open in Colab](a.svg)]({colab})\n[![B](b.svg)](https://mybinder.org/v2/gh/old/name/main?x)\n\nMore"
    path = write(tmp_path, new.new_markdown_cell(title, id="t"), new.new_code_cell("old", id="setup"))
    refresh.refresh(path, run=False)
    stored = nbformat.read(path, as_version=4)
    assert stored.cells[0].source == f"# Title\n\n{set_address.badges('01_sample.ipynb')}\n\nMore"
    assert (stored.cells[1].id, stored.cells[1].source) == ("setup-line", refresh.SETUP_LINE)
    assert stored.cells[2].source == set_address.setup_cell()
    folded = {"cellView": "form", "jupyter": {"source_hidden": True}}
    assert stored.cells[2].metadata == folded | {"slideshow": {"slide_type": "skip"}}
    assert refresh.refresh(path, run=False) == "unchanged"


def test_puts_the_line_of_text_back_above_the_setup_cell(tmp_path):
    moved = new.new_markdown_cell("other", id="setup-line")
    path = write(tmp_path, new.new_code_cell("old", id="setup"), new.new_markdown_cell("x", id="x"), moved)
    with pytest.raises(refresh.UntidyError, match="cell setup: not as"):
        refresh.check(path)
    refresh.refresh(path, run=False)
    assert [cell.id for cell in nbformat.read(path, as_version=4).cells] == ["setup-line", "setup", "x"]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (printed("careful", stream="stderr"), "writes to stderr"),
        (failed("ValueError"), "ValueError stops Run All; show it by `with attn.expect_error"),
        (printed("see /home/ada/course/x.py"), "a path of this machine"),
        (printed(r"D:\course\attn_helpers.py"), "a path of this machine"),
        (printed("lib/python3.12/site-packages/numpy"), "a path of this machine"),
        (printed("took 3.1 ms"), "a timing"),
        (printed("2.5 s per loop"), "a timing"),
        (printed("Wall time: 2"), "a timing"),
    ],
)
def test_refuses_what_differs_from_run_to_run(tmp_path, cell, why):
    path = write(tmp_path, cell)
    with pytest.raises(refresh.UntidyError, match=f"cell cell: .*{why}"):
        refresh.check(path)


def test_says_all_and_fails_once(tmp_path, capsys):
    good = write(tmp_path, name="good.ipynb")
    refresh.refresh(good, run=False)
    bad = write(tmp_path, printed("took 3 ms"), name="bad.ipynb")
    assert refresh.main(["--check", str(bad), str(good)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "good.ipynb: tidy"
    assert refresh.main(["--check", str(good)]) == 0
