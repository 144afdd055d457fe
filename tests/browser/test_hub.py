"""On a real JupyterHub: the link brings the course; after a correction it brings that, and the answers are still there."""

import re
import signal
import subprocess

import nbformat
import pytest

import hub_link
import try_hub
from course import ROOT
from environments import python_with
from jupyter_pages import NotebookPage, wait_until

LESSON, STUB = "notebooks/01_query_key_scores.ipynb", "l01-ex1-stub"
ANSWER = "def scores(Q, K):  # by ada\n    return Q @ np.swapaxes(K, -1, -2)"
TYPE = """([name, source]) => jupyterapp.shell.currentWidget.content.widgets
    .find(cell => cell.model.id === name).model.sharedModel.setSource(source)"""
SOURCES = """() => jupyterapp.shell.currentWidget.content.widgets
    .map(cell => [cell.model.id, cell.model.sharedModel.getSource()])"""
SAVE = "() => jupyterapp.commands.execute('docmanager:save')"


@pytest.fixture
def hub(tmp_path_factory):
    """(address, password, folder) of the trial hub, started by its own command."""
    python = python_with(tmp_path_factory.mktemp("hub") / "environment", ROOT / "tools/hub/requirements.txt")
    folder = tmp_path_factory.mktemp("trial")
    command = [python, ROOT / "tools" / "try_hub.py", "--folder", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as trial:
        try:
            said = ""
            while "Ctrl-C" not in said:
                line = trial.stdout.readline()
                assert line, f"the hub ended:\n{said}"
                said += line
            yield (
                re.search(r"http://127\.0\.0\.1:\d+", said)[0],
                re.search(r"password (\w+)", said)[1],
                folder,
            )
        finally:
            trial.send_signal(signal.SIGTERM)


def opened(page, link):
    """Follow the link until JupyterLab shows the lesson, logging in on the way."""
    page.goto(link)
    if page.locator("#username_input").count():
        page.fill("#username_input", "ada")
        page.fill("#password_input", page.password)
        page.click("#login_submit")
    page.wait_for_url(f"**/user/ada/lab/tree/course/{LESSON}", timeout=120_000)
    notebook = NotebookPage(page, "lab")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    notebook.wait_until_ready()


def correct(tree):
    """Publish a correction of the exercise that was answered, and of the text above it."""
    notebook = nbformat.read(tree / LESSON, as_version=4)
    place = next(place for place, cell in enumerate(notebook.cells) if cell.id == STUB)
    notebook.cells[place].source += "  # the last two axes"
    notebook.cells[place - 1].source += "\n\n*Mended:* any leading axes."
    nbformat.write(notebook, tree / LESSON)
    try_hub.push(tree, "A correction")


def test_a_student_answers_and_meets_a_correction(hub, chromium):
    address, password, folder = hub
    link = hub_link.link(address, LESSON, (folder / "course.git").as_uri(), "main")
    page = chromium.new_page(viewport={"width": 1280, "height": 1000})
    page.password = password
    opened(page, link)
    page.evaluate(TYPE, [STUB, ANSWER])
    page.evaluate(SAVE)
    saved = folder / "students" / "ada" / "course" / LESSON
    assert wait_until(lambda: "by ada" in saved.read_text(encoding="utf-8"), page)

    correct(folder / "teacher")
    opened(page, link)
    found = dict(page.evaluate(SOURCES))
    assert found[STUB] == ANSWER
    assert "# the last two axes" in found[f"{STUB}-corrected"]
    assert "that you have changed: yours stays" in found["corrections"]
    assert page.locator(".jp-RenderedMarkdown strong", has_text="Corrected on").is_visible()
    assert any("*Mended:*" in source for source in found.values())
