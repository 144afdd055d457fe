"""Lesson 12, transfer: one output, put together from the outputs of several parts of a text; made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, same, table
from attn_lessons.lesson12.online_softmax import STEPS as ONE_PASS_STEPS
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
    "a part that is blocked beside very negative scores": parts(
        [[-1000.0, -1001.0], [-np.inf], [-1002.0]], [[[1.0], [5.0]], [[8.0]], [[3.0]]]
    ),
    "a part that is blocked": parts([[-np.inf, -np.inf], [1.0, 2.0]], [[[7.0], [8.0]], [[1.0], [3.0]]]),
}


def corrected(maxima):
    return np.exp(maxima - max(maxima.max(), LOWEST))


def one_after_another(of_sum, of_mix, safe):
    """The pass of the lesson over parts: whether the sum and the output so far are corrected, and −∞ is allowed for."""

    def factor(old, new):
        return 0.0 if safe and not np.isfinite(old) else np.exp(old - new)

    def merge(outputs, maxima, sums):
        largest, total, mix = -np.inf, 0.0, 0.0
        for output, maximum, part in zip(outputs, maxima, sums, strict=True):
            new = max(largest, maximum)
            before, here = factor(largest, new), factor(maximum, new)
            total = total * (before if of_sum else 1) + part * here
            mix = mix * (before if of_mix else 1) + part * here * output
            largest = new
        return mix / total

    return merge


def of_these(which, add=np.sum):
    """Some parts only; Python's sum of none is 0, and 0/0 of its own raises."""
    return lambda totals, outputs, *_: add(totals[which, None] * outputs[which], 0) / add(totals[which], 0)


# fmt: off
STEPS = Steps("outputs maxima sums", {
    "factors": Step("maxima", "factors", table(
        ONE_PASS,
        Mistake("maxima-ignored", "the sums are compared without their maxima",
            say="You compare the sums directly, but each is relative to the maximum of its *own* part. Which factor makes them all relative to the same maximum?",
            ways=[np.ones_like]),
        Mistake("no-max-subtraction", "the largest maximum is not subtracted", see="l04-overflow",
            say="You don't subtract the largest maximum, so e to the power of a large maximum overflows.",
            ways=[np.exp]),
        Mistake("wrong-maximum", "the wrong maximum is subtracted", see="l04-overflow",
            say="You subtract a number that isn't the largest maximum. On paper any number cancels, but only the *largest* avoids overflow and division by 0.",
            ways=[lambda maxima: np.exp(maxima - maxima[0]), lambda maxima: np.exp(maxima - maxima[-1]),
                lambda maxima: np.exp(maxima - maxima.mean()), lambda maxima: np.exp(maxima - max(0.0, maxima.max()))]),
        Mistake("factor-upside-down", "the factor is upside down",
            say="In your result a part with a maximum *below* the largest grows. It must shrink.",
            ways=[lambda maxima: np.exp(maxima.max() - maxima), lambda maxima: np.exp(maxima.max() - np.where(np.isfinite(maxima), maxima, maxima.max())),
                lambda maxima: np.where(np.isfinite(maxima), np.exp(maxima.max() - maxima), 0)]),
        *again(ONE_PASS_STEPS.mistakes(), {"powers-of-two": [lambda maxima: corrected(np.log(2) * maxima)]}),
        Mistake("no-exponential", "the factor isn't an exponential",
            say="Your factor is a maximum, or a difference of maxima. Maxima are scores, so the factor is e to the power of their difference.",
            ways=[np.array, lambda maxima: maxima - maxima.max()])), corrected),
    "totals": Step("factors sums", "totals", [
        Mistake("sums-ignored", "only the maxima are compared",
            say="You weight each part by its largest score alone. The other scores count as well, and their exponentials are in its sum.",
            ways=[lambda factors, sums: factors]),
        Mistake("sums-twice", "the sums are not multiplied in once",
            say="You multiply by the sums twice, or divide by them. An output is already divided by the sum of its part, so one multiplication undoes that.",
            ways=[lambda factors, sums: factors * sums**2, lambda factors, sums: factors / sums, lambda factors, sums: factors / np.where(sums > 0, sums, np.inf)]),
        Mistake("factors-added", "sums and factors are added",
            say="You add the sums to their factors. A factor makes a sum relative to another maximum, so multiply.",
            ways=[lambda factors, sums: factors + sums])], lambda factors, sums: factors * sums),
    "output": Step("totals outputs factors sums", "result", [
        Mistake("averaged", "all parts have the same weight",
            say="You give all parts the same weight. A part's weight is the sum of the exponentials of its scores.",
            ways=[lambda totals, outputs, *_: outputs.mean(axis=0), lambda totals, outputs, *_: outputs.sum(axis=0)]),
        Mistake("not-divided", "not divided by the corrected sum of all",
            say="Your weights don't sum to 1. Each sum has its factor, so what is left to divide by?",
            ways=[lambda totals, outputs, *_: totals @ outputs, lambda totals, outputs, factors, sums: totals @ outputs / sums.sum(),
                lambda totals, outputs, *_: totals @ outputs / len(totals), lambda totals, outputs, factors, sums: totals @ outputs / factors.sum()]),
        Mistake("divided-twice", "each output is divided once more",
            say="You treat the outputs as undivided sums, as in the lesson's pass. Here each output is already divided by the sum of its part, so what undoes that?",
            ways=[lambda totals, outputs, factors, sums: factors @ outputs / totals.sum(), lambda totals, outputs, factors, sums: factors @ outputs / sums.sum()]),
        Mistake("along-the-columns", "a sum or a product runs along the columns",
            say="Your sum or your product runs along the columns of outputs. A weight belongs to a row, and the sum runs over the parts, axis 0.",
            ways=[lambda totals, outputs, *_: (outputs * totals).sum(axis=0) / totals.sum(), lambda totals, outputs, *_: (outputs * totals).sum(axis=1) / totals.sum(),
                lambda totals, outputs, *_: (outputs * totals[:, None]).sum(axis=1) / totals.sum()]),
        Mistake("some-parts-only", "only some of the parts count",
            say="You use the output of only one part, or of some. Every part counts, in proportion to the sum of its exponentials.",
            ways=[of_these(slice(-1)), of_these(slice(1, None)), of_these(slice(-1), sum), of_these(slice(1, None), sum), of_these(slice(2)), lambda totals, outputs, *_: outputs[totals.argmax()],
                lambda totals, outputs, *_: outputs[0], lambda totals, outputs, *_: outputs[-1]])],
        lambda totals, outputs, *_: totals / (totals.sum() or 1) @ outputs),
})
OTHERS = table(
    ONE_PASS,
    Mistake("shared-again", "softmax of sums of exponentials", see=MIX,
        say="You apply softmax to the corrected sums, which takes exponentials a second time. They become weights when you divide by their total.",
        ways=[lambda outputs, maxima, sums: maths.softmax(corrected(maxima) * sums) @ outputs]),
    Mistake("sums-as-logarithms", "maxima and sums are combined in the wrong way",
        say="You combine maxima and sums, but a maximum is a score and a sum is a sum of exponentials. They fit together as eᵐ · sum, or as m + ln sum.",
        ways=[lambda outputs, maxima, sums: maths.softmax(maxima + sums) @ outputs, lambda outputs, maxima, sums: maths.softmax(maxima * sums) @ outputs,
            lambda outputs, maxima, sums: maths.softmax(np.where(sums > 0, maxima * sums, maxima)) @ outputs,
            lambda outputs, maxima, sums: (maxima + sums) / (maxima + sums).sum() @ outputs]),
    *again(STEPS.mistakes(), {"no-max-subtraction": [
        STEPS.whole({"factors": np.exp, "output": lambda totals, outputs, *_: totals / totals.sum() @ outputs})]}),
    Mistake("not-rescaled", "the sum or the output so far isn't corrected when the maximum moves", see="l12-bug",
        say="You don't correct everything when a larger maximum comes. The sum so far *and* the output so far need the same factor.",
        ways=[one_after_another(*which, safe) for which in ((True, False), (False, True), (False, False)) for safe in (True, False)]),
)

right = STEPS.whole({})


def with_equal_maxima(ask, given, wanted, got):
    """Say whether it is right without blocked parts, and where all maxima are 0."""

    def goes_right(*parts):
        mine = ask(*parts)
        return mine and same(mine, (right(*parts),))

    outputs, maxima, sums = (array[given[2] > 0] for array in given)
    if np.isnan(got[0]).any() and len(sums) < len(given[2]) and goes_right(outputs, maxima, sums):
        return "Without the part whose sum is 0 your result is right. Look for 0/0 or −∞ − (−∞), since each of them is NaN."
    if goes_right(outputs, np.zeros_like(maxima), sums):
        return "Where all maxima are 0 your result is right, and where they differ it isn't always."
    return "Your result is wrong even where all maxima are 0. There it should be the weighted mean of the outputs, with sums as the weights."


@exercise(own=with_equal_maxima, inputs=INPUTS, mistakes=[*STEPS.mistakes(), *OTHERS], steps=STEPS, result="output", see=MIX)
def merge_parts(outputs, maxima, sums):
    """Check `f(outputs, maxima, sums)` → output (d_v,) of all parts, from those of each: (n, d_v), (n,), (n,). Returns Feedback."""
    return right(outputs, maxima, sums)
