"""Lesson 04: a softmax that doesn't break.

The ways of SOFTMAX_MISTAKES are functions (x), the step that turns scores into weights. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, table
from attn_parts import mathematics as maths

WEIGHTS = "l04-shares"
OVERFLOW = "l04-overflow"
AXIS = "l04-bug"

LARGE = np.array([[1000.0, 1001.0], [-1000.0, -1002.0]])
INPUTS = {
    "smallest": (np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]),),
    "square": (np.array([[0.0, 1.0], [3.0, 0.0]]),),
    "a single row": (np.array([1.0, 2.0, 4.0]),),
    "larger square": lambda draw: (draw(3, 3),),
    "batch": lambda draw: (draw(2, 3, 4),),
    "heads": lambda draw: (draw(2, 3, 4, 5),),
    "large scores": (LARGE,),
    "very negative scores": (np.array([[-1000.0, -1001.0]]),),
    "a blocked key": (np.array([[-np.inf, 5.0, 0.0], [0.0, 1000.0, 999.0]]),),
    "batch of large scores": (np.stack([LARGE, -LARGE]),),
    "far apart": (np.array([[0.0, -800.0]]),),
    "a single key": (np.array([[3.0], [-1000.0]]),),
    "blocked beside low scores": (np.array([[-np.inf, -150.0, -149.0], [-np.inf, -3e9, -3e9]]),),
    "small weights": (np.array([[0.0, 4.6, 11.5], [9.0, 2.0, 0.0]]),),
    "float32": (np.array([[1e4, -1e4, 0.0]], dtype=np.float32),),
}

# --------------------------------------------------------------------------- ways to exponentiate, and to normalise


def top(x):
    return x.max(axis=-1, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def shifted_along(axis):
    return lambda x: np.exp(x - x.max(axis=axis, keepdims=True))


def axis_lost(x):
    return np.exp(x - x.max(axis=-1))


stable, globally = shifted_along(-1), shifted_along(None)


def rows(exponentials):
    return exponentials / total(exponentials)


def each(divide, exponentials):
    """One way to make a mistake for each way of exponentiating."""
    return [lambda x, take=take: divide(take(x)) for take in exponentials]


# fmt: off
def softmax_mistakes(exponentials=(stable, np.exp, globally)):
    """The table of mistakes; those of dividing come with each of these ways to exponentiate."""
    return table(
    WEIGHTS,
    Mistake("wrong-axis", "normalised over the queries", see=AXIS,
        say="In a matrix your *columns* sum to 1, and your rows don't. A row belongs to one query, so the sum should run along the row.",
        # first: of many ways only some are tried together with others
        ways=[lambda x: maths.softmax(x, axis=-2), lambda x: maths.softmax(x, axis=0),
            *each(lambda e: e / e.sum(axis=-2, keepdims=True), (*exponentials, shifted_along(-2))),
            *each(lambda e: e / e.sum(axis=0), (*exponentials, shifted_along(0)))]),
    Mistake("whole-array", "normalised over the whole array", see=AXIS,
        say="All cells together sum to 1. Every query has a whole 1 of attention, so each *row* should sum to 1.",
        ways=each(lambda e: e / e.sum(), exponentials)),
    Mistake("axis-1", "axis=1, or a loop over axis 0", see=AXIS,
        say="Axis 1 is the last one in a matrix only. In a batch the keys are on another axis, so count axes from the end.",
        ways=[*each(lambda e: e / e.sum(axis=1, keepdims=True), (*exponentials, shifted_along(1))),
            lambda x: maths.softmax(x, axis=1)]),
    Mistake("missing-keepdims", "the sum or maximum lost its axis (keepdims)", see=AXIS,
        say="Without keepdims the sums (or maxima) of the rows have shape (L,), and NumPy uses them for the *columns*. On a square matrix nothing warns you, but each cell off the diagonal gets the number of another row.",
        ways=[*each(lambda e: e / e.sum(axis=-1), (*exponentials, axis_lost)), *each(rows, (axis_lost,))]),
    Mistake("transpose-trick", "the .T trick, for matrices only", see=AXIS,
        say="With a second .T at the end this is right for one matrix. In a batch .T reverses *all* axes, the first one as well.",
        ways=[*each(lambda e: (e.T / e.sum(axis=-1)).T, exponentials), *each(lambda e: e.T / e.sum(axis=-1), exponentials)]),
    Mistake("no-max-subtraction", "the largest score is not subtracted", see=OVERFLOW,
        say="For a large score exp overflows to inf, and inf/inf is NaN. If all exponentials become 0, 0/0 is NaN as well. Which change of the scores leaves all weights as they are?",
        ways=each(rows, (np.exp, lambda x: np.exp(x.astype(np.float32)), lambda x: np.exp(x.astype(np.longdouble))))),
    Mistake("global-max", "one maximum for all rows", see=OVERFLOW,
        say="In a row far below the largest score of *another* row all exponentials underflow to 0, so each row needs its own maximum.",
        ways=[*each(rows, (globally, shifted_along((-2, -1)))), lambda x: np.nan_to_num(rows(globally(x)))]),
    Mistake("maximum-of-columns", "the maximum runs along the wrong axis", see=OVERFLOW,
        say="A shift cancels only if all scores of a row are shifted by the same number. Take the maximum of each *row*, along the last axis.",
        ways=each(rows, (shifted_along(0), shifted_along(-2), shifted_along(1)))),
    Mistake("not-normalised", "not divided by the sum",
        say="Your rows don't sum to 1. These are exponentials, and each row still has to be divided by its sum.",
        ways=each(lambda e: e, exponentials)),
    Mistake("no-exponential", "divided by the sum without exp",
        say="You divide the scores, shifted or not, by their sum, which can give negative weights or 0/0. Exponentiate first.",
        ways=[rows, lambda x: x / x.sum(axis=-1), lambda x: rows(x - top(x)), lambda x: rows(x - x.max())]),
    Mistake("log-softmax", "the logarithm of softmax",
        say="Your numbers are the logarithms of the weights. One exp is missing.",
        ways=[lambda x: np.log(maths.softmax(x)), lambda x: x - top(x) - np.log(total(stable(x))),
            lambda x: x - np.log(total(np.exp(x)))]),
    Mistake("sigmoid", "each score on its own (sigmoid)",
        say="Each number is between 0 and 1, but the rows don't sum to 1. The keys of a row must compete for one whole 1.",
        ways=[lambda x: 1 / (1 + np.exp(-x))]),
    Mistake("shift-only-above", "the maximum is subtracted in the numerator only, or in the denominator only", see=OVERFLOW,
        say="The shift cancels only if it is in the exponentials and in their sum. Compute the exponentials once, and use them twice.",
        ways=[lambda x: stable(x) / total(np.exp(x)), lambda x: np.exp(x) / total(stable(x))]),
    Mistake("sign-reversed", "the largest score gets the smallest weight",
        say="The order is reversed. Is there a minus sign before the scores, do you subtract them from the maximum, or take an absolute value?",
        ways=each(rows, (lambda x: np.exp(-x), lambda x: np.exp(top(x) - x), lambda x: stable(-x)))),
    Mistake("wrong-shift", "shifted by something other than the largest score", see=OVERFLOW,
        say="Your shift doesn't suit every row. In some the exponentials overflow, or all of them become 0. Only subtracting the *largest* score of the row is always safe.",
        ways=each(rows, [lambda x, by=by: np.exp(x - by(x)) for by in (lambda x: x.min(-1, keepdims=True),
            lambda x: x.mean(-1, keepdims=True), lambda x: x[..., :1], lambda x: top(np.abs(x)), lambda x: -top(x),
            lambda x: -top(np.abs(x)), lambda x: x[..., -1:], lambda x: np.maximum(top(x), 0), lambda x: 2 * top(x),
            lambda x: np.median(x, axis=-1, keepdims=True), total, lambda x: 1000, np.mean, np.min)])),
    Mistake("rounded", "the weights are rounded",
        say="The cells may look alike because only three digits are printed. Rounded weights may no longer sum to 1, so round only when you print.",
        ways=[lambda x, digits=digits: maths.softmax(x).round(digits) for digits in (1, 2, 3, 4)]),
    Mistake("another-base", "another base instead of e", see=WEIGHTS,
        say="You take powers of a number other than e. np.exp uses e with all its digits.",
        ways=[lambda x, b=b: rows(b ** (x - top(x))) for b in (2, 10, 3, 2.7, 2.71, 2.718, 2.72)]),
    Mistake("hard-maximum", "the largest score takes everything",
        say="Only the largest score gets any weight. In softmax a smaller score gets a smaller weight, but more than 0.",
        ways=[lambda x: (x == top(x)) * 1.0, lambda x: np.eye(x.shape[-1])[x.argmax(-1)],
            lambda x: rows((x == top(x)) * 1.0)]),
    Mistake("stretched", "the scores are stretched to 0 … 1",
        say="The smallest score became 0 and the largest 1, but the rows don't sum to 1.",
        ways=[lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True),
            lambda x: (x - x.min()) / (x.max() - x.min())]),
)


SOFTMAX_MISTAKES = softmax_mistakes()  # a step of attention
ONE_SLIP = softmax_mistakes([stable])  # where shifting, exponentiating and dividing are steps of their own
DIVIDED_BY_MAXIMUM = Mistake("divided-by-maximum", "divided by the largest score instead of subtracting it", see=OVERFLOW,
    say="A division changes the differences between the scores, and so the weights. A subtraction keeps them.",
    ways=[lambda x: x / top(x), lambda x: x / x.max()])
SHIFT = (DIVIDED_BY_MAXIMUM, *again(ONE_SLIP, {
    "no-max-subtraction": [lambda x: x],
    "global-max": [lambda x: x - x.max()],
    "maximum-of-columns": [lambda x: x - x.max(axis=0), lambda x: x - x.max(axis=-2, keepdims=True), lambda x: x - x.max(axis=1, keepdims=True)],
    "missing-keepdims": [lambda x: x - x.max(axis=-1), lambda x: x - x.max(axis=1)],
    "wrong-shift": [lambda x: x - x.min(-1, keepdims=True), lambda x: x + top(x), lambda x: x - x.mean(-1, keepdims=True),
        lambda x: x - x.min(), lambda x: x - x.mean(), lambda x: x - top(np.abs(x))],
    "sign-reversed": [lambda x: top(x) - x, lambda x: -x, lambda x: x.max() - x, lambda x: x.max(axis=0) - x],
}))
EXPONENTIATE = again(ONE_SLIP, {
    "another-base": [np.exp2, lambda x: 10 ** x, lambda x: 2.718 ** x],
    "sign-reversed": [lambda x: np.exp(-x), lambda x: np.exp(abs(x))],
    "no-exponential": [lambda x: x],
})
NORMALISE = again(ONE_SLIP, {
    "not-normalised": [lambda e: e],
    "wrong-axis": [lambda e: e / e.sum(axis=-2, keepdims=True), lambda e: e / e.sum(axis=0)],
    "whole-array": [lambda e: e / e.sum()],
    "axis-1": [lambda e: e / e.sum(axis=1, keepdims=True)],
    "missing-keepdims": [lambda e: e / e.sum(axis=-1), lambda e: e / e.sum(axis=1)],
    "transpose-trick": [lambda e: (e.T / e.sum(axis=-1)).T, lambda e: e.T / e.sum(axis=-1)],
    "rounded": [lambda e, digits=digits: rows(e).round(digits) for digits in (1, 2, 3, 4)],
})

CLIPPED = Mistake("clipped", "scores are cut off at a limit", see=OVERFLOW,
    say="Beyond your limit all scores become the same. If the limit is only at the top, very negative rows still become 0/0. After you subtract the largest score of a row, no limit is needed.",
    ways=[*each(rows, [lambda x, n=n: np.exp(np.clip(x, -n, n)) for n in (10, 20, 30, 50, 100, 500, 700)]),
        *each(rows, [lambda x, n=n: np.exp(np.minimum(x, n)) for n in (50, 100, 700)]),
        *each(rows, [lambda x, n=n: np.exp(np.maximum(x - top(x), -n)) for n in (10, 20, 50)])])
ONLY_IF_LARGE = Mistake("shifted-only-if-large", "the largest is subtracted only if scores are large", see=OVERFLOW,
    say="If all scores are very *low*, all exponentials become 0, and 0/0 is NaN. Subtract its largest score from every row, because it does no harm.",
    ways=[lambda x, take=take, limit=limit: rows(take(x) if np.max(x) > limit else np.exp(x))
        for take, limit in ((stable, 100), (globally, 100), (globally, 700))])

# Only for softmax by itself, because inside attention they would cost time.
ALONE = table(
    OVERFLOW,
    CLIPPED,
    ONLY_IF_LARGE,
    Mistake("shift-after-exp", "the largest is subtracted from the exponentials",
        say="By then exp may have overflowed, and some differences are negative. Subtract the largest *score* from the scores, before exp.",
        ways=[lambda x, what=what: rows(np.exp(x) - what(x)) for what in (lambda x: top(np.exp(x)), top, np.max)]),
    Mistake("nan-to-num", "NaN or inf turned into a number",
        say="You replace NaN or inf by a number, and it is a wrong one, because the exponentials still overflow. Which change of the scores prevents that?",
        ways=[lambda x: np.nan_to_num(rows(np.exp(x))), lambda x: rows(np.nan_to_num(np.exp(x))),
            lambda x: np.nan_to_num(rows(np.exp(x)), nan=1 / x.shape[-1]),
            lambda x: np.nan_to_num(rows(np.exp(x)), nan=1.0)]),
    Mistake("numerator-unlike-denominator", "exp is missing on one side, or comes too late", see=WEIGHTS,
        say="The numerator is one exponential, and the denominator is the sum of them all. In yours exp is missing on one side, or it is taken after the sum.",
        ways=[lambda x: np.exp(x) / total(x), lambda x: stable(x) / total(x), lambda x: np.exp(x) / np.exp(total(x)),
            lambda x: np.exp(rows(x)), lambda x: stable(x) / np.exp(total(x - top(x))), lambda x: x / total(np.exp(x)),
            lambda x: x / total(stable(x))]),
    Mistake("epsilon", "a number is added to the sum",
        say="Your rows sum to less than 1. After the shift the largest exponential is 1, so the sum is never 0 and you need add nothing.",
        ways=[lambda x, small=small: stable(x) / (total(stable(x)) + small)
            for small in (1, 0.1, 0.01, 1e-3, 1e-4, 1e-5)]),
    Mistake("half-precision", "computed with too few digits",
        say="float16 keeps three digits, and no number above 65504. Keep the dtype of the input.",
        ways=[lambda x: maths.softmax(x).astype(np.float16), lambda x: rows(stable(x.astype(np.float16))),
            lambda x: rows(stable(x).astype(np.float16))]),
)


STEPS = Steps("x", {
    "replace": Step("x", "x", [
        Mistake("blocked-key-counts", "−inf is replaced by a number", see=OVERFLOW,
            say="A score of −inf gets a weight of exactly 0, because e to the −inf is 0. Any number that replaces it is a score like the others, and may even be the largest.",
            ways=[lambda x, low=low: np.where(np.isneginf(x), low, x) for low in (0, -1e9, -100, -1, -10)]),
    ], lambda x: x),
    "shift": Step("x", "shifted", SHIFT, lambda x: x - top(x)),
    "exponentiate": Step("shifted", "e", EXPONENTIATE, np.exp),
    "normalise": Step("e", "result", NORMALISE, rows, fixed_first=True),
}, few=6)


@exercise(inputs=INPUTS, mistakes=[*ONE_SLIP, *STEPS.mistakes(), *ALONE], steps=STEPS, result="softmax", see=WEIGHTS, see_nan=OVERFLOW)
def softmax(x):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return maths.softmax(x)
