"""The decks of slides, opened from a folder: nothing from outside, nothing cut off, answers after their questions."""

import re

import nbformat
import pytest

import attn_checks as check
import course
import slides
from attn_checks.ask.questions import as_text
from static_pages import SMALLEST, OnPage

MOVING = "l00-explore"  # the one explorer whose frames are drawn here; test_pages.py moves them all
WIDTH = 1280
HEIGHT = 720
SEEN = """() => {
    const slide = Reveal.getCurrentSlide()
    const here = part => part.getClientRects().length && !part.closest('.notes, .attn-told, mjx-assistive-mml')
        && (!part.closest('.fragment') || part.closest('.fragment.visible'))
    const parts = [...slide.querySelectorAll('*')].filter(here)
    const letters = kind => parts.filter(part => part.matches(kind)).map(part => parseFloat(getComputedStyle(part).fontSize))
    return {
        place: Object.values(Reveal.getIndices()).slice(0, 2).join('.'),
        height: slide.scrollHeight,
        right: Math.max(...parts.map(part => part.getBoundingClientRect().right)),
        code: letters('pre, pre *'),
        hang: parts.filter(part => part.matches('.line')).map(part => parseFloat(getComputedStyle(part).textIndent)),
        figures: parts.filter(part => part.matches('.jp-OutputArea-output > img'))
            .map(part => part.clientWidth / Math.min(part.naturalWidth, innerWidth)),
        drawn: parts.filter(part => part.matches('.jp-OutputArea-output > img[src^="data:image/svg"]')).flatMap(part =>
            [...atob(part.src.split(',')[1]).matchAll(/font-size="([^"]+)"/g)].map(([, size]) => size * part.clientWidth / part.naturalWidth)),
        text: letters('p, li, td, button'),
        cells: parts.filter(part => part.matches('.jp-Cell')).map(part => part.id.replace('cell-id=', '')),
    }
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks") / "slides"
    return slides.build(folder, lambda plan, name: slides.frames.pack(plan, name) if name == MOVING else "")


@pytest.fixture(scope="module")
def context(decks, chromium):
    """One for all: its first page stays open, and with it the process in which the others are drawn."""
    with chromium.new_context(viewport={"width": WIDTH, "height": HEIGHT}) as context:
        context.new_page().goto((decks / "index.html").as_uri())
        yield context


def walk(page):
    """What is seen at each stop, from the first slide to the last."""
    while True:
        yield page.evaluate(SEEN)
        if page.evaluate("Reveal.isLastSlide() && !Reveal.availableFragments().next"):
            return
        page.keyboard.press("PageDown")


def assert_fits(seen):
    """Nothing is cut off, code has at least 20 pixels and text more, figures nine tenths of their own size, drawn ones letters of 14.

    A line of code that is too long goes on further right than it begins.
    """
    assert seen["height"] <= HEIGHT and seen["right"] <= WIDTH, seen
    assert all(size >= 20 for size in seen["code"]), seen
    assert all(size > 20 for size in seen["text"]), seen
    assert all(size > 0.85 for size in seen["figures"]), seen
    assert all(size >= 14 for size in seen["drawn"]), seen
    assert all(indent < 0 for indent in seen["hang"]), seen


def opened(reader, decks, lesson):
    page = reader.open(decks / f"{lesson.stem}.html", math=False)
    page.wait_for_selector("body.ready")
    return page


def answer_of(cells, place):
    """The cell that settles the prediction at this place, if one does."""
    below = next((cell for cell in cells[place + 1 :] if cell.cell_type == "code"), None)
    return below.id if below and "answer" in below.metadata.get("tags", []) else None


def longest_reply(slug):
    options = check.QUESTIONS[slug].options
    letter = max(options, key=lambda letter: len(options[letter][1]))
    return f"{letter.upper()}. {as_text(options[letter][0])}", as_text(options[letter][1])


@course.every_lesson
def test_nothing_is_cut_off_and_answers_come_with_the_next_press(decks, reader, path):
    notebook = course.read(path)
    page = opened(reader, decks, path)
    stops = []
    cells = notebook.cells
    questions = course.predictions(notebook)
    asked = {cells[place].id: (slug, answer_of(cells, place)) for place, slug in questions}
    for seen in walk(page):
        assert_fits(seen)
        for question in set(seen["cells"]) & set(asked):
            slug, answer = asked[question]
            if not any(question in stop["cells"] for stop in stops):
                button, reply = longest_reply(slug)
                page.get_by_role("button", name=button).click()
                page.get_by_text(reply).wait_for()
                assert_fits(page.evaluate(SEEN))
                assert answer not in seen["cells"]
            elif question in stops[-1]["cells"] and answer:
                assert answer in seen["cells"]
        stops.append(seen)
    shown = {cell for stop in stops for cell in stop["cells"]}
    assert shown >= set(asked)
    for exercise in course.exercises(notebook):
        assert not shown & {cell.id for cell in (exercise.check, exercise.answer) if cell}
    assert not shown & {"setup", "setup-line"}
    assert not re.search(rf"Shift\+Enter|just run it|{slides.frames.NO_KERNEL[0]}", page.content())
    assert reader.problems == []


def test_lesson_00_begins_with_the_picture_before_training_which_moves_and_the_keys_then_lead_on(
    decks, reader
):
    page = opened(reader, decks, course.NOTEBOOKS[0])
    page.keyboard.press("PageDown")
    explorer = OnPage(page, MOVING)
    assert explorer.readings()["step"] == 0
    start = explorer.svg()
    edges = explorer.controls["step"].bounding_box()
    page.mouse.click(edges["x"] + edges["width"] - 2, edges["y"] + edges["height"] / 2)
    assert explorer.svg() != start
    assert explorer.box.locator(".attn-shown svg").evaluate(SMALLEST) >= 14
    assert_fits(page.evaluate(SEEN))
    page.keyboard.press("PageDown")
    assert MOVING not in page.evaluate(SEEN)["cells"]
    assert reader.problems == []


def test_long_prose_is_told_and_short_prose_is_shown():
    long = "word " * 60
    shown, told = slides.shown_and_told(f"## Heading\n\nShort.\n\n{long}\n\n- a list\n\n$$formula$$")
    assert (shown, told) == ("## Heading\n\nShort.\n\n- a list\n\n$$formula$$", long)
    cells = [nbformat.v4.new_markdown_cell(text) for text in (f"## Heading\n\n{long}", "Look:")]
    for cell, mark in zip(cells, ("slide", "fragment"), strict=True):
        cell.metadata["slideshow"] = {"slide_type": mark}
    found = [(cell.source, cell.metadata.slideshow["slide_type"]) for cell in slides.for_a_class(cells)]
    assert found == [("## Heading", "slide"), (long.strip(), "notes"), ("Look:", "-")]


def test_the_list_of_decks_leads_to_each(decks, reader):
    page = reader.open(decks / "index.html", math=False)
    links = [link.get_attribute("href") for link in page.get_by_role("listitem").get_by_role("link").all()]
    assert links == [f"{lesson.stem}.html" for lesson in course.NOTEBOOKS]
