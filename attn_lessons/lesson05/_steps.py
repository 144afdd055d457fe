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
    """A step's mistakes without that of sharing out already: the steps that follow make softmax twice of it."""
    return [each for each in mistakes if each.short != "softmax-included"]


SOFTMAX_TWICE = Mistake(
    "softmax-twice",
    name="softmax is taken twice",
    ways=[lambda scores, Q, K, V: maths.softmax(lesson02.by_root_of_width(scores, Q, K))],
    say="What comes out of softmax are shares, between 0 and 1. Taken for scores, they lie so close together that a second softmax makes them nearly even.",
    see="l04-shares",
)
SCALE_MISTAKES = [
    SOFTMAX_TWICE,
    *inside(but_softmax(lesson02.MISTAKES), whatever_v),
    Mistake(
        "divided-by-root-of-d-v",
        name="divided by √d_v",
        ways=[lambda scores, Q, K, V: scores / np.sqrt(V.shape[-1])],
        say="Values have nothing to do with the size of scores: it is d_k that counts.",
        see=lesson02.DIVIDING,
    ),
]

SPOILS = Mistake(
    "nan-mask-value",
    name="NaN or +inf in place of −inf",
    ways=[if_given(lambda scaled, mask: np.where(mask, scaled, np.nan))],  # softmax makes the same of +inf
    say="Either makes all of its row NaN in softmax. −inf becomes a share of exactly 0.",
    see=lesson03.TRUE_MEANS,
)

EMPTY_SHARED = Mistake(
    "empty-row-shared",
    name="a query that may look at nothing shares out all the same",
    ways=[if_given(lambda scaled, mask: np.where(mask, scaled, -1e300))],  # or equal shares, filled in later
    say="Its row should be all zeros, and has equal shares. Whether they were put there, or come of a number that is only very negative: no key may be seen, so none gets anything.",
    see=HIDE,
)

MASK_MISTAKES = [
    SPOILS,
    EMPTY_SHARED,
    SOFTMAX_TWICE._replace(
        ways=[
            if_given(lambda scaled, mask: maths.softmax(hide(scaled, mask)), maths.softmax),
            if_given(lambda scaled, mask: maths.softmax(hide(scaled, mask))),
            if_given(lambda scaled, mask: maths.softmax(scaled) * mask),
        ]
    ),
    *inside(but_softmax(lesson03.MISTAKES), if_given),
    *inside([lesson03.OWN_CAUSAL_MASK], lambda way: way),  # and without a mask too
    Mistake(
        "mask-not-optional",
        name="without a mask everything is blocked",
        ways=[hide],
        say="mask=None means that everything may be looked at; np.where(None, …) takes None for False.",
        see=HIDE,
    ),
    Mistake(
        "test-turned-round",
        name="the test for a mask is turned round",
        ways=[lambda scaled, mask: hide(scaled, mask) if mask is None else scaled],
        say="A mask is applied where there is none, and left out where there is one: `is not None`.",
        see=WHOLE,
    ),
]

SOFTMAX_MISTAKES = [
    Mistake(
        "fully-masked-nan",
        name="a query that may look at nothing becomes NaN",
        ways=lesson04.each(lesson04.rows, (lesson04.stable,)),
        say="Its largest score is −inf, or its shares sum to 0: −inf − (−inf) and 0/0 are both NaN. Such a query should get zeros, in weights and output.",
        see=HIDE,
    ),
    *lesson04.SOFTMAX_MISTAKES,
]


def shared(way):
    """A step from scaled scores and mask to weights that leaves calls without a mask alone."""
    return if_given(way, otherwise=maths.softmax)


def shared_again(unmasked, mask):
    return lesson04.rows(unmasked * mask)


def uniform_if_empty(scaled, mask):
    return maths.softmax(np.where(mask, scaled, -1e9))


# Made of shares that no mask has touched. These may be wrong in ways of their own.
MASKED_LATE = [
    Mistake(
        "mask-after-softmax",
        name="the mask comes after softmax",
        ways=[
            if_given(lambda unmasked, mask: unmasked * mask),
            if_given(lambda unmasked, mask: np.where(mask, unmasked, 0)),  # not the same where a share is NaN
        ],
        say="Blocked weights were removed after the sharing, so rows no longer sum to 1. Block the scores, then share.",
        see=lesson03.BEFORE_SOFTMAX,
    ),
    Mistake(
        "mask-after-softmax",
        name="the mask comes after softmax",
        ways=[if_given(hide)],
        say="−inf is a fine *score* and no weight at all. Block the scores, then share.",
        see=lesson03.BEFORE_SOFTMAX,
    ),
    Mistake(
        "shared-twice",
        name="masked after softmax, then shared out again",
        ways=[
            if_given(shared_again),
            if_given(lambda unmasked, mask: np.nan_to_num(shared_again(unmasked, mask))),
            if_given(
                lambda unmasked, mask: (
                    unmasked * mask / ((unmasked * mask).sum(axis=-1, keepdims=True) + 1e-9)
                )
            ),
        ],
        say="It looks right until a blocked score is much larger than the allowed ones: then their shares vanish, and there is nothing left to share again. Block the scores, then share once.",
        see=lesson03.SHARING_AGAIN,
    ),
]

# Made in both steps at once: masking and sharing out.
WEIGHTS_MISTAKES = [
    lesson03.FINITE._replace(
        ways=[
            shared(lambda scaled, mask: uniform_if_empty(scaled, mask) * mask.any(axis=-1, keepdims=True)),
            shared(lambda scaled, mask: uniform_if_empty(scaled, mask) * mask),
        ],
        shows=None,
        say="Rows that may look at nothing are right. But any finite number lies above scores that are lower still: here the blocked key takes everything. Below every score lies only −inf.",
    ),
    Mistake(
        "no-softmax",
        name="softmax is missing",
        ways=[if_given(hide), lambda scaled, mask: scaled],
        say="Your weights are still scores: rows do not sum to 1.",
        see=WHOLE,
    ),
]

MIX_MISTAKES = table(
    OUTPUT,
    Mistake(
        "values-first",
        name="V @ weights",
        ways=[lambda weights, V, K: V @ weights],
        say="Rows of weights belong to queries; each mixes the rows of V. Which one comes first in the product?",
    ),
    Mistake(
        "transposed-weights",
        name="the weights were transposed",
        ways=[lambda weights, V, K: weights.swapaxes(-1, -2) @ V, lambda weights, V, K: weights.T @ V],
        say="Each row of the output should mix the values in the shares of that *row* of the weights.",
    ),
    Mistake(
        "summed-over-positions",
        name="the outputs of all positions were added up or averaged",
        ways=[
            lambda weights, V, K: (weights @ V).sum(axis=-2),
            lambda weights, V, K: (weights @ V).sum(axis=0),
            lambda weights, V, K: (weights @ V).mean(axis=-2),
        ],
        say="One vector is left of the whole sentence. Each query needs its own row.",
    ),
    Mistake(
        "elementwise-values",
        name="weights * V",
        ways=[lambda weights, V, K: weights * V],
        say="* multiplies entry by entry; mixing rows is a matrix product.",
    ),
    Mistake(
        "keys-mixed",
        name="the keys are mixed, not the values",
        ways=[lambda weights, V, K: weights @ K],
        say="Keys only decide the shares. What is mixed in these shares are the values, V.",
    ),
)

RETURN_MISTAKES = [
    Mistake(
        "results-swapped",
        name="the results are in the other order",
        ways=[lambda output, weights: (weights, output)],
        say="The order is (output, weights).",
        see=WHOLE,
    ),
    Mistake(
        "only-output",
        name="only the output is returned",
        ways=[lambda output, weights: output],
        say="Return both: output, weights.",
        see=WHOLE,
    ),
    Mistake(
        "only-weights",
        name="only the weights are returned",
        ways=[lambda output, weights: weights],
        say="Return both: output, weights.",
        see=WHOLE,
    ),
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
