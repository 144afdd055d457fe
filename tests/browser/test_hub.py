"""On a real JupyterHub: the link brings the course; after a correction it brings that, and the answers are still there.

The short form of `python tools/try_hub.py --students 10`.
"""

import re
import signal
import subprocess

import pytest

import hub_link
import play
from course import ROOT
from environments import python_with
from jupyter_pages import NotebookPage, wait_until

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
    page.wait_for_url(f"**/user/ada/lab/tree/course/{play.LESSON}", timeout=120_000)
    notebook = NotebookPage(page, "lab")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    notebook.wait_until_ready()


def test_students_answer_and_meet_a_correction(hub, chromium):
    address, password, folder = hub
    link = hub_link.link(address, play.LESSON, (folder / "course.git").as_uri(), "main")
    ben = play.Student(address, "ben", password)
    play.work(ben, link)  # without a browser: runs the lesson, and has the answer checked
    page = chromium.new_page(viewport={"width": 1280, "height": 1000})
    page.password = password
    opened(page, link)
    answer = play.ANSWER.format(name="ada")
    page.evaluate(TYPE, [play.STUB, answer])
    page.evaluate(SAVE)
    saved = folder / "students" / "ada" / "course" / play.LESSON
    assert wait_until(lambda: "by ada" in saved.read_text(encoding="utf-8"), page)

    play.correct(folder / "teacher")
    opened(page, link)
    found = dict(page.evaluate(SOURCES))
    assert found[play.STUB] == answer
    assert "# the last two axes" in found[f"{play.STUB}-corrected"]
    assert "that you have changed: yours stays" in found["corrections"]
    assert page.locator(".jp-RenderedMarkdown strong", has_text="Corrected on").is_visible()
    assert any("*Mended:*" in source for source in found.values())
    assert play.look(ben, link) == (True, True)
