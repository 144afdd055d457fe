"""Lesson 05: attention as steps. Those of lessons 01 to 04 bring their tables of mistakes along."""

import numpy as np

from attn_checks.exercise import Mistake, inside, table
from attn_checks.steps import Step, Steps
from attn_lessons.lesson01 import scores as lesson01
from attn_lessons.lesson02 import scaled_scores as lesson02
from attn_lessons.lesson03 import apply_mask as lesson03
from attn_lessons.lesson04 import softmax as lesson04
from attn_parts import mathematics as maths

HIDE = "l05-mask"
OUTPUT = "l05-output"
WHOLE = "l05-assemble"


def whatever_v(way):
    """The step of dividing, with a V at hand that it has no use for."""
    return lambda scores, Q, K, V: way(scores, Q, K)


def if_given(way, otherwise=lambda scaled: scaled):
    """A step that leaves calls without a mask alone."""
    return lambda scaled, mask: otherwise(scaled) if mask is None else way(scaled, mask)


def hide(scaled, mask):
    return np.where(mask, scaled, -np.inf)


def but_softmax(mistakes):
    """A step's mistakes without *softmax is in it already*, which would be taken twice here."""
    return [each for each in mistakes if each.short != "softmax-included"]


# fmt: off
SCALE_MISTAKES = [
    *inside(but_softmax(lesson02.MISTAKES), whatever_v),
    Mistake("divided-by-root-of-d-v", "divided by √d_v", see=lesson02.DIVIDING,
        say="Values have nothing to do with the size of scores: it is d_k that counts.",
        ways=[lambda scores, Q, K, V: scores / np.sqrt(V.shape[-1])]),
]

MASK_MISTAKES = [
    Mistake("nan-mask-value", "NaN or +inf in place of −inf", see=lesson03.TRUE_MEANS,
        say="Either makes all of its row NaN in softmax. −inf becomes a share of exactly 0.",
        ways=[if_given(lambda scaled, mask: np.where(mask, scaled, np.nan))]),
    Mistake("empty-row-shared", "a query that may look at nothing shares out all the same", see=HIDE,
        say="Its row should be all zeros, and has equal shares. Whether they were put there, or come of a number that is only very negative: no key may be seen, so none gets anything.",
        ways=[if_given(lambda scaled, mask: np.where(mask, scaled, -1e300))]),
    *inside(but_softmax(lesson03.MISTAKES), if_given),
    lesson03.OWN_CAUSAL_MASK,  # and without a mask too
    Mistake("mask-not-optional", "without a mask everything is blocked", see=HIDE,
        say="mask=None means that everything may be looked at; np.where(None, …) takes None for False.",
        ways=[hide]),
]

SOFTMAX_MISTAKES = [
    Mistake("fully-masked-nan", "a query that may look at nothing becomes NaN", see=HIDE,
        say="Its largest score is −inf, or its shares sum to 0: −inf − (−inf) and 0/0 are both NaN. Such a query should get zeros, in weights and output.",
        ways=lesson04.each(lesson04.rows, (lesson04.stable,))),
    *lesson04.SOFTMAX_MISTAKES,
]


def uniform_if_empty(scaled, mask):
    return maths.softmax(np.where(mask, scaled, -1e9))


# Made of shares that no mask has touched. These may be wrong in ways of their own.
MASKED_LATE = [
    Mistake("mask-after-softmax", "the mask comes after softmax", see=lesson03.BEFORE_SOFTMAX,
        say="Blocked weights were removed after the sharing, so rows no longer sum to 1. Block the scores, then share.",
        ways=[if_given(lambda unmasked, mask: unmasked * mask),
            if_given(lambda unmasked, mask: np.where(mask, unmasked, 0))]),  # not the same where a share is NaN
    Mistake("mask-after-softmax", "the mask comes after softmax", see=lesson03.BEFORE_SOFTMAX,
        say="−inf is a fine *score* and no weight at all. Block the scores, then share.",
        ways=[if_given(hide)]),
    Mistake("shared-twice", "masked after softmax, then shared out again", see="l03-again",
        say="It looks right until a blocked score is much larger than the allowed ones: then their shares vanish, and there is nothing left to share again. Block the scores, then share once.",
        ways=[if_given(lambda unmasked, mask: lesson04.rows(unmasked * mask)),
            if_given(lambda unmasked, mask: np.nan_to_num(lesson04.rows(unmasked * mask))),
            if_given(lambda unmasked, mask: unmasked * mask / (lesson04.total(unmasked * mask) + 1e-9))]),
]

# Made in both steps at once: masking and sharing out.
WEIGHTS_MISTAKES = [
    lesson03.FINITE._replace(shows=None,
        ways=[if_given(way, maths.softmax) for way in (
            lambda scaled, mask: uniform_if_empty(scaled, mask) * mask.any(axis=-1, keepdims=True),
            lambda scaled, mask: uniform_if_empty(scaled, mask) * mask)],
        say="Rows that may look at nothing are right. But any finite number lies above scores that are lower still: here the blocked key takes everything. Below every score lies only −inf."),
    Mistake("no-softmax", "softmax is missing", see=WHOLE,
        say="Your weights are still scores: rows do not sum to 1.",
        ways=[if_given(hide), lambda scaled, mask: scaled]),
]

MIX_MISTAKES = table(
    OUTPUT,
    Mistake("values-first", "V @ weights",
        say="Rows of weights belong to queries; each mixes the rows of V. Which one comes first in the product?",
        ways=[lambda weights, V, K: V @ weights]),
    Mistake("transposed-weights", "the weights were transposed",
        say="Each row of the output should mix the values in the shares of that *row* of the weights.",
        ways=[lambda weights, V, K: weights.swapaxes(-1, -2) @ V, lambda weights, V, K: weights.T @ V]),
    Mistake("summed-over-positions", "the outputs of all positions were added up or averaged",
        say="One vector is left of the whole sentence. Each query needs its own row.",
        ways=[lambda weights, V, K: (weights @ V).sum(axis=-2), lambda weights, V, K: (weights @ V).sum(axis=0),
            lambda weights, V, K: (weights @ V).mean(axis=-2)]),
    Mistake("keys-mixed", "the keys are mixed, not the values",
        say="Keys only decide the shares. What is mixed in these shares are the values, V.",
        ways=[lambda weights, V, K: weights @ K]),
)

RETURN_MISTAKES = [
    Mistake("results-swapped", "the results are in the other order", see=WHOLE,
        say="The order is (output, weights).",
        ways=[lambda output, weights: (weights, output)]),
    Mistake("only-output", "only the output is returned", see=WHOLE,
        say="Return both: output, weights.",
        ways=[lambda output, weights: output]),
    Mistake("only-weights", "only the weights are returned", see=WHOLE,
        say="Return both: output, weights.",
        ways=[lambda output, weights: weights]),
]

STEPS = {
    "scores": Step("Q K", "scores", lesson01.MISTAKES, lesson01.products),
    "scale": Step("scores Q K V", "scaled", SCALE_MISTAKES, whatever_v(lesson02.by_root_of_width)),
    "mask": Step("scaled mask", "hidden", MASK_MISTAKES, if_given(hide)),
    "softmax": Step("hidden", "weights", SOFTMAX_MISTAKES, maths.softmax),
    "softmax of all": Step("scaled", "unmasked", lesson04.SOFTMAX_MISTAKES, maths.softmax),
    "mask after softmax": Step("unmasked mask", "weights", MASKED_LATE),
    "mask and softmax": Step("scaled mask", "weights", WEIGHTS_MISTAKES),
    "mix": Step("weights V K", "output", MIX_MISTAKES, lambda weights, V, K: weights @ V),
    "return": Step("output weights", "result", RETURN_MISTAKES, lambda output, weights: (output, weights)),
}
ATTENTION = Steps("Q K V mask", STEPS)
