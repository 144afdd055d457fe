"""Lesson 06: reading a heatmap."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise

INPUTS = {
    "smallest": (
        np.array(
            [
                [0.1, 0.7, 0.2],
                [0.2, 0.3, 0.5],
                [0.3, 0.6, 0.1],
            ]
        ),
        ["a", "b", "c"],
    ),
    "words of several letters": (
        np.array([[0.9, 0.1], [0.8, 0.2]]),
        ["old", "tea"],
    ),
    "no weight above a half": (
        np.array(
            [
                [0.3, 0.28, 0.22, 0.2],
                [0.33, 0.34, 0.2, 0.13],
                [0.2, 0.2, 0.25, 0.35],
            ]
        ),
        ["The", "chai", "is", "hot"],
    ),
    "a word twice": (
        np.array([[0.8, 0.15, 0.05], [0.2, 0.5, 0.3]]),
        ["the", "cat", "the"],
    ),
    "all or nothing": (np.eye(4)[[2, 0, 3, 0]], ["p", "q", "r", "s"]),
    "more queries than keys": (
        np.array([[0.6, 0.4], [0.3, 0.7], [0.8, 0.2]]),
        ["m", "n"],
    ),
    "a weight of 0": (
        np.array(
            [
                [0.6, 0.4, 0.0],
                [0.1, 0.1, 0.8],
                [0.5, 0.2, 0.3],
            ]
        ),
        ["u", "v", "w"],
    ),
}


def in_each(pick):
    """The columns that `pick(row, number)` finds in each row of weights."""
    return lambda weights: [pick(row, i) for i, row in enumerate(weights)]


def column_of_largest(weights):
    return weights.argmax() % weights.shape[1]


def never_reset(weights):
    """Keep the largest weight so far from row to row."""
    found, best, place = [], 0, 0
    for row in weights:
        for j, weight in enumerate(row):
            if weight > best:
                best, place = weight, j
        found.append(place)
    return found


# weights: (L_q, L_k), found: a column for each row
SEARCH_MISTAKES = {
    "least-attended": in_each(lambda row, i: row.argmin()),
    "first-row-only": [
        lambda weights: weights[0].argmax(),
        lambda weights: [weights[0].argmax()],
        lambda weights: [weights[0].argmax()] * len(weights),
    ],
    "whole-array": [
        np.argmax,
        lambda weights: [np.argmax(weights)] * len(weights),
        column_of_largest,
        lambda weights: [column_of_largest(weights)] * len(weights),
    ],
    "own-token": [
        in_each(lambda row, i: i % len(row)),
        in_each(lambda row, i: i),
    ],
    "second-largest": in_each(lambda row, i: np.argsort(row)[-2]),
    "itself-left-out": in_each(lambda row, i: np.where(np.arange(len(row)) == i, 0, row).argmax()),
    "largest-so-far": [
        never_reset,
        in_each(lambda row, i: max(np.flatnonzero(row > 0))),
    ],
    "column-left-out": [
        in_each(lambda row, i: row[:-1].argmax()),
        in_each(lambda row, i: row[1:].argmax() + 1),
    ],
}
READ_MISTAKES = {
    "columns-read": [
        np.transpose,
        lambda weights: weights.T[: len(weights)],
    ]
}
COUNT_MISTAKES = {
    "off-by-one": [
        lambda found, tokens: np.subtract(found, 1),
        lambda found, tokens: np.add(found, 1) % len(tokens),
        lambda found, tokens: np.add(found, 1),
    ]
}
ROW_MISTAKES = {
    "row-left-out": [
        lambda found: found[:-1],
        lambda found: found[1:],
    ]
}
NAME_MISTAKES = {
    "indices": lambda found, rows, tokens: found,
    "largest-weights": lambda found, rows, tokens: rows.max(axis=-1),
}


def named(found, rows, tokens):
    return [tokens[j] for j in found] if np.ndim(found) else tokens[found]


STEPS = Steps(
    "weights tokens",
    {
        "read": Step("weights", "weights", READ_MISTAKES),
        "search": Step("weights", "found", SEARCH_MISTAKES, lambda weights: weights.argmax(axis=-1)),
        "count": Step("found tokens", "found", COUNT_MISTAKES),
        "all rows": Step("found", "found", ROW_MISTAKES),
        "name": Step("found weights tokens", "result", NAME_MISTAKES, named),
    },
)


def weights_of_both(ask, given, wanted, got):
    """In the first wrong row, the weights of the returned token and of the right one."""
    (weights, tokens), (want,), (mine,) = given, wanted, got
    row = int(np.flatnonzero(want != mine)[0])
    if mine[row] not in tokens:
        return f"In row {row} you return {mine[row]}, which is none of the tokens."
    has = max(weight for weight, token in zip(weights[row], tokens) if token == mine[row])
    right = np.flatnonzero(want == mine)
    return (
        f"In row {row} you return {mine[row]}, whose weight there is {has:g}. The weight of "
        f"{want[row]} is {weights[row].max():g}."
        + (f" Right in row {', '.join(map(str, right))}." if right.size else "")
    )


@exercise(own=weights_of_both, inputs=INPUTS, steps=STEPS, result="tokens")
def most_attended(weights, tokens):
    """Check `f(weights, tokens)` → for each query the key with the largest weight. Returns Feedback."""
    return [tokens[j] for j in np.argmax(weights, axis=-1)]
