"""Lesson 02: the scores divided by √d_k.

The ways of a mistake are functions (scores, Q, K): the step of dividing. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, table
from attn_lessons.lesson01 import scores as lesson01
from attn_parts import mathematics as maths

HOW_LARGE = "l02-size"
DIVIDING = "l02-divide"
WHY_HALVED = "l02-goal"


def by_root_of_width(scores, Q, K):
    return scores / np.sqrt(Q.shape[-1])


def by(divisor):
    """A way to divide the scores by what `divisor` makes of Q and K."""
    return lambda scores, Q, K: scores / divisor(Q, K)


# fmt: off
ANOTHER_ROOT = Mistake("another-root", "another root or power",
    say="Your divisor comes from a cube root, a root taken twice, a square or a logarithm. Take the square root, once.",
    ways=[np.cbrt, lambda width: width**0.25, np.log, np.square])
MISTAKES = table(
    DIVIDING,
    Mistake("not-scaled", "the scores are not scaled", see=HOW_LARGE,
        say="Your scores are the raw ones. Their standard deviation grows with d_k. Which divisor brings it back to 1?",
        ways=[lambda scores, Q, K: scores]),
    Mistake("divided-by-d-k", "divided by d_k, without the root",
        say="Your scores are too small by a factor of √d_k. You divide by d_k, or by √d_k twice, but the standard deviation is the *root* of the variance.",
        ways=[by(lambda Q, K: Q.shape[-1])]),
    Mistake("power-before-division", "divided by d_k and by 2",
        say="Your scores are divided by twice d_k. If you wrote ** 1/2 or ** -1/2, Python takes the power first and halves afterwards. Put the exponent in parentheses, or take a square root.",
        ways=[by(lambda Q, K: 2 * Q.shape[-1])]),
    Mistake("fixed-width", "a fixed number instead of d_k",
        say="You divide by the same number whatever comes in. Is it typed, or left over from an earlier cell? Read the width off the shape of the inputs.",
        ways=[by(lambda Q, K, number=number: number)
            for number in (2, np.sqrt(2), np.sqrt(3), 3, np.sqrt(8), 4, 8, 32, 64)]),
    Mistake("multiplied", "multiplied, not divided",
        say="Your scores grew, but raw scores are too large already. Divide.",
        ways=[by(lambda Q, K: Q.shape[-1] ** -0.5), by(lambda Q, K: Q.shape[-1] ** -1.0)]),
    Mistake("shape-from-the-front", "the shape is counted from the front", see=lesson01.BATCHES,
        say="In a matrix axis 1 counts the d_k numbers of a key, but in a batch axis 2 does. They are always the *last* axis, -1.",
        ways=[by(lambda Q, K: np.sqrt(Q.shape[1])), by(lambda Q, K: np.sqrt(K.shape[1])),
            by(lambda Q, K: np.sqrt(Q.shape[2])), by(lambda Q, K: np.sqrt(K.shape[2]))]),
    Mistake("divided-by-root-of-length", "divided by the root of the number of keys or queries", see=HOW_LARGE,
        say="Your divisor counts tokens (or sentences). Count the d_k numbers of a key instead, because a dot product adds up one product for each.",
        ways=[by(lambda Q, K: np.sqrt(K.shape[-2])), by(lambda Q, K: np.sqrt(Q.shape[-2])),
            by(lambda Q, K: np.sqrt(len(Q))), by(lambda Q, K: np.sqrt(len(K)))]),
    Mistake("divided-by-length", "divided by the number of keys or queries", see=HOW_LARGE,
        say="Your divisor counts tokens (or sentences). It should be the *root* of d_k, because a dot product adds up d_k products.",
        ways=[by(lambda Q, K: K.shape[-2]), by(lambda Q, K: Q.shape[-2]), by(lambda Q, K: len(Q)), by(lambda Q, K: len(K))]),
    Mistake("root-of-scores", "the root is taken of the scores",
        say="You take the root of the scores. Take the root of d_k alone, and then divide the scores by that. (np.sqrt makes NaN of a negative score.)",
        ways=[lambda scores, Q, K: np.sqrt(scores / Q.shape[-1]),
            lambda scores, Q, K: np.sqrt(scores) / Q.shape[-1], lambda scores, Q, K: np.sqrt(scores),
            lambda scores, Q, K: np.sqrt(np.abs(scores)),
            lambda scores, Q, K: np.sign(scores) * np.sqrt(np.abs(scores))]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="A //, int(), isqrt or a rounding cuts the decimals off, in the root or in the result. Scores and √d_k may be any numbers.",
        ways=[lambda scores, Q, K: scores // np.sqrt(Q.shape[-1]),
            lambda scores, Q, K: scores / np.floor(np.sqrt(Q.shape[-1])),
            lambda scores, Q, K: scores / np.round(np.sqrt(Q.shape[-1])),
            lambda scores, Q, K: scores / np.ceil(np.sqrt(Q.shape[-1])), lambda scores, Q, K: scores // Q.shape[-1],
            lambda scores, Q, K: np.trunc(by_root_of_width(scores, Q, K)),
            lambda scores, Q, K: np.round(by_root_of_width(scores, Q, K))]),
    Mistake("half-of-d-k", "half of d_k instead of its root",
        say="You divide by half of d_k, which equals the root only for 4. (If you wrote d_k ** 1/2, Python halves too, because ** binds before /.)",
        ways=[by(lambda Q, K: Q.shape[-1] / 2), by(lambda Q, K: Q.shape[-1] // 2)]),
    ANOTHER_ROOT._replace(ways=[by(lambda Q, K, change=change: change(Q.shape[-1])) for change in ANOTHER_ROOT.ways]),
    Mistake("rounded", "the scores are rounded",
        say="Your scores are rounded. Keep all their digits, and round only when you print.",
        ways=[lambda scores, Q, K, digits=digits: by_root_of_width(scores, Q, K).round(digits)
            for digits in (1, 2, 3)] + [lambda scores, Q, K: by_root_of_width(scores, Q, K).astype(np.float16)]),
    Mistake("divided-by-measured-spread", "divided by the measured standard deviation", see=HOW_LARGE,
        say="You divide by the standard deviation of these very scores. The divisor is worked out in advance, from d_k alone.",
        ways=[lambda scores, Q, K: scores / scores.std(), lambda scores, Q, K: (scores - scores.mean()) / scores.std(),
            lambda scores, Q, K: scores / scores.std(axis=-1, keepdims=True),
            lambda scores, Q, K: scores / scores.std(axis=(-1, -2), keepdims=True)]),
    Mistake("scaled-after-softmax", "softmax first, scaling after", see=WHY_HALVED,
        say="You apply softmax before the division. Divide the *scores*, and stop there: softmax comes later.",
        ways=[lambda scores, Q, K: maths.softmax(scores) / np.sqrt(Q.shape[-1]), lambda scores, Q, K: maths.softmax(scores) / Q.shape[-1]]),
    Mistake("softmax-included", "softmax is in it already", see=WHY_HALVED,
        say="Your numbers are normalised, as attention weights are. Stop before softmax, at the scaled scores.",
        ways=[lambda scores, Q, K: maths.softmax(scores / np.sqrt(Q.shape[-1]))],
        shows=lesson01.result_is(lesson01.shared_out)),
)

STEPS = Steps("Q K", {
    "scores": Step("Q K", "scores", [*lesson01.MISTAKES, *lesson01.ALONE], lesson01.products),
    "scale": Step("scores Q K", "result", MISTAKES, by_root_of_width),
})


def uneven(rows, columns, first):
    """A matrix of small numbers above 0; rows differ, and so do matrices with different first angles."""
    return 1 + np.sin(first + np.arange(rows * columns)).reshape(rows, columns) ** 2


CASES = [(uneven(n, d_k, 1), uneven(n + 1, d_k, 2.5)) for n, d_k in ((6, 5), (12, 8), (3, 13))]


def divided_by_what(ask, given, wanted, got):
    """Say by what right scores are divided, input by input, and by what they should be."""
    (want,), (mine,), divisors = wanted, got, []
    cross = np.outer(want, mine)  # the same when it is turned, if one is a multiple of the other
    if np.isfinite(mine).all() and not np.allclose(cross, cross.T):
        return ""
    for Q, K in CASES:
        mine, raw = ask(Q, K), lesson01.products(Q, K)
        with np.errstate(all="ignore"):
            ratios = raw / mine[0] if mine and mine[0].shape == raw.shape else np.zeros(2)
        if not np.allclose(ratios, ratios.flat[0], rtol=1e-5) or not ratios.flat[0]:
            return ""
        divisors.append(ratios.flat[0])
    roots = [np.sqrt(Q.shape[-1]) for Q, _ in CASES]
    if np.allclose(divisors, roots):
        return ""
    return (
        f"For one sentence your scores are right, but divided by {listed(divisors)} where d_k is 5, 8 and 13. "
        f"Divide by {listed(roots)} instead."
    )


def listed(numbers):
    *first, last = [f"{number:.4g}" for number in numbers]
    return f"{', '.join(first)} and {last}"


@exercise(own=divided_by_what, inputs=lesson01.INPUTS, steps=STEPS, result="scaled scores", see=DIVIDING)
def scaled_scores(Q, K):
    """Check `f(Q, K)` → QKᵀ/√d_k, any leading axes. Returns Feedback."""
    return by_root_of_width(lesson01.products(Q, K), Q, K)
