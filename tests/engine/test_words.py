"""What is said of mistakes is in mistakes.md of their lesson: no heading is missing, none is of no use."""

import pytest

import attn_checks as check
from attn_checks.exercise import exercise
from attn_checks.recognise import words
from attn_checks.recognise.mistakes import mistakes_of, told, told_in

HEADINGS = [(name, key) for name, section in words.sections().items() for key in section.mistakes]


def test_a_section_is_in_the_lesson_of_its_exercise():
    for name, section in words.sections().items():
        assert (section.path.parent / f"{name}.py").exists(), (
            f"{section.path}: '## {name}' has no {name}.py beside it"
        )
        assert section.see, f"{section.path}: write 'see: l04-id-of-a-cell' below '## {name}'"


# what several lessons say of a matrix
SHARED = (words.LESSONS / "_matrix.py").read_text(encoding="utf-8")


def test_no_heading_is_of_no_use():
    """Renamed in only one of the two files, a key is missing in the other: then loading fails."""
    used = {
        (place, mistake.key)
        for name, exercise in check.EXERCISES.items()
        for step in [exercise, *(exercise.steps.steps.values() if exercise.steps else ())]
        for mistake in step.mistakes
        for place in (name, mistake.section)
    }
    for name, key in HEADINGS:
        path = words.sections()[name].path
        source = path.with_name(f"{name}.py").read_text(encoding="utf-8") + SHARED
        is_used = (name, key) in used or (name not in check.EXERCISES and f'"{key}"' in source)
        assert is_used, f"{path}, '## {name}': no mistake has the key {key!r}"


def test_words_are_those_of_the_exercise_that_asks_else_of_the_one_borrowed_from():
    (mistake,) = told_in("softmax", {"axis-1": lambda x: x})
    assert told(mistake, "softmax", "l00-x").say == words.sections()["softmax"].mistakes["axis-1"].say
    assert told(mistake, "joined_softmax", "l00-x").see == words.sections()["softmax"].mistakes["axis-1"].see
    own = words.sections()["change_temperature"].mistakes["axis-1"]
    assert told(mistake, "change_temperature", "l00-x").say == own.say
    (second,) = mistakes_of({"hard-maximum (when cold)": lambda x, t: x})
    assert told(second, "temperature_softmax", "").short == "hard-maximum"


def test_a_mistake_without_a_heading_says_where_to_write_one():
    (mistake,) = mistakes_of({"axis-7": lambda x: x})
    with pytest.raises(ValueError, match=r"lesson04/mistakes\.md: below '## softmax' write '### axis-7: "):
        told(mistake, "softmax", "l04-shares")


def test_an_exercise_without_a_section_says_how_to_write_one():
    def soft_max(x):
        return x

    with pytest.raises(ValueError, match="write '## soft_max' into mistakes.md of its lesson"):
        exercise(inputs={"one": (1.0,)}, mistakes={})(soft_max)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("## f\n### Axis: no key\nSay.", "'### Axis: no key': write '### a-key: what the mistake is'"),
        ("## f\n### axis\nSay.", "'### axis': write '### a-key"),
        (
            "## f\n### axis: nothing said\nsee: l04-x",
            "'### axis: nothing said': write a sentence or two below it",
        ),
        ("## f\n### axis: one\nSay.\n### axis: two\nSay.", "'## f': '### axis' is there twice"),
        ("## f\n## f", "'## f' is there twice"),
        ("## f\nA sentence.", "'## f': write only 'see: l04-id-of-a-cell' here, got 'A sentence.'"),
    ],
)
def test_a_heading_that_cannot_be_read_is_named(text, complaint, tmp_path):
    path = tmp_path / "mistakes.md"
    path.write_text(f"# Mistakes\nA head.\n\n{text}\n", encoding="utf-8")
    with pytest.raises(ValueError) as raised:
        words.read(path)
    assert str(raised.value).startswith(str(path)) and complaint in str(raised.value)
