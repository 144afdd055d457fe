"""Lesson 11: a score that finds heads which attend to the previous word; made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, inside
from attn_lessons.lesson06.previous_token_share import MISTAKES, cells_that_count, none_before
from attn_parts.mathematics import softmax

PREVIOUS = "l11-below"


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


# fmt: off
STEPS = Steps("weights", {
    "cells": Step("weights", "cells", [
        Mistake("first-two-axes", "the diagonal runs through the wrong two axes",
            say="Your diagonal runs through other axes, such as the *first* two, np.diagonal's default. Queries and keys are the last two.",
            ways=[lambda weights: np.diagonal(weights, -1), np.diagonal, lambda weights: np.diagonal(weights, 1), lambda weights: np.diagonal(weights, -1, -3, -2)]),
        Mistake("counted-from-the-front", "right with one leading axis only",
            say="You take axes 1 and 2 for queries and keys, as they are with one leading axis. With layers and heads there are two, so count from the end: -2 and -1.",
            ways=[lambda weights: np.diagonal(weights, -1, 1, 2)]),
        Mistake("next-token", "the next token, not the previous one",
            say="You take the weights on the *next* token. Row i is the query, and the token before it is in column i − 1. Is the offset wrong, or are the two axes exchanged?",
            ways=[lambda weights: below(weights, 1), lambda weights: np.diagonal(weights.T, -1)]),
        *again(MISTAKES, {
            "two-back": [lambda weights: below(weights, -2)],
            "last-row-missing": [lambda weights: below(weights)[..., :-1], lambda weights: below(weights)[..., 1:]]}),
        Mistake("diagonal", "each token's weight on itself",
            say="You take the main diagonal, where a token attends to *itself*. The token before it is one column to the left.",
            ways=[lambda weights: below(weights, 0)])], below),
    "mean": Step("cells weights", "result", [
        Mistake("one-number-for-all", "averaged over heads or layers as well",
            say="You average over heads or layers as well. Return one number per head of every layer: take the mean along the last axis only.",
            ways=[lambda cells, weights: cells.mean(), lambda cells, weights: cells.mean(axis=(0, -1)), lambda cells, weights: cells.mean(axis=(-2, -1))]),
        Mistake("sum-not-mean", "a sum instead of a mean",
            say="You add the weights up. A longer sentence would always win that way, so take their mean.",
            ways=[lambda cells, weights: cells.sum(axis=-1)]),
        Mistake("first-row-counted", "divided by all rows",
            say="You divide by L. The first token has none before it, so there are only L − 1 weights.",
            ways=[lambda cells, weights: cells.sum(axis=-1) / weights.shape[-1]]),
        Mistake("mean-over-heads", "a mean over the wrong axis",
            say="You average over heads or layers, and keep the rows. The rows are the last axis of what np.diagonal returns.",
            ways=[lambda cells, weights: cells.mean(axis=0), lambda cells, weights: cells.mean(axis=-2)]),
        Mistake("not-the-mean", "the largest, smallest or middle weight, not the mean",
            say="You take the largest, smallest or middle one of the weights. Take their mean.",
            ways=[lambda cells, weights, take=take: take(cells, axis=-1) for take in (np.max, np.min, np.median)])], lambda cells, weights: cells.mean(axis=-1)),
})
mean_below = STEPS.whole({})


@exercise(own=cells_that_count(mean_below, none_before), mistakes=[*STEPS.mistakes(), *inside(MISTAKES, each_head)], steps=STEPS, result="score", see=PREVIOUS, inputs={
    "three heads": shares(3, 4),
    "two layers of four heads": shares(2, 4, 5),
    "as many heads as words": shares(3, 3),
    "all sizes alike": shares(3, 3, 3),
    "two heads of three words": shares(2, 3),
    "a single head": shares(1, 4),
    "without a causal mask": shares(2, 5, causal=False),
})
def previous_token_score(weights):
    """Check `f(weights)`, weights (..., heads, L, L) → for each head the mean weight on the word before, from row 1 on. Returns Feedback."""
    return mean_below(weights)
