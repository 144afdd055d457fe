"""Small changes made to right answers, to see whether the checkers notice."""

import ast
import copy

import numpy as np

import attn_checks as check
import attn_helpers as attn
import course
from attn_checks.call import imitate
from attn_checks.compare import agree


def solutions():
    """{exercise: the lesson's own solution}, of those that are a single function."""
    found = {}
    for path in course.NOTEBOOKS:
        for exercise in filter(lambda exercise: exercise.answer, course.exercises(course.read(path))):
            source = course.solution(exercise)
            if source.startswith("def "):
                found[name_of(source).removeprefix("mended_")] = source
    return {name: source for name, source in found.items() if name in check.EXERCISES}


def name_of(source):
    return ast.parse(source).body[0].name


SOLUTIONS = solutions()
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def variants(node):
    """Other nodes that could stand in the place of one node."""
    if isinstance(node, ast.BinOp):
        for operator in OPERATORS:
            if not isinstance(node.op, operator):
                yield ast.BinOp(node.left, operator(), node.right)
        yield node.left
        yield node.right
        yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.Compare):
        for comparison in COMPARISONS:
            if not isinstance(node.ops[0], comparison):
                yield ast.Compare(node.left, [comparison()], node.comparators)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        else:
            yield from (
                ast.Constant(v) for v in (node.value + 1, node.value - 1, -node.value, 0) if v != node.value
            )
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Call):
        for i in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])
        if len(node.args) > 1:
            yield ast.Call(node.func, node.args[1:] + node.args[:1], node.keywords)
        if len(node.args) == 1:
            yield node.args[0]
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        yield ast.Tuple(node.elts[::-1], node.ctx)


def replace(tree, target, new):
    """A copy of `tree` with the node that stands at number `target` in walking order replaced."""
    tree = copy.deepcopy(tree)
    wanted = list(ast.walk(tree))[target]

    class Swap(ast.NodeTransformer):
        def visit(self, node):
            return new if node is wanted else self.generic_visit(node)

    return ast.fix_missing_locations(Swap().visit(tree))


def compiled(source):
    space = {"np": np, "attn": attn}
    exec(compile(source, "<mutant>", "exec"), space)
    return space[name_of(source)]


def mutants(source):
    """(source, function) of every small change that still compiles."""
    tree, seen = ast.parse(source), {source}
    names = [arg.arg for arg in tree.body[0].args.args]
    for place, node in enumerate(ast.walk(tree)):
        options = list(variants(node))
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            options += [ast.Name(other, ast.Load()) for other in names if other != node.id]
        for new in options:
            try:
                text = ast.unparse(replace(tree, place, new))
                function = compiled(text)
            except (SyntaxError, TypeError, ValueError):
                continue  # no program at all
            if text not in seen:
                seen.add(text)
                yield text, function


def fresh_inputs(asked):
    """Random inputs of the exercise's own kinds and sizes, with numbers of their own."""
    rng = np.random.default_rng(0)
    for case in asked.cases * 5:
        yield tuple(
            a * rng.uniform(0.5, 1.5, a.shape) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
            for a in case
        )


def parts(asked, function, cases):
    """Whether a function parts from the right answer on one of these inputs."""
    return any(
        not agree(imitate(function, copy.deepcopy(case)), imitate(asked.right, case), asked.exact)
        for case in cases
    )
