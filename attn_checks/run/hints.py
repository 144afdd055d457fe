"""What exceptions mean to someone who is learning, and what to do: errors.md, and what depends on more."""

import functools
import pathlib
import re
from typing import NamedTuple

from attn_checks.run.names import undefined_name, unknown_attribute
from attn_checks.run.raised import (
    Raised,
    in_the_call_itself,
    own_line,
    own_lines,
    refused_by_the_course,
    words_of,
)
from attn_checks.run.sizes import LOST, lost_axis, two_shapes, typed_limit

ITSELF = (
    "Python's own words about that line are above. Print the values in it to see which isn't what you "
    "thought."
)
UNCALLED = (
    "Your function could not be called. Give its def line the parameters that the exercise names, in that "
    "order and with their defaults."
)
FLATTENED = "np.append without an axis makes one long row. np.vstack puts a row below a matrix."


class Rule(NamedTuple):
    """A section of errors.md."""

    mistake: str
    kinds: list[tuple[str, str]]  # of exceptions, each with a pattern in its text; and ("in", `line`)
    line: str  # a pattern in the learner's line
    advice: str


@functools.cache
def rules() -> list[Rule]:
    text = pathlib.Path(__file__).with_name("errors.md").read_text(encoding="utf-8")
    found = []
    for section in re.split(r"(?m)^## ", text)[1:]:
        mistake, *lines = filter(None, section.splitlines())
        points = [line[2:].partition(":") for line in lines if line.startswith("- ")]
        pairs = [(kind, pattern.strip()) for kind, _, pattern in points]
        line = dict(pairs).get("in", "")
        found.append(Rule(mistake, pairs, line, lines[-1]))
    return found


def explained(error: BaseException) -> Raised:
    """An exception as Raised; one of a learner's own may be like no other."""
    try:
        lacks = (error.name or "") if isinstance(error, NameError) else ""
        mistake, advice = hint(error)
        return Raised(words_of(error), own_line(error)[:200], mistake, advice, lacks)
    except BaseException:
        return Raised(words_of(error), advice=ITSELF)


def hint(error):
    """The short name of an exception, and what to do about it."""
    if isinstance(error, TypeError) and in_the_call_itself(error):
        return "wrong-parameters", UNCALLED
    line = own_line(error)
    if refused_by_the_course(error):
        is_flat = re.search(r"np\.append\((?!.*axis)", own_lines(error))
        return "refused-by-the-course", FLATTENED if is_flat else ""
    if line.lstrip().startswith(("raise ", "assert ")):
        return "own-refusal", "Your own line refuses this input, but the exercise asks for an answer here."
    if "(...)" in line:
        return "leftover-dots", "There is a ... in that line, where a value belongs."
    text = words_of(error)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    for rule in rules():
        place = re.search(rule.line, line)
        if place and any(kind in kinds and re.search(pattern, text) for kind, pattern in rule.kinds):
            sizes = "" if rule.line else of_sizes(rule.mistake, error, line)
            return rule.mistake, sizes or rule.advice.format(*place.groups())
    if isinstance(error, ModuleNotFoundError):
        return "module-missing", f"{error.name} isn't installed here. The lessons need only NumPy."
    if isinstance(error, NameError):
        return "undefined-name", undefined_name(error)
    if isinstance(error, AttributeError):
        return "unknown-attribute", unknown_attribute(error)
    return "error", ITSELF


def of_sizes(mistake, error, line):
    """What the sizes say beyond the exception, or ""."""
    if mistake == "index-out-of-bounds":
        return typed_limit(error, line)
    if mistake == "one-place-for-many" and "broadcast" in str(error) and lost_axis(error):
        return f"The right side of the = has a different shape from the place you put it into. {LOST}"
    return two_shapes(error) if mistake == "shape-mismatch" else ""
