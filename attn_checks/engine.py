"""The whole way of an answer, from top to bottom: run it, compare, look for a fault, name the mistake, tell it.

A checker runs the learner's function on small inputs and compares with the right answer. On a difference it asks
each known mistake "is this what they did?", by computing what that mistake gives on the same inputs. A name is
given only where the two agree on *every* input, so any way of writing the same mistake is recognised. A few
mistakes, such as any large number in place of −inf, have a condition instead, which must hold wherever the answer
comes to wrong numbers.
"""

import numpy as np

from attn_checks import faults
from attn_checks.compare import agree, as_arrays
from attn_checks.errors import words_of
from attn_checks.feedback import passed
from attn_checks.rehearsal import harm_of, is_possible
from attn_checks.running import SECONDS, Elsewhere, HarmError, Outcome, answer
from attn_checks.telling import tell
from attn_checks.two_mistakes import name_two

REHEARSED = 20.0  # seconds for one call of a function that has come to its end once, beforehand


@np.errstate(all="ignore")  # overflow and NaN are for the learner to see in the numbers, not in warnings
def check(exercise, function):
    """Run a learner's function through one exercise; returns Feedback."""
    feedback = faults.before_running(exercise, function)
    if feedback:
        return feedback
    outcomes = run(function, exercise.cases, len(exercise.results))
    wrong = differences(exercise, outcomes)
    feedback = faults.after_running(exercise, function, outcomes, wrong)
    if feedback:
        return feedback
    if not wrong:
        return passed(exercise.name, len(outcomes), list_for_array(exercise, outcomes[0].raw))
    return tell(exercise, function, outcomes, wrong, recognised(exercise, outcomes, wrong))


def list_for_array(exercise, raw):
    """What is said of a right answer that is a list where an array is promised."""
    parts = (raw,) if len(exercise.results) == 1 else raw
    pairs = zip(parts, exercise.wanted[0].values, strict=False)
    if any(isinstance(part, list) and want.dtype.kind != "U" for part, want in pairs):
        return "It is a list, though, and an array is promised, for ~, @ and .T to work on it: np.array(...) makes one."
    return ""


def run(function, cases, n_results):
    """What the function gives on each input; nothing more is tried after one that had to be stopped."""
    if isinstance(function, Elsewhere):
        return function.outcomes(cases, n_results)
    harm = harm_of(function, cases, n_results)
    if harm:
        return [Outcome(None, harm)]
    outcomes, seconds = [], REHEARSED if is_possible() else SECONDS
    for case in cases:
        outcomes.append(answer(function, case, n_results, seconds))
        if isinstance(outcomes[-1].raised, HarmError):
            break
    return outcomes


def array_of(given):
    """The array that a learner hands over as a value, made with the same care; None if it holds no real numbers."""
    values = run(lambda: as_arrays((given,)), [()], 1)[0].values
    return values[0] if values and values[0].dtype.kind in "iufb" else None


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
    return name_two(exercise, outcomes, order, wrong) if exercise.steps else None


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
    return all(words_of(exercise.imitated(way, i).raised) == words_of(outcomes[i].raised) for i in raised)
