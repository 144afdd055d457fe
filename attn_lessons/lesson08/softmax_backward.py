"""Lesson 08: softmax backwards."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson04.softmax import total
from attn_parts import mathematics as maths

BACKWARD = "l08-softmax"


def backward(weights, d_weights):
    return weights * (d_weights - total(weights * d_weights))


def less(total):
    """The backward pass with another sum subtracted."""
    return lambda weights, d_weights: weights * (d_weights - total(weights, d_weights))


# fmt: off
MISTAKES = table(
    BACKWARD,
    Mistake("arguments-exchanged", "the weights and their gradient changed places",
        say="Which of the two stands before the bracket: the share, or the push on it? In yours they are exchanged.",
        ways=[lambda weights, d_weights: backward(d_weights, weights)]),
    Mistake("elementwise-jacobian", "the Jacobian is taken as elementwise",
        say="p(1 − p) is only its diagonal. Raising one score also lowers all *other* shares.",
        ways=[lambda weights, d_weights: weights * (1 - weights) * d_weights]),
    Mistake("no-sum", "the sum over the row is missing",
        say="What one key gains the others lose: each row of the result sums to 0.",
        ways=[lambda weights, d_weights: weights * d_weights]),
    Mistake("wrong-axis", "summed over the queries",
        say="Softmax ran along rows, so its gradient does too.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum(axis=-2, keepdims=True)),
            less(lambda weights, d_weights: (weights * d_weights).sum(axis=0))]),
    Mistake("whole-array", "summed over the whole array",
        say="Each row has its own softmax, and its own sum.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum())]),
    Mistake("missing-keepdims", "the sum or maximum lost its axis (keepdims)",
        say="Without keepdims the sums are laid along the columns.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum(axis=-1))]),
    Mistake("unweighted-sum", "the sum is not weighted",
        say="The sum runs over weights · d_weights.",
        ways=[less(lambda weights, d_weights: total(d_weights)), less(lambda weights, d_weights: d_weights.mean()),
            less(lambda weights, d_weights: d_weights.mean(axis=-1, keepdims=True))]),
    Mistake("mean-not-shared", "the mean is subtracted after the weights",
        say="A share is a factor of the whole bracket, of the mean as well. With yours, rows do not sum to 0.",
        ways=[lambda weights, d_weights: weights * d_weights - total(weights * d_weights)]),
    Mistake("divided-again", "the weighted mean is divided by the number of keys",
        say="The shares sum to 1 already: a weighted mean is the sum of weights · d_weights, and nothing is left to divide by.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).mean(axis=-1, keepdims=True))]),
    Mistake("weights-missing", "not multiplied by the weights",
        say="A key with no share answers to no nudge: the weights are a factor of the whole.",
        ways=[lambda weights, d_weights: d_weights - total(weights * d_weights)]),
    Mistake("sign", "the sign is turned round",
        say="Raising a score raises its own share.",
        ways=[lambda weights, d_weights: -backward(weights, d_weights),
            less(lambda weights, d_weights: -total(weights * d_weights))]),
    Mistake("handed-through", "the gradient is handed through as it came",
        say="Softmax is left out on the way back: what comes out are pushes on *shares*. A push on a score moves all shares of its row.",
        ways=[lambda weights, d_weights: d_weights]),
    Mistake("shared-again", "softmax is taken once more",
        say="weights are shares already, and a gradient is no score: on the way back softmax itself is not taken again.",
        ways=[lambda weights, d_weights: backward(maths.softmax(weights), d_weights),
            lambda weights, d_weights: maths.softmax(d_weights),
            lambda weights, d_weights: weights * maths.softmax(d_weights),
            lambda weights, d_weights: backward(maths.softmax(d_weights), d_weights)]),
    Mistake("loss-included", "the rule for softmax and loss together",
        say="Shares less the target is the gradient of softmax and of a logarithm behind it, in one. Here the gradient at the shares is given, of whatever loss.",
        ways=[lambda weights, d_weights: weights - d_weights, lambda weights, d_weights: d_weights - weights]),
    Mistake("matrix-product", "@ in place of * and a sum",
        say="@ lets each row of the weights meet *every* row of the other. Each row belongs to its own query: multiply entry by entry, and sum along the row.",
        ways=[lambda weights, d_weights: weights * (d_weights - weights @ d_weights),
            lambda weights, d_weights: weights * (d_weights - weights @ d_weights.swapaxes(-1, -2))]),
)


def shares_and_nudges(*shape):
    return lambda draw: (maths.softmax(draw(*shape)), draw(*shape))


@exercise(mistakes=MISTAKES, result="d_scaled", see=BACKWARD, inputs={
    "smallest": shares_and_nudges(2, 2),
    "more keys than queries": shares_and_nudges(2, 3),
    "square": shares_and_nudges(3, 3),
    "batch": shares_and_nudges(2, 3, 4),
    "batch, all sizes alike": shares_and_nudges(3, 3, 3),
    "a saturated row": (np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0, -1.0], [1.0, 3.0]])),
    "a single row": shares_and_nudges(5),
})
def softmax_backward(weights, d_weights):
    """Check `f(weights, d_weights)` → d_scaled. Returns Feedback."""
    return backward(weights, d_weights)
