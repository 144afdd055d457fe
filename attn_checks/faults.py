"""What comparing numbers does not tell: it is a stub, changes its input, returns nothing, draws at random, …"""

import dis
import inspect
from typing import NamedTuple

import numpy as np

from attn_checks.comparing import same
from attn_checks.feedback import not_attempted, say
from attn_checks.running import EndlessError, answer, has_stray_comma

STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # all that a stub's bytecode holds


class Fault(NamedTuple):
    """One fault as data: how it is seen, and what is said."""

    mistake: str
    name: str
    seen: object  # called with (exercise, function, outcomes, wrong)
    say: str


FAULTS = (
    Fault(
        "prints-instead-of-returning",
        "it prints the result",
        lambda exercise, function, outcomes, wrong: returns_nothing(outcomes) and outcomes[0].printed,
        "Printing shows a result to you; only return hands it to the caller.",
    ),
    Fault(
        "returns-nothing",
        "it returns nothing",
        lambda exercise, function, outcomes, wrong: returns_nothing(outcomes),
        "Your function computes, but gives back None. Does every path end in a return?",
    ),
    Fault(
        "changes-its-input",
        "the input was changed in place",
        lambda exercise, function, outcomes, wrong: any(o.changed for o in outcomes),
        "Your function changed an array that it was given. The caller still needs it: work on a copy, x.copy(), or build a new array.",
    ),
    Fault(
        "stray-comma",
        "a comma behind the result",
        lambda exercise, function, outcomes, wrong: (
            len(exercise.results) == 1 and all(has_stray_comma(o.raw) for o in outcomes)
        ),
        "A comma at the end of the return line makes a tuple of one out of the result.",
    ),
    Fault(
        "masked-array",
        "a masked array",
        lambda exercise, function, outcomes, wrong: (
            wrong and any(isinstance(o.raw, np.ma.MaskedArray) for o in outcomes)
        ),
        "A masked array only hides cells; what stands in them is still there. Its .filled(...) puts a value in.",
    ),
    Fault(
        "not-repeatable",
        "another answer at every call",
        lambda exercise, function, outcomes, wrong: (
            wrong and not is_repeatable(exercise, function, outcomes, wrong[0])
        ),
        "Called twice on the same input, your function gave two answers. Is something drawn at random, or kept from call to call? Use what is passed in, and nothing else.",
    ),
)


def before_running(exercise, function):
    """Feedback on what is no function, or one that is still to be written; None for any other."""
    if function is None or function is ... or is_stub(function):
        return not_attempted(exercise.name)
    if not callable(function):
        line = f"check.{exercise.name} takes your function itself, got {type(function).__name__}: pass its name without brackets."
        return say("error", "not-a-function", f"{exercise.name}: not a function.", [line])
    return None


def after_running(exercise, function, outcomes, wrong):
    """Feedback on a fault in how the function works, or None.

    Some count only on `wrong` inputs: a right answer may draw at random. To find these it is called once more.
    """
    if any(isinstance(o.raised, EndlessError) for o in outcomes):
        line = (
            "It ran for millions of steps on a tiny input, so it was stopped. Which loop has no way to end?"
        )
        return say("error", "endless-loop", f"{exercise.name}: stopped, it does not come to an end.", [line])
    unwritten = wrong and unwritten_helper(function)
    if unwritten:
        line = f"It calls {unwritten}, whose body is still ... in this notebook: finish that one, run its cell, then this."
        return say("error", "calls-a-stub", f"{exercise.name}: not yet.", [line])
    for fault in FAULTS:
        if fault.seen(exercise, function, outcomes, wrong):
            title = f"{exercise.name}: not yet. Looks like: {fault.name}."
            return say("incorrect", fault.mistake, title, [fault.say])
    return None


def returns_nothing(outcomes):
    return all(o.raw is None and o.raised is None for o in outcomes)


def is_repeatable(exercise, function, outcomes, at):
    """Whether a second call on one input gives what the first gave."""
    first, again = outcomes[at], answer(function, exercise.cases[at], len(exercise.results))
    return first.values is None or again.values is None or same(first.values, again.values)


def is_stub(function):
    """Whether the body is only a docstring and `...` or `pass`."""
    code = getattr(function, "__code__", None)
    return code is not None and all(
        step.opname in STUB and (step.opname == "RESUME" or step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


def unwritten_helper(function):
    """The name of a function that this one calls and that is still a stub, or None."""
    code, known = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    for step in dis.get_instructions(code) if code else ():
        called = known.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if inspect.isfunction(called) and is_stub(called):
            return step.argval
    return None
