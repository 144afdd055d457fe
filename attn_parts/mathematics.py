"""The mathematics of attention: softmax, masks, scaled dot-product attention.

What is refused, and in which words, stands in refusals.py.

References
----------
Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762,
called "the paper" below. Its equation (1) is softmax(QKᵀ/√d_k)·V; it has no mask, which section
3.2.3 adds in words: "masking out (setting to −∞) all values in the input of the softmax which
correspond to illegal connections".
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from attn_parts.refusals import (
    as_array,
    as_count,
    as_floats,
    check_axis,
    check_lengths,
    check_projections,
    check_scale,
    check_shapes,
    check_shares,
    read_mask,
)


def softmax(x: ArrayLike, axis: int = -1) -> np.ndarray:
    """Shares that are positive and sum to 1 along `axis`: exp(x) / sum(exp(x)).

    Parameters
    ----------
    x : array_like of real numbers, any shape with at least one axis
        Scores. -inf means "no share at all".
    axis : int
        The axis shared over. For attention the keys, which is the last.

    Returns
    -------
    ndarray of floats, shape of `x`
        Floats keep their dtype (float16 computes in float32 inside), integers become
        float64. Where every score along `axis` is -inf, or there is none, the shares
        are 0, not NaN. A NaN or +inf among the scores makes its whole line NaN.

    Raises
    ------
    TypeError
        If `x` is complex, boolean or not numeric, or `axis` is not one whole number.
    ValueError
        If `x` is a single number, a ragged list, or has no axis `axis`.

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
    check_axis("x", x, axis)
    # invalid: +inf or NaN in, NaN out, the result itself says so. over: 1e308 - (-1e308), whose share is 0;
    # under: shares below the smallest float are 0
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
        powers = np.exp(x - np.where(np.isneginf(largest), 0, largest))
        total = powers.sum(axis=axis, keepdims=True)
        return (powers / np.where(total == 0, 1, total)).astype(dtype, copy=False)


def causal_mask(n_queries: int, n_keys: int | None = None, offset: int = 0) -> np.ndarray:
    """Boolean mask that keeps a query from looking at later keys: True = may look.

    Query i may look at key j when j <= i + offset.

    Parameters
    ----------
    n_queries : int
        Number of queries, 0 or more.
    n_keys : int, optional
        Number of keys; `n_queries` + `offset` if not given.
    offset : int
        Keys that were there before the first query (a cache), 0 or more. With 0 the
        triangle starts in the upper-left corner, as in PyTorch, JAX and ONNX.

    Returns
    -------
    ndarray of bool, shape (n_queries, n_keys)

    Raises
    ------
    TypeError
        If a count is not a whole number.
    ValueError
        If a count is negative.

    Examples
    --------
    >>> print(causal_mask(3).astype(int))
    [[1 0 0]
     [1 1 0]
     [1 1 1]]
    """
    n_queries, offset = as_count("n_queries", n_queries), as_count("offset", offset)
    n_keys = n_queries + offset if n_keys is None else as_count("n_keys", n_keys)
    return np.arange(n_keys) <= np.arange(n_queries)[:, None] + offset


def padding_mask(lengths: ArrayLike, n_keys: int) -> np.ndarray:
    """Boolean mask that hides the padding behind each sequence: True = may look.

    Parameters
    ----------
    lengths : int or array_like of int, any shape
        Number of real keys of each sequence, from 0 to `n_keys`.
    n_keys : int
        Length that the sequences were padded to.

    Returns
    -------
    ndarray of bool, shape (*lengths.shape, 1, n_keys)
        The 1 stands for the queries: all of them see the same keys. A batch of lengths
        (B,) fits scores (B, L_q, L_k); for heads, (B, H, L_q, L_k), pass `lengths[:, None]`.

    Raises
    ------
    TypeError
        If a length is not a whole number.
    ValueError
        If a length is negative or above `n_keys`.

    Examples
    --------
    >>> print(padding_mask([1, 3], n_keys=3).astype(int))
    [[[1 0 0]]
    <BLANKLINE>
     [[1 1 1]]]
    """
    n_keys = as_count("n_keys", n_keys)
    lengths = check_lengths(as_array("lengths", lengths), n_keys)
    return np.arange(n_keys) < lengths[..., None, None]


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention, equation (1) of the paper, with a mask: softmax(QKᵀ·scale + mask)·V.

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
        gets zeros in both. Floats keep their dtype (float16 computes in float32 inside),
        integers become float64.

    Raises
    ------
    TypeError
        If an input is None, complex, boolean, not numeric, a masked array or a tuple of matrices,
        the mask neither boolean nor float, or `scale` not a number.
    ValueError
        If shapes do not fit, the mask holds NaN or +inf, or `scale` is not a positive,
        finite number.

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
    batch = check_shapes(query, key, value)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else check_scale(scale, query.dtype)
    allowed, bias = read_mask(mask, (*batch, query.shape[-2], key.shape[-2]), query.dtype)

    # NaN in a key is reported by NaN in the result; what overflows or underflows may be blocked
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        # scaled before the product: in float32 QKᵀ can overflow where QKᵀ/√d_k does not
        scaled = (query * scale) @ key.swapaxes(-1, -2) + bias
        weights = softmax(scaled if allowed is None else np.where(allowed, scaled, -np.inf))
        output = _weighted_sum(weights, value, allowed)
        return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def self_attention(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Attention of a sequence to itself: project X three times, then attend.

    Parameters
    ----------
    X : array_like, shape (..., L, d_model)
        Embeddings, one row a token.
    W_Q, W_K : array_like, shape (d_model, d_k)
    W_V : array_like, shape (d_model, d_v)
        Projections, applied as X·W. They are passed in, so the same call gives the same answer.
    mask : array_like of bool or float, optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    output : ndarray, shape (..., L, d_v)
    weights : ndarray, shape (..., L, L)

    Raises
    ------
    TypeError, ValueError
        As `scaled_dot_product_attention`; also if a projection does not fit X.

    Examples
    --------
    >>> X = [[1.0, 0.0], [0.0, 1.0]]
    >>> output, weights = self_attention(X, [[2.0], [0.0]], [[0.0], [1.0]], [[1.0, 5.0], [3.0, 0.0]])
    >>> print(weights.round(3))
    [[0.119 0.881]
     [0.5   0.5  ]]
    """
    (X, W_Q, W_K, W_V), dtype = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    check_projections(X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):  # what overflows shows in the result
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
        output, weights = scaled_dot_product_attention(Q, K, V, mask)
        return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def entropy(weights: ArrayLike, axis: int = -1) -> np.ndarray | float:
    """How spread out shares are, in nats: -sum(p·ln p); 0 for one key, ln L for L equal shares.

    Parameters
    ----------
    weights : array_like of real numbers
        Shares along `axis`, none negative; a share of 0 adds nothing.
    axis : int
        The axis that the shares run along.

    Returns
    -------
    ndarray or float
        Shape of `weights` without `axis`.

    Raises
    ------
    TypeError
        If `weights` is complex, boolean or not numeric.
    ValueError
        If a share is negative or clearly above 1, or `weights` has no axis `axis`.

    Examples
    --------
    >>> print(entropy([[0.5, 0.5], [1.0, 0.0]]).round(3))  # ln 2, and 0
    [0.693 0.   ]
    """
    (weights,), _ = as_floats(weights=weights)
    check_axis("weights", weights, axis)
    check_shares(weights)
    weights = np.minimum(weights, 1)
    logs = np.log(np.where(weights > 0, weights, 1))
    return np.sum(-weights * logs, axis=axis) + 0.0  # + 0.0 turns -0.0 into 0.0


def _weighted_sum(weights, value, allowed):
    """weights·value, where a NaN or inf reaches only the queries that may look at it."""
    finite = np.isfinite(value)
    if finite.all():
        return weights @ value
    seen = np.broadcast_to(True if allowed is None else allowed, weights.shape).astype(weights.dtype)
    up, down, undefined = (
        seen @ found.astype(weights.dtype) > 0
        for found in (np.isposinf(value), np.isneginf(value), np.isnan(value))
    )
    reached = np.where(undefined | (up & down), np.nan, np.where(up, np.inf, np.where(down, -np.inf, 0)))
    return weights @ np.where(finite, value, 0) + reached.astype(weights.dtype)
