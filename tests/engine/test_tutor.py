"""The tutor's prompt: about the last check, and short.

test_mistakes.py looks for solutions in that of every mistake.
"""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from attn_checks.ask.tutor import HOW_TO, LONGEST
from leaks import leaked

WRONG = {
    "softmax": (
        lambda x: attn.softmax(x, axis=0),
        "Looks like: normalised over the queries.",
    ),
    "scores": (
        lambda Q, K: 1.7 * Q @ K.swapaxes(-1, -2) + 0.3,
        "It has no name for what is wrong",
    ),
    "scaled_scores": (
        lambda Q, K: Q @ K / 0,
        "Your line:",
    ),
    "causal_mask": (
        lambda L: [].index("é" * LONGEST),
        "raised an error",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_prompt_is_about_the_last_check(name):
    check.softmax(lambda x: x)
    feedback = getattr(check, name)(WRONG[name][0])
    prompt = check.tutor()
    assert f"a Python function {name}. `f(" in prompt and WRONG[name][1] in prompt and repr(prompt) == prompt
    assert ("in the course: lesson 0" in prompt) == (feedback.status == "incorrect")
    assert len(prompt.encode()) <= LONGEST and "NEVER write code" in prompt and not leaked(prompt)


def test_before_a_check_it_says_how_to_use_it_and_after_a_pass_how_to_go_on(sky):
    assert check.tutor() == HOW_TO
    check.softmax(...)
    assert check.tutor() == f"softmax isn't written yet. {HOW_TO}"
    check.softmax(lambda x: attn.softmax(x - 1))
    passed = check.tutor()
    assert "`f(x)` → softmax over the last axis." in passed and "three short questions" in passed
    check.two_heads(np.ones((5, 10)))
    assert "a matrix for two_heads. a projection" in check.tutor()
    assert check.tutor("scores") == f"scores hasn't been checked yet. {HOW_TO}"
    check.explain(sky, "a")
    assert "What is the sky?" in check.tutor() and "look further up" in check.tutor()
    check.explain(sky, "b")
    assert check.tutor().count("What is the sky?") == 1 and check.tutor("softmax") == passed
