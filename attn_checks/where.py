"""Where an answer goes wrong: what the inputs concerned have in common, and the line in which NumPy first warns."""

import math

import numpy as np

OFTEN = "It comes from inf − inf, inf/inf, 0·inf or 0/0: which step subtracts, multiplies or divides?"
# What an input may hold, and how a NaN may come of it.
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
OFTEN_THE_REASON = ["a mask", *(what for what, _, _ in SEEN[:3])]
# What an array may be.
OF_ARRAY = (
    ("axes in front", lambda array: array.ndim > 2),
    ("a single row", lambda array: array.shape[-2] == 1),
    ("a single column", lambda array: array.shape[-1] == 1),
    ("as many rows as columns", lambda array: array.shape[-2] == array.shape[-1]),
    ("a square number of columns", lambda array: math.sqrt(array.shape[-1]).is_integer()),
    ("an even number of columns", lambda array: array.shape[-1] % 2 == 0),
)
# What NumPy warns of, and what it means.
WARNINGS = (
    ("Mean of empty slice", "there a mean is taken of nothing, 0/0."),
    ("overflow encountered in exp", "e to such a power is too large for a float, and becomes inf."),
    ("overflow", "a number becomes too large for a float, and so inf."),
    ("divide by zero encountered in log", "the logarithm of 0 is −inf."),
    ("divide by zero", "a number is divided by 0, which gives inf."),
    ("invalid value encountered in log", "a negative number has no logarithm."),
    ("invalid value encountered in sqrt", "a negative number has no root."),
    ("invalid value encountered in subtract", "inf − inf is NaN."),
    ("invalid value encountered in divide", "0/0 and inf/inf are NaN."),
    ("invalid value encountered in m", "0 · inf is NaN."),
)


def about_nan(cases, results):
    """What is true of the inputs on which a NaN comes out; `results` are those of each input, None for an error."""
    tried = [(case, has_nan(values)) for case, values in zip(cases, results, strict=False) if values]
    if all(found for _, found in tried):
        return "There is a NaN (not a number) in your result, on every input."
    for what, holds, why in SEEN:
        if all(bool(holds(*parts(case))) == found for case, found in tried):
            return f"There is a NaN (not a number) in your result just where an input holds {what}. {why}"
    count = sum(found for _, found in tried)
    return f"There is a NaN (not a number) in your result, on {count} of {len(tried)} inputs."


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


def first_warning(outcome):
    """The learner's line in which NumPy first warned, with what that means; "" if it did not."""
    if not outcome.warned:
        return (
            "NumPy meets it in no step of the arithmetic: is np.nan, or None, put there?"
            if has_nan(outcome.values or ())
            else ""
        )
    words, line = outcome.warned
    means = next((means for part, means in WARNINGS if part in words), f"NumPy says: {words}.")
    return f"It begins in your line {line}: {means}"


# ---------------------------------------------------------------------------
# On which inputs it is right
# ---------------------------------------------------------------------------


def where_right(exercise, outcomes, wrong):
    """What sets apart the inputs on which an answer is wrong from those on which it is right; or ""."""
    tried = [i for i, outcome in enumerate(outcomes) if outcome.raised is None]
    is_wrong = [i in wrong for i in tried]
    if all(is_wrong) or len(tried) < 4:
        return ""
    cases = [dict(zip(exercise.parameters, exercise.cases[i], strict=False)) for i in tried]
    partly, of_those = "", f"Of the {len(tried)} inputs tried it is"  # of others nothing is known
    for what, holds in conditions(exercise.parameters):
        seen = [guess(holds, case) for case in cases]
        if None in seen or min(seen.count(True), seen.count(False)) < 2:
            continue
        if seen == is_wrong:
            return f"{of_those} wrong on the {sum(seen)} with {what}, and right on all others."
        if [not one for one in seen] == is_wrong:
            return f"{of_those} right on the {sum(seen)} with {what}, and wrong on all others."
        often = what in OFTEN_THE_REASON and seen.count(False) > 2
        if often and all(one for one, wrong in zip(seen, is_wrong, strict=True) if wrong):
            partly = partly or f"{of_those} wrong only on some with {what}."
    return by_number(exercise, cases, is_wrong) or partly


def guess(holds, case):
    """Whether a condition holds of an input; None where it cannot be asked."""
    try:
        return bool(holds(case))
    except (KeyError, AttributeError, IndexError, TypeError):
        return None


def conditions(parameters):
    """What an input may have: words, and a function of the input by its parameters' names."""
    yield "a mask", lambda case: case.get("mask") is not None
    for what, holds, _ in SEEN:
        yield what, lambda case, holds=holds: holds(*parts(tuple(case.values())))
    yield (
        "numbers that are not whole",
        lambda case: not float(np.nansum(parts(tuple(case.values()))[1])).is_integer(),
    )
    if {"Q", "K"} <= set(parameters):
        yield "as many queries as keys", lambda case: case["Q"].shape[-2] == case["K"].shape[-2]
    for name in parameters:
        for what, holds in OF_ARRAY:
            yield f"{what} in {name}", lambda case, name=name, holds=holds: holds(case[name])


def by_number(exercise, cases, is_wrong):
    """The same for the one argument that is a single number: up to which it is right, or from which on; or ""."""
    single = [
        name
        for name in exercise.parameters
        if all(isinstance(case.get(name), (int, float)) for case in cases)
    ]
    if len(single) != 1 or min(is_wrong.count(True), is_wrong.count(False)) < 2:
        return ""
    pairs = [(case[single[0]], wrong) for case, wrong in zip(cases, is_wrong, strict=True)]
    good, bad = ({value for value, wrong in pairs if wrong is kind} for kind in (False, True))
    if max(good) < min(bad) or max(bad) < min(good):
        return f"It is right for {single[0]} = {some(good)}, and wrong for {single[0]} = {some(bad)}."
    return ""


def some(values):
    return ", ".join(f"{value:g}" for value in sorted(values)[:4])
