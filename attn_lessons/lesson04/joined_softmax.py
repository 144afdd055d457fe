"""Lesson 04: softmax of all scores, computed from the softmaxes of two parts."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each
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


def of_both(first, second):
    return first / (first + second), second / (first + second)


def shifted_by(pick):
    """The portions after a number picked from both log-sum-exps was subtracted."""
    return lambda p, a, q, b: of_both(np.exp(a - pick(a, b)), np.exp(b - pick(a, b)))


def softmax_of(a, b):
    return maths.softmax(np.array([a, b]))


def normalised(numbers):
    return numbers / numbers.sum()


PORTION_MISTAKES = {
    "parts-averaged": [
        lambda p, a, q, b: (0.5, 0.5),
        lambda p, a, q, b: (1 / (p.sum() + q.sum()),) * 2,
    ],
    "weighted-by-length": [
        lambda p, a, q, b: of_both(len(p), len(q)),
        lambda p, a, q, b: softmax_of(a + np.log(len(p)), b + np.log(len(q))),
        lambda p, a, q, b: softmax_of(a - np.log(len(p)), b - np.log(len(q))),
    ],
    "logarithms-as-portions": [
        lambda p, a, q, b: of_both(a, b),
        lambda p, a, q, b: (a, b),
        lambda p, a, q, b: (a / np.logaddexp(a, b), b / np.logaddexp(a, b)),
        lambda p, a, q, b: of_both(np.log(a), np.log(b)),
        lambda p, a, q, b: of_both(a - max(a, b), b - max(a, b)),
        lambda p, a, q, b: (a - max(a, b), b - max(a, b)),
    ],
    "no-max-subtraction": [
        lambda p, a, q, b: of_both(np.exp(a), np.exp(b)),
        lambda p, a, q, b: np.exp(np.array([a, b]) - np.log(np.exp(a) + np.exp(b))),
    ],
    "wrong-shift": [
        shifted_by(lambda a, b: a),
        lambda p, a, q, b: of_both(1.0, np.exp(b - a)),
        lambda p, a, q, b: of_both(np.exp(a - b), 1.0),
        shifted_by(lambda a, b: b),
        shifted_by(min),
        shifted_by(lambda a, b: (a + b) / 2),
        shifted_by(lambda a, b: a + b),
        shifted_by(lambda a, b: -max(a, b)),
    ],
    "not-normalised": [
        lambda p, a, q, b: (np.exp(a), np.exp(b)),
        lambda p, a, q, b: (np.exp(a - max(a, b)), np.exp(b - max(a, b))),
    ],
    "shift-only-above": [
        lambda p, a, q, b: np.exp(np.array([a, b]) - max(a, b)) / (np.exp(a) + np.exp(b)),
        lambda p, a, q, b: np.exp(np.array([a, b])) / (np.exp(a - max(a, b)) + np.exp(b - max(a, b))),
    ],
    "another-base": with_each(
        (2, 10),
        lambda p, a, q, b, base: of_both(base ** (a - max(a, b)), base ** (b - max(a, b))),
    )
    + [lambda p, a, q, b: np.exp(np.array([a, b]) - np.logaddexp2(a, b))],
    "wrong-total": with_each(
        (
            lambda a, b: a + b,
            lambda a, b: np.log(a + b),
            lambda a, b: (a + b) / 2,
            min,
        ),
        lambda p, a, q, b, total: np.exp(np.array([a, b]) - total(a, b)),
    ),
    "sign-reversed": [
        lambda p, a, q, b: np.exp(np.logaddexp(a, b) - np.array([a, b])),
        lambda p, a, q, b: np.exp(max(a, b) - np.array([a, b])),
        lambda p, a, q, b: (np.exp(-a), np.exp(-b)),
    ],
    "softmax-of-weights": lambda p, a, q, b: softmax_of(p.sum(), q.sum()),
}
GIVE_MISTAKES = {
    "portions-swapped": [
        lambda of_p, of_q: (of_q, of_p),
        lambda of_p, of_q: (of_p, of_p),
        lambda of_p, of_q: (of_q, of_q),
    ],
    "portion-missing": [
        lambda of_p, of_q: (1, 1),
        lambda of_p, of_q: (1, of_q),
        lambda of_p, of_q: (of_p, 1),
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
        "portions": Step(
            "p a q b",
            "of_p of_q",
            PORTION_MISTAKES,
            lambda p, a, q, b: softmax_of(a, b),
        ),
        "give": Step("of_p of_q", "first second", GIVE_MISTAKES, lambda *portions: portions),
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
    "logarithms-as-portions": [
        lambda p, a, q, b: normalised(np.concatenate([p * a, q * b])),
        lambda p, a, q, b: normalised(np.concatenate([p + a, q + b])),
    ],
    "softmax-of-weights": [
        lambda p, a, q, b: maths.softmax(np.concatenate([p, q])),
        lambda p, a, q, b: maths.softmax(np.concatenate([p + a, q + b])),
        lambda p, a, q, b: maths.softmax(np.concatenate([p * a, q * b])),
    ],
    "sign-reversed": lambda p, a, q, b: maths.softmax(np.concatenate([np.log(p) - a, np.log(q) - b])),
}


@exercise(
    inputs=INPUTS,
    mistakes=[STEPS.mistakes(), AT_ONCE],
    steps=STEPS,
    result="weights",
)
def joined_softmax(p, a, q, b):
    """Check `f(p, a, q, b)` → softmax of all scores, from weights p, q and log-sum-exps a, b of two parts. Returns Feedback."""
    return STEPS.whole({})(p, a, q, b)
