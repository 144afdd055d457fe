"""What explains all wrong numbers that no known mistake does: how they are related to the right ones.

A relation takes right and wrong numbers, arrays of one shape, and gives a sentence that holds of them, or "".
"""

import numpy as np

from attn_checks.compare import SMALLEST, are_shares, close, which_matrix

ENOUGH = 2  # numbers that a factor must fit, at least


def relation(want, got, inputs=(), others=()):
    """The first sentence that explains all of the difference between two arrays of numbers, or "".

    `others` are other inputs, (want, got, inputs): what may be chance on this one must hold on them as well.
    """
    if np.iscomplexobj(got):
        return "Your numbers are complex, with a part in j. Is a root taken of something negative?"
    if want.dtype == bool:
        return ""
    for name, given in inputs:
        sentence = from_input(want, got, name, given)
        if sentence and all(
            sentence == from_input(*pair, name, dict(known)[name]) for *pair, known in others
        ):
            return sentence
    at = which_matrix(want, got)
    for related in OF_ALL + (OF_SHARES if are_shares(want) and want.any() else OF_ONE):
        pair = (want, got) if related in OF_ALL else (want[at], got[at])
        sentence = related(*pair)
        if related in (one_factor, one_shift, made_of_each):
            true = everywhere(related, sentence, others)
        else:
            true = related in SEEN or all(holds_too(related, *pair) for *pair, _ in others)
        if sentence and true:
            return sentence
    return ""


def holds_too(related, want, got):
    """Whether a relation holds of another input, or cannot be seen there: nothing is wrong, or there is too little."""
    if want.shape != got.shape or alike(got, want) or want.size <= ENOUGH or want.shape[-1] < ENOUGH:
        return True
    if related is multiplied and (want.shape[-1] <= ENOUGH or not (want > 0).all() or not (got > 0).all()):
        return True
    at = which_matrix(want, got)
    return bool(related(want, got) if related in OF_ALL else related(want[at], got[at]))


def everywhere(related, sentence, others):
    """Whether the very same holds of all other inputs on which it can be seen, and of one at least."""
    seen = [(want, got) for want, got, _ in others if can_be_seen(want) and want.shape == got.shape]
    return bool(seen) and all(same_too(related, sentence, *pair) for pair in seen)


def can_be_seen(want):
    """Whether there are numbers enough, and different ones, to tell a factor from a difference."""
    return (
        want.size > ENOUGH and np.isfinite(want).all() and len(np.unique(want[want != 0].round(9))) >= ENOUGH
    )


def same_too(related, sentence, want, got):
    at = which_matrix(want, got)
    if related is made_of_each:
        return sentence in all_made_of_each(want[at], got[at])
    return related(want[at], got[at]) == sentence


def over_inputs(want, got):
    """What holds of single numbers, one for each input, or ""."""
    if np.iscomplexobj(got):
        return "Your number is complex, with a part in j. Is a root taken of something negative?"
    sentences = [related(want, got) for related in (all_zero, one_factor, one_shift, rounded, made_of_each)]
    return next(filter(None, sentences), "")


def alike(a, b):
    return a.shape == b.shape and bool(close(a, b).all())


def from_input(want, got, name, given):
    """Whether an input came back, or was added to the right result."""
    if isinstance(given, np.ndarray) and given.dtype.kind == "f" and given.shape == got.shape:
        if alike(got, given):
            return f"What comes back is {name} as it came in."
        if got.shape == want.shape and alike(got, want + given):
            return f"It is the right result with {name} added to it."
    return ""


def turned(want, got):
    square = want.ndim > 1 and want.shape[-1] == want.shape[-2]
    factor = common_factor(want.swapaxes(-1, -2), got) if square else None
    if want.ndim > 1 and alike(got, want.swapaxes(-1, -2)):
        return "It is the right table with rows and columns exchanged."
    if factor:
        return f"It is the right table with rows and columns exchanged, and every number is {factor:.4g} times as large."
    if want.ndim and alike(got, want[..., ::-1]):
        return "The numbers are right, but each row runs backwards."
    if want.ndim > 1 and alike(got, want[..., ::-1, :]):
        return "The rows are right, but they stand in the opposite order."
    return ""


def all_zero(want, got):
    return "Every number is 0." if not got.any() else ""


def one_factor(want, got):
    factor = common_factor(want, got)
    if not factor or abs(factor - 1) < 1e-9:
        return ""
    if abs(factor + 1) < 1e-9:
        return "Every number has the opposite sign of the right one."
    return f"Every number is {factor:.6g} times as large as it should be."


def common_factor(want, got):
    """The number that all right ones are multiplied by, or None."""
    counted = np.isfinite(want) & (want != 0)
    if counted.sum() < ENOUGH or not close(got, want)[~counted].all() or not np.isfinite(got[counted]).all():
        return None
    ratios = got[counted] / want[counted]
    spread_out = len(np.unique(want[counted].round(9))) >= ENOUGH
    return ratios[0] if spread_out and np.allclose(ratios, ratios[0], rtol=1e-6, atol=0) else None


def one_shift(want, got):
    counted = np.isfinite(want) & np.isfinite(got)
    difference = (got - want)[counted]
    if counted.sum() < ENOUGH or not counted.all() or not np.allclose(difference, difference[0], atol=1e-9):
        return ""
    return f"Every number is {abs(difference[0]):.4g} too {'large' if difference[0] > 0 else 'small'}."


MADE_OF_EACH = (
    (np.abs, "Every number has lost its sign: negative ones have become positive."),
    (lambda w: np.maximum(w, 0), "Negative numbers have become 0; all others are right."),
    (np.square, "Every number is the square of the right one."),
    (lambda w: np.sqrt(np.abs(w)), "Every number is the root of the right one."),
    (np.exp, "Every number is e to the power of the right one."),
    (np.log, "Every number is the logarithm of the right one."),
    (lambda w: 1 / w, "Every number is upside down: 1 divided by the right one."),
    (lambda w: 1 - w, "Every number is what the right one lacks to 1."),
    (np.trunc, "The decimals are cut off."),
    (np.round, "The numbers are rounded to whole ones."),
)


def rounded(want, got):
    for n in (1, 2, 3, 4, 5, 6):
        if want.size >= ENOUGH and exactly(np.round(want, n), got) and not np.array_equal(got, np.round(got)):
            return f"The numbers are rounded, to {n} decimal{'s' if n > 1 else ''}. Round when you print."
    return ""


def made_of_each(want, got):
    return next(iter(all_made_of_each(want, got)), "") if want.size >= ENOUGH and got.any() else ""


@np.errstate(all="ignore")
def all_made_of_each(want, got):
    return [
        text for make, text in MADE_OF_EACH if np.array_equal(make(want), got) or exactly(make(want), got)
    ]


def exactly(made, got):
    return bool(np.isfinite(made).all() and np.allclose(made, got, rtol=1e-9, atol=1e-12))


def multiplied(want, got):
    """Of shares: as if the scores had been multiplied before they were made."""
    power = common_power(want, got) if want.ndim and want.shape[-1] > ENOUGH else None
    if not power or power < 0 or not all(close(a.sum(axis=-1), np.ones(1)).all() for a in (want, got)):
        return ""
    how = "too even" if power < 1 else "too far apart"
    return f"{sums_to_1(got)} and {'their' if got.ndim > 1 else 'the'} order is right, but the shares are {how}: as if all scores had been multiplied by {power:.4g}."


def sums_to_1(got):
    return "The rows sum to 1" if got.ndim > 1 else "It sums to 1"


def common_power(want, got):
    """The number by which all scores must have been multiplied, or None."""
    if (got <= 0).any() or (want <= 0).any():
        return None
    right, mine = (np.log(a) - np.log(a).mean(axis=-1, keepdims=True) for a in (want, got))
    counted = np.abs(right) > 1e-6
    ratios = mine[counted] / right[counted]
    told = counted.any(axis=-1).sum() * (want.shape[-1] - 1)  # a row of two numbers fits some power, always
    fits = told >= ENOUGH and np.allclose(ratios, ratios[0], rtol=1e-4)
    return ratios[0] if fits and np.allclose(mine[~counted], 0, atol=1e-6) else None


def each_row(want, got):
    if want.ndim < 2 or want.shape[-1] < ENOUGH or not (np.isfinite(want).all() and np.isfinite(got).all()):
        return ""
    factors = [common_factor(w, g) for w, g in zip(rows_of(want), rows_of(got), strict=True)]
    if len(factors) > 1 and None not in factors and not np.allclose(factors, factors[0]):
        return f"Each row is right but for a factor of its own: {', '.join(f'{f:.3g}' for f in factors[:4])}."
    difference = got - want
    if np.allclose(difference, difference[..., :1], atol=1e-9) and not np.allclose(
        difference, difference.flat[0]
    ):
        return "Each row is right but for one number added to all of it, another in every row."
    return ""


def rows_of(array):
    return array.reshape(-1, array.shape[-1])


def another_order(want, got):
    if want.size <= ENOUGH or not close(np.sort(got, axis=None), np.sort(want, axis=None)).all():
        return ""
    if np.allclose(got, want, atol=SMALLEST):  # no cell is elsewhere: a share of almost 0 stands for 0
        return ""
    cell = tuple(map(int, np.argwhere(~close(got, want))[0]))
    places = np.argwhere(close(want, got[cell]))
    from_where = (
        f": what stands in {cell_name(cell).lower()} belongs in {cell_name(tuple(map(int, places[0]))).lower()}"
        if len(places) == 1
        else ""
    )
    return f"All the right numbers are there, but they stand in other cells{from_where}. Is something turned, reshaped, or counted from another end?"


def just_where(want, got):
    wrong = ~close(got, want)
    for value, name in ((0, "0"), (-np.inf, "−inf")):
        if (want == value).any() and np.array_equal(wrong, want == value) and not wrong.all():
            return f"Wrong are just the cells in which {name} should stand: {at_cell(got, wrong)}."
    return ""


def two_parts(want, got):
    """Of a single row: the first numbers are right but for one factor, the others but for another."""
    for cut in range(1, len(want)) if want.ndim == 1 and (want != 0).all() else ():
        first, rest = ((got / want)[part] for part in (slice(cut), slice(cut, None)))
        if np.allclose(first, first[0]) and np.allclose(rest, rest[0]) and len(want) > ENOUGH:
            if np.isclose(first[0], rest[0]):
                return ""
            return f"Up to position {cut - 1} each number is {first[0]:.4g} times as large as it should be, from position {cut} on {rest[0]:.4g} times."
    return ""


OF_ALL = (turned, rounded, just_where, another_order)
OF_ONE = (two_parts, multiplied, one_factor, one_shift, made_of_each, each_row)  # matrix of a batch
OF_SHARES = (two_parts, multiplied, made_of_each)  # their sums are told in remarks.py
SEEN = (rounded, just_where)  # facts of the table shown; all others must hold on every input


def at_cell(array, where):
    """The first cell where something holds, with its number; "" if there is none."""
    cells = np.argwhere(where)
    return (
        f"{array[tuple(cells[0])]:.3g} in {cell_name(tuple(map(int, cells[0]))).lower()}"
        if len(cells)
        else ""
    )


def cell_name(cell):
    if len(cell) == 1:
        return f"Position {cell[0]}"
    return f"Row {cell[-2]}, column {cell[-1]}" + (
        f" (at {', '.join(map(str, cell[:-2]))})" if cell[2:] else ""
    )
