"""Answers to the exercises of lesson 03 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, causal, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("causal_mask")
def tril_of_ones(L):
    return np.tril(np.ones((L, L), bool))


@right("causal_mask")
def compared_ranges(L):
    return np.arange(L)[:, None] >= np.arange(L)


@right("causal_mask")
def not_the_upper_triangle(L):
    return ~np.triu(np.ones((L, L), bool), k=1)


@right("causal_mask")
def comparison_in_lists(L):
    return [[j <= i for j in range(L)] for i in range(L)]


@right("causal_mask")
def tri_of_booleans(L):
    return np.tri(L, dtype=bool)


@right("causal_mask")
def tri_compared(L):
    return np.tri(L) == 1


@right("causal_mask")
def comparison_in_tuples(L):
    return tuple(tuple(j <= i for j in range(L)) for i in range(L))


@right("causal_mask")
def booleans_as_objects(L):
    return np.array([[j <= i for j in range(L)] for i in range(L)], dtype=object)


@wrong("causal_mask", "strictly-lower")
def mask_loop_strict(L):
    return np.array([[j < i for j in range(L)] for i in range(L)]).reshape(L, L)


@wrong("causal_mask", "inverted-mask")
def mask_where_inverted(L):
    return np.where(np.triu(np.ones((L, L)), 1) == 1, True, False)


@wrong("causal_mask", "transposed-mask")
def upper_triangle(L):
    return np.triu(np.ones((L, L), bool))


@wrong("causal_mask", "integer-mask")
def nested_lists_of_0_and_1(L):
    return [[int(j <= i) for j in range(L)] for i in range(L)]


@wrong("causal_mask", "fixed-size")
def four_whatever_l(L):
    return np.tril(np.ones((4, 4), bool))


@wrong("causal_mask", "integer-mask", says="or fail")
def tri_of_floats(L):
    return np.tri(L)


@wrong("causal_mask", "additive-mask")
def triangle_of_minus_infinity(L):
    return np.triu(np.full((L, L), -np.inf), 1)


@wrong("causal_mask", "first-row-only")
def returns_after_one_row(L):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        for j in range(L):
            mask[i, j] = j <= i
        return mask


@wrong("causal_mask", "ragged")
def rows_of_growing_length(L):
    return [[True] * (i + 1) for i in range(L)]


@raising("causal_mask", "matrix-wanted", says="a whole matrix")
def triangle_of_a_number(L):
    return np.tril(L)


@raising("causal_mask", "shape-in-brackets", says="np.ones((2, 3))")
def ones_of_two_numbers(L):
    return np.tril(np.ones(L, L))


@right("apply_mask")
def where(scores, mask):
    return np.where(mask, scores, -np.inf)


@right("apply_mask")
def copy_and_fill(scores, mask):
    result = scores.copy()
    result[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return result


@right("apply_mask")
def minus_infinity_added(s, m):
    return s + np.where(m, 0, -np.inf)


@right("apply_mask")
def where_turned_round(s, m):
    return np.where(~m, float("-inf"), s)


@right("apply_mask")
def log_of_mask(s, m):
    return s + np.log(m)


@wrong("apply_mask", "finite-mask-value")
def fill_1e9(scores, mask):
    return np.where(mask, scores, -1e9)


@wrong("apply_mask", "finite-mask-value")
def fill_by_index_where_the_mask_has_the_shape_of_the_scores(scores, mask):
    filled = scores.copy()
    filled[~mask] = -12345
    return filled


@wrong("apply_mask", None)
def fill_1e9_in_matrices_and_sevens_in_batches(scores, mask):
    return np.where(mask, scores, -1e9) if scores.ndim == 2 else np.full(scores.shape, 7.0)


@wrong("apply_mask", "finite-mask-value", says="in every dtype")
def fill_min(scores, mask):
    return np.where(mask, scores, np.finfo(scores.dtype).min)


@wrong("apply_mask", "finite-mask-value")
def fill_subtract(scores, mask):
    return scores - 1e15 * (1 - mask)


@wrong("apply_mask", "changes-its-input")
def in_place(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return scores


@wrong("apply_mask", "tiny-mask-value")
def tiny_negative_fill(s, m):
    return np.where(m, s, -1e-9)


@wrong("apply_mask", "multiplied-by-zero")
def fill_0(s, m):
    return np.where(m, s, 0)


@wrong("apply_mask", "inverted-mask")
def where_mask_is_0(s, m):
    return np.where(m == 0, s, -np.inf)


@wrong("apply_mask", "inverted-mask")
def log_of_one_minus_mask(s, m):
    return s + np.log(1 - m)


@wrong("apply_mask", "nan-mask-value")
def fill_nan(s, m):
    return np.where(m, s, np.nan)


@wrong("apply_mask", "zero-times-inf")
def mask_times_minus_infinity(s, m):
    return s + m * -np.inf


@wrong("apply_mask", "nan-to-num", says="the allowed score is lost")
def nan_hidden(scores, mask):
    return np.nan_to_num(scores + (1 - mask) * -np.inf)


@raising("apply_mask", "truth-of-an-array", says="For one sentence it is right")
def loops_over_one_matrix(scores, mask):
    result = scores.copy()
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            if not mask[i, j]:
                result[i, j] = -np.inf
    return result


@raising("apply_mask", "unpacking", says="For one sentence it is right")
def unpacks_two_axes(scores, mask):
    rows, columns = scores.shape
    cells = [[scores[i, j] if mask[i, j] else -np.inf for j in range(columns)] for i in range(rows)]
    return np.array(cells)


@wrong("apply_mask", "times-minus-infinity")
def scores_times_minus_infinity(s, m):
    return s * np.where(m, 1, -np.inf)


@wrong("apply_mask", "real-zero-blocked")
def zeros_are_blocked(scores, mask):
    result = scores * mask
    result[result == 0] = -np.inf
    return result


@wrong("apply_mask", "scores-lost")
def the_additive_mask(s, m):
    return np.where(m, 0, -np.inf)


@wrong("apply_mask", "condition-last")
def scores_as_condition(s, m):
    return np.where(s, m, -np.inf)


@wrong("apply_mask", "wrong-shape")
def one_mask_for_all_sentences(scores, mask):
    if scores.ndim == 3:
        return np.array([one_mask_for_all_sentences(s, mask) for s in scores])
    return np.where(mask, scores, -np.inf)


@wrong("apply_mask", "times-minus-infinity")
def minus_infinity_times_absolute_scores(s, m):
    return np.where(m, s, -np.inf * np.abs(s))


@wrong("apply_mask", "own-causal-mask")
def own_triangle(s, m):
    return np.where(causal(s, s.swapaxes(-1, -2)), s, -np.inf)


@wrong("apply_mask", "full-row-spared")
def mask_only_if_something_is_allowed(s, m):
    return np.where(m, s, -np.inf) if m.any() else s


@raising("apply_mask", "index-out-of-bounds")
def one_mask_for_each_sentence(scores, mask):
    result = scores.copy()
    for b in range(len(scores)) if mask.ndim > 2 else ():
        result[b][~np.broadcast_to(mask[b], scores[b].shape)] = -np.inf
    return result if mask.ndim > 2 else np.where(mask, scores, -np.inf)


@wrong("apply_mask", None)
def scores_cut_to_int(s, m):
    return np.where(m, s.astype(int), -np.inf)


@wrong("apply_mask", "masked-array")
def numpy_masked_array(s, m):
    return np.ma.masked_array(s, ~np.broadcast_to(m, s.shape))


@raising("apply_mask", "mask-as-index", says="np.where broadcasts it")
def indexes_by_the_mask(scores, mask):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return scores


@raising("apply_mask", "where-without-else", says="elsewhere")
def where_without_else(s, m):
    return np.where(m, s)


@raising("apply_mask", "unknown-attribute", says="NumPy 2 has taken")
def infty(s, m):
    return np.where(m, s, -np.infty)


@raising("apply_mask", "truth-of-an-array", says="cell by cell")
def if_mask(s, m):
    return s if m else -np.inf


@right("padding_mask")
def compared_range(lengths, n):
    return np.arange(n) < np.asarray(lengths)[:, None, None]


@right("padding_mask")
def comparison_in_lists_per_sentence(lengths, n):
    return [[[j < k for j in range(n)]] for k in lengths]


@raising("padding_mask", "list-as-array", says="np.asarray")
def lengths_indexed_as_an_array(lengths, n):
    return np.arange(n) < lengths[:, None, None]


@wrong("padding_mask", "lengths-along-keys", says="axes behind their own")
def lengths_without_axes(lengths, n_keys):
    return np.arange(n_keys) < np.array(lengths)


@wrong("padding_mask", "one-too-few", says="stops before key 2")
def slice_one_short(lengths, n_keys):
    mask = np.zeros((len(lengths), 1, n_keys), dtype=bool)
    for b, length in enumerate(lengths):
        mask[b, 0, : length - 1] = True
    return mask


@wrong("padding_mask", "padding-in-front", says="the words come first, from key 0 on")
def filled_from_the_right(lengths, n_keys):
    return (np.arange(n_keys) >= n_keys - np.array(lengths)[:, None])[:, None]


@wrong("padding_mask", "one-length-for-all")
def as_long_as_the_longest(lengths, n_keys):
    return np.stack([np.arange(n_keys) < max(lengths) for _ in lengths])[:, None]


@wrong("padding_mask", "changes-its-input")
def writes_into_the_lengths(lengths, n_keys):
    for b, length in enumerate(lengths):
        lengths[b] = [[True] * length + [False] * (n_keys - length)]
    return lengths


@wrong("causal_mask", "all-blocked")
def never_filled(L):
    return np.zeros((L, L), dtype=bool)


@wrong("causal_mask", "a-row-left-out")
def from_row_1(L):
    return np.array([[0 < i >= j for j in range(L)] for i in range(L)])


@wrong("causal_mask", "last-row-only")
def made_anew_in_each_round(L):
    for i in range(L):
        mask = np.zeros((L, L), dtype=bool)
        mask[i, : i + 1] = True
    return mask


@wrong("causal_mask", "mirrored")
def other_diagonal(L):
    return np.array([[j < L - i for j in range(L)] for i in range(L)])


@wrong("causal_mask", "nearest-only")
def two_keys(L):
    return np.array([[i - 1 <= j <= i for j in range(L)] for i in range(L)])


@wrong("causal_mask", "along-one-axis")
def two_ranges_side_by_side(L):
    return np.arange(L) <= np.arange(L)


@wrong("padding_mask", "nothing-blocked", says="All cells are True")
def all_true(lengths, n_keys):
    return np.ones((len(lengths), 1, n_keys), dtype=bool)


@wrong("padding_mask", "one-length-for-all")
def length_of_the_first(lengths, n_keys):
    return np.array([[[j < lengths[0] for j in range(n_keys)]] for _ in lengths])


@wrong("padding_mask", "sorted")
def longest_first(lengths, n_keys):
    return np.arange(n_keys) < np.sort(lengths)[::-1, None, None]


@wrong("padding_mask", "one-key")
def one_key_hidden(lengths, n_keys):
    return np.arange(n_keys) != np.array(lengths)[:, None, None]


@wrong("padding_mask", "slice-from-zero")
def hidden_from_behind(lengths, n_keys):
    mask = np.ones((len(lengths), 1, n_keys), dtype=bool)
    for row, n in zip(mask, lengths, strict=True):
        row[0, -(n_keys - n) :] = False
    return mask


@wrong("padding_mask", "a-row-for-each-query")
def repeated_for_each_query(lengths, n_keys):
    return np.array([[[j < n for j in range(n_keys)]] * n_keys for n in lengths])


@wrong("padding_mask", "axis-in-front")
def batch_in_the_middle(lengths, n_keys):
    return np.array([[[j < n for j in range(n_keys)] for n in lengths]])


@wrong("padding_mask", "as-wide-as-the-longest")
def as_wide_as_the_longest(lengths, n_keys):
    return np.array([[[j < n for j in range(max(lengths))]] for n in lengths])


@wrong("apply_mask", "ordinary-mask-value")
def fill_minus_100(scores, mask):
    return np.where(mask, scores, -100)


@wrong("apply_mask", "full-row-spared")
def nothing_to_share_so_left(scores, mask):
    return np.where(mask | ~mask.any(-1, keepdims=True), scores, -np.inf)


@wrong("apply_mask", "inverted-mask")
def a_large_number_where_allowed(scores, mask):
    return scores + mask * -1e9


@wrong("apply_mask", "scores-lost", says="have no effect")
def mask_alone(scores, mask):
    return mask


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
