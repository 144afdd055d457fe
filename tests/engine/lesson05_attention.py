"""Answers to the exercises of lesson 05 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, attention, causal, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("attention")
def results_in_a_list(Q, K, V, mask=None):
    return list(attn.scaled_dot_product_attention(Q, K, V, mask))


@right("attention")
def the_course_s_own(Q, K, V, mask=None):
    return attn.scaled_dot_product_attention(Q, K, V, mask)


@right("attention")
def einsum_attention(Q, K, V, mask=None):
    return attention()(Q, K, V, mask)


@right("attention")
def additive_mask_and_nested_lists(Q, K, V, mask=None, extra=1):
    scores = np.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5
    weights = attn.softmax(scores + (0 if mask is None else np.where(mask, 0, -np.inf)))
    return [np.einsum("...ij,...jd->...id", weights, V).tolist(), weights.tolist()]


@right("attention")
def float32_attention(Q, K, V, mask=None):
    return tuple(a.astype(np.float32) for a in attn.scaled_dot_product_attention(Q, K, V, mask))


@wrong("attention", "not-scaled")
def without_scale(Q, K, V, mask=None):
    return attention(scale=False)(Q, K, V, mask)


@wrong("attention", "mask-ignored")
def without_mask(Q, K, V, mask=None):
    return attention(mask=False)(Q, K, V, mask)


@wrong("attention", "finite-mask-value")
def fill_1e9(Q, K, V, mask=None):
    return attention(fill=-1e9)(Q, K, V, mask)


@wrong("attention", "multiplied-by-zero")
def fill_zero(Q, K, V, mask=None):
    return attention(fill=0)(Q, K, V, mask)


@wrong("attention", "results-swapped")
def weights_first(Q, K, V, mask=None):
    return attention(swap=True)(Q, K, V, mask)


@wrong("attention", "mask-after-softmax")
def masked_after_softmax(Q, K, V, mask=None):
    return attention(after=True)(Q, K, V, mask)


@wrong("attention", "wrong-axis", says="two mistakes, normalised over the queries, and the mask comes after")
def turned_back_and_masked_late(Q, K, V, mask=None):
    w = attn.softmax(K @ Q.swapaxes(-1, -2) / np.sqrt(K.shape[-1])).swapaxes(-1, -2)
    w = w if mask is None else w * mask
    return w @ V, w


@wrong("attention", "no-max-subtraction", says="Mend this one first: Right for small scores.")
def plain_powers_and_masked_late(Q, K, V, mask=None):
    e = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    w = e / e.sum(axis=-1, keepdims=True)
    w = w if mask is None else np.where(mask, w, 0)
    return w @ V, w


@wrong("attention", "transpose-trick", says="the .T trick, for matrices only, and the mask comes after")
def trick_and_masked_late(Q, K, V, mask=None):
    e = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    w = (e.T / e.sum(axis=-1)).T
    w = w if mask is None else w * mask
    return w @ V, w


@wrong(
    "attention", "whole-array", says="normalised over the whole array, and masked after softmax, then shared"
)
def whole_array_and_shared_again(Q, K, V, mask=None):
    s = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    w = s / s.sum()
    w = w if mask is None else w * mask / (w * mask).sum(axis=-1, keepdims=True)
    return w @ V, w


@wrong("attention", "fully-masked-nan")
def nan_rows(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    s = s if mask is None else np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w


@wrong("attention", "not-scaled")
def without_scale_and_mask(Q, K, V, mask=None):
    return attention(scale=False, mask=False)(Q, K, V, mask)


@wrong("attention", "not-scaled")
def without_scale_weights_first(Q, K, V, mask=None):
    return attention(scale=False, swap=True)(Q, K, V, mask)


@wrong("attention", "wrong-shape")
def returns_v_and_k(Q, K, V, mask=None):
    return (V, K)


@raising("attention", "wrong-parameters")
def no_mask_parameter(Q, K, V):
    return attn.scaled_dot_product_attention(Q, K, V)


@wrong("attention", "mask-not-optional")
def blocks_all_without_a_mask(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = attn.softmax(np.where(mask, scores, -np.inf))
    return weights @ V, weights


@wrong("attention", "shared-twice")
def shared_out_again(Q, K, V, mask=None):
    weights = attention()(Q, K, V)[1]
    if mask is not None:
        weights = np.where(mask, weights, 0)
        weights = weights / np.sum(weights, -1)[..., None]
    return weights @ V, weights


@wrong("attention", "shared-twice")
def shared_out_again_without_nan(Q, K, V, mask=None):
    weights = np.nan_to_num(shared_out_again(Q, K, V, mask)[1])
    return weights @ V, weights


@wrong("attention", "zero-times-inf")
def zero_times_inf(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = attn.softmax(scores if mask is None else scores + (1 - mask) * float("-inf"))
    return weights @ V, weights


@wrong("attention", "scaled-after-softmax")
def root_after_softmax(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    weights = attn.softmax(scores if mask is None else np.where(mask, scores, -np.inf))
    weights = weights / K.shape[-1] ** 0.5
    return weights @ V, weights


@wrong("attention", "mask-after-softmax")
def minus_infinity_for_weights(Q, K, V, mask=None):
    weights = attention()(Q, K, V)[1]
    weights = weights if mask is None else np.where(mask, weights, -np.inf)
    return weights @ V, weights


@wrong("attention", "keys-mixed")
def mixes_keys(Q, K, V, mask=None):
    return attention()(Q, K, K, mask)


@wrong("attention", "scores-for-weights")
def returns_scores_for_weights(Q, K, V, mask=None):
    return (attention()(Q, K, V, mask)[0], Q @ K.swapaxes(-1, -2))


@wrong("attention", "empty-mask-ignored")
def masks_only_if_something_is_allowed(Q, K, V, mask=None):
    return attention()(Q, K, V, mask if mask is not None and mask.any() else None)


@wrong("attention", "finite-mask-value")
def finite_and_patched(Q, K, V, mask=None):
    weights = attention(fill=-1e9)(Q, K, V, mask)[1]
    weights = weights if mask is None else weights * mask.any(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", "empty-row-shared")
def fill_1e30(Q, K, V, mask=None):
    return attention(fill=-1e30)(Q, K, V, mask)


@wrong("attention", "own-causal-mask")
def own_mask_in_place_of_the_given(Q, K, V, mask=None):
    return attention()(Q, K, V, causal(Q, K))


def scaled(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


@wrong("attention", "inverted-mask")
def inverted_by_index(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is not None:
        scores[mask] = -np.inf
    weights = attn.softmax(scores)
    return weights @ V, weights


@wrong("attention", "scaled-in-one-branch")
def divides_only_with_a_mask(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores / np.sqrt(Q.shape[-1]), -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


@wrong("attention", "test-turned-round")
def asks_the_wrong_way_round(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is None:
        scores = np.where(mask, scores, -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


@wrong("attention", "scores-mixed")
def mixes_scores(Q, K, V, mask=None):
    return scaled(Q, K) @ V, attention()(Q, K, V, mask)[1]


@raising("attention", "wrong-parameters")
def mask_parameter_without_default(Q, K, V, mask):
    return attn.scaled_dot_product_attention(Q, K, V, mask)


@wrong("attention", "wrong-shape")
def one_sentence_after_the_other(Q, K, V, mask=None):
    if Q.ndim == 2:
        return attention()(Q, K, V, mask)
    pairs = [one_sentence_after_the_other(q, k, v, mask) for q, k, v in zip(Q, K, V, strict=True)]
    return tuple(np.stack(part) for part in zip(*pairs, strict=True))


@raising("attention", "mask-as-index")
def blocks_by_index(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is not None:
        scores[..., ~mask] = -np.inf
    weights = attn.softmax(scores)
    return weights @ V, weights


@wrong("attention", None)
def patched_for_one_sentence(Q, K, V, mask=None):
    weights = attention(fill=-1e30)(Q, K, V, mask)[1]
    if mask is not None and weights.ndim == 2:
        weights[~np.broadcast_to(mask, weights.shape).any(axis=-1)] = 0
    return weights @ V, weights


@wrong("attention", "transposed-weights")
def mixes_by_columns(Q, K, V, mask=None):
    _, weights = attn.scaled_dot_product_attention(Q, K, V, mask)
    return weights.T @ V, weights


@raising("attention", "truth-of-an-array", says="is not None")
def asks_whether_mask_is_true(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask:
        scores = np.where(mask, scores, -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


@raising("attention", "unbound-name", says="indented too far")
def assigns_in_one_branch(Q, K, V, mask=None):
    if mask is not None and mask.sum() > 99:
        weights = attn.softmax(Q)
    return weights @ V, weights


@raising("attention", "argument-missing", says="fewer")
def self_attention_of_two(Q, K, V, mask=None):
    return attn.self_attention(Q, K)


@raising("attention", "none-used", says="is not None")
def mask_indexed(Q, K, V, mask=None):
    return attention()(Q, K, V, mask[...])


@raising("attention", "none-used", says="is not None")
def mask_listed(Q, K, V, mask=None):
    return attention()(Q, K, V, np.array(list(mask)))


@raising("attention", "none-used", says="is not None")
def mask_cast(Q, K, V, mask=None):
    return attention()(Q, K, V, mask.astype(bool))


@right("self_attention")
def the_course_s_own_self_attention(X, W_Q, W_K, W_V):
    return attn.self_attention(X, W_Q, W_K, W_V)


@right("self_attention")
def projected_and_attended(X, W_Q, W_K, W_V):
    return attention()(X @ W_Q, X @ W_K, X @ W_V)


@wrong("self_attention", "causal-unasked")
def hides_the_future(X, *W):
    return attention()(*(X @ w for w in W), causal(X, X))


@wrong("self_attention", "divided-by-root-of-d-model")
def scaled_by_the_width_of_x(X, W_Q, W_K, W_V):
    weights = attn.softmax(X @ W_Q @ (X @ W_K).swapaxes(-1, -2) / X.shape[-1] ** 0.5)
    return weights @ X @ W_V, weights


@wrong("self_attention", "divided-by-root-of-d-model", says="two mistakes, one of them: divided by √d_model")
def one_projection_and_the_width_of_x(X, W_Q, W_K, W_V):
    weights = attn.softmax(X @ W_Q @ (X @ W_Q).swapaxes(-1, -2) / X.shape[-1] ** 0.5)
    return weights @ X @ W_V, weights


@wrong(
    "attention", "divided-by-d-k", says="two mistakes, divided by d_k, without the root, and normalised over"
)
def columns_shared_and_no_root(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    weights = attn.softmax(scores if mask is None else np.where(mask, scores, -np.inf), axis=-2)
    return weights @ V, weights


@wrong("self_attention", "projections-mixed-up")
def values_for_keys(X, Q, K, V):
    return attention()(X @ Q, X @ V, X @ K)


@wrong("self_attention", "projections-transposed")
def weights_turned(X, *W):
    return attention()(*(X @ w.T for w in W))


@wrong("self_attention", "not-repeatable")
def own_random_projections(X, W_Q, W_K, W_V):
    return attention()(*(X @ np.random.standard_normal(W.shape) for W in (W_Q, W_K, W_V)))


@wrong("self_attention", "elementwise-projection")
def elementwise_projections(X, *W):
    return attention()(*(X * w for w in W))


@wrong("self_attention", "one-projection")
def one_projection_for_queries_and_keys(X, Q, K, V):
    return attention()(X @ Q, X @ Q, X @ V)


@wrong("self_attention", "wrong-shape")
def squeezed_results(X, *W):
    return tuple(a.squeeze() for a in attn.self_attention(X, *W))


@raising("self_attention", "unknown-attribute", says="self_attention")
def attention_of_the_course(X, Q, K, V):
    return attn.attention(X @ Q)


# ------------------------------------------------------------------------------ writing on


@wrong("attention", "masked-in-one-result", says="belong together")
def masks_the_weights_alone(Q, K, V, mask=None):
    return attention()(Q, K, V)[0], attention()(Q, K, V, mask)[1]


@wrong("attention", "softmax-twice", says="nearly even")
def softmax_before_and_after_the_mask(Q, K, V, mask=None):
    _, weights = attention()(Q, K, V)
    if mask is not None:
        weights = attn.softmax(np.where(mask, weights, -np.inf))
    return weights @ V, weights


@wrong("attention", "mask-not-optional", says="is a must")
def a_mask_is_expected(Q, K, V, mask):
    weights = attn.softmax(np.where(mask, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf))
    return weights @ V, weights


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
