"""Answers to the two picture tasks of lesson 06 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("honest_heatmap")
def copy_and_assign(weights, mask):
    cells = weights.astype(float)
    cells[~mask] = np.nan
    return cells, 0.0, 1.0


@right("honest_heatmap")
def list_of_three(weights, mask):
    return [np.where(mask, weights, np.nan), 0, 1]


@wrong("honest_heatmap", "transposed")
def as_the_lesson_gives_it(weights, mask):
    cells = weights.T * mask
    return cells, cells.min(), cells.max()


@wrong("honest_heatmap", "transposed")
def turned_after_the_mask(weights, mask):
    return np.where(mask, weights, np.nan).T, 0, 1


@wrong("honest_heatmap", "blocked-as-zero")
def turned_back_only(weights, mask):
    cells = weights * mask
    return cells, cells.min(), cells.max()


@wrong("honest_heatmap", "blocked-as-zero")
def zeros_on_a_fixed_scale(weights, mask):
    return np.where(mask, weights, 0), 0, 1


@wrong("honest_heatmap", "limits-of-nan", says="All weights lie between")
def min_and_max_of_nan(weights, mask):
    cells = np.where(mask, weights, np.nan)
    return cells, cells.min(), cells.max()


@wrong("honest_heatmap", "stretched")
def from_0_to_the_largest(weights, mask):
    return np.where(mask, weights, np.nan), 0, weights.max()


@wrong("honest_heatmap", "zero-as-blocked")
def nan_where_a_weight_is_0(weights, mask):
    return np.where(weights > 0, weights, np.nan), 0, 1


@wrong("honest_heatmap", "inverted-mask", says="may look")
def blank_where_true(weights, mask):
    return np.where(mask, np.nan, weights), 0, 1


@wrong("honest_heatmap", "masked-array", says="plain array")
def numpys_masked_array(weights, mask):
    return np.ma.masked_array(weights, ~mask), 0, 1


@wrong("honest_heatmap", "other-ends")
def ends_exchanged(weights, mask):
    return np.where(mask, weights, np.nan), 1, 0


@wrong("honest_heatmap", "infinite-cells", says="before softmax")
def as_for_scores(weights, mask):
    return np.where(mask, weights, -np.inf), 0, 1


@wrong("honest_heatmap", "other-ends", says="The cells are right")
def from_minus_1(weights, mask):
    return np.where(mask, weights, np.nan), -1, 1


@wrong("honest_heatmap", "wrong-number-of-results")
def cells_alone(weights, mask):
    return np.where(mask, weights, np.nan)


@wrong("honest_heatmap", "changes-its-input")
def assigned_in_place(weights, mask):
    weights[~mask] = np.nan
    return weights, 0, 1


@right("previous_token_share")
def mean_of_a_diagonal(weights):
    return weights.diagonal(-1).mean()


@right("previous_token_share")
def loop_from_row_1(weights):
    total = 0
    for i in range(1, len(weights)):
        total += weights[i][i - 1]
    return total / (len(weights) - 1)


@right("previous_token_share")
def zipped_rows(weights):
    return np.mean([row[j] for j, row in enumerate(weights[1:])])


@right("previous_token_share")
def index_by_arrays(w):
    i = np.arange(1, len(w))
    return w[i, i - 1].mean()


@wrong("previous_token_share", "wraps-around", says="Begin with row 1")
def loop_from_row_0(weights):
    return sum(weights[i, i - 1] for i in range(len(weights))) / len(weights)


@wrong("previous_token_share", "wraps-around")
def rolled(weights):
    return np.mean(np.diag(np.roll(weights, 1, axis=1)))


@wrong("previous_token_share", "first-row-counted")
def divided_by_the_length(weights):
    return sum(weights[i, i - 1] for i in range(1, len(weights))) / len(weights)


@wrong("previous_token_share", "last-row-missing", says="one row too early")
def range_that_ends_early(weights):
    shares = [weights[i, i - 1] for i in range(1, len(weights) - 1)]
    return sum(shares) / len(shares) if shares else np.nan


@wrong("previous_token_share", "diagonal")
def main_diagonal(weights):
    return np.diag(weights).mean()


@wrong("previous_token_share", "diagonal")
def main_diagonal_from_row_1(weights):
    return np.mean([weights[i, i] for i in range(1, len(weights))])


@wrong("previous_token_share", "next-token")
def upper_diagonal(weights):
    return np.diag(weights, 1).mean()


@wrong("previous_token_share", "sum-not-mean")
def sum_of_the_diagonal(weights):
    return np.trace(weights, offset=-1)


@wrong("previous_token_share", "weights-not-mean")
def list_of_weights(weights):
    return [weights[i, i - 1] for i in range(1, len(weights))]


@wrong("previous_token_share", "all-earlier")
def triangle_below(weights):
    return np.tril(weights, k=-1)[1:].sum(axis=1).mean()


@wrong("previous_token_share", "block")
def slices(weights):
    return weights[1:, :-1].mean()


@wrong("previous_token_share", "rows-counted")
def favourites(weights):
    return sum(weights[i].argmax() == i - 1 for i in range(1, len(weights))) / (len(weights) - 1)


@wrong("previous_token_share", "first-token")
def first_column(weights):
    return weights[1:, 0].mean()


@wrong("previous_token_share", "largest")
def mean_of_maxima(weights):
    return weights.max(axis=1).mean()


@raising("previous_token_share", "index-out-of-bounds", says="past the last row")
def one_row_too_many(weights):
    return np.mean([weights[i + 1, i] for i in range(len(weights))])


@wrong("honest_heatmap", "number-in-blocked-cells", says="that number's colour")
def minus_one_for_blocked(weights, mask):
    return np.where(mask, weights, -1), 0, 1


@wrong("honest_heatmap", "rescaled")
def brightest_cell_becomes_1(weights, mask):
    return np.where(mask, weights, np.nan) / weights[mask].max(), 0, 1


@wrong("honest_heatmap", "not-numbers")
def ends_as_text(weights, mask):
    return np.where(mask, weights, np.nan), "0", "1"


@wrong("previous_token_share", None, says="the weight in row 1, column 0 grows")
def forgets_to_add(weights):
    total = 0
    for i in range(1, len(weights)):
        total = weights[i, i - 1]
    return total / (len(weights) - 1)


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
