"""Lesson 05: what PyTorch, JAX and ONNX answered, and how far other functions are from it."""

import numpy as np

from attn_parts.example import load_data

HEAD = "largest difference"


def load_library_cases() -> dict[str, dict]:
    """Twelve inputs of attention by their names, with the answers of the libraries that agree and of one that `differs`.

    >>> load_library_cases()["one query, one key"]["value"]
    array([[[[2.015625, 0.09375 ]]]])
    """
    plain = [c for c in load_data("reference_vectors")["cases"] if c["bias"] is None and c["scale"] is None]
    return {case["name"]: {key: _as_arrays(value) for key, value in case.items()} for case in plain}


def _as_arrays(value):
    if isinstance(value, dict):
        return {key: np.array(rows) for key, rows in value.items()}
    return np.array(value) if isinstance(value, list) else value


def compare_with_libraries(**functions) -> None:
    """Print, case by case, how far the output of each function(Q, K, V, mask) is from the libraries' at most."""
    cases = load_library_cases()
    wide = max(map(len, cases))
    print(f"{HEAD:{wide}}", *(f"{name:>10}" for name in functions))
    for name, case in cases.items():
        outputs = [f(*(case[key] for key in ("query", "key", "value", "mask")))[0] for f in functions.values()]
        worst = [max(np.abs(ours - theirs).max() for theirs in case["outputs"].values()) for ours in outputs]
        print(f"{name:{wide}}", *(f"{number:10.7f}" for number in worst))
