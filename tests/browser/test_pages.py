"""The exported pages, opened from a folder: nothing from outside, all readable, links that lead on, explorers that move."""

import contextlib
import gzip
import html
import re
import subprocess
import sys

import pytest

import attn_checks as check
import course
from attn_checks.ask.questions import as_text
from axe import serious_violations_of_page
from contrast import seen_badly
from course import ROOT
from jupyter_pages import marks_of, wait_until
from pages import SETTINGS
from static_pages import HIGH_LETTERS, OUT_OF_REACH, PHONE, SMALLEST, OnPage, Reader, drawn_at, moves, moving

from frames import NO_KERNEL  # isort: skip, importing pages has put tools/pages on the path

VISIBLE_TEX = re.compile(r"\\\(|\\\[|\$\$|\\frac|\\text\{|\\sqrt")
DESK = {"width": 1280, "height": 720}
OPEN_FOLDS = "() => document.querySelectorAll('details').forEach(fold => { fold.open = true })"
SHUT_FOLDS = OPEN_FOLDS.replace("true", "false")
DOCUMENTS = "index README TEACHING CONTRIBUTING TUTOR mistakes results attn_lessons/lesson04/teaching".split()
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
    with chromium.new_context() as context:
        context.new_page().goto((site / "search.html").as_uri())
        yield context


@pytest.fixture(scope="module")
def opened(site, context, lesson):
    """The page of a lesson, opened once for all tests that only look at it."""
    reader = Reader(context.new_page())
    reader.page.add_init_script(HIGH_LETTERS)
    reader.open(page_of(site, lesson))
    yield reader
    reader.page.close()


@pytest.fixture
def page(opened):
    """That page with its folds shut, as wide as a desk's; fails if it reports an error."""
    opened.page.set_viewport_size(DESK)
    opened.page.evaluate(SHUT_FOLDS)
    yield opened.page
    assert opened.problems == []


def page_of(site, lesson):
    return site / "notebooks" / f"{lesson.stem}.html"


def is_picture(output):
    return "<img" in output.get("data", {}).get("text/html", "")


@every_lesson
def test_formulas_are_drawn(page, lesson):
    page.evaluate(OPEN_FOLDS)
    formulas = page.locator("mjx-container")
    assert formulas.count() == count_formulas(course.read(lesson)) > 0
    assert formulas.locator(":scope > svg").count() == formulas.count()
    assert page.locator("mjx-container [data-mjx-error]").count() == 0
    assert not VISIBLE_TEX.search(page.inner_text("article"))


@every_lesson
def test_every_picture_is_there_one_where_each_explorer_stands(page, lesson):
    stored = course.code_cells(course.read(lesson))
    cells = page.locator("article div.cell")
    assert cells.count() == len(stored)
    for place, cell in enumerate(stored):
        expected = sum(map(is_picture, cell.outputs))
        assert expected or "= attn.explore_" not in cell.source, f"{cell.id} has no stored picture"
        assert cells.nth(place).locator("img").count() == expected, cell.id
    for picture in page.locator("article img").all():
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert len(picture.get_attribute("alt")) > 20


@every_lesson
def test_every_output_can_be_read(page, lesson):
    shown = words(page.locator("article").evaluate("article => article.textContent"))
    notebook = course.read(lesson)
    waiting = [notebook.cells[place].id for place, _ in course.predictions(notebook)]  # for a click
    for cell, output in course.outputs(notebook):
        if cell.id in waiting:
            continue
        rich = html.unescape(
            re.sub(
                r"<[^>]+>",
                "",
                output.get("data", {}).get("text/html", ""),
            )
        )
        text = rich.replace(*NO_KERNEL) or output.get("text", "") or output.get("evalue", "")
        assert text or is_picture(output), f"{cell.id}: an output of a kind that this test does not know"
        assert words(text) in shown, cell.id


def words(text):
    return "".join(text.split())


def test_folds_hide_answers_and_show_code_when_opened(site, reader):
    page = reader.open(page_of(site, course.LESSONS[0]))
    fold = page.locator("details").filter(has=page.locator("summary", has_text="Solution")).first
    code = fold.locator(".highlight-python .highlight")
    assert not code.is_visible()
    fold.locator("summary").click()
    assert code.is_visible()
    assert code.locator("span[class]").count() > 0, "the code is not coloured"
    assert "```" not in fold.inner_text()


@every_lesson
def test_answers_to_predictions_are_folded_until_asked_for(page, lesson):
    answers = [c for c in course.code_cells(course.read(lesson)) if "answer" in c.metadata.get("tags", [])]
    folds = page.locator("details.hide.below-input")
    assert folds.count() == len(answers)
    for place in range(len(answers)):
        fold = folds.nth(place)
        output = folds.nth(place).locator(".output").first
        assert not output.is_visible()
        fold.get_by_text("Show the answer").click()
        assert output.is_visible()


def test_the_front_page_leads_to_lessons_and_their_title_back(site, reader):
    reader.page.goto((site / "index.html").as_uri())
    reader.page.get_by_role("link", name="Start here").click()
    reader.page.wait_for_url(f"**/{course.NOTEBOOKS[0].stem}.html")
    reader.page.get_by_role(
        "link",
        name="Attention from Scratch",
        exact=True,
    ).first.click()
    reader.page.wait_for_url("**/index.html")


SEARCHED = {
    "query": "01",
    "√d_k": "02",
    "offset": "12",
    "padding": "03",
    "Jacobian": "09",
    "keepdims": "04",
    "temperature": "04",
    "heatmap": "06",
    "split heads": "07",
    "positional encoding": "08",
    "RoPE": "08",
    "loss": "10",
    "ablation": "11",
    "induction": "11",
    "kv cache": "12",
    "flash attention": "12",
    "glossary": "00",
    "grading": "grading",
    "maks": "03",
    "bakpropagation": "09",
}


@pytest.mark.parametrize(("words", "expected"), SEARCHED.items())
def test_search_finds_the_obvious_page_first_and_shows_where(site, reader, words, expected):
    page = reader.page
    page.goto((site / "search.html").as_uri())
    page.fill(".sidebar-search", words)
    page.keyboard.press("Enter")
    found = page.locator("#search-results")
    found.locator("h2 a").first.wait_for()
    assert expected in found.locator("h2 a").first.get_attribute("href")
    assert found.locator("p mark").count() > 0
    assert reader.problems == []


def test_the_list_of_mistakes_is_filtered_and_an_address_opens_its_fold(site, reader):
    page = reader.page
    page.goto(f"{(site / 'mistakes.html').as_uri()}#inverted-mask")
    item = page.locator("#inverted-mask")
    assert item.is_visible() and not page.locator("#wrong-shift").is_visible()
    page.get_by_label("Lesson").select_option(label="04 · Softmax")
    page.get_by_label("Words").fill("Wrong AXIS")
    assert not item.is_visible() and page.locator("#softmax-wrong-axis").is_visible()
    shown, _, known = page.locator(".attn-filter").get_by_role("status").inner_text().split()
    assert int(shown) == page.locator(".attn-mistakes li:visible").count() < int(known) > 400
    page.locator("#softmax-wrong-axis a").first.click()
    page.goto(page.url.replace("softmax-wrong-axis", "inverted-mask"))
    assert item.is_visible()
    page.set_viewport_size(PHONE)
    page.goto((site / "mistakes.html").as_uri())
    page.reload()
    assert page.evaluate("document.documentElement.scrollHeight") < 8000


def count_formulas(notebook):
    text = course.without_code(course.markdown(notebook.cells))
    displayed = len(re.findall(r"(?s)\$\$.+?\$\$", text))
    return displayed + len(
        re.findall(
            r"\$[^$\n]+\$",
            re.sub(
                r"(?s)\$\$.+?\$\$",
                "",
                text,
            ),
        )
    )


def assert_needs_no_sideways_scrolling(page):
    page.set_viewport_size(PHONE)
    page.evaluate(OPEN_FOLDS)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@every_lesson
def test_what_scrolls_is_reached_by_keyboard_and_has_a_name(page, lesson):
    page.evaluate(OPEN_FOLDS)
    for width in (PHONE["width"], 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wait_until(lambda: not page.evaluate(OUT_OF_REACH), page)  # what follows a fold's opening
        assert page.evaluate(OUT_OF_REACH) == []


@every_lesson
def test_a_click_on_an_option_is_answered_for_that_option(page, lesson):
    asked = course.predictions(course.read(lesson))
    if page.get_by_role("button", name="(your choice)").count():
        page.reload()
    boxes = page.locator(".attn-question")
    assert boxes.count() == len(asked)
    for turn, (_, slug) in enumerate(asked):
        box = boxes.nth(turn)
        question = check.QUESTIONS[slug]
        assert not any(as_text(reply) in box.inner_text() for _, reply in question.options.values())
        letter = list(question.options)[turn % len(question.options)]
        option = as_text(question.options[letter][0])
        box.get_by_role("button", name=f"{letter.upper()}. {option}").click()
        verdict = f"✓ {letter.upper()} is right." if letter == question.right else f"✗ Not {letter.upper()}."
        said = box.get_by_role("status").inner_text()
        assert verdict in said
        assert as_text(question.options[letter][1]) in said
        box.get_by_role("button").last.click(force=True)  # the first choice stays
        assert box.get_by_role("status").inner_text() == said
        assert box.get_by_role("button", name="(your choice)").count() == 1


@pytest.fixture(scope="module")
def looked_at():
    """The looks of texts that axe has seen on other pages."""
    return set()


@every_lesson
def test_axe_finds_no_serious_violation(page, lesson, looked_at):
    page.evaluate(OPEN_FOLDS)
    for box in page.locator(".attn-explorer").all():
        moving(box).locator("[data-control]").last.press("Space")
    for question in page.locator(".attn-question").all():
        question.get_by_role("button").last.click(force=True)  # unless it is answered already
    assert serious_violations_of_page(page, looked_at) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_fit_a_phone_and_axe_finds_no_serious_violation(site, reader, name, looked_at):
    page = reader.open(site / f"{name}.html", math=False)
    assert_needs_no_sideways_scrolling(page)
    page.set_viewport_size(DESK)
    assert serious_violations_of_page(page, looked_at) == []


# the language model runs: test_front_page.py
EXPLORERS = [each for each in course.explorers() if each[2] != "attn.explore_language_model()"]


def explorers_of(lesson):
    return [(cell, source) for where, cell, source in EXPLORERS if where == lesson]


@every_lesson
def test_by_keyboard_each_frame_is_what_the_explorer_draws_there(site, page, lesson):
    for cell, source in explorers_of(lesson):
        remedy = f"{source} stays still: declare `frames` where it is made, see MAINTAINING, Build the pages"
        assert (site / "_static" / "frames" / f"{cell}.js").is_file(), remedy
        on_page = OnPage(page, cell)
        here = course.made(source)
        for name, control in on_page.controls.items():
            for words, move in moves(control):
                before = on_page.readings()
                move()
                svg, description = drawn_at(here, on_page.readings())
                if on_page.readings() != before:
                    assert marks_of(on_page.svg()) == marks_of(svg), (cell, name, words)
        told = on_page.box.get_by_role("status").element_handle()
        spoken = "([told, what]) => told.textContent.includes(what)"
        page.wait_for_function(spoken, arg=[told, description])


def test_without_script_stand_stills_and_folds(site, chromium):
    with chromium.new_page(java_script_enabled=False) as page:
        page.goto(page_of(site, course.NOTEBOOKS[4]).as_uri())
        assert page.locator(".attn-explorer img").is_visible()
        assert not page.locator(".attn-controls").is_visible()
        assert all(fold.is_visible() for fold in page.locator(".attn-question details").all())


@every_lesson
def test_a_page_says_where_code_runs_and_offers_its_notebook(site, page, lesson):
    link = page.get_by_role("link", name="Download the notebook").first
    assert link.get_attribute("href") == lesson.name
    assert course.read(site / "notebooks" / lesson.name).cells[1:] == course.read(lesson).cells[1:]
    asked = rf"Shift\+Enter|Run the (folded|two) cells?|just run it|{NO_KERNEL[0]}"
    assert not re.search(asked, page.content())
    for exercise in course.exercises(course.read(lesson)):
        heading = page.locator("h3", has_text=exercise.title[: len("Exercise 1")])
        links = heading.locator("xpath=following-sibling::p[1]").get_by_role("link").all_inner_texts()
        assert links == [
            "Open in your browser",
            "Open in Colab",
            "Open in Binder",
        ], exercise.title


@every_lesson
def test_each_exercise_is_written_in_a_box_in_the_place_of_its_cells(context, address, lesson, looked_at):
    with contextlib.closing(context.new_page()) as page:
        page.set_viewport_size(PHONE)
        page.goto(f"{address}/notebooks/{lesson.stem}.html")
        boxes = page.locator("[data-exercise] textarea")
        stubs = course.exercises(course.read(lesson))
        assert [box.input_value() for box in boxes.all()] == [exercise.stub.source for exercise in stubs]
        assert [cell.is_visible() for cell in page.locator("article div.cell[hidden]").all()] == [
            False,
            False,
        ] * len(stubs)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert serious_violations_of_page(page, looked_at) == []


def test_pages_replace_those_of_before_are_light_and_have_the_two_pages_to_print(site):
    assert not (site / "left.html").exists()
    assert (site / "summary" / "attention.pdf").read_bytes().startswith(b"%PDF")
    asked_for = {
        "python",
        "lite",
    }  # these folders are fetched when code is to run, and notebooks to be downloaded
    pages = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".ipynb"]
    light = [path for path in pages if path.relative_to(site).parts[0] not in asked_for]
    assert sum(path.stat().st_size for path in light) < 16e6
    assert (SETTINGS / "frames.js").stat().st_size < 6 * 1024
    for lesson in course.NOTEBOOKS:
        files = [site / "_static" / "frames" / f"{cell}.js" for cell, _ in explorers_of(lesson)]
        assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 1e6


GROUNDS = """() => [...document.querySelectorAll('.attn-shown svg > rect:first-of-type, .output.text_html')]
    .map(box => getComputedStyle(box)[box.matches('rect') ? 'fill' : 'backgroundColor'])"""


@every_lesson
def test_explorers_have_letters_of_11_pixels_and_are_dark_at_night(page, lesson):
    boxes = [OnPage(page, cell) for cell, _ in explorers_of(lesson)]
    for on_page in boxes:
        for name, control in on_page.controls.items():
            for words, move in [("at first", lambda: None), *moves(control)[:1]]:
                move()
                letters = on_page.box.locator(".attn-shown svg").evaluate(SMALLEST)
                assert letters > 10.9, (name, words)
    for scheme, light in (("dark", False), ("light", True)):
        page.emulate_media(color_scheme=scheme)
        grounds = {ground == "rgb(255, 255, 255)" for ground in page.evaluate(GROUNDS)}
        assert grounds == {light}


@every_lesson
def test_letters_of_pictures_are_seen_by_day_and_by_night_wherever_controls_stand(page, lesson):
    page.evaluate(OPEN_FOLDS)
    boxes = page.locator(".attn-explorer, .attn-model").all()
    assert (
        seen_badly(
            page, [box if "attn-moved" in box.get_attribute("class") else moving(box) for box in boxes]
        )
        == []
    )


@every_lesson
def test_a_phone_needs_no_sideways_scrolling_and_its_letters_can_be_read(page, lesson):
    assert_needs_no_sideways_scrolling(page)
    for cell, _ in explorers_of(lesson):
        on_page = OnPage(page, cell)
        on_page.controls[list(on_page.controls)[-1]].press("Space")
        for control in on_page.controls.values():
            edges = control.bounding_box()
            assert edges["x"] >= 0 and edges["x"] + edges["width"] <= PHONE["width"], cell
        assert on_page.box.locator(".attn-shown svg").evaluate(SMALLEST) > 10.9, cell
    for region in page.locator(".attn-picture, .output.text_html").all():
        if region.evaluate("region => region.scrollWidth > region.clientWidth + 4"):
            says = (
                "region => region.tabIndex === 0 && getComputedStyle(region, "
                "'::before').content.includes('scrolls')"
            )
            page.wait_for_function(says, arg=region.element_handle())
            assert "data-more" in region.evaluate("region => region.outerHTML.slice(0, 300)")


def test_missing_packages_are_said_with_the_remedy(tmp_path):
    command = [
        sys.executable,
        "-S",
        ROOT / "tools" / "pages.py",
        tmp_path / "site",
    ]  # finds no packages
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install -r tools/pages/requirements.txt" in done.stderr
    assert not (tmp_path / "site").exists()
