"""What is to be seen in wrong numbers, where no relation explains all of them: of rows, of shares, of a mask, of a cell."""

import numpy as np

from attn_checks.compare import SMALLEST, close, which_matrix
from attn_checks.relations import (
    ENOUGH,
    all_zero,
    at_cell,
    can_be_seen,
    cell_name,
    holds_too,
    one_factor,
    one_shift,
    sums_to_1,
)


def remark(want, got, others=()):
    """The first sentence on what is to be seen in two arrays, which need not explain all of it; or ""."""
    at = which_matrix(want, got)
    if want.dtype == bool:
        return cells_too_many(want[at], got[at])
    for related in REMARKS:
        sentence = related(want[at], got[at])
        if sentence and (related is not places or all(holds_too(places, *pair) for *pair, _ in others)):
            elsewhere = related is another_elsewhere and any(can_be_seen(w) for w, *_ in others)
            return sentence + (" On others it is not so." if elsewhere else "")
    return ""


def another_elsewhere(want, got):
    """A factor or a difference that is another one on other inputs."""
    sentence = one_factor(want, got) or one_shift(want, got)
    return f"On this input e{sentence[1:]}" if sentence else ""


def right_on(want, got):
    """Of single numbers, one for each input, on how many they are right."""
    wrong = ~close(got, want)
    first = wrong.argmax()
    which = f" It is right on {len(wrong) - wrong.sum()} of {len(wrong)} inputs." if not wrong.all() else ""
    way = "large" if (got > want)[wrong].all() else "small" if (got < want)[wrong].all() else ""
    return (
        f"Yours is {plain(got[first])}, and should be {plain(want[first])}."
        + (f" It is too {way} wherever it is wrong." if way and wrong.sum() > 1 else "")
        + which
    )


def shares(want, got):
    """Of rows that should be shares of 1: their sums, how even they are, who gets most."""
    if not want.ndim or want.shape[-1] < ENOUGH or (want < 0).any() or not np.isfinite(got).all():
        return ""
    if not close(want.sum(axis=-1), np.ones(want.shape[:-1]))[want.any(axis=-1)].all() or not want.any():
        return ""
    if (got < 0).any():
        return f"A share cannot be negative: {at_cell(got, got < 0)}."
    uneven = ~close(got.sum(axis=-1), want.sum(axis=-1))
    given = at_cell(got, (want == 0) & (got > 1e-12))
    if uneven.any():
        return row_sums(want, got, uneven, given)
    if given:
        return f"{sums_to_1(got)}, but some of it goes where nothing should: {given}."
    return how_even(want, got)


def row_sums(want, got, uneven, given):
    row = tuple(map(int, np.argwhere(uneven)[0]))
    total, right = got.sum(axis=-1)[row], want.sum(axis=-1)[row]
    text = f"{row_name(row)} sums to {total:.6g}, and should to {right:.0f}"
    with np.errstate(all="ignore"):
        kept = close(got / got.sum(axis=-1, keepdims=True), want)[uneven].all()
    if got.ndim > 1 and close(got.sum(axis=-2), np.ones(1)).all() and np.ptp(got) > SMALLEST:
        return f"{text}: it is your columns that sum to 1."
    if kept:
        return f"{text}; within the row the proportions are right."
    return f"{text}. Where nothing should go stands {given}." if given else f"{text}."


def how_even(want, got):
    """Of rows that do sum to 1, against the right ones: sharper, more even, or for another key."""
    best, right = got.argmax(axis=-1), want.argmax(axis=-1)
    alone = close(got, got.max(axis=-1, keepdims=True)).sum(axis=-1) == 1  # of a tie nothing can be said
    missed = ~close(np.take_along_axis(want, best[..., None], -1), want.max(axis=-1, keepdims=True))[..., 0]
    wrong = missed & alone
    if wrong.any():
        row, place = tuple(map(int, np.argwhere(wrong)[0])), "column" if got.ndim > 1 else "position"
        where = f"{sums_to_1(got)}. {f'In {row_name(row).lower()} the' if row else 'The'}"
        return f"{where} largest share goes to {place} {best[row]}, and should go to {place} {right[row]}."
    if missed.any():
        return f"{sums_to_1(got)}. {first_cell(want, got)}"
    if ((got == 0) | (got == 1)).all():
        return f"One {'cell of each row' if got.ndim > 1 else 'position'} takes everything: the others should keep a share, however small."
    return f"{sums_to_1(got)}, and the largest share is in its place, but {apart(want, got)}."


def apart(want, got):
    """How far apart the scores behind two shares of a row lie, and should."""
    row = tuple(np.argwhere((~close(got, want)).any(axis=-1))[0])
    mine, right = got[row], want[row]
    order = np.argsort(right)[::-1]
    first, second = order[0], next((i for i in order[1:] if right[i] > 0 and mine[i] > 0), order[0])
    if not np.isclose(right[first], right[second]) and mine[first] > 0:
        lie = [f"{np.log(shares[first] / shares[second]):.4g}" for shares in (mine, right)]
        if lie[0] != lie[1]:
            return f"the scores behind the two largest {f'of {row_name(row).lower()} ' if row else ''}must have been {lie[0]} apart, and should be {lie[1]}"
    return f"it is not as large as it should be, or too large. {first_cell(want, got)[:-1]}"


def sums_of_rows(want, got):
    """Of rows that should sum to 0, as those of a gradient of shares."""
    if (
        want.ndim < 2
        or not close(want.sum(axis=-1), np.zeros(want.shape[:-1])).all()
        or not want.any(axis=-1).all()
    ):
        return ""
    totals = got.sum(axis=-1)
    return f"Each row should sum to 0. Row 0 sums to {totals[0]:.4g}." if abs(totals[0]) > 1e-6 else ""


def places(want, got):
    """Which rows, columns or positions are right, where some are; or what the wrong ones have in common."""
    wrong = ~close(got, want)
    if not want.ndim or wrong.all() or want.ndim > 2:
        return ""
    if want.ndim == 1:
        return f"Right at position {numbers(~wrong)}, wrong at {numbers(wrong)} (counted from 0)."
    for lines, name in ((wrong.any(axis=1), "row"), (wrong.any(axis=0), "column")):
        if not lines.all():
            return f"Right in {name} {numbers(~lines)}, wrong in {name} {numbers(lines)} (counted from 0)."
    diagonal = np.eye(*want.shape, dtype=bool)
    if np.array_equal(wrong, wrong & diagonal):
        return "Wrong only on the diagonal."
    if np.array_equal(wrong, ~diagonal):
        return "Right only on the diagonal."
    return ""


def numbers(flags):
    return ", ".join(map(str, np.flatnonzero(flags)))


def first_cell(want, got):
    """What always holds: where the numbers first part, and which way."""
    at = which_matrix(want, got)
    want, got = want[at], got[at]
    wrong = ~close(got, want)
    cell = tuple(map(int, np.argwhere(wrong)[0])) if wrong.ndim else ()
    way = (
        " All that differ are too large."
        if (got > want)[wrong].all()
        else " All that differ are too small."
        if (got < want)[wrong].all()  # a NaN is neither
        else ""
    )
    where = f"{cell_name(cell)} is" if cell else "Yours is"
    return f"{where} {plain(got[cell])}, and should be {plain(want[cell])}.{way}"


def plain(number):
    return f"{0 if abs(number) < SMALLEST else number:.6g}"


def cells_too_many(want, got):
    """Of a mask: which cells are True and should not be, and the other way round."""
    more, less = (np.argwhere(cells) for cells in (got & ~want, want & ~got))
    parts = []
    for cells, should in ((more, "True, and should be False"), (less, "False, and should be True")):
        if len(cells):
            others = f" (and {len(cells) - 1} more)" if len(cells) > 1 else ""
            parts.append(f"{cell_name(tuple(map(int, cells[0])))} is {should}{others}")
    which = (
        ""
        if len(more) and len(less)
        else f" Nothing is {'blocked' if len(more) else 'visible'} that should not be."
    )
    return "; ".join(parts) + "." + which + in_one_line(want != got)


def in_one_line(wrong):
    """Whether all wrong cells of a matrix stand in one row or column, and in which."""
    for axis, name in ((0, "row"), (1, "column")) if wrong.ndim == 2 and wrong.sum() > 1 else ():
        places = np.unique(np.argwhere(wrong)[:, axis])
        if len(places) == 1:
            return f" All of them stand in {name} {places[0]} (of 0 to {wrong.shape[axis] - 1})."
    return ""


def row_name(row):
    return f"Row {row[-1]}" if row else "It"


REMARKS = (all_zero, shares, another_elsewhere, sums_of_rows, places)
