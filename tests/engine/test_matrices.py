"""Matrices that are the stub's, or not there, are no attempt.

answers.txt of the lessons has those that are right or wrong.
"""

import numpy as np
import pytest

import attn_checks as check
from answers import W_K, W_Q, pair

CHAI_AND_MILK = {
    "q": [3, 3],
    "K": [[0, 0], [1, 0], [0, 0], [0, 1]],
    "V_a": [[0, 0], [4, 1], [0, 0], [0, 4]],
    "V_b": [[0, 0], [4, 0], [0, 0], [0, 5]],
}


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("query_projection", (W_Q, W_K), "no number in my_W_Q has changed"),
        ("query_projection", (None, W_K), "under another name"),
        ("query_projection", (..., W_K), "not attempted yet"),
        ("two_heads", [np.zeros((5, 10))], "ended in an error"),
        ("one_back", [np.zeros((8, 8))], "still all zeros"),
        ("puzzle", pair(V_b=...), "not attempted yet"),
        ("puzzle", pair(**CHAI_AND_MILK), "Invent one of your own"),
        ("puzzle", pair(**CHAI_AND_MILK | {"q": [2, 2]}), "Invent one of your own"),
    ],
)
def test_not_attempted(name, given, says):
    feedback = getattr(check, name)(*given)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert says in " ".join(str(feedback).split())
