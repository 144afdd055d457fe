"""What a text shares with the lessons' solutions: six tokens in a row of one line."""

import functools
import re

import course


def rows(line, length=6):
    tokens = re.findall(r"\w+|[^\s\w]", line)
    return {tuple(tokens[start : start + length]) for start in range(len(tokens) - length + 1)}


@functools.cache
def solved():
    """The rows of every solution that neither its own stub nor the head of a function shows."""
    found = set()
    heads = set()
    for _, exercise in course.all_exercises():
        stub = exercise.stub.source
        code = re.sub(r'(?s)""".*?"""|#.*?\n', "", course.solution(exercise))
        lines = [line for line in code.splitlines() if not line.endswith(":")]
        found |= set().union(*map(rows, lines)) - rows(stub)
        heads |= rows(stub.partition(":\n")[0])
    return found - heads


def leaked(text):
    return rows(text) & solved()
