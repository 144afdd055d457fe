"""What is refused, and how that is said: what was given, what is expected, how to mend it."""

import math

import numpy as np


def as_array(name, given):
    """`given` as an array; refuses what NumPy would misread: None, masked arrays, ragged lists."""
    if given is None:
        raise TypeError(
            f"{name} is None, expected an array; did the function that made it forget its return?"
        )
    if isinstance(given, np.ma.MaskedArray):
        remedy = f"fill them with {name}.filled(0) and say in an attention mask what to leave out"
        if name == "mask":
            remedy = "fill them with mask.filled(False), or mask.filled(-np.inf) if it is to be added"
        raise TypeError(
            f"{name} is a masked array, whose hidden entries would be used all the same; {remedy}"
        )
    parts = given if isinstance(given, tuple) and all(isinstance(part, np.ndarray) for part in given) else ()
    if len(parts) > 1 and any(
        part.ndim > 1 for part in parts
    ):  # both results of a function, passed on as one
        shapes = ", ".join(str(part.shape) for part in given)
        raise TypeError(
            f"{name} is a tuple of arrays {shapes}, expected one array; unpack it first: output, weights = ..."
        )
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ValueError(
            f"{name} is ragged: its rows have different lengths; make all rows equally long (pad them) first"
        ) from error
    except (TypeError, RuntimeError) as error:  # as PyTorch does for bfloat16, for gradients, for a GPU
        raise TypeError(
            f"{name} ({type(given).__name__}) cannot be read as a NumPy array: {error}; "
            f"of a tensor pass {name}.detach().float().cpu().numpy()"
        ) from error


def check_axis(name, array, axis):
    """Raises unless `axis` is one axis of `array`."""
    if isinstance(axis, (bool, np.bool_)) or not isinstance(axis, (int, np.integer)):
        raise TypeError(
            f"axis must be one whole number, got {axis!r} ({type(axis).__name__}); -1 is the last axis"
        )
    if not -array.ndim <= axis < array.ndim:
        raise ValueError(f"{name} has shape {array.shape}, which has no axis {axis}; -1 is the last axis")


def as_floats(**named):
    """The arrays as floats of one dtype to compute in, and the dtype that results should have."""
    arrays = {}
    for name, given in named.items():
        array = as_array(name, given)
        if array.dtype.kind not in "fiu":
            raise TypeError(
                f"{name} has dtype {array.dtype}, expected real numbers; {_remedy(name, array.dtype)}"
            )
        if array.ndim == 0:
            raise ValueError(
                f"{name} is a single number ({array}), expected an array; give it axes, for example [{array}]"
            )
        arrays[name] = array
    dtype = np.result_type(*(a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays.values()))
    compute = np.float32 if dtype == np.float16 else dtype
    return [a.astype(compute, copy=False) for a in arrays.values()], dtype


def _remedy(name, dtype):
    """How to make real numbers of an array whose dtype is of another kind."""
    if "float" in dtype.name:  # bfloat16 and the eight-bit floats of ml_dtypes
        return f"NumPy does not count it among its floats: pass {name}.astype(np.float32)"
    return {
        "c": f"take its real part, np.real({name})",
        "b": f"convert it with np.asarray({name}, dtype=float)",
        "U": "words have to be turned into numbers first, their embeddings",
        "S": "words have to be turned into numbers first, their embeddings",
    }.get(dtype.kind, "make it a list or an array that holds nothing but numbers")


def as_count(name, given, least=0):
    """`given` as an int that is `least` or more."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise TypeError(
            f"{name} must be a whole number, got {given!r} ({type(given).__name__}); "
            + ("pass its numbers one by one" if isinstance(given, tuple) else "use int(...) or len(...)")
        )
    if given < least:
        raise ValueError(f"{name} must be {least} or more, got {given}; count from {least} up")
    return int(given)


def as_switch(name, given, remedy):
    """`given` as a bool."""
    if not isinstance(given, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {given!r}; {remedy}")
    return bool(given)


def check_lengths(lengths, n_keys):
    """`lengths` again, if each is a whole number of real keys among `n_keys`."""
    mask = "a mask is one already: mask.astype(bool)[:, None, :] hides its keys from all queries"
    if lengths.size and lengths.dtype.kind not in "iu":
        remedy = mask if lengths.dtype == bool else "count the real tokens of each sequence"
        raise TypeError(f"padding_mask: lengths must be whole numbers, got dtype {lengths.dtype}; {remedy}")
    if lengths.ndim > 1 and lengths.shape[-1] == n_keys > 1 and np.isin(lengths, (0, 1)).all():
        raise ValueError(
            f"padding_mask: lengths {lengths.shape} hold only 0 and 1, one for each of {n_keys} keys, "
            f"so they look like a mask; {mask}"
        )
    if lengths.size and not (lengths.min() >= 0 and lengths.max() <= n_keys):
        raise ValueError(
            f"padding_mask: lengths run from {lengths.min()} to {lengths.max()}, but must lie between "
            f"0 and n_keys = {n_keys}; count only real tokens, and give n_keys the padded length"
        )
    return lengths


def check_shares(weights):
    """Raises unless all weights lie between 0 and 1."""
    wrong = weights[(weights < 0) | (weights > 1.01)]  # 1.01: room for rounding, for float16 too
    if wrong.size:
        raise ValueError(
            f"entropy: weights hold {wrong[0]:.3g}, but shares lie between 0 and 1; "
            "pass what softmax returned, not the scores"
        )


def check_projections(given, X, **projections):
    """Raises unless X, called `given`, times each projection fits, and leading axes broadcast."""
    for name, W in projections.items():
        if X.ndim < 2 or W.ndim < 2 or X.shape[-1] != W.shape[-2]:
            raise ValueError(
                f"{given} {X.shape} times {name} {W.shape} does not fit; {given} must be (..., L, d_model) "
                f"and {name} (d_model, d), so that {given}'s last axis is {name}'s first "
                f"(a matrix meant for W·xᵀ needs {name}.T)"
            )
    check_leading(**{given: X}, **projections)


def check_same_width(W_Q, W_K):
    """Raises unless queries and keys come out equally wide."""
    if W_Q.shape[-1] != W_K.shape[-1]:
        raise ValueError(
            f"W_Q {W_Q.shape} and W_K {W_K.shape} must have the same number of columns, d_k; "
            "only W_V may have another, d_v"
        )


def check_heads(n_heads, **arrays):
    """`n_heads` as an int that divides the last axis of each array."""
    n_heads = as_count("n_heads", n_heads, 1)
    for name, array in arrays.items():
        if array.ndim < 2:
            raise ValueError(
                f"{name} has shape {array.shape}, expected at least two axes, (rows, columns); make one row of it with {name}[None, :]"
            )
        if array.shape[-1] % n_heads:
            raise ValueError(
                f"{name} {array.shape} has {array.shape[-1]} columns, which {n_heads} heads cannot share evenly; "
                "take a number of heads that divides it"
            )
    return n_heads


def check_output_projection(W_V, W_O):
    """Raises unless W_O takes what all heads hand over, side by side."""
    if W_O.ndim < 2 or W_O.shape[-2] != W_V.shape[-1]:
        raise ValueError(
            f"W_O {W_O.shape} must have {W_V.shape[-1]} rows, one for each column of W_V {W_V.shape}: "
            "it multiplies the joined heads from the right"
        )


def check_shapes(query, key, value):
    """The broadcast leading axes of the three; raises a ValueError that says what does not fit."""
    shapes = f"query {query.shape}, key {key.shape}, value {value.shape}"
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            column = name == "value" and array.shape == key.shape[-2:-1]  # one number for each key
            remedy = "a column of it with value[:, None]" if column else f"one row of it with {name}[None, :]"
            raise ValueError(
                f"{name} has shape {array.shape}, expected at least two axes, (length, features); make {remedy}"
            )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has d_k = {query.shape[-1]} features but key has {key.shape[-1]} ({shapes}); "
            + (
                "if key is transposed, pass K itself, one row a key"
                if query.shape[-1] == key.shape[-2]
                else "both must come from projections of the same width"
            )
        )
    if query.shape[-1] == 0:
        raise ValueError(
            f"query and key have no features, d_k = 0 ({shapes}); each needs at least one column"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"key has length {key.shape[-2]} but value has {value.shape[-2]} ({shapes}); "
            "each key needs exactly one value"
        )
    return check_leading(query=query, key=key, value=value)


def check_leading(**arrays):
    """The shape that all axes but the last two broadcast to."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError as error:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(
            f"the leading axes do not broadcast ({shapes}); batch and heads must be equal or 1, axis by axis"
        ) from error


def check_scale(scale, dtype):
    """`scale` as a float that is positive and finite, in `dtype` too."""
    if isinstance(scale, bool) or not isinstance(scale, (int, float, np.integer, np.floating)):
        raise TypeError(
            f"scale must be one real number, got {scale!r} ({type(scale).__name__}); leave it out for 1/√d_k"
        )
    try:
        number = float(scale)
    except OverflowError:  # a whole number beyond every float
        number = math.inf
    if not np.finfo(dtype).tiny <= np.float64(number) <= np.finfo(dtype).max:
        raise ValueError(
            f"scale must be positive and finite in {dtype}, got {number:.6g}; leave it out for 1/√d_k"
        )
    return number


def check_mask(mask, shape, dtype):
    """`mask` as an array of bool or float that broadcasts to `shape` and can be added in `dtype`; None stays None."""
    if mask is None:
        return None
    mask = as_array("mask", mask)
    if mask.dtype.kind not in "bf":
        raise TypeError(
            f"mask has dtype {mask.dtype}, expected bool (True = may look) or float (added to the scores); "
            f"{mask_remedy(mask)}"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask {mask.shape} does not broadcast to the scores {tuple(shape)}, which are (..., L_q, L_k); "
            f"{_shape_remedy(mask.shape, tuple(shape))}"
        )
    if mask.ndim == 3 and len(shape) == 4 and mask.shape[0] == shape[0] == shape[1] > 1:
        raise ValueError(
            f"mask {mask.shape} fits the scores {tuple(shape)} in two ways, for there are as many sequences as heads; "
            "pass mask[:, None] if its first axis counts sequences, mask[None] if it counts heads"
        )
    if mask.dtype.kind == "b":
        return mask
    with np.errstate(over="ignore"):
        largest = mask.max(initial=-np.inf).astype(
            dtype
        )  # is NaN if any is: no array of the mask's size is needed
    if np.isnan(largest) or np.isposinf(largest):
        raise ValueError(
            f"mask holds NaN or +inf (as {dtype}); a float mask holds 0 (keep), -inf (block) or finite numbers "
            "to add. Note that 0 * -inf is NaN: use np.where"
        )
    if largest == 1 and mask.min() >= 0 and ((mask == 0) | (mask == 1)).all():
        raise ValueError(
            "mask holds only 0 and 1, as floats, which would be added to the scores and hide nothing; "
            "if 1 means keep, pass mask.astype(bool), if 1 means block, pass mask == 0"
        )
    return mask


def read_mask(mask, dtype):
    """A checked mask as (allowed, bias): which pairs may look (None = all), and what to add to their scores (None = nothing)."""
    if mask is None or mask.dtype.kind == "b":
        return mask, None
    with np.errstate(over="ignore"):  # below the smallest float32 is as good as -inf
        bias = mask.astype(dtype, copy=False)
    return bias > -np.inf, bias


def _shape_remedy(mask, scores):
    """What to do with a mask of this shape, for scores of that one."""
    if len(scores) == 4 and mask[-1:] == scores[-1:] and mask[0] == scores[0] and len(mask) in (2, 3):
        axes = ":, None, None" if len(mask) == 2 else ":, None"
        return (
            f"a mask for each sequence needs an axis for the heads, (batch, 1, L_q or 1, L_k): mask[{axes}]"
        )
    if len(scores) == 3 and mask == (scores[0], scores[2]):
        return "a mask of one row a sequence, (batch, L_k), needs an axis for the queries: mask[:, None, :]"
    if len(mask) >= 2 and mask[-2:] == scores[-2:][::-1]:
        return "it looks transposed: queries are its rows, keys its columns"
    return f"make one of {scores[-2]} rows, one a query, and {scores[-1]} columns, one a key"


def mask_remedy(mask):
    """How to make a boolean mask of one that is not."""
    if mask.dtype.kind in "iu":
        return "if 1 means keep, pass mask.astype(bool), if 1 means block, pass mask == 0"
    if mask.dtype.kind == "f":
        return "if 0 keeps and -inf blocks, pass mask == 0"
    return "make one with causal_mask or padding_mask"


def as_positive(name, given):
    """`given` as a float above 0 that is finite."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be one real number, got {given!r} ({type(given).__name__}); try 1.0")
    if not 0 < given < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {given}; try 1.0")
    return float(given)


def check_gradients(query, key, value, weights, d_output):
    """Raises unless weights are (..., L_q, L_k), d_output (..., L_q, d_v), and all leading axes are equal."""
    *batch, n_queries, _ = query.shape
    n_keys, d_v = value.shape[-2:]
    shapes = {"weights": (*batch, n_queries, n_keys), "d_output": (*batch, n_queries, d_v)}
    for name, array in (("weights", weights), ("d_output", d_output)):
        if array.shape[-2:] != shapes[name][-2:]:
            raise ValueError(
                f"{name} has shape {array.shape}, expected {shapes[name]}; "
                "pass what belongs to the same query, key and value"
            )
    named = {"query": query, "key": key, "value": value, "weights": weights, "d_output": d_output}
    if len({array.shape[:-2] for array in named.values()}) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in named.items())
        raise ValueError(
            f"the leading axes differ ({found}), and a gradient has the shape of its array; repeat what several "
            "share with np.broadcast_to, and sum its gradients over that axis"
        )


def check_returned(function, returned, **shapes):
    """What a reader's own function returned, as arrays, if it is one of each shape."""
    names = ", ".join(shapes)
    wanted = f"expected ({names}) of shapes {', '.join(map(str, shapes.values()))}"
    if not isinstance(returned, (tuple, list)) or len(returned) != len(shapes):
        count = f" of {len(returned)}" if isinstance(returned, (tuple, list)) else ""
        raise TypeError(
            f"{function} returned {type(returned).__name__}{count}, {wanted}; end it with: return {names}"
        )
    arrays = [
        as_array(f"{name}, returned by {function},", part)
        for name, part in zip(shapes, returned, strict=True)
    ]
    if [array.shape for array in arrays] != list(shapes.values()):
        raise ValueError(
            f"{function} returned shapes {', '.join(str(array.shape) for array in arrays)}, {wanted}; "
            "keep the axes in front, and return the results in this order"
        )
    return arrays


def check_place(name, given, length):
    """Raises unless `given` is the place of one of so many words; -1 is the last."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise TypeError(
            f"{name} must be one whole number, got {given!r} ({type(given).__name__}); -1 is the last"
        )
    if not -length <= given < length:
        raise ValueError(f"{name} is {given}, but there are {length} words; count from 0 to {length - 1}")


def check_head(head, X):
    """`X` as floats (n, L, words), if `head` has its four matrices and W_Q a row for each word."""
    if not (isinstance(head, dict) and {"W_Q", "W_K", "W_V", "W_O"} <= set(head)):
        raise TypeError(
            f"head must be a dictionary of W_Q, W_K, W_V and W_O, got {type(head).__name__}; make one with start_head"
        )
    (X,), _ = as_floats(X=X)
    width = len(as_array("W_Q", head["W_Q"]))
    if X.ndim != 3 or X.shape[-1] != width or not X.size:
        raise ValueError(
            f"X has shape {X.shape}, expected (n, L, {width}); take it from X, targets = pronoun_sentences(), "
            "and of a single sentence X[:1]"
        )
    return X


def check_targets(targets, n_sentences, n_answers):
    """`targets` as an array of the numbers of the right answers."""
    targets = as_array("targets", targets)
    if targets.dtype.kind not in "iu" or targets.shape != (n_sentences,):
        raise ValueError(
            f"targets must be {n_sentences} whole numbers, one a sentence, got dtype {targets.dtype} and shape "
            f"{targets.shape}; take them from X, targets = pronoun_sentences()"
        )
    if targets.size and not 0 <= targets.min() <= targets.max() < n_answers:
        raise ValueError(
            f"targets run from {targets.min()} to {targets.max()}, but there are {n_answers} answers; "
            f"count them from 0 to {n_answers - 1}"
        )
    return targets
