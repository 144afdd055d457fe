"""Lesson 08, transfer: one matrix for a head that attends to the position before, checked by its weights."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, looks_like, name_list, record, say, task
from attn_lessons._matrix import unusable
from attn_parts.mathematics import scaled_dot_product_attention, sinusoidal_encoding

NAME = "one_back"
SHAPE, ENOUGH = (8, 8), 0.9
POSITIONS = sinusoidal_encoding(100, SHAPE[0])
HANDS = np.arange(8) // 2  # the hand of each column
SPEEDS = 10.0 ** -np.arange(4)


def one_back(W_Q) -> Feedback:
    """Check a projection W_Q (8, 8) with which each of 100 positions attends to the position before.

    Queries are the sinusoidal encoding times W_Q, keys the encoding itself. Returns Feedback.
    """
    feedback = unusable(NAME, W_Q, SHAPE) or by_what_they_find(array_of(W_Q).astype(float))
    return record(NAME, feedback, task("a matrix for", NAME, one_back))


def by_what_they_find(W_Q):
    """Judge an (8, 8) array of numbers."""
    weights = scaled_dot_product_attention(POSITIONS @ W_Q, POSITIONS, POSITIONS)[1]
    given = weights[np.arange(1, 100), np.arange(99)]  # the weight of the position before, from position 1 on
    if (given > ENOUGH).all():
        line = (
            "All positions from 1 to 99 attend to the one before, each with a weight of at least "
            f"{np.floor(100 * given.min()) / 100:.2f}. The same 64 numbers do it at every position."
        )
        return say("passed", None, NAME, "passed", line)
    here = int(np.flatnonzero(given <= ENOUGH)[0]) + 1
    idle = [hand for hand in range(4) if not W_Q[2 * hand : 2 * hand + 2].any()]
    turned = dict(turns(W_Q))
    key, said = by_distance(weights, idle, turned) or by_hand(W_Q, idle, turned) or by_place(weights, here)
    return looks_like(NAME, key, told=told(weights, here), **said)


def by_distance(weights, idle, turned):
    """The key of a mistake that all positions make alike, and what stands in its words; or None."""
    found = weights.argmax(axis=1) - np.arange(100)  # how many positions further on, for each position
    same = found[10] if np.ptp(found[10:90]) == 0 else None
    also = also_wrong(weights, idle)
    if np.ptp(weights[0]) < 1e-9 and np.ptp(weights[50]) < 1e-9:
        return "uniform", {}
    if same == 0 and not any(turned.values()):
        return "finds-itself", {}
    if same == 1:
        ahead = [hand for hand, angle in turned.items() if np.isclose(angle, SPEEDS[hand])]
        why = (
            f"Your matrix turns {hands(ahead)} forward."
            if ahead
            else "Look at the direction in which each hand turns."
        )
        return "looks-ahead", {"why": why, "also": also}
    if same not in (None, -1, 0):
        way = "further on" if same > 0 else "back"
        return "another-distance", {"distance": f"{abs(same)} {way}", "also": also}
    return None


def by_hand(W_Q, idle, turned):
    """The key of a mistake in the rows and columns of some hand, and what stands in its words; or None."""
    mixed = np.argwhere((np.abs(W_Q) > 1e-6 * np.abs(W_Q).max()) & (HANDS[:, None] != HANDS))
    if len(mixed):
        return "hands-mixed", {"row": mixed[0][0], "column": mixed[0][1]}
    crooked = [hand for hand in range(4) if hand not in idle and hand not in turned]
    if crooked:
        return "no-rotation", {
            "first": 2 * crooked[0],
            "second": 2 * crooked[0] + 1,
        }
    off = [hand for hand, angle in turned.items() if not np.isclose(angle, -SPEEDS[hand])]
    if off and all(np.isclose(abs(turned[hand] + SPEEDS[hand]), np.pi) for hand in off):
        return "pushed-away", {"hands": hands(off)}
    if off:
        return "wrong-turn", {
            "by": name_list([f"hand {hand} {direction(turned[hand])}" for hand in off]),
            "turn": "they turn" if off[1:] else "it turns",
            "speeds": ", ".join(f"{SPEEDS[hand]:.3g}" for hand in off),
        }
    return ("hands-idle", {"unused": unused(idle)}) if idle else None


def by_place(weights, here):
    """The same where no other rule holds."""
    if (weights.argmax(axis=1)[10:90] == np.arange(9, 89)).all():
        return "too-even", {
            "place": here,
            "weight": f"{weights[here, here - 1]:.2f}",
        }
    return "finds-another", {}


def turns(W_Q):
    """(number, angle) of each hand that W_Q turns, as a rotation times any factor does."""
    for i in range(4):
        (cos, minus), (sin, same) = W_Q[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        if (cos or sin) and np.isclose(cos, same) and np.isclose(sin, -minus):
            yield i, np.arctan2(sin, cos)


def direction(angle):
    return f"{'forward' if angle > 0 else 'back'} by {abs(angle):.3g}"


def hands(numbers):
    return name_list([f"hand {number}" for number in numbers])


def unused(idle):
    rows = ", ".join(f"{2 * hand}, {2 * hand + 1}" for hand in idle)
    return f"Your matrix has nothing but 0 in rows {rows}, so {hands(idle)} can't count."


def also_wrong(weights, idle):
    """A sentence on what else is wrong, or ""."""
    if idle:
        return f" {unused(idle)}"
    if weights[50].max() > ENOUGH:
        return ""
    return (
        f" And the position found gets a weight of only {weights[50].max():.2f}. "
        "What makes a row of softmax sharper?"
    )


def told(weights, here):
    """What the first position finds that goes wrong."""
    most = weights[here].argmax()
    found = f"and position {most} gets the most, {weights[here, most]:.2f}."
    if most == here - 1:
        found = "which isn't enough."
    return (
        f"Position {here} should find position {here - 1}. "
        f"Its weight there is {weights[here, here - 1]:.2f}, {found}"
    )
