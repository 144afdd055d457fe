"""Make notebooks/data/reference_gradients.json: gradients of attention as PyTorch's autograd gives them.

Run it in an environment of its own, from the course's folder:

    pip install torch==2.13.0 numpy
    PYTHONPATH=. python tests/support/make_gradient_vectors.py

The sentences, and the head before it has learned, are the course's; all else is computed by PyTorch alone.
"""

import json
import pathlib

import numpy as np
import torch

from attn_parts.learning import pronoun_sentences, start_head

FILE = pathlib.Path("notebooks/data/reference_gradients.json")
CASES = {  # name -> (leading axes, L_q, L_k, d_k, d_v, what the numbers are multiplied by, causal)
    "all sizes differ": ((), 3, 5, 4, 2, 1.0, False),
    "causal": ((), 4, 4, 8, 3, 1.0, True),
    "batch of 2, 2 heads": ((2, 2), 2, 3, 4, 5, 1.0, False),
    "large scores": ((), 3, 4, 4, 2, 4.0, False),
}


def draw(seed, *shape):
    """Random numbers with few digits, so that the file stays small."""
    return np.round(np.random.default_rng(seed).standard_normal(shape) * 64) / 64


def attention_case(axes, L_q, L_k, d_k, d_v, size, causal):
    """Queries, keys, values and what arrives at the output; and the gradients of the first three."""
    shapes = {"query": (L_q, d_k), "key": (L_k, d_k), "value": (L_k, d_v), "d_output": (L_q, d_v)}
    given = {name: draw(i, *axes, *shape) for i, (name, shape) in enumerate(shapes.items())}
    given["query"] = given["query"] * size
    query, key, value = (torch.from_numpy(given[name]).requires_grad_() for name in ("query", "key", "value"))
    output = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
    output.backward(torch.from_numpy(given["d_output"]))
    gradients = {f"d_{name}": x.grad for name, x in (("query", query), ("key", key), ("value", value))}
    return {"causal": causal, **{name: x.tolist() for name, x in {**given, **gradients}.items()}}


def head_case(seed):
    """Loss and gradients of the head that reads "The chai is hot so we let it", before learning."""
    head = {name: torch.from_numpy(matrix).requires_grad_() for name, matrix in start_head(seed).items()}
    X, targets = (torch.from_numpy(array) for array in pronoun_sentences())
    query, key, value = X[:, -1:] @ head["W_Q"], X @ head["W_K"], X @ head["W_V"]
    output = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    loss = torch.nn.functional.cross_entropy(output[:, 0] @ head["W_O"], targets)
    loss.backward()
    gradients = {name: np.round(matrix.grad.numpy(), 9).tolist() for name, matrix in head.items()}
    return {"seed": seed, "loss": loss.item(), "gradients": gradients}


if __name__ == "__main__":
    data = {
        "how": f"Made by tests/support/make_gradient_vectors.py with PyTorch {torch.__version__.split('+')[0]}.",
        "attention": {name: attention_case(*case) for name, case in CASES.items()},
        "head": head_case(seed=1),
    }
    FILE.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size} bytes")
