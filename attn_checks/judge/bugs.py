"""Attention in steps, each with its bugs: those that know of batches and heads, then the mistakes of the lessons."""

import functools

import numpy as np

from attn_checks.recognise.mistakes import Mistake, inside
from attn_checks.recognise.steps import Step, Steps
from attn_checks.registry import exercises
from attn_parts.mathematics import softmax

SIZES = (4, 8, 16, 32, 64, 128, 256)  # of tiles


def hide(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


def capped(scores, cap):
    return cap * np.tanh(scores / cap) if cap else scores


def mixed_up(array):
    """Exchange the axes of heads and positions, then reshape as if nothing had been exchanged."""
    return array.swapaxes(1, 2).reshape(array.shape)


def if_given(change):
    return lambda mask, j: None if mask is None else change(mask, j)


def both(mask, other):
    return other if mask is None else mask & other


def seen(rule):
    """Let is_causal show each query i the keys j of a rule, in which the triangle's first row has `offset` keys before j = i."""
    return lambda mask, i, j, offset: mask if offset is None else both(mask, rule(i, j, offset))


def over(axis):
    """Softmax along other axes, with NaN where everything is blocked."""

    def way(hidden):
        exponentials = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)

    return way


def times(factor):
    return lambda scores, Q, K, V, scale: scores * factor(Q, K)


def filled(how=None):
    """Fill the weights of queries whose keys are all blocked, by a convention or the one that is asked for."""

    def way(weights, hidden, scores, blocked):
        if weights.shape != hidden.shape:
            raise ValueError("weights of another shape, which np.where would broadcast to gigabytes")
        fill = {"nan": np.nan, "mean": 1 / hidden.shape[-1]}.get(how or blocked, 0.0)
        return np.where(empty(hidden), softmax(scores) if how == "open" else fill, weights)

    return way


def empty(hidden):
    return np.isneginf(hidden).all(axis=-1, keepdims=True)


def unless_empty(way):
    """Block the queries whose keys are all blocked rightly."""

    def rightly(scores, mask):
        if mask is None:
            return scores
        sees_some = mask.any(axis=-1, keepdims=True)
        return np.where(sees_some, way(scores, mask), -np.inf)

    return rightly


def in_tiles(way, size):
    """Attention in tiles of a size, each head by itself; queries whose keys are all blocked are as they were."""

    def tiled(Q, K, V, mask, scale, hidden, output):
        mask = np.broadcast_to(True if mask is None else mask, hidden.shape)

        def of_a_head(Q, K, V, mask):
            return way(Q, K, V, size, mask)[0]

        by_head = np.vectorize(of_a_head, signature="(q,d),(k,d),(k,v),(q,k)->(q,v)")
        rescaled = Q * scale * Q.shape[-1] ** 0.5
        return np.where(empty(hidden), output, by_head(rescaled, K, V, mask))

    return tiled


BUGS = {  # by the step that is wrong, and by name: what the step makes of what it reads
    "inputs": {
        "the inputs are rounded to float16": lambda *QKV: [x.astype(np.float16).astype(x.dtype) for x in QKV],
        "heads and positions are split by a reshape alone": lambda *QKV: [mixed_up(x) for x in QKV],
        "all heads use the keys and values of the first": lambda Q, K, V: (Q, K[:, :1], V[:, :1]),
        "all sequences use the keys and values of the first": lambda Q, K, V: (Q, K[:1], V[:1]),
        "the values are in reverse order": lambda Q, K, V: (Q, K, V[..., ::-1, :]),
    },
    "allowed": {
        "the mask has no effect": lambda mask, j: None,
        "the mask is read the other way round": if_given(lambda mask, j: ~mask),
        "the mask of the first sequence is used for all": if_given(lambda mask, j: mask[:1]),
        "the mask of the first query is used for all": if_given(lambda mask, j: mask[..., :1, :]),
        "the mask's last column has no effect": if_given(lambda mask, j: mask | (j == len(j) - 1)),
        "the last key has no effect": lambda mask, j: both(mask, j < len(j) - 1),
        **{f"only the first {n} keys have an effect": lambda mask, j, n=n: both(mask, j < n) for n in SIZES},
    },
    "is_causal": {
        "is_causal has no effect": seen(lambda i, j, offset: j >= 0),
        "is_causal has no effect on a single query": seen(
            lambda i, j, offset: (j <= i + offset) | (len(i) == 1)
        ),
        "the causal triangle is strict: no query attends to itself": seen(
            lambda i, j, offset: j < i + offset
        ),
        "the causal triangle reaches one key too far": seen(lambda i, j, offset: j <= i + offset + 1),
        "the causal triangle leaves the later keys": seen(lambda i, j, offset: j >= i + offset),
        "the causal triangle starts in the upper left": seen(lambda i, j, offset: j <= i),
        "the causal triangle ends in the lower right": seen(lambda i, j, offset: j <= i + len(j) - len(i)),
    },
    "scale": {
        "the scores are divided by √d_k": times(lambda Q, K: Q.shape[-1] ** -0.5),
        "the scores are divided by √d_model, d_model = heads·d_k": times(
            lambda Q, K: (Q.shape[1] * Q.shape[-1]) ** -0.5
        ),
        "the scores are divided by √(number of heads)": times(lambda Q, K: Q.shape[1] ** -0.5),
        "the scores are divided by √L_k, the number of keys": times(lambda Q, K: K.shape[-2] ** -0.5),
        "the scores are multiplied by 0": times(lambda Q, K: 0.0),
        "the scores are negated": times(lambda Q, K: -(Q.shape[-1] ** -0.5)),
    },
    "softcap": {"softcap has no effect": lambda scaled, cap: scaled},
    "late softcap": {
        "softcap comes after the mask": lambda scaled, mask, cap: capped(hide(scaled, mask), cap)
    },
    "softmax": {
        "softmax runs over the heads": over(1),
        "softmax runs over the batch": over(0),
        "softmax runs over queries and keys together": over((-2, -1)),
    },
    "softmax with zeros": {
        "softmax runs over the heads": lambda hidden: softmax(hidden, 1),
        "softmax runs over the batch": lambda hidden: softmax(hidden, 0),
    },
    "late scale": {
        "the weights are scaled, not the scores": lambda scores, mask, scale: (
            softmax(hide(scores, mask)) * scale
        )
    },
    "blocked": {
        "a query with every key blocked gives NaN": filled("nan"),
        "a query with every key blocked gives zeros": filled("zeros"),
        "a query with every key blocked gives the mean of all values": filled("mean"),
        "a query with every key blocked attends as if none were": filled("open"),
    },
    "output": {
        "the heads are in reverse order": lambda output: output[:, ::-1],
        "the output of the first head is given for all": lambda output: output[:, :1] + 0 * output,
        "heads and positions are put together by a reshape alone": mixed_up,
    },
}


CONVENTIONS = {  # what is no bug where it's meant, and the option that says so
    "the mask is read the other way round": "--mask true-blocks",
    "the causal triangle starts in the upper left": "--causal upper-left",
    "the causal triangle ends in the lower right": "--causal lower-right",
    "a query with every key blocked gives NaN": "--blocked nan",
    "a query with every key blocked gives zeros": "--blocked zeros",
    "a query with every key blocked gives the mean of all values": "--blocked mean",
}


@functools.cache
def steps() -> Steps:
    """Attention as steps, each with its bugs: those above, which know of batches and heads, then the lessons'."""
    lesson, attention = exercises(), exercises()["attention"].steps.steps
    bugs = {name: attention[name].mistakes for name in ("scores", "mask and softmax", "mix")}
    bugs["softmax"] = [*attention["softmax"].mistakes, *lesson["softmax"].mistakes]
    bugs["scale"] = inside(attention["scale"].mistakes, lambda way: lambda *given: way(*given[:-1]))
    bugs["late mask"] = attention["mask after softmax"].mistakes
    ways = [[*each.ways, *map(unless_empty, each.ways)] for each in attention["mask"].mistakes]
    bugs["mask"] = [
        each._replace(ways=both) for each, both in zip(attention["mask"].mistakes, ways, strict=True)
    ]
    made = {  # what each reads and writes, and how it's done
        "inputs": ("Q K V", "Q K V", lambda *QKV: QKV),
        "allowed": ("mask j", "mask", lambda mask, j: mask),
        "is_causal": ("mask i j offset", "mask", seen(lambda i, j, offset: j <= i + offset)),
        "scores": ("Q K", "scores", attention["scores"].right),
        "scale": ("scores Q K V scale", "scaled", lambda scores, Q, K, V, scale: scores * scale),
        "softcap": ("scaled cap", "capped", capped),
        "mask": ("capped mask", "hidden", hide),
        "late softcap": ("scaled mask cap", "hidden", None),
        "softmax": ("hidden", "weights", softmax),
        "softmax with zeros": ("hidden", "weights", None),
        "softmax of all": ("capped", "unmasked", softmax),
        "late mask": ("unmasked mask", "weights", None),
        "mask and softmax": ("capped mask", "weights", None),
        "late scale": ("scores mask scale", "weights", None),
        "blocked": ("weights hidden capped blocked", "weights", filled()),
        "mix": ("weights V K", "output", lambda weights, V, K: weights @ V),
        "tiles": ("Q K V mask scale hidden output", "output", None),
        "output": ("output", "output", lambda output: output),
        "return": ("output weights", "result", lambda *both: both),
    }
    own = {name: [Mistake("", bug, [way], "") for bug, way in ways.items()] for name, ways in BUGS.items()}
    return Steps(
        "Q K V i j mask offset scale cap blocked",
        {
            name: Step(reads, writes, (*own.get(name, ()), *bugs.get(name, ())), right)
            for name, (reads, writes, right) in made.items()
        },
        few=2,
    )
