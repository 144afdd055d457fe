"""Minutes that are true, and prose that is short."""

import re

import pytest
from test_hands import REWRITTEN

import course
import reading
from course import every_lesson, markdown

OTHERS = [path for path in course.NOTEBOOKS if path.name[:2] > REWRITTEN]
every_other_lesson = pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)


def without_tables(text):
    return re.sub(r"(?m)^\|.*$", "", text)


@every_other_lesson
def test_stated_minutes_are_the_sum_of_what_a_lesson_asks(path):
    core, extras = reading.split(course.read(path))
    stated = re.search(r"\*\*Time:\*\* (\d+) minutes", markdown(core))
    assert stated, "the time, as '**Time:** 45 minutes'"
    part = reading.minutes(core)
    most = 30 if path == course.NOTEBOOKS[0] else 50
    takes = sum(part.values())
    assert int(stated[1]) == round(takes) <= most, f"says {stated[1]}, takes {takes:.1f}: {part}"
    for heading, cells in extras:
        part = reading.minutes(cells)
        told = re.search(r"^Extra: .* \((\d+) minutes?\)$", heading)
        assert told and int(told[1]) == max(1, round(sum(part.values()))), f"{heading} takes {part}"


@every_lesson
def test_every_exercise_states_minutes_that_allow_for_wrong_tries(path):
    for exercise in course.exercises(course.read(path)):
        least = 6 if course.is_open(exercise) and exercise.stub.source.startswith("def ") else 1
        assert (exercise.minutes or 0) >= least, f"{exercise.title}: end it with '(8 minutes)'"


@every_other_lesson
def test_the_reader_types_within_twelve_minutes(path):
    assert reading.first_line(course.read(path)) <= 12


@every_other_lesson
def test_prose_of_core_and_extras_is_short(path):
    core, extras = reading.split(course.read(path))
    read = without_tables(reading.prose(markdown(core).split("\n## Map")[0]))
    more = sum(reading.words(without_tables(reading.prose(markdown(cells)))) for _, cells in extras)
    assert reading.words(read) <= 1700 and more <= 600, (reading.words(read), more)
