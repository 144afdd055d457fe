"""Lesson 07, transfer: queries for two heads, one that looks back and one ahead, checked by their weights."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, looks_like, record, say, task
from attn_lessons._matrix import unusable
from attn_parts.mathematics import scaled_dot_product_attention, split_heads

NAME = "two_heads"
POSITIONS = np.eye(5)
SHAPE, ENOUGH = (5, 10), 0.9
STEPS = [-1, 1]  # head 0 looks one position back, head 1 one ahead
WHERE = {
    -1: "one position before",
    0: "at the position itself",
    1: "one position after",
}


def two_heads(W_Q) -> Feedback:
    """Check a projection W_Q (5, 10) for two heads: head 0 finds the position before, head 1 the one after.

    Keys are the positions themselves in both heads. Returns Feedback.
    """
    feedback = unusable(NAME, W_Q, SHAPE) or by_what_they_find(array_of(W_Q).astype(float))
    return record(NAME, feedback, task("a matrix for", NAME, two_heads))


def by_what_they_find(W_Q):
    """Judge a (5, 10) array of numbers."""
    weights = weights_of(W_Q)
    tables = [
        (
            f"weights of head {head}",
            [[f"{weight:.2f}" for weight in row] for row in weights[head]],
        )
        for head in (0, 1)
    ]
    missed = [
        (head, i, i + step)
        for head, step in enumerate(STEPS)
        for i in range(5)
        if 0 <= i + step < 5 and weights[head, i, i + step] <= ENOUGH
    ]
    if missed:
        key, said = mistake(W_Q, weights, missed)
        return looks_like(NAME, key, tables=tables, **said)
    line = (
        "Head 0 finds the position before and head 1 the position after, each with a weight above 0.9. "
        "One row of softmax can't give both."
    )
    return say("passed", None, NAME, "passed", line, tables=tables)


def weights_of(W_Q):
    """Attention weights (2, 5, 5) of both heads."""
    keys = split_heads(np.hstack([POSITIONS, POSITIONS]), 2)
    return scaled_dot_product_attention(split_heads(POSITIONS @ W_Q, 2), keys, keys)[1]


def distances(weights):
    """For each head: how many positions further on a row's largest weight is; None unless all rows agree.

    A row that spreads its weight evenly says nothing.
    """
    found = []
    for of_head in weights:
        best = [largest(row) for row in of_head]
        steps = {at[0] - i if len(at) == 1 else None for i, at in enumerate(best) if len(at) < len(of_head)}
        found.append(steps.pop() if len(steps) == 1 else None)
    return found


def largest(row):
    """The positions that get the largest weight."""
    return np.flatnonzero(np.isclose(row, row.max())).tolist()


def is_even(row):
    return np.ptp(row) < 1e-9


def mistake(W_Q, weights, missed):
    """The key of a mistake and what stands in its words; `missed`: (head, position, what it should find)."""
    steps = distances(weights)
    left_out = [(head, i) for head, i, _ in missed if is_even(weights[head, i])]
    blunt = [head for head in (0, 1) if steps[head] == STEPS[head] and head not in dict(left_out)]
    idle = [head for head in (0, 1) if is_even(weights[head])]
    one = next((each for each in missed if each[0] not in blunt), missed[0])
    also = also_blunt(weights, [each for each in missed if each[0] in blunt and each[0] != one[0]])
    if steps == STEPS[::-1]:
        return "heads-exchanged", {}
    if len(blunt) == 2:
        return "too-even", {
            "head": one[0],
            "place": one[1],
            "weight": f"{weights[one]:.3f}",
        }
    if idle:
        return "one-head-idle", {"head": idle[0]}
    if 0 in steps:
        return "finds-itself", {"steps": told_steps(steps), "also": also}
    if np.allclose(weights[0], weights[1]):
        return "heads-alike", {}
    if told_steps(steps):
        return "another-distance", {"steps": told_steps(steps), "also": also}
    pushed = [head for head, step in enumerate(distances(weights_of(-W_Q))) if step == STEPS[head]]
    if pushed:
        return "pushed-away", {
            "heads": " and ".join(map(str, pushed)),
            "also": also,
        }
    if distances(weights_of(np.hstack([W_Q[:, ::2], W_Q[:, 1::2]]))) == STEPS:
        return "strided-split", {}
    spilt = {(0, 4): W_Q[4, :3].any(), (1, 0): W_Q[0, 7:].any()}
    past = [(head, i) for head, i, _ in missed if spilt.get((head, i), False)]
    if past and len(missed) < 3:
        only = "only " if len(past) == len(missed) else ""
        return "past-the-end", {"places": only + places_of(past)}
    if len(left_out) == len(missed):
        return "rows-left-out", {"places": places_of(left_out)}
    return of_one_position(weights, *one, also)


def also_blunt(weights, missed):
    """A sentence on a head that finds the right positions while the other one is wrong, or ""."""
    if not missed:
        return ""
    head, place, _ = missed[0]
    return (
        f" Head {head} finds the right positions, but not sharply enough: position {place} gives "
        f"the right one only {weights[missed[0]]:.2f}."
    )


def told_steps(steps):
    """Where the heads find something else than they should, or ""."""
    return " and ".join(
        f"{WHERE.get(step, 'further away')} in head {head}"
        for head, step in enumerate(steps)
        if step not in (None, STEPS[head])
    )


def places_of(pairs):
    return " and ".join(f"position {i} in head {head}" for head, i in pairs)


def of_one_position(weights, head, place, wanted, also):
    """The mistake where no rule holds for a whole head: what one position finds."""
    row = weights[head, place]
    best = largest(row)
    said = {"head": head, "place": place, "wanted": wanted, "also": also}
    if wanted in best and 1 < len(best) < 5:
        advice = f"The query should match the key of position {wanted} alone."
        if best == [place - 1, place + 1]:
            advice = "A row sums to 1, so leave one of them to the other head."
        places = ", ".join(map(str, best))
        return "shared", said | {
            "places": places,
            "weight": f"{row.max():.2f}",
            "advice": advice,
        }
    most = f"positions {', '.join(map(str, best))} get the most"
    if len(best) == 5:
        most = "all get the same weight"
    elif len(best) == 1:
        most = f"position {best[0]} gets the most"
    return "finds-another", said | {"weight": f"{row[wanted]:.2f}", "most": most}
