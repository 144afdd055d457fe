"""The lessons in JupyterLite: Python runs in the page, what is written stays, no edition hides another."""

import json
import os
import random
import subprocess

import pytest

import course
import engines
from environments import python
from in_browser.lite import stamped
from jupyter_pages import FRONTS, NotebookPage, wait_until
from static_pages import DESK, FITS, PHONE
from students import SOFTMAX, WRONG

LAB = FRONTS["lab"]
LESSON = course.NOTEBOOKS[4]
FIRST, *_, LAST = course.exercises(course.read(LESSON))
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
DOWNLOAD = "() => void window.jupyterapp.commands.execute('docmanager:download')"
RUN = "() => window.jupyterapp.commands.execute('notebook:run-cell')"
PUT = """([name, source]) => {
    const {content} = window.jupyterapp.shell.currentWidget;
    const place = content.widgets.findIndex(cell => cell.model.id === name);
    content.activeCellIndex = place;
    content.widgets[place].model.sharedModel.setSource(source);
}"""
HOLDS = """source => window.jupyterapp?.shell.currentWidget?.content.widgets.some(
    cell => cell.model.sharedModel.getSource() === source)"""
OUTPUTS = """name => window.jupyterapp.shell.currentWidget.content.widgets
    .find(cell => cell.model.id === name).model.outputs.toJSON()"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code' && cell.model.outputs.toJSON()
        .some(output => output.output_type === 'error' || output.name === 'stderr'))
    .map(cell => cell.model.id)"""
# its kernel answers no question about widgets, which JupyterLab's tests ask
ANSWERED = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
    .requestExecute({code: '', silent: true}).done.then(() => true)"""
IDLE = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
PICTURE = "() => document.querySelector('.widget-html-content svg').outerHTML"
PRESS = """key => document.querySelector('.noUi-handle').dispatchEvent(
    new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"""
RESTART = """() => {
    const buttons = [...document.querySelectorAll('.attn-notice button')];
    const button = buttons.find(one => one.textContent === 'Restart Python');
    button?.click();
    return button;
}"""
LOOP = "while True:\n    pass"
# lite.js waits for seconds, which pass here in a twentieth of the time
SHORT_SECONDS = """const wait = window.setInterval;
window.setInterval = (act, time) => wait(act, act.name === 'watch' ? time / 20 : time)"""
# of the files that the notebooks' storage holds
GET = """path => window.jupyterapp.serviceManager.contents
    .get(path, {content: true}).then(({content}) => content)"""
STORE = """([path, type, content]) => window.jupyterapp.serviceManager.contents
    .save(path, {type, content, format: type === 'file' ? 'text' : 'json'})"""


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
        assert any("/python/numpy-" in url for url in asked), "what Python's worker asks for is seen as well"
        assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


class LitePage(NotebookPage):
    def __init__(self, reader, address, lesson):
        super().__init__(reader.new_page(), "lab")
        self.front = LAB._replace(answered=ANSWERED)
        self.page.set_default_timeout(180_000)  # all of Python starts in the page
        self.open(address_of(address, lesson))

    def ran(self, cell, source):
        """The outputs of a cell once this is written in it and run."""
        self.page.evaluate(PUT, [cell.id, source])
        self.page.evaluate(RUN)
        return self.page.evaluate(OUTPUTS, cell.id)


def address_of(address, lesson):
    return f"{address}/lite/notebooks/index.html?path=notebooks/{lesson.name}"


@pytest.fixture(scope="module")
def notebook(reader, address):
    """Lesson 04, run from top to bottom."""
    notebook = LitePage(reader, address, LESSON)
    notebook.run_all()
    assert notebook.page.evaluate(ERRORS) == []
    yield notebook
    assert notebook.problems == []


def test_a_check_names_the_mistake_and_passes_what_is_right(notebook):
    for answer, verdict in (
        (WRONG, "normalised over the queries"),
        (SOFTMAX, "Kept in my_attention.py"),
    ):
        assert notebook.ran(FIRST.stub, answer) == []
        assert verdict in json.dumps(notebook.ran(FIRST.check, FIRST.check.source))


def test_a_notebook_can_be_downloaded_and_graded(notebook, tmp_path):
    notebook.ran(FIRST.stub, SOFTMAX)
    notebook.page.evaluate(SAVE)
    with notebook.page.expect_download() as download:
        notebook.page.evaluate(DOWNLOAD)
    download.value.save_as(tmp_path / "in" / download.value.suggested_filename)
    python("-m", "attn_checks", "grade", tmp_path / "in", "--output", tmp_path / "out", cwd=course.ROOT)
    assert ",softmax,passed," in (tmp_path / "out" / "grades.csv").read_text("utf-8")


def test_a_lesson_can_be_read_on_a_phone(notebook):
    notebook.page.set_viewport_size(PHONE)
    texts = notebook.page.locator(".jp-RenderedMarkdown").filter(visible=True).all()
    assert all(text.bounding_box()["width"] > 300 for text in texts[:5])
    assert notebook.page.evaluate(FITS)
    notebook.page.set_viewport_size(DESK)


def test_a_loop_is_spoken_of_and_ended(notebook):
    page = notebook.page
    page.evaluate(PUT, [LAST.stub.id, LOOP])
    page.evaluate(f"() => void ({RUN})()")
    page.get_by_role("status").get_by_role("button", name="Restart Python").click()
    page.wait_for_function(IDLE)
    assert page.get_by_text("while True:").is_visible(), "what was written is there"


def test_what_passed_in_one_lesson_runs_in_the_next(notebook, reader, address):
    lesson = course.NOTEBOOKS[5]
    cell, *_ = course.code_cells(course.read(lesson))
    source = "import numpy as np\nfrom attn_helpers import mine\nprint(mine.softmax(np.zeros(2)))"
    [said] = LitePage(reader, address, lesson).ran(cell, source)
    assert said["text"] == "run by your softmax, kept in lesson 04\n[0.5 0.5]\n"


@pytest.mark.weekly
@course.every_lesson
def test_each_lesson_runs_without_an_error_and_its_explorer_moves(path, reader, address):
    notebook = LitePage(reader, address, path)
    notebook.run_all()
    assert notebook.page.evaluate(ERRORS) == []
    explorer = notebook.explorers(sum(lesson == path for lesson, *_ in course.explorers()))[0]
    handles = explorer.box.locator(".noUi-handle")
    buttons = explorer.box.locator(".widget-toggle-button")
    before = explorer.marks()
    for key in ("End", "Home") if handles.count() else ():  # it may begin at one of them
        if explorer.marks() == before:
            handles.first.press(key)
            notebook.settle()
    if not handles.count():
        buttons.first.click()
    assert wait_until(lambda: explorer.marks() != before, notebook.page)
    assert notebook.problems == []
    notebook.page.close()


@pytest.mark.weekly
@pytest.mark.parametrize("engine", [engines.firefox, engines.webkit])
def test_a_lesson_runs_in_another_engine(engine, address):
    lesson = course.NOTEBOOKS[0]
    [exercise, *_] = course.exercises(course.read(lesson))
    right = course.solution(exercise)
    wrong = right.replace("weight * row", "row")
    with engine(address_of(address, lesson)) as page:
        page.wait("() => window.jupyterapp?.shell.currentWidget")
        page.wait(LAB.ready)
        page.call(LAB.run_all.replace("=> ", "=> void "))
        page.wait(LAB.has_run)
        assert page.call(ERRORS) == []
        for answer, verdict in ((wrong, "without the weights"), (right, "passed")):
            for cell, source in (
                (exercise.stub, answer),
                (exercise.check, exercise.check.source),
            ):
                page.call(PUT, [cell.id, source])
                page.call(f"() => ({RUN})().then(() => true)")
            assert verdict in page.call(f"cell => JSON.stringify(({OUTPUTS})(cell))", exercise.check.id)
        before = page.call(PICTURE)
        page.call(PRESS, "Home")
        page.wait(f"before => ({PICTURE})() !== before", before)
        page.call(PUT, [exercise.stub.id, LOOP])
        page.call(RUN.replace("=> ", "=> void "))
        page.wait(RESTART)
        page.wait(IDLE)
        assert page.call("() => document.body.textContent.includes('while True:')"), (
            "what was written is there"
        )


# these change lessons of the site, so they are the last


def rebuild(site, lesson, text, cells=None):
    """The site with another edition of a lesson, in which `text` is new."""
    path = site / "lite" / "files" / "notebooks" / lesson.name
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"] = notebook["cells"][:cells]
    notebook["cells"][0]["source"] = text
    before = path.stat().st_mtime
    path.write_text(json.dumps(stamped(notebook)), "utf-8")
    os.utime(path, (before + 1, before + 1))  # servers tell the time in seconds
    return notebook["metadata"]["edition"]


@pytest.mark.weekly
def test_a_changed_lesson_is_shown_and_the_answers_are_kept_and_spoken_of(site, reader, address):
    lesson = course.NOTEBOOKS[3]
    notebook = LitePage(reader, address, lesson)
    page = notebook.page
    page.evaluate(PUT, [course.exercises(course.read(lesson))[0].stub.id, "my = 'answer'"])
    page.evaluate(SAVE)
    rebuild(site, lesson, "# Masking, told in a better way")
    page.reload()
    notebook.wait_until_open()
    page.get_by_role("heading", name="told in a better way").wait_for()
    link = page.get_by_role("status").get_by_role("link", name="03_masking_kept_")
    with reader.expect_page() as kept:
        link.click()
    kept.value.wait_for_function(HOLDS, arg="my = 'answer'")
    assert kept.value.get_by_role("heading", name="told in a better way").count() == 0


@pytest.mark.parametrize(("rounds", "place"), [(12, 1), pytest.param(200, 2, marks=pytest.mark.weekly)])
def test_through_rebuilds_no_answer_is_lost_and_none_hides_a_lesson(site, reader, address, rounds, place):
    lesson = course.NOTEBOOKS[place]
    path = f"notebooks/{lesson.name}"
    rebuild(site, lesson, "# Told", cells=2)
    chance = random.Random(0)
    page = reader.new_page()
    page.goto(f"{address}/lite/tree/index.html")
    page.wait_for_function("() => window.jupyterapp?.serviceManager.contents")
    page.evaluate(STORE, ["notebooks/my_attention.py", "file", "mine = 1"])
    kept = []
    for turn in range(rounds):
        notebook = page.evaluate(GET, path)
        edition = notebook["metadata"]["edition"]
        if chance.random() < 0.5:
            notebook["cells"][1]["source"] += f" answer {turn}"
        written = notebook["cells"][1]["source"]
        page.evaluate(STORE, [path, "notebook", notebook])  # as Run All does
        if rebuilt := chance.random() < 0.5:
            edition = rebuild(site, lesson, f"# Told, edition {turn}")
            kept += [written] * ("answer" in written)
        # what each page of a lesson begins with
        name = page.evaluate("path => window.editions.renew(path)", path)
        assert (name is not None) == (rebuilt and "answer" in written), turn
        now = page.evaluate(GET, path)
        assert now["metadata"]["edition"] == edition, "the reader sees the newest lesson"
        assert now["cells"][1]["source"] == written or rebuilt
    files = [file["path"] for file in page.evaluate(GET, "notebooks")]
    found = [page.evaluate(GET, path) for path in files if f"{lesson.stem}_kept_" in path]
    assert sorted(copy["cells"][1]["source"] for copy in found) == sorted(kept)
    assert len(kept) > rounds / 10
    assert page.evaluate(GET, "notebooks/my_attention.py") == "mine = 1"
