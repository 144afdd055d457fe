"""How a wrong answer is put into words: the input on which it shows, what happened, and where to look."""

import re

import numpy as np

from attn_checks.run.compare import agree, first_difference, mostly_raises
from attn_checks.tell.feedback import look_again, say
from attn_checks.tell.tables import argument_text, counterexample
from attn_checks.tell.unnamed import diagnose, name_list, sentences

COUNTED = {2: "two", 3: "three", 4: "four"}
OF_SHAPES = "error", "shape-mismatch", "index-out-of-bounds", "unpacking", "truth-of-an-array"
ANY_AXES = "Count axes from the end, and let NumPy take all leading axes at once, without a loop."


def tell(exercise, caller, outcomes, wrong, found):
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    if found:
        return tell_mistake(exercise, outcomes, wrong, found)
    if mostly_raises(outcomes, wrong):
        return tell_error(exercise, outcomes, wrong)
    at, number, mistake, text = diagnose(exercise, caller, outcomes, wrong)
    only = right_elsewhere(exercise, wrong, at)
    see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
    return incorrect(
        exercise,
        outcomes,
        at,
        number,
        mistake,
        "",
        [only or sentences(text, right_on(exercise, wrong, text))],
        see,
    )


def tell_mistake(exercise, outcomes, wrong, found):
    """The feedback for a mistake with a name, on the first input on which it shows."""
    with_numbers = [i for i in wrong if outcomes[i].raised is None]
    shows = [i for i in with_numbers if matters(exercise, found.first, i)] if found.first else with_numbers
    at = (shows or with_numbers or wrong)[0]
    number = first_difference(exercise.wanted[at], outcomes[at], exercise.exact)
    several = found.name.split("; ")
    listed = [f"{i}. {one}" for i, one in enumerate(several, 1)] if several[1:] else []
    name = f" Looks like: {f'{COUNTED[len(several)]} mistakes' if listed else found.name}."
    advice = re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", found.say)  # stars mark emphasis
    see = found.see or exercise.see
    return incorrect(exercise, outcomes, at, number, found.short, name, [*listed, advice], see)


def matters(exercise, mistake, i):
    """Whether one of two mistakes matters alone on this input."""
    ways = (exercise.imitated(way, i) for way in mistake.ways)
    return any(not agree(way, exercise.wanted[i], exercise.exact) for way in ways)


def incorrect(exercise, outcomes, at, number, mistake, name, advice, see):
    case, want, got = exercise.cases[at], exercise.wanted[at], outcomes[at]
    lines, tables = counterexample(exercise, case, want, got, number)
    lines = [*lines, printed(got), *advice, look_again(see)]
    return say("incorrect", mistake, f"{exercise.name}: not yet.{name}", lines, tables)


def tell_error(exercise, outcomes, wrong):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    at = next(i for i in wrong if outcomes[i].raised is not None)
    error, only = outcomes[at].raised, right_elsewhere(exercise, wrong, at)
    inputs = zip(exercise.parameters, exercise.cases[at], strict=False)
    given = ", ".join(argument_text(*each) for each in inputs)
    lines = [
        only or right_on(exercise, wrong, ""),  # first: NumPy's own words below frighten
        f"Your line: {error.line}" if error.line else "",
        error.words,
        f"It was called with {given}.",
        printed(outcomes[at]),
        "" if only and error.mistake in OF_SHAPES else error.advice,
    ]
    return say("error", error.mistake, f"{exercise.name}: your function raised an error.", lines)


def right_elsewhere(exercise, wrong, at):
    """What sets apart the input `at` from those that all went right, by its number of axes; or ""."""
    axes = [max((a.ndim for a in case if isinstance(a, np.ndarray)), default=0) for case in exercise.cases]
    here = axes[at]
    if any(n == here for i, n in enumerate(axes) if i not in wrong):
        return ""
    right = set(axes) - {axes[i] for i in wrong}
    if here > 3 and {2, 3} <= right:
        return f"With one sentence and with a batch it came out right. This input has more leading axes, for example sentences and heads. {ANY_AXES}"
    if here > 2 and 2 in right:
        return f"With one sentence it came out right. This input is a batch: its first axis counts sentences. {ANY_AXES}"
    if here == 2 and 3 in right:
        return "With a batch of 3 axes it came out right. This input is one sentence, so it has 2 axes. Count axes from the end."
    if here == 1 and 2 in right:
        return "With a matrix it came out right. This input is a single row, so it has one axis. Let NumPy work along the last axis, axis=-1."
    return ""


def right_on(exercise, wrong, said):
    """On how many inputs it is right, and on which, or on which it isn't, where these are few; "" if most are wrong and more is said."""
    names = [f"“{name}”" for name in exercise.inputs]
    right, bad = ([name for i, name in enumerate(names) if (i in wrong) == side] for side in (False, True))
    if not right or (said and len(right) < len(bad)):
        return ""
    lead, few = (": ", right) if len(right) < len(bad) else (", but not on ", bad)
    return f"Your function is right on {len(right)} of {len(names)} inputs{lead + name_list(few) if len(few) < 4 else ''}."


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    lines = [
        line for line in outcome.printed.split("\n") if not line.startswith("run by ")
    ]  # what `mine` says
    words = " · ".join(lines).strip(" ·")
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}" if words else ""
