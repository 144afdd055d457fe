"""Lesson 00: the mean of rows, in shares."""

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


def added_in_whole_numbers(weights, values):
    """The mean added up in an array of the values' own dtype, which may be int."""
    total = np.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        total[:] = total + weight * value
    return total


def in_rounds(step):
    """A loop over weights and rows, its sum made anew in each round by `step(sum, weight, row, i)`."""

    def way(weights, values):
        total = np.zeros(values.shape[1])
        for i, (weight, row) in enumerate(zip(weights, values, strict=True)):
            total = step(total, weight, row, i)
        return total

    return way


def with_weights(change):
    """The mean with other weights."""
    return lambda weights, values: change(weights) @ values


MISTAKES = table(
    BY_HAND,
    Mistake(
        "first-row-only",
        name="only the first row is in it",
        ways=[lambda weights, values: weights[0] * values[0]],
        say="The loop ended after its first round. Is return indented too far?",
    ),
    Mistake(
        "last-row-only",
        name="only the last row is in it",
        ways=[lambda weights, values: weights[-1] * values[-1]],
        say="Each round writes over what the round before had left. Add to it: `mean = mean + …`.",
    ),
    Mistake(
        "rounded-to-whole",
        name="something is rounded to a whole number",
        ways=[
            added_in_whole_numbers,
            lambda weights, values: np.trunc(weights @ values),
            lambda weights, values: np.round(weights @ values),
            lambda weights, values: np.trunc(weights[:, None] * values).sum(axis=0),
        ],
        say="An array made with dtype=int, or with zeros_like of whole numbers, cuts the decimals off. np.zeros with a shape makes one that holds any number.",
    ),
    Mistake(
        "as-many-as-rows",
        name="the sum starts with as many zeros as there are rows",
        ways=[lambda weights, values: sum(weights[:, None] * values, start=np.zeros(len(values)))],
        say="The mean of rows is a row: it is as wide as values has *columns*. len(values) counts rows.",
    ),
    Mistake(
        "plain-mean",
        name="all rows count the same",
        ways=[lambda weights, values: values.mean(axis=0)],
        say="This is the plain mean: the weights have no effect.",
    ),
    Mistake(
        "not-summed",
        name="weighted, but not added up",
        ways=[lambda weights, values: weights[:, None] * values],
        say="Each row has its weight. Now add the rows.",
    ),
    Mistake(
        "summed-along-rows",
        name="added along the wrong axis",
        ways=[lambda weights, values: (weights[:, None] * values).sum(axis=1)],
        say="You added the entries *within* each row. Add the rows to one another.",
    ),
    Mistake(
        "divided-again",
        name="divided by the number of rows, or of columns",
        ways=[
            lambda weights, values: weights @ values / values.shape[1],
            lambda weights, values: weights @ values / len(weights),
            lambda weights, values: np.mean(weights * values, axis=0),
        ],
        say="The weights sum to 1 already: nothing is left to divide by.",
    ),
    Mistake(
        "columns-weighted",
        name="the weights meet the columns",
        ways=[
            lambda weights, values: values @ weights,
            lambda weights, values: (weights * values).sum(axis=0),
            lambda weights, values: (weights * values).sum(axis=1),
            lambda weights, values: sum(a * column for a, column in zip(weights, values.T, strict=False)),
        ],
        say="There is one weight for each *row* of values, but your product pairs the weights with the entries of a row.",
    ),
    Mistake(
        "unweighted-sum",
        name="a sum without the weights",
        ways=[lambda weights, values: values.sum(axis=0)],
        say="The weights have no effect.",
    ),
    Mistake(
        "row-left-out",
        name="a row is left out",
        ways=[
            lambda weights, values: weights[1:] @ values[1:],
            lambda weights, values: weights[:-1] @ values[:-1],
        ],
        say="The first row, or the last, is not in the sum. Rows are counted from 0, and range(n) ends at n − 1.",
    ),
    Mistake(
        "fixed-number-of-rows",
        name="not as many rows as there are",
        ways=[
            lambda weights, values: weights[:2] @ values[:2],
            lambda weights, values: weights[:3] @ values[:3],
            lambda weights, values: weights[: values.shape[1]] @ values[: values.shape[1]],
        ],
        say="Right as long as there are as many rows as you take. How many there are len(values) says; values.shape[1] counts columns.",
    ),
    Mistake(
        "does-not-start-at-0",
        name="the sum does not start at 0",
        ways=[
            lambda weights, values: weights @ values + 1,
            lambda weights, values: weights @ values + values[0],
            lambda weights, values: weights @ values + weights[0] * values[0],
            lambda weights, values: values[0] + weights[1:] @ values[1:],
        ],
        say="Something is in your sum before the first weighted row is added, such as ones, or a row without its weight.",
    ),
    Mistake(
        "weights-added",
        name="weights are added, not multiplied",
        ways=[
            lambda weights, values: (weights[:, None] + values).sum(axis=0),
            lambda weights, values: (weights[:, None] + values).mean(axis=0),
        ],
        say="A row with the weight 0 must not count at all, and 0 + row is the whole row.",
    ),
    Mistake(
        "changed-in-each-round",
        name="what has been summed already is weighted or divided again",
        ways=[
            in_rounds(lambda total, weight, row, i: (total + row) * weight),
            in_rounds(lambda total, weight, row, i: total + weight * (total + row)),
            in_rounds(lambda total, weight, row, i: (total + weight * row) / (i + 1)),
            in_rounds(lambda total, weight, row, i: (total + weight * row) / 2),
            lambda weights, values: in_rounds(lambda t, weight, row, i: (t + weight * row) / len(weights))(
                weights, values
            ),
        ],
        say="In each round something happens to the whole sum, so that the first rows count for less. Only the new row is to be weighted; then it is added.",
    ),
    Mistake(
        "weights-of-other-rows",
        name="each row has another row's weight",
        ways=[
            with_weights(lambda w: np.roll(w, 1)),
            with_weights(lambda w: np.roll(w, -1)),
            with_weights(np.flip),
        ],
        say="Weight i belongs to row i. Is one counted from 1, from the end, or one ahead?",
    ),
    Mistake(
        "one-weight-for-all",
        name="one weight for all rows",
        ways=[
            with_weights(lambda w: np.full_like(w, w[0])),
            with_weights(lambda w: np.full_like(w, w[-1])),
        ],
        say="Only the first of the weights, or the last, has an effect. Each row has its own.",
    ),
    Mistake(
        "one-row-for-all",
        name="one row for all weights",
        ways=[
            lambda weights, values: values[0] * weights.sum(),
            lambda weights, values: values[-1] * weights.sum(),
        ],
        say="Only the first of the rows, or the last, has an effect. Each weight has its own.",
    ),
    Mistake(
        "first-column-only",
        name="one column for all",
        ways=[lambda weights, values: np.full(values.shape[1], weights @ values[:, 0])],
        say="Every number is the mean of column 0. A row is added as a whole, all its entries at once.",
    ),
    Mistake(
        "once-for-each-row",
        name="the mean is added up once for each row",
        ways=[lambda weights, values: weights @ values * len(weights)],
        say="It is as many times too large as there are rows. Does the whole sum stand inside a loop?",
    ),
    Mistake(
        "index-as-weight",
        name="the number of a row is its weight",
        ways=[with_weights(lambda w: np.arange(len(w))), with_weights(lambda w: np.arange(len(w)) + 1)],
        say="The rows count 0, 1, 2 … times: that is where they stand. What they count stands in weights.",
    ),
    Mistake(
        "largest-weight-only",
        name="only the row with the largest weight",
        ways=[
            lambda weights, values: values[weights.argmax()],
            lambda weights, values: weights.max() * values[weights.argmax()],
        ],
        say="The others have no effect. Each counts by its weight, however small.",
    ),
    Mistake(
        "weights-changed",
        name="other weights than those given",
        ways=[
            with_weights(change)
            for change in (
                np.square,
                np.sqrt,
                np.exp,
                lambda w: np.exp(w) / np.exp(w).sum(),
                lambda w: w / np.linalg.norm(w),
                lambda w: w / w.max(),
                lambda w: 1 - w,
                np.sort,
                lambda w: np.where(w < 0.3, 0, w),
            )
        ],
        say="The weights are shares already, and sum to 1. They are taken as they come: once each, no root, no power, no softmax, in their order.",
    ),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="mean", see=BY_HAND)
def weighted_mean(weights, values):
    """Check `f(weights, values)` → the mean of the rows of values, in shares given by weights. Returns Feedback."""
    return weights @ values
