"""Lesson 09: the backward pass of softmax, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each
from attn_lessons.lesson04.softmax import total
from attn_parts import mathematics as maths

# weights, d_weights, product, bracket: (..., L), sum: (..., 1)
PRODUCT = {
    "unweighted-sum": lambda weights, d_weights: d_weights,
    "matrix-product": [
        lambda weights, d_weights: weights @ d_weights,
        lambda weights, d_weights: weights @ d_weights.swapaxes(-1, -2),
    ],
    "weights-twice": lambda weights, d_weights: weights**2 * d_weights,
}
SUM = {
    "unweighted-sum (mean)": [
        lambda product, d_weights, _: d_weights.mean(axis=-1, keepdims=True),
        lambda product, d_weights, _: d_weights.mean(),
    ],
    "matrix-product": [
        lambda product, d_weights, weights: weights @ d_weights,
        lambda product, d_weights, weights: weights @ d_weights.swapaxes(-1, -2),
    ],
    "wrong-axis": [
        lambda product, *_: product.sum(axis=-2, keepdims=True),
        lambda product, *_: product.sum(axis=0),
    ],
    "whole-array": [
        lambda product, *_: product.sum(),
        lambda product, *_: product.mean(),
    ],
    "missing-keepdims": lambda product, *_: product.sum(axis=-1),
    "divided-again": lambda product, *_: product.mean(axis=-1, keepdims=True),
    "no-sum": lambda product, *_: 0 * product,
}
BRACKET = {
    "sign": [
        lambda d_weights, sum: sum - d_weights,
        lambda d_weights, sum: d_weights + sum,
    ]
}
FACTOR = {
    "weights-missing": lambda weights, bracket, *_: bracket,
    "mean-not-shared": lambda weights, bracket, d_weights, sum: weights * d_weights - sum,
    "weights-twice": lambda weights, bracket, *_: weights**2 * bracket,
    "scaled-here": with_each(
        (-0.5, -1, 0.5, 1),
        lambda weights, bracket, d_weights, sum, power: weights * bracket * weights.shape[-1] ** power,
    ),
    "shared-again": lambda weights, bracket, *_: maths.softmax(weights) * bracket,
}
STEPS = Steps(
    "weights d_weights",
    {
        "product": Step("weights d_weights", "product", PRODUCT, np.multiply),
        "sum": Step(
            "product d_weights weights",
            "sum",
            SUM,
            lambda product, *_: total(product),
        ),
        "bracket": Step("d_weights sum", "bracket", BRACKET, np.subtract),
        "factor": Step(
            "weights bracket d_weights sum",
            "result",
            FACTOR,
            lambda weights, bracket, *_: weights * bracket,
        ),
    },
)
backward = STEPS.whole({})
OTHERS = {
    "arguments-exchanged": lambda weights, d_weights: backward(d_weights, weights),
    "elementwise-jacobian": lambda weights, d_weights: weights * (1 - weights) * d_weights,
    "handed-through": lambda weights, d_weights: d_weights,
    "shared-again": [
        lambda weights, d_weights: backward(maths.softmax(weights), d_weights),
        lambda weights, d_weights: maths.softmax(d_weights),
        lambda weights, d_weights: weights * maths.softmax(d_weights),
    ],
    "loss-included": [
        lambda weights, d_weights: weights - d_weights,
        lambda weights, d_weights: d_weights - weights,
    ],
}
MISTAKES = [OTHERS, STEPS.mistakes()]


def rows_sum_to_0(ask, given, wanted, got):
    """Say which row doesn't sum to 0, or that all do; nothing where the others are NaN."""
    sums = got[0].sum(axis=-1).ravel()
    for row in np.flatnonzero(abs(sums) > 1e-4)[:1]:
        return (
            f"Row {row} of your result sums to {sums[row]:.3g}. Each row should sum to 0, "
            "because what one key gains, the others lose."
        )
    told = "Each row of your result sums to 0, as it should: what one key gains, the others lose."
    return "" if np.isnan(sums).any() else told


def shares_and_nudges(*shape):
    """Weights of scores from −1 to 1, so that none is almost 0 or 1, and their gradient."""
    return lambda draw: (maths.softmax(np.sign(draw(*shape))), draw(*shape))


@exercise(
    own=rows_sum_to_0,
    mistakes=MISTAKES,
    steps=STEPS,
    result="d_scaled",
    inputs={
        "smallest": (
            np.array([[0.5, 0.5], [0.25, 0.75]]),
            np.array([[2.0, 0], [4, 1]]),
        ),
        "more keys than queries": shares_and_nudges(2, 3),
        "square": shares_and_nudges(3, 3),
        "batch": shares_and_nudges(2, 3, 4),
        "batch, all sizes alike": shares_and_nudges(3, 3, 3),
        "a saturated row": (
            np.array([[1.0, 0.0], [0.5, 0.5]]),
            np.array([[2.0, -1.0], [1.0, 3.0]]),
        ),
        "a single row": shares_and_nudges(5),
        "sentences, and a single head": shares_and_nudges(2, 1, 3, 4),
    },
)
def softmax_backward(weights, d_weights):
    """Check `f(weights, d_weights)` → d_scaled. Returns Feedback."""
    return backward(weights, d_weights)
