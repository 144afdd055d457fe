"""Attention over long sequences: in blocks of rows, with a cache of keys and values, and what it costs.

Dtypes and errors are those of mathematics.py. Rabe and Staats, "Self-attention Does Not Need O(n²) Memory", 2021,
https://arxiv.org/abs/2112.05682, work in blocks of rows. Dao et al., "FlashAttention", 2022, https://arxiv.org/abs/2205.14135,
cut the keys into blocks too, which a softmax in one pass allows: Milakov and Gimelshein, "Online normalizer calculation for
softmax", 2018, https://arxiv.org/abs/1805.02867.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

try:
    from threadpoolctl import threadpool_limits  # not needed: pip install threadpoolctl
except ImportError:
    threadpool_limits = None  # then heads are not worked on side by side, only products are

from attn_parts.mathematics import (
    causal_mask,
    exponentials_of,
    masked_scores,
    quiet,
    read_mask,
    scale_of,
    weighted_sum,
    weights_of,
)
from attn_parts.validation import as_count, as_floats, as_switch, check_attention, check_mask

WORTH_THREADS = 2**26  # multiplications; with fewer, starting threads takes longer than they save


def tiled_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    block: int = 256,
) -> np.ndarray:
    """Compute the output of `scaled_dot_product_attention` for `block` queries at a time.

    Parameters
    ----------
    query, key, value, mask, scale
        As in `scaled_dot_product_attention`.
    causal : bool
        Query i looks at no key behind place i, as with `causal_mask(L_q, L_k)`, beside what `mask` says. Keys
        that no query of a block may look at cost nothing.
    block : int
        Queries worked on together, 1 or more. Changes time and memory, no result.

    Returns
    -------
    ndarray, shape (..., L_q, d_v)
        The output alone: weights would be the large matrix that blocks avoid.

    Notes
    -----
    Beside inputs and output it holds one block of scores, (block, L_k), for each processor at work. Blocks and heads
    share the processors where the package threadpoolctl is installed; without it each product does, the rest does not.

    Examples
    --------
    >>> Q, K, V = [[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]], [[3.0], [5.0], [10.0]]
    >>> print(tiled_attention(Q, K, V, causal=True, block=2))  # means of 3; 3 and 5; 3, 5 and 10
    [[3.]
     [4.]
     [6.]]
    """
    query, key, value, dtype, shape = check_attention(query, key, value)
    scale = scale_of(query, scale)
    *batch, n_queries, n_keys = shape
    block = as_count("block", block, 1)
    causal = as_switch("causal", causal, "a mask is passed as mask=")
    mask = check_mask(mask, shape, query.dtype)
    if mask is not None:
        mask = np.broadcast_to(mask, shape)
    query = np.broadcast_to(query, (*batch, *query.shape[-2:]))
    key = np.broadcast_to(key, (*batch, *key.shape[-2:]))
    value = np.broadcast_to(value, (*batch, *value.shape[-2:]))
    largest = np.finfo(value.dtype).max / max(n_keys, 1)
    careful = not np.abs(value).max(initial=0) <= largest
    output = np.empty((*batch, n_queries, value.shape[-1]), query.dtype)

    later = ~causal_mask(min(block, n_queries)) if causal else None  # the corner of each block, made once

    def attend(head, first):
        rows = (*head, slice(first, first + block))
        part = None if mask is None else mask[rows]
        with quiet():
            scaled = query[rows] * scale
            output[rows] = _attend_rows(scaled, key[head], value[head], part, first, later, careful)

    # the last blocks first: with causal they are the largest, and a small one at the end lets no thread wait
    firsts = range(0, n_queries, block)[::-1]
    pieces = [(head, first) for first in firsts for head in np.ndindex(*batch)]
    _in_threads(attend, pieces, output.size * n_keys)
    with quiet():
        return output.astype(dtype, copy=False)


def window_mask(n_queries: int, window: int, n_keys: int | None = None, offset: int = 0) -> np.ndarray:
    """Make the boolean mask of a sliding window: a query may look at the last `window` keys up to its own position.

    Query i may look at key j when i + offset - window < j <= i + offset; `n_keys` and `offset` are those of `causal_mask`.

    >>> print(window_mask(4, window=2).astype(int))
    [[1 0 0 0]
     [1 1 0 0]
     [0 1 1 0]
     [0 0 1 1]]
    """
    causal = causal_mask(n_queries, n_keys, offset)
    window = as_count("window", window, 1)
    places = np.arange(causal.shape[0])[:, None] + offset
    return causal & (np.arange(causal.shape[1]) > places - window)


class KVCache:
    """Keys and values of all tokens so far, so that generating computes each of them once.

    `length` tokens so far are the `offset` of `causal_mask` for those that come next. Keys and values take `nbytes`; the cache
    keeps up to as much again free for more.

    >>> cache = KVCache()
    >>> K, V = cache.append([[1.0, 0.0]], [[5.0]])  # the first token
    >>> K, V = cache.append([[0.0, 1.0]], [[7.0]])  # the second
    >>> print(K.shape, V.ravel(), cache.length, cache.nbytes)
    (2, 2) [5. 7.] 2 48
    """

    def __init__(self):
        self._held = ()  # arrays with room for more
        self.length = 0  # how much of them is in use

    def append(self, key: ArrayLike, value: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Keys (..., n, d_k) and values (..., n, d_v) of the next n tokens; returns those of all tokens so far, read-only."""
        new, dtype = as_floats(key=key, value=value)
        key_shape, value_shape = (one.shape for one in new)
        if len(key_shape) < 2 or key_shape[:-1] != value_shape[:-1]:
            raise ValueError(
                f"key {key_shape} and value {value_shape} must be (..., n, d_k) and (..., n, d_v), "
                "one value for each key; make one row of a single token with key[None, :], value[None, :]"
            )
        for name, one, old in zip(("key", "value"), new, self._stored(), strict=False):
            if (*one.shape[:-2], one.shape[-1]) != (*old.shape[:-2], old.shape[-1]):
                raise ValueError(
                    f"{name} has shape {one.shape}, but the cache holds {old.shape}; only their lengths, "
                    "the last axis but one, may differ: begin another sequence with a new KVCache()"
                )
        dtype = np.result_type(dtype, *self._held)  # the wider one: what is stored is never rounded
        first = self.length
        last = self.length + key_shape[-2]
        fits = self._held and last <= self._held[0].shape[-2] and dtype == self._held[0].dtype
        if not fits:  # doubled when full, so a token is copied about twice, however long the text
            room = max(last, 2 * first)
            grown = tuple(np.empty((*one.shape[:-2], room, one.shape[-1]), dtype) for one in new)
            for larger, old in zip(grown, self._stored(), strict=False):
                larger[..., :first, :] = old
            self._held = grown
        for held, one in zip(self._held, new, strict=True):
            held[..., first:last, :] = one
        self.length = last
        return self._stored()

    def _stored(self):
        """Views of what is in use, read-only, because they are the cache itself."""
        views = tuple(held[..., : self.length, :] for held in self._held)
        for view in views:
            view.flags.writeable = False
        return views

    @property
    def nbytes(self) -> int:
        return sum(view.nbytes for view in self._stored())


class AttentionCost(NamedTuple):
    """What attention over so many tokens takes."""

    multiplications: int  # of QKᵀ and weights·V
    nbytes: int  # scores held at once
    blocks: int  # of the matrix of scores: (block, block), less at its edges
    blocks_skipped: int  # that no query may look at


def attention_cost(
    n_queries: int,
    n_keys: int | None = None,
    *,
    d_k: int = 64,
    d_v: int | None = None,
    n_heads: int = 1,
    causal: bool = False,
    block: int | None = None,
    itemsize: int = 4,
) -> AttentionCost:
    """Count the cost of attention, with the whole matrix of scores or, with `block`, as in `tiled_attention`.

    There are as many keys as queries, and d_v is d_k, if not given; `itemsize` is in bytes, 4 for float32. The cost is that
    of all heads, `nbytes` that of one where heads come one after the other in blocks. exp and sums are left out.

    >>> attention_cost(4096, causal=True, block=1024)  # 10 of 16 blocks
    AttentionCost(multiplications=1342177280, nbytes=16777216, blocks=16, blocks_skipped=6)
    """
    n_queries = as_count("n_queries", n_queries)
    n_keys = n_queries if n_keys is None else as_count("n_keys", n_keys)
    d_k = as_count("d_k", d_k, 1)
    n_heads = as_count("n_heads", n_heads, 1)
    d_v = as_count("d_v", d_k if d_v is None else d_v)
    itemsize = as_count("itemsize", itemsize, 1)
    causal = as_switch("causal", causal, "leave it out for False")
    if block is None:
        scores = n_heads * n_queries * n_keys
        return AttentionCost(scores * (d_k + d_v), scores * itemsize, n_heads, 0)
    block = as_count("block", block, 1)
    firsts = range(0, n_queries, block)
    blocks = len(firsts) * len(range(0, n_keys, block))
    computed = 0
    areas = []
    for first in firsts:
        end = min(first + block, n_queries)
        seen = min(end, n_keys) if causal else n_keys
        areas.append((end - first) * seen)
        computed += len(range(0, seen, block))
    multiplications = n_heads * sum(areas) * (d_k + d_v)
    nbytes = max(areas, default=0) * itemsize
    return AttentionCost(multiplications, nbytes, n_heads * blocks, n_heads * (blocks - computed))


def _attend_rows(query, key, value, mask, first, later, careful):
    """Output of a few scaled query rows from position `first`; `later` is True right of the diagonal, None if not causal."""
    allowed, bias = read_mask(mask, query.dtype)
    first = None if later is None else first
    seen = _seen_keys(allowed, len(query), len(key), first)
    key = key[seen]
    value = value[seen]
    allowed = None if allowed is None else allowed[:, seen]
    bias = None if bias is None else bias[:, seen]
    scores = masked_scores(query, key, allowed, bias)
    if first is not None:  # keys from `first` on are later than some of these rows
        corner = scores[:, first - seen.start :]
        np.copyto(corner, -np.inf, where=later[: len(corner), : corner.shape[1]])
    if careful:  # values hold NaN or inf, or are so large that their sum before the division might overflow
        may = np.ones(scores.shape, bool) if allowed is None else allowed
        if first is not None:
            may = may & causal_mask(*scores.shape, offset=first - seen.start)
        return weighted_sum(weights_of(scores, out=scores), value, may)
    exponentials = exponentials_of(scores, out=scores)
    # a product is faster than exponentials.sum
    total = exponentials @ np.ones((len(key), 1), exponentials.dtype)
    output = exponentials @ value
    output /= np.maximum(total, 1)  # as in weights_of, but d_v divisions per row instead of L_k
    return output


def _seen_keys(allowed, n_queries, n_keys, first):
    """The slice from the first to the last key that any of the rows may look at."""
    stop = n_keys if first is None else min(first + n_queries, n_keys)
    if allowed is None:
        return slice(0, stop)
    seen = np.flatnonzero(allowed[:, :stop].any(axis=0))
    start, stop = (seen[0], seen[-1] + 1) if seen.size else (0, 0)
    if first is not None:
        start = min(start, first)
    return slice(int(start), int(stop))


def _in_threads(work, pieces, multiplications):
    """work(*piece) for every piece, side by side where that helps: while it computes, NumPy lets other threads run."""
    processors = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    if multiplications < WORTH_THREADS or processors < 2 or threadpool_limits is None:
        for piece in pieces:
            work(*piece)
        return
    # each product on one processor: threads inside and outside of products would fight over processors
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(processors) as threads:
        list(threads.map(lambda piece: work(*piece), pieces))  # raises here what a piece raises
