"""Small changes made to right answers, to see whether the checkers notice."""

import ast
import copy
import functools

import numpy as np

import attn_checks as check
import attn_helpers as attn
import course
from attn_checks.run.compare import agree
from attn_checks.run.data import imitate


def name_of(source):
    return ast.parse(source).body[0].name


SOURCES = [course.solution(exercise) for _, exercise in course.all_exercises() if exercise.answer]
# {exercise: the lesson's own solution}, of those that are a single function
SOLUTIONS = {name_of(source): source for source in SOURCES if source.startswith("def ")}
SOLUTIONS = {name: source for name, source in SOLUTIONS.items() if name in check.EXERCISES}
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def variants(node):
    match node:
        case ast.BinOp(left, operator, right):
            yield from (ast.BinOp(left, each(), right) for each in OPERATORS)
            yield from (left, right, ast.BinOp(right, operator, left))
        case ast.Compare(left, [_], right):
            yield from (ast.Compare(left, [each()], right) for each in COMPARISONS)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield from map(ast.Constant, (value + 1, value - 1, -value, 0))
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.Call(function, arguments, keywords):
            for i in range(len(keywords)):
                yield ast.Call(function, arguments, keywords[:i] + keywords[i + 1 :])
            if len(arguments) > 1:
                yield ast.Call(function, arguments[1:] + arguments[:1], keywords)
            yield from arguments if len(arguments) == 1 else ()
            if isinstance(function, ast.Attribute):
                yield function.value
        case ast.Tuple([_, _, *_] as parts, context):
            yield ast.Tuple(parts[::-1], context)


def places(tree):
    """(node, put) for every node below the root; put(other) replaces it where it is."""
    for parent in list(ast.walk(tree)):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, functools.partial(setattr, parent, field)
            elif isinstance(value, list):
                yield from ((each, functools.partial(value.__setitem__, i)) for i, each in enumerate(value))


def mutants(source):
    """(source, function) of every small change that still compiles."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    names = [argument.arg for argument in tree.body[0].args.args]
    for node, put in places(tree):
        options = list(variants(node))
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            options += [ast.Name(other, ast.Load()) for other in names]
        for new in options:
            put(new)
            text, space = ast.unparse(tree), {"np": np, "attn": attn}
            put(node)
            try:
                exec(compile(text, "<mutant>", "exec"), space)
            except (SyntaxError, TypeError, ValueError):
                continue  # no program at all
            if text not in seen:
                seen.add(text)
                yield text, space[name_of(source)]


def fresh_inputs(asked):
    """Random inputs of the exercise's own kinds and sizes, with smaller numbers: weights stay below 1."""
    rng = np.random.default_rng(0)
    for case in asked.cases * 5:
        arrays = (isinstance(a, np.ndarray) and a.dtype.kind == "f" for a in case)
        yield tuple(a * rng.uniform(0.5, 1, a.shape) if k else a for a, k in zip(case, arrays, strict=True))


def parts(asked, function, cases):
    """Whether a function parts from the right answer on one of these inputs."""
    given = ((imitate(function, copy.deepcopy(case)), imitate(asked.right, case)) for case in cases)
    return not all(agree(*both, asked.exact) for both in given)
