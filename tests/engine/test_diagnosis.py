"""What a checker says of wrong numbers without a name is true of this very answer.

answers.txt of the lessons has more.
"""

import numpy as np
import pytest

import attn_checks as check
from answers import changed

pytestmark = pytest.mark.usefixtures("in_kernel")


def scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (
            "scores",
            lambda Q, K: scores(Q, K) * (1.5 + np.arange(K.shape[-2])),
        ),
        (
            "scaled_scores",
            lambda Q, K: scores(Q, K) * abs(scores(Q, K)),
        ),
        (
            "score_divisor",
            lambda d, q, k: (d + 8) * q * k,
        ),  # 16 + 8 is 2 · (4 + 8)
    ],
)
def test_where_nothing_specific_is_true_the_numbers_stand_alone(name, answer):
    feedback = getattr(check, name)(answer)
    assert feedback.tables and len(feedback.lines) == 1 and feedback.see, str(feedback)


@pytest.mark.parametrize(
    "made",
    [lambda want, Q: Q, lambda want, Q: want + Q, lambda want, Q: 2 * want],
)
def test_what_holds_on_some_inputs_only_is_not_said(made):
    def sometimes(Q, K):
        right = scores(Q, K)
        if Q.shape == (2, 2):
            return made(right, Q)
        return right**2 + 1

    for says in ("unchanged", "added", "times as large"):
        assert says not in check.scores(sometimes).message


@pytest.mark.parametrize(
    "name", [name for name, e in check.EXERCISES.items() if e.wanted[0].values[0].dtype.kind == "f"]
)
def test_an_answer_that_no_list_holds_gets_no_name(name):
    answer = changed(check.EXERCISES[name].right, lambda a: a + 0.01 * np.sin(7 * a + 1))
    feedback = getattr(check, name)(answer)
    assert feedback.status == "incorrect" and feedback.mistake in (None, "nan"), str(feedback)
