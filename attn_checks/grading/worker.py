"""In a student's process: run the cells, keep what the exercises are about, answer for it when asked.

Whatever is said here is only an answer: which numbers a function gives. What it is worth is decided in the
grader's process, where nothing of the student's ever runs.
"""

import copy
import inspect
import json
import os
import re
import sys

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import attn_checks
import attn_helpers
from attn_checks.kept.file import OFF
from attn_checks.run.child import Caller
from attn_checks.run.data import as_data
from attn_checks.run.faults import unasked
from attn_checks.run.raised import words_of


def main():
    """Answer each line of questions by a line, until there is none."""
    questions = os.fdopen(os.dup(0))
    answers = os.fdopen(os.dup(1), "w")
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    sys.path.insert(0, os.getcwd())  # a file beside the notebook can be imported
    os.environ[OFF] = "1"  # `mine` is the course's
    notebook = Notebook()
    for line in questions:
        question, *given = json.loads(line)
        print(json.dumps(getattr(notebook, question)(*given)), file=answers, flush=True)


class Notebook:
    """The student's notebook; its methods are the questions that the grader asks."""

    def __init__(self):
        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        self.shell.user_ns.update(np=np, check=attn_checks, attn=attn_helpers)  # as a setup cell does
        self.shell.ask_exit = lambda: None
        self.shell.system = self.shell.system_raw  # without a terminal of its own, which needs to be made
        self.kept, self.caller, self.answers_for = {}, None, None

    def run(self, source):
        """Run a cell; [a short name, and words] of why it did not run to its end, or None."""
        result = self.shell.run_cell(source, silent=True)
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return None
        words = re.sub(r"<ipython-input-[^>]*>, ", "", words_of(error))
        if isinstance(error, ModuleNotFoundError) and error.name:
            return [f"no-{error.name}", f"raised {words}. The Python that grades has no {error.name}"]
        return ["syntax-error" if isinstance(error, SyntaxError) else "cell-failed", f"raised {words}"]

    def keep(self, expressions, only_functions):
        """Keep the values of these expressions; their number, the same for the same function, or None."""
        values = []
        for expression in expressions:
            try:
                value = eval(expression, self.shell.user_ns)
                values.append(value if callable(value) else copy.deepcopy(value))
            except BaseException:  # there is nothing to keep
                return None
        if only_functions and not callable(values[0]):
            return None
        number = id(values[0])
        self.kept[number] = values
        return number

    def describe(self, number):
        """Each value kept under this number, as data; of a function, what is known without asking it."""
        found = []
        for value in self.kept[number]:
            is_function = callable(value) and not inspect.isclass(value)
            found.append({"value": as_data(value)} | (unasked(value) if is_function else {}))
        return found

    def ask(self, number, n_results, cases):
        """What a function gives on each of the cases; one process answers for it, until another is asked."""
        if self.answers_for != number:
            if self.caller:
                self.caller.__exit__()
            self.caller = Caller(self.kept[number][0], n_results)
            self.answers_for = number
        return self.caller.answers(list(map(json.dumps, cases)))
