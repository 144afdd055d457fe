"""Where a NaN comes out that no known mistake explains: on which inputs, and what these have that others have not."""

import numpy as np

OFTEN = "It comes from inf − inf, inf/inf, 0·inf or 0/0: which step subtracts, multiplies or divides?"
# What all inputs with a NaN hold, and no other does; and how a NaN may come of it.
SEEN = (
    (
        "a query that may look at nothing",
        lambda mask, _: mask is not None and not mask.any(axis=-1).all(),
        "Its scores are all −inf, or its shares all 0: −inf − (−inf) and 0/0 are NaN.",
    ),
    (
        "a −inf",
        lambda _, numbers: (numbers == -np.inf).any(),
        "−inf − (−inf) and 0 · (−inf) are NaN.",
    ),
    (
        "a number above 700",
        lambda _, numbers: (numbers > 700).any(),
        "e to such a power is inf, and inf/inf is NaN.",
    ),
    (
        "a number below 0",
        lambda _, numbers: (numbers < 0).any(),
        "Its root, and its logarithm, are NaN.",
    ),
    (
        "a 0",
        lambda _, numbers: (numbers == 0).any(),
        "0/0 is NaN, and so is 0 times its logarithm.",
    ),
)


def about_nan(cases, results):
    """What is true of the inputs on which a NaN comes out; `results` are those of each input, None for an error."""
    tried = [(case, has_nan(values)) for case, values in zip(cases, results, strict=False) if values]
    if all(found for _, found in tried):
        return f"There is a NaN (not a number) in your result, on every input. {OFTEN}"
    for what, holds, why in SEEN:
        if all(holds(*parts(case)) == found for case, found in tried):
            return f"There is a NaN (not a number) in your result just where an input holds {what}. {why}"
    count = sum(found for _, found in tried)
    return f"There is a NaN (not a number) in your result, on {count} of {len(tried)} inputs. {OFTEN}"


def has_nan(results):
    return any(values.dtype.kind == "f" and np.isnan(values).any() for values in results)


def parts(case):
    """The mask of an input, or None; and all its numbers in one row."""
    arrays = [
        np.asarray(array) for given in case for array in (given if isinstance(given, list) else [given])
    ]
    masks = [array for array in arrays if array.dtype == bool and array.ndim > 1]
    numbers = [array.ravel() for array in arrays if array.dtype.kind in "iuf"]
    return masks[0] if masks else None, np.concatenate(numbers) if numbers else np.zeros(0)
