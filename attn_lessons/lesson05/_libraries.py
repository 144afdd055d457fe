"""Lesson 05: what PyTorch, JAX and ONNX answered, and how far other functions are from it."""

import numpy as np

from attn_parts.example import load_data
from attn_parts.validation import call_own


def load_library_cases() -> dict[str, dict]:
    """Load twelve inputs of attention by name, with the `outputs` of libraries that agree and of one that `differs`.

    >>> load_library_cases()["one query, one key"]["value"]
    array([[[[2.015625, 0.09375 ]]]])
    """
    plain = [c for c in load_data("reference_vectors")["cases"] if c["bias"] is None and c["scale"] is None]
    for case in plain:
        case.update((name, np.array(case[name])) for name in ("query", "key", "value"))
        case["mask"] = None if case["mask"] is None else np.array(case["mask"])
        for given in (case["outputs"], case["differs"]):
            given.update((library, np.array(output)) for library, output in given.items())
    return {case["name"]: case for case in plain}


def compare_with_libraries(**functions) -> None:
    """Print, case by case, how far the output of each function(Q, K, V, mask) is from the libraries' at most."""
    print(f"{'largest difference':32}", *(f"{name:>10}" for name in functions))
    for name, case in load_library_cases().items():
        given = [case[part] for part in ("query", "key", "value", "mask")]
        expected = next(iter(case["outputs"].values()))
        shapes = {"output": expected.shape, "weights": (*expected.shape[:-1], given[1].shape[-2])}
        outputs = [call_own(own, function, given, shapes)[0] for own, function in functions.items()]
        worst = [max(np.abs(ours - theirs).max() for theirs in case["outputs"].values()) for ours in outputs]
        print(f"{name:32}", *(f"{number:10.7f}" for number in worst))
