"""Answers to the exercises of lesson 08 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("softmax_backward")
def without_a_jacobian(w, d):
    return w * d - w * (w * d).sum(-1)[..., None]


@right("softmax_backward")
def whole_jacobians(w, d):
    return np.einsum(
        "...j,...ij->...i", d, np.apply_along_axis(np.diag, -1, w) - w[..., :, None] * w[..., None, :]
    )


@wrong("softmax_backward", "elementwise-jacobian")
def diagonal_of_the_jacobian(w, d):
    return d * w - d * w**2


@wrong("softmax_backward", "mean-not-shared", "the whole bracket")
def takes_the_mean_off_last(w, d):
    return (product := w * d) - product.sum(-1)[..., None]


@wrong("softmax_backward", "divided-again")
def means_by_np_mean(w, d):
    return w * (d - np.mean(w * d, axis=-1, keepdims=True))


@wrong("self_attention_backward", "output-for-weights", "the weights are needed")
def unpacks_in_the_other_order(X, A, B, C, g):
    Q, K, V = X @ A, X @ B, X @ C
    W, _ = attn.scaled_dot_product_attention(Q, K, V)
    q, k, v = attn.attention_backward(Q, K, V, W, g)
    return q @ A.T + k @ B.T + v @ C.T


@wrong("attention_backward", "key-on-its-side")
def leaves_the_keys_transposed(Q, K, V, W, g):
    return backward(key=lambda d, Q, K: Q.swapaxes(-1, -2) @ d)(Q, K, V, W, g)


@wrong("softmax_backward", None)
def nothing_but_zeros(w, d):
    return np.zeros_like(w)


@right("attention_backward")
def by_einsum(Q, K, V, W, g):
    d = np.einsum("...qv,...kv->...qk", g, V)
    d = W * (d - np.sum(W * d, -1, keepdims=True)) / K.shape[-1] ** 0.5
    return (
        np.einsum("...qk,...kd->...qd", d, K),
        np.einsum("...qk,...qd->...kd", d, Q),
        np.einsum("...qk,...qv->...kv", W, g),
    )


@right("attention_backward")
def scaled_at_the_end(Q, K, V, W, g):
    s = attn.softmax_backward(W, g @ np.moveaxis(V, -1, -2))
    root = np.sqrt(Q.shape[-1])
    return [s @ K / root, np.moveaxis(s, -1, -2) @ Q / root, np.moveaxis(W, -1, -2) @ g]


def backward(softmax=attn.softmax_backward, root=np.sqrt, key=lambda d, Q, K: d.swapaxes(-1, -2) @ Q, T=None):
    """Attention backwards as people write it, with something else in one place."""

    def attention_backward(Q, K, V, W, g):
        d = softmax(W, g @ V.swapaxes(-1, -2)) / root(K.shape[-1])
        return d @ K, key(d, Q, K), (T(W) if T else W.swapaxes(-1, -2)) @ g

    return attention_backward


@wrong("attention_backward", "scale-forgotten", "arrives divided as well")
def forgets_the_root(Q, K, V, W, g):
    return backward(root=lambda d_k: 1)(Q, K, V, W, g)


@wrong("attention_backward", "scale-undone")
def undoes_the_root(Q, K, V, W, g):
    return backward(root=lambda d_k: d_k**-0.5)(Q, K, V, W, g)


@wrong("attention_backward", "elementwise-jacobian", "only its diagonal")
def thinks_softmax_is_a_sigmoid(Q, K, V, W, g):
    return backward(softmax=lambda w, d: d * w * (1 - w))(Q, K, V, W, g)


@wrong("attention_backward", "wrong-axis")
def sums_over_the_queries(Q, K, V, W, g):
    return backward(softmax=lambda w, d: w * (d - (w * d).sum(-2, keepdims=True)))(Q, K, V, W, g)


@wrong("attention_backward", "key-not-transposed")
def forgets_to_turn_the_scores(Q, K, V, W, g):
    return backward(key=lambda d, Q, K: d @ Q)(Q, K, V, W, g)


@wrong("attention_backward", "weights-not-transposed")
def forgets_to_turn_the_weights(Q, K, V, W, g):
    return backward(T=lambda W: W)(Q, K, V, W, g)


@wrong(
    "attention_backward",
    "scale-forgotten",
    "two mistakes, ÷ √d_k is forgotten on the way back, and d_V without",
)
def forgets_the_root_and_to_turn_the_weights(Q, K, V, W, g):
    return backward(root=lambda d_k: 1, T=lambda W: W)(Q, K, V, W, g)


@wrong("attention_backward", "other-order")
def key_first(Q, K, V, W, g):
    q, k, v = backward()(Q, K, V, W, g)
    return k, q, v


@wrong("attention_backward", None)
def as_it_went_there(Q, K, V, W, g):
    return Q * 0, K * 0, V * 0


def three(X, A, B, C, g):
    Q, K, V = X @ A, X @ B, X @ C
    return attn.attention_backward(Q, K, V, attn.scaled_dot_product_attention(Q, K, V)[1], g)


@right("self_attention_backward")
def three_ways_added(X, A, B, C, g):
    q, k, v = three(X, A, B, C, g)
    return np.hstack([q, k, v]) @ np.hstack([A, B, C]).T


@wrong("self_attention_backward", "one-way-only")
def through_the_values_alone(X, A, B, C, g):
    return three(X, A, B, C, g)[2] @ C.T


@wrong("self_attention_backward", "a-way-missing")
def forgets_that_a_word_looks(X, A, B, C, g):
    _, k, v = three(X, A, B, C, g)
    return k @ B.T + v @ C.T


@wrong("self_attention_backward", "mean-of-the-ways")
def takes_the_mean(X, A, B, C, g):
    return np.mean([d @ W.T for d, W in zip(three(X, A, B, C, g), (A, B, C), strict=True)], axis=0)


@wrong("self_attention_backward", "matrices-in-place-of-words")
def of_the_matrices(X, A, B, C, g):
    return tuple(X.T @ d for d in three(X, A, B, C, g))


@wrong("softmax_backward", "arguments-exchanged")
def push_times_shares(weights, d_weights):
    return d_weights * (weights - (weights * d_weights).sum(axis=-1, keepdims=True))


@wrong("self_attention_backward", "one-matrix-for-all")
def all_through_one_matrix(X, W_Q, W_K, W_V, d_output):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attn.scaled_dot_product_attention(Q, K, V)[1]
    d_Q, d_K, d_V = attn.attention_backward(Q, K, V, weights, d_output)
    return (d_Q + d_K + d_V) @ W_Q.T


@wrong("softmax_backward", "shared-again")
def softmax_of_the_shares(weights, d_weights):
    shares = attn.softmax(weights)
    return shares * (d_weights - (shares * d_weights).sum(axis=-1, keepdims=True))


@wrong("softmax_backward", "loss-included", says="of whatever loss")
def shares_less_the_target(weights, d_weights):
    return weights - d_weights


@wrong("attention_backward", "value-through-scores")
def values_from_the_gradient_of_weights(Q, K, V, weights, d_output):
    d_Q, d_K, _ = attn.attention_backward(Q, K, V, weights, d_output)
    return d_Q, d_K, (d_output @ V.swapaxes(-1, -2)).swapaxes(-1, -2) @ d_output


@wrong("self_attention_backward", "nudged-too-far", says="which is exact")
def measured_in_steps_of_a_tenth(X, W_Q, W_K, W_V, d_output):
    def loss(words):
        return (attn.self_attention(words, W_Q, W_K, W_V)[0] * d_output).sum()

    d_X = np.zeros(X.shape)
    for i, j in np.ndindex(X.shape):
        nudged = X.copy()
        nudged[i, j] += 0.1
        d_X[i, j] = (loss(nudged) - loss(X)) / 0.1
    return d_X


@wrong("attention_backward", None, says="Your d_K is the same whatever Q is.")
def keys_from_keys_and_no_root(Q, K, V, weights, d_output):
    d_scores = attn.softmax_backward(weights, d_output @ V.swapaxes(-1, -2))
    return (
        d_scores @ K,
        d_scores.swapaxes(-1, -2) @ K[..., : Q.shape[-2], :],
        weights.swapaxes(-1, -2) @ d_output,
    )


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
