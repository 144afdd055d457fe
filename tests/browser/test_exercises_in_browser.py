"""Exercises written and checked in a page: the kernel's verdicts, loops, what is kept, keyboard, phone, and what is fetched when."""

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
from set_address import ROOT
from static_pages import Reader, write_front_page
from students import SOFTMAX, WRONG

import attn_box  # isort: skip
import boxes  # isort: skip

EXERCISES = {boxes.name_of(exercise.check.source): exercise for _, exercise in course.all_exercises()}
LOST = "worker.mjs", "box.json", "numpy-*"
PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>All exercises</title>
<link rel="icon" href="_static/favicon.svg"><link rel="stylesheet" href="_static/palette.css">
<link rel="stylesheet" href="_static/exercise.css"><script src="_static/exercise.js" defer></script>
<body><main><h1>All exercises</h1>{}</main>"""
EDITIONS = "window.editions = {renew: async path => { window.renewed = path }}"
STORED = """path => new Promise(done => indexedDB.open("Attention from Scratch").onsuccess = ({target: {result: store}}) =>
    store.transaction("files").objectStore("files").get(path).onsuccess = ({target}) => done(JSON.stringify(target.result)))"""
AS_SHOWN = """html => {
    const other = document.createElement('div')
    other.innerHTML = html
    return other.innerHTML
}"""
WARNS = re.compile(r"NumPy first warns in your line .*? encountered in \w+\. ")  # nothing does in WebAssembly
DOUBLED = """right = {0}
def {0}(*given):
    found = right(*given)
    return tuple(2 * part for part in found) if type(found) is tuple else found * 2
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The front page, a page with all boxes, and Python; in the place of the notebooks what a box needs of them."""
    site = write_front_page(tmp_path_factory.mktemp("site"))
    boxes.write_python(site / "python")
    places = []
    for path in course.NOTEBOOKS:
        found = boxes.exercises(json.loads(path.read_text("utf-8")))
        places += [boxes.as_html(path.name, stub, checked, "") for stub, checked in found]
    (site / "all.html").write_text(PAGE.format("\n".join(places)), "utf-8")
    for name, content in (
        ("files/notebooks/04_softmax.ipynb", course.NOTEBOOKS[4].read_text("utf-8")),
        ("notebooks/index.html", "<!DOCTYPE html><title>Notebooks</title>"),
        ("editions.js", EDITIONS),
    ):
        (site / "lite" / name).parent.mkdir(parents=True, exist_ok=True)
        (site / "lite" / name).write_text(content, "utf-8")
    return site


class Box:
    """One exercise on a page."""

    def __init__(self, page, name):
        self.page = page
        self.place = page.locator(f"[data-exercise='{name}']")
        self.text = self.place.locator("textarea")

    def check(self, answer=None):
        """Have it checked; the name of the mistake, else the status."""
        if answer is not None:
            self.text.fill(answer)
        self.place.get_by_role("button", name="Check").click()
        self.page.locator(f"{self.place_selector()}[data-verdict]").wait_for(timeout=120_000)
        return self.place.get_attribute("data-verdict")

    def place_selector(self):
        return f"[data-exercise='{self.place.get_attribute('data-exercise')}']"

    @property
    def verdict(self):
        return self.place.locator(".attn-verdict")


@pytest.fixture(scope="module")
def all_boxes(context, address):
    """The page of all boxes, opened once: one Python checks all that is written there."""
    with contextlib.closing(context.new_page()) as page:
        page.goto(f"{address}/all.html")
        yield page


@pytest.fixture
def page(context):
    with contextlib.closing(context.new_page()) as page:
        yield page
        page.evaluate("localStorage.clear()")


def in_kernel(answer, line):
    """The feedback on an answer in a notebook, and what it prints."""
    linecache.cache["<answer>"] = len(answer), None, answer.splitlines(keepends=True), "<answer>"
    names = {
        "np": np,
        "attn": attn,
        "check": check,
        "mine": check.mine,
    }
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.printoptions():
        attn.use_course_printing()
        exec(compile(answer, "<answer>", "exec"), names)
        return eval(line, names), printed.getvalue()


def wrong_answer(exercise, line):
    """An answer that its checker calls incorrect: someone's, the stub's own mistake, or one made of the solution."""
    stub = exercise.stub.source
    right = course.solution(exercise)
    name = re.search(r"[( ](\w+)(, W_K)?\)$", line)[1]
    paths = sorted(ROOT.glob("attn_lessons/*/answers.txt"))
    written = [
        a for path in paths for a in answers.read(path) if (a.exercise, a.status) == (name, "incorrect")
    ]
    texts = ["".join(linecache.cache[a.place][2]) for a in written]
    texts += [stub, *(stub.replace("...", filled) for filled in ('"a"', '"b"', f"{name}[0, 0] = 9"))]
    texts.append(f"{right}\n{DOUBLED.format(name)}")
    for text in texts:
        with contextlib.suppress(NameError):
            if in_kernel(text, line)[0].status == "incorrect":
                return text
    raise AssertionError(f"{line}: no wrong answer")


@pytest.mark.parametrize("name", EXERCISES)
def test_the_verdict_is_the_kernel_s_on_the_solution_and_on_a_wrong_answer(all_boxes, name):
    exercise = EXERCISES[name]
    box = Box(all_boxes, name)
    line = exercise.check.source
    for answer, status in (course.solution(exercise), "passed"), (wrong_answer(exercise, line), "incorrect"):
        feedback, printed = in_kernel(answer, line)
        assert feedback.status == status
        assert box.check(answer) == (feedback.mistake or status)
        prints = box.verdict.locator("pre")
        assert (prints.text_content() if printed else "") == printed
        prints.evaluate_all("all => all.forEach(box => box.remove())")
        told = WARNS.sub("", feedback._repr_mimebundle_()["text/html"])
        told = links.of_verdict(told, "notebooks/")
        assert box.verdict.inner_html() == all_boxes.evaluate(AS_SHOWN, told)


def test_before_the_first_check_nothing_is_fetched_and_nothing_from_elsewhere_ever(page, address):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html")
    box = Box(page, "softmax")
    page.get_by_role("button", name="Put in one with a mistake").click()
    assert not [url for url in asked if "/python/" in url]
    assert box.check() == "wrong-axis"
    assert {url.rpartition("/")[2] for url in asked} >= {"worker.mjs", "pyodide.asm.wasm"}
    assert all(url.startswith(address) for url in asked)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 720})
    assert serious_violations_of_page(page, set()) == []


def test_a_loop_is_ended_and_the_box_works_again_with_what_was_written(page, address):
    page.goto(f"{address}/all.html")
    box = Box(page, "softmax")
    assert box.check("def softmax(x):\n    while True:\n        pass\n") == "endless-loop"
    assert "ran for ten seconds without returning" in box.verdict.inner_text()
    page.reload()
    assert box.text.input_value().endswith("while True:\n        pass\n")
    assert box.check(SOFTMAX) == "passed"
    assert (
        Box(page, "temperature_softmax").check(
            "def temperature_softmax(x, temperature):\n    return softmax(x / temperature)\n"
        )
        == "passed"
    )
    box.place.get_by_role("button", name="Start again").click()
    assert box.text.input_value() == EXERCISES["softmax"].stub.source
    assert box.check() == "not attempted"
    box.text.press("Control+z")
    assert box.text.input_value() == SOFTMAX


@pytest.mark.parametrize(
    "lost",
    ["*.wasm", *(pytest.param(name, marks=pytest.mark.weekly) for name in LOST)],
)
def test_without_a_network_a_box_says_so_and_works_once_there_is_one(page, address, lost):
    page.goto(f"{address}/all.html")
    page.context.route(f"**/{lost}", lambda route: route.abort())
    box = Box(page, "softmax")
    assert box.check(SOFTMAX) == "none"
    assert "Python couldn't be fetched" in box.place.get_by_role("status").inner_text()
    page.context.unroute(f"**/{lost}")
    assert box.check() == "passed"


def test_by_keyboard(page, address):
    page.goto(f"{address}/all.html")
    box = Box(page, "softmax")
    box.text.fill("")
    box.text.focus()
    for key in ("d", "e", "f", ":", "Enter", "a", "Enter", "Tab", "b", "Enter", "Shift+Tab", "c", "Tab", "d"):
        page.keyboard.press(key)
    assert box.text.input_value() == "def:\n    a\n        b\n    c   d"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Enter")
    page.locator("[data-exercise='softmax'][data-verdict='syntax-error']").wait_for(timeout=120_000)
    assert "Your line: def:" in box.verdict.inner_text()


def test_a_box_in_a_file_says_why_it_cannot_run(site, context):
    reader = Reader(context.new_page())
    page = reader.open(site / "index.html", math=False)
    assert "when a web server gives the page" in page.locator("[data-exercise]").inner_text()
    assert page.locator("[data-exercise] :is(textarea, button)").count() == 0
    assert page.locator("[data-exercise] pre").inner_text() == EXERCISES["softmax"].stub.source
    assert reader.problems == []
    page.close()


def test_an_answer_goes_into_the_notebook_where_nothing_is_overwritten(page, address):
    path = "notebooks/04_softmax.ipynb"
    stub = "l04-ex1-stub"
    for answer in (WRONG, SOFTMAX):
        page.goto(f"{address}/all.html")
        Box(page, "softmax").text.fill(answer)
        Box(page, "softmax").place.get_by_role("button", name="Continue").click()
        page.wait_for_url(f"{address}/lite/notebooks/index.html?path=*")
        stored = json.loads(page.evaluate(STORED, path))
        assert {cell["id"]: cell["source"] for cell in stored["content"]["cells"]}[stub] == answer
        assert len(stored["content"]["cells"]) == len(course.read(course.NOTEBOOKS[4]).cells)
    own = "def softmax(x):\n    return mine(x)\n"
    put = STORED.replace(
        '("files").objectStore("files").get(path)',
        '("files", "readwrite").objectStore("files").put(file, path)',
    )
    next(cell for cell in stored["content"]["cells"] if cell["id"] == stub)["source"] = own
    page.evaluate(put.replace("path =>", "([path, file]) =>", 1), [path, stored])
    page.goto(f"{address}/all.html")
    Box(page, "softmax").place.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"{address}/lite/notebooks/index.html?path=*")
    sources = [cell["source"] for cell in json.loads(page.evaluate(STORED, path))["content"]["cells"]]
    place = sources.index(own)
    assert sources[place + 1] == SOFTMAX and "".join(sources[place + 2]) == "check.softmax(softmax)"


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
import gc; gc.get_objects().clear(); gc.disable(); [d.clear() for d in gc.get_objects() if type(d) is dict]""".split(
    "\n"
)


@pytest.fixture(scope="module")
def for_the_hostile(context, address):
    """The page of all boxes, opened once, and what it asks for and says meanwhile."""
    with contextlib.closing(context.new_page()) as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
        page.goto(f"{address}/all.html")
        yield Box(page, "softmax"), asked


# Each may cost Python a new start: some at every push.
@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=[pytest.mark.weekly] * (i % 8 > 0)) for i, text in enumerate(HOSTILE)],
)
def test_after_a_hostile_answer_the_box_tells_right_from_wrong(for_the_hostile, address, text):
    box, asked = for_the_hostile
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    box.check(text if "def softmax" in text else f"{text}\n{SOFTMAX}")
    assert box.check(WRONG) == "wrong-axis"
    assert box.check(SOFTMAX) == "passed"
    assert all(url.startswith(address) for url in asked)


def test_what_a_page_warms_is_a_check_that_passes():
    assert attn_box.warm()
