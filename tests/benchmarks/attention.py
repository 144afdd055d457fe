"""Speed of scaled_dot_product_attention beside a textbook version, and beside torch where it can be imported.

    python tests/benchmarks/attention.py

Prints milliseconds (best of several runs) and ratios to ours within one run: ratios carry over to other
machines, milliseconds do not. Nothing is asserted.
"""

import math
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import attn_helpers as attn  # noqa: E402  the course is not installed, only found beside this folder

try:
    import torch
except ImportError:
    torch = None

SIZES = [(1, 64), (8, 256), (8, 1024)]  # heads, length
D_K = 64


def textbook(query, key, value, mask=None):
    """What tutorials print: no largest score subtracted, float64 from np.sqrt, -1e9 in blocked places."""
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(np.float64(query.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ value, weights


def with_torch(query, key, value, mask=None):
    """torch's fused kernel, which returns no weights."""
    tensors = [torch.from_numpy(array) for array in (query, key, value)]
    mask = None if mask is None else torch.from_numpy(mask)
    return torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask)


def best(function, *arrays, runs=7):
    """Shortest of several runs in milliseconds, after one that is not counted."""
    function(*arrays)
    shortest = math.inf
    for _ in range(runs):
        start = time.perf_counter()
        function(*arrays)
        shortest = min(shortest, time.perf_counter() - start)
    return 1000 * shortest


def main():
    others = {"textbook": textbook} | ({"torch": with_torch} if torch else {})
    print(f"float32, d_k = {D_K}; ratio to ours, above 1 = slower than ours")
    for heads, length in SIZES:
        query, key, value = np.random.default_rng(0).standard_normal(
            (3, heads, length, D_K), dtype=np.float32
        )
        for name, mask in (("full", None), ("causal", attn.causal_mask(length))):
            ours = best(attn.scaled_dot_product_attention, query, key, value, mask)
            ratios = {other: best(call, query, key, value, mask) / ours for other, call in others.items()}
            words = "   ".join(f"{other} {ratio:.2f}" for other, ratio in ratios.items())
            print(f"{heads} heads, L = {length:4d}, {name:6s}   ours {ours:8.2f} ms   {words}")
    if not torch:
        print("torch is not installed here, so it is left out")


if __name__ == "__main__":
    main()
