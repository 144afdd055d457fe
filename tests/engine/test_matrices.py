"""Answers to the transfer tasks that are answered by a matrix, not by a function: lessons 01, 07 and 08."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn

_, _, W_Q, W_K, _ = attn.load_example()
BACK = 10 * np.eye(5, k=-1)
AHEAD = 10 * np.eye(5, k=1)


def hands(step, loud=100, only=range(4)):
    """A matrix that turns the hands by `step` positions."""
    made = np.zeros((8, 8))
    for i in only:
        a = step / 10000 ** (2 * i / 8)
        part = slice(2 * i, 2 * i + 2)
        made[part, part] = loud * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return made


def with_row(row, entries, start=W_Q):
    changed = start.copy()
    changed[row] = entries
    return changed


def both(head_0, head_1):
    return np.hstack([head_0, head_1])


FINDS_THE = with_row(3, [0, 0, 2, 0])

PROJECTIONS = [
    (
        with_row(2, [0, 0, 0, 2]),
        "looks-the-wrong-way",
        "“is” should look",
    ),
    (
        with_row(0, [0, 0, 2, 0]),
        "wrong-row",
        "row 0 (thing), and now “chai” has",
    ),
    (
        np.tile([0.0, 0, 2, 0], (6, 1)),
        "other-words-changed",
        "A word uses the rows",
    ),
    (
        np.where(np.arange(4) == 2, 5, W_Q),
        "changed-a-column",
        "A column belongs to all words",
    ),
    (
        with_row(3, [0, 0, 0, 2]),
        "finds-itself",
        "the key of “The”",
    ),
    (
        with_row(3, [2, 2, 1, 0]),
        "finds-another",
        "“is” finds “chai” and “hot”",
    ),
    (
        with_row(3, [2, 2, 2, 0]),
        "tie",
        "“The” and “chai” and “hot”",
    ),
    (
        with_row(3, [3, 3, 1, 1]),
        "no-effect",
        "every word finds what it found before",
    ),
    (
        FINDS_THE.T,
        "transposed",
        "six rows",
    ),
    (
        np.array([0, 0, 2, 0]),
        "row-alone",
        "Assign to one row",
    ),
    (
        with_row(3, [0, 0, 0.5, 0]),
        "not-whole",
        "whole numbers only",
    ),
    (
        W_Q + 1j,
        "not-numbers",
        "got an array of complex128",
    ),
]
HEADS = [
    (
        both(AHEAD, BACK),
        "heads-exchanged",
        "the position that attends",
    ),
    (
        both(BACK, AHEAD / 2),
        "too-even",
        "in head 1",
    ),
    (
        both(BACK, BACK),
        "heads-alike",
        "columns 5 to 9",
    ),
    (
        np.hstack([np.eye(5)] * 2),
        "finds-itself",
        "itself in head 0 and at the position itself in head 1",
    ),
    (
        both(-20 * BACK, AHEAD),
        "pushed-away",
        "In head 0",
    ),
    (
        both(np.diag([0, 9, 9, 9, 0]) @ BACK, AHEAD),
        "rows-left-out",
        "at position 4 in head 0, where",
    ),
    (
        with_row(4, 10 * np.eye(10)[[0, 3]].sum(0), both(BACK, AHEAD)),
        "past-the-end",
        "only position 4 in head 0",
    ),  # column 10 taken for 0
    (
        np.stack([BACK, AHEAD], axis=-1).reshape(5, 10),
        "strided-split",
        "take turns",
    ),
    (
        both(BACK, 0 * AHEAD),
        "one-head-idle",
        "In head 1 all positions still get the same",
    ),
    (
        both(BACK + AHEAD, AHEAD),
        "shared",
        "over positions 0, 2, 0.49 each",
    ),
    (
        both(20 * np.tri(5, k=-1), AHEAD),
        "shared",
        "the key of position 1 alone",
    ),
    (
        both(BACK / 5, 10 * np.eye(5, k=2)),
        "another-distance",
        "Head 0 finds the right positions, but not sharply",
    ),
    (
        both(np.roll(BACK, 1, axis=0), AHEAD),
        "finds-another",
        "position 1 should find position 0. Its weight there is 0.20",
    ),
    (
        both(BACK, AHEAD).T,
        "wrong-shape",
        "got (10, 5)",
    ),
    (
        np.full((5, 10), np.inf),
        "not-finite",
        "finite",
    ),
]
CODES = attn.sinusoidal_encoding(100, 8)
BACKS = [
    (hands(1), "looks-ahead", "Each position finds the next one"),
    (hands(-1).T, "looks-ahead", "turns hand 0, hand 1, hand 2 and hand 3 forward"),
    (100 * np.eye(8), "finds-itself", "positions find themselves"),
    (hands(-2), "another-distance", "the one that is 2 back"),
    (hands(-1 / 50), "wrong-turn", "hand 0 back by 0.02,"),
    (hands(-2, only=[1, 2, 3]), "another-distance", "so hand 0 can't count"),
    (hands(-1, loud=10), "too-even", "Look again at: lesson 04, Temperature"),
    (
        hands(-1, loud=-150),
        "pushed-away",
        "The numbers of hand 0, hand 1, hand 2 and hand 3 have the wrong sign.",
    ),
    (hands(-1, only=[0]), "hands-idle", "rows 2, 3, 4, 5, 6, 7"),
    (np.full((8, 8), 100), "hands-mixed", "Row 0, column 2"),
    (
        np.kron(np.eye(4), hands(-1)[:2, :2]),
        "wrong-turn",
        "turns hand 1 back by 1, hand 2 back by 1 and hand 3 back by 1 radians",
    ),
    (100 * np.diag([1, -1] * 4), "no-rotation", "Rows 0 and 1"),
    (None, "returns-nothing", "my_W_Q is None"),
    ("back", "not-numbers", "got a single text"),
]


def query_projection(mine, keys=W_K):
    return check.query_projection(mine, keys)


RIGHT = [
    (
        query_projection,
        FINDS_THE.astype(int).tolist(),
    ),
    (
        query_projection,
        with_row(3, [-9, -9, 1, -9]),
    ),
    (
        query_projection,
        with_row(3, [0, 0, 3, 0], W_Q + 1),
    ),  # the same for all keys changes nothing
    (
        check.two_heads,
        both(BACK, AHEAD).tolist(),
    ),
    (
        check.two_heads,
        both(BACK - 3, AHEAD - 3),
    ),  # nor does this
    (
        check.one_back,
        300 * np.linalg.lstsq(CODES[1:], CODES[:-1], rcond=None)[0],
    ),
    (
        check.one_back,
        hands(-1, loud=300).tolist(),
    ),
    (
        check.two_heads,
        both(np.roll(10 * np.eye(5), -1, axis=1), np.roll(10 * np.eye(5), 1, axis=1)),
    ),
]


@pytest.mark.parametrize(("checker", "mine"), RIGHT)
def test_right(checker, mine):
    feedback = checker(mine)
    assert (feedback.status, feedback.mistake) == ("passed", None), str(feedback)
    assert f"✓ {checker.__name__}  passed" in str(check.progress(checker.__name__))


@pytest.mark.parametrize(
    ("checker", "mine", "mistake", "says"),
    [(query_projection, *each) for each in PROJECTIONS]
    + [(check.two_heads, *each) for each in HEADS]
    + [(check.one_back, *each) for each in BACKS],
)
def test_wrong(checker, mine, mistake, says):
    feedback = checker(mine)
    assert (feedback.status, feedback.mistake) == ("incorrect", mistake), str(feedback)
    message = " ".join(feedback.message.split())
    assert says in message and "Look again at: lesson 0" in message, message
    assert "[0, 0, 2, 0]" not in message and "np.eye" not in message, "shows the solution"


@pytest.mark.parametrize(
    ("mine", "keys"),
    [(W_Q, W_K.T), (FINDS_THE, 2 * W_K)],
)
def test_changed_keys_are_noticed_whatever_the_queries(mine, keys):
    assert query_projection(mine, keys).mistake == "keys-changed"


@pytest.mark.parametrize(
    ("checker", "mine", "says"),
    [
        (query_projection, W_Q, "no number in my_W_Q has changed"),
        (query_projection, None, "under another name"),
        (query_projection, ..., "not attempted yet"),
        (check.two_heads, np.zeros((5, 10)), "ended in an error"),
        (check.one_back, np.zeros((8, 8)), "still all zeros"),
    ],
)
def test_not_attempted(checker, mine, says):
    feedback = checker(mine)
    assert (feedback.status, feedback.mistake) == ("not attempted", None)
    assert says in " ".join(str(feedback).split())
