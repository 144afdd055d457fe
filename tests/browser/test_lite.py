"""The lessons in JupyterLite: Python runs in the page, what is written stays, and a rebuilt course hides neither old nor new."""

import json
import os
import random
import re
import subprocess
import sys

import pytest

import course
import engines
from in_browser.lite import stamped
from jupyter_pages import LAB_HAS_RUN, LAB_READY, LAB_RUN_ALL, NotebookPage, wait_until
from static_pages import PHONE
from students import SOFTMAX, WRONG

LESSON = "04_softmax.ipynb"
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
PUT = """([name, source]) => {
    const {content} = window.jupyterapp.shell.currentWidget;
    const place = content.widgets.findIndex(cell => cell.model.id === name);
    content.activeCellIndex = place;
    content.widgets[place].model.sharedModel.setSource(source);
}"""
HOLDS = """source => window.jupyterapp?.shell.currentWidget?.content.widgets.some(
    cell => cell.model.sharedModel.getSource() === source)"""
RUN = "() => window.jupyterapp.commands.execute('notebook:run-cell')"
OUTPUTS = """name => window.jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === name)
    .model.outputs.toJSON()"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')
    .flatMap(cell => cell.model.outputs.toJSON().some(output => output.output_type === 'error' || output.name === 'stderr')
        ? [cell.model.id] : [])"""
# its kernel answers no question about widgets, which JupyterLab's tests ask
ANSWERED = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
    .requestExecute({code: '', silent: true}).done.then(() => true)"""
RAN = f"() => ({RUN})().then(() => true)"
IDLE = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
PICTURE = "() => document.querySelector('.widget-html-content svg').outerHTML"
PRESS = """key => document.querySelector('.noUi-handle').dispatchEvent(
    new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"""
RESTART = """() => {
    const button = [...document.querySelectorAll('.attn-notice button')].find(one => one.textContent === 'Restart Python');
    button?.click();
    return button;
}"""
# lite.js waits for seconds, which pass here in a twentieth of the time
SHORT_SECONDS = """const wait = window.setInterval;
window.setInterval = (act, time) => wait(act, act.name === 'watch' ? time / 20 : time)"""


@pytest.fixture(scope="module")
def site(builder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([builder, course.ROOT / "tools" / "in_browser" / "lite.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def reader(chromium, address):
    """A reader's browser, which keeps what is written; it may ask the site and no one else."""
    with chromium.new_context(accept_downloads=True) as context:
        asked = []
        context.on("request", lambda request: asked.append(request.url))
        context.add_init_script(SHORT_SECONDS)
        yield context
        assert any("/python/numpy-" in url for url in asked), "what Python's worker asks for is seen, too"
        assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


class LitePage(NotebookPage):
    def settle(self):
        self.page.evaluate(ANSWERED)


def opened(reader, address, lesson=LESSON):
    notebook = LitePage(reader.new_page(), "lab")
    notebook.page.set_default_timeout(180_000)  # all of Python starts in the page
    notebook.open(f"{address}/lite/notebooks/index.html?path=notebooks/{lesson}")
    return notebook


@pytest.fixture(scope="module")
def notebook(reader, address):
    """Lesson 04, run from top to bottom."""
    notebook = opened(reader, address)
    notebook.run_all()
    yield notebook
    assert notebook.problems == []


def ran(notebook, cell, source):
    """The outputs of a cell once this is written in it and run."""
    notebook.page.evaluate(PUT, [cell, source])
    notebook.page.evaluate(RUN)
    return notebook.page.evaluate(OUTPUTS, cell)


def test_every_cell_runs_without_an_error(notebook):
    assert notebook.page.evaluate(ERRORS) == []


def test_a_check_names_the_mistake_and_passes_what_is_right(notebook):
    exercise = course.exercises(course.read(course.NOTEBOOKS[4]))[0]
    for answer, verdict in ((WRONG, "normalised over the queries"), (SOFTMAX, "Kept in my_attention.py")):
        assert ran(notebook, exercise.stub.id, answer) == []
        assert verdict in json.dumps(ran(notebook, exercise.check.id, exercise.check.source))


def test_a_notebook_can_be_downloaded_and_graded(notebook, tmp_path):
    ran(notebook, course.exercises(course.read(course.NOTEBOOKS[4]))[0].stub.id, SOFTMAX)
    notebook.page.evaluate(SAVE)
    with notebook.page.expect_download() as download:
        notebook.page.evaluate("() => void window.jupyterapp.commands.execute('docmanager:download')")
    (tmp_path / "in").mkdir()
    download.value.save_as(tmp_path / "in" / download.value.suggested_filename)
    grade = [
        sys.executable,
        "-m",
        "attn_checks",
        "grade",
        tmp_path / "in",
        "--output",
        tmp_path / "out",
    ]
    subprocess.run(
        grade,
        cwd=course.ROOT,
        check=True,
        capture_output=True,
    )
    assert re.search(r",softmax,passed,", (tmp_path / "out" / "grades.csv").read_text("utf-8"))


def test_a_loop_is_spoken_of_and_ended_and_nothing_written_is_lost(notebook):
    page = notebook.page
    last = course.exercises(course.read(course.NOTEBOOKS[4]))[-1].stub.id
    page.evaluate(PUT, [last, "while True:\n    pass"])
    page.evaluate(f"() => void ({RUN})()")
    page.get_by_role("status").get_by_role("button", name="Restart Python").click()
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
    )
    assert page.get_by_text("while True:").is_visible()
    assert ran(notebook, last, "print(6 * 7)")[0]["text"] == "42\n"


def test_what_passed_in_one_lesson_runs_in_the_next(notebook, reader, address):
    lesson = opened(reader, address, course.NOTEBOOKS[5].name)
    last = course.exercises(course.read(course.NOTEBOOKS[5]))[-1].stub.id
    source = "import numpy as np\nfrom attn_helpers import mine\nprint(mine.softmax(np.zeros(2)))"
    (said,) = ran(lesson, last, source)
    assert said["text"] == "run by your softmax, kept in lesson 04\n[0.5 0.5]\n"


def test_a_lesson_can_be_read_on_a_phone(notebook):
    notebook.page.set_viewport_size(PHONE)
    texts = notebook.page.locator(".jp-RenderedMarkdown").filter(visible=True).all()
    assert all(text.bounding_box()["width"] > 300 for text in texts[:5])
    assert notebook.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    notebook.page.set_viewport_size({"width": 1280, "height": 1000})


def rebuild(site, lesson, text):
    """The site with another edition of a lesson, in which `text` is new."""
    path = site / "lite" / "files" / "notebooks" / lesson
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"][0]["source"] = text
    before = path.stat().st_mtime
    path.write_text(json.dumps(stamped(notebook)), "utf-8")
    os.utime(path, (before + 1, before + 1))  # servers tell the time in seconds
    return notebook["metadata"]["edition"]


@pytest.mark.weekly
def test_a_changed_lesson_is_shown_and_the_answers_are_kept_and_spoken_of(site, reader, address):
    lesson = course.NOTEBOOKS[3].name
    stub = course.exercises(course.read(course.NOTEBOOKS[3]))[0].stub.id
    notebook = opened(reader, address, lesson)
    notebook.page.evaluate(PUT, [stub, "my = 'answer'"])
    notebook.page.evaluate(SAVE)
    rebuild(site, lesson, "# Masking, told in a better way")
    notebook.page.reload()
    notebook.wait_until_open()
    notebook.page.get_by_role("heading", name="told in a better way").wait_for()
    link = notebook.page.get_by_role("status").get_by_role("link", name="03_masking_kept_")
    with reader.expect_page() as kept:
        link.click()
    kept.value.wait_for_function(HOLDS, arg="my = 'answer'")
    assert kept.value.get_by_role("heading", name="told in a better way").count() == 0


SHOWN = (
    "path => window.jupyterapp.serviceManager.contents.get(path, {content: true}).then(model => "
    "model.content)"
)
STORE = (
    "([path, type, content]) => window.jupyterapp.serviceManager.contents.save(path, {type, content, "
    "format: type === 'file' ? 'text' : 'json'})"
)
KEPT = """async lesson => {
    const {contents} = window.jupyterapp.serviceManager, {content} = await contents.get('notebooks', {content: true});
    const kept = content.filter(({name}) => name.startsWith(`${lesson}_kept_`));
    return Promise.all(kept.map(({path}) => contents.get(path, {content: true}).then(({content}) => content.cells[1].source)));
}"""


def small(site, lesson):
    """Cut a lesson of the site down to two cells; its address in the app."""
    path = site / "lite" / "files" / "notebooks" / lesson
    notebook = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(notebook | {"cells": notebook["cells"][:2]}), "utf-8")
    rebuild(site, lesson, "# Told")
    return f"notebooks/{lesson}"


@pytest.mark.parametrize(
    ("rounds", "place"),
    [(12, 1), pytest.param(200, 2, marks=pytest.mark.weekly)],
)
def test_through_rebuilds_no_answer_is_lost_and_none_hides_a_lesson(site, reader, address, rounds, place):
    lesson = course.NOTEBOOKS[place].name
    chance = random.Random(0)
    path = small(site, lesson)
    page = reader.new_page()
    kept = []
    file = ""
    page.goto(f"{address}/lite/tree/index.html")
    for turn in range(rounds):
        if turn % 20 == 0:
            page.reload()
            page.wait_for_function("() => window.jupyterapp?.serviceManager.contents")
        notebook = page.evaluate(SHOWN, path)
        edition = notebook["metadata"]["edition"]
        if chance.random() < 0.5:
            notebook["cells"][1]["source"] += f" answer {turn}"
        written = notebook["cells"][1]["source"]
        page.evaluate(STORE, [path, "notebook", notebook])  # as Run All does, too
        if chance.random() < 0.3:
            file = f"turn = {turn}"
            page.evaluate(STORE, ["notebooks/my_attention.py", "file", file])
        if rebuilt := chance.random() < 0.5:
            edition = rebuild(site, lesson, f"# Told, edition {turn}")
            kept += [written] * ("answer" in written)
        name = page.evaluate(
            "path => window.editions.renew(path)", path
        )  # what each page of a lesson begins with
        assert (name is not None) == (rebuilt and "answer" in written), turn
        now = page.evaluate(SHOWN, path)
        assert now["metadata"]["edition"] == edition, "the reader sees the newest lesson"
        assert now["cells"][1]["source"] == written or rebuilt
    assert (
        sorted(page.evaluate(KEPT, lesson.removesuffix(".ipynb"))) == sorted(kept) and len(kept) > rounds / 10
    )
    assert page.evaluate(SHOWN, "notebooks/my_attention.py") == file


@pytest.mark.weekly
@course.every_lesson
def test_each_lesson_runs_without_an_error_and_its_explorer_moves(path, reader, address):
    notebook = opened(reader, address, path.name)
    notebook.run_all()
    assert notebook.page.evaluate(ERRORS) == []
    explorer = notebook.explorers()[0]
    before = explorer.marks()
    handle = explorer.box.locator(".noUi-handle").first
    for key in ("End", "Home"):  # it may begin at one of them
        handle.press(key)
        notebook.settle()
        if explorer.marks() != before:
            break
    assert wait_until(lambda: explorer.marks() != before, notebook.page)
    assert notebook.problems == []
    notebook.page.close()


@pytest.mark.weekly
@pytest.mark.parametrize("engine", ["firefox", "webkit"])
def test_a_lesson_runs_in_another_engine(engine, address):
    exercise = course.exercises(course.read(course.NOTEBOOKS[0]))[0]
    right = course.solution(exercise)
    stub = exercise.stub.id
    with getattr(engines, engine)() as (go, call):
        page = engines.EnginePage(
            f"{address}/lite/notebooks/index.html?path=notebooks/00_start_here.ipynb", go, call
        )
        page.wait("() => window.jupyterapp?.shell.currentWidget")
        page.wait(LAB_READY)
        call(LAB_RUN_ALL.replace("=> ", "=> void "))
        page.wait(LAB_HAS_RUN)
        assert call(ERRORS) == []
        for answer, verdict in (
            (right.replace("weight * row", "row"), "without the weights"),
            (right, "passed"),
        ):
            for cell, source in ((stub, answer), (exercise.check.id, exercise.check.source)):
                call(PUT, [cell, source])
                call(RAN)
            assert verdict in call(f"cell => JSON.stringify(({OUTPUTS})(cell))", exercise.check.id)
        before = call(PICTURE)
        call(PRESS, "Home")
        page.wait(f"before => ({PICTURE})() !== before", before)
        call(PUT, [stub, "while True:\n    pass"])
        call(RUN.replace("=> ", "=> void "))
        page.wait(RESTART)
        page.wait(IDLE)
        assert call("() => document.body.textContent.includes('while True:')"), "what was written is there"
