"""A kernel in which nothing has been asked or checked, and a question that no lesson rewords."""

import pytest

import attn_checks as check
from attn_checks.ask.predict import MADE
from attn_checks.ask.progress import CHECKED, LAST, PREDICTED
from attn_checks.ask.questions import Question
from attn_checks.run import child as call

SKY = Question(
    text="What is the sky?",
    options={
        "a": ("*Green*.", "That is the meadow: look further up."),
        "b": ("Blue.", "By day, as the air scatters the short waves."),
        "c": ("`None`", "It is there: look up."),
    },
    right="b",
    see="l04-temperature",
)


@pytest.fixture(autouse=True)
def fresh():
    for memory in (MADE, CHECKED, LAST, PREDICTED):
        memory.clear()


@pytest.fixture
def in_kernel(monkeypatch):
    """Answers run in this process, as where none can be forked: where the process isn't the point."""
    monkeypatch.setattr(call, "can_fork", lambda: False)


@pytest.fixture
def sky(monkeypatch):
    """The name of a question that stands beside those of the course."""
    monkeypatch.setitem(check.QUESTIONS, "99-sky", SKY)
    return "99-sky"
