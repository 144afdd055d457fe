"""Lesson 00: the mean of rows, in shares."""

import numpy as np

from attn_checks.exercise import Mistake, exercise

BY_HAND = "lesson 00, A whole pass by hand"

INPUTS = {
    "whole numbers": (np.array([0.25, 0.75]), np.array([[4, 0], [2, 8]])),
    "more rows than columns": lambda draw: (np.array([0.5, 0.125, 0.375]), draw(3, 2)),
    "square, one row takes all": lambda draw: (np.array([1.0, 0.0, 0.0]), draw(3, 3)),
    "one column of decimals": lambda draw: (np.array([0.0, 0.6, 0.4]), 0.123 * draw(3, 1)),
}


def added_in_whole_numbers(weights, values):
    """The mean added up in an array of the values' own dtype, which may be int."""
    total = np.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        total[:] = total + weight * value
    return total


MISTAKES = [
    Mistake(
        "first-row-only",
        name="only the first row is in it",
        ways=[lambda weights, values: weights[0] * values[0]],
        say="The loop ended after its first round. Is return indented too far?",
        see=BY_HAND,
    ),
    Mistake(
        "last-row-only",
        name="only the last row is in it",
        ways=[lambda weights, values: weights[-1] * values[-1]],
        say="Each round writes over what the round before had left. Add to it: `mean = mean + …`.",
        see=BY_HAND,
    ),
    Mistake(
        "rounded-to-whole",
        name="something is rounded to a whole number",
        ways=[
            added_in_whole_numbers,
            lambda weights, values: np.trunc(weights @ values),
            lambda weights, values: np.round(weights @ values),
        ],
        say="An array made with dtype=int, or with zeros_like of whole numbers, cuts the decimals off. np.zeros with a shape makes one that holds any number.",
        see=BY_HAND,
    ),
    Mistake(
        "as-many-as-rows",
        name="the sum starts with as many zeros as there are rows",
        ways=[lambda weights, values: sum(weights[:, None] * values, start=np.zeros(len(values)))],
        say="The mean of rows is a row: it is as wide as values has *columns*. len(values) counts rows.",
        see=BY_HAND,
    ),
    Mistake(
        "plain-mean",
        name="all rows count the same",
        ways=[lambda weights, values: values.mean(axis=0)],
        say="This is the plain mean: the weights have no effect.",
        see=BY_HAND,
    ),
    Mistake(
        "not-summed",
        name="weighted, but not added up",
        ways=[lambda weights, values: weights[:, None] * values],
        say="Each row has its weight. Now add the rows.",
        see=BY_HAND,
    ),
    Mistake(
        "summed-along-rows",
        name="added along the wrong axis",
        ways=[lambda weights, values: (weights[:, None] * values).sum(axis=1)],
        say="You added the entries *within* each row. Add the rows to one another.",
        see=BY_HAND,
    ),
    Mistake(
        "divided-again",
        name="divided by the number of rows",
        ways=[
            lambda weights, values: weights @ values / len(weights),
            lambda weights, values: np.mean(weights * values, axis=0),
        ],
        say="The weights sum to 1 already: nothing is left to divide by.",
        see=BY_HAND,
    ),
    Mistake(
        "columns-weighted",
        name="the weights meet the columns",
        ways=[
            lambda weights, values: values @ weights,
            lambda weights, values: (weights * values).sum(axis=0),
            lambda weights, values: (weights * values).sum(axis=1),
        ],
        say="There is one weight for each *row* of values, but your product pairs the weights with the entries of a row.",
        see=BY_HAND,
    ),
    Mistake(
        "unweighted-sum",
        name="a sum without the weights",
        ways=[lambda weights, values: values.sum(axis=0)],
        say="The weights have no effect.",
        see=BY_HAND,
    ),
]


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="mean", see=BY_HAND)
def weighted_mean(weights, values):
    """Check `f(weights, values)` → the mean of the rows of values, in shares given by weights. Returns Feedback."""
    return weights @ values
