"""The puzzle of lesson 07: pairs that hold, pairs that don't, and what is no pair at all."""

import numpy as np
import pytest

import attn_checks as check
from attn_lessons.lesson07.puzzle import CHAI, MILK

QUERY, KEYS = [2, 2], [[2, 0], [0, 0], [0, 2]]  # saw: someone who sees, someone who is seen
SEES, SEEN = np.array([[1, 0], [0, 0], [0, 1]]), np.array([[0, 1], [0, 0], [1, 0]])  # I saw him, he saw me


@pytest.mark.parametrize(
    "pair",
    [
        (QUERY, KEYS, SEES.tolist(), SEEN.tolist()),
        ([QUERY], np.array(KEYS), SEEN, SEES),
        ([3, 1], [[1, 0], [0, 3]], [[1.0], [0]], [[0.0], [1]]),  # equal scores by unequal numbers
        ([2, 2], [[0, 0], [2, 0], [0, 0], [0, 2]], CHAI, MILK - [[0, 0], [1, 0], [0, 0], [-1, 0]]),
    ],
)
def test_a_pair_that_holds(pair):
    feedback = check.puzzle(*pair)
    assert (feedback.status, feedback.mistake) == ("passed", None), str(feedback)
    assert "sentence a" in feedback.message and "sentence b" in feedback.message


@pytest.mark.parametrize(
    ("pair", "mistake", "says"),
    [
        ((QUERY, KEYS, SEES, SEES), "same-values", "my_V_a equals my_V_b"),
        (([2, 3], KEYS, SEES, SEEN), "unequal-weights", "position 0 loses, the word at position 2 gains"),
        ((QUERY, KEYS, SEES, SEEN * 1.01), "one-head-can", "they differ by 0.0049"),
        ((QUERY, KEYS, SEES, SEEN[:, :1] * [1, 0]), "one-head-can", "0.486, 0.029, 0.486"),
        ((QUERY, [[2, 2], [0, 0], [2, 2]], SEES, SEEN), "heads-alike", "the second one adds nothing"),
        ((QUERY, [[2, 2], [0, 2], [2, 2]], SEES, SEEN), "two-heads-cannot", "head 1 0.333, 0.333, 0.333"),
        ((QUERY, KEYS, SEES * 0.05, SEEN * 0.05), "too-alike", "differs by 0.047 at most"),
        ((None, KEYS, SEES, SEEN), "not-numbers", "my_q: Expected an array of numbers"),
        ((QUERY, "saw", SEES, SEEN), "not-numbers", "my_K: Expected"),
        ((2, KEYS, SEES, SEEN), "wrong-shape", "Expected my_q of shape (2,), got ()"),
        ((QUERY, QUERY, SEES, SEEN), "wrong-shape", "Expected my_K of shape (L, 2), got (2,)"),
        ((QUERY, KEYS, SEES[:2], SEEN), "wrong-shape", "Expected my_V_a of shape (3, n), got (2, 2)"),
        ((QUERY, KEYS, SEES, SEEN[:, :1]), "wrong-shape", "Make both equally wide"),
        (([np.inf, 2], KEYS, SEES, SEEN), "too-large", "my_q holds inf, NaN or a number beyond 1000"),
    ],
)
def test_a_pair_that_does_not_hold(pair, mistake, says):
    feedback = check.puzzle(*pair)
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake), str(feedback)
    assert says in " ".join(feedback.message.split()), str(feedback)
    assert "Look again at: lesson 07" in feedback.message


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ((QUERY, KEYS, SEES, ...), "not attempted yet"),
        (([3, 3], [[0, 0], [1, 0], [0, 0], [0, 1]], CHAI.tolist(), MILK), "Invent one of your own"),
        ((QUERY, [[0, 0], [2, 0], [0, 0], [0, 2]], MILK, CHAI), "Invent one of your own"),
    ],
)
def test_not_attempted(pair, says):
    feedback = check.puzzle(*pair)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert says in " ".join(feedback.message.split())
