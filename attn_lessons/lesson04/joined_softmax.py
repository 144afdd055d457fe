"""Lesson 04: softmax of all scores, computed from the softmaxes of two parts."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, only, with_each
from attn_lessons.lesson04 import softmax as plain
from attn_lessons.lesson04.softmax import rows
from attn_parts import mathematics as maths


def parts(*scores):
    """The arguments made from the scores of both parts: weights and log-sum-exp of each."""
    arrays = map(np.array, scores)
    return tuple(made for part in arrays for made in (maths.softmax(part), np.logaddexp.reduce(part)))


INPUTS = {
    "two and one": parts([0.0, 1.0], [2.0]),
    "the second part is lighter": parts([3.0, 1.0, 2.0], [0.0]),
    "parts of one length": parts([1.0, 2.0], [0.0, 3.0]),
    "large scores": parts([1000.0, 1001.0], [1002.0, 1000.0, 999.0]),
    "very negative scores": parts([-1000.0, -1001.0], [-1003.0]),
    "the first far above": parts([800.0, 799.0], [0.0, 1.0]),
    "the second far above": parts([0.0, 1.0], [800.0, 799.0]),
    "six apart": parts([6.0, 1.0], [0.0, 0.5]),
    "sixteen apart": parts([16.0, 1.0], [0.0, 0.5]),
    "all of the first part blocked": parts([-np.inf], [1.0, 2.0]),
    "a sum of 1": parts([0.0], [1.0, -1.0]),
    "all of the second part blocked": parts([1.0, 2.0], [-np.inf, -np.inf]),
}


def log_lengths(p, q):
    return np.log([len(p), len(q)])


# x: the log-sum-exps of both parts, (2,)
SIZE_MISTAKES = {
    "parts-averaged": [
        lambda p, q, x: np.zeros(2),
        lambda p, q, x: np.log([p.sum(), q.sum()]),
    ],
    "weighted-by-length": [
        lambda p, q, x: log_lengths(p, q),
        lambda p, q, x: x + log_lengths(p, q),
        lambda p, q, x: x - log_lengths(p, q),
    ],
    "softmax-of-weights": lambda p, q, x: np.array([p.sum(), q.sum()]),
}
SHIFT_MISTAKES = only(plain.SHIFT, "no-max-subtraction", "wrong-shift")
# Made in all three steps of softmax at once.
PORTION_MISTAKES = {
    "logarithms-as-portions": [
        rows,
        np.array,
        lambda x: x / np.logaddexp.reduce(x),
        lambda x: rows(x - x.max()),
    ],
    "no-max-subtraction": lambda x: np.exp(x - np.log(np.exp(x).sum())),
    "wrong-shift": [
        lambda x: rows(np.array([1.0, np.exp(x[1] - x[0])])),
        lambda x: rows(np.array([np.exp(x[0] - x[1]), 1.0])),
    ],
    "not-normalised": np.exp,
    "another-base": lambda x: np.exp(x - np.logaddexp2.reduce(x)),
    "wrong-total": with_each(
        (np.sum, lambda x: np.log(x.sum()), np.mean, np.min),
        lambda x, total: np.exp(x - total(x)),
    ),
    "sign-reversed": [
        lambda x: np.exp(np.logaddexp.reduce(x) - x),
        lambda x: np.exp(x.max() - x),
        lambda x: np.exp(-x),
    ],
}
GIVE_MISTAKES = {
    "portions-swapped": [
        lambda portions: (portions[1], portions[0]),
        lambda portions: (portions[0], portions[0]),
        lambda portions: (portions[1], portions[1]),
    ],
    "portion-missing": [
        lambda portions: (1, 1),
        lambda portions: (1, portions[1]),
        lambda portions: (portions[0], 1),
    ],
}
JOIN_MISTAKES = {
    "parts-added": [
        lambda first, p, second, q: first * p + second * q,
        lambda first, p, second, q: p + q,
    ],
    "parts-in-other-order": lambda first, p, second, q: np.concatenate([second * q, first * p]),
    "divided-by-count": [
        lambda first, p, second, q: np.append(first * p, second * q) / 2,
        lambda first, p, second, q: np.append(first * p, second * q) / (len(p) + len(q)),
    ],
}
STEPS = Steps(
    "p a q b",
    {
        "both": Step("a b", "x", (), lambda a, b: np.array([a, b])),
        "sizes": Step("p q x", "x", SIZE_MISTAKES),
        "shift": Step("x", "shifted", SHIFT_MISTAKES, lambda x: x - x.max()),
        "exponentiate": Step("shifted", "e", only(plain.EXPONENTIATE, "another-base"), np.exp),
        "normalise": Step("e", "portions", only(plain.NORMALISE, "not-normalised"), rows),
        "portions": Step("x", "portions", [PORTION_MISTAKES, only(plain.WHOLE, "shift-only-above")]),
        "give": Step("portions", "first second", GIVE_MISTAKES, tuple),
        "join": Step(
            "first p second q",
            "result",
            JOIN_MISTAKES,
            lambda first, p, second, q: np.concatenate([first * p, second * q]),
        ),
    },
    few=8,
)
# Made of all weights at once, not of two portions.
AT_ONCE = {
    "logarithms-as-portions": lambda p, a, q, b: rows(np.concatenate([p * a, q * b])),
    "softmax-of-weights": [
        lambda p, a, q, b: maths.softmax(np.concatenate([p, q])),
        lambda p, a, q, b: maths.softmax(np.concatenate([p + a, q + b])),
    ],
}


@exercise(
    inputs=INPUTS,
    mistakes=[STEPS.mistakes(), AT_ONCE],
    steps=STEPS,
    result="weights",
)
def joined_softmax(p, a, q, b):
    """Check `f(p, a, q, b)` → softmax of all scores, from weights p, q and log-sum-exps a, b of two parts.

    Returns Feedback.
    """
    return STEPS.whole({})(p, a, q, b)
