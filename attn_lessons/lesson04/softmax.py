"""Lesson 04: a softmax that does not break.

The ways of SOFTMAX_MISTAKES are functions (x): the step of sharing out. Attention makes the same ones.
"""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

SHARES = "l04-shares"
WHY_E = "l04-why-exp"
WHICH_WAY = "l04-axis"
OVERFLOW = "l04-overflow"
AXIS_LOST = "l04-bug"

LARGE = np.array([[1000.0, 1001.0], [-1000.0, -1002.0]])
INPUTS = {
    "smallest": (np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]),),
    "square": (np.array([[0.0, 1.0], [3.0, 0.0]]),),
    "a single row": (np.array([1.0, 2.0, 4.0]),),
    "larger square": lambda draw: (draw(3, 3),),
    "batch": lambda draw: (draw(2, 3, 4),),
    "heads": lambda draw: (draw(2, 2, 3, 3),),
    "large scores": (LARGE,),
    "very negative scores": (np.array([[-1000.0, -1001.0]]),),
    "a blocked key": (np.array([[-np.inf, 5.0, 0.0], [0.0, 1000.0, 999.0]]),),
    "batch of large scores": (np.stack([LARGE, -LARGE]),),
    "far apart": (np.array([[0.0, -800.0]]),),
    "a single key": (np.array([[3.0], [-1000.0]]),),
    "blocked beside low scores": (np.array([[-np.inf, -150.0, -149.0], [-np.inf, -3e9, -3e9]]),),
    "small shares": (np.array([[0.0, 4.6, 11.5], [9.0, 2.0, 0.0]]),),
    "float32": (np.array([[1e4, -1e4, 0.0]], dtype=np.float32),),
}

# --------------------------------------------------------------------------- ways to take powers, and to divide them


def top(x):
    return x.max(axis=-1, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def shifted_along(axis):
    return lambda x: np.exp(x - x.max(axis=axis, keepdims=True))


def axis_lost(x):
    return np.exp(x - x.max(axis=-1))


stable, globally = shifted_along(-1), shifted_along(None)


def rows(powers):
    return powers / total(powers)


def each(divide, powers=(stable, np.exp, globally)):
    """One way to make a mistake for each way of taking the powers."""
    return [lambda x, take=take: divide(take(x)) for take in powers]


# fmt: off
SOFTMAX_MISTAKES = table(
    SHARES,
    Mistake("wrong-axis", "normalised over the queries", see=WHICH_WAY,
        say="Your *columns* sum to 1, your rows do not. A row belongs to one query, and it is the query that shares its attention out.",
        ways=[lambda x: maths.softmax(x, axis=-2),  # first: of many ways only some are tried together with others
            *each(lambda e: e / e.sum(axis=-2, keepdims=True), (stable, np.exp, globally, shifted_along(-2))),
            *each(lambda e: e / e.sum(axis=0), (stable, np.exp, globally, shifted_along(0))),
            lambda x: maths.softmax(x, axis=0)]),
    Mistake("whole-array", "normalised over the whole array", see=WHICH_WAY,
        say="All cells together sum to 1. Each row should: every query has a whole 1 to share out.",
        ways=each(lambda e: e / e.sum())),
    Mistake("axis-1", "axis=1 in place of the last axis", see=WHICH_WAY,
        say="Right for a matrix, where axis 1 is the last one. A batch has its keys elsewhere: count axes from the end.",
        ways=[*each(lambda e: e / e.sum(axis=1, keepdims=True), (stable, np.exp, globally, shifted_along(1))),
            lambda x: maths.softmax(x, axis=1)]),
    Mistake("missing-keepdims", "the sum or maximum lost its axis (keepdims)", see=AXIS_LOST,
        say="Without keepdims a sum (or maximum) of rows has shape (L,), and NumPy lays it along the *columns*. On a square matrix nothing warns you: cells meet the numbers of other rows.",
        ways=[*each(lambda e: e / e.sum(axis=-1), (stable, np.exp, globally, axis_lost)), *each(rows, (axis_lost,))]),
    Mistake("transpose-trick", "the .T trick, for matrices only", see=AXIS_LOST,
        say="Turned back with a second .T this is right for one matrix. Of a batch .T reverses *all* axes.",
        ways=[*each(lambda e: (e.T / e.sum(axis=-1)).T), *each(lambda e: e.T / e.sum(axis=-1))]),
    Mistake("no-max-subtraction", "the largest score is not subtracted", see=OVERFLOW,
        say="Right for small scores. exp of a large score overflows to inf, and inf/inf is NaN. Which change of the scores leaves all shares as they are?",
        ways=each(rows, (np.exp, lambda x: np.exp(x.astype(np.float32)), lambda x: np.exp(x.astype(np.longdouble))))),
    Mistake("global-max", "one maximum for all rows", see=OVERFLOW,
        say="A row far below the largest score of *another* row underflows to 0/0. Each row needs its own maximum.",
        ways=each(rows, (globally, shifted_along((-2, -1))))),
    Mistake("maximum-of-columns", "the maximum runs along the wrong axis", see=OVERFLOW,
        say="A shift cancels only if all scores of one row are shifted alike. Subtract from each row *its own* maximum: the last axis, counted from the end.",
        ways=each(rows, (shifted_along(0), shifted_along(-2), shifted_along(1)))),
    Mistake("not-normalised", "not divided by the sum",
        say="Your rows do not sum to 1: the powers of e have not been turned into shares.",
        ways=each(lambda e: e)),
    Mistake("no-exponential", "divided by the sum without exp",
        say="No power is taken. Plain scores make negative shares or 0/0; with the largest subtracted, it is the largest that gets 0.",
        ways=[rows, lambda x: x / x.sum(axis=-1), lambda x: rows(x - top(x)), lambda x: rows(x - x.max())]),
    Mistake("log-softmax", "the logarithm of softmax",
        say="Your values are the logarithms of the shares. One exp is left to do.",
        ways=[lambda x: np.log(maths.softmax(x)), lambda x: x - top(x) - np.log(total(stable(x))),
            lambda x: x - np.log(total(np.exp(x)))]),
    Mistake("sigmoid", "each score on its own (sigmoid)",
        say="Each value lies between 0 and 1, but a row does not sum to 1: the keys must compete.",
        ways=[lambda x: 1 / (1 + np.exp(-x))]),
    Mistake("shift-only-above", "the maximum is subtracted above, not below", see=OVERFLOW,
        say="A shift cancels only if the powers and their sum have both been shifted. Compute the powers once, and use them twice.",
        ways=[lambda x: stable(x) / total(np.exp(x)), lambda x: np.exp(x) / total(stable(x))]),
    Mistake("sign-reversed", "the largest score gets the smallest share",
        say="The order is turned round: subtract the maximum from x, not x from the maximum.",
        ways=each(rows, (lambda x: np.exp(-x), lambda x: np.exp(top(x) - x), lambda x: stable(-x)))),
    Mistake("wrong-shift", "shifted by something else than the largest score", see=OVERFLOW,
        say="A shift cancels as long as no power overflows, not all powers of a row vanish, and it is no −inf itself. Only *subtracting the largest* is safe whatever the scores.",
        ways=each(rows, [lambda x, by=by: np.exp(x - by(x)) for by in (lambda x: x.min(-1, keepdims=True),
            lambda x: x.mean(-1, keepdims=True), lambda x: x[..., :1], lambda x: top(np.abs(x)), lambda x: -top(x),
            lambda x: -top(np.abs(x)), lambda x: x[..., -1:], lambda x: np.maximum(top(x), 0), lambda x: 2 * top(x),
            lambda x: np.median(x, axis=-1, keepdims=True), total, lambda x: 1000)])),
    Mistake("rounded", "the shares are rounded",
        say="The cells look alike because they are printed with three digits. Rounded shares no longer sum to 1; round when you print.",
        ways=[lambda x, digits=digits: maths.softmax(x).round(digits) for digits in (1, 2, 3, 4)]),
    Mistake("powers-of-two", "2 in place of e", see=WHY_E,
        say="Your rows sum to 1 but are too even: base 2 is base e at a temperature of 1/ln 2, about 1.44.",
        ways=[lambda x: rows(2 ** (x - top(x)))]),
    Mistake("another-base", "another base in place of e", see=WHY_E,
        say="Your rows sum to 1, but another base is another temperature. np.exp knows e to all its digits.",
        ways=[lambda x, b=b: rows(b ** (x - top(x))) for b in (10, 3, 2.7, 2.71, 2.718, 2.72)]),
    Mistake("hard-maximum", "the largest score takes everything",
        say="Softmax is soft: a smaller score gets a smaller share, and not none.",
        ways=[lambda x: (x == top(x)) * 1.0, lambda x: np.eye(x.shape[-1])[x.argmax(-1)],
            lambda x: rows((x == top(x)) * 1.0)]),
    Mistake("unit-length", "divided by the length, not by the sum",
        say="The *squares* of your row sum to 1. Shares themselves sum to 1.",
        ways=each(lambda e: e / np.sqrt(total(e**2)), (stable, np.exp, lambda x: x))),
    Mistake("stretched", "the scores are stretched to 0 … 1",
        say="The smallest score became 0 and the largest 1, but a row does not sum to 1: these are no shares.",
        ways=[lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True),
            lambda x: (x - x.min()) / (x.max() - x.min())]),
    Mistake("shares-of-another-function", "another function than e to the power", see=WHY_E,
        say="You divide by the sum, but of other numbers than powers of e. With powers, a score that is larger by 1 always gets e times the share.",
        ways=each(rows, (np.abs, np.square, lambda x: np.maximum(x, 0), lambda x: x - x.min(-1, keepdims=True),
            lambda x: 1 / (1 + np.exp(-x)), lambda x: np.log1p(np.exp(x)), np.expm1,
            lambda x: np.expm1(x - top(x)), np.tanh, lambda x: np.log1p(np.abs(x))))),
    Mistake("logarithm-overflows", "the logarithm of the sum overflows", see="l04-lse",
        say="Right for small scores. Inside the logarithm e to a large score is inf already. The largest has to go out of the sum before the powers are taken.",
        ways=[lambda x: np.exp(x - np.log(total(np.exp(x))))]),
)

CLIPPED = Mistake("clipped", "scores are cut off at a limit", see=OVERFLOW,
    say="Nothing overflows, but beyond the limit all scores become the same. Which change keeps the differences of the scores?",
    ways=[*each(rows, [lambda x, n=n: np.exp(np.clip(x, -n, n)) for n in (10, 20, 30, 50, 100, 500, 700)]),
        *each(rows, [lambda x, n=n: np.exp(np.minimum(x, n)) for n in (50, 100, 700)]),
        *each(rows, [lambda x, n=n: np.exp(np.maximum(x - top(x), -n)) for n in (10, 20, 50)])])
ONLY_IF_LARGE = Mistake("shifted-only-if-large", "the largest is subtracted only where scores are large", see=OVERFLOW,
    say="Of very *low* scores all powers become 0, and 0/0 is NaN. Subtracting the largest does no harm to any row.",
    ways=[lambda x, take=take, limit=limit: rows(take(x) if np.max(x) > limit else np.exp(x))
        for take, limit in ((stable, 100), (globally, 100), (globally, 700))])

# Those of a function that is asked for softmax alone; inside attention they would cost time.
ALONE = table(
    OVERFLOW,
    Mistake("blocked-key-counts", "−inf is replaced by a number",
        say="A score of −inf gets a share of exactly 0, as e to the −inf is 0. Any number in its place is a score like others, and may even be the largest.",
        ways=[lambda x, low=low: maths.softmax(np.where(np.isneginf(x), low, x))
            for low in (0, -1, -10, -100, -1e9)]),
    CLIPPED,
    ONLY_IF_LARGE,
    Mistake("divided-by-maximum", "divided by the largest score, where it is to be subtracted",
        say="A division brings the scores nearer to one another, and so changes the shares; and by a largest score of 0 it is no number. A subtraction changes no difference.",
        ways=each(rows, (lambda x: np.exp(x / top(x)), lambda x: np.exp(x / x.max())))),
    Mistake("shift-after-exp", "the largest is subtracted from the powers",
        say="exp has overflowed by then, and the smaller powers fall below 0. It is the *scores* from which the largest is taken away, before exp.",
        ways=[lambda x, what=what: rows(np.exp(x) - what(x)) for what in (lambda x: top(np.exp(x)), top, np.max)]),
    Mistake("nan-to-num", "NaN turned into a number",
        say="What is NaN comes out as a number now, and as a wrong one: the powers still overflow. Which change keeps them from it?",
        ways=[lambda x: np.nan_to_num(rows(np.exp(x))), lambda x: np.nan_to_num(rows(globally(x))),
            lambda x: np.nan_to_num(rows(np.exp(x)), nan=1 / x.shape[-1]),
            lambda x: np.nan_to_num(rows(np.exp(x)), nan=1.0)]),
    Mistake("standardised", "the scores are brought to one scale first", see=WHY_E,
        say="Divided by their own spread or length, scores that lie far apart give the same shares as scores that lie close. Only a shift leaves the shares alone.",
        ways=each(rows, (lambda x: np.exp((x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)),
            lambda x: np.exp((x - x.min(-1, keepdims=True)) / np.ptp(x, axis=-1, keepdims=True)),
            lambda x: np.exp((x - top(x)) / np.ptp(x, axis=-1, keepdims=True)),
            lambda x: np.exp(x / np.linalg.norm(x, axis=-1, keepdims=True))))),
    Mistake("sign-lost", "the scores lose their signs first", see=SHARES,
        say="−3 counts like 3 there. A negative score is a low one, and e to it is small.",
        ways=each(rows, (lambda x: stable(np.abs(x)), lambda x: stable(x**2), lambda x: np.exp(np.abs(x))))),
    Mistake("unlike-above-and-below", "other numbers below the line than above", see=SHARES,
        say="Above the line stands one power, below it the sum of all these powers. In yours exp is missing on one side, or is taken of what has been summed already.",
        ways=[lambda x: np.exp(x) / total(x), lambda x: stable(x) / total(x), lambda x: np.exp(x) / np.exp(total(x)),
            lambda x: np.exp(rows(x)), lambda x: stable(x) / np.exp(total(x - top(x))), lambda x: x / total(np.exp(x)),
            lambda x: x / total(stable(x))]),
    Mistake("epsilon", "a small number is added to the sum",
        say="The rows sum to less than 1. After the shift the largest power is 1, so the sum is never 0 and needs no help.",
        ways=[lambda x, small=small: stable(x) / (total(stable(x)) + small)
            for small in (1, 0.1, 0.01, 1e-3, 1e-4, 1e-5)]),
    Mistake("half-precision", "computed with too few digits",
        say="float16 keeps three digits, and no number above 65504. Leave the numbers in the dtype in which they come.",
        ways=[lambda x: maths.softmax(x).astype(np.float16), lambda x: rows(stable(x.astype(np.float16))),
            lambda x: rows(stable(x).astype(np.float16))]),
)


@exercise(inputs=INPUTS, mistakes=[*SOFTMAX_MISTAKES, *ALONE], result="softmax", see=SHARES, see_nan=OVERFLOW)
def softmax(x):
    """Check `f(x)` → softmax over the last axis. Returns Feedback."""
    return maths.softmax(x)
