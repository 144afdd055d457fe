"""The lessons in JupyterLite: Python runs in the page, what is written stays, and a rebuilt course hides neither old nor new."""

import json
import random
import re
import subprocess
import sys

import pytest

import attn_checks as check
import course
from attn_checks.questions import as_text
from environments import python_with
from in_browser.lite import stamped
from jupyter_pages import NotebookPage, wait_until
from static_pages import served
from students import SOFTMAX, WRONG

LESSON = "04_softmax.ipynb"
PHONE = {"width": 390, "height": 844}
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
PUT = """([name, source]) => {
    const {content} = window.jupyterapp.shell.currentWidget;
    const place = content.widgets.findIndex(cell => cell.model.id === name);
    content.activeCellIndex = place;
    content.widgets[place].model.sharedModel.setSource(source);
}"""
RUN = "() => window.jupyterapp.commands.execute('notebook:run-cell')"
OUTPUTS = """name => window.jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === name)
    .model.outputs.toJSON()"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')
    .flatMap(cell => cell.model.outputs.toJSON().some(output => output.output_type === 'error' || output.name === 'stderr')
        ? [cell.model.id] : [])"""
# lite.js waits for seconds, which pass here in a twentieth of the time
SHORT_SECONDS = """const wait = window.setInterval;
window.setInterval = (act, time) => wait(act, act.name === 'watch' ? time / 20 : time)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    builder = python_with(
        tmp_path_factory.mktemp("builder"), course.ROOT / "tools" / "pages" / "requirements.txt"
    )
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([builder, course.ROOT / "tools" / "in_browser" / "lite.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def reader(chromium, address):
    """A reader's browser, which keeps what is written; it may ask the site and no one else."""
    with chromium.new_context(accept_downloads=True) as context:
        elsewhere = []
        context.on("request", lambda request: elsewhere.append(request.url))
        context.add_init_script(SHORT_SECONDS)
        yield context
        allowed = (address, "data:", "blob:")
        assert [url for url in elsewhere if not url.startswith(allowed)] == []


def opened(reader, address, lesson=LESSON):
    notebook = NotebookPage(reader.new_page(), "lab")
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


def test_the_explorer_moves(notebook):
    (explorer,) = notebook.explorers()
    before = explorer.marks()
    explorer.press("score", "End")
    assert wait_until(lambda: explorer.marks() != before, notebook.page)


def test_a_prediction_is_answered(notebook):
    _, slug = course.predictions(course.read(course.NOTEBOOKS[4]))[0]
    box = notebook.page.locator(".widget-vbox").filter(has=notebook.page.locator("button.attn-option")).first
    box.locator("button").first.click()
    reply = as_text(check.QUESTIONS[slug].options["a"][1])
    assert wait_until(lambda: reply in box.get_by_role("status").inner_text(), notebook.page)


def test_a_check_names_the_mistake_and_passes_what_is_right(notebook):
    exercise = course.exercises(course.read(course.NOTEBOOKS[4]))[0]
    for answer, verdict in ((WRONG, "normalised over the queries"), (SOFTMAX, "passed")):
        assert ran(notebook, exercise.stub.id, answer) == []
        assert verdict in json.dumps(ran(notebook, exercise.check.id, exercise.check.source))


def test_a_notebook_can_be_downloaded_and_graded(notebook, tmp_path):
    ran(notebook, course.exercises(course.read(course.NOTEBOOKS[4]))[0].stub.id, SOFTMAX)
    notebook.page.evaluate(SAVE)
    with notebook.page.expect_download() as download:
        notebook.page.evaluate("() => void window.jupyterapp.commands.execute('docmanager:download')")
    (tmp_path / "in").mkdir()
    download.value.save_as(tmp_path / "in" / download.value.suggested_filename)
    grade = [sys.executable, "-m", "attn_checks", "grade", tmp_path / "in", "--output", tmp_path / "out"]
    subprocess.run(grade, cwd=course.ROOT, check=True, capture_output=True)
    assert re.search(r",softmax,passed,", (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8"))


def test_a_loop_is_spoken_of_and_ended_and_nothing_written_is_lost(notebook):
    page, last = notebook.page, course.exercises(course.read(course.NOTEBOOKS[4]))[-1].stub.id
    page.evaluate(PUT, [last, "while True:\n    pass"])
    page.evaluate(f"() => void ({RUN})()")
    page.get_by_role("status").get_by_role("button", name="Restart Python").click()
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
    )
    assert page.get_by_text("while True:").is_visible()
    assert ran(notebook, last, "print(6 * 7)")[0]["text"] == "42\n"


def test_a_file_written_in_one_lesson_is_imported_in_the_next_after_a_reload(notebook, reader, address):
    last = course.exercises(course.read(course.NOTEBOOKS[4]))[-1].stub.id
    ran(notebook, last, f"%%writefile my_attention.py\nimport numpy as np\n{SOFTMAX}")
    notebook.page.reload()
    lesson = opened(reader, address, course.NOTEBOOKS[5].name)
    last = course.exercises(course.read(course.NOTEBOOKS[5]))[-1].stub.id
    (said,) = ran(lesson, last, "from my_attention import softmax\nprint(softmax([0.0, 0.0]))")
    assert said["text"] == "[0.5 0.5]\n"


def test_a_lesson_can_be_read_on_a_phone(notebook):
    notebook.page.set_viewport_size(PHONE)
    texts = notebook.page.locator(".jp-RenderedMarkdown").filter(visible=True).all()
    assert all(text.bounding_box()["width"] > 300 for text in texts[:5])
    assert notebook.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    notebook.page.set_viewport_size({"width": 1280, "height": 1000})


def rebuild(site, lesson, text):
    """The site with another edition of a lesson, in which `text` is new."""
    path = site / "lite" / "files" / "notebooks" / lesson
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"][0]["source"] = text
    path.write_text(json.dumps(stamped(notebook)), encoding="utf-8")
    return notebook["metadata"]["edition"]


def test_a_changed_lesson_is_shown_and_the_answers_are_kept_and_spoken_of(site, reader, address):
    lesson, stub = course.NOTEBOOKS[3].name, course.exercises(course.read(course.NOTEBOOKS[3]))[0].stub.id
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
    kept.value.get_by_text("my = 'answer'").wait_for()
    assert kept.value.get_by_role("heading", name="told in a better way").count() == 0


SHOWN = "path => window.jupyterapp.serviceManager.contents.get(path, {content: true}).then(model => model.content)"
STORE = "([path, type, content]) => window.jupyterapp.serviceManager.contents.save(path, {type, content, format: type === 'file' ? 'text' : 'json'})"
KEPT = """async () => {
    const {contents} = window.jupyterapp.serviceManager, {content} = await contents.get('notebooks', {content: true});
    const kept = content.filter(({name}) => name.includes('_kept_'));
    return Promise.all(kept.map(({path}) => contents.get(path, {content: true}).then(({content}) => content.cells[1].source)));
}"""


def test_through_two_hundred_rebuilds_no_answer_is_lost_and_none_hides_a_lesson(site, reader, address):
    chance, path, answers, kept, file = random.Random(0), f"notebooks/{course.NOTEBOOKS[2].name}", [], [], ""
    page = reader.new_page()
    page.goto(f"{address}/lite/tree/index.html")
    page.wait_for_function("() => window.jupyterapp?.serviceManager.contents")
    edition = page.evaluate(SHOWN, path)["metadata"]["edition"]
    for turn in range(200):
        if touched := chance.random() < 0.5:
            answers = [*answers, f"answer {turn}"]
        notebook = page.evaluate(SHOWN, path)
        if touched:
            notebook["cells"][1]["source"] += f"\nanswer {turn}"
        written = notebook["cells"][1]["source"]
        page.evaluate(STORE, [path, "notebook", notebook])  # as Run All does, too
        if chance.random() < 0.3:
            file = f"turn = {turn}"
            page.evaluate(STORE, ["notebooks/my_attention.py", "file", file])
        if rebuilt := chance.random() < 0.5:
            edition = rebuild(site, course.NOTEBOOKS[2].name, f"# Scaling, edition {turn}")
            kept += [written] * ("answer" in written)
        if turn % 20 == 0:
            page.reload()
            page.wait_for_function("() => window.jupyterapp?.serviceManager.contents")
        name = page.evaluate("path => window.editions.renew(path)", path)
        assert (name is not None) == (rebuilt and "answer" in written), turn
        assert page.evaluate(SHOWN, path)["metadata"]["edition"] == edition, (
            "the reader sees the newest lesson"
        )
        assert sorted(page.evaluate(KEPT)) == sorted(kept)
        assert page.evaluate(SHOWN, "notebooks/my_attention.py") == file if file else True
    assert len(kept) > 40 and answers
