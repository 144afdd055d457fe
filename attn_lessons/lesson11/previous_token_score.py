"""Lesson 11: a score that finds heads which attend to the previous word; made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, inside, told_in, with_each
from attn_lessons.lesson06.previous_token_share import DIVIDED_BY_ROWS, cells_that_count, none_before
from attn_lessons.lesson06.previous_token_share import STEPS as OF_ONE_HEAD
from attn_parts.mathematics import softmax


def some_weights(draw, *shape, causal=True):
    """Rows of weights, with these leading axes."""
    seen = np.tri(shape[-1], dtype=bool) | (not causal)
    return softmax(np.where(seen, draw(*shape, shape[-1]), -np.inf))


def shares(*shape, causal=True):
    return lambda draw: (some_weights(draw, *shape, causal=causal),)


def below(weights, offset=-1):
    return np.diagonal(weights, offset, axis1=-2, axis2=-1)


def each_head(way):
    """Lesson 06's function for one head, applied to every head."""

    def score(weights):
        *front, length, _ = weights.shape
        found = np.array([way(head) for head in weights.reshape(-1, length, length)])
        return found.reshape(*front, *found.shape[1:])

    return score


CELL_MISTAKES = {
    "first-two-axes": [
        lambda weights: np.diagonal(weights, -1),
        np.diagonal,
        lambda weights: np.diagonal(weights, 1),
        lambda weights: np.diagonal(weights, -1, -3, -2),
    ],
    "counted-from-the-front": lambda weights: np.diagonal(weights, -1, 1, 2),
    "next-token": [
        lambda weights: below(weights, 1),
        lambda weights: np.diagonal(weights.T, -1),
    ],
    "diagonal": lambda weights: below(weights, 0),
}
AS_IN_ONE_HEAD = {
    "two-back": lambda weights: below(weights, -2),
    "last-row-missing": [
        lambda weights: below(weights)[..., :-1],
        lambda weights: below(weights)[..., 1:],
    ],
}
MEAN_MISTAKES = {
    "one-number-for-all": [
        lambda cells, weights: cells.mean(),
        lambda cells, weights: cells.mean(axis=(0, -1)),
        lambda cells, weights: cells.mean(axis=(-2, -1)),
    ],
    "sum-not-mean": lambda cells, weights: cells.sum(axis=-1),
    "first-row-counted": lambda cells, weights: cells.sum(axis=-1) / weights.shape[-1],
    "mean-over-heads": [
        lambda cells, weights: cells.mean(axis=0),
        lambda cells, weights: cells.mean(axis=-2),
    ],
    "not-the-mean": with_each((np.max, np.min, np.median), lambda cells, weights, take: take(cells, axis=-1)),
}
STEPS = Steps(
    "weights",
    {
        "cells": Step(
            "weights", "cells", [CELL_MISTAKES, told_in("previous_token_share", AS_IN_ONE_HEAD)], below
        ),
        "mean": Step(
            "cells weights",
            "result",
            MEAN_MISTAKES,
            lambda cells, weights: cells.mean(axis=-1),
        ),
    },
)
mean_below = STEPS.whole({})
FOR_EACH_HEAD = told_in("previous_token_share", inside([OF_ONE_HEAD.mistakes(), DIVIDED_BY_ROWS], each_head))


@exercise(
    own=cells_that_count(mean_below, none_before),
    mistakes=[STEPS.mistakes(), FOR_EACH_HEAD],
    steps=STEPS,
    result="score",
    inputs={
        "three heads": shares(3, 4),
        "two layers of four heads": shares(2, 4, 5),
        "as many heads as words": shares(3, 3),
        "all sizes alike": shares(3, 3, 3),
        "two heads of three words": shares(2, 3),
        "a single head": shares(1, 4),
        "without a causal mask": shares(2, 5, causal=False),
    },
)
def previous_token_score(weights):
    """Check `f(weights)`, weights (..., heads, L, L) → for each head the mean weight on the word before, from row 1 on. Returns Feedback."""
    return mean_below(weights)
