"""The teacher's document holds everything that the lessons ask, with its answers."""

import re

import pytest

import attn_checks as check
import course
import solutions
from course import every_lesson


@pytest.fixture(scope="module")
def document():
    return solutions.document()


def part(document, path):
    """What is said of one lesson."""
    title = course.read(path).cells[0].source.splitlines()[0]
    return re.split(r"(?m)^## ", document.partition(f"\n#{title}\n")[2])[0]


@every_lesson
def test_every_exercise_and_question_of_a_lesson_is_answered(document, path):
    notebook, said = course.read(path), part(document, path)
    for exercise in course.exercises(notebook):
        assert f" {exercise.title}\n" in said
        if exercise.answer:
            assert course.solution(exercise).strip() in said, exercise.title
    code = "\n".join(cell.source for cell in course.code_cells(notebook))
    asked = re.findall(r"""(?m)^check\.(?:predict|question)\(["']([\w-]+)["']\)$""", code)
    assert asked
    for slug in asked:
        question = check.QUESTIONS[slug]
        assert f"`{slug}`: {question.text} **Key: {question.right}**" in said
        assert all(reply in said for _, reply in question.options.values()), slug
    folded = re.findall(r"<details><summary>(.*?)</summary>", course.markdown(notebook))
    for summary in folded:
        assert (f"**{summary}**" in said) != bool(re.match(r"Hint|The \d+ terms", summary)), summary


def test_both_forms_are_written(tmp_path):
    solutions.main(["--output", str(tmp_path / "new")])
    text = (tmp_path / "new" / "solutions.md").read_text(encoding="utf-8")
    page = (tmp_path / "new" / "solutions.html").read_text(encoding="utf-8")
    assert text == solutions.document()
    assert page.count("<h2") == len(course.NOTEBOOKS)
    assert "```" not in page and "src=" not in page and "</details>" not in page
