"""Lesson 09: the backward pass of softmax."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson04.softmax import total
from attn_parts import mathematics as maths

BACKWARD = "l09-softmax"


def backward(weights, d_weights):
    return weights * (d_weights - total(weights * d_weights))


def less(total):
    """The backward pass with another sum subtracted."""
    return lambda weights, d_weights: weights * (d_weights - total(weights, d_weights))


# fmt: off
MISTAKES = table(
    BACKWARD,
    Mistake("arguments-exchanged", "the weights and their gradient changed places",
        say="You have exchanged weights and d_weights. The factor in front of the bracket is the weights.",
        ways=[lambda weights, d_weights: backward(d_weights, weights)]),
    Mistake("elementwise-jacobian", "the Jacobian is taken as elementwise",
        say="You use only the diagonal p(1 − p) of the Jacobian. Raising one score also lowers all *other* weights of its row.",
        ways=[lambda weights, d_weights: weights * (1 - weights) * d_weights]),
    Mistake("no-sum", "the sum over the row is missing",
        say="You multiply by the weights and subtract nothing. The other keys lose what one key gains, so each row of the result must sum to 0.",
        ways=[lambda weights, d_weights: weights * d_weights]),
    Mistake("wrong-axis", "summed over the queries",
        say="You sum down the columns. Softmax runs along rows, so the sum does the same.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum(axis=-2, keepdims=True)),
            less(lambda weights, d_weights: (weights * d_weights).sum(axis=0))]),
    Mistake("whole-array", "summed over the whole array",
        say="You sum over the whole array. Each row has its own softmax, so it needs its own sum.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum())]),
    Mistake("missing-keepdims", "the sum or maximum lost its axis (keepdims)",
        say="Your sums have lost their axis, so NumPy spreads them along the columns. Keep it with keepdims=True.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).sum(axis=-1))]),
    Mistake("unweighted-sum", "the sum is not weighted",
        say="You sum or average d_weights alone. Sum weights · d_weights.",
        ways=[less(lambda weights, d_weights: total(d_weights)), less(lambda weights, d_weights: d_weights.mean()),
            less(lambda weights, d_weights: d_weights.mean(axis=-1, keepdims=True))]),
    Mistake("mean-not-shared", "the mean is subtracted after the weights",
        say="You subtract the mean after multiplying by the weights, so rows don't sum to 0. The weights multiply the whole bracket, the mean included.",
        ways=[lambda weights, d_weights: weights * d_weights - total(weights * d_weights)]),
    Mistake("divided-again", "the weighted mean is divided by the number of keys",
        say="You divide the weighted mean by the number of keys. The weights already sum to 1, so the sum of weights · d_weights is the mean.",
        ways=[less(lambda weights, d_weights: (weights * d_weights).mean(axis=-1, keepdims=True))]),
    Mistake("weights-missing", "not multiplied by the weights",
        say="You don't multiply by the weights. A key with weight 0 doesn't react to a nudge, so the weights are a factor of the whole.",
        ways=[lambda weights, d_weights: d_weights - total(weights * d_weights)]),
    Mistake("sign", "the sign is wrong",
        say="You have a wrong sign. Raising a score raises its own weight and lowers the others.",
        ways=[lambda weights, d_weights: -backward(weights, d_weights),
            less(lambda weights, d_weights: -total(weights * d_weights))]),
    Mistake("handed-through", "the gradient is passed through unchanged",
        say="You return d_weights unchanged, which is the gradient at the *weights*. A nudge to one score moves all weights of its row, so go back through softmax.",
        ways=[lambda weights, d_weights: d_weights]),
    Mistake("shared-again", "softmax is applied again",
        say="You apply softmax again. The weights are already the output of softmax, and a gradient isn't a score.",
        ways=[lambda weights, d_weights: backward(maths.softmax(weights), d_weights),
            lambda weights, d_weights: maths.softmax(d_weights),
            lambda weights, d_weights: weights * maths.softmax(d_weights),
            lambda weights, d_weights: backward(maths.softmax(d_weights), d_weights)]),
    Mistake("loss-included", "the rule for softmax and loss together",
        say="You subtract the two arguments, which is the rule for softmax and cross-entropy together. Here d_weights is the gradient at the weights, of any loss.",
        ways=[lambda weights, d_weights: weights - d_weights, lambda weights, d_weights: d_weights - weights]),
    Mistake("matrix-product", "@ instead of * and a sum",
        say="@ combines each row of the weights with *every* row of the other. Each row belongs to its own query, so multiply entry by entry and sum along the row.",
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
