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

import base64
import functools
import html
import importlib.metadata
import importlib.util
import io
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
        If `x` is complex, boolean or not numeric, or `axis` is not one whole number.
    ValueError
        If `x` is a single number, a ragged list, or has no axis `axis`.

    Notes
    -----
    Adding a constant to all scores changes nothing, so the largest is subtracted first:
    exp() then never overflows (in float32 it would from 88.73).
    """
    (x,), dtype = _as_floats(x=x)
    _check_axis("x", x, axis)
    # invalid: +inf or NaN in, NaN out, the result itself says so. over: 1e308 - (-1e308), whose share is 0;
    # under: shares below the smallest float are 0
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
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
    n_keys, lengths = _as_count("n_keys", n_keys), _as_array("lengths", lengths)
    if lengths.size and lengths.dtype.kind not in "iu":
        raise TypeError(
            f"padding_mask: lengths must be whole numbers, got dtype {lengths.dtype}; "
            "count the real tokens of each sequence"
        )
    if lengths.size and not (lengths.min() >= 0 and lengths.max() <= n_keys):
        raise ValueError(
            f"padding_mask: lengths run from {lengths.min()} to {lengths.max()}, but must lie between "
            f"0 and n_keys = {n_keys}; count only real tokens, and give n_keys the padded length"
        )
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
    """
    (query, key, value), dtype = _as_floats(query=query, key=key, value=value)
    batch = _check_shapes(query, key, value)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else _check_scale(scale, query.dtype)
    allowed, bias = _read_mask(mask, (*batch, query.shape[-2], key.shape[-2]), query.dtype)

    # NaN in a key is reported by NaN in the result; what overflows or underflows may be blocked
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        # scaled before the product: in float32 QKᵀ can overflow where QKᵀ/√d_k does not
        scaled = (query * scale) @ key.swapaxes(-1, -2) + bias
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
    (X, *projections), dtype = _as_floats(**dict(zip(names, (X, W_Q, W_K, W_V), strict=True)))
    for name, W in zip(names[1:], projections, strict=True):
        if X.ndim < 2 or W.ndim < 2 or X.shape[-1] != W.shape[-2]:
            raise ValueError(
                f"self_attention: X {X.shape} times {name} {W.shape} does not fit; X must be (..., L, d_model) "
                f"and {name} (d_model, d), so that X's last axis is {name}'s first "
                f"(a matrix meant for W·xᵀ needs {name}.T)"
            )
    W_Q, W_K, W_V = projections
    if W_Q.shape[-1] != W_K.shape[-1]:
        raise ValueError(
            f"self_attention: W_Q {W_Q.shape} and W_K {W_K.shape} must have the same number of columns, d_k; "
            "only W_V may have another, d_v"
        )
    _broadcast_leading(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    with np.errstate(invalid="ignore"):  # inf in X makes NaN, which then shows in the result
        Q, K, V = (X @ W for W in projections)
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
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
        If a share is negative or clearly above 1, or `weights` has no axis `axis`.
    """
    (weights,), _ = _as_floats(weights=weights)
    _check_axis("weights", weights, axis)
    wrong = weights[(weights < 0) | (weights > 1.01)]  # 1.01: room for rounding, for float16 too
    if wrong.size:
        raise ValueError(
            f"entropy: weights hold {wrong[0]:.3g}, but shares lie between 0 and 1; "
            "pass what softmax returned, not the scores"
        )
    weights = np.minimum(weights, 1)
    logs = np.log(np.where(weights > 0, weights, 1))
    return np.sum(-weights * logs, axis=axis) + 0.0  # + 0.0 turns -0.0 into 0.0


def _as_array(name, given):
    """`given` as an array; refuses what NumPy would misread: None, masked arrays, ragged lists."""
    if given is None:
        raise TypeError(
            f"{name} is None, expected an array; did the function that made it forget its return?"
        )
    if isinstance(given, np.ma.MaskedArray):
        remedy = f"fill them with {name}.filled(0) and say in an attention mask what to leave out"
        if name == "mask":
            remedy = "fill them with mask.filled(False), or mask.filled(-np.inf) if it is to be added"
        raise TypeError(
            f"{name} is a masked array, whose hidden entries would be used all the same; {remedy}"
        )
    matrices = isinstance(given, tuple) and [p for p in given if isinstance(p, np.ndarray) and p.ndim > 1]
    if matrices and len(matrices) == len(given) > 1:  # both results of attention, passed on as one
        shapes = ", ".join(str(part.shape) for part in given)
        raise TypeError(
            f"{name} is a tuple of arrays {shapes}, expected one array; unpack it first: output, weights = ..."
        )
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ValueError(
            f"{name} is ragged: its rows have different lengths; make all rows equally long (pad them) first"
        ) from error


def _check_axis(name, array, axis):
    """Raises unless `axis` is one axis of `array`."""
    if isinstance(axis, (bool, np.bool_)) or not isinstance(axis, (int, np.integer)):
        raise TypeError(
            f"axis must be one whole number, got {axis!r} ({type(axis).__name__}); -1 is the last axis"
        )
    if not -array.ndim <= axis < array.ndim:
        raise ValueError(f"{name} has shape {array.shape}, which has no axis {axis}; -1 is the last axis")


def _as_floats(**named):
    """The arrays as floats of one dtype to compute in, and the dtype that results should have."""
    arrays = {}
    for name, given in named.items():
        array = _as_array(name, given)
        if array.dtype.kind not in "fiu":
            raise TypeError(
                f"{name} has dtype {array.dtype}, expected real numbers; {_remedy(name, array.dtype.kind)}"
            )
        if array.ndim == 0:
            raise ValueError(
                f"{name} is a single number ({array}), expected an array; give it axes, for example [{array}]"
            )
        arrays[name] = array
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays.values()))
    compute = np.float32 if dtype == np.float16 else dtype
    return [a.astype(compute, copy=False) for a in arrays.values()], dtype


def _remedy(name, kind):
    """How to make real numbers of an array whose dtype is of another kind."""
    return {
        "c": f"take its real part, np.real({name})",
        "b": f"convert it with np.asarray({name}, dtype=float)",
        "U": "words have to be turned into numbers first, their embeddings",
        "S": "words have to be turned into numbers first, their embeddings",
    }.get(kind, "make it a list or an array that holds nothing but numbers")


def _as_count(name, given):
    """`given` as an int that is 0 or more."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise TypeError(
            f"{name} must be a whole number, got {given!r} ({type(given).__name__}); use int(...) or len(...)"
        )
    if given < 0:
        raise ValueError(f"{name} must be 0 or more, got {given}; count from 0 up")
    return int(given)


def _check_shapes(query, key, value):
    """The broadcast leading axes of the three; raises a ValueError that says what does not fit."""
    shapes = f"query {query.shape}, key {key.shape}, value {value.shape}"
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            column = name == "value" and array.shape == key.shape[-2:-1]  # one number for each key
            remedy = "a column of it with value[:, None]" if column else f"one row of it with {name}[None, :]"
            raise ValueError(
                f"{name} has shape {array.shape}, expected at least two axes, (length, features); make {remedy}"
            )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has d_k = {query.shape[-1]} features but key has {key.shape[-1]} ({shapes}); "
            "both must come from projections of the same width"
        )
    if query.shape[-1] == 0:
        raise ValueError(
            f"query and key have no features, d_k = 0 ({shapes}); each needs at least one column"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key has length {key.shape[-2]} but value has {value.shape[-2]} ({shapes}); "
            "each key needs exactly one value"
        )
    return _broadcast_leading(query=query, key=key, value=value)


def _broadcast_leading(**arrays):
    """The shape that all axes but the last two broadcast to."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError as error:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(
            f"the leading axes do not broadcast ({shapes}); batch and heads must be equal or 1, axis by axis"
        ) from error


def _check_scale(scale, dtype):
    """`scale` as a float that is positive and finite, in `dtype` too."""
    if isinstance(scale, bool) or not isinstance(scale, (int, float, np.integer, np.floating)):
        raise TypeError(
            f"scale must be one real number, got {scale!r} ({type(scale).__name__}); leave it out for 1/√d_k"
        )
    try:
        number = float(scale)
    except OverflowError:  # a whole number beyond every float
        number = math.inf
    if not 0 < np.float64(number) <= np.finfo(dtype).max:
        raise ValueError(
            f"scale must be positive and finite in {dtype}, got {number:.6g}; leave it out for 1/√d_k"
        )
    return number


def _read_mask(mask, shape, dtype):
    """A mask as (allowed, bias): which pairs may look (None = all), and what to add to their scores."""
    if mask is None:
        return None, 0.0
    mask = _as_array("mask", mask)
    if mask.dtype.kind not in "bf":
        raise TypeError(
            f"mask has dtype {mask.dtype}, expected bool (True = may look) or float (added to the scores); "
            f"{_mask_remedy(mask)}"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask {mask.shape} does not broadcast to the scores {tuple(shape)}, which are (..., L_q, L_k); "
            "a mask of one row a sequence, (batch, L_k), needs an axis for the queries: mask[:, None, :]"
        )
    if mask.dtype.kind == "b":
        return mask, 0.0
    with np.errstate(over="ignore"):  # below the smallest float32 is as good as -inf
        mask = mask.astype(dtype, copy=False)
    if np.isnan(mask).any() or np.isposinf(mask).any():
        raise ValueError(
            f"mask holds NaN or +inf (as {dtype}); a float mask holds 0 (keep), -inf (block) or finite numbers "
            "to add. Note that 0 * -inf is NaN: use np.where"
        )
    return ~np.isneginf(mask), mask


def _mask_remedy(mask):
    """How to make a boolean mask of one that is not."""
    if mask.dtype.kind in "iu":
        return "if 1 means keep, pass mask.astype(bool), if 1 means block, pass mask == 0"
    if mask.dtype.kind == "f":
        return "if 0 keeps and -inf blocks, pass mask == 0"
    return "make one with causal_mask or padding_mask"


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


# ---------------------------------------------------------------------------
# 2. Data and printing
# ---------------------------------------------------------------------------


WORDS = (
    "The chai is hot so we let it cool down before anyone dares to drink from "
    "that small blue cup which my aunt once brought home after her long trip by train"
).split()


class Example(NamedTuple):
    """The running example of lessons 1 to 6: a sentence, its embeddings and three projections."""

    tokens: list
    X: np.ndarray  # (L, d_model) = (4, 8)
    W_Q: np.ndarray  # (d_model, d_k) = (8, 8)
    W_K: np.ndarray  # (d_model, d_k) = (8, 8)
    W_V: np.ndarray  # (d_model, d_v) = (8, 8)


def load_example(length=4, d_k=8, seed=5):
    """The running example: a sentence, random embeddings and random projections.

    Without arguments it is "The chai is hot" with d_model = d_k = d_v = 8, the same
    numbers at every call and in every lesson. A longer sentence or wider heads add
    tokens and columns; what was there before keeps its numbers.

    Parameters
    ----------
    length : int
        Number of tokens, 1 to 32.
    d_k : int
        Columns of each projection, so d_k = d_v, 1 or more.
    seed : int
        0 or more; another seed draws everything anew.

    Returns
    -------
    Example
        tokens (list of str), X (length, 8), W_Q, W_K, W_V (8, d_k), all float64.

    Raises
    ------
    TypeError
        If an argument is not a whole number.
    ValueError
        If one is out of range.

    Notes
    -----
    Entries of X have variance 1, those of the projections variance 1/d_model, so that
    Q = X·W_Q has variance 1 again and scores have the size that a trained layer's have.
    The numbers are random: they show how attention computes, not what words mean.
    """
    length, d_k, seed = _as_count("length", length), _as_count("d_k", d_k), _as_count("seed", seed)
    if not 1 <= length <= len(WORDS) or d_k < 1:
        raise ValueError(
            f"length must be 1 to {len(WORDS)} and d_k 1 or more, got length = {length}, d_k = {d_k}"
        )
    d_model = 8
    # one generator an array, filled token by token and column by column: growing adds, it does not redraw
    draws = [np.random.default_rng([seed, which]) for which in range(4)]
    X = draws[0].standard_normal((length, d_model))
    W_Q, W_K, W_V = (draw.standard_normal((d_k, d_model)).T / math.sqrt(d_model) for draw in draws[1:])
    return Example(list(WORDS[:length]), X, W_Q, W_K, W_V)


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


def check_environment(needed=("numpy", "matplotlib", "ipywidgets", "jupyterlab")):
    """Say whether the course's packages are there, and how to get those that are not.

    Parameters
    ----------
    needed : sequence of str
        Names of installed packages, as pip knows them.

    Returns
    -------
    str
        One line if all is well; else the missing packages and the command that installs them.
        Inside Colab JupyterLab is not needed.
    """
    in_colab = (
        importlib.util.find_spec("google") is not None
        and importlib.util.find_spec("google.colab") is not None
    )
    missing = []
    for name in (needed,) if isinstance(needed, str) else needed:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            if not (in_colab and name == "jupyterlab"):
                missing.append(name)
    if not missing:
        return "Everything is there."
    return (
        f"Missing: {', '.join(missing)}. In a new cell run\n    %pip install {' '.join(missing)}\n"
        "then restart the kernel (menu Kernel, Restart) and run this notebook from the top."
    )


def use_course_printing():
    """Print arrays with 3 decimals and no exponents, so that a stored output is the same on every machine."""
    np.set_printoptions(precision=3, suppress=True, linewidth=110)


# ---------------------------------------------------------------------------
# 3. Pictures
# ---------------------------------------------------------------------------

INK, FAINT, BLOCKED, LIT, BLUE = (
    "#1a1a1a",
    "#8a8a8a",
    "#dddddd",
    "#d55e00",
    "#0072b2",
)  # safe for colour-blind readers
WEIGHT_COLORS, SCORE_COLORS = "cividis", "RdBu_r"
PRINT_UP_TO = 12  # larger matrices show colours only, their numbers would not be legible
STAGES = ("Q, K, V", "QKᵀ", "÷ √d_k", "mask", "softmax", "· V")


class Picture:
    """A matplotlib figure that displays itself together with its alternative text.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        What the picture shows, for readers who cannot see it.
    """

    def __init__(self, figure, alt):
        self.figure, self.alt = figure, alt

    def __repr__(self):
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        buffer = io.BytesIO()
        # Software=None: the file must not depend on matplotlib's version string
        self.figure.savefig(buffer, format="png", dpi=120, bbox_inches="tight", metadata={"Software": None})
        return _image_bundle(buffer.getvalue(), "image/png", self.alt, "max-width:100%;height:auto")


def show(figure, alt):
    """Display a matplotlib figure with alternative text: make it a cell's last line.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        One or two sentences that say what the picture shows.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError
        If `figure` is no matplotlib figure, or `alt` no text.
    ValueError
        If `alt` is empty: a picture without it is lost on a reader who cannot see it.
    """
    import matplotlib.pyplot as plt

    if not isinstance(figure, plt.Figure):
        raise TypeError(
            f"show: expected a matplotlib figure, got {type(figure).__name__}; pass the first result of "
            "plt.subplots(), or ax.figure, and leave plt.show() out"
        )
    if not isinstance(alt, str):
        raise TypeError(
            f"show: alt must be text, got {type(alt).__name__}; say in a sentence what the picture shows"
        )
    if not alt.strip():
        raise ValueError("show: alt is empty; say in a sentence what the picture shows")

    plt.close(figure)  # else the notebook would draw it a second time
    return Picture(figure, alt)


def plot_scores(scores, queries=None, keys=None, *, mask=None, title="Scores QKᵀ", ax=None):
    """Heatmap of scores: queries down the side, keys along the bottom, colours centred on 0.

    Parameters
    ----------
    scores : array_like, shape (L_q, L_k)
        One matrix; of a batch or several heads pick one first, `scores[0]`.
    queries, keys : sequence of str, optional
        Names of rows and columns; `keys` is `queries` if not given, positions if both are missing.
    mask : array_like of bool, shape (L_q, L_k), optional
        True = may look. The other cells are drawn hatched; cells of -inf always are.
    title : str
    ax : matplotlib.axes.Axes, optional
        Where to draw; a figure of its own if not given.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError, ValueError
        If `scores` is no matrix of real numbers, or names or mask do not fit it.
    """
    scores, allowed = _check_matrix("scores", scores, mask)
    seen = scores[allowed & np.isfinite(scores)]
    # no more than 1e300: matplotlib takes the difference of both limits
    top = min(max(float(np.abs(seen).max()), 1e-9), 1e300) if seen.size else 1.0
    return _plot_matrix(scores, allowed, queries, keys, title, ax, SCORE_COLORS, (-top, top), "score")


def plot_attention(weights, queries=None, keys=None, *, mask=None, title="Attention weights", ax=None):
    """Heatmap of attention weights: queries down the side, keys along the bottom, colours from 0 to 1.

    Parameters
    ----------
    weights : array_like, shape (L_q, L_k)
        One matrix of shares between 0 and 1; of a batch or several heads pick one first.
    queries, keys, mask, title, ax
        As in `plot_scores`.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError, ValueError
        As `plot_scores`; also if a weight lies outside 0 to 1.
    """
    weights, allowed = _check_matrix("weights", weights, mask)
    outside = (weights < -1e-6) | (weights > 1 + 1e-6)
    if outside.any():
        raise ValueError(
            f"weights hold {weights[outside][0]:.3g}, but shares lie between 0 and 1; scores go to plot_scores"
        )
    return _plot_matrix(weights, allowed, queries, keys, title, ax, WEIGHT_COLORS, (0, 1), "weight")


def plot_pipeline(step):
    """The six steps of attention in a row, one of them lit.

    Parameters
    ----------
    step : str or None
        One of STAGES, for example "softmax"; None lights all of them.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no such step.
    """
    if step is not None and step not in STAGES:
        raise ValueError(f"no step {step!r}; the steps are {', '.join(map(repr, STAGES))}")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 0.9))
    ax = figure.add_axes([0, 0, 1, 1], xlim=(-0.1, len(STAGES) - 0.1), ylim=(-0.5, 0.5))
    ax.axis("off")
    for place, name in enumerate(STAGES):
        lit = step in (None, name)
        box = {
            "boxstyle": "round,pad=0.5",
            "facecolor": LIT if lit else "white",
            "edgecolor": LIT if lit else FAINT,
        }
        ax.text(
            place + 0.4,
            0,
            name,
            ha="center",
            va="center",
            fontsize=13,
            color="white" if lit else INK,
            bbox=box,
        )
        if place:
            ax.annotate(
                "", (place + 0.02, 0), (place - 0.22, 0), arrowprops={"arrowstyle": "->", "color": FAINT}
            )
    where = "all steps are lit" if step is None else f"the step {step} is lit"
    return Picture(figure, f"The pipeline {' → '.join(STAGES)}; {where}.")


def _image_bundle(content, mime, alt, style):
    """What a notebook stores of a picture: an <img> with its alternative text, and that text alone."""
    data = base64.b64encode(content).decode("ascii")
    return {
        "text/html": f'<img alt="{html.escape(alt)}" style="{style}" src="data:{mime};base64,{data}">',
        "text/plain": alt,
    }


def _check_matrix(name, values, mask):
    """One matrix of floats, and which of its cells may be looked at."""
    (values,), _ = _as_floats(**{name: values})
    if values.ndim != 2 or not values.size:
        raise ValueError(
            f"{name} has shape {values.shape}, expected one matrix (L_q, L_k); of a batch or several heads pick one, {name}[0]"
        )
    allowed = ~np.isneginf(values)
    if mask is not None:
        mask = _as_array("mask", mask)
        if mask.dtype != bool:
            raise TypeError(
                f"mask has dtype {mask.dtype}, expected bool, True = may look; {_mask_remedy(mask)}"
            )
        try:
            allowed = allowed & np.broadcast_to(mask, values.shape)
        except ValueError as error:
            raise ValueError(
                f"mask {mask.shape} does not fit {name} {values.shape}; of a batch pick the same one of both"
            ) from error
    return values, allowed


def _plot_matrix(values, allowed, queries, keys, title, ax, colors, limits, what):
    """Draw one matrix with both axes named; returns the Picture."""
    from matplotlib import colormaps

    (rows, columns), keys = values.shape, queries if keys is None else keys
    queries, keys = _labels("queries", queries, rows), _labels("keys", keys, columns)
    ax = _axes_for(ax, rows, columns)
    # a NaN stays white; the cells that are blocked are hatched below
    shown = np.where(allowed, values, np.nan)
    image = ax.imshow(
        shown, cmap=colormaps[colors].with_extremes(bad="white"), vmin=limits[0], vmax=limits[1]
    )
    ax.figure.colorbar(image, ax=ax, label=what, fraction=0.046, pad=0.04)
    for i, j in zip(*np.nonzero(~allowed), strict=True):
        ax.add_patch(_hatched_cell(i, j))
    if max(rows, columns) <= PRINT_UP_TO:
        for i, j in zip(*np.nonzero(allowed), strict=True):
            dark = sum(image.cmap(image.norm(values[i, j]))[:3]) < 1.5
            ax.text(
                j,
                i,
                _number(values[i, j]),
                ha="center",
                va="center",
                fontsize=9,
                color="white" if dark else INK,
            )
    flat = columns <= 6 and max(map(len, keys)) <= 7  # longer names would run into one another
    # parse_math: a token may hold a $
    ax.set_xticks(range(columns), keys, rotation=0 if flat else 90, parse_math=False)
    ax.set_yticks(range(rows), queries, parse_math=False)
    ax.set(xlabel="key: who answers", ylabel="query: who asks")
    ax.set_title(title, parse_math=False)
    whole = ax.figure.figure  # of a subfigure the figure around it
    return Picture(whole, f"{title}. {_describe(values, allowed, queries, keys, what)}")


def _axes_for(ax, rows, columns):
    """The given axes, or those of a new figure large enough for the cells."""
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    if ax is None:
        return Figure(figsize=(1.8 + 0.62 * min(columns, 12), 1.3 + 0.55 * min(rows, 12))).add_subplot()
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes, got {type(ax).__name__}; of several pick one, axes[0], "
            "and of a figure make one, figure.add_subplot()"
        )
    return ax


def _hatched_cell(row, column):
    """A grey, hatched square over one blocked cell: blocked must not look like 0."""
    from matplotlib.patches import Rectangle

    return Rectangle(
        (column - 0.5, row - 0.5), 1, 1, facecolor=BLOCKED, edgecolor=FAINT, hatch="////", linewidth=0
    )


def _labels(name, given, count):
    """Names of rows or columns as text; positions from 0 where none are given."""
    try:
        labels = list(map(str, range(count) if given is None else given))
    except TypeError as error:
        raise TypeError(
            f"{name} must be a list of names, got {type(given).__name__}; pass one name for each"
        ) from error
    if len(labels) != count:
        raise ValueError(f"{len(labels)} names for {count} {name}; pass one name for each")
    return labels


def _describe(values, allowed, queries, keys, what):
    """One matrix in words: its size, its extreme values and where they are, how much is blocked."""
    text = f"{len(queries)} queries by {len(keys)} keys"
    if not allowed.any():
        return f"{text}; no query may look at any key."
    queries, keys = _told_apart(queries), _told_apart(keys)
    seen = allowed & np.isfinite(values)
    for name, pick in (("largest", np.argmax), ("smallest", np.argmin)) if seen.any() else ():
        fill = -np.inf if name == "largest" else np.inf
        i, j = np.unravel_index(pick(np.where(seen, values, fill)), values.shape)
        text += f"; {name} {what} {_number(values[i, j])}, {queries[i]} → {keys[j]}"
    odd, blocked = int((allowed & ~seen).sum()), int((~allowed).sum())
    if odd:
        text += f"; NaN or infinite: {odd}"
    return text + (f"; {blocked} of {values.size} pairs blocked." if blocked else ".")


def _told_apart(names):
    """Names with their position, counted from 1, added to those that occur twice."""
    return [f"{name} ({i})" if names.count(name) > 1 else name for i, name in enumerate(names, 1)]


class Drawing:
    """An SVG picture built from a few kinds of marks; lengths are pixels at size 1.

    It is text: crisp at any size, its numbers can be selected, a frame takes a millisecond
    or two. No mark uses an id, so that many drawings can stand on one page.
    """

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.marks = width, height, title, []

    def svg(self, description, size=1.0):
        """The picture as SVG text, `size` times as large, with its description for screen readers."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{self.width * size:g}" height="{self.height * size:g}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" font-family="Arial, Helvetica, Liberation Sans, sans-serif">'
            f"<title>{html.escape(self.title)}</title><desc>{html.escape(description)}</desc>"
            f'<rect width="100%" height="100%" fill="white"/>{"".join(self.marks)}</svg>'
        )

    def text(self, x, y, text, *, anchor="start", font=13, color=INK, bold=False, turn=0):
        """One line of text; `y` is its middle."""
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate({turn:g} {x:.4g} {y:.4g})"' if turn else ""
        self.marks.append(
            f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}" dominant-baseline="central" font-size="{font:.3g}" '
            f'fill="{color}"{weight}{turned}>{html.escape(str(text))}</text>'
        )

    def line(self, x1, y1, x2, y2, *, color=INK, width=1.0, dash=None, arrow=False):
        """A straight line, dashed or with an arrow head where asked."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(
            f'<path d="M{x1:.4g} {y1:.4g}L{x2:.4g} {y2:.4g}" stroke="{color}" stroke-width="{width:g}" fill="none"{dashed}/>'
        )
        length = math.hypot(x2 - x1, y2 - y1)
        if arrow and length > 1:
            along, across = (x2 - x1) / length * 10, (y2 - y1) / length * 10
            points = (
                (x2, y2),
                (x2 - along - across / 2, y2 - across + along / 2),
                (x2 - along + across / 2, y2 - across - along / 2),
            )
            self.marks.append(
                f'<polygon points="{" ".join(f"{x:.4g},{y:.4g}" for x, y in points)}" fill="{color}"/>'
            )

    def box(self, x, y, width, height, *, fill="none", edge="none", thick=1.0):
        """A rectangle."""
        self.marks.append(
            f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" fill="{fill}" stroke="{edge}" stroke-width="{thick:g}"/>'
        )

    def matrix(
        self,
        x,
        y,
        values,
        *,
        cell,
        colors,
        limits,
        allowed=None,
        rows=None,
        columns=None,
        title=None,
        lit=None,
        digits=2,
    ):
        """A matrix of coloured cells, its values printed where they fit, blocked cells hatched.

        `x`, `y` is the upper-left corner of the cells; labels stand to the left and on top.
        `lit` frames one row (an int), or one cell (a pair of ints).
        """
        n_rows, n_columns = values.shape
        allowed = ~np.isneginf(values) if allowed is None else allowed
        fills, inks = _cell_colors(values, allowed, colors, limits)
        squares = {}  # one path a colour: half the text of one mark a cell
        for i, row in enumerate(fills):
            for j, fill in enumerate(row):
                squares.setdefault(fill, []).append(f"M{x + j * cell} {y + i * cell}h{cell}v{cell}h-{cell}z")
        self.marks += [f'<path fill="{fill}" d="{"".join(parts)}"/>' for fill, parts in squares.items()]
        if max(n_rows, n_columns) <= PRINT_UP_TO:
            self._numbers(x, y, values, allowed, inks, cell, digits)
        self._hatch(x, y, allowed, cell)
        self.box(x, y, n_columns * cell, n_rows * cell, edge=FAINT)
        self._matrix_labels(x, y, cell, rows, columns, title)
        if lit is not None:
            (i, j), span = (lit, 1) if isinstance(lit, tuple) else ((lit, 0), n_columns)
            self.box(x + j * cell, y + i * cell, span * cell, cell, edge=LIT, thick=3)

    def _numbers(self, x, y, values, allowed, inks, cell, digits):
        font = min(13, cell * 0.36)
        start = f'<g font-size="{font:.3g}" text-anchor="middle" dominant-baseline="central">'
        cells = [
            f'<text x="{x + (j + 0.5) * cell:.4g}" y="{y + (i + 0.5) * cell:.4g}" fill="{inks[i][j]}">{_number(values[i, j], digits)}</text>'
            for i, j in zip(*np.nonzero(allowed), strict=True)
        ]
        self.marks += [start, *cells, "</g>"]

    def _hatch(self, x, y, allowed, cell):
        half = cell / 2
        strokes = ""
        for i, j in zip(*np.nonzero(~allowed), strict=True):
            left, top = x + int(j) * cell, y + int(i) * cell
            strokes += f"M{left} {top + cell}l{cell} -{cell}"
            if cell >= 20:  # smaller cells are dense enough with one stroke
                strokes += f"M{left} {top + half:g}l{half:g} -{half:g}M{left + half:g} {top + cell}l{half:g} -{half:g}"
        if strokes:
            self.marks.append(f'<path d="{strokes}" stroke="{FAINT}" stroke-width="1" fill="none"/>')

    def _matrix_labels(self, x, y, cell, rows, columns, title):
        font = max(9, min(13, cell * 0.5))
        for i, name in enumerate(rows or ()):
            self.text(x - 5, y + (i + 0.5) * cell, name, anchor="end", font=font)
        steep = len(columns or ()) > 6 or cell < 40
        for j, name in enumerate(columns or ()):
            self.text(
                x + (j + 0.5) * cell,
                y - 8,
                name,
                anchor="start" if steep else "middle",
                font=font,
                turn=-60 if steep else 0,
            )
        if title:
            self.text(x, y - (58 if steep and columns else 26), title, font=14, bold=True)

    def bars(
        self, x, y, width, height, values, *, limits, labels=None, color=BLUE, title=None, digits=2, lit=None
    ):
        """Upright bars between `limits`, from 0 up or down, each with its value where at most 12 stand side by side.

        None among the values leaves its place hatched: blocked is not the same as 0.
        """
        low, high = limits
        step, zero = width / len(values), y + height * high / (high - low)
        for place, value in enumerate(values):
            middle = x + (place + 0.5) * step
            if labels is not None:
                self._bar_label(middle, y + height + 12, labels[place], step, steep=len(values) > 6)
            if value is None:
                self._hatch(middle - 0.3 * step, zero - 0.6 * step, np.array([[False]]), 0.6 * step)
                continue
            shown = min(max(value, low), high) if math.isfinite(value) else 0.0
            top = y + height * (high - max(shown, 0)) / (high - low)
            tall = height * abs(shown) / (high - low)
            self.box(x + (place + 0.12) * step, top, 0.76 * step, tall, fill=LIT if place == lit else color)
            if len(values) <= PRINT_UP_TO:
                at = top - 9 if value >= 0 or not math.isfinite(value) else top + tall + 9
                self.text(middle, at, _number(value, digits), anchor="middle", font=11)
        self.line(x, zero, x + width, zero, color=FAINT)
        if title:
            self.text(x, y - 26, title, font=14, bold=True)

    def _bar_label(self, x, y, label, step, steep):
        turned = {"anchor": "end", "turn": -60} if steep else {"anchor": "middle"}
        self.text(x, y, label, font=min(11, step), **turned)

    def color_bar(self, x, y, height, *, colors, limits, label, blocked=False):
        """The scale of colours from limits[0] at the bottom to limits[1] on top; `blocked` adds the hatched sample."""
        steps = _color_table(colors)[0][::-4]
        tall = height / len(steps)
        self.marks += [
            f'<rect x="{x:.4g}" y="{y + k * tall:.4g}" width="14" height="{tall + 0.5:.4g}" fill="{c}"/>'
            for k, c in enumerate(steps)
        ]
        self.box(x, y, 14, height, edge=FAINT)
        for share in (0, 0.5, 1):
            self.text(
                x + 19,
                y + height * (1 - share),
                f"{limits[0] + share * (limits[1] - limits[0]):.3g}",
                font=11,
            )
        self.text(x + 7, y - 14, label, anchor="middle", font=12)
        if blocked:
            self.box(x, y + height + 14, 14, 14, fill=BLOCKED, edge=FAINT)
            self._hatch(x, y + height + 14, np.array([[False]]), 14)
            self.text(x + 19, y + height + 21, "blocked", font=11)


@functools.cache
def _color_table(name):
    """A matplotlib colormap as 256 colours in hexadecimal, and the ink that reads on each."""
    from matplotlib import colormaps

    table = colormaps[name](np.arange(256), bytes=True)[:, :3].astype(int)
    dark = table @ [0.299, 0.587, 0.114] < 140
    return ["#{:02x}{:02x}{:02x}".format(*color) for color in table], ["white" if d else INK for d in dark]


def _cell_colors(values, allowed, colors, limits):
    """Fill and ink of every cell, as nested lists."""
    hues, inks = _color_table(colors)
    share = np.nan_to_num((values - limits[0]) / (limits[1] - limits[0]), nan=0.5, posinf=1, neginf=0)
    place = np.clip(np.rint(share * 255), 0, 255).astype(int)
    place = np.where(allowed, np.where(np.isnan(values), 257, place), 256).tolist()
    hues, inks = [*hues, BLOCKED, "#ffffff"], [*inks, INK, INK]
    return [[hues[k] for k in row] for row in place], [[inks[k] for k in row] for row in place]


def _number(value, digits=2):
    """A number as printed in a picture: rounded, never -0.00, and short where it is large."""
    value = float(value)
    return f"{value:.3g}" if abs(value) >= 1e4 else f"{round(value, digits) + 0.0:.{digits}f}"


# ---------------------------------------------------------------------------
# 4. Explorers
# ---------------------------------------------------------------------------


class Explorer:
    """A row of controls over one picture that is drawn anew when a control moves.

    Every control is an attribute by its name: `explorer.d_k.value = 64` moves it from code.
    Of a slider and its number box that is the box, which holds exact values.

    Attributes
    ----------
    picture : ipywidgets.HTML
        Holds the SVG.
    size : ipywidgets.Dropdown
        Enlarges the picture, for projectors.
    widget : ipywidgets.VBox
        Everything together.

    Notes
    -----
    It displays as one bundle: the live widget, and beside it the picture as an <img>, which
    is what a page without a kernel shows. An error while drawing is shown in the picture,
    because a notebook shows errors of widget callbacks nowhere.
    """

    def __init__(self, draw, controls):
        """`draw(**values)` returns (Drawing, description); `controls` maps names to widgets or (slider, box) pairs, of which the box counts."""
        import ipywidgets as widgets

        self._draw = draw
        self.size = widgets.Dropdown(
            options=[("100 %", 1.0), ("125 %", 1.25), ("150 %", 1.5), ("200 %", 2.0)],
            value=1.0,
            description="size",
        )
        self.size.layout.width, self.size.style.description_width = "130px", "initial"
        self.picture = widgets.HTML()
        groups = []
        for name, control in {**controls, "size": self.size}.items():
            parts = control if isinstance(control, tuple) else (control,)
            setattr(self, name, parts[-1])
            groups.append(widgets.HBox(parts, layout=widgets.Layout(margin="0 16px 0 0")))
            if not isinstance(parts[-1], widgets.Button):
                parts[-1].observe(self.redraw, "value")
        self._names = [name for name in controls if not isinstance(getattr(self, name), widgets.Button)]
        self.widget = widgets.VBox(
            [widgets.HBox(groups, layout=widgets.Layout(flex_flow="row wrap")), self.picture]
        )
        self.redraw()

    def redraw(self, change=None):
        """Draw the picture for the controls as they stand."""
        values = {name: getattr(self, name).value for name in self._names}
        try:
            drawing, self.description = self._draw(**values)
            svg = drawing.svg(self.description, self.size.value)
        except Exception as error:  # shown to the reader, who would see it nowhere else
            settings = ", ".join(f"{name} = {value}" for name, value in values.items())
            drawing, self.description = _draw_error(error, settings)
            svg = drawing.svg(self.description)
        self._svg, self._title = svg, drawing.title
        # shrinks to fit a narrow page; larger sizes scroll, also where the page's own style would shrink them
        fit = "max-width:100%;height:auto" if self.size.value == 1 else "max-width:none"
        svg = svg.replace("<svg ", f'<svg style="{fit}" ', 1)
        self.picture.value = f'<div style="overflow-x:auto">{svg}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = _image_bundle(
            self._svg.encode(),
            "image/svg+xml",
            f"{self._title}. {self.description}",
            "max-width:100%;height:auto",
        )
        view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        return {"application/vnd.jupyter.widget-view+json": view, **bundle}

    def __repr__(self):
        return f"Explorer: {self._title}. {self.description}"


def _draw_error(error, settings):
    """A picture that says what went wrong, at which settings."""
    drawing = Drawing(700, 90, "This picture could not be drawn")
    drawing.text(12, 20, "This picture could not be drawn:", bold=True, color=LIT)
    drawing.text(12, 44, f"{type(error).__name__}: {error}")
    drawing.text(12, 68, f"at {settings}; move a control to go on.", color=FAINT)
    return drawing, f"{type(error).__name__}: {error}, at {settings}"


def _slider(label, value, low, high, step=1):
    """A slider and a number box of the same label; the box has an accessible name and takes exact values."""
    kind = "Int" if all(isinstance(number, int) for number in (value, low, high, step)) else "Float"

    def to_place(number):  # 10 decimals: 3 × 0.1 is 0.3
        return min(max(round(low + round((number - low) / step) * step, 10), low), high)

    return _slider_and_box(label, value, (low, high, step), kind, (low, high, step), kind, to_place, to_place)


def _log_slider(label, value, low, high, *, base=2, step=1.0, whole=True):
    """As `_slider`, over powers of `base`: equal steps multiply. `whole` numbers have a whole-number box."""
    first, last = round(math.log(low, base) / step), round(math.log(high, base) / step)

    def to_place(number):
        return min(max(round(math.log(number, base) / step), first), last)

    def to_number(place):
        exact = {first: low, last: high}.get(place, base ** (place * step))
        return round(exact) if whole else float(f"{exact:.3g}")

    kind, fine = ("Int", 1) if whole else ("Float", 0.01)
    return _slider_and_box(
        label, value, (first, last, 1), "Int", (low, high, fine), kind, to_place, to_number
    )


def _slider_and_box(label, value, ends, slider_kind, limits, box_kind, to_place, to_number):
    """A (slider, box) pair. The box holds the number; the slider stands at the place nearest to it.

    Not widgets.link: a browser moves a slider to the nearest step and sends that back, so 100 typed into
    the box would become 128. Here the slider changes the number only when it goes to another place.
    """
    import ipywidgets as widgets

    wide = {"description": label, "style": {"description_width": "initial"}}
    pixels = 8 * len(label)  # room for the label, which shares the width with the control
    (first, last, step), (low, high, fine) = ends, limits
    slider = getattr(widgets, f"{slider_kind}Slider")(
        **wide, value=to_place(value), min=first, max=last, step=step, readout=False,
        layout=widgets.Layout(width=f"{170 + pixels}px"),
    )  # fmt: skip
    box = getattr(widgets, f"Bounded{box_kind}Text")(
        **wide,
        value=value,
        min=low,
        max=high,
        step=fine,
        layout=widgets.Layout(width=f"{90 + pixels}px", margin="2px 2px 2px 12px"),
    )

    def take(change):
        if to_place(box.value) != to_place(to_number(slider.value)):
            box.value = to_number(slider.value)

    slider.observe(take, "value")
    box.observe(lambda change: setattr(slider, "value", to_place(box.value)), "value")
    return slider, box


def _choice(label, options, value=None):
    """A drop-down list."""
    import ipywidgets as widgets

    style, width = {"description_width": "initial"}, widgets.Layout(width="230px")
    return widgets.Dropdown(
        options=options,
        value=options[0] if value is None else value,
        description=label,
        style=style,
        layout=width,
    )


def _switch(label, value):
    """A box to tick."""
    import ipywidgets as widgets

    return widgets.Checkbox(value=value, description=label, indent=False, layout=widgets.Layout(width="auto"))


def explore_dot_product():
    """Two vectors turned and stretched, their dot product, and its place in QKᵀ (lesson 01).

    Returns
    -------
    Explorer
        Controls: angle (degrees from q to k), q_length, k_length.
    """
    return Explorer(
        _draw_dot_product,
        {
            "angle": _slider("angle", 60, -180, 180, 5),
            "q_length": _slider("q_length", 2.0, 0.0, 3.0, 0.1),
            "k_length": _slider("k_length", 1.5, 0.0, 3.0, 0.1),
        },
    )


def _draw_dot_product(angle, q_length, k_length):
    start = math.radians(20)
    q = q_length * np.array([math.cos(start), math.sin(start)])
    k = k_length * np.array([math.cos(start + math.radians(angle)), math.sin(start + math.radians(angle))])
    drawing = Drawing(720, 330, "Two vectors and their dot product")
    _draw_plane(drawing, 155, 165, 45, q, k)
    dot = float(q @ k)
    shadow = k_length * math.cos(math.radians(angle))
    lines = (
        (f"q = [{_number(q[0])}, {_number(q[1])}]", BLUE),
        (f"k = [{_number(k[0])}, {_number(k[1])}]", LIT),
        (f"q·k = {_number(q[0])} × {_number(k[0])} + {_number(q[1])} × {_number(k[1])}", INK),
        (f"= length of q × shadow of k = {_number(q_length)} × {_number(shadow)}", INK),
    )
    for place, (line, color) in enumerate(lines):
        drawing.text(330, 30 + 22 * place, line, color=color)
    drawing.text(330, 120, f"q·k = {_number(dot)}", font=17, bold=True)
    Q, K = np.array([[1.0, -0.5], q, [-1.0, 1.0]]), np.array([[0.5, 1.0], [-1.0, -1.0], k])
    scores = Q @ K.T
    labels = {"rows": ["q₁", "q₂ = q", "q₃"], "columns": ["k₁", "k₂", "k₃ = k"]}
    drawing.text(330, 154, "Its place in QKᵀ: row of q₂, column of k₃", bold=True)
    drawing.matrix(400, 188, scores, cell=44, colors=SCORE_COLORS, limits=(-9, 9), lit=(1, 2), **labels)
    drawing.color_bar(600, 188, 132, colors=SCORE_COLORS, limits=(-9, 9), label="score")
    kind = (
        "have nothing in common"
        if abs(dot) < 0.005
        else "point more along than against each other"
        if dot > 0
        else "point more against than along each other"
    )
    return (
        drawing,
        f"Angle {angle} degrees, lengths {q_length:.2f} and {k_length:.2f}: q·k = {_number(dot)}; the vectors {kind}.",
    )


def _draw_plane(drawing, x, y, unit, q, k):
    """Both arrows around the origin (x, y), and the shadow that k throws on the line of q."""
    drawing.line(x - 3.2 * unit, y, x + 3.2 * unit, y, color=BLOCKED)
    drawing.line(x, y - 3.2 * unit, x, y + 3.2 * unit, color=BLOCKED)
    squared = float(q @ q)
    if squared:
        foot = (q @ k) / squared * q
        drawing.line(
            x + unit * k[0], y - unit * k[1], x + unit * foot[0], y - unit * foot[1], color=FAINT, dash="4 3"
        )
        drawing.line(x, y, x + unit * foot[0], y - unit * foot[1], color=FAINT, width=7)
    for vector, color, name, side in ((q, BLUE, "q", 9), (k, LIT, "k", -9)):
        tip = x + unit * vector[0], y - unit * vector[1]
        drawing.line(x, y, *tip, color=color, width=3, arrow=True)
        length = math.hypot(*vector)
        along = vector / length if length else np.array([1.0, 0.0])
        away = 12 * along + side * np.array([-along[1], along[0]])  # aside, so that equal arrows stay apart
        drawing.text(
            tip[0] + away[0], tip[1] - away[1], name, anchor="middle", color=color, bold=True, font=15
        )
    drawing.text(x - 3.2 * unit, y + 3.35 * unit, "grey bar: shadow of k on q", font=11, color="#555555")


def explore_scaling():
    """What d_k does to scores and weights, with and without ÷√d_k, side by side (lesson 02).

    Returns
    -------
    Explorer
        Controls: d_k (1 to 1024, log), length (number of keys, 2 to 64), seed.
    """
    return Explorer(
        _draw_scaling,
        {
            "d_k": _log_slider("d_k", 64, 1, 1024),
            "length": _slider("length", 16, 2, 64),
            "seed": _slider("seed", 0, 0, 20),
        },
    )


@functools.lru_cache(maxsize=8)
def _random_scores(d_k, length, seed, n_queries=200):
    """Scores of random queries and keys with entries of variance 1, shape (n_queries, length)."""
    rng = np.random.default_rng([seed, d_k])
    return rng.standard_normal((n_queries, d_k)) @ rng.standard_normal((d_k, length))


def _draw_scaling(d_k, length, seed):
    d_k = round(d_k)
    unscaled = _random_scores(d_k, length, seed)
    drawing = Drawing(760, 480, f"Scores and weights at d_k = {d_k}")
    words = []
    sides = (("unscaled: QKᵀ", unscaled, LIT), (f"scaled: QKᵀ/√{d_k}", unscaled / math.sqrt(d_k), BLUE))
    for x, (name, scores, color) in zip((40, 420), sides, strict=True):
        weights = softmax(scores)
        _draw_histogram(drawing, x, 60, 310, 130, scores, color, name)
        drawing.text(x, 232, f"standard deviation of the scores: {scores.std():.2f}")
        largest, spread = weights.max(axis=-1).mean(), entropy(weights).mean() / math.log(length)
        title = f"weights of the first query over {length} keys"
        drawing.bars(x, 300, 310, 110, weights[0], limits=(0, 1), color=color, title=title)
        drawing.text(x, 432, f"mean over 200 queries: largest weight {largest:.2f}")
        drawing.text(x, 452, f"entropy / ln L {spread:.2f}  (1 = flat, 0 = one key takes all)")
        words.append(
            f"{name}: standard deviation {scores.std():.2f}, mean largest weight {largest:.2f}, entropy/ln L {spread:.2f}"
        )
    return drawing, f"{length} keys. " + "; ".join(words) + "."


def _draw_histogram(drawing, x, y, width, height, scores, color, title):
    """Shares of scores in bins of width 2 from -40 to 40; the outermost bins take in what lies beyond."""
    edges = np.arange(-41, 42, 2)
    counts, _ = np.histogram(np.clip(scores, -40, 40), edges)
    shares = counts / scores.size
    drawing.bars(x, y, width, height, shares, limits=(0, max(shares.max(), 0.05)), color=color, title=title)
    for value in (-40, -20, 0, 20, 40):
        name = {-40: "≤ −40", 40: "≥ 40"}.get(value, f"{value}".replace("-", "−"))
        drawing.text(x + width * (value + 41) / 82, y + height + 14, name, anchor="middle", font=11)
    drawing.text(x + width / 2, y + height + 28, "score", anchor="middle", font=11)


def explore_mask():
    """Which keys a query may look at, and what masking before or after softmax gives (lesson 03).

    Returns
    -------
    Explorer
        Controls: kind ("none", "causal", "padding", "causal and padding"), length (1 to 12),
        padding (padded positions at the end), where ("before softmax", "after softmax").
    """
    controls = {
        "kind": _choice("kind", ["none", "causal", "padding", "causal and padding"], "causal"),
        "length": _slider("length", 6, 1, PRINT_UP_TO),
        "padding": _slider("padding", 2, 0, PRINT_UP_TO),
        "where": _choice("where", ["before softmax", "after softmax"]),
    }
    return Explorer(_draw_mask, controls)


def _mask_of_kind(kind, length, padding):
    """The boolean mask (length, length) that a kind's name stands for."""
    allowed = causal_mask(length) if "causal" in kind else np.ones((length, length), dtype=bool)
    return allowed & padding_mask(max(length - padding, 0), length) if "padding" in kind else allowed


def _draw_mask(kind, length, padding, where):
    tokens, X, W_Q, W_K, _ = load_example(length)
    padding = min(padding, length) if "padding" in kind else 0
    tokens = tokens[: length - padding] + ["[pad]"] * padding
    allowed = _mask_of_kind(kind, length, padding)
    scaled = (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[-1])
    early = where == "before softmax"
    weights = softmax(np.where(allowed, scaled, -np.inf)) if early else softmax(scaled) * allowed
    cell = 34 if length <= 6 else 26
    pitch = max(300, length * cell + 95)
    drawing = Drawing(3 * pitch + 30, 150 + cell * max(length, 3), f"Mask: {kind}, applied {where}")
    seen = allowed if early else np.ones_like(allowed)
    top = max(1.0, float(np.abs(scaled).max()))
    panels = (
        ("mask: 1 = may look", allowed.astype(float), allowed, "Greys", (-1, 4), 0),
        ("scaled scores, masked" if early else "scaled scores", scaled, seen, SCORE_COLORS, (-top, top), 1),
        (f"weights, mask {where}", weights, allowed, WEIGHT_COLORS, (0, 1), 2),
    )
    for x, (title, values, shown, colors, limits, digits) in zip(
        (70, 70 + pitch, 70 + 2 * pitch), panels, strict=True
    ):
        labels = {"rows": tokens, "columns": tokens, "title": title}
        drawing.matrix(
            x, 90, values, cell=cell, colors=colors, limits=limits, allowed=shown, digits=digits, **labels
        )
    sums, right = weights.sum(axis=-1), 76 + 2 * pitch + length * cell
    for i, total in enumerate(sums):
        drawing.text(right, 90 + (i + 0.5) * cell, f"Σ {total:.2f}", font=12, bold=abs(total - 1) > 0.005)
    blocked, empty = int((~allowed).sum()), int((~allowed.any(axis=-1)).sum())
    words = f"{blocked} of {allowed.size} pairs blocked; row sums of the weights from {sums.min():.2f} to {sums.max():.2f}"
    if empty:
        words += f"; queries that may look at nothing: {empty}, their weights are 0"
    drawing.text(70, drawing.height - 18, words)
    return drawing, words + "."


def explore_softmax():
    """Scores, their softmax and its Jacobian, with one score to drag and a temperature (lesson 04).

    Returns
    -------
    Explorer
        Controls: score (of the last of five keys), temperature (0.05 to 20, log), subtract_max.
    """
    controls = {
        "score": _slider("score", 1.5, -20.0, 20.0, 0.5),
        "temperature": _log_slider("temperature", 1.0, 0.05, 20.0, base=10, step=0.1, whole=False),
        "subtract_max": _switch("subtract_max", True),
    }
    return Explorer(_draw_softmax, controls)


def _draw_softmax(score, temperature, subtract_max):
    scores = (np.array([1.0, 2.0, 0.5, -1.0, score]) / temperature).astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):  # the overflow is what the picture shows
        powers = np.exp(scores)
        weights = softmax(scores) if subtract_max else powers / powers.sum()
        jacobian = np.diag(weights) - np.outer(weights, weights)
    drawing, keys = Drawing(860, 310, "Scores and their softmax"), ["k₁", "k₂", "k₃", "k₄", "k₅"]
    top = max(5.0, float(np.abs(scores).max()) * 1.15)
    drawing.bars(
        20, 60, 240, 180, scores, limits=(-top, top), labels=keys, title="scores / temperature T", lit=4
    )
    drawing.bars(310, 60, 240, 180, weights, limits=(0, 1.0), labels=keys, title="softmax, float32", lit=4)
    drawing.matrix(
        620,
        60,
        jacobian,
        cell=36,
        colors=SCORE_COLORS,
        limits=(-0.25, 0.25),
        rows=keys,
        title="Jacobian: ∂weight/∂(score/T)",
    )
    drawing.color_bar(815, 60, 180, colors=SCORE_COLORS, limits=(-0.25, 0.25), label="")
    if np.isfinite(weights).all():
        spread = entropy(weights.astype(float)) / math.log(5)
        words = f"largest weight {weights.max():.3f}; entropy/ln 5 {spread:.2f}; largest entry of the Jacobian {np.abs(jacobian).max():.3f}"
    else:
        words = f"exp({scores.max():.0f}) overflows float32 (limit 88.72): inf/inf gives nan; subtract the largest score first"
    drawing.text(20, 290, words)
    return drawing, f"Scores {', '.join(_number(s) for s in scores)}: {words}."


def explore_pipeline():
    """The whole of attention, stage by stage, one token's row followed through (lesson 05).

    Returns
    -------
    Explorer
        Controls: stage (0 to 5, the names are STAGES), length (1 to 8), d_k (1 to 8),
        row (the token followed), causal; back and forward are buttons.
    """
    import ipywidgets as widgets

    small = widgets.Layout(width="90px")
    controls = {
        "back": widgets.Button(description="back", layout=small),
        "forward": widgets.Button(description="forward", layout=small),
        "stage": _slider("stage", len(STAGES) - 1, 0, len(STAGES) - 1),
        "length": _slider("length", 4, 1, 8),
        "d_k": _slider("d_k", 8, 1, 8),
        "row": _slider("row", 3, 0, 7),
        "causal": _switch("causal", True),
    }
    explorer = Explorer(_draw_pipeline, controls)
    for button, step in ((explorer.back, -1), (explorer.forward, 1)):
        button.on_click(
            lambda _, step=step: setattr(
                explorer.stage, "value", min(max(explorer.stage.value + step, 0), len(STAGES) - 1)
            )
        )
    return explorer


def _draw_pipeline(stage, length, d_k, row, causal):
    tokens, X, W_Q, W_K, W_V = load_example(length, d_k)
    row = min(row, length - 1)
    parts = _pipeline_parts(X @ W_Q, X @ W_K, X @ W_V, causal)
    cell, high = 29, 29 * length + 100
    drawing = Drawing(960, 20 + 3 * high, f"Attention, step {stage + 1} of {len(STAGES)}: {STAGES[stage]}")
    _draw_stages(drawing, stage)
    for place, (begins, title, values) in enumerate(parts):
        x, y = 60 + 310 * (place % 3), 100 + high * (place // 3)
        columns = tokens if begins in (1, 2, 3, 4) else None
        gap = 58 if columns else 20
        if begins > stage:
            drawing.text(x, y - gap, title, color="#555555")
            drawing.box(x, y, values.shape[1] * cell, length * cell, edge=BLOCKED)
            continue
        colors, limits = (WEIGHT_COLORS, (0, 1)) if begins == 4 else (SCORE_COLORS, _limits(values))
        if begins == stage:
            drawing.box(x - 54, y - gap - 14, 304, length * cell + gap + 24, edge=LIT, thick=2)
        drawing.matrix(
            x,
            y,
            values,
            cell=cell,
            colors=colors,
            limits=limits,
            rows=tokens,
            columns=columns,
            lit=None if title in "KV" else row,
        )
        drawing.text(x, y - gap, title, bold=True)
    lines = _row_in_words(stage, tokens, row, parts)
    for place, line in enumerate(lines):
        drawing.text(640, 70 + 2 * high + 24 * place, line, bold=not place)
    return drawing, " ".join(lines)


def _pipeline_parts(Q, K, V, causal):
    """Every matrix of the pipeline as (stage where it appears, title, values)."""
    allowed = causal_mask(len(Q)) if causal else np.ones((len(Q), len(Q)), dtype=bool)
    scores = Q @ K.T
    scaled = scores / math.sqrt(Q.shape[-1])
    output, weights = scaled_dot_product_attention(Q, K, V, allowed)
    return (
        (0, "Q", Q), (0, "K", K), (0, "V", V), (1, "scores = QKᵀ", scores), (2, f"scaled = scores / √{Q.shape[-1]}", scaled),
        (3, "masked", np.where(allowed, scaled, -np.inf)), (4, "weights = softmax", np.where(allowed, weights, -np.inf)), (5, "output = weights · V", output),
    )  # fmt: skip


def _row_in_words(stage, tokens, row, parts):
    """What one step does to the row of one token, in a few short lines with its numbers."""
    Q, K, V, scores, scaled, masked, weights, output = (values for _, _, values in parts)
    name, last = tokens[row], tokens[-1]
    best, total = int(np.argmax(weights[row])), weights[row][np.isfinite(weights[row])].sum()
    blocked = [token for token, score in zip(tokens, masked[row], strict=True) if np.isneginf(score)]
    told = {
        0: (
            f"{name} asks with its row of Q,",
            f"starting {_number(Q[row, 0])}; every token answers",
            f"with its row of K: {last}'s starts {_number(K[-1, 0])}.",
        ),
        1: (
            f"{name} · {last} = {_number(scores[row, -1])}:",
            "row of Q times row of K,",
            "multiplied entry by entry and added up.",
        ),
        2: (
            f"{_number(scores[row, -1])} becomes {_number(scaled[row, -1])}:",
            f"divided by √{Q.shape[1]} = {math.sqrt(Q.shape[1]):.2f}.",
        ),
        3: (
            f"Blocked for {name}: {', '.join(blocked) or 'nothing'}.",
            "A blocked score is −inf, whatever it was.",
        ),
        4: (
            f"{name} gives {tokens[best]} the most: {weights[row, best]:.2f}.",
            f"The row sums to {total:.2f}.",
        ),
        5: (
            f"{name}'s output starts {_number(output[row, 0])}:",
            "the rows of V, mixed in the shares",
            f"of {name}'s row of weights.",
        ),
    }
    return [f"Step {stage + 1}: {STAGES[stage]}", *told[stage]]


def _draw_stages(drawing, stage):
    """The names of all steps on top, those done so far in ink, the current one lit."""
    step = drawing.width / len(STAGES)
    for place, name in enumerate(STAGES):
        now = place == stage
        drawing.box(
            step * place + 12, 8, step - 24, 32, fill=LIT if now else "none", edge=LIT if now else FAINT
        )
        color = "white" if now else INK if place < stage else "#555555"
        drawing.text(step * (place + 0.5), 24, f"{place + 1}  {name}", anchor="middle", color=color, bold=now)


def _limits(values):
    """Colour limits centred on 0 that take in every finite value."""
    seen = np.abs(values[np.isfinite(values)])
    top = max(float(seen.max()), 1e-9) if seen.size else 1.0
    return -top, top


def explore_attention():
    """Attention weights as a heatmap, and one row of it as bars (lesson 06).

    Returns
    -------
    Explorer
        Controls: length (2 to 32), d_k (1 to 64, log), row (the query looked at), seed,
        causal, scaling.
    """
    controls = {
        "length": _slider("length", 8, 2, len(WORDS)),
        "d_k": _log_slider("d_k", 8, 1, 64),
        "row": _slider("row", 3, 0, len(WORDS) - 1),
        "seed": _slider("seed", 5, 0, 99),
        "causal": _switch("causal", True),
        "scaling": _switch("scaling", True),
    }
    return Explorer(_draw_attention, controls)


def _draw_attention(length, d_k, row, seed, causal, scaling):
    d_k, row = round(d_k), min(row, length - 1)
    tokens, X, W_Q, W_K, W_V = load_example(length, d_k, seed)
    allowed = causal_mask(length) if causal else np.ones((length, length), dtype=bool)
    _, weights = scaled_dot_product_attention(
        X @ W_Q, X @ W_K, X @ W_V, allowed, scale=None if scaling else 1.0
    )
    cell = 34 if length <= PRINT_UP_TO else max(13, 400 // length)
    side = cell * length
    drawing = Drawing(side + 520, max(side, 240) + 150, f"Attention weights, {length} tokens, d_k = {d_k}")
    drawing.matrix(
        80,
        90,
        weights,
        cell=cell,
        colors=WEIGHT_COLORS,
        limits=(0, 1),
        allowed=allowed,
        rows=tokens,
        columns=tokens,
        lit=row,
    )
    drawing.text(10, 14, "queries down the side, keys on top", font=12, color="#555555")
    drawing.color_bar(95 + side, 90, 170, colors=WEIGHT_COLORS, limits=(0, 1), label="weight", blocked=causal)
    drawing.bars(
        180 + side,
        90,
        320,
        150,
        [weight if may else None for weight, may in zip(weights[row], allowed[row], strict=True)],
        limits=(0, 1),
        labels=tokens,
        title=f"what {tokens[row]} looks at",
    )
    words = _describe(weights, allowed, tokens, tokens, "weight")
    spread = entropy(weights[row])
    row_words = f"Row {tokens[row]}: largest weight {weights[row].max():.2f}, entropy {spread:.2f} of at most ln {allowed[row].sum()} = {math.log(allowed[row].sum()):.2f}."
    drawing.text(10, drawing.height - 38, words, font=12)
    drawing.text(10, drawing.height - 16, row_words, font=12)
    return drawing, f"{words} {row_words}"
