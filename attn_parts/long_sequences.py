"""Attention over long sequences: in blocks of rows, with a cache of keys and values, and what tiles cost.

Dtypes and errors are those of mathematics.py. Rabe and Staats, "Self-attention Does Not Need O(n²) Memory",
2021, https://arxiv.org/abs/2112.05682, work in blocks of rows. Dao et al., "FlashAttention", 2022,
https://arxiv.org/abs/2205.14135, cut the keys into blocks too, which a softmax in one pass allows: Milakov
and Gimelshein, "Online normalizer calculation for softmax", 2018, https://arxiv.org/abs/1805.02867.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn_parts.mathematics import causal_mask, scaled_dot_product_attention
from attn_parts.validation import as_count, as_floats


def tiled_attention(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, *, causal: bool = False, block: int = 256
) -> np.ndarray:
    """Compute the output of `scaled_dot_product_attention` for `block` queries at a time.

    Parameters
    ----------
    query, key, value
        As in `scaled_dot_product_attention`.
    causal : bool
        Query i looks at no key behind place i, as with `causal_mask(L_q, L_k)`. Keys that no query of a block
        may look at cost nothing.
    block : int
        Queries worked on together, 1 or more. Changes time and memory, no result.

    Returns
    -------
    ndarray, shape (..., L_q, d_v)
        The output alone: weights would be the large matrix that blocks avoid. Beside inputs and output one
        block of scores is held, (..., block, L_k).

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
    outputs = []
    for first in range(0, query.shape[-2] or 1, block):
        rows = query[..., first : first + block, :]
        seen = slice(first + block if causal else None)
        keys = key[..., seen, :]
        mask = None
        if causal:
            mask = causal_mask(rows.shape[-2], keys.shape[-2], offset=first)
        output, _ = scaled_dot_product_attention(rows, keys, value[..., seen, :], mask)
        outputs.append(output)
    return np.concatenate(outputs, axis=-2).astype(dtype, copy=False)


def window_mask(length: int, window: int) -> np.ndarray:
    """Make the boolean mask of a sliding window: a query may look at the last `window` keys up to its own.

    Query i may look at key j when i - window < j <= i.

    >>> print(window_mask(4, window=2).astype(int))
    [[1 0 0 0]
     [1 1 0 0]
     [0 1 1 0]
     [0 0 1 1]]
    """
    causal = causal_mask(length)
    window = as_count("window", window, 1)
    return causal & ~np.tril(causal, -window)


class KVCache:
    """Keys and values of all tokens so far, so that generating computes each of them once.

    `length` tokens so far are the `offset` of `causal_mask` for those that come next.

    >>> cache = KVCache()
    >>> K, V = cache.append([[1.0, 0.0]], [[5.0]])  # the first token
    >>> K, V = cache.append([[0.0, 1.0]], [[7.0]])  # the second
    >>> print(K.shape, V.ravel(), cache.length)
    (2, 2) [5. 7.] 2
    """

    def __init__(self):
        self._held = ()
        self.length = 0

    def append(self, key: ArrayLike, value: ArrayLike) -> tuple[np.ndarray, ...]:
        """Add keys (..., n, d_k) and values (..., n, d_v) of n tokens; returns all so far, read-only."""
        arrays, dtype = as_floats("... n d_k, ... n d_v", key=key, value=value)
        new = [array.astype(dtype) for array in arrays]
        held = self._held or [array[..., :0, :] for array in new]
        joined = []
        for name, old, added in zip(("key", "value"), held, new, strict=True):
            same_batch = added.shape[:-2] == old.shape[:-2]
            if not same_batch or added.shape[-1] != old.shape[-1]:
                raise ValueError(
                    f"{name} has shape {added.shape}, but the cache holds {old.shape}; only their lengths, "
                    "the last axis but one, may differ: begin another sequence with a new KVCache()"
                )
            array = np.concatenate([old, added], axis=-2)  # in the wider dtype: nothing is rounded
            array.flags.writeable = False
            joined.append(array)
        self._held = tuple(joined)
        self.length = joined[0].shape[-2]
        return self._held


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
