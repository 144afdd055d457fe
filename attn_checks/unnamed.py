"""What is said of wrong numbers that no known mistake explains: something that is true of them, whatever was done.

In this order: what they have to do with the right ones, what the exercise itself can say, on which inputs they are
right, which inputs they follow; and if there is nothing else, where they first part.
"""

from itertools import zip_longest

import numpy as np

from attn_checks.compare import first_difference, same
from attn_checks.contract import without_effect
from attn_checks.other_kind import not_comparable
from attn_checks.probing import probe
from attn_checks.relations import over_inputs, relation
from attn_checks.remarks import first_cell, remark, right_on
from attn_checks.where import OFTEN, about_nan, first_warning, has_nan, where_right

COUNT_FROM_THE_END = (
    "Count axes from the end, and leave loops over rows to NumPy, which takes all axes in front at once."
)


def only_some_inputs(exercise, wrong, at):
    """What sets the input `at` apart from those that went right, by its number of axes; or ""."""
    axes = [
        max((np.ndim(a) for a in case if isinstance(a, np.ndarray)), default=0) for case in exercise.cases
    ]
    if any(n == axes[at] for i, n in enumerate(axes) if i not in wrong):
        return ""
    right = set(axes) - {axes[i] for i in wrong}
    if axes[at] > 3 and {2, 3} <= right:
        return f"For one sentence it is right, and for a batch of sentences. This input has more axes in front (sentences and heads, say): any number of them must work. {COUNT_FROM_THE_END}"
    if axes[at] > 2 and 2 in right:
        return f"For one sentence it is right. This input is a batch: its first axis counts sentences. {COUNT_FROM_THE_END}"
    if axes[at] == 2 and 3 in right:
        return f"For a batch it is right. This input is a single sentence, with no axis in front. {COUNT_FROM_THE_END}"
    if axes[at] == 1 and 2 in right:
        return "For a table it is right. This input is a single row: it has one axis, and x[0] is a number. Let NumPy work along the last axis, axis=-1."
    return ""


def first_different(exercise, want, got):
    """Number of the result that goes wrong first, None if they cannot be compared."""
    return None if got.raised is not None else first_difference(want, got, exercise.exact)


def first_wrong(exercise, outcomes, at):
    """The same on one input, weights before the output that is made of them; and what is said of that."""
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    number = first_different(exercise, want, got)
    text = any(values.dtype.kind == "U" for values in got.values or ())
    if number is None or text or len(want.values) == 1:
        return number, ""
    fine = [name for i, name in enumerate(exercise.results) if same((got.values[i],), (want.values[i],))]
    comparable = exercise.mix and got.values[1].shape == want.values[1].shape
    mixed = exercise.mix(case, got.values[1]) if comparable else None
    is_mixed = mixed is not None and same((got.values[0],), (mixed,))
    if exercise.mix is None or fine:
        here = "" if all(is_right(exercise, outcomes, name) for name in fine) else " on this input"
        right = f"Right{here}: {', '.join(fine)}. Not right: {exercise.results[number]}" if fine else ""
        how = ", which is not these weights times the values" if exercise.mix and number == 0 else ""
        return number, f"{right}{how}." if right else ""
    if is_mixed:
        return 1, "Your output is your weights times the values, as it should be: the weights go wrong first."
    return 1, "The weights go wrong first, and the output is not these weights times the values either."


def is_right(exercise, outcomes, name):
    """Whether a result of this name is right wherever there is one."""
    i = exercise.results.index(name)
    both = zip(outcomes, exercise.wanted, strict=True)
    return all(same(mine.values[i : i + 1], want.values[i : i + 1]) for mine, want in both if mine.values)


def unnamed(exercise, caller, outcomes, wrong, at, number):
    """A short name for what kind of difference it is (None: just other numbers), and what to say of it."""
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    other_kind = not_comparable(exercise, want, got)
    if other_kind and other_kind[0] == "wrong-shape":
        return other_kind[0], sentences(other_kind[1], idle(exercise, caller, number))
    if other_kind:
        return other_kind
    if has_stray_nan(exercise, outcomes, at):
        own = own_words(exercise, caller, case, want, got)
        seen = own or about_nan(exercise.cases, [outcome.values for outcome in outcomes])
        return "nan", sentences(seen, first_warning(caller.outcome(case)) or OFTEN)
    unused = idle(exercise, caller, number)
    whole = explained(exercise, outcomes, at, number)
    if whole:
        return ("rounded" if "rounded" in whole else None), sentences(
            whole, unused, nan_too(exercise, outcomes)
        )
    seen = own_words(exercise, caller, case, want, got) or remarked(exercise, outcomes, at, number)
    others = [i for i in wrong if i != at and outcomes[i].raised is None]
    overflow = first_warning(caller.outcome(case)) if is_too_large(want, got, number) else ""
    found = (
        overflow
        or where_right(exercise, outcomes, wrong)
        or unused
        or probe(exercise, caller, number, [at, *others])
    )
    return None, sentences(seen, found, nan_too(exercise, outcomes))


def nan_too(exercise, outcomes):
    """On how many inputs a NaN comes out besides the wrong numbers that are told, or ""."""
    count = sum(has_stray_nan(exercise, outcomes, i) for i in range(len(outcomes)))
    return f"And on {count} of {len(outcomes)} inputs there is a NaN in it." if count else ""


def has_stray_nan(exercise, outcomes, i):
    """Whether a NaN comes out on the input i; in some exercises one is asked for, which does not count."""
    return has_nan(outcomes[i].values or ()) and not has_nan(exercise.wanted[i].values)


def sentences(*texts):
    return " ".join(filter(None, texts))


def own_words(exercise, caller, case, want, got):
    """What the exercise itself can say of wrong numbers, by asking the function on other inputs; or ""."""

    def ask(*given):
        values = caller.outcome(given).values
        return values if values and all(part.dtype.kind in "fiub" for part in values) else None

    return exercise.own(ask, case, want.values, got.values) if exercise.own else ""


def explained(exercise, outcomes, at, number):
    """What the wrong numbers have to do with the right ones, if that is all of the difference; or ""."""
    want, got = exercise.wanted[at].values[number], outcomes[at].values[number]
    if want.dtype.kind == "U":
        return ""
    if not want.ndim:
        return over_inputs(*numbers_of(exercise, outcomes))
    return relation(want, got, by_name(exercise, exercise.cases[at]), pairs(exercise, outcomes, at, number))


def remarked(exercise, outcomes, at, number):
    """What is to be seen in wrong numbers; if there is nothing else, where they first part."""
    want, got = exercise.wanted[at].values[number], outcomes[at].values[number]
    if want.dtype.kind == "U":
        return first_token(want, got)
    if not want.ndim:
        return right_on(*numbers_of(exercise, outcomes))
    return remark(want, got, pairs(exercise, outcomes, at, number)) or first_cell(want, got)


def pairs(exercise, outcomes, at, number):
    """Right and learner's numbers on all other inputs, with what was passed in by name."""
    return [
        (exercise.wanted[i].values[number], mine.values[number], by_name(exercise, exercise.cases[i]))
        for i, mine in enumerate(outcomes)
        if i != at and len(mine.values or ()) > number and mine.values[number].dtype.kind != "U"
    ]


def by_name(exercise, case):
    """Each parameter and what was passed for it; None for one that was left out."""
    return list(zip_longest(exercise.parameters, case))


def numbers_of(exercise, outcomes):
    """Of results that are single numbers, right ones and the learner's on all inputs."""
    both = [(exercise.wanted[i].values[0], o.values[0]) for i, o in enumerate(outcomes) if is_number(o)]
    return map(np.array, zip(*both, strict=True))


def is_number(outcome):
    return outcome.values is not None and outcome.values[0].ndim == 0


def is_too_large(want, got, number):
    """Whether an infinity stands where none should."""
    want, got = want.values[number], got.values[number]
    return got.dtype.kind == "f" and bool((np.isinf(got) & np.isfinite(want)).any())


def first_token(want, got):
    wrong = np.flatnonzero(want != got)
    fine = [str(i) for i in np.flatnonzero(want == got)]
    return f"In row {wrong[0]} yours is {got[wrong[0]]}, and should be {want[wrong[0]]}." + (
        f" Right in row {', '.join(fine)}." if fine else ""
    )


def listed(names):
    """Names as a sentence has them: X, Y and Z."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def idle(exercise, caller, number):
    """What is passed in and has no effect, though it should have one on this result, or else on another."""
    for i in sorted(range(len(exercise.results)), key=lambda i: i != number):
        names = without_effect(exercise, caller, i)
        if names:
            mine = "result" if i == number else exercise.results[i]
            return f"Your {mine} is the same whatever {listed(names)} {'are' if names[1:] else 'is'}."
    return ""
