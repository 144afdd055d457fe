"""Every mistake of the tables is committed and named, and no small change to a right answer passes."""

import numpy as np
import pytest

import attn_checks as check
import mutate
from attn_checks.ask.tutor import LONGEST
from attn_checks.check import differences, recognised
from attn_checks.exercise import exercise
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
    """By any of its ways; the first goes the whole way of an answer, but in this process, and to the tutor's prompt."""
    name = SAME_NUMBERS.get((asked.name, mistake.short), mistake.short)
    outcomes = [[asked.imitated(way, i) for i in range(len(asked.cases))] for way in mistake.ways]
    found = [recognised(asked, each, differences(asked, each)) for each in outcomes]
    assert [each and each.short for each in found] == [name] * len(found)
    feedback = getattr(check, asked.name)(mistake.ways[0])
    assert (feedback.status, feedback.mistake) == ("incorrect", name), str(feedback)
    assert "Look again at: lesson" in feedback.message
    lines = feedback.message.split("\n")
    assert len(lines) <= 16 and max(map(len, lines)) <= 100, feedback.message
    prompt = check.tutor()
    assert len(prompt.encode()) <= LONGEST and not leaked(prompt), leaked(prompt)


# Without a mask, a mistake in one branch is one in the whole.
SAME_NUMBERS = {("self_attention", "scaled-in-one-branch"): "not-scaled"}


def test_a_mistake_that_no_input_shows_is_left_out_of_the_table():
    """self_attention takes no mask: what is done wrong with one cannot be seen there."""
    known = {name: {mistake.short for mistake in e.known()} for name, e in check.EXERCISES.items()}
    assert {"mask-ignored", "inverted-mask", "renormalised"} <= known["attention"] - known["self_attention"]
    hidden = {name for name, e in check.EXERCISES.items() if {m.short for m in e.mistakes} - known[name]}
    assert hidden <= {"attention", "self_attention", "temperature_softmax", "word_scores"}


def test_pointers_lead_to_a_heading_of_the_lesson():
    exercises = check.EXERCISES.values()
    pointers = [m.see for e in exercises for m in e.mistakes] + [e.see for e in exercises]
    for see in {*pointers, *(e.see_nan for e in exercises if e.see_nan)}:
        assert ", " in section(see), f"{see!r}: no cell of a lesson with a heading"


def test_inputs_cannot_be_written_to_and_are_the_same_at_every_start():
    (Q, _), (again, _) = (check.EXERCISES[name].inputs["batch"] for name in ("scores", "scaled_scores"))
    assert not Q.flags.writeable and np.array_equal(Q, again)


def test_an_exercise_is_written_once():
    softmax = check.EXERCISES["softmax"]
    with pytest.raises(ValueError, match="two exercises named softmax"):
        exercise(inputs=softmax.inputs, mistakes=[], see=softmax.see)(softmax.right)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("name", mutate.SOLUTIONS)
@np.errstate(all="ignore")
def test_no_mutant_survives_that_behaves_differently(name):
    asked, mutants = check.EXERCISES[name], list(mutate.mutants(mutate.SOLUTIONS[name]))
    survivors = [(source, f) for source, f in mutants if not mutate.parts(asked, f, asked.cases)]
    wrong = [source for source, f in survivors if mutate.parts(asked, f, mutate.fresh_inputs(asked))]
    assert len(mutants) >= 5 and not wrong, "\n---\n".join(wrong)
