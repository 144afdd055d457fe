"""Validation of what is passed in: an error says what was given, what is expected and how to fix it."""

import math
import numbers

import numpy as np

OF_0_AND_1 = "if 1 means keep, pass mask.astype(bool), if 1 means block, pass mask == 0"

# --- arrays and their shapes ------------------------------------------------------------------------------


def as_array(name, given):
    """`given` as an array; refuses what NumPy would misread: None, masked arrays, tuples, ragged lists."""
    if given is None:
        raise TypeError(f"{name} is None, expected an array; does the function that made it have a return?")
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, but its hidden entries would be used all the same; fill them with "
            f"{name}.filled(...), False or 0, and say in an attention mask what to leave out"
        )
    if isinstance(given, tuple) and any(getattr(part, "ndim", 0) > 1 for part in given):
        shapes = ", ".join(str(np.shape(part)) for part in given)
        raise TypeError(
            f"{name} is a tuple of arrays {shapes}, expected one array; "
            "unpack it first: output, weights = ..."
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


def as_floats(shapes="", /, **named):
    """The arrays as floats of one dtype, and the dtype of results; with `shapes`, if they `fit`."""
    arrays = {name: as_array(name, given) for name, given in named.items()}
    for name, array in arrays.items():
        if array.dtype.kind not in "fiu":
            raise TypeError(
                f"{name} has dtype {array.dtype}, expected real numbers; {_number_remedy(name, array.dtype)}"
            )
        if array.ndim == 0:
            raise ValueError(
                f"{name} is a single number ({array}), expected an array; give it axes, for example [{array}]"
            )
    if shapes:
        fit(shapes, **arrays)
    dtypes = [a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays.values()]
    dtype = np.result_type(*dtypes)
    compute = np.float32 if dtype == np.float16 else dtype
    return [a.astype(compute, copy=False) for a in arrays.values()], dtype


def in_dtype(dtype, *arrays):
    """The arrays in the dtype of results, that of `as_floats`."""
    return tuple(array.astype(dtype, copy=False) for array in arrays)


def _number_remedy(name, dtype):
    words = "turn words into numbers first, their embeddings"
    remedies = {"c": f"take its real part, np.real({name})", "U": words, "S": words}
    remedies["b"] = f"convert it with np.asarray({name}, dtype=float)"
    return remedies.get(dtype.kind, "pass a list or an array of numbers only")


def fit(shapes, **arrays):
    """Check arrays against shapes, "... L_q d_k, n L d_k"; returns the shape of their broadcast leading axes.

    A letter has one size everywhere, and only what begins with ... may have leading axes.
    """
    sizes = {}
    leading = []
    for (name, array), pattern in zip(arrays.items(), shapes.split(", "), strict=True):
        letters = pattern.removeprefix("... ").split()
        few = array.ndim < len(letters)
        if few or (array.ndim > len(letters) and letters == pattern.split()):
            remedy = f"add an axis with {name}[None]" if few else f"pick one of several, {name}[0]"
            if array.ndim == 1 and sizes.get(letters[0], [None])[0] == array.size:  # one number for each row
                remedy = f"turn it into a column with {name}[:, None]"
            raise ValueError(
                f"{name} has shape {array.shape}, expected ({', '.join(pattern.split())}); {remedy}"
            )
        for axis, letter in enumerate(letters, -len(letters)):
            size, first = sizes.setdefault(letter, (array.shape[axis], name))
            if array.shape[axis] != size:
                raise ValueError(
                    f"{first} has {letter} = {size} but {name} has {array.shape[axis]} "
                    f"({first} {arrays[first].shape}, {name} {array.shape}); "
                    f"{_size_remedy(name, array, letter, size)}"
                )
        leading.append(array.shape[: -len(letters)])
    try:
        return np.broadcast_shapes(*leading)
    except ValueError as error:
        raise ValueError(
            f"the leading axes do not broadcast ({_shapes(arrays)}); "
            "batch and heads must be equal or 1, axis by axis"
        ) from error


def _size_remedy(name, array, letter, size):
    if size in array.shape[-2:]:
        return f"if {name} is transposed, pass {name}.swapaxes(-1, -2)"
    remedies = {"d_k": "queries and keys must come from projections of the same width"}
    remedies["L_k"] = "each key needs exactly one value"
    return remedies.get(letter, "make them equal")


def _shapes(arrays):
    return ", ".join(f"{name} {array.shape}" for name, array in arrays.items())


def call_own(name, function, given, shapes):
    """What a reader's own function returns for what is given, as arrays, if it is one of each shape."""
    if not callable(function):
        raise TypeError(f"{name} must be a function, got {function!r}; pass its name without quotes")
    returned = function(*given)
    names = ", ".join(shapes)
    wanted = f"expected ({names}) of shapes {', '.join(map(str, shapes.values()))}"
    several = isinstance(returned, (tuple, list))
    if not several or len(returned) != len(shapes):
        count = f" of {len(returned)}" if several else ""
        raise TypeError(
            f"{name} returned {type(returned).__name__}{count}, {wanted}; end it with: return {names}"
        )
    arrays = [
        as_array(f"{part}, returned by {name},", array) for part, array in zip(shapes, returned, strict=True)
    ]
    if [array.shape for array in arrays] != list(shapes.values()):
        raise ValueError(
            f"{name} returned shapes {', '.join(str(array.shape) for array in arrays)}, {wanted}; "
            "keep the leading axes, and return the results in this order"
        )
    return arrays


# --- single values ----------------------------------------------------------------------------------------


def as_count(name, given, least=0):
    """`given` as an int that is `least` or more."""
    if not isinstance(given, numbers.Integral):
        raise TypeError(
            f"{name} must be a whole number, got {given!r} ({type(given).__name__}); "
            "pass one number, such as int(...) or len(...)"
        )
    if given < least:
        raise ValueError(f"{name} must be {least} or more, got {given}; count from {least} up")
    return int(given)


def as_positive(name, given, remedy="try 1.0"):
    """`given` as a float above 0 that is finite."""
    if not isinstance(given, numbers.Real):
        raise TypeError(f"{name} must be one real number, got {given!r} ({type(given).__name__}); {remedy}")
    if not 0 < given < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {given:.6g}; {remedy}")
    return float(given)


# --- masks, weights, targets ------------------------------------------------------------------------------


def check_mask(mask, shape, dtype):
    """`mask` as bool or float that broadcasts to `shape` and can be added in `dtype`; None stays None."""
    if mask is None:
        return None
    mask = as_array("mask", mask)
    if mask.dtype.kind not in "bf":
        is_whole = mask.dtype.kind in "iu"
        remedy = OF_0_AND_1 if is_whole else "make one with causal_mask or padding_mask"
        raise TypeError(
            f"mask has dtype {mask.dtype}, expected bool (True = may look) or float (added to the scores); "
            f"{remedy}"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask {mask.shape} does not broadcast to the scores {shape}, which are (..., L_q, L_k); "
            f"{_shape_remedy(mask.shape, shape)}"
        )
    if mask.ndim == 3 and len(shape) == 4 and mask.shape[0] == shape[0] == shape[1] > 1:
        raise ValueError(
            f"mask {mask.shape} fits the scores {shape} in two ways, because there are as many "
            "sequences as heads; pass mask[:, None] if its first axis counts sequences, mask[None] if it "
            "counts heads"
        )
    if mask.dtype.kind == "f":
        _check_float_mask(mask, dtype)
    return mask


def _check_float_mask(mask, dtype):
    with np.errstate(over="ignore"):
        # is NaN if any is, without an array of the mask's size
        largest = mask.max(initial=-np.inf).astype(dtype)
    if np.isnan(largest) or np.isposinf(largest):
        raise ValueError(
            f"mask holds NaN or +inf (as {dtype}); a float mask holds 0 (keep), -inf (block) or finite "
            "numbers to add. Note that 0 * -inf is NaN: use np.where"
        )
    if largest == 1 and mask.min() >= 0 and ((mask == 0) | (mask == 1)).all():
        raise ValueError(
            "mask holds only 0 and 1, as floats, which would be added to the scores and hide nothing; "
            f"{OF_0_AND_1}"
        )


def _shape_remedy(mask, scores):
    """What to do with a mask of this shape, for scores of that one."""
    of_sequences = mask[:1] == scores[:1] and mask[-1:] == scores[-1:]
    if len(scores) == 4 and len(mask) in (2, 3) and of_sequences:
        axes = ":, None, None" if len(mask) == 2 else ":, None"
        return (
            f"a mask for each sequence needs an axis for the heads, (batch, 1, L_q or 1, L_k): mask[{axes}]"
        )
    if len(scores) == 3 and mask == (scores[0], scores[2]):
        return "a mask of one row per sequence, (batch, L_k), needs an axis for the queries: mask[:, None, :]"
    if len(mask) >= 2 and mask[-2:] == scores[-2:][::-1]:
        return "it looks transposed: queries are its rows, keys its columns"
    return f"make one of {scores[-2]} rows, one per query, and {scores[-1]} columns, one per key"


def check_lengths(lengths, n_keys):
    """`lengths` as an array of whole numbers of real keys among `n_keys`."""
    lengths = as_array("lengths", lengths)
    one_per_key = lengths.ndim > 1 and lengths.shape[-1] == n_keys > 1
    if lengths.dtype == bool or (one_per_key and np.isin(lengths, (0, 1)).all()):
        raise ValueError(
            f"lengths {lengths.shape} look like a mask, because they are only 0 and 1; "
            "a mask is one already: mask.astype(bool)[:, None, :] hides its keys from all queries"
        )
    return as_indices("lengths", lengths, n_keys + 1, "count the real tokens, and n_keys with the padding")


def check_weights(name, weights, remedy="pass what softmax returned, not the scores"):
    """Raise unless all weights lie between 0 and 1, up to rounding, in float16 as well."""
    outside = weights[(weights < -1e-6) | (weights > 1.01)]
    if outside.size:
        raise ValueError(f"{name} hold {outside[0]:.3g}, but attention weights are between 0 and 1; {remedy}")


def as_indices(name, given, count, remedy):
    """`given` as an array of whole numbers from 0 to `count` - 1."""
    indices = as_array(name, given)
    if indices.size and indices.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got dtype {indices.dtype}; {remedy}")
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise ValueError(
            f"{name} run from {indices.min()} to {indices.max()}, but must be 0 to {count - 1}; {remedy}"
        )
    return indices


# --- what is drawn ----------------------------------------------------------------------------------------


def check_matrix(name, values, mask):
    """One matrix of floats, and which of its cells may be looked at."""
    (values,), _ = as_floats("L_q L_k", **{name: values})
    if not values.size:
        raise ValueError(f"{name} has shape {values.shape}, expected a matrix (L_q, L_k) with a cell to draw")
    allowed = ~np.isneginf(values)
    mask = check_mask(mask, values.shape, values.dtype)
    if mask is not None:
        allowed &= mask if mask.dtype == bool else ~np.isneginf(mask)
    return values, allowed


def check_labels(name, given, count):
    """Names of rows or columns as text; positions from 0 where none are given."""
    names = range(count) if given is None else given
    if isinstance(names, (str, bytes)) or not np.iterable(names):
        raise TypeError(f"{name} must be a list of names, got {given!r}; of a text, text.split()")
    labels = list(map(str, names))
    if len(labels) != count:
        raise ValueError(f"{len(labels)} names for {count} {name}; pass one name for each")
    return labels
