"""Lesson 11, transfer: a score that finds heads which attend to the word after an earlier same one."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise
from attn_lessons.lesson06.previous_token_share import cells_that_count
from attn_parts.mathematics import softmax


def some_weights(draw, length, causal=True):
    """Rows of weights."""
    seen = np.tri(length, dtype=bool) | (not causal)
    return softmax(np.where(seen, draw(length, length), -np.inf))


def earlier(words, i):
    """The positions before i of the same word."""
    return [j for j in range(i) if words[j] == words[i]]


def pairs(words, pick=-1):
    """(position, an earlier position of the same word) for every repeated word; of several the last."""
    return [(i, earlier(words, i)[pick]) for i in range(len(words)) if earlier(words, i)]


def all_pairs(words):
    """As `pairs`, with all earlier positions."""
    return [(i, j) for i in range(len(words)) for j in earlier(words, i)]


def at(cell):
    """The weights in the cells `cell(i, j)`, j being an earlier position of i's word."""
    return lambda weights, pairs: np.array([weights[cell(i, j)] for i, j in pairs])


def mean_of(picked, *_):
    return picked.mean() if len(picked) else np.nan


def divided_by(count):
    return lambda picked, pairs, words: picked.sum() / count(pairs, words)


# weights: (L, L), words: (L,), picked: a weight for each pair
PAIR_MISTAKES = {
    "all-earlier": all_pairs,
    "first-of-several": lambda words: pairs(words, pick=0),
    "itself-counted": [
        lambda words: [(i, i) for i in range(len(words))],
        lambda words: [(i, i) for i in range(len(words) - 1)],
    ],
}
ROW_MISTAKES = {
    "row-missing": [
        lambda pairs, words: [(i, j) for i, j in pairs if i + 1 < len(words)],
        lambda pairs, words: [(i, j) for i, j in pairs if j],
    ]
}
CELL_MISTAKES = {
    "same-word": at(lambda i, j: (i, j)),
    "another-column (before)": at(lambda i, j: (i, j - 1)),
    "another-column (two after)": at(lambda i, j: (i, j + 2)),
    "another-column (largest)": lambda weights, pairs: np.array([weights[i].max() for i, _ in pairs]),
    "rows-and-columns": [
        at(lambda i, j: (j + 1, i)),
        at(lambda i, j: (j, i)),
    ],
    "another-row": [
        at(lambda i, j: (i - 1, j + 1)),
        at(lambda i, j: (i - 1, j)),
        at(lambda i, j: (i + 1, j + 1)),
    ],
    "diagonal": at(lambda i, j: (i, i)),
    "rows-counted": lambda weights, pairs: np.array([weights[i].argmax() == j + 1 for i, j in pairs]),
}
MEAN_MISTAKES = {
    "wrong-count": [
        divided_by(lambda pairs, words: len(words)),
        divided_by(lambda pairs, words: len(words) - 1),
        divided_by(lambda pairs, words: len(set(words.tolist()))),
        divided_by(lambda pairs, words: len({words[i] for i, _ in pairs})),
    ],
    "sum-not-mean": lambda picked, *_: picked.sum(),
    "weights-not-mean": lambda picked, *_: picked,
    "one-place-only": [
        lambda picked, *_: picked[0],
        lambda picked, *_: picked[-1],
    ],
    "not-the-mean": [
        lambda picked, *_: picked.max(),
        lambda picked, *_: picked.min(),
        lambda picked, *_: np.median(picked),
    ],
}
STEPS = Steps(
    "weights words",
    {
        "pairs": Step("words", "pairs", PAIR_MISTAKES, pairs),
        "rows": Step("pairs words", "pairs", ROW_MISTAKES),
        "cells": Step(
            "weights pairs",
            "picked",
            CELL_MISTAKES,
            at(lambda i, j: (i, j + 1)),
        ),
        "mean": Step("picked pairs words", "result", MEAN_MISTAKES, mean_of),
    },
)
mean_picked = STEPS.whole({})


def by_rows(reduce):
    """All earlier positions, a number for each row first."""

    def score(weights, words):
        rows = [[weights[i, j + 1] for j in earlier(words, i)] for i in range(len(words))]
        return np.mean([reduce(row) for row in rows if row])

    return score


ALL_EARLIER = {"all-earlier": [by_rows(sum), by_rows(np.mean), by_rows(max)]}


def why_not(row, column, words):
    before = earlier(words, row)
    if not before:
        return f"the word at position {row} doesn't occur before"
    return (
        f"the word at position {row} last occurred at position {before[-1]}, and the next position is "
        f"{before[-1] + 1}"
    )


def read(words, causal=True):
    """Weights of some scores over these word numbers."""
    return lambda draw: (
        some_weights(draw, len(words), causal=causal),
        np.array(words),
    )


@exercise(
    own=cells_that_count(mean_picked, why_not),
    mistakes=[STEPS.mistakes(), ALL_EARLIER],
    steps=STEPS,
    result="score",
    inputs={
        "one word twice": read([7, 3, 7]),
        "a list read twice": read([5, 2, 9, 4, 5, 2, 9, 4]),
        "one word three times": read([6, 1, 6, 2, 6, 3]),
        "facts told twice": read([0, 100, 200, 1, 101, 201, 1, 101, 200, 0]),
        "the same word twice in a row": read([8, 8, 3, 8]),
        "some words never again": read([1, 2, 3, 4, 2, 5]),
        "some more often than others": read([2, 1, 2, 2, 1, 3, 2, 4]),
        "without a causal mask": read([4, 6, 4, 9, 6, 4], causal=False),
    },
)
def induction_score(weights, words):
    """Check `f(weights, words)` → the mean weight of repeated words on the position after their last
    occurrence.

    Returns Feedback.
    """
    return mean_picked(weights, words)
