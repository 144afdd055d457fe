"""How fast attention is: the course's two ways beside the textbook formula and libraries.

    python tests/benchmarks/attention.py --lengths 256 1024 --heads 1 8

float32, d_k = 64, one thread, timed in processor time. Ratios carry over to similar processors, milliseconds do not: the ways take
turns, and a ratio is the median over the turns. What is not installed is named and left out. All ways give the same numbers.
"""

import argparse
import itertools
import math
import os
import sys
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # read once, when NumPy is imported
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import numpy as np  # noqa: E402

import attn_helpers as attn  # noqa: E402
import judged  # noqa: E402

BLOCK = 256
TURNS = 7
INSTALL = "python -m pip install torch==2.13.0 jax==0.10.2 onnxruntime==1.31.1 onnx==1.23.2 scipy==1.17.1"


# Each takes query, key, value (heads, L, d) and whether to mask causally, and returns what is measured.


def matmuls(query, key, value, causal):
    """The two products of attention and nothing else, in the blocks of `tiled`: what NumPy cannot go below."""
    length = query.shape[-2]

    def run():
        output = np.empty_like(query)
        for head, first in itertools.product(range(len(query)), range(0, length, BLOCK)):
            seen = slice(0, first + BLOCK if causal else length)
            rows = slice(first, first + BLOCK)
            output[head, rows] = (query[head, rows] @ key[head, seen].T) @ value[head, seen]
        return output

    return run


def tiled(query, key, value, causal):
    return lambda: attn.tiled_attention(query, key, value, causal=causal, block=BLOCK)


def plain(query, key, value, causal):
    mask = attn.causal_mask(query.shape[-2]) if causal else None
    return lambda: attn.scaled_dot_product_attention(query, key, value, mask)[0]


def textbook_softmax(scores, axis):
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)


def formula(query, key, value, causal, softmax=textbook_softmax):
    """What tutorials print: no largest score subtracted, -1e9 in blocked places, exp written twice."""
    mask = attn.causal_mask(query.shape[-2])

    def run():
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
        scores = np.where(mask, scores, np.float32(-1e9)) if causal else scores
        return softmax(scores, axis=-1) @ value

    return run


def scipy_softmax(*given):
    from scipy.special import softmax

    return formula(*given, softmax=softmax)


def torch_fused(query, key, value, causal):
    import torch

    torch.set_num_threads(1)
    arrays = [torch.from_numpy(array)[None] for array in (query, key, value)]
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(*arrays, is_causal=causal)[0].numpy()


def jax_attention(query, key, value, causal):
    import jax

    # jax has lengths before heads
    arrays = [jax.numpy.asarray(array.swapaxes(0, 1)[None]) for array in (query, key, value)]
    attend = jax.jit(
        lambda q, k, v: jax.nn.dot_product_attention(
            q,
            k,
            v,
            is_causal=causal,
        )
    )
    return lambda: np.asarray(attend(*arrays))[0].swapaxes(0, 1)


def onnx_runtime(query, key, value, causal):
    import onnxruntime

    model, given = judged.onnx_model(query[None], key[None], value[None], is_causal=causal)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(),
        options,
        ["CPUExecutionProvider"],
    )
    return lambda: session.run(["Y"], given)[0][0]


WAYS = {
    "matmuls": matmuls,
    "tiled": tiled,
    "plain": plain,
    "formula": formula,
    "SciPy": scipy_softmax,
    "torch fused": torch_fused,
    "JAX": jax_attention,
    "ONNX Runtime": onnx_runtime,
}


def installed():
    """The names of the ways whose libraries are here; says which are not."""
    there = []
    missing = []
    for name, make in WAYS.items():
        try:
            make(*np.ones((3, 1, 2, 4), np.float32), True)
            there.append(name)
        except ImportError as error:
            missing.append(f"{name} ({error.name})")
    if missing:
        print(f"not installed, so left out: {', '.join(missing)}; for all of it: {INSTALL}")
    return there


def take_turns(names, arrays, causal):
    """{name: seconds of each turn}."""
    runs = {name: WAYS[name](*arrays, causal) for name in names}
    outputs = {name: run() for name, run in runs.items()}  # this first call counts for nothing
    for name, output in outputs.items():
        if name != "matmuls" and not np.allclose(output, outputs["tiled"], atol=1e-4):
            raise AssertionError(f"{name} differs by {np.abs(output - outputs['tiled']).max():.2g}")
    taken = {name: [] for name in runs}
    for _, (name, run) in itertools.product(range(TURNS), runs.items()):
        start = time.process_time()
        run()
        taken[name].append(time.process_time() - start)
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[256, 1024, 2048])
    parser.add_argument("--heads", type=int, nargs="+", default=[1, 8])
    given = parser.parse_args()
    names = installed()
    print("ratios to the two matrix products alone, which take so many ms")
    print(f"{'L, heads, mask':20}{'ms':>9}" + "".join(f"{name:>13}" for name in names[1:]))
    for length, heads, causal in itertools.product(
        given.lengths,
        given.heads,
        (False, True),
    ):
        arrays = np.random.default_rng(0).standard_normal((3, heads, length, 64), dtype=np.float32)
        taken = take_turns(names, arrays, causal)
        ratios = (np.median(np.divide(taken[name], taken["matmuls"])) for name in names[1:])
        size = f"{length}, {heads}, {'causal' if causal else 'full'}"
        print(f"{size:20}{1000 * min(taken['matmuls']):9.1f}" + "".join(f"{ratio:13.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
