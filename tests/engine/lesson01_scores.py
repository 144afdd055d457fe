"""Answers to the exercises of lesson 01 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, shares_of, triple_loop, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("scores")
def swapaxes(Q, K):
    return Q @ K.swapaxes(-1, -2)


@right("scores")
def einsum(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K)


@right("scores")
def moveaxis(Q, K):
    return np.matmul(Q, np.moveaxis(K, -1, -2))


right("scores")(triple_loop)


@right("scores")
def nested_lists(Q, K):
    return (Q @ K.swapaxes(-1, -2)).tolist()


@right("scores")
def turned_twice(Q, K):
    return (K @ Q.swapaxes(-1, -2)).swapaxes(-1, -2)


@right("scores")
def broadcast_and_summed(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


@right("scores")
def float32(Q, K, **kw):
    return np.float32(Q) @ np.float32(K).swapaxes(-1, -2)


@wrong("scores", None)
def loop_scores(Q, K):
    return np.array(
        [[sum(Q[i][d] * K[d][j] for d in range(len(K))) for j in range(len(K[0]))] for i in range(len(Q))]
    )


@wrong("scores", "queries-and-keys-swapped")
def einsum_keys_first(Q, K):
    return np.einsum("...id,...jd->...ji", Q, K)


@wrong("scores", "elementwise")
def row_by_row_einsum(Q, K):
    return np.einsum("...id,...id->...i", Q, K)


@wrong("scores", "reversed-axes")
def transposed_by_np_transpose(Q, K):
    return np.matmul(Q, np.transpose(K))


@wrong("scores", "dot-on-batch")
def tensordot(Q, K):
    return np.tensordot(Q, K, axes=(-1, -1))


@wrong("scores", "no-transpose")
def matmul_without_transpose(Q, K):
    return np.matmul(Q, K)


@wrong("scores", "first-axes-swapped")
def swapaxes_1_0(Q, K):
    return np.matmul(Q, np.swapaxes(K, 1, 0))


@wrong("scores", "counted-from-the-front")
def swapaxes_2_1(Q, K):
    return Q @ np.swapaxes(K, 2, 1)


@wrong("scores", "counted-from-the-front")
def swapaxes_0_2(Q, K):
    return Q @ K.swapaxes(0, 2)


@wrong("scores", "transpose-keeps-order")
def transpose_minus_2_minus_1(Q, K):
    return Q @ np.transpose(K, (-2, -1))


@wrong("scores", "dot-on-batch")
def dot_of_transpose(Q, K):
    return np.dot(Q, np.transpose(K))


@wrong("scores", "features-by-features")
def queries_turned(Q, K):
    return np.matmul(np.transpose(Q), K)


def loop_table(Q, K, dtype=float, early=False, turned=False):
    if Q.ndim > 2 and dtype is int:
        return np.array([loop_table(q, k, dtype) for q, k in zip(Q, K, strict=True)])
    table = np.zeros((len(Q), len(K)), dtype=dtype)
    for i in range(len(Q)):
        for j in range(len(K)):
            table[(j, i) if turned else (i, j)] = Q[i] @ K[j]
        if early:
            return table
    return table


@wrong("scores", "rounded-to-whole")
def table_of_int(Q, K):
    return loop_table(Q, K, int)


@wrong("scores", "rounded-to-whole")
def cut_to_int(Q, K):
    return triple_loop(Q, K).astype(int)


@wrong("scores", "no-transpose")
def dot_without_transpose(Q, K):
    return Q.dot(K)


@wrong("scores", "reshaped")
def reshaped(Q, K):
    return Q @ K.reshape(K.shape[-1], K.shape[-2])


@wrong("scores", "both-transposed")
def both_turned(Q, K):
    return np.transpose(Q) @ np.transpose(K)


@wrong("scores", "first-row-only")
def returns_in_the_first_round(Q, K):
    return loop_table(Q, K, early=True)


@wrong("scores", "indices-exchanged")
def row_and_column_exchanged(Q, K):
    return loop_table(Q, K, turned=True)


@wrong("scores", "keys-ignored")
def keys_meet_keys(Q, K):
    return K @ np.swapaxes(K, -1, -2)


@wrong("scores", "scaled-too-early")
def halved(Q, K):
    return 0.5 * triple_loop(Q, K)


@wrong("scores", "scaled-too-early", says="one lesson later")
def halved_and_for_one_sentence(Q, K):
    return Q @ K.T / 2


@wrong("scores", "softmax-too-early")
def all_of_the_lesson_for_one_sentence(Q, K):
    return attn.softmax(Q @ K.T / 2)


@wrong("scores", "softmax-too-early")
def shared_out_by_loops_for_one_sentence(Q, K):
    table = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            table[i, j] = np.dot(Q[i], K[j]) / 3
    powers = np.exp(table - table.max())
    return powers / powers.sum(axis=1, keepdims=True)


@wrong("scores", "softmax-too-early")
def shared_out_along_axis_1(Q, K):
    powers = np.exp(Q @ K.T)
    return powers / powers.sum(axis=1, keepdims=True)


@wrong("scores", None)
def doubled(Q, K):
    return 2 * triple_loop(Q, K)


@wrong("scores", "softmax-too-early", says="shares")
def shared_out(Q, K):
    return shares_of(np.exp(np.einsum("...id,...jd->...ij", Q, K) / 2))


@wrong("scores", "softmax-too-early")
def shared_out_by_the_helper(Q, K):
    return attn.softmax(triple_loop(Q, K) / np.sqrt(K.shape[-1]))


@wrong("scores", "square-table", says="len(K) columns")
def table_as_wide_as_high(Q, K):
    table = np.zeros((len(Q), len(Q)))
    for i, query in enumerate(Q):
        for j in range(len(Q)):
            table[i, j] = np.dot(query, K[j])
    return table


@wrong("scores", "square-table")
def wide_table_filled_by_keys(Q, K):
    table = np.zeros((len(Q), len(Q)))
    for i in range(len(Q)):
        for j, key in enumerate(K):
            table[i][j] = Q[i] @ key
    return table


@raising("scores", "index-out-of-bounds", says="Inputs differ in size")
def four_words_always(Q, K):
    return np.array([[Q[i] @ K[j] for j in range(4)] for i in range(4)])


@raising("scores", "einsum-axes", says="any number of axes in front")
def einsum_of_a_batch(Q, K):
    return np.einsum("bid,bjd->bij", Q, K)


@wrong("scores", "stray-comma")
def comma_behind_the_result(Q, K):
    return (Q @ K.swapaxes(-1, -2),)


@wrong("scores", "rounded")
def rounded_to_two_digits(Q, K):
    return np.round(triple_loop(Q, K), 2)


@raising("scores", "transpose-of-some-axes")
def spells_out_each_number_of_axes(Q, K):
    return Q @ K.transpose({2: (1, 0), 3: (0, 2, 1)}.get(K.ndim, (0, 1, 3, 2)))


@wrong("scores", None, says="more axes in front")
def two_or_three_axes(Q, K):
    return Q @ (K.T if K.ndim == 2 else K.transpose(0, 2, 1) if K.ndim == 3 else 2 * K.swapaxes(-1, -2))


@wrong("scores", None, says="This input is a batch")
def right_for_one_sentence_only(Q, K):
    return Q @ (K.T if K.ndim == 2 else 2 * K.swapaxes(-1, -2))


@raising("scores", "transpose-of-some-axes", says="there is swapaxes")
def transpose_of_two_axes(Q, K):
    return Q @ K.transpose(-1, -2)


@raising("scores", "shape-mismatch", says="here there are 1 and 2")
def shapes_that_do_not_fit(Q, K):
    return Q @ K[:-1].T @ K


@raising("scores", "unknown-attribute", says="is it swapaxes?")
def swapaxis(Q, K):
    return Q @ K.swapaxis(-1, -2)


@right("word_scores")
def two_projections(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T


@right("word_scores")
def one_product(X, W_Q, W_K):
    return X @ (W_Q @ W_K.T) @ X.T


@right("word_scores")
def by_einsum(X, W_Q, W_K):
    return np.einsum("im,mk,jn,nk->ij", X, W_Q, X, W_K)


@right("word_scores")
def two_loops(X, W_Q, W_K):
    Q, K = X @ W_Q, X @ W_K
    return [[sum(q * k for q, k in zip(row, key, strict=True)) for key in K] for row in Q]


@wrong("word_scores", "one-projection", says="same when rows and columns are exchanged")
def queries_made_twice(X, W_Q, W_K):
    Q = X @ W_Q
    return Q @ Q.T


@wrong("word_scores", "one-projection")
def keys_made_twice(X, W_Q, W_K):
    return np.inner(X @ W_K, X @ W_K)


@wrong("word_scores", "no-projection")
def embeddings_compared(X, W_Q, W_K):
    return np.einsum("im,jm->ij", X, X)


@wrong("word_scores", "queries-and-keys-swapped")
def projections_exchanged(X, W_Q, W_K):
    Q, K = X @ W_K, X @ W_Q
    return Q @ K.T


@wrong("word_scores", "no-transpose")
def transpose_forgotten(X, W_Q, W_K):
    return np.matmul(X @ W_Q, X @ W_K)


@wrong("word_scores", "matrix-on-the-left", says="W @ X adds up tokens")
def projections_on_the_left(X, W_Q, W_K):
    return (W_Q @ X) @ (W_K @ X).T


@wrong("word_scores", "matrix-on-the-left")
def one_projection_on_the_left(X, W_Q, W_K):
    Q = X @ W_Q
    K = np.matmul(W_K, X)
    return np.inner(Q, K)


@wrong("word_scores", "scaled-too-early")
def divided_already(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.T / W_Q.shape[1] ** 0.5


@wrong("scores", "feature-left-out")
def written_over_in_the_inner_loop(Q, K):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for d in range(Q.shape[-1]):
        scores = Q[..., :, None, d] * K[..., None, :, d]
    return scores


@wrong("scores", "sum-not-reset")
def sum_never_set_to_0(Q, K):
    return np.cumsum(Q @ K.swapaxes(-1, -2), axis=-1)


@wrong("scores", "nan")
def nan_everywhere_is_no_softmax(Q, K):
    return np.nan * (Q @ K.swapaxes(-1, -2))


@wrong("word_scores", "embedding-missing")
def keys_without_words(X, W_Q, W_K):
    return X @ W_Q @ W_K.T


@wrong("word_scores", "not-projected")
def words_as_keys(X, W_Q, W_K):
    return X @ W_Q @ X.T


@wrong("word_scores", "projection-transposed")
def transposed_projections(X, W_Q, W_K):
    return (X @ W_Q.T) @ (X @ W_K.T).T


@wrong("word_scores", "projection-elementwise")
def star_for_at(X, W_Q, W_K):
    return (X * W_Q) @ (X * W_K).T


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
