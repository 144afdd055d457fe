"""What a reader on Binder gets: the environment of binder/ alone, the link's file in JupyterLab, a lesson run."""

import urllib.parse

import set_address
from jupyter_pages import NotebookPage, in_lab

CURRENT = "() => window.jupyterapp.shell.currentWidget.context.path"
CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model)
    .filter(cell => cell.type === 'code').map(cell => [cell.executionCount, cell.outputs.toJSON()
        .some(output => output.output_type === 'error' || output.name === 'stderr')])"""
FIRST = "notebooks/00_start_here.ipynb"
LESSON = "notebooks/01_query_key_scores.ipynb"


@in_lab
def test_from_the_link_to_a_lesson_that_runs(jupyter, chromium):
    _, _, address = jupyter
    _, opened = set_address.binder(FIRST.partition("/")[2]).split("?urlpath=")
    assert urllib.parse.unquote(opened) == f"lab/tree/{FIRST}"
    with chromium.new_page() as page:
        notebook = NotebookPage(page, "lab")
        notebook.open(address(FIRST))
        assert page.evaluate(CURRENT) == FIRST
        page.locator(f".jp-Notebook a[href*='{LESSON.partition('/')[2]}']").first.click()
        page.wait_for_function(f"({CURRENT})() === '{LESSON}'")
        notebook.wait_until_ready()
        notebook.run_all()
        cells = page.evaluate(CELLS)
        assert cells == [[count, False] for count in range(1, len(cells) + 1)]  # in order, without error
        assert len(notebook.explorers()) == 1, "the slider is alive"
        assert notebook.problems == []
