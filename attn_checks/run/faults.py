"""What comparing numbers does not tell: that it is a stub, changes its input, returns nothing, …"""

import dis
import pathlib
import sys
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType

import numpy as np

from attn_checks.run.child import Caller
from attn_checks.run.compare import same
from attn_checks.run.data import Outcome, has_stray_comma

# What stands in NumPy when the course is loaded: a reader's line may replace some of it.
NUMPY = {name: value for name, value in vars(np).items() if name[0] != "_"}
# all that a stub's bytecode holds besides RESUME, from Python 3.11 to 3.15
STUB = {"NOP", "LOAD_CONST", "LOAD_COMMON_CONSTANT", "RETURN_CONST", "RETURN_VALUE"}


def fault_of(caller: Caller, outcomes: list[Outcome], wrong: dict[int, tuple]) -> str | None:
    """The short name of a fault in how a function works; drawing at random counts on `wrong` inputs only."""
    if returns_nothing(outcomes):
        return "prints-instead-of-returning" if outcomes[0].printed else "returns-nothing"
    if any(outcome.changed for outcome in outcomes):
        return "changes-its-input"
    if caller.n_results == 1 and all(has_stray_comma(outcome.raw) for outcome in outcomes):
        return "stray-comma"
    if wrong and any(isinstance(outcome.raw, np.ma.MaskedArray) for outcome in outcomes):
        return "masked-array"
    if not is_repeatable(caller, list(wrong.values()), [outcomes[i] for i in wrong]):
        return "not-repeatable"
    return None


def replaced() -> list[str]:
    """Names in NumPy and of the course that hold something else than when the course was loaded."""
    of_numpy = [f"np.{name}" for name, value in NUMPY.items() if vars(np).get(name) is not value]
    course = vars(sys.modules["attn_helpers"]) if "attn_helpers" in sys.modules else {}
    homes = {name: getattr(value, "__module__", "") for name, value in course.items()}
    return of_numpy + [f"attn.{name}" for name, home in homes.items() if home == "__main__"]


def returns_nothing(outcomes):
    return all(o.raw is None and o.raised is None for o in outcomes)


def is_repeatable(caller, cases, first):
    """Whether second calls give what the first gave."""
    for one, two in zip(first, caller.again(cases), strict=False):
        have_values = one.values is not None and two.values is not None
        if have_values and not same(one.values, two.values):
            return False
    return True


def is_stub(function):
    """Whether the body is only a docstring and `...` or `pass`."""
    if type(function) is not FunctionType:
        return False
    return all(does_nothing(step) for step in dis.get_instructions(function))


def does_nothing(step):
    return step.opname == "RESUME" or (step.opname in STUB and step.argval in (None, ...))


COURSE = "attn_helpers", "attn_parts", "attn_lessons", "attn_checks"
FILES = tuple(str(pathlib.Path(__file__).parents[2] / name) for name in COURSE)
# What may be around a call of the course's function without being work of the reader's own.
NO_WORK = {"array", "asarray", "astype", "copy", "float32", "float64", "np", "numpy", "tolist"}
WORK = ("BINARY_OP", "COMPARE_OP", "CONTAINS_OP", "FOR_ITER", "UNARY_NEGATIVE", "UNARY_INVERT")


def only_calls(function):
    """The course's function that this one is, or that is all it calls; None if it does work itself."""
    if is_of_the_course(function):
        return function.__name__
    if type(function) is not FunctionType:
        return None
    steps = list(dis.get_instructions(function))
    if any(step.opname in WORK and step.argrepr != "[]" for step in steps):  # in Python 3.14 x[0] is one
        return None
    if any(type(part) is CodeType for part in function.__code__.co_consts):
        return None
    used = globals_of(function)
    called = {name for name, value in used.items() if not is_namespace(value)}
    called |= {step.argval for step in steps if step.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    called -= NO_WORK
    of_the_course = any(map(is_of_the_course, used.values()))
    return called.pop() if of_the_course and len(called) == 1 else None


def globals_of(function):
    """What a function uses of its notebook, by name."""
    names = [step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"]
    return {name: function.__globals__.get(name) for name in names}


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
    used = globals_of(function) if type(function) is FunctionType else {}
    return next((name for name, value in used.items() if is_stub(value)), None)


def unasked(function: Callable) -> dict:
    """What is known of a function without asking it, as plain data."""
    return {
        "is_stub": is_stub(function),
        "unwritten": unwritten_helper(function),
        "borrowed": only_calls(function),
        "replaced": replaced()[:3],
    }
