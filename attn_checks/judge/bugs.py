"""Attention in steps, each with its bugs: our own, of batches and heads, then the lessons' mistakes."""

import functools

import numpy as np

from attn_checks.exercise import exercises
from attn_checks.recognise.mistakes import inside
from attn_checks.recognise.steps import Made, Step, Steps
from attn_parts.mathematics import softmax

SIZES = (4, 8, 16, 32, 64, 128, 256)  # of tiles


def same(*values):
    return values if values[1:] else values[0]


def hide(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


def capped(scores, cap):
    return cap * np.tanh(scores / cap) if cap else scores


def mixed_up(array):
    """Exchange the axes of heads and positions, then reshape as if nothing had been exchanged."""
    return array.swapaxes(1, 2).reshape(array.shape)


def if_given(change):
    return lambda mask, j: None if mask is None else change(mask)


def both(mask, other):
    return other if mask is None else mask & other


def causal(rule):
    """Let is_causal show query i the keys j of a rule; in row 0, `offset` keys come before j = i."""
    return lambda mask, i, j, offset: mask if offset is None else both(mask, rule(i, j, offset))


def over(axis):
    """Softmax along other axes, with NaN where everything is blocked."""

    def way(hidden):
        exponentials = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)

    return way


def times(factor):
    return lambda scores, Q, K, V: scores * factor(Q.shape[1], Q.shape[-1], K.shape[-2])


def filled(how=None):
    """Fill the weights of queries whose keys are all blocked, by a convention or the one asked for."""

    def way(weights, hidden, scaled, blocked):
        fill = {"nan": np.nan, "mean": 1 / hidden.shape[-1]}.get(how or blocked, 0.0)
        return np.where(empty(hidden), softmax(scaled) if how == "open" else fill, weights)

    return way


def empty(hidden):
    return np.isneginf(hidden).all(axis=-1, keepdims=True)


def unless_empty(way):
    """Block the queries whose keys are all blocked rightly."""

    def rightly(scores, mask):
        sees_some = mask is None or mask.any(axis=-1, keepdims=True)
        return np.where(sees_some, way(scores, mask), -np.inf)

    return rightly


def in_tiles(size, way):
    """Attention in tiles of a size, head by head; queries whose keys are all blocked are as they were."""

    def tiled(Q, K, V, mask, hidden, output):
        mask = np.broadcast_to(True if mask is None else mask, hidden.shape)
        by_head = np.vectorize(
            lambda Q, K, V, mask: way(Q, K, V, size, mask)[0], signature="(q,d),(k,d),(k,v),(q,k)->(q,v)"
        )
        return np.where(empty(hidden), output, by_head(Q, K, V, mask))

    return tiled


# What a step makes of what it reads, by the bug's name, and in brackets the option by which it's meant.
INPUTS = {
    "heads and positions are split by a reshape alone": lambda *QKV: [mixed_up(x) for x in QKV],
    "all heads use the keys and values of the first": lambda Q, K, V: (Q, K[:, :1], V[:, :1]),
    "all sequences use the keys and values of the first": lambda Q, K, V: (Q, K[:1], V[:1]),
}
MASKS = {
    "the mask has no effect": lambda mask, j: None,
    "the mask is read the other way round (--mask true-blocks)": if_given(np.invert),
    "the mask of the first sequence is used for all": if_given(lambda mask: mask[:1]),
    "the mask of the first query is used for all": if_given(lambda mask: mask[..., :1, :]),
    "the mask's last column has no effect": lambda mask, j: (
        mask if mask is None else mask | (j == len(j) - 1)
    ),
    **{f"only the first {n} keys have an effect": lambda mask, j, n=n: both(mask, j < n) for n in SIZES},
}
TRIANGLES = {
    "is_causal has no effect": lambda i, j, offset: j >= 0,
    "is_causal has no effect on a single query": lambda i, j, offset: (j <= i + offset) | (len(i) == 1),
    "the causal triangle is strict: no query attends to itself": lambda i, j, offset: j < i + offset,
    "the causal triangle reaches one key too far": lambda i, j, offset: j <= i + offset + 1,
    "the causal triangle leaves the later keys": lambda i, j, offset: j >= i + offset,
    "the causal triangle starts in the upper left (--causal upper-left)": lambda i, j, offset: j <= i,
    "the causal triangle ends in the lower right (--causal lower-right)": lambda i, j, offset: (
        j <= i + len(j) - len(i)
    ),
}
SCALES = {
    "the scores are divided by √d_model, d_model = heads·d_k": times(
        lambda heads, d_k, L_k: (heads * d_k) ** -0.5
    ),
    "the scores are divided by √(number of heads)": times(lambda heads, d_k, L_k: heads**-0.5),
    "the scores are divided by √L_k, the number of keys": times(lambda heads, d_k, L_k: L_k**-0.5),
    "the scores are multiplied by 0": times(lambda heads, d_k, L_k: 0.0),
    "the scores are negated": times(lambda heads, d_k, L_k: -(d_k**-0.5)),
}
SOFTMAXES = {
    "softmax runs over the heads": [over(1), lambda hidden: softmax(hidden, 1)],
    "softmax runs over the batch": [over(0), lambda hidden: softmax(hidden, 0)],
    "softmax runs over queries and keys together": over((-2, -1)),
}
BLOCKED = {
    "a query with every key blocked gives NaN (--blocked nan)": filled("nan"),
    "a query with every key blocked gives zeros (--blocked zeros)": filled("zeros"),
    "a query with every key blocked gives the mean of all values (--blocked mean)": filled("mean"),
    "a query with every key blocked attends as if none were": filled("open"),
}
LATE_SOFTCAP = {
    "softcap comes after the mask": lambda scores, Q, mask, cap: capped(
        hide(scores / Q.shape[-1] ** 0.5, mask), cap
    )
}
LATE_SCALE = {
    "the weights are scaled, not the scores": lambda scores, Q, mask: (
        softmax(hide(scores, mask)) / Q.shape[-1] ** 0.5
    )
}
OUTPUTS = {
    "the heads are in reverse order": lambda output: output[:, ::-1],
    "heads and positions are put together by a reshape alone": mixed_up,
}


@functools.cache
def steps() -> Steps:
    """Attention as steps: those of lesson 05, and around them what it doesn't know of."""
    whole = exercises()["attention"].steps
    assert whole, "lesson 05 says attention in steps"
    lesson = whole.steps
    softmaxes = [SOFTMAXES, lesson["softmax"].mistakes, exercises()["softmax"].mistakes]
    masking = [
        each._replace(ways=[*each.ways, *map(unless_empty, each.ways)]) for each in lesson["mask"].mistakes
    ]
    made = {
        "inputs": Step("Q K V", "Q K V", INPUTS, same),
        "allowed": Step("mask j", "mask", MASKS, lambda mask, j: mask),
        "is_causal": Step(
            "mask i j offset", "mask", inside(TRIANGLES, causal), causal(lambda i, j, offset: j <= i + offset)
        ),
        "scores": lesson["scores"],
        "scale": lesson["scale"]._replace(mistakes=[SCALES, lesson["scale"].mistakes]),
        "softcap": Step(
            "scaled cap", "scaled", {"softcap has no effect": lambda scaled, cap: scaled}, capped
        ),
        "mask": lesson["mask"]._replace(mistakes=masking),
        "late softcap": Step("scores Q mask cap", "hidden", LATE_SOFTCAP),
        "softmax": Step("hidden", "weights", softmaxes, softmax),
        "softmax of all": lesson["softmax of all"]._replace(mistakes=()),
        "late mask": lesson["mask after softmax"],
        "mask and softmax": lesson["mask and softmax"],
        "late scale": Step("scores Q mask", "weights", LATE_SCALE),
        "blocked": Step("weights hidden scaled blocked", "weights", BLOCKED, filled()),
        "mix": lesson["mix"],
        "tiles": Step("Q K V mask hidden output", "output", ()),
        "output": Step("output", "output", OUTPUTS, same),
        "return": Step("output weights", "result", (), same),
    }
    return Steps("Q K V mask i j offset cap blocked", made, few=2)


def single_bugs() -> list[Made]:
    """All bugs, each in one of its ways, our own before the lessons', which alone have a name."""
    made = []
    for name, step in steps().steps.items():
        for bug in step.mistakes:
            made += [Made(name, bug, way) for way in bug.ways]
    return sorted(made, key=lambda bug: bug.mistake.name != "")


def bugs_of_tiles(length: int) -> list[Made]:
    """The mistakes of FlashAttention in tiles of several sizes, of which many fit into a length."""
    made = []
    for bug in exercises()["flash_attention"].mistakes:
        for size in SIZES:
            if size * 16 > length:  # smaller ones would show in shorter cases
                named = bug._replace(short=f"in tiles of {size}, {bug.name}", name="")
                made += [Made("tiles", named, in_tiles(size, way)) for way in bug.ways]
    return made
