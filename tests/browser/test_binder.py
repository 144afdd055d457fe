"""What a reader on Binder gets: the environment of binder/ alone, the badge's file in JupyterLab, a lesson run."""

import json
import re
import subprocess
import urllib.parse

import pytest

import set_address
from course import ROOT
from jupyter_pages import NotebookPage, in_lab

CURRENT = "() => window.jupyterapp.shell.currentWidget.context.path"
COUNTS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code').map(cell => cell.model.executionCount)"""

FAILED = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code' && cell.model.outputs.toJSON()
        .some(output => output.output_type === 'error' || output.name === 'stderr'))
    .map(cell => cell.model.sharedModel.getId())"""
LESSON = ROOT / "notebooks" / "01_query_key_scores.ipynb"


def opened_by(badges):
    """The path below the server that the Binder badge opens."""
    query = re.search(r"mybinder\.org/[^)]*\?urlpath=([^)]+)\)", badges)[1]
    return urllib.parse.unquote(query)


def test_environment_has_what_lessons_need_and_no_more(binder_python):
    ask = "import importlib.metadata as m, json; print(json.dumps({d.name: d.version for d in m.distributions()}))"
    packages = json.loads(subprocess.run([binder_python, "-c", ask], capture_output=True, check=True).stdout)
    pins = re.findall(r"(?m)^(\w+)==([\d.]+)$", (ROOT / "requirements.txt").read_text())
    needed = {"numpy", "matplotlib", "jupyterlab", "ipywidgets"}
    assert {name: version for name, version in pins if name in needed}.items() <= packages.items()
    assert not {"nbval", "pytest", "hypothesis", "playwright", "torch"} & set(packages)


@pytest.mark.parametrize("file", [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))])
def test_badge_opens_this_file_in_lab(file):
    assert opened_by(set_address.badges(file)) == f"lab/tree/notebooks/{file}"


@in_lab
def test_from_the_badge_to_a_lesson_that_runs(jupyter, chromium):
    _, _, address = jupyter
    start = opened_by(set_address.badges("00_start_here.ipynb")).removeprefix("lab/tree/")
    with chromium.new_page() as page:
        notebook = NotebookPage(page, "lab")
        notebook.open(address(start))
        assert page.evaluate(CURRENT) == start
        page.locator(f".jp-Notebook a[href*='{LESSON.name}']").first.click()
        page.wait_for_function(f"({CURRENT})() === 'notebooks/{LESSON.name}'")
        notebook.wait_until_ready()
        notebook.run_all()
        counts = page.evaluate(COUNTS)
        assert counts == list(range(1, len(counts) + 1)), "every cell has been run, once, in order"
        assert page.evaluate(FAILED) == []
        assert len(notebook.explorers()) == 1, "the slider is alive"
        assert notebook.problems == []
