"""Lesson 05: attention as steps, with the tables of mistakes of lessons 01 to 04."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, inside, table, told_in
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson03 import apply_mask as lesson03
from attn_lessons.lesson04 import softmax as lesson04
from attn_parts import mathematics as maths

HIDE = "l05-mask"
OUTPUT = "l05-output"
WHOLE = "l05-assemble"


def whatever_v(way):
    """Let a step of dividing take a V that it ignores."""
    return lambda scores, Q, K, V: way(scores, Q, K)


def if_given(way, otherwise=lambda scaled: scaled):
    """Let a step change nothing when there is no mask."""
    return lambda scaled, mask: otherwise(scaled) if mask is None else way(scaled, mask)


def hide(scaled, mask):
    return np.where(mask, scaled, -np.inf)


def causal(scaled):
    return maths.causal_mask(*scaled.shape[-2:])


def but_softmax(mistakes):
    """Leave out *softmax is in it already*, which this function would apply twice."""
    return [each for each in mistakes if each.short != "softmax-included"]


# fmt: off
SCALE_MISTAKES = [
    *inside(but_softmax(lesson02.MISTAKES), whatever_v),
    Mistake("divided-by-root-of-d-v", "divided by √d_v", see=lesson02.DIVIDING,
        say="A score adds up d_k products. The values aren't part of it, so their width doesn't matter here.",
        ways=[lambda scores, Q, K, V: scores / np.sqrt(V.shape[-1])]),
]

NOT_OPTIONAL = Mistake("mask-not-optional", "without a mask everything is blocked", see=HIDE,
    say="mask=None means that nothing is blocked. (np.where reads a mask of None as False.) Block only `if mask is not None`.",
    ways=[hide])

MASK_MISTAKES = [
    Mistake("empty-row-not-zero", "a query that may look at nothing spreads attention all the same", see=HIDE,
        say="Its row of weights is uniform and should be all zeros, because it may see no key at all. A very negative number as a blocked score also does this; −inf doesn't.",
        ways=[if_given(lambda scaled, mask: np.where(mask, scaled, -1e300))]),
    Mistake("mask-ignored", "the mask has no effect", see=HIDE,
        say="Your numbers are the same with the mask and without it. If you call np.where, store what it returns, because it makes a new array.",
        ways=[if_given(lambda scaled, mask: scaled)]),
    *inside(but_softmax(lesson03.MISTAKES), if_given),
    lesson03.OWN_CAUSAL_MASK,  # and without a mask too
    Mistake("causal-unasked", "a causal mask that no one asked for", see=WHOLE,
        say="Only a mask that is passed in says which keys a query may look at. Without one every query may look at all keys.",
        ways=[lambda scaled, mask: hide(scaled, causal(scaled) if mask is None else mask),
            lambda scaled, mask: hide(scaled, causal(scaled) if mask is None else causal(scaled) & mask)]),
    NOT_OPTIONAL,
]

SOFTMAX_MISTAKES = [
    Mistake("fully-masked-nan", "a query that may look at nothing becomes NaN", see=HIDE,
        say="Its largest score is −inf, or its exponentials sum to 0, and both −inf − (−inf) and 0/0 are NaN. Such a query should get zeros in weights and output.",
        ways=[lambda x: lesson04.rows(lesson04.stable(x))]),
    *told_in("softmax", lesson04.SOFTMAX_MISTAKES),
]


def uniform_if_empty(scaled, mask):
    return maths.softmax(np.where(mask, scaled, -1e9))


# Made from weights that no mask has touched, and which may be wrong in ways of their own.
MASKED_LATE = [
    Mistake("mask-after-softmax", "the mask comes after softmax", see=lesson03.BEFORE_SOFTMAX,
        say="You removed blocked weights after softmax, so rows no longer sum to 1. Block the scores first, then apply softmax.",
        ways=[if_given(lambda unmasked, mask: unmasked * mask),
            if_given(lambda unmasked, mask: np.where(mask, unmasked, 0))]),  # not the same where a weight is NaN
    Mistake("mask-after-softmax", "the mask comes after softmax", see=lesson03.BEFORE_SOFTMAX,
        say="Some of your weights are −inf. That's a score: block before softmax, and the weight becomes 0.",
        ways=[if_given(hide)]),
    Mistake("renormalised", "masked after softmax, then normalised again", see="l03-again",
        say="If a blocked score is much larger than the allowed ones, their weights underflow to 0. Then nothing is left to normalise by, as in a row whose keys are all blocked. Block the scores first.",
        ways=[if_given(lambda unmasked, mask: lesson04.rows(unmasked * mask)),
            if_given(lambda unmasked, mask: np.nan_to_num(lesson04.rows(unmasked * mask))),
            if_given(lambda unmasked, mask: unmasked * mask / (lesson04.total(unmasked * mask) + 1e-9))]),
]

# Made in both steps at once: mask and softmax.
WEIGHTS_MISTAKES = [
    NOT_OPTIONAL._replace(ways=[lambda scaled, mask: lesson04.rows(lesson04.stable(hide(scaled, mask)))]),
    lesson03.FINITE._replace(shows=None,
        ways=[if_given(way, maths.softmax) for way in (
            lambda scaled, mask: uniform_if_empty(scaled, mask) * mask.any(axis=-1, keepdims=True),
            lambda scaled, mask: uniform_if_empty(scaled, mask) * mask)],
        say="Rows that may look at nothing are right. But here an allowed score is even lower than your blocked one, so softmax gives everything to the blocked key. Only −inf is below every score."),
    Mistake("no-softmax", "softmax is missing", see=WHOLE,
        say="Your weights are still scores. After softmax each row sums to 1.",
        ways=[if_given(hide), lambda scaled, mask: scaled]),
]

MIX_MISTAKES = table(
    OUTPUT,
    Mistake("values-first", "V @ weights",
        say="Each row of weights belongs to a query and weights the rows of V. Which of the two comes first in the product?",
        ways=[lambda weights, V, K: V @ weights]),
    Mistake("transposed-weights", "the weights were transposed",
        say="A row of the output is the sum of the values, weighted by the same *row* of the weights. You used a column.",
        ways=[lambda weights, V, K: weights.swapaxes(-1, -2) @ V, lambda weights, V, K: weights.T @ V]),
    Mistake("summed-over-positions", "the outputs of all positions were added up or averaged",
        say="For one sentence you return a single vector. Each query needs a row of its own.",
        ways=[lambda weights, V, K: (weights @ V).sum(axis=-2), lambda weights, V, K: (weights @ V).sum(axis=0),
            lambda weights, V, K: (weights @ V).mean(axis=-2)]),
    Mistake("keys-mixed", "the weighted sum is over the keys, not the values",
        say="Keys are used only to find the weights. The weights then go with the values, V.",
        ways=[lambda weights, V, K: weights @ K]),
)

RETURN_MISTAKES = [
    Mistake("results-swapped", "the two results are exchanged", see=WHOLE,
        say="Return the output first, then the weights.",
        ways=[lambda output, weights, *scores: (weights, output)]),
    Mistake("one-result-only", "only one of the two results is returned", see=WHOLE,
        say="Return both the output and the weights.",
        ways=[lambda output, weights, *scores: output, lambda output, weights, *scores: weights]),
    Mistake("scores-for-weights", "scores are returned instead of weights", see=WHOLE,
        say="Your second result is the scores. It should be the result of softmax, whose rows sum to 1.",
        ways=[lambda output, weights, *scores, i=i: (output, scores[i]) for i in range(3)]),
]

STEPS = {
    "scores": Step("Q K", "scores", lesson01.MISTAKES, lesson01.products),
    "scale": Step("scores Q K V", "scaled", SCALE_MISTAKES, whatever_v(lesson02.by_root_of_width)),
    "mask": Step("scaled mask", "hidden", MASK_MISTAKES, if_given(hide)),
    "softmax": Step("hidden", "weights", SOFTMAX_MISTAKES, maths.softmax),
    "softmax of all": Step("scaled", "unmasked", told_in("softmax", lesson04.SOFTMAX_MISTAKES), maths.softmax),
    "mask after softmax": Step("unmasked mask", "weights", MASKED_LATE),
    "mask and softmax": Step("scaled mask", "weights", WEIGHTS_MISTAKES),
    "mix": Step("weights V K", "output", MIX_MISTAKES, lambda weights, V, K: weights @ V),
    "return": Step("output weights scores scaled hidden", "result", RETURN_MISTAKES, lambda output, weights, *scores: (output, weights)),
}
ATTENTION = Steps("Q K V mask", STEPS)


def kept(name, names, *others):
    """A step of attention with only some of its mistakes, and others."""
    step = STEPS[name]
    return step._replace(mistakes=[*(mistake for mistake in step.mistakes if mistake.short in names), *others])
