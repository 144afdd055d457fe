"""Lesson 00: the weighted mean of rows."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each, with_zeros

INPUTS = {
    "whole numbers": (np.array([0.25, 0.75]), np.array([[4, 0], [2, 8]])),
    "more rows than columns": lambda draw: (
        np.array([0.5, 0.125, 0.375]),
        draw(3, 2),
    ),
    "square": lambda draw: (np.array([0.7, 0.1, 0.2]), draw(3, 3)),
    "one column of decimals": lambda draw: (
        np.array([0.15, 0.5, 0.35]),
        0.123 * draw(3, 1),
    ),
    "one row takes all": lambda draw: (np.array([0.0, 0.0, 0.0, 1.0]), draw(4, 2)),
}


def added_up(weights, values, dtype):
    """The mean, row by row, where the sum so far can hold only numbers of this dtype."""
    total = np.zeros(values.shape[1], dtype)
    for weight, row in zip(weights, values):
        total = (total + weight * row).astype(dtype)
    return total


# weights: (rows,), values and products: (rows, columns), total and mean: (columns,)
WEIGH_MISTAKES = {
    "unweighted-sum": lambda weights, values: values,
    "weights-added": lambda weights, values: weights[:, None] + values,
    "columns-weighted": [
        lambda weights, values: weights * values,
        lambda weights, values: weights[range(values.shape[1])] * values,
    ],
    "weights-changed": with_each(
        (
            lambda w: np.roll(w, 1),
            np.square,
            lambda w: np.roll(w, -1),
            lambda w: np.exp(w) / np.exp(w).sum(),
            np.exp,
            lambda w: w / w.max(),
            lambda w: 1 - w,
        ),
        lambda weights, values, change: change(weights)[:, None] * values,
    ),
}
ADD_MISTAKES = {
    "first-row-only": lambda products, values: products[0],
    "last-row-only": lambda products, values: products[-1],
    "still-zeros": [
        lambda products, values: np.zeros(values.shape[1]),
        lambda products, values: 0,
    ],
    "not-summed": lambda products, values: products,
    "summed-along-rows": [
        lambda products, values: products.sum(axis=1),
        lambda products, values: products.sum(),
    ],
    "row-left-out": [
        lambda products, values: products[1:].sum(axis=0),
        lambda products, values: products[:-1].sum(axis=0),
    ],
    "fixed-number-of-rows": [
        lambda products, values: products[:2].sum(axis=0),
        lambda products, values: products[:3].sum(axis=0),
        lambda products, values: products[: values.shape[1]].sum(axis=0),
    ],
}
START_MISTAKES = {
    "not-from-zeros": [
        lambda total, values: values[0] + total,
        lambda total, values: 1 + total,
    ],
    "as-many-as-rows": lambda total, values: np.zeros(len(values)) + total,
    "fixed-number-of-columns": [
        lambda total, values: np.zeros(2) + total,
        lambda total, values: total[[0, 1]],
        lambda total, values: total[:2],
    ],
    "column-left-out": [
        lambda total, values: with_zeros(-1)(total),
        lambda total, values: with_zeros(0)(total),
    ],
}
DIVIDE_MISTAKES = {
    "divided-again": [
        lambda mean, values: mean / len(values),
        lambda mean, values: mean / values.shape[1],
    ]
}
STEPS = Steps(
    "weights values",
    {
        "weigh": Step(
            "weights values",
            "products",
            WEIGH_MISTAKES,
            lambda weights, values: weights[:, None] * values,
        ),
        "add": Step(
            "products values",
            "result",
            ADD_MISTAKES,
            lambda products, values: products.sum(axis=0),
        ),
        "start": Step("result values", "result", START_MISTAKES),
        "divide": Step("result values", "result", DIVIDE_MISTAKES),
    },
    few=6,
)
MISTAKES = {
    "all-rows-kept": [
        lambda weights, values: weights.sum() * values,
        lambda weights, values: weights[0] * values,
    ],
    "rounded-to-whole": [
        lambda weights, values: added_up(weights, values, values.dtype),
        lambda weights, values: added_up(weights, values, int),
        lambda weights, values: np.trunc(weights @ values),
        lambda weights, values: np.round(weights @ values),
    ],
    "plain-mean": lambda weights, values: values.mean(axis=0),
    "columns-weighted": [
        lambda weights, values: values @ weights,
        lambda weights, values: sum(a * column for a, column in zip(weights, values.T)),
    ],
}


@exercise(
    inputs=INPUTS,
    mistakes=[MISTAKES, STEPS.mistakes()],
    steps=STEPS,
    result="mean",
)
def weighted_mean(weights, values):
    """Check `f(weights, values)` → the mean of the rows of values, weighted by weights. Returns Feedback."""
    return weights @ values
