"""The exported pages, opened from a folder: nothing from outside, everything readable, links that lead on."""

import re
import shutil
import subprocess
import urllib.parse

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from jupyter_pages import ROOT

import course
from environments import python_with
from stand_in import copy_course

SETTLED = "() => window.MathJax && MathJax.startup.promise.then(() => true)"
VISIBLE_TEX = re.compile(r"\\\(|\\\[|\$\$|\\frac|\\text\{|\\sqrt")
PHONE = {"width": 390, "height": 844}
every_lesson = pytest.mark.parametrize("lesson", course.NOTEBOOKS, ids=course.name)


@pytest.fixture(scope="module")
def builder(request):
    return python_with(request.config, "pages", ROOT / ".ci" / "pages" / "requirements.txt")


def build(python, tree, folder):
    return subprocess.run([python, tree / ".ci" / "pages.py", folder], capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(builder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "site"
    done = build(builder, ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


class Reader:
    """A page of the browser that may read files and nothing else, and notes what goes wrong."""

    def __init__(self, page):
        self.page, self.problems = page, []
        page.route(re.compile(r"^(?!file:|data:|blob:)"), self._refuse)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("requestfailed", lambda request: self.problems.append(f"not loaded: {request.url[:200]}"))
        page.on("console", lambda said: said.type == "error" and self.problems.append(said.text))

    def _refuse(self, route):
        self.problems.append(f"asked for {route.request.url}")
        route.abort()

    def open(self, path, math=True):
        self.page.goto(path.as_uri())
        if math:
            self.page.wait_for_function(SETTLED)
        return self.page


@pytest.fixture
def reader(chromium):
    context = chromium.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield Reader(context.new_page())
    context.close()


def page_of(site, lesson):
    return site / "notebooks" / f"{lesson.stem}.html"


@every_lesson
def test_lesson_is_whole(site, reader, lesson):
    page = reader.open(page_of(site, lesson))
    notebook = course.read(lesson)
    formulas = page.locator("mjx-container")
    assert formulas.count() == count_formulas(notebook) == formulas.locator(":scope > svg").count()
    assert not VISIBLE_TEX.search(page.inner_text("article"))
    pictures = page.locator("article .cell_output img")
    stored = [
        output
        for _, output in course.outputs(notebook)
        if "<img" in output.get("data", {}).get("text/html", "")
    ]
    assert pictures.count() == len(stored)
    for picture in pictures.all():
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert len(picture.get_attribute("alt")) > 20
    shown = " ".join(page.locator("article").evaluate("article => article.textContent").split())
    for _, output in course.outputs(notebook):
        text = output.get("text", "") or output.get("evalue", "")
        assert " ".join(text.split()) in shown
    assert reader.problems == []


def count_formulas(notebook):
    text = course.without_code(course.markdown(notebook))
    displayed = len(re.findall(r"(?s)\$\$.+?\$\$", text))
    return displayed + len(re.findall(r"\$[^$\n]+\$", re.sub(r"(?s)\$\$.+?\$\$", "", text)))


def test_next_and_previous_walk_through_all_lessons(site, reader):
    page = reader.open(site / "index.html", math=False)
    for lesson in course.NOTEBOOKS:
        page.locator("a.next-page").click()
        page.wait_for_url(f"**/{lesson.stem}.html")
    for lesson in reversed(course.NOTEBOOKS[:-1]):
        page.locator("a.prev-page").click()
        page.wait_for_url(f"**/{lesson.stem}.html")
    assert reader.problems == []


def test_every_local_link_leads_somewhere(site, reader):
    pages = {path: reader.open(path, math=False).content() for path in sorted(site.rglob("*.html"))}
    for path, text in pages.items():
        for target in re.findall(r'<a\b[^>]*\bhref="([^"]+)"', text):
            address, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            file = (path.parent / urllib.parse.unquote(address)).resolve() if address else path
            assert file.is_file(), f"{path.name}: {target}"
            if anchor and file in pages:
                assert f'id="{urllib.parse.unquote(anchor)}"' in pages[file], f"{path.name}: {target}"


def test_copy_button_copies_the_cell(site, reader):
    lesson = course.LESSONS[0]
    page = reader.open(page_of(site, lesson))
    cells = page.locator(".cell_input")
    sources = [cell.source for cell in course.code_cells(course.read(lesson))]
    assert cells.count() == len(sources)
    for place in (0, 5, len(sources) - 1):
        cells.nth(place).hover()
        cells.nth(place).locator("button.copybtn").click()
        page.wait_for_function(
            "text => navigator.clipboard.readText().then(copied => copied.trim() === text)",
            arg=sources[place],
        )


@pytest.mark.parametrize(
    "name", ["index", "TEACHING", "CONTRIBUTING", *(f"notebooks/{p.stem}" for p in course.NOTEBOOKS)]
)
def test_phone_needs_no_sideways_scrolling(site, reader, name):
    page = reader.page
    page.set_viewport_size(PHONE)
    reader.open(site / f"{name}.html", math=name.startswith("notebooks/0"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    widest = page.locator("article img").evaluate_all(
        "all => Math.max(0, ...all.map(i => i.getBoundingClientRect().right))"
    )
    assert widest <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "TEACHING", *(f"notebooks/{p.stem}" for p in course.NOTEBOOKS)])
def test_axe_finds_no_serious_violation(site, reader, name, scheme):
    reader.page.emulate_media(color_scheme=scheme)
    page = reader.open(site / f"{name}.html", math=name.startswith("notebooks/0"))
    found = Axe().run(page).response["violations"]
    serious = {
        rule["id"]: [node["html"][:150] for node in rule["nodes"]]
        for rule in found
        if rule["impact"] in ("serious", "critical")
    }
    assert serious == {}


def test_a_broken_link_stops_the_build(builder, tmp_path):
    tree = copy_course(tmp_path / "course")
    path = tree / "notebooks" / course.LESSONS[0].name
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].source += "\n\n[gone](no_such_lesson.ipynb)"
    nbformat.write(notebook, path)
    done = build(builder, tree, tmp_path / "site")
    assert done.returncode == 1
    assert "no_such_lesson.ipynb" in done.stderr
    assert "The pages were not built" in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_else_is_left_alone(builder, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    done = build(builder, ROOT, tmp_path)
    assert done.returncode == 1
    assert "holds something else" in done.stderr
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_missing_sphinx_is_said_with_the_remedy(tmp_path):
    python = shutil.which("python3", path="/usr/bin") or shutil.which("python3")
    done = subprocess.run(
        [python, "-I", ROOT / ".ci" / "pages.py", tmp_path / "site"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "pip install -r .ci/pages/requirements.txt" in done.stderr
