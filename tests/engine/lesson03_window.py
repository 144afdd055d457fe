"""Answers to the sliding window of lesson 03 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("window_mask")
def two_comparisons(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return (back >= 0) & (back < w)


@right("window_mask")
def one_triangle_without_another(L, w):
    ones = np.ones((L, L), dtype=bool)
    return np.tril(ones) & ~np.tril(ones, -w)


@right("window_mask")
def triangle_of_a_triangle(L, w):
    return np.triu(np.tril(np.ones((L, L), bool)), 1 - w)


@right("window_mask")
def chained_comparison_in_lists(L, w):
    return [[i - w < j <= i for j in range(L)] for i in range(L)]


@right("window_mask")
def slices_of_rows(L, w):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        mask[i, max(0, i - w + 1) : i + 1] = True
    return mask


@right("window_mask")
def sum_of_diagonals(L, w):
    return sum(np.eye(L, k=-back) for back in range(w)) > 0


@wrong("window_mask", "one-too-many", says="With w = 1")
def from_i_minus_w(L, w):
    return np.array([[i - w <= j <= i for j in range(L)] for i in range(L)])


@wrong("window_mask", "one-too-few")
def range_that_ends_early(L, w):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        for j in range(max(0, i - w + 2), i + 1):
            mask[i, j] = True
    return mask


@wrong("window_mask", "negative-start", says="counts from the end")
def slice_from_below_zero(L, w):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        mask[i, i - w + 1 : i + 1] = True
    return mask


@wrong("window_mask", "symmetric-window", says="both")
def distance_without_a_sign(L, w):
    i, j = np.indices((L, L))
    return abs(i - j) < w


@wrong("window_mask", "transposed-mask")
def rows_and_columns_exchanged(L, w):
    i, j = np.arange(L), np.arange(L)[:, None]
    return (j <= i) & (j > i - w)


@wrong("window_mask", "future-visible")
def only_how_far_back(L, w):
    return np.arange(L)[:, None] - np.arange(L) < w


@wrong("window_mask", "window-ignored")
def lower_triangle(L, w):
    return np.tril(np.ones((L, L), dtype=bool))


@wrong("window_mask", "fixed-width")
def only_itself(L, w):
    return np.eye(L, dtype=bool)


@wrong("window_mask", "fixed-size")
def four_tokens_always(L, w):
    back = np.arange(4)[:, None] - np.arange(4)
    return (back >= 0) & (back < w)


@wrong("window_mask", "blind-to-itself")
def strictly_before(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return (back > 0) & (back < w)


@wrong("window_mask", "condition-turned-round")
def too_far_back(L, w):
    ones = np.ones((L, L), dtype=bool)
    return np.tril(ones) & np.tril(ones, -w)


@wrong("window_mask", "triangles-apart")
def triangle_to_the_right(L, w):
    ones = np.ones((L, L), dtype=bool)
    return np.tril(ones) & np.triu(ones, k=w - 1)


@wrong("window_mask", None, says="inside the window 3 are True, and all should be")
def only_the_farthest(L, w):
    return np.eye(L, k=1 - w, dtype=bool)


@wrong("window_mask", "blocks")
def cut_into_pieces(L, w):
    return np.array([[j <= i and i // w == j // w for j in range(L)] for i in range(L)])


@wrong("window_mask", "first-keys")
def the_beginning(L, w):
    mask = np.tril(np.ones((L, L), dtype=bool))
    mask[:, w:] = False
    return mask


@wrong("window_mask", "wraps-round")
def back_from_the_query(L, w):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        for back in range(w):
            mask[i, i - back] = True
    return mask


@wrong("window_mask", "looks-ahead")
def without_parentheses(L, w):
    return np.arange(L)[:, None] >= np.arange(L) & (np.arange(L)[:, None] - np.arange(L) < w)


@wrong("window_mask", "wrong-width", says="count the True")
def half_the_window(L, w):
    ones = np.ones((L, L), dtype=bool)
    return np.tril(ones) & ~np.tril(ones, -w // 2 - 1)


@wrong("window_mask", "inverted-mask")
def blocked_pairs(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return (back < 0) | (back >= w)


@wrong("window_mask", "integer-mask")
def difference_of_triangles(L, w):
    return np.tri(L) - np.tri(L, k=-w)


@wrong("window_mask", "additive-mask")
def zero_and_minus_infinity(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return np.where((back >= 0) & (back < w), 0, -np.inf)


@raising("window_mask", "truth-of-an-array", says="cell by cell with &")
def joined_by_and(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return back >= 0 and back < w


@raising("window_mask", "truth-of-an-array", says="each in parentheses")
def joined_by_an_ampersand_alone(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return back >= 0 & back < w


@raising("window_mask", "truth-of-an-array", says="a chain such as")
def chained(L, w):
    back = np.arange(L)[:, None] - np.arange(L)
    return 0 <= back < w


@wrong("window_mask", "full-windows-only")
def only_where_it_fits(L, w):
    return np.array([[i - w < j <= i and i >= w - 1 for j in range(L)] for i in range(L)])


@wrong("window_mask", "first-row-only")
def ends_after_the_first_round(L, w):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        mask[i, max(0, i - w + 1) : i + 1] = True
        return mask


@wrong("window_mask", None)
def first_rows_of_the_triangle(L, w):
    return np.tri(L, dtype=bool) & (np.arange(L) < w)[:, None]


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
