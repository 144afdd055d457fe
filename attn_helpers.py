"""Attention from Scratch: the one module that all lessons share.

Four parts, each using only those above it:

1. mathematics   softmax, masks, scaled dot-product attention
2. data          the running example, stored numbers, printing
3. pictures      matplotlib heatmaps for the text, SVG for the sliders
4. explorers     sliders over one picture, one explorer a lesson

Importing it is light: matplotlib and ipywidgets load where they are first needed.

References
----------
Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762,
called "the paper" below; equation (1) is softmax(QKᵀ/√d_k)·V.
"""

import functools
import json
import math
import pathlib
from typing import NamedTuple

import numpy as np

# ---------------------------------------------------------------------------
# 1. Mathematics
# ---------------------------------------------------------------------------


def softmax(x, axis=-1):
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
        If `x` is complex, boolean or not numeric.
    ValueError
        If `x` is a single number, a ragged list, or has no axis `axis`.

    Notes
    -----
    Adding a constant to all scores changes nothing, so the largest is subtracted first:
    exp() then never overflows (in float32 it would from 88.73).
    """
    (x,), dtype = _as_floats(x=x)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"softmax: x has shape {x.shape}, which has no axis {axis}; use one of its {x.ndim} axes")
    largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # +inf or NaN in, NaN out: the result itself says so
        powers = np.exp(x - np.where(np.isneginf(largest), 0, largest))
        total = powers.sum(axis=axis, keepdims=True)
        shares = powers / np.where(total == 0, 1, total)
    return shares.astype(dtype, copy=False)


def causal_mask(n_queries, n_keys=None, offset=0):
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
    """
    n_queries, offset = _as_count("n_queries", n_queries), _as_count("offset", offset)
    n_keys = n_queries + offset if n_keys is None else _as_count("n_keys", n_keys)
    return np.arange(n_keys) <= np.arange(n_queries)[:, None] + offset


def padding_mask(lengths, n_keys):
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
    """
    n_keys, lengths = _as_count("n_keys", n_keys), np.asarray(lengths)
    if lengths.dtype.kind not in "iu":
        raise TypeError(f"padding_mask: lengths must be whole numbers, got dtype {lengths.dtype}; count the real tokens of each sequence")
    if lengths.size and not (0 <= lengths.min() and lengths.max() <= n_keys):
        raise ValueError(f"padding_mask: lengths run from {lengths.min()} to {lengths.max()}, but must lie between 0 and n_keys = {n_keys}")
    return np.arange(n_keys) < lengths[..., None, None]


def scaled_dot_product_attention(query, key, value, mask=None, *, scale=None):
    """Scaled dot-product attention: softmax(QKᵀ·scale + mask)·V, equation (1) of the paper.

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
        Each row of `weights` sums to 1 over the keys. A query that may look at nothing
        gets zeros in both. Floats keep their dtype (float16 computes in float32 inside),
        integers become float64.

    Raises
    ------
    TypeError
        If an input is complex, boolean, not numeric, or the mask neither boolean nor float.
    ValueError
        If shapes do not fit, the mask holds NaN or +inf, or `scale` is not a positive,
        finite number.

    Notes
    -----
    What a query may not look at cannot reach it: a NaN or inf in a blocked key or value
    stays out of its output, though 0·NaN is NaN.
    """
    (query, key, value), dtype = _as_floats(query=query, key=key, value=value)
    batch = _check_shapes(query, key, value)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else _check_scale(scale)
    allowed, bias = _read_mask(mask, (*batch, query.shape[-2], key.shape[-2]), query.dtype)

    with np.errstate(invalid="ignore"):  # NaN in a key is reported by NaN in the result
        scaled = query @ key.swapaxes(-1, -2) * scale + bias
    weights = softmax(scaled if allowed is None else np.where(allowed, scaled, -np.inf))
    output = _weighted_sum(weights, value, allowed)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def self_attention(X, W_Q, W_K, W_V, mask=None):
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
    """
    names = ("X", "W_Q", "W_K", "W_V")
    (X, *projections), dtype = _as_floats(**dict(zip(names, (X, W_Q, W_K, W_V))))
    for name, W in zip(names[1:], projections):
        if X.ndim < 2 or W.ndim < 2 or X.shape[-1] != W.shape[-2]:
            raise ValueError(
                f"self_attention: X {X.shape} times {name} {W.shape} does not fit; X must be (..., L, d_model) and {name} (d_model, d), so that "
                f"X's last axis is {name}'s first (a matrix meant for W·xᵀ needs {name}.T)"
            )
    W_Q, W_K, _ = projections
    if W_Q.shape[-1] != W_K.shape[-1]:
        raise ValueError(f"self_attention: W_Q {W_Q.shape} and W_K {W_K.shape} must have the same number of columns, d_k")
    output, weights = scaled_dot_product_attention(*(X @ W for W in projections), mask)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def entropy(weights, axis=-1):
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
        If a share is negative.
    """
    (weights,), _ = _as_floats(weights=weights)
    if (weights < 0).any():
        raise ValueError(f"entropy: weights hold {weights.min():.3g}, but shares cannot be negative; pass what softmax returned, not the scores")
    logs = np.log(np.where(weights > 0, weights, 1))
    return np.sum(-weights * logs, axis=axis) + 0.0  # + 0.0 turns -0.0 into 0.0


def _as_floats(**named):
    """The arrays as floats of one dtype to compute in, and the dtype that results should have."""
    arrays = {}
    for name, given in named.items():
        try:
            array = np.asarray(given)
        except ValueError as error:
            raise ValueError(f"{name} is ragged: its rows have different lengths; make all rows equally long (pad them) first") from error
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{name} has dtype {array.dtype}, expected real numbers; convert it with np.asarray({name}, dtype=float)")
        if array.ndim == 0:
            raise ValueError(f"{name} is a single number ({array}), expected an array; give it axes, for example [{array}]")
        arrays[name] = array
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays.values()))
    compute = np.float32 if dtype == np.float16 else dtype
    return [a.astype(compute, copy=False) for a in arrays.values()], dtype


def _as_count(name, given):
    """`given` as an int that is 0 or more."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {given!r} ({type(given).__name__}); use int(...) or len(...)")
    if given < 0:
        raise ValueError(f"{name} must be 0 or more, got {given}")
    return int(given)


def _check_shapes(query, key, value):
    """The broadcast leading axes of the three; raises a ValueError that says what does not fit."""
    shapes = f"query {query.shape}, key {key.shape}, value {value.shape}"
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            raise ValueError(f"{name} has shape {array.shape}, expected at least two axes, (length, features); make one row of it with {name}[None, :]")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has d_k = {query.shape[-1]} features but key has {key.shape[-1]} ({shapes}); both must come from projections of the same width"
        )
    if query.shape[-1] == 0:
        raise ValueError(f"query and key have no features, d_k = 0 ({shapes}); each needs at least one column")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"key has length {key.shape[-2]} but value has {value.shape[-2]} ({shapes}); each key needs exactly one value")
    try:
        return np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError as error:
        raise ValueError(f"the leading axes do not broadcast ({shapes}); batch and heads must be equal or 1, axis by axis") from error


def _check_scale(scale):
    """`scale` as a positive, finite float."""
    if np.ndim(scale) or np.asarray(scale).dtype.kind not in "fiu":
        raise TypeError(f"scale must be one real number, got {scale!r}; leave it out for 1/√d_k")
    if not (math.isfinite(scale) and scale > 0):
        raise ValueError(f"scale must be positive and finite, got {scale}; leave it out for 1/√d_k")
    return float(scale)


def _read_mask(mask, shape, dtype):
    """A mask as (allowed, bias): which pairs may look (None = all), and what to add to their scores."""
    if mask is None:
        return None, 0.0
    mask = np.asarray(mask)
    if mask.dtype.kind not in "bf":
        raise TypeError(
            f"mask has dtype {mask.dtype}, expected bool (True = may look) or float (added to the scores); if 1 means keep, pass mask.astype(bool), "
            "if 1 means block, pass mask == 0"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask {mask.shape} does not broadcast to the scores {tuple(shape)}, which are (..., L_q, L_k); a mask of one row a sequence, (batch, L_k), "
            "needs an axis for the queries: mask[:, None, :]"
        )
    if mask.dtype.kind == "b":
        return mask, 0.0
    if np.isnan(mask).any() or np.isposinf(mask).any():
        raise ValueError("mask holds NaN or +inf; a float mask holds 0 (keep), -inf (block) or finite numbers to add. Note that 0 * -inf is NaN: use np.where")
    with np.errstate(over="ignore"):  # below the smallest float32 is as good as -inf
        mask = mask.astype(dtype, copy=False)
    return ~np.isneginf(mask), mask


def _weighted_sum(weights, value, allowed):
    """weights·value, where a NaN or inf reaches only the queries that may look at it."""
    finite = np.isfinite(value)
    if allowed is None or finite.all():
        return weights @ value
    output = weights @ np.where(finite, value, 0)
    seen = np.broadcast_to(allowed, weights.shape).astype(weights.dtype)
    up, down, undefined = (seen @ found.astype(weights.dtype) > 0 for found in (np.isposinf(value), np.isneginf(value), np.isnan(value)))
    output = np.where(up, np.inf, np.where(down, -np.inf, output))
    return np.where(undefined | (up & down), np.nan, output)


# ---------------------------------------------------------------------------
# 2. Data and printing
# ---------------------------------------------------------------------------


class Example(NamedTuple):
    """The running example of lessons 1 to 6: a sentence, its embeddings and three projections."""

    tokens: list
    X: np.ndarray  # (L, d_model) = (4, 8)
    W_Q: np.ndarray  # (d_model, d_k) = (8, 8)
    W_K: np.ndarray  # (d_model, d_k) = (8, 8)
    W_V: np.ndarray  # (d_model, d_v) = (8, 8)


def load_example():
    """The running example: "The chai is hot", random embeddings and random projections.

    Returns
    -------
    Example
        tokens, X (4, 8), W_Q, W_K, W_V (8, 8), float64; the same numbers at every call.

    Notes
    -----
    Entries of X have variance 1, those of the projections variance 1/d_model, so that
    Q = X·W_Q has variance 1 again and scores have the size that a trained layer's have.
    The numbers are random: they show how attention computes, not what words mean.
    """
    tokens = ["The", "chai", "is", "hot"]
    d_model = d_k = 8
    rng = np.random.default_rng(2017)
    X = rng.standard_normal((len(tokens), d_model))
    W_Q, W_K, W_V = rng.standard_normal((3, d_model, d_k)) / math.sqrt(d_model)
    return Example(tokens, X, W_Q, W_K, W_V)


def load_data(name):
    """A file of stored numbers from notebooks/data, as Python lists and dictionaries.

    Parameters
    ----------
    name : str
        File name without its ending, for example "published_s1".

    Raises
    ------
    FileNotFoundError
        If there is no such file; the message lists those that there are.
    """
    folder = pathlib.Path(__file__).with_name("notebooks") / "data"
    path = folder / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.json"))) or "none"
        raise FileNotFoundError(f"no data file named {name!r}; notebooks/data has: {known}")
    return json.loads(path.read_text(encoding="utf-8"))


def use_course_printing():
    """Print arrays with 3 decimals and no exponents, so that a stored output is the same on every machine."""
    np.set_printoptions(precision=3, suppress=True, linewidth=110)
