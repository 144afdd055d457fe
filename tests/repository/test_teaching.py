"""The teacher's table of mistakes is made from the checkers' data."""

import course
import mistakes_table


def test_the_table_is_current():
    assert mistakes_table.main(["--check"]) == 0, "run python tools/mistakes_table.py"


def test_the_table_names_every_mistake_of_every_exercise():
    rows = [line.split(" | ") for line in mistakes_table.table().splitlines()[2:]]
    named = {(exercise, row[1]) for row in rows for exercise in row[2].split(", ")}
    lessons = {path.stem[:2] for path in course.NOTEBOOKS}
    for exercise, asked in mistakes_table.attn_checks.EXERCISES.items():
        for mistake in asked.known():
            to_come = mistake.see.removeprefix("lesson ")[:2] not in lessons
            assert ((f"`{exercise}`", f"`{mistake.short}`") in named) != to_come, (exercise, mistake.short)


def test_an_old_table_is_noticed():
    text = mistakes_table.PAGE.read_text(encoding="utf-8")
    assert mistakes_table.page_with_table(text.replace("`wrong-axis`", "`old-name`")) == text
