"""Lesson 05: what PyTorch, JAX and ONNX answered, and how far other functions are from it."""

import numpy as np

from attn_parts.example import load_data
from attn_parts.validation import call_own


def load_library_cases() -> dict[str, dict]:
    """Load twelve inputs of attention by name, with `outputs` of libraries that agree, and one that
    `differs`.

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
    """Print, case by case, where each function(Q, K, V, mask) agrees with the libraries, or how far it is
    off.
    """
    lines = [("largest difference in the output", functions)]
    noticed = dict.fromkeys(functions, 0)
    for name, case in load_library_cases().items():
        rounding = 1e-3 if case["dtype"] == "float16" else 1e-5
        differences = {own: _difference(own, function, case) for own, function in functions.items()}
        shown = {own: _shown(far, rounding) for own, far in differences.items()}
        noticed = {own: count + (shown[own] != "same") for own, count in noticed.items()}
        lines.append((name, shown.values()))
    lines.append(("rows that notice", noticed.values()))
    # printed below what `mine` says of whose function runs
    for name, cells in lines:
        print(f"{name:32}", *(f"{cell:>10}" for cell in cells))


def _shown(far, rounding):
    """How far a function is off in a few letters; the name of its error if it raised one."""
    return far[:9] if isinstance(far, str) else "same" if far < rounding else f"{far:#.2g}"


def _difference(own, function, case):
    """The largest difference between a function's output and those of the libraries that agree."""
    given = [case[part] for part in ("query", "key", "value", "mask")]
    expected = np.array(list(case["outputs"].values()))
    shapes = {
        "output": expected[0].shape,
        "weights": (*expected[0].shape[:-1], given[1].shape[-2]),
    }
    with np.errstate(all="ignore"):  # what overflows shows in the difference
        try:
            return np.abs(call_own(own, function, given, shapes)[0] - expected).max()
        except Exception as error:
            if not callable(function):
                raise
            return type(error).__name__  # it's the reader's own function: a row that notices
