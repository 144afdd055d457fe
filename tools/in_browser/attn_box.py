"""Check an answer that was written on a page: run it, and the line that checks it, as a notebook does.

And verify a page of a reader's: one worker reads it and judges, another runs its code and only answers.
worker.mjs calls this; files.py puts it into the course's wheel.
"""

import ast
import base64
import contextlib
import io
import json
import linecache
import sys

import numpy as np

import attn_checks
import attn_helpers
from attn_checks.kept.page import BadPageError, read
from attn_checks.kept.verify import Verification
from attn_checks.run import call, child
from attn_checks.run.faults import unasked
from attn_checks.run.hints import explained
from attn_checks.tell.feedback import say

LONGEST = 5000  # letters of what an answer prints that are shown
KEPT = ("attn_", "builtins", "json", "linecache", "math", "numpy")  # modules that no answer should change
STARTED = {}  # what they held when Python was ready
under_way = []  # the Verification of a page


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


@contextlib.contextmanager
def printing():
    """What is printed meanwhile, which must not reach the browser's console."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield printed


def checked(asked):
    """The verdict on an answer, both JSON; `above` has the answers of the boxes above this one."""
    asked = json.loads(asked)
    names = {"__name__": "__main__", "np": np, "attn": attn_helpers}
    names |= {"check": attn_checks, "mine": attn_checks.mine}
    for text in asked["above"]:
        # what is wrong with them is said in their own boxes
        with printing(), contextlib.suppress(BaseException), on_the_clock():
            run(text, names, "<above>")
    with printing() as printed:
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


def page_read(asked):
    """A page's code and the questions to ask of it, or why it's refused."""
    try:
        page = read(base64.b64decode(json.loads(asked)["page"]))
    except BadPageError as reason:
        return json.dumps({"refused": str(reason)})
    under_way.append(Verification(page))
    questions = [question._asdict() for question in under_way[-1].questions.values()]
    return json.dumps({"name": page.name, "program": page.program, "questions": questions})


def page_answer(asked):
    """In the worker that runs a page's code: what one function answers, or why it doesn't, as text."""
    program, expression, n_results, cases = json.loads(asked)
    names = {"__name__": "__main__"}
    with printing():
        try:
            with on_the_clock():
                run(program, names, "<page>")
                function = eval(expression, names)
                data = [call.answer(function, json.loads(case), n_results) for case in cases]
            return json.dumps([[unasked(function)], data])
        except BaseException as error:
            return json.dumps(f"the code raised {explained(error)[0]}")


def page_verdicts(asked):
    verdicts = under_way.pop().verdicts(json.loads(asked)["answers"])
    return json.dumps([verdict._asdict() for verdict in verdicts])


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
        line = (error.text or "").strip()
        mistake = "syntax-error"
        words = f"{type(error).__name__}: {error.msg} (line {error.lineno})"
        advice = ""
    else:
        words, line, mistake, advice, _ = explained(error)
    lines = f"Your line: {line}" if line else "", words
    return say("error", mistake, name, "your code stops before it can be checked", *lines, advice=advice)


def state():
    """What the modules are and hold, by its identity, and a setting that makes Python fail."""
    held = {"recursion": sys.getrecursionlimit()}
    for name, module in list(sys.modules.items()):
        if name.startswith(KEPT):
            held[name] = id(module)
            held |= {(name, key): id(value) for key, value in vars(module).items() if not key.startswith("_")}
    return held
