"""Check an answer that was written on a page: run it, and the line that checks it, as a notebook runs its cells.

worker.mjs calls this; files.py puts it into the course's wheel.
"""

import ast
import contextlib
import io
import json
import linecache
import sys

import numpy as np

import attn_checks
import attn_helpers
from attn_checks.errors.hints import explained
from attn_checks.run import child
from attn_checks.tell.feedback import say

LONGEST = 5000  # letters of what an answer prints that are shown
KEPT = ("attn_", "builtins", "json", "linecache", "math", "numpy")  # modules that no answer should change
STARTED = {}  # what they held when Python was ready


def tell(runs):
    """Say that the reader's code begins to run, or has ended; worker.mjs puts its own here."""


@contextlib.contextmanager
def on_the_clock():
    """The reader's code runs, which is limited in time; the course's own work isn't."""
    tell(True)
    try:
        yield
    finally:
        tell(False)


def warm():
    """Load all checkers and run one, so that the first answer takes no longer than the others."""
    child.answer = on_the_clock()(child.answer)
    attn_helpers.use_course_printing()
    passed = attn_checks.softmax(lambda x: attn_helpers.softmax(x - 1)).status == "passed"
    STARTED.update(state())
    return passed


def checked(asked):
    """The verdict on an answer. Question and verdict are JSON: `above` has the answers of the boxes above this one."""
    asked = json.loads(asked)
    names = {
        "__name__": "__main__",
        "np": np,
        "attn": attn_helpers,
        "check": attn_checks,
        "mine": attn_checks.mine,
    }
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for text in asked["above"]:
            with (
                contextlib.suppress(BaseException),
                on_the_clock(),
            ):  # their own boxes say what is wrong with them
                run(text, names, "<above>")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            with on_the_clock():
                display(run(asked["answer"], names, "<answer>"))
            verdict = run(asked["line"], names, "<check>")
        except BaseException as error:
            verdict = does_not_run(error, asked["name"])
    now = state()
    return json.dumps(
        {
            "status": verdict.status,
            "mistake": verdict.mistake,
            "message": verdict.message,
            "html": verdict._repr_mimebundle_()["text/html"],
            "printed": printed.getvalue()[-LONGEST:],
            "spoiled": any(now.get(place) != held for place, held in STARTED.items()),
        }
    )


def run(text, names, place):
    """Run a cell; the value of its last line, if that is an expression."""
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    cell = ast.parse(text, place)
    last = cell.body.pop() if cell.body and isinstance(cell.body[-1], ast.Expr) else None
    exec(compile(cell, place, "exec"), names)
    return last and eval(compile(ast.Expression(last.value), place, "eval"), names)


def display(value):
    if value is not None and value is not ...:
        print(repr(value))


def does_not_run(error, name):
    """Feedback on code that ends before there is a function to check."""
    if isinstance(error, SyntaxError):
        line, mistake = (error.text or "").strip(), "syntax-error"
        words, advice = f"{type(error).__name__}: {error.msg} (line {error.lineno})", ""
    else:
        words, line, mistake, advice = explained(error)
    lines = [f"Your line: {line}" if line else "", words, advice]
    return say("error", mistake, f"{name}: your code stops before it can be checked.", lines)


def state():
    """What the modules hold, by its identity, and a setting that makes Python fail."""
    modules = {name: module for name, module in list(sys.modules.items()) if name.startswith(KEPT)}
    held = {
        (name, key): id(value)
        for name, module in modules.items()
        for key, value in vars(module).items()
        if not key.startswith("_")
    }
    return (
        held | {"recursion": sys.getrecursionlimit()} | {name: id(module) for name, module in modules.items()}
    )
