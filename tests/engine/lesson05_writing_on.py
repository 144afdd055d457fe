"""Answers to the last exercise of lesson 05, the output of the newest word alone, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("next_output")
def one_row_of_all(q, k, v, K, V):
    K, V = np.concatenate([K, k[None]]), np.concatenate([V, v[None]])
    output, _ = attn.scaled_dot_product_attention(q[None], K, V)
    return output[0], K, V


@right("next_output")
def by_softmax(q, k, v, K, V):
    K = np.vstack((K, k))
    V = np.vstack((V, v))
    weights = attn.softmax(K @ q / np.sqrt(len(q)))
    return weights @ V, K, V


@right("next_output")
def causal_with_an_offset(q, k, v, K, V):
    longer_K, longer_V = np.append(K, [k], axis=0), np.append(V, [v], axis=0)
    mask = attn.causal_mask(1, len(longer_K), offset=len(K))
    return attn.scaled_dot_product_attention(q[None], longer_K, longer_V, mask)[0][0], longer_K, longer_V


@wrong("next_output", "itself-left-out")
def attends_before_it_grows(q, k, v, K, V):
    output, _ = attn.scaled_dot_product_attention(q[None, :], K, V)
    return output[0], np.vstack([K, k]), np.vstack([V, v])


@wrong("next_output", "cache-not-grown")
def hands_back_the_old_cache(q, k, v, K, V):
    output, _ = attn.scaled_dot_product_attention(q[None, :], np.vstack([K, k]), np.vstack([V, v]))
    return output[0], K, V


@wrong("next_output", "put-in-front")
def newest_on_top(q, k, v, K, V):
    K, V = np.vstack([k, K]), np.vstack([v, V])
    return attn.scaled_dot_product_attention(q[None, :], K, V)[0][0], K, V


@wrong("next_output", "only-itself")
def hands_its_own_value_on(q, k, v, K, V):
    return v, np.vstack([K, k]), np.vstack([V, v])


@wrong("next_output", "key-for-query")
def looks_with_its_key(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.softmax(K @ k / np.sqrt(len(k))) @ V, K, V


@wrong("next_output", "not-scaled")
def without_the_root(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.softmax(K @ q) @ V, K, V


@wrong("next_output", "divided-by-root-of-length")
def root_of_the_rows(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.softmax(K @ q / np.sqrt(len(K))) @ V, K, V


@wrong("next_output", "divided-by-d-k")
def by_the_width_itself(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.softmax(K @ q / len(q)) @ V, K, V


@wrong("next_output", "causal-mask-on-one-query")
def masks_all_but_the_first(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    mask = attn.causal_mask(1, len(K))
    return attn.scaled_dot_product_attention(q[None, :], K, V, mask)[0][0], K, V


@wrong("next_output", "no-softmax")
def mixes_in_scores(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return K @ q / np.sqrt(len(q)) @ V, K, V


@wrong("next_output", "no-max-subtraction")
def careless_powers(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    powers = np.exp(K @ q / np.sqrt(len(q)))
    return powers / powers.sum() @ V, K, V


@wrong("next_output", "key-for-query")
def attends_with_all_keys(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.scaled_dot_product_attention(K, K, V)[0][-1], K, V


@wrong("next_output", "wrong-shape")
def leaves_the_row_a_matrix(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.scaled_dot_product_attention(q[None, :], K, V)[0], K, V


@wrong("next_output", "wrong-number-of-results")
def keeps_the_cache_to_itself(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.scaled_dot_product_attention(q[None, :], K, V)[0][0]


@wrong("next_output", "first-word-left-out", says="the new one itself")
def nothing_for_the_first(q, k, v, K, V):
    K2, V2 = np.vstack([K, k]), np.vstack([V, v])
    if len(K) == 0:
        return np.zeros_like(v), K2, V2
    return attn.softmax(K2 @ q / np.sqrt(len(q))) @ V2, K2, V2


@wrong("next_output", "divided-by-root-of-d-v")
def width_of_the_value(q, k, v, K, V):
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return attn.softmax(K @ q / np.sqrt(len(v))) @ V, K, V


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
