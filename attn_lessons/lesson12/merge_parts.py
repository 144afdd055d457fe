"""Lesson 12, transfer: one output, put together from the outputs of several parts of a text."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

MIX = "l12-mix"
ONE_PASS = "l12-one-pass"
LOWEST = np.finfo(float).min  # subtracted where all is blocked: −∞ − (−∞) is NaN


def parts(scores, values):
    """What the exercise is given, of the scores and values of each part: outputs, maxima and sums."""
    scores = [np.array(part) for part in scores]
    maxima = np.array([part.max() for part in scores])
    outputs = [maths.softmax(s) @ np.array(v, dtype=float) for s, v in zip(scores, values, strict=True)]
    sums = [np.exp(s - max(s.max(), LOWEST)).sum() for s in scores]
    return np.array(outputs), maxima, np.array(sums)


def drawn(*lengths, d_v=2, factor=1.0):
    """Parts of these lengths, whose scores and values are drawn."""
    return lambda draw: parts(
        [factor * draw(n) + np.arange(n) for n in lengths], [draw(n, d_v) for n in lengths]
    )


INPUTS = {
    "two parts": parts([[0.0, 1.0], [2.0]], [[[4.0, 0.0], [0.0, 0.0]], [[0.0, 2.0]]]),
    "equal maxima": parts([[1.0, 1.0], [1.0]], [[[4.0], [2.0]], [[0.0]]]),
    "the first part far above": parts([[6.0, 5.0], [0.0, 1.0]], [[[1.0], [3.0]], [[8.0], [9.0]]]),
    "three parts": drawn(1, 4, 2, d_v=3),
    "a single part": drawn(3),
    "decimals": drawn(5, 1, 3, 2, factor=0.37),
    "large scores": parts([[1000.0, 999.0], [1001.0]], [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 0.0]]]),
    "very negative scores": parts([[-1000.0], [-1001.0, -999.5]], [[[1.0]], [[2.0], [3.0]]]),
    "far apart": parts([[-800.0], [800.0, 799.0], [0.0]], [[[9.0]], [[1.0], [2.0]], [[5.0]]]),
    "a part that is blocked": parts([[-np.inf, -np.inf], [1.0, 2.0]], [[[7.0], [8.0]], [[1.0], [3.0]]]),
}


def weighted(weights):
    """The mean of the outputs, weighted by `weights(maxima, sums)`."""

    def merge(outputs, maxima, sums):
        found = weights(maxima, sums)
        return found / found.sum() @ outputs

    return merge


def undivided(weights):
    return lambda outputs, maxima, sums: weights(maxima, sums) @ outputs


def totals(maxima, sums):
    return sums * np.exp(maxima - max(maxima.max(), LOWEST))


def shifted_by(pick):
    return weighted(lambda maxima, sums: sums * np.exp(maxima - pick(maxima)))


def one_after_another(of_sum=True, of_mix=True, safe=True, weigh=lambda total: total):
    """The pass of the lesson over parts: whether the sum and the output so far are corrected, and −∞ is allowed for."""

    def factor(old, new):
        return 0.0 if safe and not np.isfinite(old) else np.exp(old - new)

    def merge(outputs, maxima, sums):
        largest, total, mix = -np.inf, 0.0, 0.0
        for output, maximum, part in zip(outputs, maxima, sums, strict=True):
            new = max(largest, maximum)
            before, here = factor(largest, new), factor(maximum, new)
            total = total * (before if of_sum else 1) + part * here
            mix = mix * (before if of_mix else 1) + weigh(part) * here * output
            largest = new
        return mix / total

    return merge


# fmt: off
MISTAKES = table(
    MIX,
    Mistake("averaged", "all parts have the same weight",
        say="You give all parts the same weight. A part's weight is the sum of the exponentials of its scores.",
        ways=[lambda outputs, maxima, sums: outputs.mean(axis=0)]),
    Mistake("maxima-ignored", "the sums are compared without their maxima", see=ONE_PASS,
        say="You compare the sums directly, but each is relative to the maximum of its *own* part. Which factor makes them all relative to the same maximum?",
        ways=[weighted(lambda m, s: s), undivided(lambda m, s: maths.softmax(s))]),
    Mistake("sums-ignored", "only the maxima are compared",
        say="You weight each part by its largest score alone. The other scores count as well, and their exponentials are in its sum.",
        ways=[lambda outputs, maxima, sums: maths.softmax(maxima) @ outputs]),
    Mistake("sums-as-logarithms", "maxima and sums are combined in the wrong way",
        say="You combine maxima and sums, but a maximum is a score and a sum is a sum of exponentials. They fit together as eᵐ · sum, or as m + ln sum.",
        ways=[undivided(lambda m, s: maths.softmax(m + s)), undivided(lambda m, s: maths.softmax(m * s)),
            weighted(lambda maxima, sums: maxima * sums), weighted(lambda maxima, sums: maxima + sums),
            weighted(lambda maxima, sums: sums * (maxima - maxima.max())),
            weighted(lambda maxima, sums: sums + np.exp(maxima - maxima.max())),
            undivided(lambda m, s: maths.softmax(m * np.log(s)))]),
    Mistake("not-divided", "not divided by the corrected sum of all",
        say="Your weights don't sum to 1. Each sum has its factor, so what is left to divide by?",
        ways=[undivided(totals), undivided(lambda maxima, sums: sums * np.exp(maxima)),
            undivided(lambda maxima, sums: totals(maxima, sums) / sums.sum()),
            undivided(lambda maxima, sums: totals(maxima, sums) / len(sums)),
            undivided(lambda maxima, sums: totals(maxima, sums) / totals(maxima, sums).max()),
            undivided(lambda maxima, sums: totals(maxima, sums) / np.exp(maxima - maxima.max()).sum())]),
    Mistake("divided-twice", "each output is divided once more",
        say="You treat the outputs as undivided sums, as in the lesson's pass. Here each output is already divided by the sum of its part, so what undoes that?",
        ways=[lambda outputs, maxima, sums: np.exp(maxima - maxima.max()) @ outputs / totals(maxima, sums).sum(),
            lambda outputs, maxima, sums: np.exp(maxima) @ outputs / (sums * np.exp(maxima)).sum(),
            lambda outputs, maxima, sums: np.exp(maxima - maxima.max()) @ outputs / sums.sum(),
            one_after_another(safe=False, weigh=lambda part: 1.0)]),
    Mistake("no-max-subtraction", "the largest maximum is not subtracted", see="l04-overflow",
        say="Your result is right for small scores. For large ones e to the power of a maximum overflows.",
        ways=[weighted(lambda maxima, sums: sums * np.exp(maxima))]),
    Mistake("wrong-maximum", "the wrong maximum is subtracted", see="l04-overflow",
        say="You subtract a number that isn't the largest maximum. On paper any number cancels, but only the *largest* avoids overflow and division by 0.",
        ways=[shifted_by(lambda maxima: maxima[0]), shifted_by(lambda maxima: maxima[-1]),
            shifted_by(lambda maxima: max(0.0, maxima.max()))]),
    Mistake("factor-upside-down", "the factor is upside down", see=ONE_PASS,
        say="In your result a part with a maximum *below* the largest grows. It must shrink.",
        ways=[weighted(lambda maxima, sums: sums * np.exp(maxima.max() - maxima))]),
    Mistake("along-the-columns", "the weights run along the columns, not the rows",
        say="Your product of shapes (n, d_v) and (n,) multiplies columns by the weights. A weight belongs to a row: make a column of the weights, or use a product that sums over parts.",
        ways=[lambda outputs, maxima, sums, axis=axis: (
            (outputs * totals(maxima, sums)).sum(axis=axis) / totals(maxima, sums).sum()) for axis in (0, 1)]),
    Mistake("not-rescaled", "the result so far isn't corrected when the maximum moves", see="l12-bug",
        say="You don't correct everything when a larger maximum comes. The sum so far *and* the output so far need the same factor.",
        ways=[one_after_another(*corrected, safe=safe)
            for corrected in ((True, False), (False, True), (False, False)) for safe in (True, False)]),
    Mistake("some-parts-only", "only some of the parts count",
        say="You use the output of only one part, or of some. Every part counts, in proportion to the sum of its exponentials.",
        ways=[lambda o, m, s: o[m.argmax()], lambda o, m, s: o[s.argmax()], lambda o, m, s: o[0], lambda o, m, s: o[-1],
            *[lambda o, m, s, which=which: totals(m, s)[which] @ o[which] / totals(m, s)[which].sum()
                for which in (slice(2), [0, 1], slice(-1), slice(1, None))]]),
    Mistake("shared-again", "softmax of sums of exponentials",
        say="You apply softmax to the corrected sums, which takes exponentials a second time. They become weights when you divide by their total.",
        ways=[undivided(lambda m, s: maths.softmax(totals(m, s))),
            undivided(lambda m, s: maths.softmax(totals(m, s) / totals(m, s).sum()))]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="output", see=MIX)
def merge_parts(outputs, maxima, sums):
    """Check `f(outputs, maxima, sums)` → output (d_v,) of all parts, from those of each: (n, d_v), (n,), (n,). Returns Feedback."""
    found = totals(maxima, sums)
    return found / (found.sum() or 1) @ outputs
