"""Lesson 08: softmax backwards."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

BACKWARD = "l08-softmax"


def backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def less(total):
    """The backward pass with another sum subtracted."""
    return lambda weights, d_weights: weights * (d_weights - total(weights, d_weights))


MISTAKES = table(
    BACKWARD,
    Mistake(
        "arguments-exchanged",
        name="the weights and their gradient changed places",
        ways=[lambda weights, d_weights: backward(d_weights, weights)],
        say="Which of the two stands before the bracket: the share, or the push on it? In yours they are exchanged.",
    ),
    Mistake(
        "elementwise-jacobian",
        name="the Jacobian is taken as elementwise",
        ways=[lambda weights, d_weights: weights * (1 - weights) * d_weights],
        say="p(1 − p) is only its diagonal. Raising one score also lowers all *other* shares.",
    ),
    Mistake(
        "no-sum",
        name="the sum over the row is missing",
        ways=[lambda weights, d_weights: weights * d_weights],
        say="What one key gains the others lose: each row of the result sums to 0.",
    ),
    Mistake(
        "wrong-axis",
        name="summed over the queries",
        ways=[
            less(lambda weights, d_weights: (weights * d_weights).sum(axis=-2, keepdims=True)),
            less(lambda weights, d_weights: (weights * d_weights).sum(axis=0)),
        ],
        say="Softmax ran along rows, so its gradient does too.",
    ),
    Mistake(
        "whole-array",
        name="summed over the whole array",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum())],
        say="Each row has its own softmax, and its own sum.",
    ),
    Mistake(
        "missing-keepdims",
        name="the sum or maximum lost its axis (keepdims)",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum(axis=-1))],
        say="Without keepdims the sums are laid along the columns.",
    ),
    Mistake(
        "unweighted-sum",
        name="the sum is not weighted",
        ways=[
            less(lambda weights, d_weights: d_weights.sum(axis=-1, keepdims=True)),
            less(lambda weights, d_weights: d_weights.mean(axis=-1, keepdims=True)),
            less(lambda weights, d_weights: d_weights.mean()),
        ],
        say="The sum runs over weights · d_weights.",
    ),
    Mistake(
        "mean-not-shared",
        name="the mean is subtracted after the weights",
        ways=[
            lambda weights, d_weights: weights * d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)
        ],
        say="A share is a factor of the whole bracket, of the mean as well. With yours, rows do not sum to 0.",
    ),
    Mistake(
        "divided-again",
        name="the weighted mean is divided by the number of keys",
        ways=[less(lambda weights, d_weights: (weights * d_weights).mean(axis=-1, keepdims=True))],
        say="The shares sum to 1 already: a weighted mean is the sum of weights · d_weights, and nothing is left to divide by.",
    ),
    Mistake(
        "weights-missing",
        name="not multiplied by the weights",
        ways=[lambda weights, d_weights: d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)],
        say="A key with no share answers to no nudge: the weights are a factor of the whole.",
    ),
    Mistake(
        "sign",
        name="the sign is turned round",
        ways=[
            lambda weights, d_weights: -backward(weights, d_weights),
            less(lambda weights, d_weights: -(weights * d_weights).sum(axis=-1, keepdims=True)),
        ],
        say="Raising a score raises its own share.",
    ),
    Mistake(
        "handed-through",
        name="the gradient is handed through as it came",
        ways=[lambda weights, d_weights: d_weights],
        say="Softmax is left out on the way back: what comes out are pushes on *shares*. A push on a score moves all shares of its row.",
    ),
    Mistake(
        "shared-again",
        name="softmax is taken once more",
        ways=[
            lambda weights, d_weights: backward(maths.softmax(weights), d_weights),
            lambda weights, d_weights: maths.softmax(d_weights),
            lambda weights, d_weights: weights * maths.softmax(d_weights),
            lambda weights, d_weights: backward(maths.softmax(d_weights), d_weights),
        ],
        say="weights are shares already, and a gradient is no score: on the way back softmax itself is not taken again.",
    ),
    Mistake(
        "loss-included",
        name="the rule for softmax and loss together",
        ways=[
            lambda weights, d_weights: weights - d_weights,
            lambda weights, d_weights: d_weights - weights,
        ],
        say="Shares less the target is the gradient of softmax and of a logarithm behind it, in one. Here the gradient at the shares is given, of whatever loss.",
    ),
    Mistake(
        "matrix-product",
        name="@ in place of * and a sum",
        ways=[
            lambda weights, d_weights: weights * (d_weights - weights @ d_weights),
            lambda weights, d_weights: weights * (d_weights - weights @ d_weights.swapaxes(-1, -2)),
        ],
        say="@ lets each row of the weights meet *every* row of the other. Each row belongs to its own query: multiply entry by entry, and sum along the row.",
    ),
    Mistake(
        "not-the-sum",
        name="another number than the sum is subtracted",
        ways=[
            less(lambda weights, d_weights, take=take: take(weights * d_weights, axis=-1, keepdims=True))
            for take in (np.max, np.min, np.prod)
        ]
        + [less(lambda weights, d_weights: d_weights.max(axis=-1, keepdims=True))],
        say="From each entry the *sum* of the row's weights · d_weights is taken away.",
    ),
    Mistake(
        "divided-by-the-weights",
        name="divided by the weights, not multiplied",
        ways=[
            lambda weights, d_weights: (
                (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)) / weights
            )
        ],
        say="A key with a small share moves little when its score is pushed: the share is a factor. Dividing makes it the more the less it has.",
    ),
)


def shares_and_nudges(*shape):
    return lambda draw: (maths.softmax(draw(*shape)), draw(*shape))


@exercise(
    inputs={
        "smallest": shares_and_nudges(2, 2),
        "more keys than queries": shares_and_nudges(2, 3),
        "square": shares_and_nudges(3, 3),
        "batch": shares_and_nudges(2, 3, 4),
        "batch, all sizes alike": shares_and_nudges(3, 3, 3),
        "a saturated row": (np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0, -1.0], [1.0, 3.0]])),
        "a single row": shares_and_nudges(5),
    },
    mistakes=MISTAKES,
    result="d_scaled",
    see=BACKWARD,
)
def softmax_backward(weights, d_weights):
    """Check `f(weights, d_weights)` → d_scaled. Returns Feedback."""
    return backward(weights, d_weights)
