"""Lesson 04: softmax of all scores, computed from the softmaxes of two parts."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise
from attn_lessons.lesson04.softmax import OVERFLOW, WEIGHTS
from attn_parts import mathematics as maths

LOG_SUM_EXP = "l04-lse"


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


# fmt: off
PORTION_MISTAKES = [
    Mistake("parts-averaged", "both parts count the same",
        say="Each part got half of the whole, whatever its scores. The part with the larger sum of exponentials should get more.",
        ways=[lambda p, a, q, b: (0.5, 0.5), lambda p, a, q, b: (1 / (p.sum() + q.sum()),) * 2]),
    Mistake("weighted-by-length", "the length of a part has an effect",
        say="The number of scores in a part changes its portion. What counts is only how large the sum of their exponentials is.",
        ways=[lambda p, a, q, b: of_both(len(p), len(q)),
            lambda p, a, q, b: softmax_of(a + np.log(len(p)), b + np.log(len(q))),
            lambda p, a, q, b: softmax_of(a - np.log(len(p)), b - np.log(len(q)))]),
    Mistake("logarithms-as-portions", "log-sum-exps are used without exp",
        say="A log-sum-exp is the *logarithm* of a part's sum. The portions are in proportion to the sums themselves.",
        ways=[lambda p, a, q, b: of_both(a, b), lambda p, a, q, b: (a, b),
            lambda p, a, q, b: (a / np.logaddexp(a, b), b / np.logaddexp(a, b)),
            lambda p, a, q, b: of_both(np.log(a), np.log(b)),
            lambda p, a, q, b: of_both(a - max(a, b), b - max(a, b)),
            lambda p, a, q, b: (a - max(a, b), b - max(a, b))]),
    Mistake("no-max-subtraction", "the larger log-sum-exp is not subtracted", see=OVERFLOW,
        say="e to the log-sum-exp is the sum itself, which overflows for large scores. Which number can you subtract from both a and b?",
        ways=[lambda p, a, q, b: of_both(np.exp(a), np.exp(b)),
            lambda p, a, q, b: np.exp(np.array([a, b]) - np.log(np.exp(a) + np.exp(b)))]),
    Mistake("wrong-shift", "something other than the larger log-sum-exp is subtracted", see=OVERFLOW,
        say="The shift cancels on paper, but only subtracting the *larger* of the two is safe. Otherwise one part can overflow, or be −inf itself.",
        ways=[shifted_by(lambda a, b: a), lambda p, a, q, b: of_both(1.0, np.exp(b - a)),
            lambda p, a, q, b: of_both(np.exp(a - b), 1.0), shifted_by(lambda a, b: b), shifted_by(min),
            shifted_by(lambda a, b: (a + b) / 2), shifted_by(lambda a, b: a + b),
            shifted_by(lambda a, b: -max(a, b))]),
    Mistake("not-normalised", "not divided by the sum of both", see=WEIGHTS,
        say="These are the exponentials of all scores, or a multiple of them. They still have to be divided by the sum of both parts.",
        ways=[lambda p, a, q, b: (np.exp(a), np.exp(b)),
            lambda p, a, q, b: (np.exp(a - max(a, b)), np.exp(b - max(a, b)))]),
    Mistake("shift-only-above", "the larger is subtracted in the numerator only, or in the denominator only", see=OVERFLOW,
        say="The shift cancels only if it is in the exponentials and in their sum. Compute the exponentials once, and use them twice.",
        ways=[lambda p, a, q, b: np.exp(np.array([a, b]) - max(a, b)) / (np.exp(a) + np.exp(b)),
            lambda p, a, q, b: np.exp(np.array([a, b])) / (np.exp(a - max(a, b)) + np.exp(b - max(a, b)))]),
    Mistake("another-base", "another base instead of e",
        say="A log-sum-exp is a logarithm to base e, so only e to that power gives the sum.",
        ways=[lambda p, a, q, b, base=base: of_both(base ** (a - max(a, b)), base ** (b - max(a, b)))
            for base in (2, 10)] + [lambda p, a, q, b: np.exp(np.array([a, b]) - np.logaddexp2(a, b))]),
    Mistake("wrong-total", "the log-sum-exp of the whole is wrong",
        say="You add, average or compare the two logarithms. The log-sum-exp of the whole is the logarithm of both *sums* together, eᵃ + eᵇ.",
        ways=[lambda p, a, q, b, total=total: np.exp(np.array([a, b]) - total(a, b))
            for total in (lambda a, b: a + b, lambda a, b: np.log(a + b), lambda a, b: (a + b) / 2, min)]),
    Mistake("sign-reversed", "the larger part gets less",
        say="The part with the larger log-sum-exp should get more, and yours gets less. Is a sign reversed, or do you divide by a portion?",
        ways=[lambda p, a, q, b: np.exp(np.logaddexp(a, b) - np.array([a, b])),
            lambda p, a, q, b: np.exp(max(a, b) - np.array([a, b])), lambda p, a, q, b: (np.exp(-a), np.exp(-b))]),
    Mistake("softmax-of-weights", "softmax of the weights", see=WEIGHTS,
        say="The weights have been through softmax already, so they need no second one. Compare the two log-sum-exps for the portions.",
        ways=[lambda p, a, q, b: softmax_of(p.sum(), q.sum())]),
]
STEPS = Steps("p a q b", {
    "portions": Step("p a q b", "of_p of_q", PORTION_MISTAKES, lambda p, a, q, b: softmax_of(a, b)),
    "give": Step("of_p of_q", "first second", [
        Mistake("portions-swapped", "a part has the other's portion",
            say="A part got the portion of the other. Multiply p by the portion made from a, and q by the one made from b, with no minus sign before them.",
            ways=[lambda of_p, of_q: (of_q, of_p), lambda of_p, of_q: (of_p, of_p), lambda of_p, of_q: (of_q, of_q)]),
        Mistake("portion-missing", "a part is used without its portion",
            say="p and q sum to 1 each, so neither can stay as it is. Multiply each by its portion of the whole.",
            ways=[lambda of_p, of_q: (1, 1), lambda of_p, of_q: (1, of_q), lambda of_p, of_q: (of_p, 1)]),
    ], lambda *portions: portions),
    "join": Step("first p second q", "result", [
        Mistake("parts-added", "the parts are added, not put side by side", see=WEIGHTS,
            say="The result needs as many weights as both parts together. + adds arrays cell by cell, and np.concatenate puts one behind the other.",
            ways=[lambda first, p, second, q: first * p + second * q, lambda first, p, second, q: p + q]),
        Mistake("parts-in-other-order", "the second part comes first",
            say="Your weights of q come before those of p. Put the parts in the order of the arguments.",
            ways=[lambda first, p, second, q: np.concatenate([second * q, first * p])]),
        Mistake("divided-by-count", "divided by a number of parts or weights",
            say="You divide by how many there are. Weights sum to 1 if you divide by their sum.",
            ways=[lambda first, p, second, q: np.append(first * p, second * q) / 2,
                lambda first, p, second, q: np.append(first * p, second * q) / (len(p) + len(q))]),
    ], lambda first, p, second, q: np.concatenate([first * p, second * q])),
}, few=8)
# Made of all weights at once, not of two portions.
AT_ONCE = again(STEPS.mistakes(), {
    "logarithms-as-portions": [lambda p, a, q, b: normalised(np.concatenate([p * a, q * b])),
        lambda p, a, q, b: normalised(np.concatenate([p + a, q + b]))],
    "softmax-of-weights": [lambda p, a, q, b: maths.softmax(np.concatenate([p, q])),
        lambda p, a, q, b: maths.softmax(np.concatenate([p + a, q + b])),
        lambda p, a, q, b: maths.softmax(np.concatenate([p * a, q * b]))],
    "sign-reversed": [lambda p, a, q, b: maths.softmax(np.concatenate([np.log(p) - a, np.log(q) - b]))],
})


@exercise(inputs=INPUTS, mistakes=[*STEPS.mistakes(), *AT_ONCE], steps=STEPS, result="weights", see=LOG_SUM_EXP)
def joined_softmax(p, a, q, b):
    """Check `f(p, a, q, b)` → softmax of all scores, from weights p, q and log-sum-exps a, b of two parts. Returns Feedback."""
    return STEPS.whole({})(p, a, q, b)
