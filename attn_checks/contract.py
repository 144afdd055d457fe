"""What comparing numbers does not tell: it is a stub, changes its input, returns nothing, draws at random, …"""

import dis
import pathlib
import sys
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

import numpy as np

from attn_checks.call import has_stray_comma
from attn_checks.compare import same
from attn_checks.messages import not_attempted, say

# What stands in NumPy when the course is loaded: a reader's line may replace some of it.
NUMPY = {name: value for name, value in vars(np).items() if name[0] != "_"}
STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # all that a stub's bytecode holds

# What would harm the kernel, by the name of the harm: a title, and what to say.
# fmt: off
HARM = {
    "endless-loop": ("stopped because it didn't end.",
        "On a tiny input your function ran for half a second without returning. Look for a loop that never ends, a sleep, very large arrays, or a lot of printing."),
    "interrupted": ("interrupted.",
        "Your function was interrupted before it returned: by you, or by itself, with KeyboardInterrupt or a signal. Look for a loop that never ends: on macOS and Windows, or once torch is imported, the check can't stop one by itself."),
    "too-large": ("stopped because it needs too much memory.",
        "On a tiny input your function makes millions of numbers. Look for a shape or a loop that is far larger than the input."),
    "forks": ("stopped because it starts a second process.",
        "After os.fork two processes would both go on running this notebook. Take os.fork out."),
    "replaced": ("nothing can be checked.",
        "Your notebook has replaced {0}, with a line such as `{1} = …`. Delete that line, restart the kernel, and run your cells again."),
    "ends-python": ("stopped because it ends Python itself.",
        "The check runs your function in a separate process, and it ended that process: with os._exit, by a crash, or by writing to the checker's pipe. In this notebook you would have lost everything in memory."),
}
# fmt: on


class Fault(NamedTuple):
    """One fault as data: how it is seen, and what is said."""

    mistake: str
    name: str
    seen: object  # called with (exercise, caller, outcomes, wrong)
    say: str


# fmt: off
FAULTS = (
    Fault("prints-instead-of-returning", "it prints the result",
        seen=lambda exercise, caller, outcomes, wrong: returns_nothing(outcomes) and outcomes[0].printed,
        say="Your function prints something and returns None. Only return gives a result to the code that called it."),
    Fault("returns-nothing", "it returns nothing",
        seen=lambda exercise, caller, outcomes, wrong: returns_nothing(outcomes),
        say="Your function returned None on every input. Does it end in a line that starts with return?"),
    Fault("changes-its-input", "the input was changed in place",
        seen=lambda exercise, caller, outcomes, wrong: any(o.changed for o in outcomes),
        say="Your function changed an array or a list that was passed to it, and the caller may still need the old one. Work on a copy, x.copy(), or build a new one."),
    Fault("stray-comma", "a comma after the result",
        seen=lambda exercise, caller, outcomes, wrong:
            len(exercise.results) == 1 and all(has_stray_comma(o.raw) for o in outcomes),
        say="The comma at the end of your return line turns the result into a tuple with one entry. Take it out."),
    Fault("masked-array", "a masked array",
        seen=lambda exercise, caller, outcomes, wrong: wrong and any(isinstance(o.raw, np.ma.MaskedArray) for o in outcomes),
        say="You return a masked array, which hides cells but keeps the numbers in them. Replace those numbers with .filled(...)."),
    Fault("not-repeatable", "a different answer at every call",
        seen=lambda exercise, caller, outcomes, wrong:
            not is_repeatable(caller, [exercise.cases[i] for i in wrong], [outcomes[i] for i in wrong]),
        say="Called twice on the same input, your function gave two different answers. Look for something random, or something kept from one call to the next: use only the arguments."),
)
# fmt: on


def before_running(exercise, function):
    """Feedback on what is no function, or one that is still to be written; None for any other."""
    if names := replaced():
        return harmed(exercise, "replaced", names)
    if function is None or function is ... or is_stub(function):
        return not_attempted(exercise.name)
    if not callable(function):
        line = f"check.{exercise.name} takes your function itself, but got {type(function).__name__}. Pass its name without parentheses."
        return say("error", "not-a-function", f"{exercise.name}: not a function.", [line])
    return None


def borrowed(exercise, name):
    """Feedback on an answer that is right because the course's own function gave it."""
    line = f"Here {name} does all the work, and you didn't write it in this cell. Write the steps yourself, and the function is yours."
    return say("incorrect", "calls-the-course", f"{exercise.name}: right, but not yours yet.", [line])


def after_running(exercise, caller, unwritten, outcomes, wrong):
    """Feedback on a fault in how the function works, or None; that it draws at random counts on `wrong` inputs only."""
    if names := replaced():  # where it ran in this process
        return harmed(exercise, "replaced", names)
    if outcomes[-1].harm:
        return harmed(exercise, outcomes[-1].harm)
    if wrong and unwritten:
        line = f"Your function calls {unwritten}, whose body is still ... in this notebook. Finish {unwritten}, run its cell, then run this one."
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
    """Names in NumPy that hold something else than when the course was loaded, and functions of the course that aren't its own."""
    course = vars(sys.modules["attn_helpers"]) if "attn_helpers" in sys.modules else {}
    return [
        *(f"np.{name}" for name, value in NUMPY.items() if vars(np).get(name) is not value),
        *(f"attn.{name}" for name, value in course.items() if getattr(value, "__module__", "") == "__main__"),
    ]


def returns_nothing(outcomes):
    return all(o.raw is None and o.raised is None for o in outcomes)


def is_repeatable(caller, cases, first):
    """Whether second calls give what the first gave."""
    pairs = zip(first, caller.again(cases), strict=False)
    return all(None in (one.values, two.values) or same(one.values, two.values) for one, two in pairs)


def is_stub(function):
    """Whether the body is only a docstring and `...` or `pass`."""
    code = function.__code__ if type(function) is FunctionType else None
    return code is not None and all(
        step.opname in STUB and (step.opname == "RESUME" or step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


COURSE = "attn_helpers", "attn_parts", "attn_lessons", "attn_checks"
FILES = tuple(str(pathlib.Path(__file__).parents[1] / name) for name in COURSE)
# What may be around a call of the course's function without being work of the reader's own.
NO_WORK = {"array", "asarray", "astype", "copy", "float32", "float64", "np", "numpy", "tolist"}
WORK = ("BINARY_OP", "COMPARE_OP", "CONTAINS_OP", "FOR_ITER", "UNARY_NEGATIVE", "UNARY_INVERT")


def only_calls(function):
    """The name of the course's function that this one is, or that is all it calls; None if there's work of its own in it."""
    if is_of_the_course(function):
        return function.__name__
    if type(function) is not FunctionType or any(
        type(part) is CodeType for part in function.__code__.co_consts
    ):
        return None
    called, of_the_course = set(), False
    for step in dis.get_instructions(function):
        if step.opname in WORK and step.argrepr != "[]":  # from Python 3.14 on x[0] is one of these
            return None
        value = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        of_the_course = of_the_course or is_of_the_course(value)
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") or (value is not None and not is_namespace(value)):
            called.add(step.argval)
    called -= NO_WORK
    return called.pop() if of_the_course and len(called) == 1 else None


def is_of_the_course(value):
    """Whether the course made it: a function, a module such as `attn`, or `mine`."""
    if type(value) is FunctionType:
        return value.__code__.co_filename.startswith(FILES)
    home = value.__name__ if type(value) is ModuleType else type(value).__module__
    return home.split(".")[0] in COURSE


def is_namespace(value):
    return type(value) is ModuleType or not callable(value)


def unwritten_helper(function):
    """The name of a function that this one calls and that is still a stub, or None."""
    for step in dis.get_instructions(function) if type(function) is FunctionType else ():
        called = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if type(called) is FunctionType and is_stub(called):
            return step.argval
    return None
