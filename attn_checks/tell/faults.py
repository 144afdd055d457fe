"""What is said of a fault in how a function works, and of an answer that isn't judged or doesn't count."""

from collections.abc import Sequence
from pathlib import Path

from attn_checks.recognise.words import read
from attn_checks.tell.feedback import Feedback, say

SECTIONS = read(Path(__file__).with_name("faults.md"))
FAULTS = SECTIONS["fault"].mistakes
NOT_JUDGED = SECTIONS["not-judged"].mistakes


def faulty(name: str, fault: str) -> Feedback:
    """Feedback on a fault in how the function works."""
    words = FAULTS[fault]
    return say("incorrect", fault, name, "not yet", advice=words.say, like=words.name)


def not_judged(name: str, reason: str, status: str = "error", **given: str) -> Feedback:
    """Feedback on an answer that isn't judged, or doesn't count; given: what stands in its words."""
    words = NOT_JUDGED[reason]
    filled = {"name": name, "limit": "half a second"} | given
    return say(status, reason, name, words.name, advice=words.say.format(**filled))


def replacing(name: str, replaced: Sequence[str]) -> Feedback:
    """Feedback on an answer beside which these names of NumPy or the course are replaced."""
    return not_judged(name, "replaced", names=", ".join(replaced[:3]), first=replaced[0])
