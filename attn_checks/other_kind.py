"""What is said of a result that cannot be compared cell by cell: it is of another kind, number or shape than promised."""

from itertools import islice

import numpy as np

from attn_checks.compare import as_arrays, same
from attn_checks.relations import alike


def not_comparable(exercise, want, got):
    """The same for a result that cannot be compared cell by cell; None for one that can."""
    text = want.values[0].dtype.kind == "U"
    if order := another_order(exercise, want, got):
        return "other-order-of-results", order
    if got.raw is None:
        return (
            "returns-nothing",
            "On this input your function returned None. Does every path end in a return?",
        )
    if is_ragged(got.raw) and got.values is None:
        advice = "The rows of your result have different lengths. Each row needs an entry for every column."
        return "ragged", advice
    if got.values is None and (shapes := unequal_shapes(got.raw)):
        return "ragged", f"The arrays in your list have shapes {shapes}: pieces of one shape make one array."
    if got.values is None or isinstance(got.raw, str):
        return not_numbers(exercise, want, got.raw)
    if len(got.values) != len(want.values):
        names = " and ".join(exercise.results)
        return "wrong-number-of-results", f"Behind return there should be {names}, and nothing else."
    if text and any(values.dtype.kind != "U" for values in got.values):
        return "not-text", "Expected the tokens themselves, as text."
    if not text and any(values.dtype.kind == "U" for values in got.values):
        return not_numbers(exercise, want, got.raw)
    if any(g.shape != w.shape for w, g in zip(want.values, got.values, strict=True)):
        return "wrong-shape", wrong_shape(exercise, want, got)
    if exercise.exact and got.values[0].dtype != bool:
        return "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def another_order(exercise, want, got):
    """Whether the right results came back in another order, and what is said of that; or ""."""
    if got.values is None or len(got.values) != len(want.values) or len(want.values) < 2:
        return ""
    which = [
        [name for name, w in zip(exercise.results, want.values, strict=True) if same((mine,), (w,))]
        for mine in got.values
    ]
    found = [names[0] for names in which if len(names) == 1]
    if len(set(found)) < len(exercise.results) or found == list(exercise.results):
        return ""
    return f"All results are right, but they stand in another order. Yours are {', '.join(found)}; asked for are {', '.join(exercise.results)}."


def not_numbers(exercise, want, raw):
    """What is said of a result that holds something else than numbers, or than text."""
    if len(want.values) > 1 and type(raw) is tuple and len(raw) == len(want.values):
        odd = [i for i, part in enumerate(raw) if not holds_numbers(part)]
        seen = ", ".join(f"{exercise.results[i]} is {described(raw[i])}" for i in odd)
        got = f"; {seen}" if seen else f", got {described(raw)}"
    else:
        got = f", got {described(raw)}"
    first = want.values[0]
    wanted = (
        "text in a list" if first.dtype.kind == "U" else "True and False" if exercise.exact else "numbers"
    )
    return "not-numbers", f"Expected {wanted if first.ndim else 'one number'}{got}."


def holds_numbers(part):
    arrays = as_arrays(part)
    return arrays is not None and all(array.dtype.kind != "U" for array in arrays)


def described(raw):
    """What something is, and what it holds."""
    if raw is ...:
        return "..."
    if isinstance(raw, np.ndarray) and raw.dtype.kind != "O":
        return f"an array of {'text' if raw.dtype.kind == 'U' else raw.dtype}"
    is_array = isinstance(raw, np.ndarray)
    kind = "an array" if is_array else f"an object of type {type(raw).__name__}"
    raw = raw.tolist() if is_array else raw
    if not is_list(raw) or not raw:
        return kind
    inside = list(islice(leaves(raw), 1000))
    odd = next((part for part in inside if type(part) not in (int, float, str, np.float64)), inside[0])
    return f"{kind} that holds {'None' if odd is None else '...' if odd is ... else type(odd).__name__}"


def leaves(raw, depth=9):
    """What stands in lists of lists; one may hold itself."""
    if not is_list(raw) or not raw or not depth:
        yield raw
        return
    for part in raw:
        yield from leaves(part, depth - 1)


def is_list(raw):
    """Whether it is a plain list or tuple, which can be walked through without running a learner's code."""
    return type(raw) in (list, tuple)


def is_ragged(raw):
    rows = is_list(raw) and all(map(is_list, raw))
    return rows and len({len(row) for row in raw}) > 1


def unequal_shapes(raw):
    """The shapes of arrays in a list, if they are not the same; else ""."""
    if not is_list(raw) or not raw or not all(type(part) is np.ndarray for part in raw):
        return ""
    shapes = [str(part.shape) for part in raw]
    return " and ".join(shapes[:4]) if len(set(shapes)) > 1 else ""


def no_array(given, shape):
    """What is said of a value that was handed over in place of an array of numbers."""
    if type(given) is np.ndarray and given.dtype.kind in "iufb":  # too large to be copied and looked at
        return f"Expected shape {shape}, got {given.shape}."
    rows = ", whose rows have different lengths" if is_ragged(given) else ""
    got = described(given) if type(given) is np.ndarray else type(given).__name__
    return f"Expected an array of numbers, shape {shape}, got {got}{rows}."


def wrong_shape(exercise, want, got):
    triples = list(zip(exercise.results, want.values, got.values, strict=True))
    name, w, g = next(triple for triple in triples if triple[1].shape != triple[2].shape)
    if want.values[0].dtype.kind == "U" and got.values[0].ndim == 1:
        return (
            f"There should be {want.values[0].size} tokens, one for each row. You have {got.values[0].size}."
        )
    of = f" of {name}" if len(triples) > 1 else ""
    return f"The shape{of} should be {w.shape}. {shape_relation(w, g)}"


def shape_relation(want, got):
    """What is true of a result that has another shape than the right one."""
    if got.squeeze().shape == want.squeeze().shape:
        right = alike(got.squeeze(), want.squeeze())
        rest = f" {right_but_for(want, got)}" if right else ""
        more = (
            "an axis of length 1 too many"
            if got.ndim > want.ndim
            else "an axis of length 1 that is lost"
            if got.ndim < want.ndim
            else "an axis of length 1 in another place"
        )
        return f"Yours has {more}.{rest}"
    if got.size == want.size and got.ndim != want.ndim:
        rest = " These are the right numbers, in order." if alike(got.ravel(), want.ravel()) else ""
        return f"Yours has as many numbers, in {got.ndim or 'no'} axes and not {want.ndim}.{rest}"
    if sorted(got.shape) == sorted(want.shape):
        return "The sizes are right, but they stand in another order: which axis is which?"
    if not got.ndim:
        return "Yours is a single number: was everything summed, with no axis named?"
    if got.ndim != want.ndim:
        return f"Yours has {got.ndim} axes and not {want.ndim}: what was summed, or put in front?"
    axes = [i for i in range(want.ndim) if want.shape[i] != got.shape[i]]
    return " ".join(f"Axis {i} has length {got.shape[i]}, not {want.shape[i]}." for i in axes)


def right_but_for(want, got):
    """What is said of right numbers in another shape; where truth values are asked for, 0 and 1 are not enough."""
    if want.dtype == bool and got.dtype != bool:
        return "The pattern is right, but made of numbers: its cells should be True and False (dtype bool)."
    return "Its cells are right." if want.dtype == bool else "Its numbers are right."
