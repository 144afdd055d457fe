"""In a student's process: run the cells, keep what the exercises are about, and answer for it when the grader asks.

Whatever is said here is only an answer: which numbers a function gives. What it is worth is decided in the grader's process,
where nothing of the student's ever runs.
"""

import copy
import inspect
import io
import json
import os
import sys

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import attn_checks
import attn_helpers
from attn_checks.call import Caller, as_data
from attn_checks.contract import is_stub, replaced, unwritten_helper

MOST_OUTPUT = 10 * 2**20  # letters that a notebook may print or show


def main():
    """Answer each line of questions by a line, until there is none."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    sys.stdout = sys.stderr = Sink(answers)
    sys.path.insert(0, os.getcwd())  # a file beside the notebook can be imported
    notebook = Notebook()
    for line in questions:
        question, *given = json.loads(line)
        print(json.dumps(getattr(notebook, question)(*given)), file=answers, flush=True)


class Sink(io.TextIOBase):
    """Where a notebook prints: it is looked at by nobody, but counted."""

    def __init__(self, answers):
        self.answers, self.printed = answers, 0

    def write(self, text):
        self.printed += len(text)
        if self.printed > MOST_OUTPUT:
            print('["stopped", "floods"]', file=self.answers, flush=True)
            os._exit(1)
        return len(text)


class Notebook:
    """The student's notebook; its methods are the questions that the grader asks."""

    def __init__(self):
        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        self.shell.user_ns.update(np=np, check=attn_checks, attn=attn_helpers)  # as a setup cell does
        self.shell.ask_exit = lambda: None
        self.kept, self.caller, self.asked = [], None, None

    def ready(self):
        return True

    def run(self, source):
        """Run a cell; an exception in it is the student's matter."""
        self.shell.run_cell(source, silent=True)
        return True

    def keep(self, expressions, only_functions):
        """Keep what these expressions stand for now; the number under which it is kept, or None."""
        values = []
        for expression in expressions:
            try:
                value = eval(expression, self.shell.user_ns)
                values.append(value if callable(value) else copy.deepcopy(value))
            except BaseException:  # there is nothing to keep
                return None
        if not only_functions or callable(values[0]):
            self.kept.append(values)
            return len(self.kept) - 1

    def describe(self, number):
        """Of each value kept under this number: whether it is a function, and which, or the value."""
        return [
            ["function", as_data(value), id(value), is_stub(value), unwritten_helper(value), replaced()[:3]]
            if callable(value) and not inspect.isclass(value)
            else ["value", as_data(value)]
            for value in self.kept[number]
        ]

    def ask(self, number, n_results, cases):
        """What a function gives on each of the cases; one process answers for it, until another is asked."""
        if self.asked != number:
            if self.caller:
                self.caller.__exit__()
            self.caller, self.asked = Caller(self.kept[number][0], n_results), number
        return self.caller.answers(list(map(json.dumps, cases)))
