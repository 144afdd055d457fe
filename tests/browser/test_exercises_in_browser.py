"""Exercises written and checked in a page: the kernel's verdicts, loops, keyboard, what is kept."""

import contextlib
import io
import json
import linecache
import re

import numpy as np
import pytest

import answers
import attn_checks as check
import attn_helpers as attn
import course
import links
from axe import serious_violations_of_page
from static_pages import DESK, FITS, PHONE, Reader, write_front_page
from students import SOFTMAX, WRONG

import attn_box  # isort: skip
import boxes  # isort: skip

EXERCISES = {boxes.name_of(exercise.check.source): exercise for _, exercise in course.all_exercises()}
# The first of each lesson at each push, the others every week.
FIRST = {boxes.name_of(course.exercises(course.read(path))[0].check.source) for path in course.NOTEBOOKS}
EACH = [pytest.param(name, marks=[pytest.mark.weekly] * (name not in FIRST)) for name in EXERCISES]
SOMEONES = {
    answer.exercise: "".join(linecache.cache[answer.place][2])
    for path in sorted(course.ROOT.glob("attn_lessons/*/answers.txt"))
    for answer in reversed(answers.read(path))  # of each exercise the first
    if answer.status == "incorrect"
}
LOST = "worker.mjs", "box.json", "numpy-*"
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>All exercises</title>
<link rel="icon" href="_static/favicon.svg"><link rel="stylesheet" href="_static/palette.css">
<link rel="stylesheet" href="_static/exercise.css"><script src="_static/exercise.js" defer></script>
<body><main><h1>All exercises</h1>{}</main>"""
IN_LITE = {
    "files/notebooks/04_softmax.ipynb": course.NOTEBOOKS[4].read_text("utf-8"),
    "notebooks/index.html": "<!DOCTYPE html><title>Notebooks</title>",
    "editions.js": "window.editions = {renew: async path => {}}",
}
# reads a file of the notebooks' storage, or puts one there
STORED = """([path, file]) => new Promise(done =>
    indexedDB.open("Attention from Scratch").onsuccess = ({target: {result: store}}) => {
        const files = store.transaction("files", "readwrite").objectStore("files")
        const asked = file ? files.put(file, path) : files.get(path)
        asked.onsuccess = () => done(JSON.stringify(asked.result))
    })"""
AS_SHOWN = """html => {
    const other = document.createElement('div')
    other.innerHTML = html
    return other.innerHTML
}"""
WARNS = re.compile(r" NumPy first warns in your line .*? encountered in \w+\.")  # nothing does in WebAssembly
HOSTILE = """import os; os._exit(3)
import sys; sys.exit()
raise SystemExit("no")
os.abort()
import ctypes; ctypes.string_at(0)
x = bytearray(2**31)
np.zeros((10**6, 10**6))
f = lambda: f(); f()
exec("f = lambda: " * 3000 + "0")
np.exp = np.sin
np.max = None; attn.softmax = None
import builtins; builtins.len = lambda x: 0
import builtins; builtins.print = None; builtins.isinstance = lambda *a: True
import sys; sys.modules.clear()
import sys; sys.setrecursionlimit(30)
import sys; sys.stdout = None; sys.stderr = None
import sys; sys.settrace(lambda *a: 1 / 0)
import json; json.dumps = lambda *a, **k: "no"
import shutil; shutil.rmtree("/lib", ignore_errors=True)
import attn_checks.check as c; c.by_answers = lambda *a: None
import js; js.postMessage("no"); js.self.onmessage = None
import js; js.close()
import js; js.fetch = None; js.eval("throw 1")
import pyodide_js; pyodide_js.runPython("1/0")
import asyncio; asyncio.ensure_future(asyncio.sleep(0)); print("x" * 10**7)
import warnings; warnings.simplefilter("error"); np.seterr(all="raise")
input("?"); import threading; threading.Thread(target=print).start()
import time; time.sleep(60)
print("<img src=x onerror=alert(1)>"); softmax = "<script>alert(1)</script>"
def softmax(x): raise Exception("<img src='http://example.org' onerror='alert(1)'>")
\x00
return 1
def softmax(x):\n\treturn x\n        return x
class X:\n    def __del__(self): 1 / 0\n    def __repr__(self): raise ValueError\nX()
import gc; gc.get_objects().clear(); gc.disable(); [d.clear() for d in gc.get_objects() if type(d) is dict]"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The front page, a page with all boxes, Python, and of the notebooks what a box needs."""
    site = write_front_page(tmp_path_factory.mktemp("site"))
    boxes.write_python(site / "python")
    places = [
        boxes.as_html(path.name, stub, checked, "")
        for path in course.NOTEBOOKS
        for stub, checked in boxes.exercises(course.read(path))
    ]
    (site / "all.html").write_text(PAGE.format("\n".join(places)), "utf-8")
    for name, content in IN_LITE.items():
        (site / "lite" / name).parent.mkdir(parents=True, exist_ok=True)
        (site / "lite" / name).write_text(content, "utf-8")
    return site


class Box:
    """One exercise on a page."""

    def __init__(self, page, name):
        self.page = page
        self.selector = f"[data-exercise='{name}']"
        self.place = page.locator(self.selector)
        self.text = self.place.locator("textarea")
        self.verdict = self.place.locator(".attn-verdict")

    def press(self, button):
        self.place.get_by_role("button", name=button).click()

    def told(self):
        """The name of the mistake, else the status, once there is a verdict."""
        self.page.locator(f"{self.selector}[data-verdict]").wait_for(timeout=120_000)
        return self.place.get_attribute("data-verdict")

    def check(self, answer):
        self.text.fill(answer)
        self.press("Check")
        return self.told()


@pytest.fixture(scope="module")
def all_boxes(context, address):
    """The page of all boxes, opened once: one Python checks all that is written; no other host is asked."""
    with contextlib.closing(context.new_page()) as page:
        reader = Reader(page, address)
        page.on(
            "dialog",
            lambda dialog: reader.asked.append(dialog.message) or dialog.dismiss(),
        )
        reader.open(f"{address}/all.html", math=False)
        assert not [url for url in reader.asked if "/python/" in url], "fetched before the first check"
        yield page
        assert any("/python/numpy-" in url for url in reader.asked), "what Python asks for is seen as well"
        assert [url for url in reader.asked if not url.startswith((address, "data:", "blob:"))] == []


@pytest.fixture
def page(chromium, address):
    """The page of all boxes of a reader who wrote nothing yet."""
    with chromium.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{address}/all.html")
        yield page


def in_kernel(answer, line):
    """The feedback on an answer in a notebook, and what it prints."""
    lines = answer.splitlines(keepends=True)
    linecache.cache["<answer>"] = (len(answer), None, lines, "<answer>")
    names = {"np": np, "attn": attn, "check": check, "mine": check.mine}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.printoptions():
        attn.use_course_printing()
        exec(compile(answer, "<answer>", "exec"), names)
        return eval(line, names), printed.getvalue()


@pytest.mark.parametrize("name", EACH)
def test_the_verdict_is_the_kernel_s_on_the_solution_and_on_someone_s_answer(all_boxes, name):
    exercise = EXERCISES[name]
    box = Box(all_boxes, name)
    line = exercise.check.source
    wrong = SOMEONES[name] if name in SOMEONES and f"({name})" in line else exercise.stub.source
    for answer in (course.solution(exercise), wrong):
        feedback, printed = in_kernel(answer, line)
        assert box.check(answer) == (feedback.mistake or feedback.status)
        prints = box.verdict.locator("pre")
        assert (prints.text_content() if printed else "") == printed
        prints.evaluate_all("all => all.forEach(box => box.remove())")
        told = WARNS.sub("", feedback._repr_mimebundle_()["text/html"])
        told = links.of_verdict(told, "notebooks/")
        assert box.verdict.inner_html() == all_boxes.evaluate(AS_SHOWN, told)


def test_by_keyboard(all_boxes):
    box = Box(all_boxes, "softmax")
    box.text.fill("")
    box.text.focus()
    for key in (
        *"def:",
        "Enter",
        "a",
        "Enter",
        "Tab",
        "b",
        "Enter",
        "Shift+Tab",
        "c",
        "Tab",
        "d",
    ):
        all_boxes.keyboard.press(key)
    assert box.text.input_value() == "def:\n    a\n        b\n    c   d"
    all_boxes.keyboard.press("Escape")
    all_boxes.keyboard.press("Tab")
    assert all_boxes.evaluate("document.activeElement.textContent") == "Check"
    all_boxes.keyboard.press("Shift+Tab")
    all_boxes.keyboard.press("Shift+Enter")
    assert box.told() == "syntax-error"
    assert "Your line: def:" in box.verdict.inner_text()


def test_a_loop_is_ended_and_the_box_works_again_with_what_was_written(all_boxes):
    box = Box(all_boxes, "softmax")
    loop = "def softmax(x):\n    while True:\n        pass\n"
    assert box.check(loop) == "endless-loop"
    assert "ran for ten seconds without returning" in box.verdict.inner_text()
    assert box.text.input_value() == loop
    assert box.check(SOFTMAX) == "passed"
    uses_it = "def temperature_softmax(x, temperature):\n    return softmax(x / temperature)\n"
    assert Box(all_boxes, "temperature_softmax").check(uses_it) == "passed"
    all_boxes.reload()
    assert box.text.input_value() == SOFTMAX
    box.press("Start again")
    assert box.text.input_value() == EXERCISES["softmax"].stub.source
    box.text.press("Control+z")
    assert box.text.input_value() == SOFTMAX


# Each may cost Python a new start: some at every push.
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[pytest.mark.weekly] * (i % 8 > 0))
        for i, text in enumerate(HOSTILE.split("\n"))
    ],
)
def test_after_a_hostile_answer_the_box_tells_right_from_wrong(all_boxes, text):
    box = Box(all_boxes, "softmax")
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    box.check(text if "def softmax" in text else f"{text}\n{SOFTMAX}")
    assert box.check(WRONG) == "wrong-axis"
    assert box.check(SOFTMAX) == "passed"


@pytest.mark.parametrize("lost", ["*.wasm", *(pytest.param(name, marks=pytest.mark.weekly) for name in LOST)])
def test_without_a_network_a_box_says_so_and_works_once_there_is_one(page, lost):
    page.context.route(f"**/{lost}", lambda route: route.abort())
    box = Box(page, "softmax")
    assert box.check(SOFTMAX) == "none"
    assert "Python couldn't be fetched" in box.place.get_by_role("status").inner_text()
    page.context.unroute(f"**/{lost}")
    assert box.check(SOFTMAX) == "passed"


def test_the_front_page_has_a_box_with_a_mistake_to_put_in(page, address):
    page.goto(f"{address}/index.html")
    page.get_by_role("button", name="Put in one with a mistake").click()
    assert "axis=0" in Box(page, "softmax").text.input_value()
    assert page.evaluate(FITS)
    page.set_viewport_size(DESK)
    assert serious_violations_of_page(page, set()) == []


def test_a_box_in_a_file_says_why_it_cannot_run(site, reader):
    page = reader.open(site / "index.html", math=False)
    assert "when a web server gives the page" in page.locator("[data-exercise]").inner_text()
    assert page.locator("[data-exercise] :is(textarea, button)").count() == 0
    assert page.locator("[data-exercise] pre").inner_text() == EXERCISES["softmax"].stub.source
    assert reader.problems == []


def test_an_answer_goes_into_the_notebook_where_nothing_is_overwritten(page, address):
    path = "notebooks/04_softmax.ipynb"

    def carried(answer):
        """The notebook once an answer was carried there."""
        page.goto(f"{address}/all.html")
        Box(page, "softmax").text.fill(answer)
        Box(page, "softmax").press("Continue")
        page.wait_for_url(f"{address}/lite/notebooks/index.html?path=*")
        return json.loads(page.evaluate(STORED, [path]))

    for answer in (WRONG, SOFTMAX):
        stored = carried(answer)
        cells = stored["content"]["cells"]
        [stub] = [cell for cell in cells if cell["id"] == "l04-ex1-stub"]
        assert stub["source"] == answer
        assert len(cells) == len(course.read(course.NOTEBOOKS[4]).cells)
    stub["source"] = own = "def softmax(x):\n    return mine(x)\n"
    page.evaluate(STORED, [path, stored])
    sources = ["".join(cell["source"]) for cell in carried(SOFTMAX)["content"]["cells"]]
    place = sources.index(own)
    assert sources[place + 1 : place + 3] == [SOFTMAX, "check.softmax(softmax)"]


def test_what_a_page_warms_is_a_check_that_passes():
    assert attn_box.warm()
