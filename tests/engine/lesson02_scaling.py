"""Answers to the exercises of lesson 02 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, triple_loop, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("scaled_scores")
def divided_by_the_root(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


@right("scaled_scores")
def power_of_minus_a_half(Q, K):
    return Q @ K.swapaxes(-1, -2) * K.shape[-1] ** -0.5


@right("scaled_scores")
def both_divided_by_the_fourth_root(Q, K):
    return (Q / Q.shape[-1] ** 0.25) @ (K / K.shape[-1] ** 0.25).swapaxes(-1, -2)


@right("scaled_scores")
def loops_and_len(Q, K):
    return triple_loop(Q, K) / len(Q[(0,) * (Q.ndim - 1)]) ** 0.5


@right("scaled_scores")
def float32_scaled(Q, K):
    return (Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])).astype(np.float32)


@right("scaled_scores")
def norm_of_ones(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K) / np.linalg.norm(np.ones(K.shape[-1]))


@wrong("scaled_scores", "not-scaled")
def einsum_without_scale(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K)


@wrong("scaled_scores", "divided-by-d-k")
def queries_divided_by_d_k(Q, K):
    return (Q / K.shape[-1]) @ np.moveaxis(K, -1, -2)


@wrong("scaled_scores", "divided-by-d-k")
def divided_by_the_root_twice(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "multiplied")
def multiplied_by_the_root(Q, K):
    return Q @ K.swapaxes(-1, -2) * np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "divided-by-root-of-length")
def root_of_len_k(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(len(K))


@wrong("scaled_scores", "fixed-width")
def root_of_8_typed(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(8)


@wrong("scaled_scores", "power-before-division")
def power_binds_first(Q, K):
    return Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 1 / 2


@wrong("scaled_scores", "divided-by-root-of-size")
def root_of_size(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.size)


@wrong("scaled_scores", "no-transpose")
def neither_turned_nor_rooted(Q, K):
    return Q @ K / Q.shape[-1]


@wrong("scaled_scores", "softmax-included")
def shared_out_already(Q, K):
    return attn.softmax(Q @ K.swapaxes(-1, -2) / K.shape[-1] ** 0.5)


@wrong("scaled_scores", "shape-from-the-front")
def shape_1(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[1])


@wrong("scaled_scores", "root-of-scores")
def root_of_everything(Q, K):
    return np.sqrt(Q @ K.swapaxes(-1, -2) / Q.shape[-1])


@wrong("scaled_scores", "rounded-to-whole")
def floor_division(Q, K):
    return np.floor_divide(triple_loop(Q, K), Q.shape[-1] ** 0.5)


@wrong("scaled_scores", "divided-by-measured-spread")
def divided_by_measured_spread(Q, K):
    return triple_loop(Q, K) / np.std(triple_loop(Q, K))


@wrong("scaled_scores", "rounded-to-whole")
def root_cut_to_int(Q, K):
    return triple_loop(Q, K) / int(np.sqrt(Q.shape[-1]))


@wrong("scaled_scores", "rounded")
def rounded_to_three_digits(Q, K):
    return np.around(triple_loop(Q, K) / np.sqrt(Q.shape[-1]), 3)


@wrong("scaled_scores", "shape-from-the-front")
def shape_2(Q, K):
    return triple_loop(Q, K) / np.sqrt(Q.shape[2])


@raising("scaled_scores", "brackets", says="square brackets")
def shape_called(Q, K):
    return Q / np.sqrt(Q.shape(-1))


@raising("scaled_scores", "brackets", says="round ones")
def method_in_square_brackets(Q, K):
    return Q @ K.swapaxes[-1, -2]


@raising("scaled_scores", "undefined-name", says="no function math_")
def undefined_helper(Q, K):
    return Q @ K.T / math_(Q)  # noqa: F821


@raising("scaled_scores", "undefined-name", says="import cmath")
def without_import(Q, K):
    return Q @ K.T / cmath.sqrt(2)  # noqa: F821


@right("scaled_word_scores")
def width_of_the_query(X, W_Q, W_K):
    Q, K = X @ W_Q, X @ W_K
    return Q @ K.T / np.sqrt(Q.shape[-1])


@right("scaled_word_scores")
def columns_of_the_projection(X, W_Q, W_K):
    return (X @ W_Q) @ W_K.T @ X.T * W_Q.shape[1] ** -0.5


@wrong("scaled_word_scores", "divided-by-d-model", says="the width of X")
def width_of_the_embedding_without_a_root(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / X.shape[-1]


@wrong("scaled_word_scores", "divided-by-root-of-d-model", says="the width of X")
def rows_of_the_projection(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[0])


@wrong("scaled_word_scores", "not-scaled")
def words_unscaled(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T


@wrong("scaled_word_scores", "divided-by-d-k")
def words_by_the_width(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / W_Q.shape[-1]


@wrong("scaled_word_scores", "divided-by-root-of-length")
def words_by_their_number(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / np.sqrt(len(X))


@wrong("scaled_word_scores", "fixed-width")
def words_halved(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / 2


@wrong("scaled_scores", "half-of-d-k")
def half_a_width(Q, K):
    return Q @ K.swapaxes(-1, -2) / (Q.shape[-1] // 2)


@wrong("scaled_word_scores", "one-projection")
def words_by_one_projection(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_Q).T / np.sqrt(W_Q.shape[-1])


@wrong("scaled_scores", "rounded-to-whole")
def rounded_up(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.ceil(np.sqrt(Q.shape[-1]))


@wrong("scaled_scores", None, says="divided by 1.71, 2 and 2.351 where d_k is 5, 8 and 13")
def cube_root(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.cbrt(Q.shape[-1])


@wrong("scaled_scores", "softmax-included")
def shared_out_unscaled(Q, K):
    return attn.softmax(Q @ K.swapaxes(-1, -2) / 3)


@wrong("scaled_word_scores", "shape-as-divisor")
def root_of_a_shape(X, W_Q, W_K):
    return X @ W_Q @ (X @ W_K).T / np.sqrt(W_Q.shape)


@wrong("scaled_word_scores", None, says="the same whatever W_K is")
def no_root_and_one_projection(X, W_Q, W_K):
    return X @ W_Q @ (X @ W_Q).T


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
