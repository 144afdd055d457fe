"""Every cell says where it stands when a lesson is walked through, and an author's own mark stays."""

import nbformat

import course
import slide_marks
from course import every_lesson

new = nbformat.v4
PROSE = "Word after word. " * 30


def marks(cells):
    return [cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells]


def given(*cells):
    return marks(slide_marks.give(new.new_notebook(cells=list(cells))).cells)


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
        if "answer" in settles.metadata.get("tags", []):
            assert below.id == settles.id and found[below.id] == "fragment", slug
    for exercise in course.exercises(course.read(path)):
        assert found[exercise.check.id] == "skip"
        assert exercise.answer is None or found[exercise.answer.id] == "skip"


def test_a_mark_of_an_author_is_kept():
    cells = [text("# Title"), text("## Heading", "notes"), text("short", "skip"), code("1 + 1")]
    assert given(*cells) == ["slide", "notes", "skip", "fragment"]


def test_prose_is_spoken_and_numbers_are_shown():
    cells = [
        text("# Title"),
        text("## Why?\n\nSo."),
        text(PROSE),
        code("x = 1"),
        text("One line."),
        text(PROSE),
    ]
    assert given(*cells) == ["slide", "slide", "notes", "fragment", "fragment", "notes"]


def test_what_does_not_fit_begins_another_slide():
    cells = [text("# Title"), *(code("x = 1\n" * 10, output="1\n" * 5) for _ in range(2)), code("y = 1")]
    assert given(*cells) == ["slide", "fragment", "subslide", "fragment"]
