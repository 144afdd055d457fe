"""Lesson 00: the mean of rows, in shares."""

from functools import reduce

import numpy as np

from attn_checks.exercise import Mistake, exercise, table

BY_HAND = "l00-hand"

INPUTS = {
    "whole numbers": (np.array([0.25, 0.75]), np.array([[4, 0], [2, 8]])),
    "more rows than columns": lambda draw: (np.array([0.5, 0.125, 0.375]), draw(3, 2)),
    "square": lambda draw: (np.array([0.7, 0.1, 0.2]), draw(3, 3)),
    "one column of decimals": lambda draw: (np.array([0.15, 0.5, 0.35]), 0.123 * draw(3, 1)),
    "one row takes all": lambda draw: (np.array([0.0, 1.0, 0.0, 0.0]), draw(4, 2)),
}


# fmt: off
MISTAKES = table(
    BY_HAND,
    Mistake("first-row-only", "only the first row is in it",
        say="The loop ended after its first round. Is return indented too far?",
        ways=[lambda weights, values: weights[0] * values[0]]),
    Mistake("last-row-only", "only the last row is in it",
        say="Each round writes over what the round before had left. Add to it: `mean = mean + …`.",
        ways=[lambda weights, values: weights[-1] * values[-1]]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="An array made with dtype=int, or with zeros_like of whole numbers, cuts the decimals off. np.zeros with a shape makes one that holds any number.",
        ways=[lambda weights, values: reduce(
                lambda total, row: (total + row).astype(values.dtype), weights[:, None] * values, 0),
            lambda weights, values: np.trunc(weights @ values), lambda weights, values: np.round(weights @ values),
            lambda weights, values: np.trunc(weights[:, None] * values).sum(axis=0)]),
    Mistake("as-many-as-rows", "the sum starts with as many zeros as there are rows",
        say="The mean of rows is a row: it is as wide as values has *columns*. len(values) counts rows.",
        ways=[lambda weights, values: sum(weights[:, None] * values, start=np.zeros(len(values)))]),
    Mistake("plain-mean", "all rows count the same",
        say="This is the plain mean: the weights have no effect.",
        ways=[lambda weights, values: values.mean(axis=0)]),
    Mistake("not-summed", "weighted, but not added up",
        say="Each row has its weight. Now add the rows.",
        ways=[lambda weights, values: weights[:, None] * values]),
    Mistake("summed-along-rows", "added along the wrong axis",
        say="You added the entries *within* each row. Add the rows to one another.",
        ways=[lambda weights, values: (weights[:, None] * values).sum(axis=1)]),
    Mistake("divided-again", "divided by the number of rows, or of columns",
        say="The weights sum to 1 already: nothing is left to divide by.",
        ways=[lambda weights, values: weights @ values / values.shape[1],
            lambda weights, values: weights @ values / len(weights),
            lambda weights, values: np.mean(weights * values, axis=0)]),
    Mistake("columns-weighted", "the weights meet the columns",
        say="There is one weight for each *row* of values, but your product pairs the weights with the entries of a row.",
        ways=[lambda weights, values: values @ weights, lambda weights, values: (weights * values).sum(axis=0),
            lambda weights, values: (weights * values).sum(axis=1),
            lambda weights, values: sum(a * column for a, column in zip(weights, values.T, strict=False))]),
    Mistake("unweighted-sum", "a sum without the weights",
        say="The weights have no effect.",
        ways=[lambda weights, values: values.sum(axis=0)]),
    Mistake("row-left-out", "a row is left out",
        say="The first row, or the last, is not in the sum. Rows are counted from 0, and range(n) ends at n − 1.",
        ways=[lambda weights, values: weights[1:] @ values[1:], lambda weights, values: weights[:-1] @ values[:-1]]),
    Mistake("fixed-number-of-rows", "not as many rows as there are",
        say="Right as long as there are as many rows as you take. How many there are len(values) says; values.shape[1] counts columns.",
        ways=[lambda weights, values: weights[:2] @ values[:2], lambda weights, values: weights[:3] @ values[:3],
            lambda weights, values: weights[: values.shape[1]] @ values[: values.shape[1]]]),
    Mistake("weights-added", "weights are added, not multiplied",
        say="A row with the weight 0 must not count at all, and 0 + row is the whole row.",
        ways=[lambda weights, values: (weights[:, None] + values).sum(axis=0),
            lambda weights, values: (weights[:, None] + values).mean(axis=0)]),
    Mistake("largest-weight-only", "only the row with the largest weight",
        say="The others have no effect. Each counts by its weight, however small.",
        ways=[lambda weights, values: values[weights.argmax()],
            lambda weights, values: weights.max() * values[weights.argmax()]]),
    Mistake("weights-changed", "other weights than those given",
        say="The weights are shares already, and sum to 1. They are taken as they come: once each, no root, no power, no softmax, in their order.",
        ways=[lambda weights, values, change=change: change(weights) @ values for change in (np.square, np.sqrt, np.exp,
            lambda w: np.exp(w) / np.exp(w).sum(), lambda w: w / np.linalg.norm(w), lambda w: w / w.max(),
            lambda w: 1 - w, np.sort, lambda w: np.where(w < 0.3, 0, w))]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="mean", see=BY_HAND)
def weighted_mean(weights, values):
    """Check `f(weights, values)` → the mean of the rows of values, in shares given by weights. Returns Feedback."""
    return weights @ values
