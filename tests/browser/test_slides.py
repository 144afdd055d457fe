"""The decks of slides, opened from a folder: nothing is cut off, and answers come after their questions."""

import re

import pytest

import attn_checks as check
import course
import slides
from attn_checks.ask.questions import as_text
from contrast import LOOKS
from jupyter_pages import click_at
from static_pages import DESK, OnPage

MOVING = "l00-explore"  # the one explorer whose frames are drawn here; test_pages.py moves them all
SEEN = """() => {
    const slide = Reveal.getCurrentSlide()
    const here = part => part.getClientRects().length
        && !part.closest('.notes, .attn-told, mjx-assistive-mml, .fragment:not(.visible)')
    const parts = [...slide.querySelectorAll('*')].filter(here)
    const all = kind => parts.filter(part => part.matches(kind))
    const letters = kind => all(kind).map(part => parseFloat(getComputedStyle(part).fontSize))
    return {
        height: slide.scrollHeight,
        right: Math.max(...parts.map(part => part.getBoundingClientRect().right)),
        code: letters('pre, pre *'),
        text: letters('p, li, td, button'),
        hang: all('.line').map(part => parseFloat(getComputedStyle(part).textIndent)),
        figures: all('.jp-OutputArea-output > img')
            .map(part => part.clientWidth / Math.min(part.naturalWidth, innerWidth)),
        drawn: all('.jp-OutputArea-output > img[src^="data:image/svg"]').flatMap(part =>
            [...atob(part.src.split(',')[1]).matchAll(/font-size="([^"]+)"/g)]
                .map(([, size]) => size * part.clientWidth / part.naturalWidth)),
        cells: all('.jp-Cell').map(part => part.id.replace('cell-id=', '')),
    }
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks") / "slides"
    return slides.build(
        folder,
        lambda plan, name: slides.frames.pack(plan, name) if name == MOVING else "",
    )


@pytest.fixture(scope="module")
def context(decks, chromium):
    """One for all: its first page stays open, and with it the process in which the others are drawn."""
    with chromium.new_context(viewport=DESK) as context:
        context.new_page().goto((decks / "index.html").as_uri())
        yield context


def walk(page):
    """What is seen at each stop, from the first slide to the last."""
    while True:
        yield seen(page)
        if page.evaluate("Reveal.isLastSlide() && !Reveal.availableFragments().next"):
            return
        page.keyboard.press("PageDown")


def seen(page):
    """What is on the slide, of which nothing is cut off.

    Code has at least 20 pixels and text more; figures nearly have their own size, drawn ones letters of 14.
    A line of code that is too long goes on further right than it begins.
    """
    found = page.evaluate(SEEN)
    assert found["height"] <= DESK["height"] and found["right"] <= DESK["width"], found
    for kind, least in {"code": 20, "text": 20.1, "figures": 0.85, "drawn": 14}.items():
        assert min(found[kind], default=least) >= least, (kind, found)
    assert all(indent < 0 for indent in found["hang"]), found
    return found


def opened(reader, decks, lesson):
    page = reader.open(decks / f"{lesson.stem}.html", math=False)
    page.wait_for_selector("body.ready")
    return page


def answer_of(cells, place):
    """The cell that settles the prediction at this place, if one does."""
    below = next((cell for cell in cells[place + 1 :] if cell.cell_type == "code"), None)
    return below.id if below and "answer" in below.metadata.get("tags", []) else None


@course.every_lesson
def test_nothing_is_cut_off_and_answers_come_with_the_next_press(decks, reader, path):
    notebook = course.read(path)
    page = opened(reader, decks, path)
    cells = notebook.cells
    asked = {cells[place].id: (slug, answer_of(cells, place)) for place, slug in course.predictions(notebook)}
    before = set()
    shown = set()
    for stop in walk(page):
        here = set(stop["cells"])
        for question in here & set(asked):
            slug, answer = asked[question]
            if question not in shown:
                option, reply = max(
                    check.QUESTIONS[slug].options.values(),
                    key=lambda told: len(told[1]),
                )
                page.get_by_role("button", name=as_text(option)).click()
                page.get_by_text(as_text(reply)).wait_for()
                assert answer not in seen(page)["cells"]
            elif question in before and answer:
                assert answer in here
        before = here
        shown |= here
    assert shown >= set(asked)
    hidden = {cell.id for ex in course.exercises(notebook) for cell in (ex.check, ex.answer) if cell}
    assert not shown & {"setup", "setup-line", *hidden}
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
    click_at(page.get_by_role("slider", name="step"), 0.98)
    assert explorer.svg() != start
    assert min(look["size"] for look in explorer.box.evaluate(LOOKS).values()) >= 14
    seen(page)
    page.keyboard.press("PageDown")
    assert MOVING not in seen(page)["cells"]
    assert reader.problems == []


def test_the_list_of_decks_leads_to_each(decks):
    text = (decks / "index.html").read_text("utf-8")
    assert re.findall(r'<li><a href="(\w+)\.html">', text) == [lesson.stem for lesson in course.NOTEBOOKS]
