"""The whole way of an answer, from top to bottom: run it, compare, look for a fault, name the mistake, tell it.

A checker runs the learner's function on small inputs and compares with the right answer. On a difference it asks
each known mistake "is this what they did?", by computing what that mistake gives on the same inputs. A name is
given only where the two agree on *every* input, so any way of writing the same mistake is recognised. A few
mistakes, such as any large number in place of −inf, have a condition instead, which must hold wherever the answer
comes to wrong numbers.
"""

import traceback
import warnings
from collections.abc import Callable

import numpy as np

from attn_checks.errors.raised import words_of
from attn_checks.recognise.exercise import Exercise
from attn_checks.recognise.two_mistakes import name_two
from attn_checks.run import faults
from attn_checks.run.child import Caller
from attn_checks.run.compare import agree
from attn_checks.tell.faults import borrowed, calls_a_stub, check_failed, faulty, harmed, no_function
from attn_checks.tell.feedback import Feedback, not_attempted, passed
from attn_checks.tell.wrong import tell


def check(exercise: Exercise, function: Callable) -> Feedback:
    """Run a learner's function through one exercise; returns Feedback, also where the course itself fails."""
    try:
        if names := faults.replaced():
            return harmed(exercise.name, "replaced", names)
        if function is None or function is ... or faults.is_stub(function):
            return not_attempted(exercise.name)
        if not callable(function):
            return no_function(exercise.name, type(function).__name__)
        unwritten, course = faults.unwritten_helper(function), faults.only_calls(function)
        # a warning of NumPy's about a mistake that is tried is none of the learner's
        with warnings.catch_warnings(action="ignore"), Caller(function, len(exercise.results)) as caller:
            return by_answers(exercise, caller, unwritten, course)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        return check_failed(exercise.name, f"{words_of(error)} ({at.name}, line {at.lineno})")


def passes(exercise: Exercise, function: Callable) -> bool:
    return check(exercise, function).status == "passed"


@np.errstate(all="ignore")  # overflow and NaN are for the learner to see in the numbers, not in warnings
def by_answers(
    exercise: Exercise, caller: Caller, unwritten: str | None = None, course: str | None = None
) -> Feedback:
    """Feedback on the function that a caller asks.

    `unwritten` is a function that it calls and that is still a stub, `course` the course's that is all it calls.
    """
    outcomes = caller.outcomes(exercise.cases)
    wrong = differences(exercise, outcomes)
    if names := faults.replaced():  # where it ran in this process
        return harmed(exercise.name, "replaced", names)
    if outcomes[-1].harm:
        return harmed(exercise.name, outcomes[-1].harm)
    if wrong and unwritten:
        return calls_a_stub(exercise.name, unwritten)
    if fault := faults.fault_of(caller, outcomes, {i: exercise.cases[i] for i in wrong}):
        return faulty(exercise.name, fault)
    if not wrong and course:
        return borrowed(exercise.name, course)
    if not wrong:
        return passed(exercise.name, len(outcomes), list_for_array(exercise, outcomes[0].raw))
    return tell(exercise, caller, outcomes, wrong, recognised(exercise, outcomes, wrong))


def list_for_array(exercise, raw):
    """What is said of a right answer that is a list where an array is promised."""
    parts = (raw,) if len(exercise.results) == 1 else raw
    pairs = zip(parts, exercise.wanted[0].values, strict=False)
    if any(isinstance(part, list) and want.dtype.kind != "U" for part, want in pairs):
        return "You return a list, but the exercise asks for an array, because @ and .T work only on arrays. Return np.array(...) of it."
    return ""


def differences(exercise, outcomes):
    """Numbers of the inputs on which the answer is not the right one."""
    both = zip(outcomes, exercise.wanted, strict=False)
    return [i for i, (mine, right) in enumerate(both) if not agree(mine, right, exercise.exact)]


def recognised(exercise, outcomes, wrong):
    """The mistake that gives the learner's outcomes on every input: one, or two in different steps, or None."""
    order = wrong + [i for i in range(len(outcomes)) if i not in wrong]  # most are told apart by the first
    for mistake in exercise.mistakes:
        if mistake.shows and holds(mistake.shows, exercise, outcomes, wrong):
            return mistake
        if any(fits(exercise, outcomes, order, wrong, way) for way in mistake.ways):
            return mistake
    return name_two(exercise, outcomes, order, wrong)


def holds(condition, exercise, outcomes, wrong):
    """Whether a mistake's condition holds wherever wrong numbers came out; an exception has none to judge by."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    return bool(with_numbers) and all(condition(exercise.wanted[i], outcomes[i]) for i in with_numbers)


def fits(exercise, outcomes, order, wrong, way):
    """Whether one way to make a mistake does what the learner's function did, on every input."""
    if not all(agree(exercise.imitated(way, i), outcomes[i], exercise.exact) for i in order):
        return False
    if any(outcomes[i].raised is None for i in wrong):
        return True
    # where no number speaks, any broken function raises like any other: then the errors must be the same
    raised = [i for i in order if outcomes[i].raised is not None]
    return all(exercise.imitated(way, i).raised.words == outcomes[i].raised.words for i in raised)
