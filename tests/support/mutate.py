"""Small changes made to right answers, to see whether the checkers notice."""

import ast
import copy

import numpy as np

import attn_checks as check
import attn_helpers as attn
from attn_checks.comparing import agree
from attn_checks.running import imitate

SOLUTIONS = {
    "scores": "def answer(Q, K):\n    return Q @ K.swapaxes(-1, -2)\n",
    "scaled_scores": "def answer(Q, K):\n    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])\n",
    "causal_mask": "def answer(L):\n    return np.arange(L) <= np.arange(L)[:, None] + 0\n",
    "apply_mask": "def answer(scores, mask):\n    return np.where(mask, scores, -np.inf)\n",
    "padding_mask": "def answer(lengths, n_keys):\n    return np.arange(n_keys) < np.asarray(lengths)[:, None, None]\n",
    "softmax": "def answer(x):\n    e = np.exp(x - x.max(axis=-1, keepdims=True))\n    return e / e.sum(axis=-1, keepdims=True)\n",
    "temperature_softmax": "def answer(x, temperature):\n    return attn.softmax(x / temperature, axis=-1)\n",
    "attention": "def answer(Q, K, V, mask=None):\n    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])\n    if mask is not None:\n        s = np.where(mask, s, -np.inf)\n    w = attn.softmax(s, axis=-1)\n    return w @ V, w\n",
    "self_attention": "def answer(X, W_Q, W_K, W_V):\n    return attn.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)\n",
    "weighted_mean": "def answer(weights, values):\n    return (weights[:, None] * values).sum(axis=0)\n",
    "most_attended": "def answer(weights, tokens):\n    return [tokens[j] for j in weights.argmax(axis=-1)]\n",
    "split_heads": "def answer(X, n_heads):\n    return X.reshape(X.shape[0], n_heads, X.shape[1] // n_heads).transpose(1, 0, 2)\n",
    "multi_head": "def answer(X, W_Q, W_K, W_V, W_O, n_heads):\n    L, d = X.shape\n    Q, K, V = ((X @ W).reshape(L, n_heads, d // n_heads).swapaxes(0, 1) for W in (W_Q, W_K, W_V))\n    w = attn.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(d // n_heads))\n    return (w @ V).swapaxes(0, 1).reshape(L, d) @ W_O\n",
    "softmax_backward": "def answer(weights, d_weights):\n    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))\n",
    "online_softmax": "def answer(chunks):\n    top, total = -np.inf, 0.0\n    for c in chunks:\n        new = max(top, c.max())\n        total = total * np.exp(top - new) + np.exp(c - new).sum()\n        top = new\n    return np.exp(np.concatenate(chunks) - top) / total\n",
}

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
    return space["answer"]


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


def fresh_inputs(name, rng):
    """Random inputs of the exercise's own kinds and sizes, with numbers of their own."""
    for case in check.EXERCISES[name].cases:
        values = [
            a * rng.uniform(0.5, 1.5, a.shape) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
            for a in case
        ]
        yield tuple(values)


def behaves_differently(name, source):
    """Whether a mutant parts from the reference on inputs that the checker never saw."""
    rng, exercise, function = np.random.default_rng(0), check.EXERCISES[name], compiled(source)
    for _ in range(5):
        for case in fresh_inputs(name, rng):
            mine, right = (imitate(f, copy.deepcopy(case)) for f in (function, exercise.right))
            if not agree(mine, right, exercise.exact):
                return True
    return False
