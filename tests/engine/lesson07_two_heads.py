"""Answers to the transfer task of lesson 07, queries for two heads, each with its verdict."""

import numpy as np
import pytest

import attn_checks as check

BACK, AHEAD = 10 * np.eye(5, k=-1), 10 * np.eye(5, k=1)


def both(head_0, head_1):
    return np.hstack([head_0, head_1])


def looped():
    """Row by row, with the places that have no neighbour left out."""
    W_Q = np.zeros((5, 10))
    for i in range(5):
        if i > 0:
            W_Q[i, i - 1] = 9
        if i < 4:
            W_Q[i, 5 + i + 1] = 9
    return W_Q


def wrapped():
    """The same without the condition: place 0 writes into the last column, which is head 1's."""
    W_Q = both(0 * BACK, AHEAD)
    for i in range(5):
        W_Q[i, i - 1] = 10
    return W_Q


def wrapped_round_the_other_end():
    """Place 4 has none after it, and its column 10 is taken for column 0, which is head 0's."""
    W_Q = both(BACK, 0 * AHEAD)
    for i in range(5):
        W_Q[i, (5 + i + 1) % 10] = 10
    return W_Q


@pytest.mark.parametrize(
    "mine",
    [
        both(BACK, AHEAD),
        both(BACK, AHEAD).astype(int),
        both(BACK, AHEAD).tolist(),
        looped(),
        both(BACK - 3, AHEAD - 3),  # the same for all keys of a head changes nothing
        both(np.roll(10 * np.eye(5), -1, axis=1), np.roll(10 * np.eye(5), 1, axis=1)),
    ],
)
def test_right(mine):
    feedback = check.two_heads(mine)
    assert (feedback.status, feedback.mistake) == ("passed", None), str(feedback)
    assert "✓ two_heads  passed" in str(check.progress("two_heads"))


@pytest.mark.parametrize(
    ("mine", "mistake", "says"),
    [
        (both(AHEAD, BACK), "heads-exchanged", "the place that looks"),
        (both(BACK, AHEAD) / 2, "too-even", "gives it only 0.701 in head 0"),
        (both(BACK, AHEAD / 2), "too-even", "in head 1"),
        (both(BACK, BACK), "heads-alike", "columns 5 to 9"),
        (both(10 * np.eye(5), AHEAD), "finds-itself", "neighbour"),
        (wrapped(), "past-the-end", "−1"),
        (wrapped_round_the_other_end(), "past-the-end", "only place 4 in head 0"),
        (np.stack([BACK, AHEAD], axis=-1).reshape(5, 10), "strided-split", "take turns"),
        (both(0.8 * BACK, AHEAD), "too-even", "only 0.899 in head 0"),
        (both(BACK, 0 * AHEAD), "one-head-idle", "In head 1 all places still get the same"),
        (both(BACK + AHEAD, AHEAD), "shared", "among places 0, 2, 0.49 each"),
        (
            both(np.roll(BACK, 1, axis=0), AHEAD),
            "finds-another",
            "place 1 should find place 0 and gives it 0.20",
        ),
        (both(BACK + 2 * AHEAD, AHEAD), "finds-another", "In head 0, place 1"),
        (both(BACK, AHEAD).T, "wrong-shape", "got (10, 5)"),
        (BACK, "wrong-shape", "got (5, 5)"),
        (np.full((5, 10), np.inf), "not-finite", "finite"),
        ("ahead", "not-numbers", "got str"),
        ([[10, 0], [10]], "not-numbers", "got list, whose rows have different lengths"),
        (check, "not-numbers", "got module"),
    ],
)
def test_wrong(mine, mistake, says):
    feedback = check.two_heads(mine)
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake), str(feedback)
    assert says in feedback.message and "Look again at: lesson 07, Two heads" in feedback.message
    assert "np.eye" not in feedback.message, "shows the solution"


@pytest.mark.parametrize("mine", [np.zeros((5, 10)), ...])
def test_not_attempted(mine):
    assert check.two_heads(mine).status == "not attempted"
