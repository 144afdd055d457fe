"""What comparing numbers does not tell: it is a stub, changes its input, returns nothing, draws at random, …"""

import dis
import inspect
from typing import NamedTuple

import numpy as np

from attn_checks.call import has_stray_comma
from attn_checks.compare import same
from attn_checks.messages import not_attempted, say

# What stands in NumPy when the course is loaded: a reader's line may replace some of it.
NUMPY = {name: value for name, value in vars(np).items() if name[0] != "_"}
STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # all that a stub's bytecode holds

# What would harm the kernel, by the name of the harm: a title, and what to say.
HARM = {
    "endless-loop": (
        "stopped, it does not come to an end.",
        "It was stopped after half a second on a tiny input. Is there a loop that has no way to end, or a sleep?",
    ),
    "interrupted": (
        "interrupted.",
        "It was interrupted before it came to its end, by you or by a signal that it sends itself. Is there a loop that has no way to end? On macOS and Windows, and beside torch, a check can't stop one by itself.",
    ),
    "too-large": (
        "stopped, it asks for too much memory.",
        "On a tiny input it makes millions of numbers. Which shape, or which loop, grows beyond what comes in?",
    ),
    "forks": (
        "stopped, it makes a second process.",
        "After os.fork two processes would go on with this notebook, each as if it were the only one.",
    ),
    "replaced": (
        "nothing can be checked.",
        "{0}: something else stood there than should, from a line such as `{1} = …`. Take that line out, restart the kernel, and run your cells again.",
    ),
    "ends-python": (
        "stopped, it ends Python itself.",
        "Tried in a process of its own it ended that process, with os._exit, by a crash, or by writing into the checker's pipe. Here all that you have in memory could be gone.",
    ),
}


class Fault(NamedTuple):
    """One fault as data: how it is seen, and what is said."""

    mistake: str
    name: str
    seen: object  # called with (exercise, caller, outcomes, wrong)
    say: str


FAULTS = (
    Fault(
        "prints-instead-of-returning",
        "it prints the result",
        lambda exercise, caller, outcomes, wrong: returns_nothing(outcomes) and outcomes[0].printed,
        "Printing shows a result to you; only return hands it to the caller.",
    ),
    Fault(
        "returns-nothing",
        "it returns nothing",
        lambda exercise, caller, outcomes, wrong: returns_nothing(outcomes),
        "Your function computes, but gives back None. Does every path end in a return?",
    ),
    Fault(
        "changes-its-input",
        "the input was changed in place",
        lambda exercise, caller, outcomes, wrong: any(o.changed for o in outcomes),
        "Your function changed an array, or a list, that it was given. The caller still needs it: work on a copy, x.copy(), or build a new one.",
    ),
    Fault(
        "stray-comma",
        "a comma behind the result",
        lambda exercise, caller, outcomes, wrong: (
            len(exercise.results) == 1 and all(has_stray_comma(o.raw) for o in outcomes)
        ),
        "A comma at the end of the return line makes a tuple of one out of the result.",
    ),
    Fault(
        "masked-array",
        "a masked array",
        lambda exercise, caller, outcomes, wrong: (
            wrong and any(isinstance(o.raw, np.ma.MaskedArray) for o in outcomes)
        ),
        "A masked array only hides cells; what stands in them is still there. Its .filled(...) puts a value in.",
    ),
    Fault(
        "not-repeatable",
        "another answer at every call",
        lambda exercise, caller, outcomes, wrong: (
            wrong and not is_repeatable(caller, exercise.cases[wrong[0]], outcomes[wrong[0]])
        ),
        "Called twice on the same input, your function gave two answers. Is something drawn at random, or kept from call to call? Use what is passed in, and nothing else.",
    ),
)


def before_running(exercise, function):
    """Feedback on what is no function, or one that is still to be written; None for any other."""
    if names := replaced():
        return harmed(exercise, "replaced", names)
    if function is None or function is ... or is_stub(function):
        return not_attempted(exercise.name)
    if not callable(function):
        line = f"check.{exercise.name} takes your function itself, got {type(function).__name__}: pass its name without brackets."
        return say("error", "not-a-function", f"{exercise.name}: not a function.", [line])
    return None


def after_running(exercise, caller, unwritten, outcomes, wrong):
    """Feedback on a fault in how the function works, or None.

    Some count only on `wrong` inputs: a right answer may draw at random. To find these it is called once more.
    """
    if names := replaced():  # where it ran in this process
        return harmed(exercise, "replaced", names)
    if outcomes[-1].harm:
        return harmed(exercise, outcomes[-1].harm)
    if wrong and unwritten:
        line = f"It calls {unwritten}, whose body is still ... in this notebook: finish that one, run its cell, then this."
        return say("error", "calls-a-stub", f"{exercise.name}: not yet.", [line])
    for fault in FAULTS:
        if fault.seen(exercise, caller, outcomes, wrong):
            title = f"{exercise.name}: not yet. Looks like: {fault.name}."
            return say("incorrect", fault.mistake, title, [fault.say])
    return None


def harmed(exercise, harm, names=("",)):
    """Feedback on what would harm the kernel; a name that is not in the table was made up by the function."""
    harm = harm if harm in HARM else "ends-python"
    title, line = HARM[harm]
    return say("error", harm, f"{exercise.name}: {title}", [line.format(", ".join(names[:3]), *names)])


def replaced():
    """Names in NumPy that hold something else than when the course was loaded."""
    return [f"np.{name}" for name, value in NUMPY.items() if vars(np).get(name) is not value]


def returns_nothing(outcomes):
    return all(o.raw is None and o.raised is None for o in outcomes)


def is_repeatable(caller, case, first):
    """Whether a second call on one input gives what the first gave."""
    again = caller.again(case)
    return first.values is None or again.values is None or same(first.values, again.values)


def is_stub(function):
    """Whether the body is only a docstring and `...` or `pass`."""
    code = function.__code__ if inspect.isfunction(function) else None
    return code is not None and all(
        step.opname in STUB and (step.opname == "RESUME" or step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


def unwritten_helper(function):
    """The name of a function that this one calls and that is still a stub, or None."""
    for step in dis.get_instructions(function) if inspect.isfunction(function) else ():
        called = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if inspect.isfunction(called) and is_stub(called):
            return step.argval
    return None
