"""How fast attention is: the course's two ways beside the textbook formula, PyTorch's and the products alone.

    python tests/benchmarks/attention.py --lengths 256 1024 --heads 1 8

float32, d_k = 64, one thread, timed in processor time. Ratios carry over to similar processors, milliseconds
don't: the ways take turns, and a ratio is the median over the turns. All ways give the same numbers.
"""

import argparse
import importlib.util
import itertools
import math
import os
import sys
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # read once, when NumPy is imported
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np  # noqa: E402

import attn_helpers as attn  # noqa: E402

BLOCK = 256
TURNS = 7


# Each takes query, key, value (heads, L, d) and whether to mask causally.


def matmuls(query, key, value, causal):
    """The two products of attention and nothing else, in the blocks of `tiled`: NumPy can't be faster."""
    output = np.empty_like(query)
    for head, first in itertools.product(range(len(query)), range(0, query.shape[-2], BLOCK)):
        rows = slice(first, first + BLOCK)
        seen = slice(0, rows.stop if causal else None)
        output[head, rows] = (query[head, rows] @ key[head, seen].T) @ value[head, seen]
    return output


def tiled(query, key, value, causal):
    return attn.tiled_attention(query, key, value, causal=causal, block=BLOCK)


def plain(query, key, value, causal):
    mask = attn.causal_mask(query.shape[-2]) if causal else None
    output, _ = attn.scaled_dot_product_attention(query, key, value, mask)
    return output


def formula(query, key, value, causal):
    """What tutorials print: no largest score subtracted, -1e9 in blocked places, exp written twice."""
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    if causal:
        scores = np.where(attn.causal_mask(query.shape[-2]), scores, np.float32(-1e9))
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True) @ value


def torch(query, key, value, causal):
    import torch

    arrays = [torch.from_numpy(array)[None] for array in (query, key, value)]
    return torch.nn.functional.scaled_dot_product_attention(*arrays, is_causal=causal)[0].numpy()


WAYS = [matmuls, tiled, plain, formula]
if importlib.util.find_spec("torch"):
    WAYS.append(torch)


def seconds(way, arrays, causal):
    start = time.process_time()
    way(*arrays, causal)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[256, 1024, 2048])
    parser.add_argument("--heads", type=int, nargs="+", default=[1, 8])
    given = parser.parse_args()
    print("ratios to the two matrix products alone, which take so many ms")
    names = [f"{way.__name__:>13}" for way in WAYS[1:]]
    print(f"{'L, heads, mask':20}{'ms':>9}", *names, sep="")
    for length, heads, causal in itertools.product(given.lengths, given.heads, (False, True)):
        arrays = np.random.default_rng(0).standard_normal((3, heads, length, 64), dtype=np.float32)
        ours = tiled(*arrays, causal)
        for way in WAYS[1:]:
            np.testing.assert_allclose(way(*arrays, causal), ours, atol=1e-4)
        turns = [[seconds(way, arrays, causal) for way in WAYS] for _ in range(TURNS)]
        taken = np.array(turns)
        products = taken[:, :1]
        _, *ratios = np.median(taken / products, axis=0)
        size = f"{length}, {heads}, {'causal' if causal else 'full'}"
        shown = [f"{ratio:13.2f}" for ratio in ratios]
        print(f"{size:20}{1000 * products.min():9.1f}", *shown, sep="")


if __name__ == "__main__":
    main()
