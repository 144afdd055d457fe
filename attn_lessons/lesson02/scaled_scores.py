"""Lesson 02: the scores divided by √d_k.

The ways of a mistake are functions (scores, Q, K): the step of dividing. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import (
    Shown,
    Step,
    Steps,
    exercise,
    result_is,
    told_in,
    with_each,
)
from attn_lessons.lesson01 import scores as lesson01
from attn_parts import mathematics as maths


# Q: (..., L_q, d_k), K: (..., L_k, d_k), scores: (..., L_q, L_k)
def by_root_of_width(scores, Q, K):
    return scores / np.sqrt(Q.shape[-1])


def by(divisor):
    """A way to divide the scores by what `divisor` makes of Q and K."""
    return lambda scores, Q, K: scores / divisor(Q, K)


ANOTHER_ROOT = np.cbrt, lambda width: width**0.25, np.log, np.square
MISTAKES = {
    "not-scaled": lambda scores, Q, K: scores,
    "divided-by-d-k": by(lambda Q, K: Q.shape[-1]),
    "power-before-division": by(lambda Q, K: 2 * Q.shape[-1]),
    "fixed-width": with_each(
        (
            2,
            np.sqrt(2),
            np.sqrt(3),
            3,
            np.sqrt(8),
            4,
            8,
            32,
            64,
        ),
        lambda scores, Q, K, number: scores / number,
    ),
    "multiplied": [
        by(lambda Q, K: Q.shape[-1] ** -0.5),
        by(lambda Q, K: Q.shape[-1] ** -1.0),
    ],
    "shape-from-the-front": [
        by(lambda Q, K: np.sqrt(Q.shape[1])),
        by(lambda Q, K: np.sqrt(K.shape[1])),
        by(lambda Q, K: np.sqrt(Q.shape[2])),
        by(lambda Q, K: np.sqrt(K.shape[2])),
    ],
    "divided-by-root-of-length": [
        by(lambda Q, K: np.sqrt(K.shape[-2])),
        by(lambda Q, K: np.sqrt(Q.shape[-2])),
        by(lambda Q, K: np.sqrt(len(Q))),
        by(lambda Q, K: np.sqrt(len(K))),
    ],
    "divided-by-length": [
        by(lambda Q, K: K.shape[-2]),
        by(lambda Q, K: Q.shape[-2]),
        by(lambda Q, K: len(K)),
    ],
    "root-of-scores": [
        lambda scores, Q, K: np.sqrt(scores / Q.shape[-1]),
        lambda scores, Q, K: np.sqrt(scores),
        lambda scores, Q, K: np.sqrt(np.abs(scores)),
        lambda scores, Q, K: np.sign(scores) * np.sqrt(np.abs(scores)),
    ],
    "rounded-to-whole": [
        lambda scores, Q, K: scores // np.sqrt(Q.shape[-1]),
        by(lambda Q, K: np.floor(np.sqrt(Q.shape[-1]))),
        by(lambda Q, K: np.round(np.sqrt(Q.shape[-1]))),
        lambda scores, Q, K: np.trunc(by_root_of_width(scores, Q, K)),
        lambda scores, Q, K: np.round(by_root_of_width(scores, Q, K)),
    ],
    "half-of-d-k": [
        by(lambda Q, K: Q.shape[-1] / 2),
        by(lambda Q, K: Q.shape[-1] // 2),
    ],
    "another-root": with_each(ANOTHER_ROOT, lambda scores, Q, K, root: scores / root(Q.shape[-1])),
    "rounded": [
        *with_each(
            (1, 2, 3),
            lambda scores, Q, K, digits: by_root_of_width(scores, Q, K).round(digits),
        ),
        lambda scores, Q, K: by_root_of_width(scores, Q, K).astype(np.float16),
    ],
    "divided-by-measured-spread": [
        lambda scores, Q, K: scores / scores.std(),
        lambda scores, Q, K: scores / scores.std(axis=-1, keepdims=True),
        lambda scores, Q, K: scores / scores.std(axis=(-1, -2), keepdims=True),
    ],
    "scaled-after-softmax": [
        lambda scores, Q, K: maths.softmax(scores) / np.sqrt(Q.shape[-1]),
        lambda scores, Q, K: maths.softmax(scores) / Q.shape[-1],
    ],
    "softmax-included": Shown(
        result_is(lesson01.shared_out),
        lambda scores, Q, K: maths.softmax(scores / np.sqrt(Q.shape[-1])),
    ),
}

STEPS = Steps(
    "Q K",
    {
        "scores": Step(
            "Q K",
            "scores",
            told_in("scores", lesson01.MISTAKES, lesson01.ALONE),
            lesson01.products,
        ),
        "scale": Step("scores Q K", "result", MISTAKES, by_root_of_width),
    },
)


def uneven(rows, columns, first):
    """A matrix of small numbers above 0; rows differ, and so do matrices with different first angles."""
    return 1 + np.sin(first + np.arange(rows * columns)).reshape(rows, columns) ** 2


CASES = [(uneven(n, d_k, 1), uneven(n + 1, d_k, 2.5)) for n, d_k in ((6, 5), (12, 8), (3, 13))]


def divided_by_what(ask, given, wanted, got):
    """Say by what right scores are divided, input by input, and by what they should be."""
    divisors = []
    for Q, K in CASES:
        mine = ask(Q, K)
        raw = lesson01.products(Q, K)
        if not mine or mine[0].shape != raw.shape:
            return ""
        with np.errstate(all="ignore"):
            ratios = raw / mine[0]
        if not np.allclose(ratios, ratios.flat[0], rtol=1e-5) or not ratios.flat[0]:
            return ""
        divisors.append(ratios.flat[0])
    roots = [np.sqrt(Q.shape[-1]) for Q, _ in CASES]
    if np.allclose(divisors, roots):
        return ""
    return (
        f"For one sentence your scores are right, but divided by {listed(divisors)} where d_k is "
        f"5, 8 and 13. Divide by {listed(roots)} instead."
    )


def listed(numbers):
    *first, last = [f"{number:.4g}" for number in numbers]
    return f"{', '.join(first)} and {last}"


@exercise(own=divided_by_what, inputs=lesson01.INPUTS, steps=STEPS, result="scaled scores")
def scaled_scores(Q, K):
    """Check `f(Q, K)` → QKᵀ/√d_k, any leading axes. Returns Feedback."""
    return by_root_of_width(lesson01.products(Q, K), Q, K)
