"""Answers as people write them, gathered with the verdict that is expected of each; and parts that several share."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn


class Answers:
    """Gathers answers by decorators; `params` are the parameters of one test of them all."""

    def __init__(self):
        self.params = []

    def right(self, exercise):
        """An answer that passes."""
        return self.gather(exercise, "passed", None, "")

    def wrong(self, exercise, mistake, says=""):
        """An answer that is refused, by this name (None: by no name), in a message that says this."""
        return self.gather(exercise, "incorrect", mistake, says)

    def raising(self, exercise, mistake, says=""):
        """An answer that ends in an exception on every wrong input, or in no result at all."""
        return self.gather(exercise, "error", mistake, says)

    def gather(self, exercise, status, mistake, says):
        def keep(function):
            name = f"{exercise}-{function.__name__}"
            self.params.append(pytest.param(exercise, function, (status, mistake), says, id=name))
            return function

        return keep


def verdict(exercise, function, expected, says):
    """Assert that an answer gets this status and name, and is told this."""
    feedback = getattr(check, exercise)(function)
    assert (feedback.status, feedback.mistake) == expected, str(feedback)
    assert says in " ".join(feedback.message.split()), str(feedback)


def shares_of(powers):
    return powers / np.sum(powers, -1, keepdims=True)


def attention(scale=True, mask=True, fill=-np.inf, swap=False, after=False):
    """Attention as people write it, with a mistake or two."""

    def answer(Q, K, V, m=None):
        s = np.einsum("...id,...jd->...ij", Q, K) / (np.sqrt(K.shape[-1]) if scale else 1)
        if m is not None and mask and not after:
            s = np.where(m, s, fill)
        w = attn.softmax(s)
        if after and m is not None:
            w = w * m
        return (w, w @ V) if swap else (w @ V, w)

    return answer


def plain_attention(Q, K, V, mask):
    """As a reader writes it in lesson 05; np.sqrt makes float64 of everything."""
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]), -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def causal(queries, keys):
    return np.tri(queries.shape[-2], keys.shape[-2], dtype=bool)


def triple_loop(Q, K):
    lead, (n, d), m = Q.shape[:-2], Q.shape[-2:], K.shape[-2]
    result = np.zeros((*lead, n, m))
    for b in np.ndindex(*lead):
        for i in range(n):
            for j in range(m):
                result[b][i, j] = sum(Q[b][i, k] * K[b][j, k] for k in range(d))
    return result
