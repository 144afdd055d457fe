"""Make notebooks/data/multi_head_vectors.json: what torch's multi_head_attention_forward gives.

Run it in an environment of its own, from the course's folder:

    pip install torch==2.13.0 numpy
    python tests/support/make_multi_head_vectors.py
"""

import json
import pathlib

import numpy as np
import torch

FILE = pathlib.Path("notebooks/data/multi_head_vectors.json")


def draw(seed, *shape):
    """Random numbers with few digits, so that the file stays small and exact."""
    return np.round(np.random.default_rng(seed).standard_normal(shape) * 64) / 64


def questions():
    """(name, n_heads, d_model, shape of the query, shape of key and value, mask); True in a mask = may look."""
    triangle = np.tril(np.ones((4, 4), dtype=bool))
    some = np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)
    padding = (np.arange(4) < np.array([4, 2])[:, None])[:, None, None]
    yield "one head", 1, 6, (4, 6), (4, 6), None
    yield "self, two heads", 2, 6, (4, 6), (4, 6), None
    yield "heads one column wide", 4, 4, (3, 4), (3, 4), None
    yield "causal, two heads", 2, 6, (4, 6), (4, 6), triangle
    yield "cross, another text of another width", 3, 6, (3, 6), (5, 4), None
    yield "cross, half masked", 3, 6, (3, 6), (5, 6), some
    yield "batch of 2, padded", 2, 4, (2, 4, 4), (2, 4, 4), padding


def ask(query, key, W_Q, W_K, W_V, W_O, n_heads, mask):
    """torch's output and weights: it wants the batch second, each W turned over, and True where a mask blocks."""
    q, k = (torch.from_numpy(x if x.ndim == 3 else x[None]).transpose(0, 1) for x in (query, key))
    turned = [torch.from_numpy(W.T.copy()) for W in (W_Q, W_K, W_V, W_O)]
    given = None
    if mask is not None:
        full = np.broadcast_to(mask, (q.shape[1], n_heads, len(q), len(k)))
        given = torch.from_numpy(~full).reshape(-1, len(q), len(k))
    output, weights = torch.nn.functional.multi_head_attention_forward(
        q, k, k, W_Q.shape[1], n_heads, None, None, None, None, False, 0.0, turned[3], None,
        attn_mask=given, average_attn_weights=False, use_separate_proj_weight=True,
        q_proj_weight=turned[0], k_proj_weight=turned[1], v_proj_weight=turned[2],
    )  # fmt: skip
    output = output.transpose(0, 1).numpy().reshape(*query.shape[:-1], -1)
    return output, weights.numpy().reshape(*query.shape[:-2], *weights.shape[1:])


def answer(number, name, n_heads, d_model, query, key, mask):
    """One case: what goes in, and what torch gives."""
    shapes = {
        "query": query, "key": key, "W_Q": (query[-1], d_model), "W_K": (key[-1], d_model),
        "W_V": (key[-1], d_model), "W_O": (d_model, d_model),
    }  # fmt: skip
    inputs = {what: draw([number, i], *shape) for i, (what, shape) in enumerate(shapes.items())}
    output, weights = ask(**inputs, n_heads=n_heads, mask=mask)
    lists = {what: array.tolist() for what, array in inputs.items()}
    told = {"output": output.round(9).tolist(), "weights": weights.round(9).tolist()}
    return {
        "name": name,
        "n_heads": n_heads,
        "mask": None if mask is None else mask.tolist(),
        **lists,
        **told,
    }


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(answer(i, *asked)) for i, asked in enumerate(questions()))
    made_with = json.dumps({"torch": torch.__version__.split("+")[0]})
    FILE.write_text(f'{{"made_with": {made_with}, "cases": [\n{rows}\n]}}\n', encoding="utf-8")
