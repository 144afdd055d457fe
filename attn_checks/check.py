"""The way of an answer, from top to bottom: run it, compare, look for a fault, name the mistake, tell it.

A checker runs the learner's function on small inputs and compares with the right answer. On a difference it
asks each known mistake "is this what they did?", by computing what that mistake gives on the same inputs. A
name is given only where the two agree on *every* input, so any way of writing the same mistake is
recognised. A few mistakes, such as any large number in place of −inf, have a condition instead, which must
hold wherever the answer comes to wrong numbers.
"""

import traceback
import warnings
from collections.abc import Callable

import numpy as np

from attn_checks.recognise.answer import Answer, Exercise
from attn_checks.recognise.mistakes import Mistake
from attn_checks.recognise.two_mistakes import name_two
from attn_checks.run import faults
from attn_checks.run.child import Caller
from attn_checks.run.raised import words_of
from attn_checks.tell.faults import faulty, not_judged, replacing
from attn_checks.tell.feedback import Feedback, not_attempted, passed
from attn_checks.tell.wrong import tell


def check(exercise: Exercise, function: Callable) -> Feedback:
    """Run a learner's function through one exercise; returns Feedback, also where the course itself fails."""
    try:
        if names := faults.replaced():
            return replacing(exercise.name, names)
        if function is None or function is ... or faults.is_stub(function):
            return not_attempted(exercise.name)
        if not callable(function):
            return not_judged(exercise.name, "not-a-function", kind=type(function).__name__)
        unwritten = faults.unwritten_helper(function)
        course = faults.only_calls(function)
        # a warning of NumPy's about a mistake that is tried is none of the learner's
        with warnings.catch_warnings(action="ignore"), Caller(function, len(exercise.results)) as caller:
            return by_answers(exercise, caller, unwritten, course)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{words_of(error)} ({at.name}, line {at.lineno})"
        return not_judged(exercise.name, "check-failed", why=why)


def passes(exercise: Exercise, function: Callable) -> bool:
    return check(exercise, function).status == "passed"


@np.errstate(all="ignore")  # overflow and NaN are for the learner to see in the numbers, not in warnings
def by_answers(
    exercise: Exercise, caller: Caller, unwritten: str | None = None, course: str | None = None
) -> Feedback:
    """Feedback on the function that a caller asks.

    `unwritten` is a function that it calls and that is still a stub, `course` the course's that is all it
    calls.
    """
    answer = Answer(exercise, caller)
    outcomes = answer.outcomes
    wrong = answer.wrong
    if names := faults.replaced():  # where it ran in this process
        return replacing(exercise.name, names)
    if outcomes[-1].harm:
        return not_judged(exercise.name, outcomes[-1].harm)
    if wrong and unwritten:
        return not_judged(exercise.name, "calls-a-stub", stub=unwritten)
    if fault := faults.fault_of(caller, outcomes, {i: exercise.cases[i] for i in wrong}):
        return faulty(exercise.name, fault)
    if not wrong and course:
        return not_judged(exercise.name, "calls-the-course", "incorrect", course=course)
    if not wrong:
        return passed(exercise.name, len(outcomes), gives_list(exercise, outcomes[0].raw))
    return tell(answer, recognised(answer))


def recognised(answer: Answer) -> Mistake | None:
    """The mistake that gives the learner's outcomes on every input, or two in different steps, or None."""
    for mistake in answer.exercise.mistakes:
        if mistake.shows and answer.holds(mistake.shows):
            return mistake
        if any(map(answer.is_made_by, mistake.ways)):
            return mistake
    return name_two(answer)


def gives_list(exercise, raw):
    """Whether a right answer is a list where an array is promised."""
    parts = (raw,) if len(exercise.results) == 1 else raw
    pairs = zip(parts, exercise.wanted[0].values, strict=False)
    return any(isinstance(part, list) and want.dtype.kind != "U" for part, want in pairs)
