"""The teacher's document has everything that the lessons ask, with its answers."""

import re

import pytest

import attn_checks as check
import course
import solutions
from course import every_lesson


@pytest.fixture(scope="module")
def document():
    return solutions.document()


@every_lesson
def test_every_exercise_and_question_of_a_lesson_is_answered(document, notebook):
    title = notebook.cells[0].source.splitlines()[0]
    said = re.split(r"(?m)^## ", document.partition(f"\n#{title}\n")[2])[0]
    for exercise in course.exercises(notebook):
        assert f" {exercise.title}\n" in said
        assert course.solution(exercise).strip() in said, exercise.title
    code = "\n".join(cell.source for cell in course.code_cells(notebook))
    for slug in solutions.ASKED.findall(code):
        question = check.QUESTIONS[slug]
        assert f"`{slug}`: {question.text} **Key: {question.right}**" in said
        assert all(reply in said for _, reply in question.options.values()), slug
    for summary in re.findall(r"<details><summary>(.*?)</summary>", course.markdown(notebook.cells)):
        assert (f"**{summary}**" in said) != bool(re.match(r"Hint|The \d+ terms", summary)), summary


def test_one_lesson_can_be_asked_for_as_text_and_as_a_page(tmp_path, document):
    solutions.main(["4", "--output", str(tmp_path)])
    _, lesson = (tmp_path / "solutions.md").read_text("utf-8").rstrip().split("\n\n", 1)
    assert lesson.startswith("## 04 ")
    assert lesson in document
    page = (tmp_path / "solutions.html").read_text("utf-8")
    assert page.count("<h2") == 1
    assert "```" not in page
    assert "</details>" not in page
