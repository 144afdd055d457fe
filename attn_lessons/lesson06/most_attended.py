"""Lesson 06: reading a heatmap."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise

READ = "l06-read"

INPUTS = {
    "smallest": (np.array([[0.1, 0.7, 0.2], [0.2, 0.3, 0.5], [0.3, 0.6, 0.1]]), ["a", "b", "c"]),
    "words of several letters": (np.array([[0.9, 0.1], [0.8, 0.2]]), ["old", "tea"]),
    "no weight above a half": (
        np.array([[0.3, 0.28, 0.22, 0.2], [0.33, 0.34, 0.2, 0.13], [0.2, 0.2, 0.25, 0.35]]),
        ["The", "chai", "is", "hot"],
    ),
    "a word twice": (np.array([[0.8, 0.15, 0.05], [0.2, 0.5, 0.3]]), ["the", "cat", "the"]),
    "all or nothing": (np.eye(4)[[2, 0, 3, 0]], ["p", "q", "r", "s"]),
    "more queries than keys": (np.array([[0.6, 0.4], [0.3, 0.7], [0.8, 0.2]]), ["m", "n"]),
    "a weight of 0": (np.array([[0.6, 0.4, 0.0], [0.1, 0.1, 0.8], [0.5, 0.2, 0.3]]), ["u", "v", "w"]),
}


def in_each(pick):
    """The columns that `pick(row, number)` finds in each row of weights."""
    return lambda weights: [pick(row, i) for i, row in enumerate(weights)]


def never_reset(weights):
    """Keep the largest weight so far from row to row."""
    found, best, place = [], 0, 0
    for row in weights:
        for j, weight in enumerate(row):
            if weight > best:
                best, place = weight, j
        found.append(place)
    return found


# fmt: off
SEARCH_MISTAKES = [
    Mistake("least-attended", "the smallest weight",
        say="You found the key that each query attends to *least*.",
        ways=[in_each(lambda row, i: row.argmin())]),
    Mistake("first-row-only", "only the first row is read",
        say="You read the first row only. Is your return inside the loop, or do you take [0]?",
        ways=[lambda weights: weights[0].argmax(), lambda weights: [weights[0].argmax()],
            lambda weights: [weights[0].argmax()] * len(weights)]),
    Mistake("whole-array", "one maximum for the whole picture",
        say="You searched the whole picture for one largest weight. Each row has a largest weight of its own, and needs its own token.",
        ways=[pick for place in (np.argmax, lambda weights: weights.argmax() % weights.shape[1]) for pick in (
            place, lambda weights, place=place: [place(weights)], lambda weights, place=place: [place(weights)] * len(weights))]),
    Mistake("own-token", "the token of the row itself",
        say="Your answer for row i is token i, the query itself. Look in the weights of the row for the key that gets most.",
        ways=[in_each(lambda row, i: i % len(row)), in_each(lambda row, i: i)]),
    Mistake("second-largest", "the second largest weight",
        say="In each row you found the key with the second largest weight. If you sort a row upwards, the largest is at −1, not at −2.",
        ways=[in_each(lambda row, i: np.argsort(row)[-2])]),
    Mistake("itself-left-out", "a query never finds itself",
        say="You left out the diagonal. But a query can attend to its own token most of all.",
        ways=[in_each(lambda row, i: np.where(np.arange(len(row)) == i, 0, row).argmax()),
            # this one fails where there are more rows than columns
            in_each(lambda row, i: (row * (np.arange(len(row)) != np.arange(len(row))[i])).argmax())]),
    Mistake("largest-so-far", "the search for the largest",
        say="A search along a row keeps two things, the largest weight so far and its column. Check that yours changes both when it meets a larger weight, and that it starts again in each row.",
        ways=[never_reset, in_each(lambda row, i: max(np.flatnonzero(row > 0))),
            in_each(lambda row, i: max(j for j in range(len(row)) if j == 0 or row[j] > row[j - 1]))]),
    Mistake("column-left-out", "one column is never searched",
        say="You never look at the last column, or at the first. range(n - 1) ends too early for a search along the row, and range(1, n) begins too late.",
        ways=[in_each(lambda row, i: row[:-1].argmax()), in_each(lambda row, i: row[1:].argmax() + 1)]),
]
STEPS = Steps("weights tokens", {
    "read": Step("weights", "rows", [
        Mistake("columns-read", "columns are read instead of rows",
            say="You searched down the columns, and a column belongs to a *key*. A query is a row, so go along the rows.",
            ways=[np.transpose, lambda weights: weights.T[: len(weights)]]),
    ], lambda weights: weights),
    "search": Step("rows", "found", SEARCH_MISTAKES, lambda rows: rows.argmax(axis=-1)),
    "count": Step("found tokens", "found", [
        Mistake("off-by-one", "the token beside the right one",
            say="Each of your tokens is one column away from the one that you found. Count columns and tokens from 0.",
            ways=[lambda found, tokens: np.subtract(found, 1), lambda found, tokens: np.add(found, 1) % len(tokens),
                lambda found, tokens: np.add(found, 1)]),
    ], lambda found, tokens: found),
    "all rows": Step("found", "found", [
        Mistake("row-left-out", "one row has no token",
            say="Your result is one token short, because the last row or the first is left out. Go through all rows of the weights.",
            ways=[lambda found: found[:-1], lambda found: found[1:]]),
    ], lambda found: found),
    "name": Step("found rows tokens", "result", [
        Mistake("indices", "positions instead of tokens",
            say="You return column numbers. Which tokens belong to those columns?",
            ways=[lambda found, rows, tokens: found]),
        Mistake("largest-weights", "weights instead of tokens",
            say="You return the largest weights. *Where* in the row are they?",
            ways=[lambda found, rows, tokens: rows.max(axis=-1)]),
    ], lambda found, rows, tokens: [tokens[j] for j in found] if np.ndim(found) else tokens[found]),
})


def weights_of_both(ask, given, wanted, got):
    """In the first wrong row, the weights of the returned token and of the right one."""
    (weights, tokens), (want,), (mine,) = given, wanted, got
    row = int(np.flatnonzero(want != mine)[0])
    if mine[row] not in tokens:
        return f"In row {row} you return {mine[row]}, which is none of the tokens."
    has = max(weight for weight, token in zip(weights[row], tokens, strict=True) if token == mine[row])
    right = np.flatnonzero(want == mine)
    return (
        f"In row {row} you return {mine[row]}, whose weight there is {has:g}. The weight of {want[row]} is {weights[row].max():g}."
        + (f" Right in row {', '.join(map(str, right))}." if right.size else "")
    )


@exercise(own=weights_of_both, inputs=INPUTS, steps=STEPS, result="tokens", see=READ)
def most_attended(weights, tokens):
    """Check `f(weights, tokens)` → for each query the key with the largest weight. Returns Feedback."""
    return [tokens[j] for j in np.argmax(weights, axis=-1)]
