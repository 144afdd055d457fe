"""Lesson 06: how much a head attends to the token just before."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, inside

READ = "l06-read"

INPUTS = {
    "three tokens": (np.array([[0.2, 0.3, 0.5], [0.7, 0.1, 0.2], [0.1, 0.6, 0.3]]),),
    "causal": (np.array([[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.2, 0.5, 0.3, 0], [0.05, 0.15, 0.7, 0.1]]),),
    "only itself": (np.eye(4),),
    "the first token": (np.eye(5)[[0, 0, 0, 0, 0]],),
    "even": (np.full((4, 4), 0.25),),
    "the next token": (np.array([[0.1, 0.9, 0], [0.3, 0.06, 0.64], [0.24, 0.36, 0.4]]),),
    "sixths": (np.array([[1, 2, 3], [3, 1, 2], [2, 2, 2]]) / 6,),
    "two tokens": (np.array([[0.6, 0.4], [0.8, 0.2]]),),
    "no two alike": (np.array([[2, 12, 4, 1], [6, 3, 9, 5], [7, 8, 13, 10], [15, 14, 11, 16]]) / 60,),
}


def before(weights):
    """The weight of each token but the first on the one before it."""
    return np.diag(weights, -1)


# fmt: off
PICK_MISTAKES = [
    Mistake("diagonal", "each token's weight on itself",
        say="You took the main diagonal, where a token attends to *itself*. The token before it is one column to the left.",
        ways=[np.diag, lambda weights: np.diag(weights)[1:], lambda weights: np.diag(weights)[:-1]]),
    Mistake("next-token", "the next token, not the previous one",
        say="You took the weights on the *next* token, or read columns as queries. Row i is the query, and the token before it is in column i − 1.",
        ways=[lambda weights: np.diag(weights, 1)]),
    Mistake("wraps-around", "row 0 takes the last column",
        say="In row 0 you read the *last* column, which is what Python takes column −1 for. The first token has none before it, so begin with row 1.",
        ways=[lambda weights: weights[np.arange(len(weights)), np.arange(len(weights)) - 1]]),
    Mistake("return-in-loop", "only row 1 is read",
        say="You read row 1 alone. If your return is inside the loop, move it below the loop.",
        ways=[lambda weights: weights[1, :1]]),
    Mistake("last-row-missing", "a row is left out",
        say="You leave out row 1 or the last row. Every token except the first has one before it, and range(1, n) reaches them all, because it stops *before* n.",
        ways=[lambda weights: before(weights)[:-1], lambda weights: before(weights)[1:]]),
    Mistake("two-back", "the token two places before",
        say="You took the token *two* places before the query's own. The one just before is in column i − 1 of row i.",
        ways=[lambda weights: np.diag(weights, -2),
            lambda weights: weights[np.arange(1, len(weights)), np.arange(1, len(weights)) - 2]]),
    Mistake("rows-counted", "rows are counted, weights are not averaged",
        say="You counted the rows in which the previous token gets most. Even the largest weight can be small, so average the weights.",
        ways=[lambda weights: weights.argmax(axis=-1)[1:] == np.arange(len(weights) - 1)]),
    Mistake("all-earlier", "every earlier token counts",
        say="You took all tokens before the query. Take only the one *just* before it, a single cell of each row.",
        ways=[lambda weights: np.tril(weights, -1).sum(axis=1)[1:]]),
    Mistake("block", "a block of cells, not a diagonal",
        say="You took a whole block of cells. Only one cell of each row counts, the one on the diagonal of *that block*.",
        ways=[lambda weights: weights[1:, :-1]]),
    Mistake("first-token", "the first token, not the previous one",
        say="You took column 0, the weights on the *first* token. The previous one is in another column in every row.",
        ways=[lambda weights: weights[1:, 0], lambda weights: weights[:, 0]]),
    Mistake("triangle", "a triangle of cells, not one diagonal",
        say="You took the weights on all earlier tokens. Only the one *just* before the query's own token counts.",
        ways=[lambda weights: weights[np.tril_indices(len(weights))],
            lambda weights: weights[np.tril_indices(len(weights), -1)], np.tril, lambda weights: np.tril(weights, -1)]),
]
MEAN_MISTAKES = [
    Mistake("first-row-counted", "divided by something other than L − 1",
        say="You divide by the number of rows, by the number of all cells, or by a number that you typed. The first token has none before it, so there are only L − 1 weights.",
        ways=[lambda picked, weights, n=n: picked.sum() / n(weights)
            for n in (len, np.size, lambda weights: 3, lambda weights: 2, lambda weights: 4)]),
    Mistake("sum-not-mean", "a sum instead of a mean",
        say="You added up weights. A longer sentence would always win that way, so take their mean.",
        ways=[lambda picked, weights: picked.sum()]),
    Mistake("weights-not-mean", "the weights one by one",
        say="You return one weight per row. Return one number for the head, their mean.",
        ways=[lambda picked, weights: picked]),
    Mistake("not-the-mean", "the largest, smallest or middle weight, not the mean",
        say="You take the largest, the smallest or the middle one of the weights. Take their mean.",
        ways=[lambda picked, weights, take=take: take(picked) for take in (np.max, np.min, np.median)]),
]
STEPS = Steps("weights", {
    "pick": Step("weights", "picked", PICK_MISTAKES, before),
    "mean": Step("picked weights", "result", MEAN_MISTAKES, lambda picked, weights: picked.mean()),
})
MISTAKES = (
    *STEPS.mistakes(),
    # other weights, divided by the right number all the same; the triangle's are then all earlier ones
    *inside(PICK_MISTAKES[:-1], lambda way: lambda weights: np.sum(way(weights)) / (len(weights) - 1)),
)

def cells_that_count(right, why):
    """Find a cell that counts and shouldn't, or the other way round, in a wrong mean of weights.

    why: (row, column, what else is passed in) -> why a cell does not count.
    """

    def told(ask, given, wanted, got):
        weights, *rest = given
        moved = {}
        for row, column in np.ndindex(weights.shape[-2:]):
            larger = weights.copy()
            larger[..., row, column] += 0.25
            mine = ask(larger, *rest)
            if mine is None or mine[0].shape != wanted[0].shape:
                return ""
            moved[row, column] = np.ravel(right(larger, *rest) - wanted[0]), np.ravel(mine[0] - got[0])
        return first_moved(moved, lambda row, column: why(row, column, *rest))

    return told


def first_moved(moved, why):
    """Name the first cell that moves the right number and the learner's differently; or ""."""
    cells = {cell: [abs(m).max() > 1e-6 for m in pair] for cell, pair in moved.items()}
    for (row, column), (should, does) in cells.items():
        if does and not should:
            return f"Your number changes with the weight in row {row}, column {column}, and shouldn't: {why(row, column)}."
    for (row, column), (should, does) in cells.items():
        if should and not does:
            return f"Your number doesn't change when the weight in row {row}, column {column} grows. That weight counts."
    for (row, column), (right, mine) in moved.items():
        if cells[row, column][0] and not np.allclose(right, mine, atol=1e-7):
            return f"The weight in row {row}, column {column} counts too {'much' if mine[0] > right[0] else 'little'}."
    return ""


def none_before(row, column):
    return f"the one before token {row} is token {row - 1}" if row else "the first token has none before it"


def mean_before(weights):
    return before(weights).mean()


@exercise(own=cells_that_count(mean_before, none_before), inputs=INPUTS, mistakes=MISTAKES, steps=STEPS, result="mean", see=READ)
def previous_token_share(weights):
    """Check `f(weights)` → the mean weight that tokens give to the one just before them, from row 1 on. Returns Feedback."""
    return mean_before(weights)
