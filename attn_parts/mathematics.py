"""The mathematics of attention: softmax, masks, scaled dot-product attention, several heads.

Floats keep their dtype (float16 computes in float32 inside), integers become float64, inputs are never
changed. What isn't an array of real numbers raises a TypeError, and shapes or values that don't fit a
ValueError: see validation.py.

References
----------
Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762,
called "the paper" below. Its equation (1) is softmax(QKᵀ/√d_k)·V; it has no mask, which section
3.2.3 adds in words: "masking out (setting to −∞) all values in the input of the softmax which
correspond to illegal connections".
"""

import functools
import math

import numpy as np
from numpy.typing import ArrayLike

from attn_parts.validation import (
    as_count,
    as_floats,
    as_positive,
    check_lengths,
    check_mask,
    fit,
    in_dtype,
)

# NaN in gives NaN out, the result itself says so; what overflows or underflows weighs 0 or may be blocked
quiet = functools.partial(np.errstate, invalid="ignore", over="ignore", under="ignore")


def softmax(x: ArrayLike, axis: int = -1) -> np.ndarray:
    """Turn scores into positive weights that sum to 1 along `axis`: exp(x) / sum(exp(x)).

    Parameters
    ----------
    x : array_like of real numbers, any shape with at least one axis
        Scores; -inf gives a weight of 0.
    axis : int
        For attention that's the keys, the last one.

    Returns
    -------
    ndarray of floats, shape of `x`
        Where every score along `axis` is -inf, or there is none, the weights are 0, not NaN.
        A NaN or +inf among the scores makes its whole line NaN.

    Notes
    -----
    Adding a constant to all scores changes nothing, so the largest is subtracted first:
    exp() then never overflows (in float32 it would from 88.73).

    Examples
    --------
    >>> print(softmax([0.0, 2.0, 0.0, 0.0]).round(3))
    [0.096 0.711 0.096 0.096]
    >>> print(softmax([[1, 1], [-np.inf, 1]]))
    [[0.5 0.5]
     [0.  1. ]]
    """
    (x,), dtype = as_floats(x=x)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"x has shape {x.shape}, which has no axis {axis}; -1 is the last axis")
    with quiet():
        return weights_of(x.copy(), axis).astype(dtype, copy=False)


def weights_of(x, axis=-1):
    """The arithmetic of softmax: exp(x) / sum(exp(x)), worked out in `x` itself."""
    # initial: a finite number where all are -inf, whose difference from itself is NaN
    lowest = np.finfo(x.dtype).min
    x -= np.max(x, axis=axis, keepdims=True, initial=lowest)
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    x /= np.maximum(total, 1)  # the largest x alone gives 1; without any, 0/1 is 0
    return x


def causal_mask(n_queries: int, n_keys: int | None = None, offset: int = 0) -> np.ndarray:
    """Make a boolean mask (n_queries, n_keys) that hides later keys from each query: True = may look.

    Query i may look at key j when j <= i + offset, where `offset` keys were there before the first query (a
    cache). With 0 the triangle starts in the upper-left corner, as in PyTorch, JAX and ONNX. There are
    `n_queries` + `offset` keys if `n_keys` is not given; all three may be 0.

    >>> print(causal_mask(3).astype(int))
    [[1 0 0]
     [1 1 0]
     [1 1 1]]
    """
    n_queries = as_count("n_queries", n_queries)
    offset = as_count("offset", offset)
    n_keys = n_queries + offset if n_keys is None else as_count("n_keys", n_keys)
    return np.arange(n_keys) <= np.arange(n_queries)[:, None] + offset


def padding_mask(lengths: ArrayLike, n_keys: int) -> np.ndarray:
    """Make a boolean mask (*lengths.shape, 1, n_keys) that hides padding behind sequences: True = may look.

    `lengths`, one int or an array of them, are the numbers of real keys, from 0 to `n_keys`, which the
    sequences were padded to. The 1 stands for the queries: all of them see the same keys. A batch of lengths
    (B,) fits scores (B, L_q, L_k); for heads, (B, H, L_q, L_k), pass `lengths[:, None]`.

    >>> print(padding_mask([1, 3], n_keys=3).astype(int))
    [[[1 0 0]]
    <BLANKLINE>
     [[1 1 1]]]
    """
    n_keys = as_count("n_keys", n_keys)
    lengths = check_lengths(lengths, n_keys)
    return np.arange(n_keys) < lengths[..., None, None]


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute scaled dot-product attention, the paper's equation (1) with a mask: softmax(QKᵀ·scale + mask)V.

    Parameters
    ----------
    query : array_like, shape (..., L_q, d_k)
    key : array_like, shape (..., L_k, d_k)
    value : array_like, shape (..., L_k, d_v)
        Leading axes (batch, heads) broadcast like those of matmul. L_q, L_k may be 0.
    mask : array_like of bool or float, optional
        Must broadcast to (..., L_q, L_k). Boolean: True = this query may look at this
        key. Float: added to the scaled scores, 0 keeps and -inf blocks.
    scale : float, optional
        Positive number that multiplies QKᵀ; 1/√d_k if not given.

    Returns
    -------
    output : ndarray, shape (..., L_q, d_v)
    weights : ndarray, shape (..., L_q, L_k)
        Leading axes are those of query, key and mask; the output has those of value too.
        Each row of `weights` sums to 1 over the keys. A query that may look at nothing
        gets zeros in both.

    Notes
    -----
    What a query may not look at cannot reach it: a NaN or inf in a blocked key or value
    stays out of its output, though 0·NaN is NaN.

    Examples
    --------
    >>> Q, K, V = [[3.0, 0.0]], [[0.0, 0.0], [2.0, 0.0]], [[0.0], [4.0]]
    >>> output, weights = scaled_dot_product_attention(Q, K, V)
    >>> print(weights.round(3), output.round(2))
    [[0.014 0.986]] [[3.94]]
    >>> output, weights = scaled_dot_product_attention(Q, K, V, mask=[[True, False]])
    >>> print(weights, output)
    [[1. 0.]] [[0.]]
    """
    (query, key, value), dtype = as_floats(query=query, key=key, value=value)
    batch = fit("... L_q d_k, ... L_k d_k, ... L_k d_v", query=query, key=key, value=value)
    scale = scale_of(query, scale)
    mask = check_mask(mask, (*batch, query.shape[-2], key.shape[-2]), query.dtype)
    with quiet():
        # scaled before the product: in float32 QKᵀ can overflow where QKᵀ/√d_k does not
        scaled = (query * scale) @ key.mT
        allowed = np.array(True)
        if mask is not None:
            scaled, allowed = masked_scores(scaled, mask)
        weights = weights_of(scaled)
        output = weighted_sum(weights, value, allowed)
        return in_dtype(dtype, output, weights)


def scale_of(query, scale):
    """`scale` if it is a positive number, 1/√d_k if it is None."""
    if query.shape[-1] == 0:
        raise ValueError(f"query {query.shape} has no features, d_k = 0; give it and key at least one column")
    if scale is None:
        return 1 / math.sqrt(query.shape[-1])
    return as_positive("scale", scale, "leave it out for 1/√d_k")


def self_attention(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute self-attention: project X three times, attend; output (..., L, d_v) and weights (..., L, L).

    X (..., L, d_model) are embeddings, one row per token; X·W projects them, with W_Q and W_K (d_model, d_k)
    and W_V (d_model, d_v). `mask` is that of `scaled_dot_product_attention`.

    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> output, weights = self_attention(X, [[2.0], [0.0]], [[0.0], [1.0]], [[1.0, 5.0], [3.0, 0.0]])
    >>> print(weights.round(3))
    [[0.119 0.881]
     [0.5   0.5  ]]
    """
    shapes = "... L d_model, ... d_model d_k, ... d_model d_k, ... d_model d_v"
    (X, W_Q, W_K, W_V), dtype = as_floats(shapes, X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    with quiet():
        Q = X @ W_Q
        K = X @ W_K
        V = X @ W_V
        output, weights = scaled_dot_product_attention(Q, K, V, mask)
        return in_dtype(dtype, output, weights)


def split_heads(X: ArrayLike, n_heads: int) -> np.ndarray:
    """Split the columns of X (..., L, n_heads·d_head) into heads: (..., n_heads, L, d_head).

    Head 0 gets the first d_head columns, head 1 the next, and so on. The result is a view where X is an array
    of floats.

    >>> print(split_heads([[11, 12, 13, 14], [21, 22, 23, 24]], n_heads=2))
    [[[11. 12.]
      [21. 22.]]
    <BLANKLINE>
     [[13. 14.]
      [23. 24.]]]
    """
    (X,), dtype = as_floats("... rows columns", X=X)
    n_heads = as_count("n_heads", n_heads, 1)
    *batch, length, width = X.shape
    if width % n_heads:
        raise ValueError(
            f"{width} columns can't be split evenly among {n_heads} heads; take a number that divides {width}"
        )
    columns = X.reshape(*batch, length, n_heads, width // n_heads)
    return columns.swapaxes(-2, -3).astype(dtype, copy=False)


def merge_heads(heads: ArrayLike) -> np.ndarray:
    """Concatenate heads (..., n_heads, L, d_head) to (..., L, n_heads·d_head): the inverse of `split_heads`.

    >>> print(merge_heads([[[11], [21]], [[12], [22]]]))
    [[11. 12.]
     [21. 22.]]
    """
    (heads,), dtype = as_floats("... n_heads L d_head", heads=heads)
    *batch, n_heads, length, width = heads.shape
    words = heads.swapaxes(-2, -3)
    joined = words.reshape(*batch, length, n_heads * width)
    return joined.astype(dtype, copy=False)


def multi_head_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    n_heads: int,
    mask: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute multi-head attention, section 3.2.2 of the paper: attend in each head, concatenate, times W_O.

    Parameters
    ----------
    query : array_like, shape (..., L_q, d_model)
    key, value : array_like, shape (..., L_k, d_model)
        Embeddings, projected in here. Three times the same is self-attention; queries from another
        text than keys and values is cross-attention.
    W_Q, W_K : array_like, shape (d_model, n_heads·d_k)
    W_V : array_like, shape (d_model, n_heads·d_v)
        The projections of all heads side by side: head 0 has the first columns.
    W_O : array_like, shape (n_heads·d_v, d_out)
    n_heads : int
    mask : array_like of bool or float, optional
        As in `scaled_dot_product_attention`; must broadcast to (..., n_heads, L_q, L_k). One for
        each sentence of a batch needs an axis for the heads, `mask[:, None]`.

    Returns
    -------
    output : ndarray, shape (..., L_q, d_out)
    weights : ndarray, shape (..., n_heads, L_q, L_k)

    Examples
    --------
    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> W = [[3.0, 0.0], [0.0, 3.0]]
    >>> output, weights = multi_head_attention(X, X, X, W, W, np.eye(2), np.eye(2), n_heads=2)
    >>> print(weights[0, 0].round(3), weights[1, 0].round(3))  # what token 0 looks at, head by head
    [1. 0.] [0.5 0.5]
    """
    shapes = "... L_q d_q, ... L_k d_key, ... L_k d_value, ... d_q d_k, ... d_key d_k, "
    shapes += "... d_value d_v, ... d_v d_out"
    arrays, dtype = as_floats(shapes, query=query, key=key, value=value, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    query, key, value, W_Q, W_K, W_V, W_O = arrays
    with quiet():
        projected = query @ W_Q, key @ W_K, value @ W_V
        Q, K, V = (split_heads(rows, n_heads) for rows in projected)
        per_head, weights = scaled_dot_product_attention(Q, K, V, mask)
        output = merge_heads(per_head) @ W_O
        return in_dtype(dtype, output, weights)


def sinusoidal_encoding(length, d_model):
    """Make the sinusoidal encoding (length, d_model): a sine and a cosine for each of d_model/2 speeds.

    >>> print(sinusoidal_encoding(2, 4).round(3))
    [[0.    1.    0.    1.   ]
     [0.841 0.54  0.01  1.   ]]
    """
    length = as_count("length", length)
    d_model = as_count("d_model", d_model, 2)
    if d_model % 2:
        raise ValueError(f"d_model must be even, because each speed takes two columns, got {d_model}")
    slowness = 10000 ** (np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] / slowness
    waves = np.sin(angles), np.cos(angles)
    pairs = np.stack(waves, axis=-1)
    return pairs.reshape(length, d_model)


def layer_norm(X):
    """Rescale each row to mean 0 and standard deviation 1: layer normalisation without learned parameters.

    >>> print(layer_norm(np.array([[1.0, 3.0], [0.0, 50.0]])))
    [[-1.  1.]
     [-1.  1.]]
    """
    (X,), dtype = as_floats(X=X)
    mean = X.mean(axis=-1, keepdims=True)
    deviation = X.std(axis=-1, keepdims=True)
    return ((X - mean) / deviation).astype(dtype, copy=False)


def entropy(weights):
    """-sum(p·ln p) of one row of weights, in nats: 0 where one key has all, ln L for L equal ones."""
    seen = weights[weights > 0]
    return 0.0 - np.sum(seen * np.log(seen))


def masked_scores(scores, mask):
    """Scores with a checked mask, -inf where a query may not look; and where it may."""
    allowed = mask
    if mask.dtype != bool:
        bias = mask.astype(scores.dtype, copy=False)  # below the smallest float32 is as good as -inf
        allowed = bias > -np.inf
        scores = scores + bias
    shape = np.broadcast_shapes(scores.shape, allowed.shape)
    if scores.shape != shape:  # the mask differs from head to head where query and key do not
        scores = np.broadcast_to(scores, shape).copy()
    np.copyto(scores, -np.inf, where=~allowed)  # in place: the matrix may be large
    return scores, allowed


def weighted_sum(weights, value, allowed):
    """weights·value, where a NaN or inf reaches only the queries that may look at it."""
    finite = np.isfinite(value)
    if finite.all():
        return weights @ value
    output = weights @ np.where(finite, value, 0)
    strange = np.where(finite, 0, value)
    allowed = np.broadcast_to(allowed, weights.shape)
    for j in range(value.shape[-2]):
        here = slice(j, j + 1)
        reached = np.where(allowed[..., here], strange[..., here, :], 0)
        output = output + reached
    return output
