"""The puzzle of lesson 07: pairs that hold, pairs that don't, and what is no pair at all."""

import numpy as np
import pytest

import attn_checks as check

# saw: someone who sees, someone who is seen. I saw him, he saw me
RIGHT = {
    "q": [2, 2],
    "K": [[2, 0], [0, 0], [0, 2]],
    "V_a": [[1, 0], [0, 0], [0, 1]],
    "V_b": [[0, 1], [0, 0], [1, 0]],
}
HOLDS = [  # by what they differ from that one
    {},
    {"q": [[2, 2]]},
    {"V_a": [[0, 1], [0, 0], [1, 0]], "V_b": [[1, 0], [0, 0], [0, 1]]},
    {  # equal scores by unequal numbers
        "q": [3, 1],
        "K": [[1, 0], [0, 3]],
        "V_a": [[1.0], [0]],
        "V_b": [[0.0], [1]],
    },
    {  # the lesson's values, one of them changed
        "K": [[0, 0], [2, 0], [0, 0], [0, 2]],
        "V_a": [[0, 0], [4, 1], [0, 0], [0, 4]],
        "V_b": [[0, 0], [3, 0], [0, 0], [1, 5]],
    },
]
FAILS = [
    ({"V_b": [[1, 0], [0, 0], [0, 1]]}, "same-values", "my_V_a equals my_V_b"),
    ({"q": [2, 3]}, "unequal-weights", "position 0 loses, the word at position 2 gains"),
    ({"V_b": [[0, 1.01], [0, 0], [1.01, 0]]}, "one-head-can", "they differ by 0.0049"),
    ({"V_b": [[0, 0], [0, 0], [1, 0]]}, "one-head-can", "0.486, 0.029, 0.486"),
    ({"K": [[2, 2], [0, 0], [2, 2]]}, "heads-alike", "the second one adds nothing"),
    ({"K": [[2, 2], [0, 2], [2, 2]]}, "two-heads-cannot", "head 1 0.333, 0.333, 0.333"),
    (
        {"V_a": [[0.05, 0], [0, 0], [0, 0.05]], "V_b": [[0, 0.05], [0, 0], [0.05, 0]]},
        "too-alike",
        "differs by 0.047 at most",
    ),
    ({"q": None}, "not-numbers", "my_q: Expected an array of numbers"),
    ({"K": "saw"}, "not-numbers", "my_K: Expected"),
    ({"q": 2}, "wrong-shape", "Expected my_q of shape (2,), got ()"),
    ({"K": [2, 2]}, "wrong-shape", "Expected my_K of shape (L, 2), got (2,)"),
    ({"V_a": [[1, 0], [0, 0]]}, "wrong-shape", "Expected my_V_a of shape (3, n), got (2, 2)"),
    ({"V_b": [[0], [0], [1]]}, "wrong-shape", "Make both equally wide"),
    ({"q": [1001, 2]}, "too-large", "my_q holds inf, NaN or a number beyond 1000"),
]
CHAI_AND_MILK = {
    "q": [3, 3],
    "K": [[0, 0], [1, 0], [0, 0], [0, 1]],
    "V_a": [[0, 0], [4, 1], [0, 0], [0, 4]],
    "V_b": [[0, 0], [4, 0], [0, 0], [0, 5]],
}


def puzzle(changed):
    """What is said of the right pair with some of its parts changed."""
    return check.puzzle(*(RIGHT | changed).values())


@pytest.mark.parametrize("changed", HOLDS)
def test_a_pair_that_holds(changed):
    feedback = puzzle(changed)
    assert (feedback.status, feedback.mistake) == ("passed", None), str(feedback)
    assert "sentence a" in feedback.message
    assert "sentence b" in feedback.message


@pytest.mark.parametrize(("changed", "mistake", "says"), FAILS)
def test_a_pair_that_does_not_hold(changed, mistake, says):
    feedback = puzzle(changed)
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake), str(feedback)
    assert says in " ".join(feedback.message.split()), str(feedback)
    assert "Look again at: lesson 07" in feedback.message


def test_infinite_numbers_are_too_large():
    assert puzzle({"q": [np.inf, 2]}).mistake == "too-large"


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"V_b": ...}, "not attempted yet"),
        (CHAI_AND_MILK, "Invent one of your own"),
        (CHAI_AND_MILK | {"q": [2, 2]}, "Invent one of your own"),
    ],
)
def test_not_attempted(changed, says):
    feedback = puzzle(changed)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert says in " ".join(feedback.message.split())
