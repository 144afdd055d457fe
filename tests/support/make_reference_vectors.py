"""Make notebooks/data/reference_vectors.json: what torch, JAX and ONNX answer to awkward questions.

Run it in an environment of its own, from the course's folder:

    pip install torch==2.13.0 jax==0.10.2 onnx==1.23.2 numpy
    python tests/support/make_reference_vectors.py

The vectors that come with ONNX cannot tell a missing max-subtraction (no large logits), and their boolean masks
are all True. These have large logits, half-True masks, -inf masks, fully masked rows, and L_q ≠ L_k ≠ d_k ≠ d_v.
"""

import json
import pathlib

import jax
import numpy as np
import onnx
import onnx.helper
import onnx.reference
import torch

jax.config.update("jax_enable_x64", True)
FILE = pathlib.Path("notebooks/data/reference_vectors.json")


def draw(seed, *shape, size=1.0):
    """Random numbers with few digits, so that the file stays small and exact in float32."""
    return np.round(np.random.default_rng(seed).standard_normal(shape) * size * 64) / 64


def questions():
    """Each case as a dictionary; leading axes are (batch, heads), as JAX and ONNX want them."""
    half = np.random.default_rng(99).random((3, 5)) < 0.5
    half[:, 0] = True
    empty_row = half.copy()
    empty_row[1] = False
    triangle = np.tril(np.ones((4, 4), dtype=bool))
    wide = np.tril(np.ones((2, 4), dtype=bool))
    batch_mask = np.stack([half, ~half | np.eye(3, 5, dtype=bool)])[:, None]
    yield "no mask", (4, 4, 8, 8), {}
    yield "causal", (4, 4, 8, 8), {"mask": triangle}
    yield "causal, 2 queries, 4 keys", (2, 4, 6, 3), {"mask": wide}
    yield "half-True mask, all sizes differ", (3, 5, 4, 2), {"mask": half}
    yield "a query that may look at nothing", (3, 5, 4, 2), {"mask": empty_row}
    yield "large scores, about ±10000", (4, 6, 4, 3), {"size": 70.0}
    yield "large scores, half masked", (3, 5, 4, 2), {"mask": half, "size": 70.0}
    yield "batch of 2, 3 heads", (3, 5, 4, 2), {"batch": (2, 3)}
    yield "batch of 2, a mask for each", (3, 5, 4, 2), {"batch": (2, 1), "mask": batch_mask}
    yield "additive mask of 0 and -inf", (3, 5, 4, 2), {"bias": np.where(half, 0.0, -np.inf)}
    yield (
        "additive mask with a slope",
        (3, 5, 4, 2),
        {"bias": -0.5 * np.abs(np.arange(3)[:, None] - np.arange(5))},
    )
    yield "additive mask, a row all -inf", (3, 5, 4, 2), {"bias": np.where(empty_row, 0.0, -np.inf)}
    yield "scale 0.1 in place of 1/√d_k", (3, 5, 4, 2), {"scale": 0.1}
    yield "one query, one key", (1, 1, 3, 2), {}
    yield "float64", (3, 5, 4, 2), {"dtype": "float64", "mask": half}
    yield "float16", (3, 5, 4, 2), {"dtype": "float16", "mask": half}


def ask_torch(q, k, v, mask, bias, scale):
    given = mask if bias is None else bias.astype(q.dtype)
    given = None if given is None else torch.from_numpy(given)
    tensors = [torch.from_numpy(x) for x in (q, k, v)]
    return torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=given, scale=scale).numpy()


def ask_jax(q, k, v, mask, bias, scale):
    q, k, v = (np.swapaxes(x, -2, -3) for x in (q, k, v))  # (batch, length, heads, features)
    full = None if mask is None else np.broadcast_to(mask, (q.shape[0], 1, q.shape[1], k.shape[1]))
    added = (
        None
        if bias is None
        else np.broadcast_to(bias, (q.shape[0], 1, q.shape[1], k.shape[1])).astype(q.dtype)
    )
    # JAX wants values as wide as keys: fill up with zeros and cut off again
    width, d_k = v.shape[-1], k.shape[-1]
    v = np.concatenate([v, np.zeros((*v.shape[:-1], max(d_k - width, 0)), v.dtype)], axis=-1)
    out = jax.nn.dot_product_attention(q, k, v, mask=full, bias=added, scale=scale)
    return np.swapaxes(np.asarray(out), -2, -3)[..., :width]


def ask_onnx(q, k, v, mask, bias, scale):
    given = mask if bias is None else bias.astype(q.dtype)
    names = ["Q", "K", "V"] + ([] if given is None else ["M"])
    settings = {} if scale is None else {"scale": scale}
    node = onnx.helper.make_node("Attention", names, ["Y"], **settings)
    kinds = [onnx.helper.np_dtype_to_tensor_dtype(x.dtype) for x in (q, k, v)]
    values = [
        onnx.helper.make_tensor_value_info(n, t, x.shape)
        for n, t, x in zip("QKV", kinds, (q, k, v), strict=True)
    ]
    feeds = {"Q": q, "K": k, "V": v}
    if given is not None:
        feeds["M"] = given
        kind = onnx.helper.np_dtype_to_tensor_dtype(given.dtype)
        values.append(onnx.helper.make_tensor_value_info("M", kind, given.shape))
    result = onnx.helper.make_tensor_value_info("Y", kinds[0], None)
    graph = onnx.helper.make_graph([node], "attention", values, [result])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 24)])
    return onnx.reference.ReferenceEvaluator(model).run(None, feeds)[0]


ASK = {"torch": ask_torch, "jax": ask_jax, "onnx": ask_onnx}


def answer(number, name, sizes, batch=(1, 1), size=1.0, dtype="float32", mask=None, bias=None, scale=None):
    """One case with the answer of every library; answers that part from the others stand under `differs`."""
    n_queries, n_keys, d_k, d_v = sizes
    shapes = {"query": (n_queries, d_k), "key": (n_keys, d_k), "value": (n_keys, d_v)}
    inputs = {
        what: draw([number, i], *batch, *shape, size=1.0 if what == "value" else size).astype(dtype)
        for i, (what, shape) in enumerate(shapes.items())
    }
    answers = {library: ask(*inputs.values(), mask, bias, scale) for library, ask in ASK.items()}
    agree = {
        n: a
        for n, a in answers.items()
        if np.allclose(a, answers["torch"], atol=1e-2 if dtype == "float16" else 1e-4)
    }
    as_lists = lambda named: {n: np.asarray(a, dtype=float).round(7).tolist() for n, a in named.items()}  # noqa: E731
    return {
        "name": name, "dtype": dtype, **as_lists(inputs), "scale": scale,
        "mask": None if mask is None else mask.tolist(), "bias": None if bias is None else bias.tolist(),
        "outputs": as_lists(agree), "differs": as_lists({n: a for n, a in answers.items() if n not in agree}),
    }  # fmt: skip


if __name__ == "__main__":
    cases = [answer(i, name, sizes, **extra) for i, (name, sizes, extra) in enumerate(questions())]
    versions = {"torch": torch.__version__.split("+")[0], "jax": jax.__version__, "onnx": onnx.__version__}
    rows = ",\n".join(json.dumps(case) for case in cases)
    FILE.write_text(f'{{"made_with": {json.dumps(versions)}, "cases": [\n{rows}\n]}}\n', encoding="utf-8")
    for case in cases:
        print(f"{case['name']:36} agree: {', '.join(case['outputs'])}   differ: {', '.join(case['differs'])}")
