"""What comparing numbers does not tell: it is a stub, changes its input, returns nothing, draws at random, …"""

import dis
import pathlib
import sys
from types import CodeType, FunctionType, ModuleType

import numpy as np

from attn_checks.run.child import Caller
from attn_checks.run.compare import same
from attn_checks.run.data import Outcome, has_stray_comma

# What stands in NumPy when the course is loaded: a reader's line may replace some of it.
NUMPY = {name: value for name, value in vars(np).items() if name[0] != "_"}
# all that a stub's bytecode holds, from Python 3.11 to 3.15
STUB = {"RESUME", "NOP", "LOAD_CONST", "LOAD_COMMON_CONSTANT", "RETURN_CONST", "RETURN_VALUE"}


def fault_of(caller: Caller, outcomes: list[Outcome], wrong: dict[int, tuple]) -> str | None:
    """The short name of a fault in how a function works; that it draws at random counts on `wrong` inputs only."""
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
FILES = tuple(str(pathlib.Path(__file__).parents[2] / name) for name in COURSE)
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
    called = set()
    of_the_course = False
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


def unasked(function) -> dict:
    """What is known of a function without asking it, as plain data."""
    return {
        "is_stub": is_stub(function),
        "unwritten": unwritten_helper(function),
        "borrowed": only_calls(function),
        "replaced": replaced()[:3],
    }
