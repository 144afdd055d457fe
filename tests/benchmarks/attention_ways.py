"""The ways of computing attention that attention.py compares: ours, what tutorials print, and libraries.

Each function takes query, key, value (heads, L, d) in float32, whether to mask causally, and a number of threads, makes ready
what is not to be measured, and returns a function without arguments that returns the output. A library that is
missing raises ImportError.
"""

import math
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2]))  # the course is not installed

import attn_helpers as attn  # noqa: E402

BLOCK = 256


def tiled(query, key, value, causal, threads):
    return lambda: attn.tiled_attention(query, key, value, causal=causal, block=BLOCK)


def plain(query, key, value, causal, threads):
    mask = attn.causal_mask(query.shape[-2]) if causal else None
    return lambda: attn.scaled_dot_product_attention(query, key, value, mask)[0]


def matmuls(query, key, value, causal, threads):
    """The two products of attention and nothing else, in the blocks of `tiled`: what NumPy cannot go below."""
    length = query.shape[-2]

    def run():
        output = np.empty_like(query)
        for head in range(len(query)):
            for first in range(0, length, BLOCK):
                seen = slice(0, first + BLOCK if causal else length)
                rows = slice(first, first + BLOCK)
                output[head, rows] = (query[head, rows] @ key[head, seen].T) @ value[head, seen]
        return output

    return run


def floor(query, key, value, causal, threads):
    """What softmax adds to these products in NumPy, in place: maximum, exp, sum and division; no scaling and no triangle."""
    length, scaled = query.shape[-2], query / math.sqrt(query.shape[-1])

    def run():
        output = np.empty_like(query)
        for head in range(len(query)):
            for first in range(0, length, BLOCK):
                seen, rows = slice(0, first + BLOCK if causal else length), slice(first, first + BLOCK)
                scores = scaled[head, rows] @ key[head, seen].T
                scores -= scores.max(axis=-1, keepdims=True)
                np.exp(scores, out=scores)
                total = scores.sum(axis=-1, keepdims=True)
                np.divide(scores @ value[head, seen], total, out=output[head, rows])
        return output

    return run


def formula(query, key, value, causal, threads, root=None):
    """What tutorials print: no largest score subtracted, -1e9 in blocked places, exp written twice."""
    root = math.sqrt(query.shape[-1]) if root is None else root
    mask = attn.causal_mask(query.shape[-2]) if causal else None

    def run():
        scores = query @ key.swapaxes(-1, -2) / root
        if mask is not None:
            scores = np.where(mask, scores, scores.dtype.type(-1e9))
        weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        return weights @ value

    return run


def formula64(query, key, value, causal, threads):
    """The same with np.sqrt(d_k), which makes float64 of float32."""
    return formula(query, key, value, causal, threads, root=np.sqrt(np.float64(query.shape[-1])))


def scipy_softmax(query, key, value, causal, threads):
    from scipy.special import softmax

    mask = attn.causal_mask(query.shape[-2]) if causal else None

    def run():
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, np.float32(-np.inf))
        return softmax(scores, axis=-1) @ value

    return run


def torch_fused(query, key, value, causal, threads, backend="FLASH_ATTENTION"):
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    torch.set_num_threads(threads)
    arrays = [torch.from_numpy(array)[None] for array in (query, key, value)]

    def run():
        with sdpa_kernel(getattr(SDPBackend, backend)), torch.no_grad():
            return torch.nn.functional.scaled_dot_product_attention(*arrays, is_causal=causal)[0].numpy()

    return run


def torch_math(query, key, value, causal, threads):
    return torch_fused(query, key, value, causal, threads, backend="MATH")


def jax_attention(query, key, value, causal, threads):
    import jax

    # jax has lengths before heads
    arrays = [jax.numpy.asarray(array.swapaxes(0, 1)[None]) for array in (query, key, value)]
    attend = jax.jit(lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=causal))
    return lambda: np.asarray(attend(*arrays))[0].swapaxes(0, 1)


def onnx_runtime(query, key, value, causal, threads):
    import onnxruntime
    from onnx import TensorProto, helper

    names, shape = ["Q", "K", "V"], [1, *query.shape]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in (*names, "Y")]
    node = helper.make_node("Attention", names, ["Y"], is_causal=int(causal))
    graph = helper.make_graph([node], "attention", values[:3], values[3:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    arrays = {name: array[None] for name, array in zip(names, (query, key, value), strict=True)}
    return lambda: session.run(None, arrays)[0][0]


# name -> the function, arrays of the size of the scores that it holds at once, roughly (float32), and whether NumPy allocates them
WAYS = {
    "tiled": (tiled, 0, True),
    "plain": (plain, 1.3, True),
    "matmuls": (matmuls, 0, True),
    "floor": (floor, 0, True),
    "formula": (formula, 4, True),
    "formula64": (formula64, 8, True),
    "SciPy": (scipy_softmax, 4, True),
    "torch fused": (torch_fused, 0, False),
    "torch math": (torch_math, 3, False),
    "JAX": (jax_attention, 3, False),
    "ONNX Runtime": (onnx_runtime, 3, False),
}
INSTALL = "python -m pip install torch==2.13.0 jax==0.10.2 onnxruntime==1.31.1 onnx==1.23.2 scipy==1.17.1"
