"""What is true of wrong numbers that no named mistake explains.

`diagnose` asks, in this order: is the result of the right type and shape (shape.py), is there a NaN, how are its numbers
related to the right ones, what can the exercise itself say, do rows sum to 1, and which inputs does the result depend on
(depends.py)? What is said of the answer holds on every input that can be compared; what is said of one cell or row holds
on the input shown. Where nothing specific is true, nothing is said: the message still shows the numbers.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import SMALLEST, are_shares, close, first_difference, same, which_matrix
from attn_checks.tell.depends import follows_wrongly, unused
from attn_checks.tell.shape import always_one_shape, wrong_shape
from attn_checks.tell.values import WrongResult, cell_name, name_list, sentences


def diagnose(answer: Answer) -> tuple[WrongResult, str | None, str]:
    """What to show, a short name or None, and what to say."""
    at = input_to_show(answer)
    if found := wrong_shape(answer, at):
        number, mistake, text = found
        if mistake == "wrong-shape" and number is not None:
            text = sentences(text, always_one_shape(answer, number) or unused(answer, number))
        return WrongResult(answer, at, number), mistake, text
    number, beside = result_to_show(answer, at)
    nan = where_nan(answer, at)
    if has_nan(answer, at):
        return WrongResult(answer, at, number), "nan", sentences(beside, own_words(answer, at), nan)
    mistake, related = relation(answer, at, number)
    if related:
        text = sentences(beside, related, unused(answer, number), nan)
        return WrongResult(answer, at, number), mistake, text
    said, follows = own_words(answer, at), unused(answer, number)
    if not said:
        said = about_rows(answer, at, number)
        others = [] if said else [i for i in answer.wrong if i in comparable(answer)]
        same_result = [i for i in others if i != at and result_to_show(answer, i)[0] == number]
        at, follows = (at, follows) if follows else follows_wrongly(answer, number, [at, *same_result])
    return WrongResult(answer, at, number), None, sentences(beside, said, follows, where_nan(answer, at))


def input_to_show(answer):
    """The first wrong input with a result; one without NaN where most have none."""
    given = answer.wrong_numbers
    plain = [i for i in given if answer.outcomes[i].values and not has_nan(answer, i)]
    return plain[0] if 2 * len(plain) > len(answer.wrong) else given[0]


def comparable(answer):
    """The inputs on which the results have the number and the shapes of the right ones."""
    pairs = enumerate(zip(answer.outcomes, answer.exercise.wanted, strict=False))
    return [i for i, (mine, right) in pairs if shapes(mine) == shapes(right)]


def shapes(outcome):
    return [array.shape for array in outcome.arrays]


def result_to_show(answer, at):
    """The result to show, weights before the output that is made of them; and what to say of the others."""
    exercise, inputs = answer.exercise, comparable(answer)
    want, got = exercise.wanted[at], answer.outcomes[at]
    number = first_difference(want, got, exercise.exact)
    if len(exercise.results) == 1:
        return number, ""
    if exercise.mix and not same(got.values[1:], want.values[1:]):
        if all(is_mixed(exercise, exercise.cases[i], answer.outcomes[i]) for i in inputs):
            return 1, "Your output is your weights times the values, so look at the weights."
        return 1, "Look at the weights first."
    pairs = [(answer.outcomes[i].values, exercise.wanted[i].values) for i in inputs]
    fine = [
        name
        for n, name in enumerate(exercise.results)
        if all(same((mine[n],), (right[n],)) for mine, right in pairs)
    ]
    wrong = [name for name in exercise.results if name not in fine]
    if not fine:
        return number, f"Look at {exercise.results[number]} first."
    return number, f"Right: {name_list(fine)}. Wrong: {name_list(wrong)}."


def is_mixed(exercise, case, outcome):
    """Whether the output is made of the weights beside it, which may be wrong."""
    output, weights = outcome.values[:2]
    return same((output,), (exercise.mix(case, weights),))


def own_words(answer, at):
    """What only this exercise can say, by asking the learner's function on other inputs; or ""."""
    exercise = answer.exercise

    def ask(*case):
        values = answer.caller.outcome(case).values
        fine = values and all(part.dtype.kind in "fiub" for part in values)
        return in_floats(values) if fine else None

    given = in_floats(exercise.wanted[at].values), in_floats(answer.outcomes[at].values)
    return exercise.own(ask, exercise.cases[at], *given) if exercise.own else ""


def in_floats(values):
    """Arrays with all numbers in double precision: NumPy's linear algebra takes no others."""
    return tuple(part.astype(float) if part.dtype.kind in "fiu" else part for part in values)


# --- NaN ------------------------------------------------------------------------------------------


def has_nan(answer, i):
    """Whether there is a NaN on one input where the right answer has none."""
    return holds_nan(answer.outcomes[i]) and not holds_nan(answer.exercise.wanted[i])


def holds_nan(outcome):
    return any([array.dtype.kind == "f" and np.isnan(array).any() for array in outcome.arrays])


def where_nan(answer, at):
    """On how many inputs a NaN comes out; and the learner's line in which NumPy warns, if the input shown has one."""
    nan = [has_nan(answer, i) for i in range(len(answer.outcomes))]
    if not any(nan) or any(map(holds_nan, answer.exercise.wanted)):
        return ""
    text = f"There is a NaN (not a number) in your result on {sum(nan)} of {len(nan)} inputs."
    if not nan[at] or not answer.outcomes[at].warned:
        return text
    words, line = answer.outcomes[at].warned
    return f"{text} NumPy first warns in your line {line}: {words.removeprefix('RuntimeWarning: ')}."


# --- How wrong numbers are related to the right ones ----------------------------------------------


class Compared(NamedTuple):
    """One result on one input, in floats."""

    want: np.ndarray
    got: np.ndarray
    case: tuple


def relation(answer, at, number):
    """How all numbers are related to the right ones, the same on every input: a short name or None, and a sentence or ""."""
    compared = list(comparisons(answer, number))
    if answer.exercise.exact or answer.outcomes[at].values[number].dtype.kind == "U" or not compared:
        return None, ""
    want = np.concatenate([each.want.ravel() for each in compared])
    got = np.concatenate([each.got.ravel() for each in compared])
    with np.errstate(all="ignore"):
        mistake, said = of_each_number(want, got)
    return mistake, said or of_inputs(answer.exercise, compared) or of_cells(compared)


def comparisons(answer, number) -> Iterator[Compared]:
    """One result on each input on which it can be compared."""
    for i in comparable(answer):
        want, got = answer.exercise.wanted[i].values[number], answer.outcomes[i].values[number]
        if got.dtype.kind in "biuf" and not has_nan(answer, i):
            yield Compared(want.astype(float), got.astype(float), answer.exercise.cases[i])


class Change(NamedTuple):
    """What may have been done to every number, and what to say of it."""

    make: Callable
    say: str
    mistake: str | None = None


CHANGES = (
    Change(np.abs, "Every number has lost its sign: negative ones have become positive."),
    Change(np.trunc, "The decimals are cut off."),
    Change(np.round, "The numbers are rounded to whole numbers."),
    *[
        Change(
            partial(np.round, decimals=digits),
            f"The numbers are rounded to the nearest {10**-digits:.{digits}f}. Round when you print.",
            "rounded",
        )
        for digits in range(1, 7)
    ],
)


def of_each_number(want, got):
    """What has been done to each number, those of all inputs in one row: a short name or None, and a sentence or ""."""
    counted = np.isfinite(want) & (want != 0)
    if not got.any():
        return None, "Every number is 0."
    if len(np.unique(want[counted].round(9))) < 2:  # too few to tell a factor from a difference
        return None, ""
    if said := of_factor(want, got, counted) or of_difference(want, got):
        return None, said
    saturated = np.minimum(abs(got), abs(got - 1)).max() < SMALLEST  # not rounded
    for change in CHANGES if np.isfinite(got).all() and not saturated else ():
        if np.allclose(change.make(want), got, rtol=1e-9, atol=1e-12):
            return change.mistake, change.say
    return None, ""


def of_factor(want, got, counted):
    factors = got[counted] / want[counted]
    factor = factors[0]
    if not np.isfinite(factor) or not np.allclose(factors, factor, rtol=1e-6, atol=0):
        return ""
    if not close(got, want)[~counted].all():
        return ""
    if np.isclose(factor, -1):
        return "Every number has the opposite sign of the right one."
    return f"Every number is {factor:.6g} times as large as it should be."


def of_difference(want, got):
    differences = got - want
    if not np.isfinite(differences).all() or not np.allclose(differences, differences[0], atol=1e-9):
        return ""
    return f"Every number is {abs(differences[0]):.4g} too {'large' if differences[0] > 0 else 'small'}."


def of_inputs(exercise, compared):
    """Whether an input comes back, alone or added to the right result."""
    for position, name in enumerate(exercise.parameters):
        given = [each.case[position] if len(each.case) > position else None for each in compared]
        pairs = list(zip(given, compared, strict=True))
        if not all(isinstance(array, np.ndarray) and array.shape == each.got.shape for array, each in pairs):
            continue
        if all(close(each.got, array).all() for array, each in pairs):
            return f"Your function returns {name} unchanged."
        if all(close(each.got, each.want + array).all() for array, each in pairs):
            return f"{name} is added to the right result."
    return ""


def of_cells(compared):
    """Whether the right numbers are in other cells."""
    pairs = [(each.want, each.got) for each in compared]
    for want, got in pairs:
        is_nearly = np.allclose(got, want, atol=SMALLEST) and not close(got, want).all()
        if is_nearly or want.ndim < 2:  # nearly: a weight of almost 0 is 0
            return ""
    if all(close(got, want[..., ::-1]).all() for want, got in pairs):
        return "The numbers are right, but each row runs backwards."
    in_order = [(np.sort(want, axis=None), np.sort(got, axis=None)) for want, got in pairs]
    if all(close(got, want).all() for want, got in in_order):
        return (
            "All the right numbers are there, but in other cells. Is something transposed, reshaped, or "
            "counted from the other end?"
        )
    return ""


# --- Rows of weights ------------------------------------------------------------------------------


def about_rows(answer, at, number):
    """Of a result whose rows should sum to 1 the first of these that is true of the matrix shown; or ""."""
    compared = list(comparisons(answer, number))
    if not compared or not all(each.want.ndim and are_shares(each.want) for each in compared):
        return ""
    want, got = answer.exercise.wanted[at].values[number], answer.outcomes[at].values[number]
    picked = which_matrix(want, got)
    want, got = want[picked], got[picked]
    said = of_negative(got) or of_sums(want, got) or of_largest(want, got)
    if said or len(compared) < len(answer.outcomes):
        return said
    sums = [(each.want.sum(axis=-1), each.got.sum(axis=-1)) for each in compared]
    if not all(close(mine, right).all() for right, mine in sums):
        return ""
    they = "rows sum to 1, as they" if got.ndim > 1 else "result sums to 1, as it"
    return f"Your {they} should: look at the numbers before you normalise them."


def of_negative(got):
    negative = got < 0
    return (
        f"No weight can be negative, but {cell_name(negative)} is {got[negative][0]:.3g}."
        if negative.any()
        else ""
    )


def of_sums(want, got):
    """Which row has a wrong sum."""
    totals, right = got.sum(axis=-1), want.sum(axis=-1)
    uneven = ~close(totals, right)
    if not uneven.any():
        return ""
    row = f"Row {uneven.argmax()}" if got.ndim > 1 else "Your result"
    return f"{row} sums to {totals[uneven][0]:.6g}, and should sum to {right[uneven][0]:.0f}."


def of_largest(want, got):
    """Which cell alone has the largest weight of its row and shouldn't."""
    largest = (got == got.max(axis=-1, keepdims=True)) & (got > 0)
    alone = largest & (largest.sum(axis=-1, keepdims=True) == 1)
    missed = alone & ~close(want, want.max(axis=-1, keepdims=True))
    if not missed.any():
        return ""
    return f"Your largest weight in this row is in {cell_name(missed)}, which isn't the right cell."
