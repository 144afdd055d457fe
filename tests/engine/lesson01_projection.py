"""Answers to the transfer task of lesson 01, a matrix of the reader's own, each with its verdict."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn

_, _, W_Q, W_K, _ = attn.load_example()


def with_row(row, entries, start=W_Q):
    changed = start.copy()
    changed[row] = entries
    return changed


@pytest.mark.parametrize(
    "mine",
    [
        with_row(3, [0, 0, 2, 0]),
        with_row(3, [0, 0, 2, 0]).astype(int),
        with_row(3, [0, 0, 2, 0]).tolist(),
        with_row(3, [2, 2, 5, 0]),
        with_row(3, [-9, -9, 1, -9]),
        with_row(3, [1, 1, 2, 1]),
        with_row(3, [0, 0, 10**9, 0]),
        with_row(3, [0, 0, 3, 0], W_Q + [[1]] * 6),  # the same for all keys: the others find what they found
    ],
)
def test_right(mine):
    feedback = check.query_projection(mine, W_K)
    assert (feedback.status, feedback.mistake) == ("passed", None), str(feedback)
    assert "“is” now finds “The”" in feedback.message


@pytest.mark.parametrize(
    ("mine", "mistake", "says"),
    [
        (with_row(2, [0, 0, 0, 2]), "looks-the-wrong-way", "Who looks is the row"),
        (
            with_row(0, [0, 0, 2, 0]),
            "wrong-row",
            "row 0 (thing), and “chai” now shares out otherwise than before, while “is”",
        ),
        (with_row(5, [0, 0, 2, 0]), "wrong-row", "row 5 (warm), and “chai” and “hot” now share"),
        (with_row(1, [0, 0, 2, 0]), "wrong-row", "“hot”"),
        (np.tile([0.0, 0, 2, 0], (6, 1)), "other-words-changed", "than before, too"),
        (with_row(0, [0, 0, 2, 0], with_row(3, [0, 0, 2, 0])), "other-words-changed", "“chai” now shares"),
        (np.where(np.arange(4) == 2, 5, W_Q), "changed-a-column", "A column says what all words look for"),
        (with_row(3, [0, 0, 0, 2]), "finds-itself", "the key of “The”"),
        (with_row(3, [2, 2, 1, 0]), "finds-another", "“is” finds “chai” and “hot”"),
        (with_row(3, [2, 0, 0, 0]), "finds-another", "“is” finds “chai”"),
        (with_row(3, [2, 2, 2, 0]), "tie", "“The” and “chai” and “hot”"),
        (with_row(3, [0, 0, 0, 0]), "tie", "equal shares"),
        (with_row(3, [3, 3, 1, 1]), "no-effect", "every word finds what it found before"),
        (with_row(3, [0, 0, 2, 0]).T, "transposed", "six rows"),
        (np.array([0, 0, 2, 0]), "wrong-shape", "got (4,)"),
        (with_row(3, [0, 0, 0.5, 0]), "not-whole", "Whole numbers"),
        (with_row(3, [0, 0, np.nan, 0]), "not-whole", "Whole numbers"),
        (with_row(3, [0, 0, np.inf, 0]), "not-whole", "Whole numbers"),
        ("is", "not-numbers", "got str"),
        (W_Q + 0j + 1j, "not-numbers", "got an array of complex128"),
        (check, "not-numbers", "got module"),
    ],
)
def test_wrong(mine, mistake, says):
    feedback = check.query_projection(mine, W_K)
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake), str(feedback)
    assert (
        says in feedback.message and "Look again at: lesson 01, Where the cards come from" in feedback.message
    )
    assert "[0, 0, 2, 0]" not in feedback.message, "shows the solution"


@pytest.mark.parametrize("mine", [W_Q, with_row(3, [0, 0, 2, 0])])
@pytest.mark.parametrize("keys", [2 * W_K, W_K.T, with_row(2, [0, 0, 9, 0], W_K)])
def test_changed_keys_are_noticed_whatever_the_queries(mine, keys):
    assert check.query_projection(mine, keys).mistake == "keys-changed"


@pytest.mark.parametrize(
    ("mine", "says"),
    [
        (W_Q, "nothing was assigned to my_W_Q"),
        (W_Q.tolist(), "nothing was assigned to my_W_Q"),
        (None, "under another name"),
        (..., "not attempted yet"),
    ],
)
def test_not_attempted(mine, says):
    feedback = check.query_projection(mine, W_K)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert says in " ".join(feedback.message.split())


def test_progress_knows_it():
    check.query_projection(with_row(3, [0, 0, 2, 0]), W_K)
    assert "✓ query_projection  passed" in str(check.progress("query_projection"))
