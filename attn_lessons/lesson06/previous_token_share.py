"""Lesson 06: how much a head attends to the token just before, the number whose code stands in no cell."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table

READ = "l06-read"

INPUTS = {
    "three tokens": (np.array([[0.2, 0.3, 0.5], [0.7, 0.1, 0.2], [0.1, 0.6, 0.3]]),),
    "causal": (np.array([[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.2, 0.5, 0.3, 0], [0.05, 0.15, 0.7, 0.1]]),),
    "only itself": (np.eye(4),),
    "the first token": (np.eye(5)[[0, 0, 0, 0, 0]],),
    "even": (np.full((4, 4), 0.25),),
    "the next token": (np.array([[0.1, 0.9, 0], [0.3, 0.05, 0.65], [0.25, 0.35, 0.4]]),),
    "sixths": (np.array([[1, 2, 3], [3, 1, 2], [2, 2, 2]]) / 6,),
    "two tokens": (np.array([[0.6, 0.4], [0.8, 0.2]]),),
}


def before(weights):
    """The weight of each token but the first on the one before it."""
    return np.diag(weights, -1)


def mean_of(cells):
    """The mean of an array, NaN of an empty one, without NumPy's warning."""
    return cells.mean() if cells.size else np.nan


def rows_before(weights):
    """As `before`, but row 0, which has none before it, counts back from the end."""
    rows = np.arange(len(weights))
    return weights[rows, rows - 1]


MISTAKES = table(
    READ,
    Mistake(
        "diagonal",
        name="each token's weight on itself",
        ways=[
            lambda weights: np.diag(weights).mean(),
            lambda weights: np.diag(weights)[1:].mean(),
            lambda weights: np.diag(weights)[:-1].mean(),
        ],
        say="You averaged the main diagonal, where a token attends to *itself*. The token before it stands one column to the left.",
    ),
    Mistake(
        "next-token",
        name="the next token, not the previous one",
        ways=[lambda weights: np.diag(weights, 1).mean()],
        say="You averaged the weights on the *next* token, or read columns as queries. Row i is the query; the token before it is column i − 1.",
    ),
    Mistake(
        "wraps-around",
        name="row 0 counts back from the end",
        ways=[
            lambda weights: rows_before(weights).mean(),
            lambda weights: rows_before(weights).sum() / (len(weights) - 1),
        ],
        say="The first token has none before it. In row 0 your column is −1, and Python takes that for the *last* one. Begin with row 1.",
    ),
    Mistake(
        "first-row-counted",
        name="divided by all rows",
        ways=[lambda weights: before(weights).sum() / len(weights)],
        say="You added up the right weights, but the first token has none before it: that leaves L − 1 rows to average over, not L.",
    ),
    Mistake(
        "wrong-count",
        name="divided by another number than there are weights",
        ways=[
            lambda weights: before(weights).sum() / (len(weights) - 2),
            lambda weights: before(weights).sum() / len(weights) ** 2,  # as a matrix again, zeros and all
            lambda weights: 2 * before(weights).mean() / len(weights),
        ],
        say="You added up the right weights. Rows 1 to L − 1: how many are these? (In a matrix made of them the zeros count, too, and below the diagonal there are more cells than these.)",
    ),
    Mistake(
        "last-row-missing",
        name="the last row is left out",
        ways=[
            lambda weights: mean_of(before(weights)[:-1]),
            lambda weights: before(weights)[:-1].sum() / (len(weights) - 1),
        ],
        say="Your loop ends one row too early: range(1, n) stops *before* n. The last token has one before it, too.",
    ),
    Mistake(
        "sum-not-mean",
        name="a sum in place of a mean",
        ways=[lambda weights: before(weights).sum()],
        say="These are the right weights, added up. A longer sentence would always win; take their mean.",
    ),
    Mistake(
        "weights-not-mean",
        name="the weights one by one",
        ways=[before, lambda weights: list(before(weights))],
        say="These are the right weights, one a row. One number for the head is asked for: their mean.",
    ),
    Mistake(
        "rows-counted",
        name="rows are counted, weights are not averaged",
        ways=[
            lambda weights: (weights.argmax(axis=-1)[1:] == np.arange(len(weights) - 1)).mean(),
            lambda weights: (weights.argmax(axis=-1)[1:] == np.arange(len(weights) - 1)).sum(),
        ],
        say="You counted in how many rows the previous token is the favourite. A favourite may have little: average its weight.",
    ),
    Mistake(
        "all-earlier",
        name="every earlier token counts",
        ways=[
            lambda weights: np.tril(weights, -1).sum() / (len(weights) - 1),
            lambda weights: np.tril(weights, -1).sum() / len(weights),
        ],
        say="You took all tokens before the query. Only the one *just* before it is asked for: a single cell of each row.",
    ),
    Mistake(
        "block",
        name="a block of cells, not a diagonal",
        ways=[lambda weights: weights[1:, :-1].mean()],
        say="That is a whole block of cells. Of each of its rows one cell counts, and these lie on *its* diagonal.",
    ),
    Mistake(
        "first-token",
        name="the first token, not the previous one",
        ways=[lambda weights: weights[1:, 0].mean(), lambda weights: weights[:, 0].mean()],
        say="You averaged column 0, the weights on the *first* token. The previous one is in another column in every row.",
    ),
    Mistake(
        "two-before",
        name="the token two places before",
        ways=[lambda weights: mean_of(np.diag(weights, -2))],
        say="You went two places to the left of the diagonal. The token just before stands one place to the left.",
    ),
    Mistake(
        "not-the-mean",
        name="another number of the right cells than their mean",
        ways=[lambda weights, take=take: take(before(weights)) for take in (np.max, np.min, np.median)],
        say="You look at the right cells, and take their largest, smallest or middle one. The mean is asked for.",
    ),
    Mistake(
        "some-rows-only",
        name="some of the rows are left out",
        ways=[
            lambda weights: before(weights)[0],
            lambda weights: before(weights)[-1],
            lambda weights: before(weights)[1:].sum() / (len(weights) - 2),
            lambda weights: mean_of(before(weights)[1:]),
            lambda weights: before(weights)[0] / (len(weights) - 1),
        ],
        say="You look at the right cells, but not in every row. All rows from 1 on count, the last one too. Is return indented too far?",
    ),
    Mistake(
        "triangle",
        name="the mean of a triangle, not of one diagonal",
        ways=[
            lambda weights: weights[np.tril_indices(len(weights))].mean(),
            lambda weights: weights[np.tril_indices(len(weights), -1)].mean(),
            lambda weights: np.tril(weights).mean(),
            lambda weights: np.tril(weights, -1).mean(),
        ],
        say="You averaged over many cells of each row. Only the one *just* before the query's own token counts.",
    ),
    Mistake(
        "both-neighbours",
        name="both neighbours count",
        ways=[
            lambda weights: before(weights).mean() + np.diag(weights, 1).mean(),
            lambda weights: (before(weights).mean() + np.diag(weights, 1).mean()) / 2,
            lambda weights: (before(weights).sum() + np.diag(weights, 1).sum()) / len(weights),
        ],
        say="You took the token after the query in as well. Only the one before it is asked for.",
    ),
    Mistake(
        "largest",
        name="the largest weight of each row",
        ways=[lambda weights: weights.max(axis=-1).mean(), lambda weights: weights[1:].max(axis=-1).mean()],
        say="You averaged each row's largest weight, wherever it stands. Only the cell of the previous token counts.",
    ),
)


def cells_that_count(right, why):
    """What an exercise on a mean of weights can say of a wrong one: a cell that counts and should not, or the other way round.

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
    """The sentence on the first cell that moves the right number and the learner's differently; or ""."""
    cells = {cell: [abs(m).max() > 1e-6 for m in pair] for cell, pair in moved.items()}
    for (row, column), (should, does) in cells.items():
        if does and not should:
            return f"Your number changes with the weight in row {row}, column {column}, and should not: {why(row, column)}."
    for (row, column), (should, does) in cells.items():
        if should and not does:
            return f"Your number stays as it is when the weight in row {row}, column {column} grows. That one counts."
    for (row, column), (right, mine) in moved.items():
        if cells[row, column][0] and not np.allclose(right, mine, atol=1e-7):
            return f"The weight in row {row}, column {column} counts {mine[0] / right[0]:.3g} times as much as it should."
    return ""


def none_before(row, column):
    return f"the one before token {row} is token {row - 1}" if row else "the first token has none before it"


def mean_before(weights):
    return before(weights).mean()


@exercise(
    own=cells_that_count(mean_before, none_before),
    inputs=INPUTS,
    mistakes=MISTAKES,
    result="share",
    see=READ,
)
def previous_token_share(weights):
    """Check `f(weights)` → the mean weight that tokens give to the one just before them, from row 1 on. Returns Feedback."""
    return mean_before(weights)
