"""What is true of wrong numbers that no named mistake explains.

`diagnose` asks, in this order: is the result of the right type and shape (shape.py), is there a NaN, how
are its numbers related to the right ones, what can the exercise itself say, do rows sum to 1, and which
arguments does the result depend on (depends.py)? What is said of the answer holds on every input that can be
compared; what is said of one cell or row holds on the input shown. Where nothing specific is true, nothing is
said: the message still shows the numbers.
"""

from typing import NamedTuple

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import SMALLEST, are_shares, close, first_difference, same, which_matrix
from attn_checks.tell.depends import cell_name, follows_wrongly, unused
from attn_checks.tell.feedback import name_list, sentences
from attn_checks.tell.shape import always_one_shape, wrong_shape


class WrongResult(NamedTuple):
    """The input that a message shows of a wrong answer, and the result (None: no single one)."""

    answer: Answer
    at: int
    number: int | None


class Compared(NamedTuple):
    """One result on one input, in floats."""

    want: np.ndarray
    got: np.ndarray
    case: tuple


def diagnose(answer: Answer) -> tuple[WrongResult, str | None, str]:
    """What to show, a short name or None, and what to say."""
    at = input_to_show(answer)
    found = wrong_shape(answer, at)
    if found:
        number, mistake, text = found
        if mistake == "wrong-shape":
            follows = always_one_shape(answer, number) or unused(answer, number)
            text = sentences(text, follows)
        return WrongResult(answer, at, number), mistake, text
    inputs = comparable(answer)
    number, beside = result_to_show(answer, at, inputs)
    if has_nan(answer, at):
        text = sentences(beside, own_words(answer, at), where_nan(answer, at))
        return WrongResult(answer, at, number), "nan", text
    compared = comparisons(answer, number, inputs)
    mistake, said = relation(answer.exercise, compared)
    said = said or own_words(answer, at)
    follows = "" if mistake else unused(answer, number)
    if not said:
        said = about_rows(answer, at, number, compared)
        if not follows:
            others = [] if said else also_wrong(answer, at, number, inputs)
            at, follows = follows_wrongly(answer, number, [at, *others])
    text = sentences(beside, said, follows, where_nan(answer, at))
    return WrongResult(answer, at, number), mistake, text


# --- Which input and which result to show ---------------------------------------------------------


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


def also_wrong(answer, at, number, inputs):
    """The other inputs on which the same result is to be shown."""
    others = [i for i in inputs if i in answer.wrong and i != at]
    return [i for i in others if result_to_show(answer, i, inputs)[0] == number]


def comparisons(answer, number, inputs):
    """One result on each input on which it can be compared in numbers."""
    exercise = answer.exercise
    found = []
    for i in inputs:
        want = exercise.wanted[i].values[number]
        got = answer.outcomes[i].values[number]
        if got.dtype.kind in "biuf" and not has_nan(answer, i):
            found.append(Compared(want.astype(float), got.astype(float), exercise.cases[i]))
    return found


def result_to_show(answer, at, inputs):
    """The result to show, weights before the output that is made of them; and what to say of the others."""
    exercise = answer.exercise
    want = exercise.wanted[at]
    got = answer.outcomes[at]
    number = first_difference(want, got, exercise.exact)
    if len(exercise.results) == 1:
        return number, ""
    if exercise.mix and not same(got.values[1:], want.values[1:]):
        if all(is_mixed(answer, i) for i in inputs):
            return 1, "Your output is your weights times the values, so look at the weights."
        return 1, "Look at the weights first."
    fine = [name for n, name in enumerate(exercise.results) if is_right(answer, n, inputs)]
    wrong = [name for name in exercise.results if name not in fine]
    if not fine:
        return number, f"Look at {exercise.results[number]} first."
    return number, f"Right: {name_list(fine)}. Wrong: {name_list(wrong)}."


def is_mixed(answer, i):
    """Whether the output is made of the weights beside it, which may be wrong."""
    output, weights = answer.outcomes[i].values[:2]
    mixed = answer.exercise.mix(answer.exercise.cases[i], weights)
    return same((output,), (mixed,))


def is_right(answer, number, inputs):
    """Whether one of several results is right on all these inputs."""
    for i in inputs:
        mine = answer.outcomes[i].values[number]
        right = answer.exercise.wanted[i].values[number]
        if not same((mine,), (right,)):
            return False
    return True


# --- What the exercise itself can say -------------------------------------------------------------


def own_words(answer, at):
    """What only this exercise can say, by asking the learner's function on other inputs; or ""."""
    exercise = answer.exercise
    if not exercise.own:
        return ""

    def ask(*case):
        values = answer.caller.outcome(case).values
        fine = values and all(part.dtype.kind in "fiub" for part in values)
        return in_floats(values) if fine else None

    want = in_floats(exercise.wanted[at].values)
    got = in_floats(answer.outcomes[at].values)
    return exercise.own(ask, exercise.cases[at], want, got)


def in_floats(values):
    """Arrays with all numbers in double precision: NumPy's linear algebra takes no others."""
    return tuple(part.astype(float) if part.dtype.kind in "fiu" else part for part in values)


# --- NaN ------------------------------------------------------------------------------------------


def has_nan(answer, i):
    """Whether there is a NaN on one input where the right answer has none."""
    return holds_nan(answer.outcomes[i]) and not holds_nan(answer.exercise.wanted[i])


def holds_nan(outcome):
    floats = [array for array in outcome.arrays if array.dtype.kind == "f"]
    return any(np.isnan(array).any() for array in floats)


def where_nan(answer, at):
    """On how many inputs a NaN comes out, and the learner's line in which NumPy warns on the input shown."""
    nan = [has_nan(answer, i) for i in range(len(answer.outcomes))]
    if not any(nan):
        return ""
    text = f"There is a NaN (not a number) in your result on {sum(nan)} of {len(nan)} inputs."
    warned = answer.outcomes[at].warned
    if not nan[at] or not warned:
        return text
    words, line = warned
    return f"{text} NumPy first warns in your line {line}: {words.removeprefix('RuntimeWarning: ')}."


# --- How wrong numbers are related to the right ones ----------------------------------------------


def relation(exercise, compared):
    """How all numbers are related to the right ones: a short name or None, and a sentence or ""."""
    if exercise.exact or not compared:
        return None, ""
    want = np.concatenate([each.want.ravel() for each in compared])
    got = np.concatenate([each.got.ravel() for each in compared])
    if not got.any():
        return None, "Every number is 0."
    counted = np.isfinite(want) & (want != 0)
    if len(np.unique(want[counted].round(9))) > 1:  # enough to tell a factor from a difference
        with np.errstate(all="ignore"):
            said = of_factor(want, got, counted) or of_difference(want, got)
            digits = digits_left(want, got)
        if said:
            return None, said
        if digits:
            return "rounded", f"The numbers are rounded to {digits} decimals. Round when you print."
    return None, of_inputs(exercise, compared) or of_cells(compared)


def of_factor(want, got, counted):
    factors = got[counted] / want[counted]
    factor = factors[0]
    is_one = np.isfinite(factor) and np.allclose(factors, factor, rtol=1e-6, atol=0)
    if is_one and close(got, want)[~counted].all():
        if np.isclose(factor, -1):
            return "Every number has the opposite sign of the right one."
        return f"Every number is {factor:.6g} times as large as it should be."
    if np.allclose(got, abs(want), rtol=1e-9, atol=1e-12):
        return "Every number has lost its sign: negative ones have become positive."
    return ""


def of_difference(want, got):
    differences = got - want
    first = differences[0]
    if not np.isfinite(differences).all() or not np.allclose(differences, first, atol=1e-9):
        return ""
    return f"Every number is {abs(first):.4g} too {'large' if first > 0 else 'small'}."


def digits_left(want, got):
    """To how many decimals the right numbers are rounded, or None; 0 and 1 alone aren't rounded."""
    if np.minimum(abs(got), abs(got - 1)).max() < SMALLEST:
        return None
    for digits in range(1, 7):
        if np.allclose(want.round(digits), got, rtol=1e-9, atol=1e-12):
            return digits
    return None


def of_inputs(exercise, compared):
    """Whether an input comes back, alone or added to the right result."""
    shapes_got = [each.got.shape for each in compared]
    for position, name in enumerate(exercise.parameters):
        given = [each.case[position] for each in compared if len(each.case) > position]
        if [array.shape for array in given if isinstance(array, np.ndarray)] != shapes_got:
            continue
        pairs = list(zip(compared, given, strict=True))
        if all(close(each.got, array).all() for each, array in pairs):
            return f"Your function returns {name} unchanged."
        if all(close(each.got, each.want + array).all() for each, array in pairs):
            return f"{name} is added to the right result."
    return ""


def of_cells(compared):
    """Whether the right numbers are in other cells."""
    if compared[0].want.ndim < 2:
        return ""
    if all(np.allclose(each.want, each.got, atol=SMALLEST) for each in compared):
        return ""
    for each in compared:
        mine = np.sort(each.got, axis=None)
        right = np.sort(each.want, axis=None)
        if not close(mine, right).all():
            return ""
    return (
        "All the right numbers are there, but in other cells. Is something transposed, reshaped, or "
        "counted from the other end?"
    )


# --- Rows of weights ------------------------------------------------------------------------------


def about_rows(answer, at, number, compared):
    """Of a result whose rows should sum to 1 the first of these that is true of the matrix shown; or ""."""
    if not compared or not all(are_shares(each.want) for each in compared):
        return ""
    want = answer.exercise.wanted[at].values[number]
    got = answer.outcomes[at].values[number]
    picked = which_matrix(want, got)
    want = want[picked]
    got = got[picked]
    negative = got < 0
    if negative.any():
        return f"No weight can be negative, but {cell_name(negative)} is {got[negative][0]:.3g}."
    totals = got.sum(axis=-1)
    right = want.sum(axis=-1)
    uneven = ~close(totals, right)
    if uneven.any():
        row = f"Row {uneven.argmax()}" if got.ndim > 1 else "Your result"
        return f"{row} sums to {totals[uneven][0]:.6g}, and should sum to {right[uneven][0]:.0f}."
    if len(compared) < len(answer.outcomes) or not all(map(sums_are_right, compared)):
        return ""
    they = "rows sum to 1, as they" if got.ndim > 1 else "result sums to 1, as it"
    return f"Your {they} should: look at the numbers before you normalise them."


def sums_are_right(each):
    return close(each.got.sum(axis=-1), each.want.sum(axis=-1)).all()
