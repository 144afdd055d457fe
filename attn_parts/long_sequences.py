"""Attention over long sequences: in blocks of rows, with a cache of keys and values, and what tiles of it cost.

Dtypes and errors are those of mathematics.py. Rabe and Staats, "Self-attention Does Not Need O(n²) Memory", 2021,
https://arxiv.org/abs/2112.05682, work in blocks of rows. Dao et al., "FlashAttention", 2022,
https://arxiv.org/abs/2205.14135, cut the keys into blocks too, which a softmax in one pass allows: Milakov and
Gimelshein, "Online normalizer calculation for softmax", 2018, https://arxiv.org/abs/1805.02867.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn_parts.mathematics import causal_mask, scaled_dot_product_attention
from attn_parts.validation import as_count, as_floats, as_switch


def tiled_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, *, causal: bool = False, block: int = 256
) -> np.ndarray:
    """Compute the output of `scaled_dot_product_attention` for `block` queries at a time.

    Parameters
    ----------
    query, key, value
        As in `scaled_dot_product_attention`.
    causal : bool
        Query i looks at no key behind place i, as with `causal_mask(L_q, L_k)`. Keys that no query of a block may
        look at cost nothing.
    block : int
        Queries worked on together, 1 or more. Changes time and memory, no result.

    Returns
    -------
    ndarray, shape (..., L_q, d_v)
        The output alone: weights would be the large matrix that blocks avoid. Beside inputs and output one block of
        scores is held, (..., block, L_k).

    Examples
    --------
    >>> Q, K, V = [[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]], [[3.0], [5.0], [10.0]]
    >>> print(tiled_attention(Q, K, V, causal=True, block=2))  # means of 3; 3 and 5; 3, 5 and 10
    [[3.]
     [4.]
     [6.]]
    """
    (query, key, value), dtype = as_floats(
        "... L_q d_k, ... L_k d_k, ... L_k d_v", query=query, key=key, value=value
    )
    block = as_count("block", block, 1)
    causal = as_switch("causal", causal, "leave it out for False")
    outputs = []
    for first in range(0, query.shape[-2] or 1, block):
        rows = query[..., first : first + block, :]
        seen = slice(first + block if causal else None)
        keys = key[..., seen, :]
        mask = causal_mask(rows.shape[-2], keys.shape[-2], offset=first) if causal else None
        output, _ = scaled_dot_product_attention(rows, keys, value[..., seen, :], mask)
        outputs.append(output)
    return np.concatenate(outputs, axis=-2).astype(dtype, copy=False)


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


WIDTH = 64  # of the head that is counted


class TileCost(NamedTuple):
    """What attention takes where tiles of (block, block) scores are computed one by one."""

    multiplications: int  # of QKᵀ and weights·V
    tiles: int  # that the matrix of scores has
    computed: int  # of them: the others hold later keys alone


def tile_cost(length: int, block: int, causal: bool = False) -> TileCost:
    """Count what `length` tokens cost one head; a tile as long as they are is the whole matrix at once.

    >>> tile_cost(4096, 1024, causal=True)
    TileCost(multiplications=1342177280, tiles=16, computed=10)
    """
    multiplications = 0
    computed = 0
    firsts = range(0, length, block)
    for place, first in enumerate(firsts, start=1):
        rows = min(block, length - first)
        columns = first + rows if causal else length
        multiplications += 2 * WIDTH * rows * columns
        computed += place if causal else len(firsts)
    return TileCost(multiplications, len(firsts) ** 2, computed)
