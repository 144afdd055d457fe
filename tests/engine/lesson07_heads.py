"""Answers to the exercises of lesson 07 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("split_heads")
def stacked_splits(X, h):
    return np.stack(np.split(X, h, axis=1))


@right("split_heads")
def reshaped_and_transposed(X, h):
    return X.reshape(X.shape[0], h, X.shape[1] // h).transpose(1, 0, 2)


@wrong("split_heads", "reshape-without-transpose")
def reshaped_to_heads_first(X, h):
    return np.reshape(X, (h, X.shape[0], X.shape[1] // h))


@wrong("split_heads", "sizes-exchanged", says="counts the heads")
def n_heads_columns_each(X, h):
    return np.stack(np.split(X, X.shape[1] // h, axis=1))


@wrong("split_heads", "tokens-dealt-out", says="all words")
def split_along_the_first_axis(X, h):
    return np.array(np.split(X, h, axis=0))


@wrong("split_heads", "not-transposed", says="The heads come first")
def heads_behind_the_tokens(X, h):
    return np.array([np.split(row, h) for row in X])


@wrong("split_heads", "strided-split")
def every_nth(X, h):
    return np.stack([X[:, k::h] for k in range(h)])


@wrong("split_heads", "reversed")
def from_the_last(X, h):
    return np.stack(np.split(X, h, axis=1)[::-1])


@wrong("split_heads", "reversed-axes", says="Exchange only")
def reshaped_and_turned_over(X, h):
    return X.reshape(len(X), h, X.shape[1] // h).T


@wrong("split_heads", "always-two-heads", says="as many as n_heads")
def two_halves(X, h):
    half = X.shape[1] // 2
    return np.stack([X[:, :half], X[:, half:]])


@right("split_heads")
def a_list_of_slices(X, h):
    return np.split(X, h, axis=1)


@wrong("multi_head", "reversed-axes", says="three axes now")
def keys_with_T(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return attn.merge_heads(attn.softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V) @ W_O


@wrong("multi_head", "divided-by-another-root", says="Which axis of Q")
def shape_from_the_front(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return attn.merge_heads(attn.softmax(Q @ K.swapaxes(1, 2) / np.sqrt(len(Q))) @ V) @ W_O


@wrong("multi_head", "scaled-by-d-model", says="two mistakes, scaled by √d_model, and a reshape alone")
def as_the_lesson_gives_it(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    scaled = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])
    return (attn.softmax(scaled) @ V).reshape(len(X), -1) @ W_O


@wrong("multi_head", "scaled-by-d-model", says="adds up d_model / n_heads products")
def joined_and_still_scaled_by_d_model(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    scaled = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])
    return attn.merge_heads(attn.softmax(scaled) @ V) @ W_O


@wrong("multi_head", "divided-by-d-k", says="its root")
def head_width_without_root(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return attn.merge_heads(attn.softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1]) @ V) @ W_O


@wrong("multi_head", "projections-mixed-up", says="Queries come from W_Q")
def keys_of_the_queries(X, W_Q, W_K, W_V, W_O, n_heads):
    return attn.multi_head_attention(X, X, X, W_Q, W_Q, W_V, W_O, n_heads)[0]


@wrong("multi_head", "no-output-projection")
def joined_only(X, W_Q, W_K, W_V, W_O, n_heads):
    return attn.multi_head_attention(X, X, X, W_Q, W_K, W_V, np.eye(len(W_O)), n_heads)[0]


@wrong("multi_head", "joined-by-other-axes", says="the words must be the first axis")
def words_and_columns_exchanged(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return (weights @ V).swapaxes(-1, -2).reshape(len(X), -1) @ W_O


@right("multi_head")
def the_course_s_own(X, W_Q, W_K, W_V, W_O, n_heads):
    return attn.multi_head_attention(X, X, X, W_Q, W_K, W_V, W_O, n_heads)[0]


@right("multi_head")
def einsum_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    d = X.shape[-1] // n_heads
    heads = [
        attn.scaled_dot_product_attention(X @ W_Q[:, s], X @ W_K[:, s], X @ W_V[:, s])[0]
        for s in (slice(h * d, (h + 1) * d) for h in range(n_heads))
    ]
    return np.concatenate(heads, axis=-1) @ W_O


@wrong("multi_head", "shared-over-heads")
def softmax_over_the_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), axis=0)
    return attn.merge_heads(weights @ V) @ W_O


@wrong("multi_head", "wrong-axis")
def shared_along_the_queries(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    powers = np.exp(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1]))
    return attn.merge_heads(powers / powers.sum(axis=1, keepdims=True) @ V) @ W_O


@wrong("multi_head", "no-softmax")
def scores_mix(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return attn.merge_heads(np.einsum("hid,hjd->hij", Q, K) / Q.shape[-1] ** 0.5 @ V) @ W_O


@wrong("multi_head", "transposed-weights")
def weights_turned(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1]))
    return attn.merge_heads(np.einsum("hij,hid->hjd", weights, V)) @ W_O


@wrong("multi_head", "causal-unasked")
def heads_that_look_back(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    output, _ = attn.scaled_dot_product_attention(Q, K, V, attn.causal_mask(len(X)))
    return attn.merge_heads(output) @ W_O


@wrong("split_heads", "sizes-exchanged")
def width_before_number(X, n_heads):
    return X.reshape(len(X), -1, n_heads)


@wrong("split_heads", "slices-overlap")
def starts_one_further_each_time(X, n_heads):
    width = X.shape[1] // n_heads
    return np.stack([X[:, head : head + width] for head in range(n_heads)])


@wrong("multi_head", "weights-shared-by-heads", says="its own weights")
def one_mean_of_the_weights(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K))
    weights = attn.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return weights.mean(axis=0) @ (X @ W_V) @ W_O


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
