"""Small changes made to right answers, to see whether the checkers notice."""

import copy
import re

import numpy as np

import attn_checks as check
import attn_helpers as attn
import course
from attn_checks.run.compare import agree
from attn_checks.run.data import imitate

# {exercise: the lesson's own solution}, of those that are a single function
SOLUTIONS = {}
for _, exercise in course.all_exercises():
    source = course.solution(exercise)
    named = re.match(r"def (\w+)", source)
    if named and named[1] in check.EXERCISES:
        SOLUTIONS[named[1]] = source
# what a right answer has somewhere, and what it gets in its place
CHANGES = {
    r"(?<=[\w)\]]) [-+*/@] ": [" + ", " - ", " * ", " / ", " @ "],
    r" [<>=]=? (?=.*[:)\]])": [" < ", " <= ", " > ", " >= ", " == "],
    r"(?<!\w)\d+": ["0", "1", "2", "3"],
    r"\*\*": ["*"],
    r"(?<![\w)\]] )-": [""],
    r"\bTrue": ["False"],
    r"\bFalse": ["True"],
    r", \w+=[^,()]+": [""],
    r"\.\w+\([^()]*\)|\.T\b": [""],
    r"\b\w+\.\w+(?=\()": [""],
}


def mutants(name):
    """(source, function) of every small change to a solution that still compiles."""
    head, body = SOLUTIONS[name].split(":\n", 1)
    body = re.sub(r'(?s)""".*?"""', "...", body, count=1)
    given = re.findall(r"\w+", head.partition("(")[2])
    changes = CHANGES | {rf"\b{one}\b": given for one in given}
    for pattern, others in changes.items():
        for found in re.finditer(pattern, body):
            for other in set(others) - {found[0]}:
                text = f"{head}:\n{body[: found.start()]}{other}{body[found.end() :]}"
                space = {"np": np, "attn": attn, "mine": attn.mine}
                try:
                    exec(compile(text, "<mutant>", "exec"), space)
                except SyntaxError:
                    continue  # no program at all
                yield text, space[name]


def fresh_inputs(asked):
    """Random inputs of the exercise's own kinds and sizes, with smaller numbers: weights stay below 1."""
    rng = np.random.default_rng(0)
    for case in asked.cases * 5:
        fresh = []
        for given in case:
            if isinstance(given, np.ndarray) and given.dtype.kind == "f":
                given = given * rng.uniform(0.5, 1, given.shape)
            fresh.append(given)
        yield tuple(fresh)


def parts(asked, function, cases):
    """Whether a function parts from the right answer on one of these inputs."""
    for case in cases:
        got = imitate(function, copy.deepcopy(case))
        right = imitate(asked.right, case)
        if not agree(got, right, asked.exact):
            return True
    return False
