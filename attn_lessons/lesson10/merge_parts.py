"""Lesson 10, transfer: one output, put together from the outputs of several parts of a text."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

MIX = "l10-mix"
ONE_PASS = "l10-one-pass"


def parts(scores, values):
    """What the exercise is given, of the scores and values of each part: outputs, maxima and sums."""
    maxima = np.array([part.max() for part in map(np.array, scores)])
    outputs = np.array(
        [maths.softmax(s) @ np.array(v, dtype=float) for s, v in zip(scores, values, strict=True)]
    )
    sums = [np.exp(np.array(part) - (largest if np.isfinite(largest) else 0)).sum() for part, largest in zip(scores, maxima, strict=True)]  # fmt: skip
    return outputs, maxima, np.array(sums)


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
    """The outputs mixed in the shares that belong to `weights(maxima, sums)`."""

    def merge(outputs, maxima, sums):
        found = weights(maxima, sums)
        return found / found.sum() @ outputs

    return merge


def undivided(weights):
    return lambda outputs, maxima, sums: weights(maxima, sums) @ outputs


def totals(maxima, sums):
    return sums * np.exp(maxima - maxima.max())


def shifted_by(pick):
    return weighted(lambda maxima, sums: sums * np.exp(maxima - pick(maxima)))


def one_after_another(of_sum=True, of_mix=True, safe=True, weigh=lambda total: total):
    """The pass of the lesson over parts: whether the sum and the mix so far are corrected, and −∞ is looked out for."""

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


def pair_by_pair(outputs, maxima, sums):
    """Each part is merged with the mix so far, whose sum and maximum are taken to be those of the part before."""
    mix = outputs[0]
    for i in range(1, len(outputs)):
        shares = totals(maxima[i - 1 : i + 1], sums[i - 1 : i + 1])
        mix = (shares[0] * mix + shares[1] * outputs[i]) / shares.sum()
    return mix


def of_some(which):
    def merge(outputs, maxima, sums):
        shares = totals(maxima, sums)[which]
        return shares @ outputs[which] / shares.sum()

    return merge


def of_one(pick):
    return lambda outputs, maxima, sums: outputs[pick(maxima, sums)]


MISTAKES = table(
    MIX,
    Mistake(
        "averaged",
        name="all parts count the same",
        ways=[lambda outputs, maxima, sums: outputs.mean(axis=0)],
        say="Each output is the mean of its part. How much a part counts, its scores decide: the sum of its powers.",
    ),
    Mistake(
        "added",
        name="the outputs are added up",
        ways=[lambda outputs, maxima, sums: outputs.sum(axis=0)],
        say="Each part has given away a whole 1. Added up, there is more than one whole.",
    ),
    Mistake(
        "maxima-ignored",
        name="the sums are compared without their maxima",
        ways=[weighted(lambda maxima, sums: sums), lambda o, m, s: maths.softmax(s) @ o],
        say="Each sum was taken relative to the maximum of its *own* part. Before sums can be compared, they must stand on one maximum: which factor brings a sum there?",
        see=ONE_PASS,
    ),
    Mistake(
        "sums-ignored",
        name="only the maxima are compared",
        ways=[lambda outputs, maxima, sums: maths.softmax(maxima) @ outputs],
        say="That gives each part the portion of its largest score alone. The other scores of the part count as well: their powers are in its sum.",
    ),
    Mistake(
        "sums-as-logarithms",
        name="maximum and sum are added or multiplied",
        ways=[
            lambda outputs, maxima, sums: maths.softmax(maxima + sums) @ outputs,
            lambda outputs, maxima, sums: maths.softmax(maxima * sums) @ outputs,
            weighted(lambda maxima, sums: maxima * sums),
            weighted(lambda maxima, sums: maxima + sums),
            weighted(lambda maxima, sums: sums * (maxima - maxima.max())),
            weighted(lambda maxima, sums: sums + np.exp(maxima - maxima.max())),
            lambda outputs, maxima, sums: maths.softmax(maxima * np.log(sums)) @ outputs,
        ],
        say="A maximum is a score, a sum is made of powers. To bring them together, one has to become like the other: eᵐ · sum, or m + ln sum.",
    ),
    Mistake(
        "not-divided",
        name="not divided by the corrected sum of all",
        ways=[
            undivided(totals),
            undivided(lambda maxima, sums: sums * np.exp(maxima)),
            undivided(lambda maxima, sums: totals(maxima, sums) / sums.sum()),
            undivided(lambda maxima, sums: totals(maxima, sums) / len(sums)),
            undivided(lambda maxima, sums: totals(maxima, sums) / totals(maxima, sums).max()),
            undivided(lambda maxima, sums: totals(maxima, sums) / np.exp(maxima - maxima.max()).sum()),
        ],
        say="These weights do not sum to 1 yet. What do they have to be divided by? (The sums have been corrected, each by its factor.)",
    ),
    Mistake(
        "divided-twice",
        name="outputs taken for sums that were not divided yet",
        ways=[
            lambda outputs, maxima, sums: np.exp(maxima - maxima.max()) @ outputs / totals(maxima, sums).sum(),
            lambda outputs, maxima, sums: np.exp(maxima) @ outputs / (sums * np.exp(maxima)).sum(),
            lambda outputs, maxima, sums: np.exp(maxima - maxima.max()) @ outputs / sums.sum(),
            one_after_another(safe=False, weigh=lambda part: 1.0),
        ],
        say="In the pass of this lesson the running mix had not been divided. The outputs here have been, each by the sum of its part. What undoes that?",
    ),
    Mistake(
        "no-max-subtraction",
        name="the largest maximum is not subtracted",
        ways=[weighted(lambda maxima, sums: sums * np.exp(maxima))],
        say="Right for small scores. For large ones e to the power of a maximum overflows.",
        see="l04-overflow",
    ),
    Mistake(
        "wrong-maximum",
        name="not the largest maximum is subtracted",
        ways=[
            shifted_by(lambda maxima: maxima[0]),
            shifted_by(lambda maxima: maxima[-1]),
            shifted_by(lambda maxima: maxima.min()),
            shifted_by(lambda maxima: maxima.mean()),
            shifted_by(lambda maxima: max(0.0, maxima.max())),
        ],
        say="Any shift cancels on paper. Only the *largest* is safe: from any other a part may lie far away, above or below, or be blocked altogether.",
        see="l04-overflow",
    ),
    Mistake(
        "factor-upside-down",
        name="the factor is upside down",
        ways=[weighted(lambda maxima, sums: sums * np.exp(maxima.max() - maxima))],
        say="A part whose maximum lies *below* the largest must shrink. In yours it grows.",
        see=ONE_PASS,
    ),
    Mistake(
        "along-the-columns",
        name="the weights are laid along the columns, not the rows",
        ways=[
            lambda outputs, maxima, sums, axis=axis: (
                (outputs * totals(maxima, sums)).sum(axis=axis) / totals(maxima, sums).sum()
            )
            for axis in (0, 1)
        ],
        say="A row of outputs belongs to a part, and so does a weight. A product of shapes (n, d_v) and (n,) lays the weights along the columns: what makes a column of them, or which product adds up over parts?",
    ),
    Mistake(
        "portions",
        name="portions come back, no mix",
        ways=[
            lambda outputs, maxima, sums: totals(maxima, sums) / totals(maxima, sums).sum(),
            lambda outputs, maxima, sums: (totals(maxima, sums) / totals(maxima, sums).sum())[:, None] * outputs,
        ],
        say="How much each part counts is right. The outputs are still to be mixed in these portions, into one row.",
    ),
    Mistake(
        "sum-upside-down",
        name="divided by the sums, not multiplied",
        ways=[weighted(lambda maxima, sums: np.exp(maxima - maxima.max()) / sums)],
        say="A part with many large scores has a large sum, and counts for *more*. In yours it counts for less.",
    ),
    Mistake(
        "not-rescaled",
        name="what was put together so far is not corrected when the maximum moves",
        ways=[
            one_after_another(*corrected, safe=safe)
            for corrected in ((True, False), (False, True), (False, False))
            for safe in (True, False)
        ],
        say="A part with a larger maximum moves it for the sum so far *and* for the mix so far. Both need the same factor, or one stays on the old maximum.",
        see="l10-bug",
    ),
    Mistake(
        "blocked-part-nan",
        name="a part that is blocked makes it NaN",
        ways=[one_after_another(safe=False)],
        say="Right but for a blocked part that comes first: then largest so far and maximum are both −∞, and −∞ − (−∞) is NaN. What is its share?",
    ),
    Mistake(
        "pair-by-pair",
        name="the sum so far is not carried along",
        ways=[pair_by_pair],
        say="You merge the mix so far with each next part, as if it had only the sum of the part just before. It stands for *all* parts so far: their sum goes along.",
    ),
    Mistake(
        "some-parts-only",
        name="only some of the parts count",
        ways=[
            *map(of_one, (lambda m, s: m.argmax(), lambda m, s: s.argmax(), lambda m, s: 0, lambda m, s: -1)),
            *map(of_some, (slice(2), [0, 1], slice(-1), slice(1, None))),
        ],
        say="The output of one part, or of some, stands for all. Each part has something to say, in proportion to the sum of its powers.",
    ),
    Mistake(
        "shared-again",
        name="softmax of weights that are powers already",
        ways=[
            lambda outputs, maxima, sums: maths.softmax(totals(maxima, sums)) @ outputs,
            lambda outputs, maxima, sums: maths.softmax(totals(maxima, sums) / totals(maxima, sums).sum()) @ outputs,
        ],
        say="The corrected sums are sums of powers. Shares come of them by dividing; softmax would take powers once more.",
    ),
    Mistake(
        "scaled-again",
        name="the maxima are divided by a root",
        ways=[
            lambda outputs, maxima, sums, axis=axis: (
                shifted_by(lambda maxima: maxima.max())(outputs, maxima / np.sqrt(outputs.shape[axis]), sums)
            )
            for axis in (0, 1)
        ],
        say="A maximum is a score that has been divided by √d_k already, on its machine.",
        see="l02-divide",
    ),
)  # fmt: skip


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="output", see=MIX)
def merge_parts(outputs, maxima, sums):
    """Check `f(outputs, maxima, sums)` → output (d_v,) of all parts, from those of each: (n, d_v), (n,), (n,). Returns Feedback."""
    return weighted(totals)(outputs, maxima, sums)
