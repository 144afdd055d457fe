"""A question answered by a typed letter, as exercises are: it can be collected from a class."""

from attn_checks.feedback import not_attempted
from attn_checks.progress import record
from attn_checks.questions import question


def explain(slug, answer):
    """Check the letter chosen for a question; says why for each option. Returns Feedback.

    Raises
    ------
    KeyError
        If there is no such question.
    """
    asked = question(slug)
    untouched = answer is ... or answer is None
    return record(slug, not_attempted("answer") if untouched else asked.feedback(answer))
