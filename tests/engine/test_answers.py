"""Each answer of attn_lessons/lesson…/answers.txt gets its verdict; tests/support/answers.py reads them."""

import pathlib

import pytest

import answers
import attn_checks as check

LESSONS = pathlib.Path(check.__file__).parents[1] / "attn_lessons"
ANSWERS = [answer for path in sorted(LESSONS.glob("lesson*/answers.txt")) for answer in answers.read(path)]


def name_of(answer):
    lesson, _, line = answer.place.partition("/answers.txt:")
    return f"{lesson}-{answer.exercise}-{answer.mistake or answer.status}-line{line}"


@pytest.mark.parametrize("answer", ANSWERS, ids=name_of)
def test_the_verdict(answer, request):
    if answer.status != "error":
        request.getfixturevalue("in_kernel")
    feedback = getattr(check, answer.exercise)(*answer.given())
    place = f"attn_lessons/{answer.place}"
    got = (feedback.status, feedback.mistake)
    assert got == (answer.status, answer.mistake), f"{place}: {got}\n{feedback}"
    assert answer.says in " ".join(feedback.message.split()), f"{place}: not told {answer.says!r}\n{feedback}"
