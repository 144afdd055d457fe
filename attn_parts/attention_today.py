"""Attention as models of today have it: shared key-value heads and sinks, and memories that don't grow.

Grouped-query attention is from Ainslie et al., 2023, https://arxiv.org/abs/2305.13245; a learned sink from
gpt-oss (OpenAI, 2025), https://arxiv.org/abs/2508.10925; linear attention from Katharopoulos et al., 2020,
https://arxiv.org/abs/2006.16236; the delta rule from Schlag et al., 2021, https://arxiv.org/abs/2102.11174,
with a decay from Yang et al., 2024, https://arxiv.org/abs/2412.06464.
"""

import numpy as np

from attn_parts.mathematics import scale_of, softmax


def grouped_attention(query, key, value, mask=True, *, sinks=-np.inf, scale=None):
    """Compute attention whose query heads share key-value heads, with or without a sink in each head.

    Parameters
    ----------
    query : ndarray, shape (..., heads, L_q, d_k)
    key, value : ndarray, shapes (..., kv_heads, L_k, d_k) and (..., kv_heads, L_k, d_v)
        Neighbouring query heads share one: with 4 and 2, heads 0 and 1 use key-value head 0, the others 1.
    mask : ndarray of bool, optional
        As in `scaled_dot_product_attention`, and so is `scale`.
    sinks : array_like, shape (heads,), optional
        A logit in each head that has a weight and no value. The weights of a row then sum to less than 1.
        With -inf there is none.

    Returns
    -------
    output : ndarray, shape (..., heads, L_q, d_v)
    weights : ndarray, shape (..., heads, L_q, L_k)

    Examples
    --------
    >>> Q, K, V = np.zeros((2, 1, 1)), np.zeros((1, 3, 1)), np.array([[[3.0], [3.0], [6.0]]])
    >>> print(grouped_attention(Q, K, V, sinks=[-np.inf, 0.0])[0].ravel())  # a sink takes one part of four
    [4. 3.]
    """
    shared_by = query.shape[-3] // key.shape[-3]
    key = key.repeat(shared_by, axis=-3)
    value = value.repeat(shared_by, axis=-3)
    scaled = query * scale_of(query, scale)
    scores = scaled @ key.mT
    scores = np.where(mask, scores, -np.inf)
    sinks = np.reshape(sinks, (-1, 1, 1))
    column = np.broadcast_to(sinks, (*scores.shape[:-1], 1))
    with_sink = np.concatenate([scores, column], axis=-1)
    weights = softmax(with_sink)[..., :-1]
    return weights @ value, weights


def running_memory(query, key, value, strength=None, keep=None):
    """Write each value into one matrix under its key, and read it with each query: a memory that never grows.

    Parameters
    ----------
    query, key : ndarray, shape (..., L, d_k)
    value : ndarray, shape (..., L, d_v)
    strength : ndarray, shape (..., L), optional
        The delta rule: how much of what is stored under a key is replaced by its value, 0 to 1. If not given,
        the value is added to it: linear attention.
    keep : ndarray, shape (..., L), optional
        How much of the whole memory is kept before a token is written; all of it if not given.

    Returns
    -------
    output : ndarray, shape (..., L, d_v)
    memory : ndarray, shape (..., d_k, d_v)
        After the last token.

    Examples
    --------
    >>> keys, values = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[5.0], [7.0]])  # the same key twice
    >>> print(running_memory(keys, keys, values)[0].ravel())
    [ 5. 12.]
    >>> print(running_memory(keys, keys, values, strength=np.ones(2))[0].ravel())
    [5. 7.]
    """
    *leading, length, d_k = key.shape
    d_v = value.shape[-1]
    memory = np.zeros((*leading, d_k, d_v))
    output = np.empty((*leading, length, d_v))
    for i in range(length):
        here = (..., slice(i, i + 1), slice(None))
        if keep is not None:
            memory = memory * keep[..., i, None, None]
        change = value[here]
        if strength is not None:
            change = change - key[here] @ memory
            change = change * strength[..., i, None, None]
        memory = memory + key[here].mT @ change
        output[here] = query[here] @ memory
    return output, memory
