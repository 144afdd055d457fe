"""In a student's process: keep what the exercises are about, and answer for it when the grader asks.

Whatever is said here is only an answer: which numbers a function gives. What it is worth is decided in the grader's process,
where nothing of the student's ever runs.
"""

import copy
import inspect
import json

from attn_checks.call import Caller, as_data
from attn_checks.contract import is_stub, unwritten_helper

KEPT = []  # tuples of what the expressions of one exercise stood for


class Answer:
    """Data that reaches the grader as text."""

    def __init__(self, data):
        self.text = json.dumps(data)

    def __repr__(self):
        return self.text


def prepare(namespace):
    """What a setup cell would import, and no end to Python by `exit()`."""
    import numpy

    import attn_checks
    import attn_helpers

    attn_helpers.use_course_printing()
    namespace.update(np=numpy, check=attn_checks, attn=attn_helpers)
    namespace["get_ipython"]().ask_exit = lambda: None
    return Answer("ready")


def keep(namespace, expressions, only_functions):
    """Keep what these expressions stand for now; the number under which it is kept, or None."""
    values = []
    for expression in expressions:
        try:
            value = eval(expression, namespace)
        except BaseException:  # there is nothing to keep
            return Answer(None)
        values.append(value if callable(value) else copy.deepcopy(value))
    if only_functions and not callable(values[0]):
        return Answer(None)
    KEPT.append(values)
    return Answer(len(KEPT) - 1)


def describe(number):
    """What is kept under this number: of each value whether it is a function, and which, or the value."""
    return Answer([described(value) for value in KEPT[number]])


def described(value):
    if callable(value) and not inspect.isclass(value):
        return ["function", id(value), is_stub(value), unwritten_helper(value)]
    return ["value", as_data(value)]


def outcomes(number, text, n_results):
    """What a function gives on each of the cases."""
    with Caller(KEPT[number][0], n_results) as caller:
        return Answer(caller.answers([json.dumps(case) for case in json.loads(text)]))
