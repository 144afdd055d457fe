"""The pages show all that is stored, readably; explorers move, predictions answer, no other host is asked."""

import gzip
import re
import subprocess

import pytest
from playwright.sync_api import expect

import attn_checks as check
import course
from attn_checks.ask.questions import as_text
from axe import serious_violations_of_page
from contrast import read_badly
from course import ROOT
from environments import python
from jupyter_pages import marks_of
from pages import SETTINGS
from static_pages import DESK, FITS, KEYS, PHONE, OnPage, Reader, drawn_at

from frames import NO_KERNEL  # isort: skip, importing pages has put tools/pages on the path

VISIBLE_TEX = re.compile(r"\\\(|\\\[|\$\$|\\frac|\\text\{|\\sqrt|\$[^$\n]+\$")
SET_FOLDS = "open => document.querySelectorAll('details').forEach(fold => { fold.open = open })"
# letters as high as in the DejaVu fonts, whatever fonts are here
HIGH_LETTERS = """addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style')
    style.textContent = 'body { font-size-adjust: 0.6 }'
    document.head.append(style)
})"""
IMAGES = """article => Promise.all([...article.querySelectorAll('img')].map(
    image => image.decode().then(() => image.naturalWidth > 0 && image.alt.length > 20)))"""
# regions that scroll sideways and don't say so
SECRET = """() => [...document.querySelectorAll('.attn-picture, .output.text_html')]
    .filter(box => box.scrollWidth > box.clientWidth + 4 && !('more' in box.dataset))
    .map(box => box.innerText)"""
GROUNDS = """() => [...document.querySelectorAll('.attn-shown svg > rect:first-of-type, .output.text_html')]
    .map(box => getComputedStyle(box)[box.matches('rect') ? 'fill' : 'backgroundColor'])"""
DOCUMENTS = "index README TEACHING mistakes results attn_lessons/lesson04/teaching".split()
# Every third lesson at each push, the others every week.
EVERY_LESSON = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.weekly] * (i % 3 > 0))
    for i, path in enumerate(course.NOTEBOOKS)
]
every_lesson = pytest.mark.parametrize("lesson", EVERY_LESSON, scope="module")


@pytest.fixture(scope="module")
def site(builder, tmp_path_factory):
    """The pages, in the place of pages built before."""
    folder = tmp_path_factory.mktemp("site")
    for name in (".buildinfo", ".nojekyll", "left.html"):
        (folder / name).touch()
    command = [builder, ROOT / "tools" / "pages.py", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def context(site, chromium):
    """One for all: its first page stays open, and with it the process in which the others are drawn."""
    with chromium.new_context(viewport=DESK) as context:
        context.new_page().goto((site / "search.html").as_uri())
        yield context


@pytest.fixture(scope="module")
def opened(address, context, lesson):
    """The page of a lesson, opened once for all tests that look at it; it may ask its own server alone."""
    reader = Reader(context.new_page(), address)
    reader.page.add_init_script(HIGH_LETTERS)
    reader.open(f"{address}/notebooks/{lesson.stem}.html")
    yield reader
    reader.page.close()


@pytest.fixture
def page(opened):
    """That page as wide as a desk's, with its folds open; fails if it reports an error."""
    opened.page.set_viewport_size(DESK)
    opened.page.evaluate(SET_FOLDS, True)
    yield opened.page
    assert opened.problems == []
    assert not [url for url in opened.asked if "/python/" in url], "fetched before it is used"


@pytest.fixture(scope="module")
def looked_at():
    """The looks of texts that axe has seen on other pages."""
    return set()


def words(text):
    return "".join(text.split())


@every_lesson
def test_all_that_is_stored_is_shown(page, lesson):
    article = page.locator("article")
    formulas = page.locator("mjx-container")
    assert formulas.locator(":scope > svg").count() == formulas.count() > 0
    assert page.locator("[data-mjx-error]").count() == 0
    assert not VISIBLE_TEX.search(article.inner_text())
    outputs = [output for _, output in course.outputs(course.read(lesson))]
    stills = sum("<img" in output.get("data", {}).get("text/html", "") for output in outputs)
    assert article.evaluate(IMAGES) == [True] * stills
    shown = words(article.evaluate("article => article.textContent"))
    assert not [output.text for output in outputs if words(output.get("text", "")) not in shown]


@every_lesson
def test_what_asks_for_a_click_is_folded_and_answers_for_that_option(page, lesson):
    page.evaluate(SET_FOLDS, False)
    notebook = course.read(lesson)
    tagged = [cell for cell in notebook.cells if "answer" in cell.metadata.get("tags", [])]
    assert page.locator("details.hide.below-input").count() == len(tagged)
    for fold in page.locator("div.cell:not([hidden]) details.hide.below-input").all():
        output = fold.locator(".output").first
        assert not output.is_visible()
        fold.get_by_text("Show the answer").click()
        assert output.is_visible()
    asked = course.predictions(notebook)
    boxes = page.locator(".attn-question")
    assert boxes.count() == len(asked)
    for turn, (_, slug) in enumerate(asked):
        box = boxes.nth(turn)
        question = check.QUESTIONS[slug]
        letter = list(question.options)[turn % len(question.options)]
        option, reply = map(as_text, question.options[letter])
        assert reply not in box.inner_text()
        box.get_by_role("button", name=f"{letter.upper()}. {option}").click()
        said = box.get_by_role("status").inner_text()
        assert (
            "is right." if letter == question.right else f"Not {letter.upper()}."
        ) in said and reply in said


# the language model runs: test_front_page.py
EXPLORERS = [each for each in course.explorers() if each[2] != "attn.explore_language_model()"]


@every_lesson
def test_by_keyboard_each_frame_is_what_the_explorer_draws_there(site, page, lesson):
    page.reload()  # a button that goes back can't from the first stage
    for where, cell, source in EXPLORERS:
        if where != lesson:
            continue
        remedy = f"{source} stays still: declare `frames` where it is made, see MAINTAINING, Build the pages"
        assert (site / "_static" / "frames" / f"{cell}.js").is_file(), remedy
        on_page = OnPage(page, cell)
        here = course.made(source)
        for control in on_page.controls.all():
            seen = [on_page.readings()]
            for key in KEYS[control.evaluate("control => control.type")]:
                control.press(key)
                seen.append(on_page.readings())
                svg, told = drawn_at(here, seen[-1])
                assert marks_of(on_page.svg()) == marks_of(svg), (cell, seen[-1])
            assert seen.count(seen[0]) < len(seen), f"{control} moves nothing"
            expect(on_page.box.get_by_role("status")).to_contain_text(told)


@every_lesson
@pytest.mark.parametrize(("scheme", "width"), [("light", DESK), ("dark", PHONE)], scope="module")
def test_letters_of_pictures_can_be_read_wherever_controls_are(page, lesson, scheme, width):
    page.set_viewport_size(width)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(100)  # colours on their way are neither
    for where, cell, _ in EXPLORERS:
        if where == lesson:
            assert read_badly(OnPage(page, cell).box) == {}
    for model in page.locator(".attn-model").all():
        assert read_badly(model, smallest=10) == {}  # numbers that on a phone just fit their cells
    white = {ground == "rgb(255, 255, 255)" for ground in page.evaluate(GROUNDS)}
    assert white == {scheme == "light"}


@every_lesson
def test_each_exercise_has_a_box_all_fits_a_phone_and_axe_finds_no_serious_violation(page, lesson, looked_at):
    page.set_viewport_size(PHONE)
    stubs = [exercise.stub.source for exercise in course.exercises(course.read(lesson))]
    boxes = page.locator("[data-exercise] textarea").all()
    assert [given for box in boxes if (given := box.input_value()) in stubs] == stubs
    assert page.locator("article div.cell[hidden]").count() == 2 * len(boxes)
    links = "Answer it where code runs: Open in your browser · Open in Colab · Open in Binder"
    below = page.locator("h3:has-text('Exercise') + p").all_inner_texts()
    assert below == [links] * len(stubs)
    assert page.evaluate(FITS)
    page.wait_for_function(f"() => !({SECRET})().length")  # it is found out after a fold's opening
    for question in page.locator(".attn-question").all():
        question.get_by_role("button").last.click(force=True)  # unless it is answered already
    assert serious_violations_of_page(page, looked_at) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_fit_a_phone_and_axe_finds_no_serious_violation(site, reader, name, looked_at):
    page = reader.open(site / f"{name}.html", math=False)
    page.set_viewport_size(PHONE)
    page.evaluate(SET_FOLDS, True)
    assert page.evaluate(FITS)
    page.set_viewport_size(DESK)
    page.evaluate(SET_FOLDS, False)  # hundreds of mistakes look alike
    assert serious_violations_of_page(page, looked_at) == []
    assert reader.problems == []


def test_from_a_folder_an_explorer_moves_and_a_solution_is_folded(site, reader):
    page = reader.open(site / "notebooks" / f"{course.NOTEBOOKS[4].stem}.html")
    on_page = OnPage(page, "l04-explore")
    before = on_page.svg()
    on_page.controls.first.press("End")
    assert on_page.svg() != before
    fold = page.locator("details").filter(has_text="Solution").first
    code = fold.locator(".highlight-python span[class]").first
    assert not code.is_visible()
    fold.locator("summary").click()
    assert code.is_visible()
    assert reader.problems == []


def test_without_script_stand_stills_and_folds(site, chromium):
    with chromium.new_page(java_script_enabled=False) as page:
        page.goto((site / "notebooks" / f"{course.NOTEBOOKS[4].stem}.html").as_uri())
        assert page.locator(".attn-explorer img").is_visible()
        assert not page.locator(".attn-controls").is_visible()
        assert all(fold.is_visible() for fold in page.locator(".attn-question details").all())


@course.every_lesson
def test_a_page_says_where_code_runs_and_offers_its_notebook(site, path):
    text = (site / "notebooks" / f"{path.stem}.html").read_text("utf-8")
    assert re.search(rf'href="{path.name}"[^>]*>Download the notebook', text)
    assert course.read(site / "notebooks" / path.name).cells[1:] == course.read(path).cells[1:]
    assert not re.search(rf"Shift\+Enter|Run the (folded|two) cells?|just run it|{NO_KERNEL[0]}", text)


SEARCHED = {
    "√d_k": "02",
    "padding": "03",
    "split heads": "07",
    "RoPE": "08",
    "kv cache": "12",
    "glossary": "00",
    "grading": "grading",
    "maks": "03",
    "bakpropagation": "09",
}


def test_search_finds_the_obvious_page_first_and_shows_where(site, reader):
    page = reader.page
    page.goto((site / "search.html").as_uri())
    for typed, expected in SEARCHED.items():
        page.fill(".sidebar-search", typed)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        first = page.locator("#search-results h2 a").first
        assert expected in first.get_attribute("href"), typed
        assert page.locator("#search-results p mark").count() > 0
    assert reader.problems == []


def test_the_list_of_mistakes_is_filtered_and_an_address_opens_its_fold(site, reader):
    page = reader.page
    page.goto(f"{(site / 'mistakes.html').as_uri()}#inverted-mask")
    item = page.locator("#inverted-mask")
    other = page.locator("#softmax-wrong-axis")
    assert item.is_visible() and not other.is_visible()
    page.get_by_label("Lesson").select_option(label="04 · Softmax")
    page.get_by_label("Words").fill("Wrong AXIS")
    assert not item.is_visible() and other.is_visible()
    shown, _, known = page.locator(".attn-filter").get_by_role("status").inner_text().split()
    assert int(shown) == page.locator(".attn-mistakes li:visible").count() < int(known) > 400
    other.locator("a").first.click()
    page.goto(page.url.replace("softmax-wrong-axis", "inverted-mask"))
    assert item.is_visible()
    page.set_viewport_size(PHONE)
    page.goto((site / "README.html").as_uri())
    page.goto((site / "mistakes.html").as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") < 8000


def test_pages_replace_those_of_before_are_light_and_have_the_two_pages_to_print(site):
    assert not (site / "left.html").exists()
    assert (site / "summary" / "attention.pdf").read_bytes().startswith(b"%PDF")
    later = {
        "python",
        "lite",
    }  # fetched when code is to run, and so are notebooks when they are wanted
    pages = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".ipynb"]
    light = [path.stat().st_size for path in pages if path.relative_to(site).parts[0] not in later]
    assert sum(light) < 16e6
    assert (SETTINGS / "frames.js").stat().st_size < 6 * 1024
    for path in (site / "_static" / "frames").iterdir():
        assert len(gzip.compress(path.read_bytes())) < 1e6


def test_missing_packages_are_said_with_the_remedy(tmp_path):
    done = python("-S", ROOT / "tools" / "pages.py", tmp_path / "site")  # finds no packages
    assert done.returncode == 1
    assert "pip install -r tools/pages/requirements.txt" in done.stderr
    assert not (tmp_path / "site").exists()
