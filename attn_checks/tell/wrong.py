"""How a wrong answer is put into words: the input on which it shows, what happened, and where to look."""

import re

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.recognise.mistakes import Mistake
from attn_checks.run.compare import first_difference
from attn_checks.tell.feedback import Feedback, say
from attn_checks.tell.tables import argument_text, counterexample
from attn_checks.tell.unnamed import diagnose
from attn_checks.tell.values import WrongResult, name_list, sentences

COUNTED = {2: "two", 3: "three", 4: "four"}
OF_SHAPES = "error", "shape-mismatch", "index-out-of-bounds", "unpacking", "truth-of-an-array"


def tell(answer: Answer, found: Mistake | None) -> Feedback:
    """The feedback for an answer that is not right; `found` is the mistake recognised, or None."""
    if found:
        return tell_mistake(answer, found)
    if answer.mostly_raises:
        return tell_error(answer)
    exercise = answer.exercise
    shown, mistake, text = diagnose(answer)
    only = right_elsewhere(answer, shown.at)
    see = exercise.see_nan if mistake == "nan" and not only and exercise.see_nan else exercise.see
    return not_yet(shown, mistake, only or sentences(text, right_on(answer, text)), see=see)


def tell_mistake(answer, found):
    """The feedback for a mistake with a name, on the first input on which it shows."""
    exercise = answer.exercise
    candidates = answer.wrong_numbers or answer.wrong
    alone = found.first.ways if found.first else []
    shows = [i for i in candidates if any(exercise.shows(way, i) for way in alone)]
    at = (shows or candidates)[0]
    number = first_difference(exercise.wanted[at], answer.outcomes[at], exercise.exact)
    several = found.name.split("; ")
    listed = [f"{i}. {one}" for i, one in enumerate(several, 1)] if several[1:] else []
    like = f"{COUNTED[len(several)]} mistakes" if listed else found.name
    advice = re.sub(r"\*(\w[^*]*\w|\w)\*", r"\1", found.say)  # stars mark emphasis
    see = found.see or exercise.see
    return not_yet(WrongResult(answer, at, number), found.short, advice, *listed, like=like, see=see)


def not_yet(shown, mistake, advice, *listed, **others):
    """Feedback on wrong numbers, with the input that shows them."""
    lines, tables = counterexample(shown)
    outcome = shown.answer.outcomes[shown.at]
    lacks = outcome.raised.lacks if outcome.raised else ""
    lines = [*lines, printed(outcome), *listed]
    name = shown.answer.exercise.name
    return say(
        "incorrect", mistake, name, "not yet", *lines, advice=advice, tables=tables, lacks=lacks, **others
    )


def tell_error(answer):
    """The feedback for an exception: the learner's own line, and the shapes that went in."""
    exercise = answer.exercise
    at = next(i for i in answer.wrong if answer.outcomes[i].raised is not None)
    error = answer.outcomes[at].raised
    only = right_elsewhere(answer, at)
    inputs = zip(exercise.parameters, exercise.cases[at], strict=False)
    lines = [
        only or right_on(answer, ""),  # first: NumPy's own words below frighten
        f"Your line: {error.line}" if error.line else "",
        error.words,
        f"It was called with {', '.join([argument_text(*each) for each in inputs])}.",
        printed(answer.outcomes[at]),
    ]
    advice = "" if only and error.mistake in OF_SHAPES else error.advice
    verdict = "your function raised an error"
    return say("error", error.mistake, exercise.name, verdict, *lines, advice=advice, lacks=error.lacks)


ANY_AXES = "Count axes from the end, and let NumPy take all leading axes at once, without a loop."
# number of axes of an input that goes wrong -> those of inputs that must have gone right, and what to say
ELSEWHERE = {
    4: (
        {2, 3},
        "With one sentence and with a batch it came out right. This input has more leading axes, for "
        f"example sentences and heads. {ANY_AXES}",
    ),
    3: (
        {2},
        "With one sentence it came out right. This input is a batch: its first axis counts sentences. "
        f"{ANY_AXES}",
    ),
    2: (
        {3},
        "With a batch of 3 axes it came out right. This input is one sentence, so it has 2 axes. Count "
        "axes from the end.",
    ),
    1: (
        {2},
        "With a matrix it came out right. This input is a single row, so it has one axis. Let NumPy work "
        "along the last axis, axis=-1.",
    ),
}


def right_elsewhere(answer, at):
    """What sets apart the input `at` from those that all went right, by its number of axes; or ""."""
    arrays = [[a for a in case if isinstance(a, np.ndarray)] for case in answer.exercise.cases]
    axes = [max(map(np.ndim, found), default=0) for found in arrays]
    wrong = {axes[i] for i in answer.wrong}
    needed, said = ELSEWHERE.get(min(axes[at], 4), ((), ""))
    all_wrong = all(i in answer.wrong for i, n in enumerate(axes) if n == axes[at])
    return said if all_wrong and set(needed) <= set(axes) - wrong else ""


def right_on(answer, said):
    """On how many inputs it's right, and on which, or on which it isn't; "" if most are wrong and more is said."""
    names = [f"“{name}”" for name in answer.exercise.inputs]
    bad = [names[i] for i in answer.wrong]
    right = [name for name in names if name not in bad]
    if not right or (said and len(right) < len(bad)):
        return ""
    lead, few = (": ", right) if len(right) < len(bad) else (", but not on ", bad)
    which = lead + name_list(few) if len(few) < 4 else ""
    return f"Your function is right on {len(right)} of {len(names)} inputs{which}."


def printed(outcome):
    """What an answer printed on the input shown, its last words."""
    words = " · ".join(outcome.printed.split("\n")).strip(" ·")
    return f"It printed: {'… ' if len(words) > 80 else ''}{words[-80:]}" if words else ""
