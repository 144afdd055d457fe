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


@right("multi_head")
def einsum_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    d = X.shape[-1] // n_heads
    heads = [
        attn.scaled_dot_product_attention(X @ W_Q[:, s], X @ W_K[:, s], X @ W_V[:, s])[0]
        for s in (slice(h * d, (h + 1) * d) for h in range(n_heads))
    ]
    return np.concatenate(heads, axis=-1) @ W_O


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
