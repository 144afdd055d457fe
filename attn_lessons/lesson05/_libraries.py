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
    """Print, case by case, `same` where the output of a function(Q, K, V, mask) is the libraries', else how far it is from theirs."""
    print(f"{'largest difference':32}", *(f"{name:>10}" for name in functions))
    noticed = dict.fromkeys(functions, 0)
    for name, case in load_library_cases().items():
        differences = [_difference(own, function, case) for own, function in functions.items()]
        same = [each < (1e-3 if case["dtype"] == "float16" else 1e-5) for each in differences]
        shown = ["same" if s else f"{each:.2g}" for s, each in zip(same, differences, strict=True)]
        print(f"{name:32}", *(f"{each:>10}" for each in shown))
        noticed = {own: noticed[own] + (not s) for own, s in zip(functions, same, strict=True)}
    print(f"{'rows that notice':32}", *(f"{count:10}" for count in noticed.values()))


def _difference(own, function, case):
    """The largest difference between a function's output and that of each library which agrees with the others."""
    given = [case[part] for part in ("query", "key", "value", "mask")]
    expected = np.array(list(case["outputs"].values()))
    shapes = {"output": expected[0].shape, "weights": (*expected[0].shape[:-1], given[1].shape[-2])}
    with np.errstate(all="ignore"):  # what overflows shows in the difference
        return np.abs(call_own(own, function, given, shapes)[0] - expected).max()
