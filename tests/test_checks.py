"""The checkers: every mistake committed and named, every right answer let through."""

import inspect
import math
import re
import sys

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
import course
import mutate

PUBLIC = {name: getattr(check, name) for name in check.EXERCISES}
IMITATIONS = [
    (name, mistake.slug, way)
    for name, exercise in check.EXERCISES.items()
    for mistake in exercise.mistakes
    for way in mistake.imitate
]


@pytest.mark.parametrize(
    ("name", "slug", "way"), IMITATIONS, ids=[f"{n}-{s}-{i}" for i, (n, s, _) in enumerate(IMITATIONS)]
)
def test_every_mistake_is_named(name, slug, way):
    feedback = PUBLIC[name](way)
    assert (feedback.status, feedback.misconception) == ("incorrect", slug), str(feedback)
    assert "Look again at: lesson" in feedback.message


# The same slips as people write them, by other means than the imitations.
def loop_scores(Q, K):
    return np.array(
        [[sum(Q[i][d] * K[d][j] for d in range(len(K))) for j in range(len(K[0]))] for i in range(len(Q))]
    )


def einsum_keys_first(Q, K):
    return np.einsum("...id,...jd->...ji", Q, K)


def loop_softmax_columns(x):
    e = np.exp(x - x.max(axis=-2, keepdims=True))
    return np.divide(e, np.add.reduce(e, axis=-2, keepdims=True))


def softmax_math_exp(x):
    return np.power(np.e, x) / np.sum(np.power(np.e, x), -1)[..., None]


def softmax_flat(x):
    flat = np.exp(x.ravel() - x.max())
    return (flat / flat.sum()).reshape(x.shape)


def softmax_no_keepdims(x):
    shifted = x - x.max(-1, keepdims=True)
    return np.exp(shifted) / np.sum(np.exp(shifted), -1)


def mask_loop_strict(L):
    return np.array([[j < i for j in range(L)] for i in range(L)]).reshape(L, L)


def mask_where_inverted(L):
    return np.where(np.triu(np.ones((L, L)), 1) == 1, True, False)


def in_place(scores, mask):
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return scores


def fill_1e9(scores, mask):
    return np.where(mask, scores, -1e9)


def fill_min(scores, mask):
    return np.where(mask, scores, np.finfo(scores.dtype).min)


def fill_subtract(scores, mask):
    return scores - 1e15 * (1 - mask)


def attention(scale=True, mask=True, fill=-np.inf, swap=False, after=False):
    def answer(Q, K, V, m=None):
        s = np.einsum("...id,...jd->...ij", Q, K) / (np.sqrt(K.shape[-1]) if scale else 1)
        if m is not None and mask and not after:
            s = np.where(m, s, fill)
        w = attn.softmax(s)
        if after and m is not None:
            w = w * m
        return (w, w @ V) if swap else (w @ V, w)

    return answer


def nan_rows(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    s = s if mask is None else np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w


def prints(x):
    print(attn.softmax(x))


def forgets(x):
    shares = attn.softmax(x)  # noqa: F841


def returns_inside_the_loop(weights, tokens):
    for row in weights:
        return tokens[row.argmax()]


def blocks_all_without_a_mask(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = attn.softmax(np.where(mask, scores, -np.inf))
    return weights @ V, weights


def mixes_by_columns(Q, K, V, mask=None):
    _, weights = attn.scaled_dot_product_attention(Q, K, V, mask)
    return weights.T @ V, weights


def softmax_shifted_by_mean(x):
    powers = np.exp(x - np.mean(x, -1)[..., None])
    return powers / np.sum(powers, -1)[..., None]


def shared_out_again(Q, K, V, mask=None):
    weights = attention()(Q, K, V)[1]
    if mask is not None:
        weights = np.where(mask, weights, 0)
        weights = weights / np.sum(weights, -1)[..., None]
    return weights @ V, weights


def shared_out_again_without_nan(Q, K, V, mask=None):
    weights = np.nan_to_num(shared_out_again(Q, K, V, mask)[1])
    return weights @ V, weights


def zero_times_inf(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = attn.softmax(scores if mask is None else scores + (1 - mask) * float("-inf"))
    return weights @ V, weights


def root_after_softmax(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    weights = attn.softmax(scores if mask is None else np.where(mask, scores, -np.inf))
    weights = weights / K.shape[-1] ** 0.5
    return weights @ V, weights


def minus_infinity_for_weights(Q, K, V, mask=None):
    weights = attention()(Q, K, V)[1]
    weights = weights if mask is None else np.where(mask, weights, -np.inf)
    return weights @ V, weights


def causal(X):
    return np.tri(X.shape[-2], dtype=bool)


def scaled_by_the_width_of_x(X, W_Q, W_K, W_V):
    weights = attn.softmax(X @ W_Q @ (X @ W_K).swapaxes(-1, -2) / X.shape[-1] ** 0.5)
    return weights @ X @ W_V, weights


def own_random_projections(X, W_Q, W_K, W_V):
    return attention()(*(X @ np.random.standard_normal(W.shape) for W in (W_Q, W_K, W_V)))


def zeros_are_blocked(scores, mask):
    result = scores * mask
    result[result == 0] = -np.inf
    return result


def shares_of(powers):
    return powers / np.sum(powers, -1, keepdims=True)


def words_added_up(weights, tokens):
    found = []
    for row in weights:
        found += tokens[row.argmax()]
    return found


def masks_only_if_something_is_allowed(Q, K, V, mask=None):
    return attention()(Q, K, V, mask if mask is not None and mask.any() else None)


def finite_and_patched(Q, K, V, mask=None):
    weights = attention(fill=-1e9)(Q, K, V, mask)[1]
    weights = weights if mask is None else weights * mask.any(axis=-1, keepdims=True)
    return weights @ V, weights


def causal_for(Q, K):
    return np.tri(Q.shape[-2], K.shape[-2], dtype=bool)


def scaled(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def inverted_by_index(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is not None:
        scores[mask] = -np.inf
    weights = attn.softmax(scores)
    return weights @ V, weights


def divides_only_with_a_mask(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores / np.sqrt(Q.shape[-1]), -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


def asks_the_wrong_way_round(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is None:
        scores = np.where(mask, scores, -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


def mixes_scores(Q, K, V, mask=None):
    return scaled(Q, K) @ V, attention()(Q, K, V, mask)[1]


def only_when_large(x):
    return shares_of(np.exp(x - x.max(axis=-1, keepdims=True) if x.max() > 700 else x))


def one_mask_for_all_sentences(scores, mask):
    if scores.ndim == 3:
        return np.array([one_mask_for_all_sentences(s, mask) for s in scores])
    return np.where(mask, scores, -np.inf)


def returns_after_one_row(L):
    mask = np.zeros((L, L), dtype=bool)
    for i in range(L):
        for j in range(L):
            mask[i, j] = j <= i
        return mask


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


def adds_up_in_whole_numbers(weights, values):
    total = np.zeros_like(values[0])
    for i in range(len(weights)):
        for j in range(len(total)):
            total[j] = total[j] + weights[i] * values[i][j]
    return total


def spells_out_each_number_of_axes(Q, K):
    return Q @ K.transpose({2: (1, 0), 3: (0, 2, 1)}.get(K.ndim, (0, 1, 3, 2)))


def writes_into_the_lengths(lengths, n_keys):
    for b, length in enumerate(lengths):
        lengths[b] = [[True] * length + [False] * (n_keys - length)]
    return lengths


def writes_into_the_tokens(weights, tokens):
    picked = [tokens[j] for j in weights.argmax(axis=1)]
    tokens[: len(picked)] = picked
    return picked


def looks_up_by_token(weights, tokens):
    rows = (dict(zip(tokens, row, strict=True)) for row in weights)
    return [max(row, key=row.get) for row in rows]


def one_maximum_for_a_batch(x):
    return shares_of(np.exp(x - x.max(axis=(-1, -2) if x.ndim > 2 else -1, keepdims=True)))


def fills_zeros_like(x):
    result = np.zeros_like(x)
    for i in np.ndindex(x.shape[:-1]):
        result[i] = shares_of(np.exp(x[i] - x[i].max()))
    return result


def one_mask_for_each_sentence(scores, mask):
    result = scores.copy()
    for b in range(len(scores)) if mask.ndim > 2 else ():
        result[b][~np.broadcast_to(mask[b], scores[b].shape)] = -np.inf
    return result if mask.ndim > 2 else np.where(mask, scores, -np.inf)


def one_sentence_after_the_other(Q, K, V, mask=None):
    if Q.ndim == 2:
        return attention()(Q, K, V, mask)
    pairs = [one_sentence_after_the_other(q, k, v, mask) for q, k, v in zip(Q, K, V, strict=True)]
    return tuple(np.stack(part) for part in zip(*pairs, strict=True))


def blocks_by_index(Q, K, V, mask=None):
    scores = scaled(Q, K)
    if mask is not None:
        scores[..., ~mask] = -np.inf
    weights = attn.softmax(scores)
    return weights @ V, weights


def patched_for_one_sentence(Q, K, V, mask=None):
    weights = attention(fill=-1e30)(Q, K, V, mask)[1]
    if mask is not None and weights.ndim == 2:
        weights[~np.broadcast_to(mask, weights.shape).any(axis=-1)] = 0
    return weights @ V, weights


def returns_in_the_first_round(weights, values):
    total = np.zeros(values.shape[1])
    for i in range(len(weights)):
        total += weights[i] * values[i]
        return total


WRONG = [
    ("scores", loop_scores, None),
    ("scores", einsum_keys_first, "queries-and-keys-swapped"),
    ("scores", lambda Q, K: np.einsum("...id,...id->...i", Q, K), "elementwise"),
    ("scores", lambda Q, K: np.matmul(Q, np.transpose(K)), "reversed-axes"),
    ("scores", lambda Q, K: np.tensordot(Q, K, axes=(-1, -1)), "dot-on-batch"),
    ("scores", lambda Q, K: np.matmul(Q, K), "no-transpose"),
    ("scaled_scores", lambda Q, K: np.einsum("...id,...jd->...ij", Q, K), "not-scaled"),
    ("scaled_scores", lambda Q, K: (Q / K.shape[-1]) @ np.moveaxis(K, -1, -2), "divided-by-d-k"),
    (
        "scaled_scores",
        lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]) / np.sqrt(Q.shape[-1]),
        "divided-by-d-k",
    ),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) * np.sqrt(Q.shape[-1]), "multiplied"),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(len(K)), "divided-by-root-of-length"),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(8), "fixed-width"),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 1 / 2, "power-before-division"),
    ("scores", lambda Q, K: np.matmul(Q, np.swapaxes(K, 1, 0)), "first-axes-swapped"),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.size), "divided-by-root-of-size"),
    ("scaled_scores", lambda Q, K: Q @ K / Q.shape[-1], "no-transpose"),
    ("causal_mask", mask_loop_strict, "strictly-lower"),
    ("causal_mask", mask_where_inverted, "inverted-mask"),
    ("causal_mask", lambda L: np.triu(np.ones((L, L), bool)), "transposed-mask"),
    ("causal_mask", lambda L: [[int(j <= i) for j in range(L)] for i in range(L)], "integer-mask"),
    ("causal_mask", lambda L: np.tril(np.ones((4, 4), bool)), "fixed-size"),
    ("causal_mask", lambda L: np.tri(L), "integer-mask"),
    ("causal_mask", lambda L: np.triu(np.full((L, L), -np.inf), 1), "additive-mask"),
    ("apply_mask", fill_1e9, "finite-mask-value"),
    ("apply_mask", fill_min, "finite-mask-value"),
    ("apply_mask", fill_subtract, "finite-mask-value"),
    ("apply_mask", in_place, "changes-its-input"),
    ("apply_mask", lambda s, m: np.where(m, s, -1e-9), "tiny-mask-value"),
    ("apply_mask", lambda s, m: np.where(m, s, 0), "multiplied-by-zero"),
    ("apply_mask", lambda s, m: np.where(m == 0, s, -np.inf), "inverted-mask"),
    ("apply_mask", lambda s, m: s + np.log(1 - m), "inverted-mask"),
    ("apply_mask", lambda s, m: np.where(m, s, np.nan), "nan-mask-value"),
    (
        "scaled_scores",
        lambda Q, K: attn.softmax(Q @ K.swapaxes(-1, -2) / K.shape[-1] ** 0.5),
        "softmax-included",
    ),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[1]), "shape-from-the-front"),
    (
        "softmax",
        lambda x: np.exp(x - np.max(x, -1)[..., None]) / np.exp(x).sum(-1)[..., None],
        "shift-only-above",
    ),
    ("softmax", lambda x: attn.softmax(np.negative(x)), "sign-reversed"),
    ("weighted_mean", lambda w, v: np.sum(w * v, axis=0), "columns-weighted"),
    ("softmax", loop_softmax_columns, "wrong-axis"),
    ("softmax", softmax_math_exp, "no-max-subtraction"),
    ("softmax", softmax_flat, "whole-array"),
    ("softmax", softmax_no_keepdims, "missing-keepdims"),
    ("softmax", lambda x: np.exp(x - np.amax(x)) / np.exp(x - np.amax(x)).sum(-1)[..., None], "global-max"),
    ("softmax", lambda x: np.exp(x) / np.sum(np.exp(x)), "whole-array"),
    ("softmax", prints, "prints-instead-of-returning"),
    ("softmax", forgets, "returns-nothing"),
    ("softmax", lambda x: "shares", "not-numbers"),
    ("softmax", lambda x: attn.softmax(x)[0], "wrong-shape"),
    ("softmax", lambda x: np.round(attn.softmax(x), 2), "rounded"),
    ("softmax", softmax_shifted_by_mean, "wrong-shift"),
    ("softmax", lambda x: np.abs(x) / np.abs(x).sum(-1, keepdims=True), "nan"),
    ("softmax", lambda x: (attn.softmax(x), x), "wrong-number-of-results"),
    ("softmax", lambda x: np.log(np.exp(x) / np.exp(x).sum(-1, keepdims=True)), None),
    ("attention", attention(scale=False), "not-scaled"),
    ("attention", attention(mask=False), "mask-ignored"),
    ("attention", attention(fill=-1e9), "finite-mask-value"),
    ("attention", attention(fill=0), "multiplied-by-zero"),
    ("attention", attention(swap=True), "results-swapped"),
    ("attention", attention(after=True), "mask-after-softmax"),
    ("attention", nan_rows, "fully-masked-nan"),
    ("attention", attention(scale=False, mask=False), "not-scaled"),
    ("attention", attention(scale=False, swap=True), "not-scaled"),
    ("attention", lambda Q, K, V, mask=None: (V, K), "wrong-shape"),
    ("attention", lambda Q, K, V: attn.scaled_dot_product_attention(Q, K, V), "wrong-parameters"),
    (
        "split_heads",
        lambda X, h: np.reshape(X, (h, X.shape[0], X.shape[1] // h)),
        "reshape-without-transpose",
    ),
    ("softmax_backward", lambda w, d: d * w - d * w**2, "elementwise-jacobian"),
    ("softmax_backward", lambda w, d: np.zeros_like(w), None),
    ("weighted_mean", lambda w, v: np.average(v, axis=0), "plain-mean"),
    ("weighted_mean", lambda w, v: np.einsum("j,ij->i", w, v), "columns-weighted"),
    ("most_attended", lambda w, t: [t[int(np.argmax(c))] for c in w.T], "columns-read"),
    ("most_attended", returns_inside_the_loop, "first-row-only"),
    ("most_attended", lambda w, t: dict(enumerate(t)), "not-numbers"),
    ("attention", blocks_all_without_a_mask, "mask-not-optional"),
    ("attention", shared_out_again, "shared-twice"),
    ("attention", shared_out_again_without_nan, "shared-twice"),
    ("attention", zero_times_inf, "zero-times-inf"),
    ("attention", root_after_softmax, "scaled-after-softmax"),
    ("attention", minus_infinity_for_weights, "mask-after-softmax"),
    ("attention", lambda Q, K, V, mask=None: attention()(Q, K, K, mask), "keys-mixed"),
    (
        "attention",
        lambda Q, K, V, mask=None: (attention()(Q, K, V, mask)[0], Q @ K.swapaxes(-1, -2)),
        "scores-for-weights",
    ),
    ("self_attention", lambda X, *W: attention()(*(X @ w for w in W), causal(X)), "causal-unasked"),
    ("self_attention", scaled_by_the_width_of_x, "divided-by-root-of-d-model"),
    ("self_attention", lambda X, Q, K, V: attention()(X @ Q, X @ V, X @ K), "projections-mixed-up"),
    ("self_attention", lambda X, *W: attention()(*(X @ w.T for w in W)), "projections-transposed"),
    ("self_attention", own_random_projections, "not-repeatable"),
    ("scores", lambda Q, K: Q @ np.swapaxes(K, 2, 1), "counted-from-the-front"),
    ("scores", lambda Q, K: Q @ K.swapaxes(0, 2), "counted-from-the-front"),
    ("scores", lambda Q, K: Q @ np.transpose(K, (-2, -1)), "transpose-keeps-order"),
    ("scores", lambda Q, K: np.dot(Q, np.transpose(K)), "dot-on-batch"),
    ("scores", lambda Q, K: np.matmul(np.transpose(Q), K), "features-by-features"),
    ("scaled_scores", lambda Q, K: np.sqrt(Q @ K.swapaxes(-1, -2) / Q.shape[-1]), "root-of-scores"),
    (
        "scaled_scores",
        lambda Q, K: np.floor_divide(triple_loop(Q, K), Q.shape[-1] ** 0.5),
        "rounded-to-whole",
    ),
    ("apply_mask", lambda s, m: s + m * -np.inf, "zero-times-inf"),
    ("apply_mask", lambda s, m: s * np.where(m, 1, -np.inf), "times-minus-infinity"),
    ("apply_mask", zeros_are_blocked, "real-zero-blocked"),
    ("apply_mask", lambda s, m: np.where(m, 0, -np.inf), "scores-lost"),
    ("apply_mask", lambda s, m: np.where(s, m, -np.inf), "condition-last"),
    ("softmax", lambda x: shares_of(np.exp(x - x.max(axis=0))), "maximum-of-columns"),
    ("softmax", lambda x: shares_of(np.exp(x - x.max(axis=0, keepdims=True))), "maximum-of-columns"),
    ("softmax", lambda x: shares_of(np.exp(x - x.max(axis=1, keepdims=True))), "maximum-of-columns"),
    ("temperature_softmax", lambda x, T: shares_of(np.exp(x) / T), "temperature-ignored"),
    ("most_attended", lambda w, t: [t[j] for r in w for j in range(len(r)) if r[j] > 0.4], "threshold"),
    ("most_attended", words_added_up, "letters"),
    ("most_attended", lambda w, t: [t[j] for j in w.round(1).argmax(axis=-1)], None),
    ("attention", masks_only_if_something_is_allowed, None),
    ("attention", finite_and_patched, "finite-mask-value"),
    ("attention", attention(fill=-1e30), "finite-mask-value"),
    ("attention", lambda Q, K, V, mask=None: attention()(Q, K, V, causal_for(Q, K)), "own-causal-mask"),
    ("attention", inverted_by_index, "inverted-mask"),
    ("attention", divides_only_with_a_mask, "scaled-in-one-branch"),
    ("attention", asks_the_wrong_way_round, "test-turned-round"),
    ("attention", mixes_scores, "scores-mixed"),
    ("self_attention", lambda X, *W: attention()(*(X * w for w in W)), "elementwise-projection"),
    ("self_attention", lambda X, Q, K, V: attention()(X @ Q, X @ Q, X @ V), "keys-ignored"),
    ("softmax", only_when_large, "nan"),
    ("softmax", lambda x: shares_of(np.exp(x + x.max(axis=-1, keepdims=True))), "wrong-shift"),
    ("softmax", lambda x: shares_of(np.exp(x - abs(x).max(axis=-1, keepdims=True))), "wrong-shift"),
    ("softmax", lambda x: shares_of(np.exp(x - np.max(x, (-2, -1), keepdims=True))), "global-max"),
    (
        "temperature_softmax",
        lambda x, T: shares_of(np.exp(x / T - np.amax(x, -1, keepdims=True))),
        "shifted-before-dividing",
    ),
    (
        "temperature_softmax",
        lambda x, T: shares_of(np.exp(x - np.amax(x, -1, keepdims=True) / T)),
        "temperature-ignored",
    ),
    ("apply_mask", one_mask_for_all_sentences, "wrong-shape"),
    ("apply_mask", lambda s, m: np.where(m, s, -np.inf * np.abs(s)), "times-minus-infinity"),
    ("apply_mask", lambda s, m: np.where(causal_for(s, s.swapaxes(-1, -2)), s, -np.inf), "own-causal-mask"),
    ("causal_mask", returns_after_one_row, "first-row-only"),
    ("scores", lambda Q, K: loop_table(Q, K, int), "rounded-to-whole"),
    ("scores", lambda Q, K: triple_loop(Q, K).astype(int), "rounded-to-whole"),
    ("scores", lambda Q, K: Q.dot(K), "no-transpose"),
    ("scores", lambda Q, K: Q @ K.reshape(K.shape[-1], K.shape[-2]), "reshaped"),
    ("scores", lambda Q, K: np.transpose(Q) @ np.transpose(K), "both-transposed"),
    ("scores", lambda Q, K: loop_table(Q, K, early=True), "first-row-only"),
    ("scores", lambda Q, K: loop_table(Q, K, turned=True), "indices-exchanged"),
    ("scores", lambda Q, K: K @ np.swapaxes(K, -1, -2), "keys-ignored"),
    (
        "scaled_scores",
        lambda Q, K: triple_loop(Q, K) / np.std(triple_loop(Q, K)),
        "divided-by-measured-spread",
    ),
    ("scaled_scores", lambda Q, K: triple_loop(Q, K) / int(np.sqrt(Q.shape[-1])), "rounded-to-whole"),
    ("scaled_scores", lambda Q, K: np.around(triple_loop(Q, K) / np.sqrt(Q.shape[-1]), 3), "rounded"),
    ("scaled_scores", lambda Q, K: triple_loop(Q, K) / np.sqrt(Q.shape[2]), "shape-from-the-front"),
    ("weighted_mean", adds_up_in_whole_numbers, "rounded-to-whole"),
    ("weighted_mean", lambda w, v: w @ v.astype(int), None),
    ("weighted_mean", lambda w, v: np.round(w @ v, 2), None),
    ("weighted_mean", lambda w, v: (w @ v).squeeze(), "wrong-shape"),
    ("scores", lambda Q, K: (Q @ K.swapaxes(-1, -2),), "stray-comma"),
    ("most_attended", lambda w, t: ([t[j] for j in w.argmax(-1)],), "stray-comma"),
    ("scores", lambda Q, K: np.round(triple_loop(Q, K), 2), "rounded"),
    ("scores", spells_out_each_number_of_axes, "transpose-of-some-axes"),
    ("padding_mask", lambda n, L: np.arange(max(n)) < np.array(n)[:, None, None], "wrong-shape"),
    ("padding_mask", writes_into_the_lengths, "changes-its-input"),
    ("most_attended", writes_into_the_tokens, "changes-its-input"),
    ("most_attended", looks_up_by_token, None),
    ("softmax", lambda x: shares_of(np.exp(x - x[..., :1])), "wrong-shift"),
    ("softmax", one_maximum_for_a_batch, "nan"),
    ("softmax", fills_zeros_like, "rounded-to-whole"),
    ("temperature_softmax", lambda x, T: attn.softmax(x / max(T, 0.5)), None),
    ("temperature_softmax", lambda x, T: shares_of(attn.softmax(x) ** (1 / T)), None),
    ("apply_mask", lambda s, m: np.where(m, s, -np.inf) if m.any() else s, None),
    ("apply_mask", one_mask_for_each_sentence, "error"),
    ("apply_mask", lambda s, m: np.where(m, s.astype(int), -np.inf), None),
    ("apply_mask", lambda s, m: np.ma.masked_array(s, ~np.broadcast_to(m, s.shape)), "masked-array"),
    ("causal_mask", lambda L: [[True] * (i + 1) for i in range(L)], "ragged"),
    ("attention", lambda Q, K, V, mask: attn.scaled_dot_product_attention(Q, K, V, mask), "wrong-parameters"),
    ("attention", one_sentence_after_the_other, "wrong-shape"),
    ("attention", blocks_by_index, "mask-as-index"),
    ("attention", patched_for_one_sentence, None),
    ("self_attention", lambda X, *W: tuple(a.squeeze() for a in attn.self_attention(X, *W)), "wrong-shape"),
    ("weighted_mean", returns_in_the_first_round, "first-row-only"),
    ("most_attended", lambda w, t: " ".join(t[j] for j in w.argmax(axis=-1)), "not-numbers"),
    ("attention", mixes_by_columns, "transposed-weights"),
    ("online_softmax", lambda chunks: [attn.softmax(c) for c in chunks], "not-numbers"),
]


@pytest.mark.parametrize(
    ("name", "function", "slug"), WRONG, ids=[f"{n}-{s}-{i}" for i, (n, _, s) in enumerate(WRONG)]
)
def test_wrong_answers_as_people_write_them(name, function, slug):
    feedback = PUBLIC[name](function)
    assert feedback.status in ("incorrect", "error"), str(feedback)
    assert feedback.misconception == slug, str(feedback)


def row_by_row(x):
    result = np.empty(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        powers = [np.exp(v - max(x[index])) for v in x[index]]
        result[index] = [p / sum(powers) for p in powers]
    return result


def log_sum_exp(x):
    top = x.max(-1, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(-1, keepdims=True)))


def loop_attention(Q, K, V, mask=None, extra=1):
    w = attn.softmax(
        np.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5
        + (0 if mask is None else np.where(mask, 0, -np.inf))
    )
    return [np.einsum("...ij,...jd->...id", w, V).tolist(), w.tolist()] and (
        np.einsum("...ij,...jd->...id", w, V),
        w,
    )


def triple_loop(Q, K):
    lead, (n, d), m = Q.shape[:-2], Q.shape[-2:], K.shape[-2]
    result = np.zeros((*lead, n, m))
    for b in np.ndindex(*lead):
        for i in range(n):
            for j in range(m):
                result[b][i, j] = sum(Q[b][i, k] * K[b][j, k] for k in range(d))
    return result


def copy_and_fill(scores, mask):
    result = scores.copy()
    result[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return result


def running_softmax(chunks):
    top, total, seen = -np.inf, 0.0, []
    for chunk in chunks:
        new = max(top, chunk.max())
        total = total * np.exp(top - new) + np.exp(chunk - new).sum()
        top = new
        seen.append(chunk)
    return np.exp(np.concatenate(seen) - top) / total


def einsum_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    d = X.shape[-1] // n_heads
    heads = [
        attn.scaled_dot_product_attention(X @ W_Q[:, s], X @ W_K[:, s], X @ W_V[:, s])[0]
        for s in (slice(h * d, (h + 1) * d) for h in range(n_heads))
    ]
    return np.concatenate(heads, axis=-1) @ W_O


RIGHT = [
    ("attention", lambda Q, K, V, mask=None: list(attn.scaled_dot_product_attention(Q, K, V, mask))),
    ("most_attended", lambda w, t: tuple(t[j] for j in w.argmax(axis=-1))),
    ("most_attended", lambda w, t: np.array(t, dtype=object)[w.argmax(axis=-1)]),
    ("scores", lambda Q, K: Q @ K.swapaxes(-1, -2)),
    ("scores", lambda Q, K: np.einsum("...id,...jd->...ij", Q, K)),
    ("scores", lambda Q, K: np.matmul(Q, np.moveaxis(K, -1, -2))),
    ("scores", triple_loop),
    ("scores", lambda Q, K: (Q @ K.swapaxes(-1, -2)).tolist()),
    ("scores", lambda Q, K: (K @ Q.swapaxes(-1, -2)).swapaxes(-1, -2)),
    ("scores", lambda Q, K: (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)),
    ("scores", lambda Q, K, **kw: np.float32(Q) @ np.float32(K).swapaxes(-1, -2)),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes(-1, -2) * K.shape[-1] ** -0.5),
    ("scaled_scores", lambda Q, K: (Q / Q.shape[-1] ** 0.25) @ (K / K.shape[-1] ** 0.25).swapaxes(-1, -2)),
    ("scaled_scores", lambda Q, K: triple_loop(Q, K) / len(Q[(0,) * (Q.ndim - 1)]) ** 0.5),
    ("scaled_scores", lambda Q, K: (Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])).astype(np.float32)),
    (
        "scaled_scores",
        lambda Q, K: np.einsum("...id,...jd->...ij", Q, K) / np.linalg.norm(np.ones(K.shape[-1])),
    ),
    ("causal_mask", lambda L: np.tril(np.ones((L, L), bool))),
    ("causal_mask", lambda L: np.arange(L)[:, None] >= np.arange(L)),
    ("causal_mask", lambda L: ~np.triu(np.ones((L, L), bool), k=1)),
    ("causal_mask", lambda L: [[j <= i for j in range(L)] for i in range(L)]),
    ("causal_mask", lambda L: np.tri(L, dtype=bool)),
    ("causal_mask", lambda L: np.tri(L) == 1),
    ("causal_mask", lambda L: tuple(tuple(j <= i for j in range(L)) for i in range(L))),
    ("causal_mask", lambda L: np.array([[j <= i for j in range(L)] for i in range(L)], dtype=object)),
    (
        "weighted_mean",
        lambda w, v: tuple(sum(a * b for a, b in zip(w, column, strict=True)) for column in v.T),
    ),
    ("apply_mask", lambda scores, mask: np.where(mask, scores, -np.inf)),
    ("apply_mask", copy_and_fill),
    ("apply_mask", lambda s, m: s + np.where(m, 0, -np.inf)),
    ("apply_mask", lambda s, m: np.where(~m, float("-inf"), s)),
    ("apply_mask", lambda s, m: s + np.log(m)),
    ("padding_mask", lambda lengths, n: np.arange(n) < np.asarray(lengths)[:, None, None]),
    ("padding_mask", lambda lengths, n: [[[j < k for j in range(n)]] for k in lengths]),
    ("softmax", attn.softmax),
    ("softmax", row_by_row),
    ("softmax", log_sum_exp),
    ("softmax", lambda x: attn.softmax(x).astype(np.float32)),
    (
        "softmax",
        lambda x, axis=-1: (
            np.exp(x - x.max(axis, keepdims=True))
            / np.exp(x - x.max(axis, keepdims=True)).sum(axis, keepdims=True)
        ),
    ),
    ("softmax", lambda x: attn.softmax(x).tolist()),
    ("temperature_softmax", lambda x, temperature: log_sum_exp(x / temperature)),
    ("temperature_softmax", lambda x, T: row_by_row(x * (1 / T))),
    ("attention", attn.scaled_dot_product_attention),
    ("attention", attention()),
    ("attention", loop_attention),
    (
        "attention",
        lambda Q, K, V, mask=None: tuple(
            a.astype(np.float32) for a in attn.scaled_dot_product_attention(Q, K, V, mask)
        ),
    ),
    ("self_attention", attn.self_attention),
    ("self_attention", lambda X, W_Q, W_K, W_V: attention()(X @ W_Q, X @ W_K, X @ W_V)),
    ("split_heads", lambda X, h: np.stack(np.split(X, h, axis=1))),
    ("split_heads", lambda X, h: X.reshape(X.shape[0], h, X.shape[1] // h).transpose(1, 0, 2)),
    ("multi_head", einsum_heads),
    ("softmax_backward", lambda w, d: w * d - w * (w * d).sum(-1)[..., None]),
    (
        "softmax_backward",
        lambda w, d: np.einsum(
            "...j,...ij->...i", d, np.apply_along_axis(np.diag, -1, w) - w[..., :, None] * w[..., None, :]
        ),
    ),
    ("online_softmax", running_softmax),
    ("online_softmax", lambda chunks: attn.softmax(np.concatenate(list(chunks)))),
    ("weighted_mean", lambda w, v: sum(a * r for a, r in zip(w, v, strict=True))),
    ("most_attended", lambda w, t: [t[int(r.argmax())] for r in w]),
    ("most_attended", lambda w, t: np.array(t)[np.argmax(w, axis=1)]),
]


@pytest.mark.parametrize(("name", "function"), RIGHT, ids=[f"{n}-{i}" for i, (n, _) in enumerate(RIGHT)])
def test_right_answers_in_any_style_pass(name, function):
    feedback = PUBLIC[name](function)
    assert (feedback.status, feedback.misconception) == ("passed", None), str(feedback)


def test_there_are_enough_cases():
    assert len(IMITATIONS) + len(WRONG) >= 70 and len(RIGHT) >= 40


def test_pairs_of_slips_in_attention_never_pass_and_name_a_slip_that_was_made():
    """Every pair of slips in different stages: refused, and the name given is one of the two or none."""
    stages = {}
    for stage, slug, _, ways, _, _ in check._SLIPS:
        stages.setdefault(stage, []).append((slug, ways[0]))
    made = 0
    for first, second in ((a, b) for a in stages for b in stages if a < b):
        for slug, way in stages[first][:7]:
            for other, way2 in stages[second][:7]:
                feedback = check.attention(check._pipeline(**{first: way, second: way2}))
                made += 1
                assert feedback.status != "passed", (slug, other)
                general = {
                    None,
                    "wrong-shape",
                    "nan",
                    "shape-mismatch",
                    "error",
                    "wrong-number-of-results",
                    "not-numbers",
                }
                assert feedback.misconception in {slug, other} | general, (
                    slug,
                    other,
                    feedback.misconception,
                )
    assert made > 200


# --------------------------------------------------------------------------- what surrounds the answer


def test_not_attempted_is_neutral():
    def stub(x):
        """Softmax."""
        ...

    for answer in (stub, ..., None):
        feedback = check.softmax(answer)
        assert (feedback.status, feedback.misconception) == ("not attempted", None)
        assert "wrong" not in feedback.message


def test_an_error_is_shown_at_the_learners_line():
    def broken(Q, K, V, mask=None):
        scores = Q @ K.swapaxes(-1, -2)
        return scores / np.sqrt(d_k)  # noqa: F821

    feedback = check.attention(broken)
    assert (feedback.status, feedback.misconception) == ("error", "undefined-name")
    assert "return scores / np.sqrt(d_k)" in feedback.message and "NameError" in feedback.message
    assert ".py" not in feedback.message


def asks_whether_mask_is_true(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask:
        scores = np.where(mask, scores, -np.inf)
    weights = attn.softmax(scores)
    return weights @ V, weights


def indexes_by_the_mask(scores, mask):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return scores


def misspelt(x):
    powers = np.exp(x)
    return powers / power.sum()  # noqa: F821


def assigns_in_one_branch(Q, K, V, mask=None):
    if mask is not None and mask.sum() > 99:
        weights = attn.softmax(Q)
    return weights @ V, weights


def adds_onto_whole_numbers(weights, values):
    total = np.zeros_like(values[0], dtype=int)
    total += weights[0] * values[0]
    return total


def without_import(Q, K):
    return Q @ K.T / cmath.sqrt(2)  # noqa: F821


ERRORS = [
    ("attention", asks_whether_mask_is_true, "truth-of-an-array", "is not None"),
    ("apply_mask", indexes_by_the_mask, "mask-as-index", "np.where stretches it"),
    ("softmax", lambda x: attn.softmax(x) + x.max(axis=5), "axis-out-of-range", "Counted from the end"),
    ("scores", lambda Q, K: Q @ K.transpose(-1, -2), "transpose-of-some-axes", "swapaxes(-1, -2)"),
    ("causal_mask", lambda L: np.tril(L), "matrix-wanted", "a whole matrix"),
    ("causal_mask", lambda L: np.tril(np.ones(L, L)), "shape-in-brackets", "np.ones((2, 3))"),
    ("most_attended", lambda w, t: t[w.argmax(axis=-1)], "list-indexed-by-array", "one position at a time"),
    ("scores", lambda Q, K: Q @ K[:-1].T @ K, "shape-mismatch", "Print both"),
    ("softmax", lambda x: exp(x) / exp(x).sum(), "undefined-name", "np.exp"),  # noqa: F821
    ("scores", lambda Q, K: Q @ K.swapaxis(-1, -2), "unknown-attribute", "is it swapaxes?"),
    ("apply_mask", lambda s, m: np.where(m, s), "where-without-else", "elsewhere"),
    ("softmax", lambda x: int("shares"), "error", "Python's own words"),
    ("softmax", lambda x: np.softmax(x), "unknown-attribute", "attn.softmax"),
    ("self_attention", lambda X, Q, K, V: attn.attention(X @ Q), "unknown-attribute", "self_attention"),
    ("softmax", misspelt, "undefined-name", "is it powers?"),
    ("softmax", lambda x: softmax(x), "undefined-name", "attn.softmax"),  # noqa: F821
    ("attention", assigns_in_one_branch, "unbound-name", "indented too far"),
    ("apply_mask", lambda s, m: np.where(m, s, -np.infty), "unknown-attribute", "NumPy 2 has taken"),
    ("apply_mask", lambda s, m: s if m else -np.inf, "truth-of-an-array", "cell by cell"),
    ("softmax", lambda x: np.exp(x) / np.exp(x).sum(-1, keepdim=True), "unknown-argument", "keepdims"),
    ("softmax", lambda x: x.max(dim=-1), "unknown-argument", "no argument of this name"),
    ("softmax", lambda x: math.exp(x), "one-number-wanted", "np.exp for math.exp"),
    ("scaled_scores", lambda Q, K: Q / np.sqrt(Q.shape(-1)), "brackets", "square brackets"),
    ("scaled_scores", lambda Q, K: Q @ K.swapaxes[-1, -2], "brackets", "round ones"),
    ("most_attended", lambda w, t: [t[i] for i in w.argmax()], "one-number-given", "Without an axis"),
    ("attention", lambda Q, K, V, mask=None: attn.self_attention(Q, K), "argument-missing", "fewer"),
    ("weighted_mean", adds_onto_whole_numbers, "whole-numbers", "np.zeros"),
    ("weighted_mean", lambda w, v: np.mean(v, w), "list-indexed-by-array", "an axis"),
    ("scaled_scores", lambda Q, K: Q @ K.T / math_(Q), "undefined-name", "defined nowhere"),  # noqa: F821
    ("scaled_scores", without_import, "undefined-name", "import cmath"),
    ("attention", lambda Q, K, V, mask=None: attention()(Q, K, V, mask[...]), "none-used", "is not None"),
    (
        "attention",
        lambda Q, K, V, mask=None: attention()(Q, K, V, np.array(list(mask))),
        "none-used",
        "is not None",
    ),
    (
        "attention",
        lambda Q, K, V, mask=None: attention()(Q, K, V, mask.astype(bool)),
        "none-used",
        "is not None",
    ),
    ("softmax", lambda x: sys.exit(), "error", "SystemExit"),
]


@pytest.mark.parametrize(("name", "function", "slug", "hint"), ERRORS, ids=[e[2] for e in ERRORS])
def test_an_error_is_named_with_what_to_do(name, function, slug, hint):
    feedback = PUBLIC[name](function)
    assert (feedback.status, feedback.misconception) == ("error", slug), str(feedback)
    assert hint in feedback.message


def unwritten(Q, K, V, mask=None):
    """Attention, to be written."""
    ...


def test_a_helper_that_is_still_a_stub_is_named():
    for calls in (
        lambda X, Q, K, V: unwritten(X @ Q, X @ K, X @ V),
        lambda X, Q, K, V: unwritten(X, Q, K)[0],
    ):
        feedback = check.self_attention(calls)
        assert (feedback.status, feedback.misconception) == ("error", "calls-a-stub")
        assert "It calls unwritten" in feedback.message


def softmax_of_a_table(x):
    return np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x])


def two_or_three_axes(Q, K):
    return Q @ (K.T if K.ndim == 2 else K.transpose(0, 2, 1) if K.ndim == 3 else 2 * K.swapaxes(-1, -2))


ONLY = [
    ("softmax", softmax_of_a_table, "For a table it is right. This input is a single row"),
    ("scores", two_or_three_axes, "more axes in front"),
    ("scores", lambda Q, K: Q @ (K.T if K.ndim == 2 else 2 * K.swapaxes(-1, -2)), "This input is a batch"),
]


@pytest.mark.parametrize(("name", "function", "said"), ONLY, ids=["row", "heads", "batch"])
def test_an_answer_right_for_some_inputs_hears_which_went_wrong(name, function, said):
    feedback = PUBLIC[name](function)
    assert feedback.misconception is None and said in feedback.message, str(feedback)


def test_a_batch_is_shown_by_the_matrix_that_differs():
    """Small enough to work out by hand: the Q and K of that matrix, not the shapes alone."""

    def second_sentence_wrong(Q, K):
        right = Q @ K.swapaxes(-1, -2)
        if right.ndim == 3:
            right[1] += 1
        return right

    message = check.scores(second_sentence_wrong).message
    assert "at index 1 of the batch" in message
    assert re.search(r"Q\[1\] +K\[1\] +scores expected \(3, 4\) +scores, yours \(3, 4\)", message), message


def test_a_wrong_shape_names_each_result():
    feedback = check.attention(lambda Q, K, V, mask=None: (V, K))
    assert "The shape should be output (2, 2), weights (2, 2)." in feedback.message


def test_a_sentence_only_answer_is_told_apart_from_a_batch_only_one():
    feedback = check.scores(lambda Q, K: np.array([q @ k.T for q, k in zip(Q, K, strict=False)]))
    assert "For a batch it is right. This input is a single sentence" in feedback.message


def test_a_helper_that_returns_a_constant_is_no_stub():
    space = {"np": np}
    exec("def fill():\n    return -1e9\ndef f(s, m): return np.where(m, s, fill())", space)
    assert check.apply_mask(space["f"]).misconception == "finite-mask-value"


def test_results_that_cannot_be_shown_as_a_table_are_told_all_the_same():
    assert check.softmax(lambda x: np.zeros((2, 3, 0))).misconception == "wrong-shape"
    assert "0.25+1j" in check.weighted_mean(lambda w, v: w @ v + 1j - 2.25).message


def test_rounding_that_no_shown_digit_betrays_is_said():
    feedback = check.softmax_backward(lambda w, d: (w * d - w * (w * d).sum(-1)[..., None]) * 1.0003)
    assert feedback.misconception == "rounded" and "Do you round?" in feedback.message


def test_of_two_slips_the_input_shown_is_one_where_the_first_matters():
    """`.T` harms batches only, so the sentence on which the late mask differs would contradict the text."""

    def both(Q, K, V, mask=None):
        weights = attn.softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
        weights = weights if mask is None else weights * mask
        return weights @ V, weights

    feedback = check.attention(both)
    assert feedback.misconception == "reversed-axes" and "two slips" in feedback.message
    assert "On inputs of shape" in feedback.message or "raised" in feedback.message, feedback.message


def test_the_course_s_own_helper_is_no_stub_of_the_same_name():
    """`attn.causal_mask` may be called although the notebook's causal_mask is still to be written."""
    space = {"attn": attn, "np": np}
    exec("def causal_mask(L):\n    ...\ndef f(s, m): return np.where(attn.causal_mask(4), s, 0)", space)
    assert check.apply_mask(space["f"]).misconception != "calls-a-stub"


@pytest.mark.parametrize("answer", ["b", "B", "(b)", "b)", "(B)", " b. "])
def test_a_letter_may_come_with_brackets(answer):
    assert check.explain("04-add-constant", answer).status == "passed"


def test_numbers_too_small_to_differ_are_shown_as_zero():
    feedback = check.scores(lambda Q, K: np.full((*Q.shape[:-1], K.shape[-2]), 1e-12))
    assert "e-1" not in feedback.message and "0*" in feedback.message


def test_an_answer_that_forgets_return_is_no_stub():
    def forgets_return(weights, values):
        weights @ values

    assert check.weighted_mean(forgets_return).misconception == "returns-nothing"


def test_right_for_one_sentence_and_wrong_for_a_batch_is_said():
    def loops(Q, K):
        return np.array([[sum(q * k) for k in K] for q in Q]).reshape(len(Q), len(K))

    assert "This input is a batch" in check.scores(loops).message


def test_not_a_function():
    assert check.softmax(np.ones(3)).misconception == "not-a-function"


def while_true(x):
    while True:
        pass


def while_true_that_catches(x):
    while True:
        try:  # noqa: SIM105
            x = x + 1
        except Exception:
            pass


@pytest.mark.parametrize("endless", [while_true, while_true_that_catches])
def test_an_endless_loop_is_ended(endless):
    feedback = check.softmax(endless)
    assert (feedback.status, feedback.misconception) == ("error", "endless-loop")


def test_plain_text_and_html_say_the_same():
    feedback = check.softmax(lambda x: attn.softmax(x, axis=-2))
    bundle = feedback._repr_mimebundle_()
    assert bundle["text/plain"] == feedback.message == str(feedback)
    for line in feedback.lines:
        assert line in feedback.message
    assert (
        "<caption" in bundle["text/html"] and "0.731*" in bundle["text/html"] and "0.731*" in feedback.message
    )
    assert "normalised over the queries" in bundle["text/html"]
    assert "x - x.max" not in feedback.message  # never the solution


def test_questions_have_one_right_option_and_a_reason_for_each():
    for slug, question in check.QUESTIONS.items():
        assert question.right in question.options and len(question.options) >= 3
        for letter, (option, reason) in question.options.items():
            feedback = check.explain(slug, letter)
            assert (
                option
                and reason
                and feedback.status == ("passed" if letter == question.right else "incorrect")
            )
            assert option.replace("*", "") in str(check.question(slug))
    assert check.explain("00-row", ...).status == "not attempted"
    assert check.explain("00-row", "z").misconception == "no-such-option"
    with pytest.raises(KeyError, match="00-row"):
        check.question("no such question")


def test_pointers_lead_to_a_heading_of_the_lesson():
    """A lesson that exists must have the section that feedback names."""
    headings = {
        p.name[:2]: course.markdown(course.read(p)) for p in (course.ROOT / "notebooks").glob("*.ipynb")
    }
    named = [m.see for e in check.EXERCISES.values() for m in e.mistakes] + [
        q.see for q in check.QUESTIONS.values()
    ]
    for see in {*named, *(e.see for e in check.EXERCISES.values())}:
        lesson, _, section = see.removeprefix("lesson ").partition(", ")
        if lesson[:2] in headings:
            assert f"## {section}\n" in headings[lesson[:2]] + "\n", see


def test_public_checkers_are_documented():
    for name, function in PUBLIC.items():
        assert inspect.getdoc(function).startswith("Check `f("), name


@pytest.mark.parametrize("name", sorted(mutate.SOLUTIONS))
def test_no_mutant_survives_that_behaves_differently(name):
    mutants = list(mutate.mutants(mutate.SOLUTIONS[name]))
    survivors = [source for source, function in mutants if PUBLIC[name](function).status == "passed"]
    wrong = [source for source in survivors if mutate.behaves_differently(name, source)]
    assert len(mutants) >= 5 and not wrong, "\n---\n".join(wrong)
