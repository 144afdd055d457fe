"""Lesson 00: the weighted mean of rows."""

from functools import reduce

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, with_zeros

STEP_3 = "l00-hand-shares-why"

INPUTS = {
    "whole numbers": (np.array([0.25, 0.75]), np.array([[4, 0], [2, 8]])),
    "more rows than columns": lambda draw: (np.array([0.5, 0.125, 0.375]), draw(3, 2)),
    "square": lambda draw: (np.array([0.7, 0.1, 0.2]), draw(3, 3)),
    "one column of decimals": lambda draw: (np.array([0.15, 0.5, 0.35]), 0.123 * draw(3, 1)),
    "one row takes all": lambda draw: (np.array([0.0, 1.0, 0.0, 0.0]), draw(4, 2)),
}


# fmt: off
WEIGH_MISTAKES = [
    Mistake("unweighted-sum", "a sum without the weights",
        say="Your weights have no effect. Multiply each row by its *own* weight only: zip pairs the two, two nested loops don't.",
        ways=[lambda weights, values: values]),
    Mistake("weights-added", "weights are added, not multiplied",
        say="A row with weight 0 must not count at all, but 0 + row is the whole row. Multiply instead.",
        ways=[lambda weights, values: weights[:, None] + values]),
    Mistake("columns-weighted", "the weights multiply the columns",
        say="There is one weight for each *row* of values, but your product pairs the weights with the entries of a row.",
        ways=[lambda weights, values: weights * values, lambda weights, values: weights[range(values.shape[1])] * values]),
    Mistake("weights-changed", "rows don't get their own weights",
        say="The weights already sum to 1. Use each of them once, as given, and weight i for row i, with no root, power or softmax.",
        ways=[lambda weights, values, change=change: change(weights)[:, None] * values for change in (
            lambda w: np.roll(w, 1), np.square, lambda w: w[::-1], lambda w: np.roll(w, -1), lambda w: np.exp(w) / np.exp(w).sum(),
            np.sqrt, np.exp, lambda w: w / w.max(), lambda w: 1 - w, lambda w: -w)]),
]
ADD_MISTAKES = [
    Mistake("first-row-only", "only the first row is in it",
        say="No other row has an effect on your result. In a loop, check whether return is indented too far.",
        ways=[lambda products, values: products[0]]),
    Mistake("last-row-only", "only the last row is in it",
        say="No other row has an effect on your result. Does each round of a loop overwrite the sum, or set it to 0 again?",
        ways=[lambda products, values: products[-1]]),
    Mistake("still-zeros", "no row is added",
        say="No row has an effect on your result. If you have a line `mean + …`, store its result: `mean = mean + …`.",
        ways=[lambda products, values: np.zeros(values.shape[1]), lambda products, values: 0]),
    Mistake("not-summed", "the rows are not added up",
        say="Your result has as many rows as values. Add them up to a single row.",
        ways=[lambda products, values: products]),
    Mistake("summed-along-rows", "the entries of a row are added up",
        say="You added up the entries *within* a row. Add only the rows to one another, so that each column has its own sum.",
        ways=[lambda products, values: products.sum(axis=1), lambda products, values: products.sum()]),
    Mistake("row-left-out", "a row is left out",
        say="Your sum leaves out the first row or the last. Rows are counted from 0, and range(n) ends at n − 1.",
        ways=[lambda products, values: products[1:].sum(axis=0), lambda products, values: products[:-1].sum(axis=0)]),
    Mistake("fixed-number-of-rows", "a wrong number of rows",
        say="You don't always take all rows. len(values) counts the rows, and the second number of values.shape counts the columns.",
        ways=[lambda products, values: products[:2].sum(axis=0), lambda products, values: products[:3].sum(axis=0),
            lambda products, values: products[: values.shape[1]].sum(axis=0)]),
]
START_MISTAKES = [
    Mistake("not-from-zeros", "something extra is in the sum",
        say="Your sum also contains the first row without a weight, or a 1 in each entry. Does it start from zeros?",
        ways=[lambda total, values: values[0] + total, lambda total, values: 1 + total]),
    Mistake("as-many-as-rows", "the sum starts with as many zeros as there are rows",
        say="The mean of rows is a row, so it has one number per *column* of values. len(values) counts the rows.",
        ways=[lambda total, values: np.zeros(len(values)) + total]),
    Mistake("fixed-number-of-columns", "always two columns",
        say="Your mean has two entries whatever comes in. Is a 2 typed in your code, as in np.zeros(2)? Values may have any number of columns. values.shape counts them.",
        ways=[lambda total, values: np.zeros(2) + total, lambda total, values: total[[0, 1]], lambda total, values: total[:2]]),
    Mistake("column-left-out", "a column is left out",
        say="An entry of your result stays 0. range(n) already runs from 0 to n − 1, so it needs no n − 1 and no start at 1.",
        ways=[lambda total, values: with_zeros(-1)(total), lambda total, values: with_zeros(0)(total)]),
]
DIVIDE_MISTAKES = [
    Mistake("divided-again", "a division too many",
        say="The weights already sum to 1, so there's nothing left to divide by.",
        ways=[lambda mean, values: mean / len(values), lambda mean, values: mean / values.shape[1],
            lambda mean, values: mean / (len(values) - 1)]),
]
STEPS = Steps("weights values", {
    "weigh": Step("weights values", "products", WEIGH_MISTAKES, lambda weights, values: weights[:, None] * values),
    "add": Step("products values", "result", ADD_MISTAKES, lambda products, values: products.sum(axis=0)),
    "start": Step("result values", "result", START_MISTAKES),
    "divide": Step("result values", "result", DIVIDE_MISTAKES),
}, few=6)
MISTAKES = [
    Mistake("all-rows-kept", "all rows are kept",
        say="Your result has as many rows as values, but the mean is a single row. In a loop, take one row per round: `for weight, row in zip(weights, values)`.",
        ways=[lambda weights, values: weights.sum() * values, lambda weights, values: weights[0] * values]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="Look for //, int() or a rounding, or for an array made with dtype=int or with zeros_like of whole numbers. np.zeros with a shape makes one that holds any number.",
        ways=[*[lambda weights, values, cut=cut: reduce(lambda total, row: cut(total + row, values), weights[:, None] * values, 0)
                for cut in (lambda total, values: total.astype(values.dtype), lambda total, values: np.trunc(total))],
            lambda weights, values: np.trunc(weights @ values), lambda weights, values: np.round(weights @ values),
            lambda weights, values: np.trunc(weights[:, None] * values).sum(axis=0)]),
    Mistake("plain-mean", "all rows count the same",
        say="Your result is the plain mean of the rows, so the weights have no effect. Multiply each row by its weight.",
        ways=[lambda weights, values: values.mean(axis=0)]),
    *again(WEIGH_MISTAKES, {"columns-weighted": [lambda weights, values: values @ weights,
        lambda weights, values: sum(a * column for a, column in zip(weights, values.T, strict=False))]}),
]


@exercise(inputs=INPUTS, mistakes=[*MISTAKES, *STEPS.mistakes()], steps=STEPS, result="mean", see=STEP_3)
def weighted_mean(weights, values):
    """Check `f(weights, values)` → the mean of the rows of values, weighted by weights. Returns Feedback."""
    return weights @ values
