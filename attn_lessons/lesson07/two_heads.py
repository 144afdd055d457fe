"""Lesson 07, transfer: queries for two heads, one that looks back and one that looks ahead, checked by the weights they give."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, no_array, not_attempted, record, say, task
from attn_lessons.lesson01.query_projection import not_yet
from attn_parts.mathematics import scaled_dot_product_attention, split_heads

NAME, SEE = "two_heads", "l07-two"
POSITIONS = np.eye(5)
SHAPE, ENOUGH = (5, 10), 0.9
STEPS = -1, 1  # head 0 looks one position back, head 1 one ahead


def two_heads(W_Q) -> Feedback:
    """Check a projection W_Q (5, 10) for two heads over five positions: head 0 finds the position before, head 1 the one after.

    Keys are the positions themselves in both heads. Returns Feedback.
    """
    hint = "a row for each position and five columns for each head", "Numbers around 10 are enough."
    feedback = judged(NAME, SEE, W_Q, SHAPE, hint) or by_what_they_look_at(array_of(W_Q).astype(float))
    return record(NAME, feedback, task("a matrix for", NAME, two_heads))


# fmt: off
def judged(exercise, see, W_Q, shape, hint):
    """Feedback on what is no matrix of this shape, or still all zeros, with a hint on both; None on a matrix to work with."""
    if W_Q is ...:
        return not_attempted(exercise)
    mine = None if W_Q is None else array_of(W_Q)
    if np.shape(mine) == shape and not mine.any():
        line = "Your matrix is still all zeros, so each position attends to all positions equally. Write numbers into it, run its cell, then this one. If its cell ended in an error, fix that first."
        return say("not attempted", None, f"{exercise}: still zeros.", [line])
    return not_yet(exercise, see, [
        (W_Q is None, "returns-nothing", "",
            "my_W_Q is None. A function that changes an array in place, such as np.fill_diagonal, returns None, so call it without a name and = before it."),
        (mine is None, "not-numbers", "", no_array(W_Q, shape)),
        (np.shape(mine) != shape, "wrong-shape", "", f"Expected shape {shape}, {hint[0]}, got {np.shape(mine)}."),
        (mine is not None and not np.isfinite(mine).all(), "not-finite", "not all numbers are finite", f"Your matrix holds inf or NaN. {hint[1]}"),
    ])


def weights_of(W_Q):
    """Attention weights (2, 5, 5) of both heads."""
    keys = split_heads(np.hstack([POSITIONS, POSITIONS]), 2)
    return scaled_dot_product_attention(split_heads(POSITIONS @ W_Q, 2), keys, keys)[1]


def asked(head):
    """Pairs (position that looks, position to find); the first has none before it, the last none after."""
    return [(i, i + STEPS[head]) for i in range(5) if 0 <= i + STEPS[head] < 5]


def distance(weights):
    """How many positions further on the largest weight of each row is; None unless all rows with a single largest agree."""
    best = [np.flatnonzero(np.isclose(row, row.max())) for row in weights]
    steps = {int(at[0]) - i if len(at) == 1 else None for i, at in enumerate(best) if len(at) < len(weights)}
    return steps.pop() if len(steps) == 1 else None


def by_what_they_look_at(W_Q):
    """The judgement on a (5, 10) array of numbers."""
    weights = weights_of(W_Q)
    tables = [(f"weights of head {head}", [[f"{w:.2f}" for w in row] for row in weights[head]]) for head in (0, 1)]
    missed = [(h, i, j) for h in (0, 1) for i, j in asked(h) if weights[h, i, j] <= ENOUGH]
    if missed:
        return not_yet(NAME, SEE, faults(W_Q, weights, missed), tables)
    line = "Head 0 finds the position before and head 1 the position after, each with a weight above 0.9. One row of softmax can't give both."
    return say("passed", None, f"{NAME}: passed.", [line], tables)


def faults(W_Q, weights, missed):
    """Rows (whether it is so, mistake, name, advice); `missed` are triples (head, position, the position it should find)."""
    flat = [(h, i) for h, i, _ in missed if np.ptp(weights[h, i]) < 1e-9]
    even = [which for which in (0, 1) if distance(weights[which]) == STEPS[which] and which not in {h for h, _ in flat}]
    head, place, wanted = next((each for each in missed if each[0] not in even), missed[0])
    idle = [which for which in (0, 1) if np.ptp(weights[which]) < 1e-9]
    steps = [distance(weights[which]) for which in (0, 1)]
    words = {-1: "one position before", 0: "at the position itself", 1: "one position after"}
    others = [f"{words.get(step, 'further away')} in head {which}" for which, step in enumerate(steps) if step not in (None, STEPS[which])]
    pushed = [which for which, step in enumerate(map(distance, weights_of(-W_Q))) if step == STEPS[which]]
    takes_turns = weights_of(np.hstack([W_Q[:, ::2], W_Q[:, 1::2]]))
    spilt = {(0, 4): W_Q[4, :3].any(), (1, 0): W_Q[0, 7:].any()}
    past = [f"position {i} in head {h}" for h, i, _ in missed if spilt.get((h, i), False)]
    only = "only " if len(past) == len(missed) else ""
    row = weights[head, place]
    best = np.flatnonzero(np.isclose(row, row.max())).tolist()
    places = ", ".join(map(str, best))
    told = f"In head {head}, position {place} should find position {wanted}"
    weak = next(((h, i, j) for h, i, j in missed if h in even and h != head), None)
    also = f" Head {weak[0]} finds the right positions, but not sharply enough: position {weak[1]} gives the right one only {weights[weak]:.2f}." if weak else ""
    told_steps = f"The largest weight of a row is {' and '.join(others)}. A query of head 0 should match the key before it, one of head 1 the key after it.{also}"
    advice = "A row sums to 1, so leave one of them to the other head." if best == [place - 1, place + 1] else f"The query should match the key of position {wanted} alone."
    some = "all get the same weight" if len(best) == 5 else f"positions {places} get the most"
    most = f"position {best[0]} gets the most" if len(best) == 1 else some
    return [
        (steps == [1, -1], "heads-exchanged", "the wrong way round",
            "Your head 0 looks ahead and your head 1 looks back. Row i of my_W_Q is the position that attends, and columns 0 to 4 are head 0."),
        (len(even) == 2, "too-even", "the right positions, not sharply enough",
            f"Every position finds the right one, but in head {head} position {place} gives it only {row[wanted]:.3f}. What makes a row of softmax sharper?"),
        (idle, "one-head-idle", "one head does nothing yet",
            f"In head {idle[0] if idle else 0} all positions still get the same weight, because each query has the same number in all five of its columns. Columns 0 to 4 are head 0, columns 5 to 9 head 1."),
        (0 in steps, "finds-itself", "positions find themselves", told_steps),
        (np.allclose(weights[0], weights[1]), "heads-alike", "two heads alike",
            "Both heads have the same weights. Columns 0 to 4 are the queries of head 0, columns 5 to 9 those of head 1."),
        (others, "another-distance", "another position", told_steps),
        (pushed, "pushed-away", "the wrong sign",
            f"In head {' and '.join(map(str, pushed))} each position gives the least weight to the one that it should find. A negative number makes a score smaller, and a positive one makes it larger.{also}"),
        ([*map(distance, takes_turns)] == list(STEPS), "strided-split", "every second column instead of a block",
            "Your heads take turns, column by column. Columns 0 to 4 belong to head 0, columns 5 to 9 to head 1."),
        (past and len(missed) < 3, "past-the-end", "a number in the other head's columns",
            f"Nearly right: {only}{' and '.join(past)} goes wrong. A column past the end of one head belongs to the other, and column −1 is in head 1."),
        (len(flat) == len(missed), "rows-left-out", "positions are left out",
            f"Nothing is right or wrong yet at {' and '.join(f'position {i} in head {h}' for h, i in flat)}, where all five get the same weight. Give them a query as well."),
        (wanted in best and 1 < len(best) < 5, "shared", "one row for several positions",
            f"{told}, but it spreads its attention over positions {places}, {row.max():.2f} each. {advice}{also}"),
        (True, "finds-another", "", f"{told}. Its weight there is {row[wanted]:.2f}, and {most}.{also}"),
    ]
