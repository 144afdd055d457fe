"""Every mistake of the tables is committed and named, and no small change to a right answer passes."""

import numpy as np
import pytest

import attn_checks as check
import mutate
from answers import changed
from attn_checks.ask.tutor import LONGEST
from attn_checks.check import recognised
from attn_checks.exercise import exercise
from attn_checks.recognise.answer import Answer
from attn_checks.tell.feedback import section
from leaks import leaked

MISTAKES = [
    pytest.param(asked, mistake, id=f"{name}-{mistake.short}")
    for name, asked in check.EXERCISES.items()
    for mistake in asked.known()
    if mistake.ways
]


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize(("asked", "mistake"), MISTAKES)
@np.errstate(all="ignore")
def test_every_mistake_is_named(asked, mistake, in_kernel):
    """By any of its ways; the first, rounded otherwise, goes the whole way of an answer."""
    for way in mistake.ways:
        outcomes = [asked.imitated(way, i) for i in range(len(asked.cases))]
        found = recognised(Answer(asked, Known(outcomes)))
        assert found and found.short == mistake.short
    feedback = getattr(check, asked.name)(changed(mistake.ways[0], rounded))
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake.short), str(feedback)
    assert "Look again at: lesson" in feedback.message
    lines = feedback.message.split("\n")
    assert len(lines) <= 16, feedback.message
    assert max(map(len, lines)) <= 100, feedback.message
    prompt = check.tutor()
    assert len(prompt.encode()) <= LONGEST
    assert leaked(prompt) == set()


def rounded(part):
    """Numbers that were added in another order."""
    return part * (1 - 1e-12) if part.dtype.kind == "f" else part


class Known:
    """Stands for the caller of a function whose outcomes are known."""

    def __init__(self, outcomes):
        self.outcomes = lambda cases: outcomes


def test_a_mistake_that_no_input_shows_is_left_out_of_the_table():
    """self_attention takes no mask: what is done wrong with one cannot be seen there."""
    known = {}
    for name, asked in check.EXERCISES.items():
        known[name] = {mistake.short for mistake in asked.known()}
        hidden = {mistake.short for mistake in asked.mistakes} - known[name]
        assert not hidden or name in {"attention", "self_attention", "temperature_softmax", "word_scores"}
    of_masks = {"mask-ignored", "inverted-mask", "renormalised"}
    assert of_masks <= known["attention"] - known["self_attention"]


def test_pointers_lead_to_a_heading_of_the_lesson():
    pointers = set()
    for asked in check.EXERCISES.values():
        pointers |= {asked.see, asked.see_nan}
        pointers |= {mistake.see for mistake in asked.mistakes}
    for see in pointers - {""}:
        assert ", " in section(see), f"{see!r}: no cell of a lesson with a heading"


def test_inputs_cannot_be_written_to_and_are_the_same_at_every_start():
    Q, _ = check.EXERCISES["scores"].inputs["batch"]
    again, _ = check.EXERCISES["scaled_scores"].inputs["batch"]
    assert not Q.flags.writeable
    assert np.array_equal(Q, again)


def test_an_exercise_is_written_once():
    softmax = check.EXERCISES["softmax"]
    with pytest.raises(ValueError, match="two exercises named softmax"):
        exercise(inputs=softmax.inputs, mistakes=[], see=softmax.see)(softmax.right)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", mutate.SOLUTIONS)
@np.errstate(all="ignore")
def test_no_mutant_survives_that_behaves_differently(name):
    asked = check.EXERCISES[name]
    mutants = list(mutate.mutants(name))
    survivors = [(source, f) for source, f in mutants if not mutate.parts(asked, f, asked.cases)]
    wrong = [source for source, f in survivors if mutate.parts(asked, f, mutate.fresh_inputs(asked))]
    assert len(mutants) >= 5 and not wrong, "\n---\n".join(wrong)
