"""What is true of wrong numbers that no named mistake explains.

`diagnose` asks, in this order: is the result of the right type and shape (shape.py), is there a NaN, how are its
numbers related to the right ones, what can the exercise itself say, do rows sum to 1, and which inputs does the
result depend on (depends.py)? What is said of the answer holds on every input that can be compared; what is said of
one cell or row holds on the input shown. Where nothing specific is true, nothing is said: the message still shows
the numbers.
"""

from typing import NamedTuple

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import SMALLEST, are_shares, close, first_difference, same, which_matrix
from attn_checks.tell.depends import follows_wrongly, unused
from attn_checks.tell.shape import always_one_shape, wrong_shape
from attn_checks.tell.values import WrongResult, cell_name, name_list, sentences


class Compared(NamedTuple):
    """One result on one input, in floats."""

    want: np.ndarray
    got: np.ndarray
    case: tuple


def diagnose(answer: Answer) -> tuple[WrongResult, str | None, str]:
    """What to show, a short name or None, and what to say."""
    at = input_to_show(answer)
    if found := wrong_shape(answer, at):
        number, mistake, text = found
        if mistake == "wrong-shape" and number is not None:
            text = sentences(text, always_one_shape(answer, number) or unused(answer, number))
        return WrongResult(answer, at, number), mistake, text
    inputs = comparable(answer)
    number, beside = result_to_show(answer, at, inputs)
    if has_nan(answer, at):
        text = sentences(beside, own_words(answer, at), where_nan(answer, at))
        return WrongResult(answer, at, number), "nan", text
    compared = comparisons(answer, number, inputs)
    mistake, said = relation(answer.exercise, compared)
    follows = "" if mistake else unused(answer, number)
    if not said and not (said := own_words(answer, at)):
        said = about_rows(answer, at, number, compared)
        if not follows:
            others = [i for i in answer.wrong if i in inputs and i != at] if not said else []
            same_result = [i for i in others if result_to_show(answer, i, inputs)[0] == number]
            at, follows = follows_wrongly(answer, number, [at, *same_result])
    text = sentences(beside, said, follows, where_nan(answer, at))
    return WrongResult(answer, at, number), mistake, text


def input_to_show(answer):
    """The first wrong input with a result; one without NaN where most have none."""
    given = answer.wrong_numbers
    plain = [i for i in given if answer.outcomes[i].values and not has_nan(answer, i)]
    return plain[0] if 2 * len(plain) > len(answer.wrong) else given[0]


def comparable(answer):
    """The inputs on which the results have the number and the shapes of the right ones."""
    shapes = [
        [[array.shape for array in outcome.arrays] for outcome in outcomes]
        for outcomes in (answer.outcomes, answer.exercise.wanted)
    ]
    return [i for i, (mine, right) in enumerate(zip(*shapes, strict=False)) if mine == right]


def comparisons(answer, number, inputs):
    """One result on each input on which it can be compared in numbers."""
    found = []
    for i in inputs:
        want = answer.exercise.wanted[i].values[number]
        got = answer.outcomes[i].values[number]
        if got.dtype.kind in "biuf" and not has_nan(answer, i):
            found.append(Compared(want.astype(float), got.astype(float), answer.exercise.cases[i]))
    return found


def result_to_show(answer, at, inputs):
    """The result to show, weights before the output that is made of them; and what to say of the others."""
    exercise = answer.exercise
    want = answer.exercise.wanted[at]
    got = answer.outcomes[at]
    number = first_difference(want, got, exercise.exact)
    if len(exercise.results) == 1:
        return number, ""
    if exercise.mix and not same(got.values[1:], want.values[1:]):
        if all(is_mixed(exercise, exercise.cases[i], answer.outcomes[i]) for i in inputs):
            return 1, "Your output is your weights times the values, so look at the weights."
        return 1, "Look at the weights first."
    fine = []
    wrong = []
    for n, name in enumerate(exercise.results):
        pairs = [(answer.outcomes[i].values[n], exercise.wanted[i].values[n]) for i in inputs]
        (fine if all(same((mine,), (right,)) for mine, right in pairs) else wrong).append(name)
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
    if not any(nan):
        return ""
    text = f"There is a NaN (not a number) in your result on {sum(nan)} of {len(nan)} inputs."
    if not nan[at] or not answer.outcomes[at].warned:
        return text
    words, line = answer.outcomes[at].warned
    return f"{text} NumPy first warns in your line {line}: {words.removeprefix('RuntimeWarning: ')}."


# --- How wrong numbers are related to the right ones ----------------------------------------------


def relation(exercise, compared):
    """How all numbers are related to the right ones, the same on every input: a short name or None, and a sentence or ""."""
    if exercise.exact or not compared:
        return None, ""
    want = np.concatenate([each.want.ravel() for each in compared])
    got = np.concatenate([each.got.ravel() for each in compared])
    if not got.any():
        return None, "Every number is 0."
    counted = np.isfinite(want) & (want != 0)
    if len(np.unique(want[counted].round(9))) > 1:  # enough to tell a factor from a difference
        with np.errstate(all="ignore"):
            if said := of_factor(want, got, counted) or of_difference(want, got):
                return None, said
            if digits := digits_left(want, got):
                return "rounded", f"The numbers are rounded to {digits} decimals. Round when you print."
    return None, of_inputs(exercise, compared) or of_cells(compared)


def of_factor(want, got, counted):
    factors = got[counted] / want[counted]
    factor = factors[0]
    is_one = np.isfinite(factor) and np.allclose(factors, factor, rtol=1e-6, atol=0)
    if is_one and close(got, want)[~counted].all():
        return f"Every number is {factor:.6g} times as large as it should be."
    if np.allclose(got, abs(want), rtol=1e-9, atol=1e-12):
        return "Every number has lost its sign: negative ones have become positive."
    return ""


def of_difference(want, got):
    differences = got - want
    if not np.isfinite(differences).all() or not np.allclose(differences, differences[0], atol=1e-9):
        return ""
    return f"Every number is {abs(differences[0]):.4g} too {'large' if differences[0] > 0 else 'small'}."


def digits_left(want, got):
    """To how many decimals the right numbers are rounded, or None; weights that are all 0 or 1 aren't rounded."""
    if np.minimum(abs(got), abs(got - 1)).max() < SMALLEST:
        return None
    rounded = (
        digits for digits in range(1, 7) if np.allclose(want.round(digits), got, rtol=1e-9, atol=1e-12)
    )
    return next(rounded, None)


def of_inputs(exercise, compared):
    """Whether an input comes back, alone or added to the right result."""
    for position, name in enumerate(exercise.parameters):
        pairs = [(each.case[position], each) for each in compared if len(each.case) > position]
        arrays = [given.shape for given, _ in pairs if isinstance(given, np.ndarray)]
        if arrays != [each.got.shape for each in compared]:
            continue
        if all(close(each.got, given).all() for given, each in pairs):
            return f"Your function returns {name} unchanged."
        if all(close(each.got, each.want + given).all() for given, each in pairs):
            return f"{name} is added to the right result."
    return ""


def of_cells(compared):
    """Whether the right numbers are in other cells."""
    if compared[0].want.ndim < 2 or all(np.allclose(*each[:2], atol=SMALLEST) for each in compared):
        return ""
    if all(close(np.sort(each.got, axis=None), np.sort(each.want, axis=None)).all() for each in compared):
        return (
            "All the right numbers are there, but in other cells. Is something transposed, reshaped, or "
            "counted from the other end?"
        )
    return ""


# --- Rows of weights ------------------------------------------------------------------------------


def about_rows(answer, at, number, compared):
    """Of a result whose rows should sum to 1 the first of these that is true of the matrix shown; or ""."""
    if not compared or not all(each.want.ndim and are_shares(each.want) for each in compared):
        return ""
    want = answer.exercise.wanted[at].values[number]
    got = answer.outcomes[at].values[number]
    picked = which_matrix(want, got)
    want = want[picked]
    got = got[picked]
    if (got < 0).any():
        return f"No weight can be negative, but {cell_name(got < 0)} is {got[got < 0][0]:.3g}."
    totals = got.sum(axis=-1)
    right = want.sum(axis=-1)
    uneven = ~close(totals, right)
    if uneven.any():
        row = f"Row {uneven.argmax()}" if got.ndim > 1 else "Your result"
        return f"{row} sums to {totals[uneven][0]:.6g}, and should sum to {right[uneven][0]:.0f}."
    sums = [close(each.got.sum(axis=-1), each.want.sum(axis=-1)).all() for each in compared]
    if len(compared) < len(answer.outcomes) or not all(sums):
        return ""
    they = "rows sum to 1, as they" if got.ndim > 1 else "result sums to 1, as it"
    return f"Your {they} should: look at the numbers before you normalise them."
