"""Every cell says where it stands when a lesson is walked through, and an author's own mark stays."""

import nbformat
import pytest

import course
import slide_marks
from course import every_lesson

new = nbformat.v4
PROSE = "Word after word. " * 30


def marks(cells):
    return [cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells]


def text(source, mark=None):
    return new.new_markdown_cell(source, metadata={"slideshow": {"slide_type": mark}} if mark else {})


def code(source, output=""):
    outputs = [new.new_output("stream", text=output)] if output else []
    return new.new_code_cell(source, outputs=outputs)


@every_lesson
def test_questions_are_shown_and_answered_next_and_what_is_typed_by_learners_is_not(path):
    cells = course.read(path).cells
    found = dict(zip((cell.id for cell in cells), marks(cells), strict=True))
    assert set(found.values()) == set(slide_marks.MARKS)
    assert found["setup"] == found["setup-line"] == "skip"
    for place, slug in course.predictions(course.read(path)):
        assert found[cells[place].id] in ("subslide", "fragment"), slug
        below = [cell for cell in cells[place + 1 :] if found[cell.id] not in ("notes", "skip")][0]
        settles = next(cell for cell in cells[place + 1 :] if cell.cell_type == "code")
        warm_up = course.section(course.read(path), place) == "Warm-up"
        if "answer" in settles.metadata.get("tags", []) and not warm_up:
            assert below.id == settles.id and found[below.id] == "fragment", slug
    for exercise in course.exercises(course.read(path)):
        assert found[exercise.check.id] == "skip"
        assert exercise.answer is None or found[exercise.answer.id] == "skip"


@every_lesson
def test_no_slide_opens_on_a_word_whose_noun_is_on_another(path):
    cells = course.read(path).cells
    opens = [cell for cell, mark in zip(cells, marks(cells), strict=True) if mark in ("slide", "subslide")]
    assert [cell.id for cell in opens if slide_marks.REFERS.match(cell.source)] == []


FULL = "x = 1\n" * 10, "1\n" * 5


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ([text("## Heading", "notes"), text("short", "skip"), code("1 + 1")], ["notes", "skip", "fragment"]),
        ([text("## Why?\n\nSo."), text(PROSE), code("x = 1"), text("One line.")], ["slide", "notes", "fragment", "fragment"]),
        ([code(*FULL), code(*FULL), code("y = 1")], ["fragment", "subslide", "fragment"]),
        ([code("x = 1"), text("It is 1."), code("y = 1")], ["fragment", "notes", "fragment"]),
    ],
    ids=["a mark of an author is kept", "prose is spoken", "what does not fit begins another slide", "no slide begins with it"],
)  # fmt: skip
def test_a_cell_gets_its_mark(cells, wanted):
    notebook = new.new_notebook(cells=[text("# Title"), *cells])
    assert marks(slide_marks.give(notebook).cells) == ["slide", *wanted]
