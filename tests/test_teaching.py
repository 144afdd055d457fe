"""The teacher's table of mistakes is made from the checkers' data."""

import mistakes_table


def test_the_table_is_current():
    assert mistakes_table.main(["--check"]) == 0, "run python .ci/mistakes_table.py"


def test_the_table_names_every_slip():
    text = mistakes_table.PAGE.read_text(encoding="utf-8")
    for exercise in mistakes_table.attn_checks.EXERCISES.values():
        for mistake in exercise.mistakes:
            assert f"`{mistake.slug}`" in text


def test_an_old_table_is_noticed():
    text = mistakes_table.PAGE.read_text(encoding="utf-8")
    assert mistakes_table.page_with_table(text.replace("`wrong-axis`", "`old-name`")) == text
