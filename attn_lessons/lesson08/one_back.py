"""Lesson 08, transfer: a head that attends to the position before, made by one matrix, checked by the weights it gives."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, name_list, record, say, task
from attn_lessons.lesson01.query_projection import not_yet
from attn_lessons.lesson07.two_heads import judged
from attn_parts.mathematics import scaled_dot_product_attention, sinusoidal_encoding

NAME, SEE = "one_back", "l08-rotation"
SHAPE, ENOUGH = (8, 8), 0.9
POSITIONS = sinusoidal_encoding(100, SHAPE[0])
HANDS, SPEEDS = np.arange(8) // 2, 10.0 ** -np.arange(4)  # the hand of each column, and how fast it is


def one_back(W_Q) -> Feedback:
    """Check a projection W_Q (8, 8) with which each of 100 positions attends to the position before.

    Queries are the sinusoidal encoding times W_Q, keys the encoding itself. Returns Feedback.
    """
    hint = "two rows and two columns for each of the four hands", "Numbers up to a few hundred are enough."
    feedback = judged(NAME, SEE, W_Q, SHAPE, hint) or by_what_they_find(array_of(W_Q).astype(float))
    return record(NAME, feedback, task("a matrix for", NAME, one_back))


def weights_of(W_Q):
    return scaled_dot_product_attention(POSITIONS @ W_Q, POSITIONS, POSITIONS)[1]


def turns(W_Q):
    """(number, angle) of each hand that W_Q turns, as a rotation times any factor does."""
    for i in range(4):
        (cos, minus), (sin, same) = W_Q[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        if (cos or sin) and np.isclose(cos, same) and np.isclose(sin, -minus):
            yield i, np.arctan2(sin, cos)


def by_what_they_find(W_Q):
    """The judgement on an (8, 8) array of numbers."""
    weights = weights_of(W_Q)
    found = weights.argmax(axis=1) - np.arange(100)  # how many positions further on, for each position
    given = weights[np.arange(1, 100), np.arange(99)]  # the weight of the position before, from position 1 on
    if (given > ENOUGH).all():
        line = f"All positions from 1 to 99 attend to the one before, each with a weight of at least {np.floor(100 * given.min()) / 100:.2f}. The same 64 numbers do it at every position."
        return say("passed", None, NAME, "passed", line)
    here = int(np.flatnonzero(given <= ENOUGH)[0]) + 1
    idle = [i for i in range(4) if not W_Q[2 * i : 2 * i + 2].any()]
    mixed = np.argwhere((np.abs(W_Q) > 1e-6 * np.abs(W_Q).max()) & (HANDS[:, None] != HANDS))
    turned = dict(turns(W_Q))
    off = [i for i, angle in turned.items() if not np.isclose(angle, -SPEEDS[i])]
    opposite = [i for i in off if np.isclose(abs(turned[i] + SPEEDS[i]), np.pi)]
    by = name_list(
        [f"hand {i} {'forward' if turned[i] > 0 else 'back'} by {abs(turned[i]):.3g}" for i in off] or [""]
    )
    speeds = ", ".join(f"{SPEEDS[i]:.3g}" for i in off)
    crooked = [i for i in range(4) if i not in idle and i not in turned]
    same = np.bincount(found[10:90] + 99).argmax() - 99 if np.ptp(found[10:90]) == 0 else None
    most = weights[here].argmax()
    ahead = [f"hand {i}" for i, angle in turned.items() if np.isclose(angle, SPEEDS[i])]
    unused = f"Your matrix has nothing but 0 in rows {', '.join(f'{2 * i}, {2 * i + 1}' for i in idle)}, so {name_list([f'hand {i}' for i in idle or [0]])} can't count."
    also = (
        f" {unused}"
        if idle
        else f" And the position found gets a weight of only {weights[50].max():.2f}. What makes a row of softmax sharper?"
        if weights[50].max() <= ENOUGH
        else ""
    )
    told = f"Position {here} should find position {here - 1}. Its weight there is {given[here - 1]:.2f}, " + (
        "which isn't enough."
        if most == here - 1
        else f"and position {most} gets the most, {weights[here, most]:.2f}."
    )
    return (
        not_yet(
            NAME,
            SEE,
            [
                (
                    np.ptp(weights[0]) < 1e-9 and np.ptp(weights[50]) < 1e-9,
                    "uniform",
                    "all weights are equal",
                    "Each position still attends to all positions equally, because its scores are all the same.",
                ),
                (
                    same == 0 and not any(turned.values()),
                    "finds-itself",
                    "positions find themselves",
                    "Each position finds itself. The hands of the query must be turned before they match the key of another position.",
                ),
                (
                    same == 1,
                    "looks-ahead",
                    "the wrong way round",
                    f"Each position finds the next one. {f'Your matrix turns {name_list(ahead)} forward.' if ahead else 'Look at the direction in which each hand turns.'} To match the position before, a hand must turn back.{also}",
                ),
                (
                    same not in (None, -1, 0),
                    "another-distance",
                    "another distance",
                    f"Every position finds the one that is {abs(same or 0)} {'further on' if (same or 0) > 0 else 'back'}. Look at the angle by which each hand turns.{also}",
                ),
                (
                    len(mixed),
                    "hands-mixed",
                    "hands are mixed",
                    f"Row {mixed[0][0] if len(mixed) else 0}, column {mixed[0][1] if len(mixed) else 0} of your matrix isn't 0, so one hand goes into another. Rows and columns 0 and 1 are the first hand, 2 and 3 the second, and so on. {told}",
                ),
                (
                    crooked,
                    "no-rotation",
                    "a hand isn't rotated",
                    f"Rows {2 * (crooked or [0])[0]} and {2 * (crooked or [0])[0] + 1} of your matrix aren't a rotation of their hand. A rotation has the same number twice on its diagonal, and beside it one number with opposite signs. {told}",
                ),
                (
                    opposite and opposite == off,
                    "pushed-away",
                    "the wrong sign",
                    f"The numbers of {name_list([f'hand {i}' for i in opposite or [0]])} have the wrong sign. A negative factor turns a hand half a circle further, so it gives the smallest score where it should give the largest. {told}",
                ),
                (
                    off,
                    "wrong-turn",
                    "a hand turns by the wrong angle",
                    f"Your matrix turns {by} radians. From one position to the next {'they turn' if off[1:] else 'it turns'} forward by {speeds}. {told}",
                ),
                (idle, "hands-idle", "some hands aren't used", f"{unused} {told}"),
            ],
        )
        or not_yet(
            NAME,
            "l04-temperature",
            [
                (
                    same == -1 or (found[1:] == -1).all(),
                    "too-even",
                    "the right position, not sharply enough",
                    f"Positions find the right one, but position {here} gives it only {given[here - 1]:.2f}. What makes a row of softmax sharper?",
                )
            ],
        )
        or not_yet(NAME, SEE, [(True, "finds-another", "", told)])
    )
