"""check.progress: what was checked in this kernel, in the order that a lesson lists it."""

import numpy as np

import attn_checks as check


def scores(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


def fixed_scores(Q, K):
    return Q @ K


def test_passed_named_and_open(sky):
    check.scores(scores)
    check.softmax(lambda x: np.exp(x) / np.exp(x).sum())
    check.explain(sky, "b")
    for slug in list(check.QUESTIONS)[:2]:
        check.predict(slug).choose("b")
    shown = check.progress("scores", "softmax", sky, "attention")
    lines = str(shown).splitlines()
    assert lines[:2] == ["2 of 4 passed", "✓ scores     passed"]
    assert lines[2].startswith("✗ softmax") and "not yet" in lines[2] and "softmax:" not in lines[2]
    assert lines[3:] == ["✓ 99-sky     passed", "· attention  open", "Predictions: 2 made, 1 of them right"]
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == str(shown)
    assert bundle["text/html"].count("<tr>") == 4 and "<code>softmax</code>" in bundle["text/html"]


def test_the_last_attempt_counts_unless_one_has_passed_and_without_names_all_that_was_checked():
    for answer, count in (
        (fixed := lambda Q, K: Q @ K, 0),
        (scores, 1),
        (fixed, 1),
    ):
        check.scores(answer)
        assert str(check.progress("scores")).startswith(f"{count} of 1")
    check.causal_mask(...)
    check.scores(fixed_scores)  # goes by its own name
    assert str(check.progress()).splitlines()[:4] == [
        "1 of 3 passed",
        "✓ scores        passed",
        "· causal_mask   open",
        "✗ fixed_scores  not yet",
    ]


def test_a_listed_question_may_be_answered_by_a_click(sky):
    check.predict(sky).choose("a")
    assert "✗ 99-sky  another option is right" in str(check.progress(sky))
    check.explain(sky, "b")  # and then by a typed letter
    assert "✓ 99-sky  passed" in str(check.progress(sky))
