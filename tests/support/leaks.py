"""What a text shares with the lessons' solutions: a whole statement, or six tokens in a row."""

import ast
import functools
import re

import course


def tokens(text):
    return re.findall(r"\w+|[^\s\w]", text)


def rows(words, length=6):
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def parts(code):
    """Each shorter statement as its syntax tree spells it, and every row of six tokens in a longer one."""
    nodes = [
        node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt) and not hasattr(node, "body")
    ]
    spelt = [tokens(ast.unparse(node)) for node in nodes if not isinstance(node, ast.Expr)]
    return {tuple(words) for words in spelt if len(words) < 6}.union(*map(rows, spelt))


@functools.cache
def solved():
    """The parts of every solution that neither its own stub nor the head of a function shows."""
    found = set()
    heads = set()
    for _, exercise in course.all_exercises():
        stub = exercise.stub.source
        if "def " in stub:
            found |= parts(course.solution(exercise)) - parts(stub)
            heads |= rows(tokens(stub[stub.index("def ") : stub.index(":\n")]))
    return found - heads


def spelt(line):
    """A line of text as its syntax tree spells it; nothing if it is no Python."""
    try:
        return ast.unparse(ast.parse(line.strip()))
    except SyntaxError:
        return ""


def leaked(text):
    words = tokens("\n".join([text, *map(spelt, re.split(r"\n|: ", text))]))
    return {row for length in set(map(len, solved())) for row in rows(words, length) & solved()}
