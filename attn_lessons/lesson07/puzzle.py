"""Lesson 07, transfer: two sentences that one head can't tell apart and two can, by what a word gets."""

import numpy as np

from attn_checks.exercise import (
    Feedback,
    array_of,
    looks_like,
    no_array,
    not_attempted,
    record,
    say,
    task,
)
from attn_parts.mathematics import scaled_dot_product_attention, split_heads

NAME = "puzzle"
CHAI = np.array([[0, 0], [4, 1], [0, 0], [0, 4]])
MILK = np.array([[0, 0], [4, 0], [0, 0], [0, 5]])
SAME, VISIBLE = 1e-6, 0.1  # up to here two numbers are equal, from there a reader sees that they differ
# at most so many words, and numbers in a value, and so large a number
WORDS, NUMBERS, LARGEST = 12, 6, 1000
LABELS = "one head", "head 0", "head 1"


def puzzle(q, K, V_a, V_b) -> Feedback:
    """Check two sentences: a query q (2,) and keys K (L, 2) for both, and the values V_a, V_b (L, n) of each.

    The puzzle holds if the query gets the same from both in one head two columns wide, and not in two heads
    one column wide each. Returns Feedback.
    """
    feedback = judged(dict(my_q=q, my_K=K, my_V_a=V_a, my_V_b=V_b))
    return record(NAME, feedback, task("two sentences for", NAME, puzzle))


def judged(parts):
    """First whether these are arrays to work with, then what the query gets from them."""
    if any(part is ... for part in parts.values()):
        return not_attempted(NAME)
    arrays = {name: array_of(part) for name, part in parts.items()}
    for name, array in arrays.items():
        if fault := unusable(name, array, parts[name], arrays["my_K"]):
            return fault
    q, K, V_a, V_b = (array.astype(float) for array in arrays.values())
    if V_a.shape != V_b.shape:
        line = f"my_V_a has the shape {V_a.shape} and my_V_b {V_b.shape}."
        return looks_like(NAME, "wrong-shape (values)", [line])
    if all(any(np.array_equal(V, old) for V in (V_a, V_b)) for old in (CHAI, MILK)):
        line = (
            "This is still the lesson's pair, chai and milk. Invent one of your own: "
            "change words and numbers, run that cell, then this one."
        )
        return say("not attempted", None, NAME, "the lesson's own pair", line)
    return by_what_it_gets(q.reshape(2), K, V_a, V_b)


def unusable(name, array, given, keys):
    """Feedback on an array that can't be used; None where it can."""
    words = "L" if keys is None or name == "my_K" or keys.ndim != 2 else len(keys)
    shape = {"my_q": "(2,)", "my_K": "(L, 2)"}.get(name, f"({words}, n)")
    if array is None:
        return looks_like(NAME, "not-numbers", [f"{name}: {no_array(given, shape)}"])
    rows, *columns = array.shape or (0,)
    fits = {
        "my_q": array.shape in [(2,), (1, 2)],
        "my_K": columns == [2] and 1 < rows <= WORDS,
    }
    if not fits.get(name, rows == words and len(columns) == 1 and 0 < columns[0] <= NUMBERS):
        line = f"Expected {name} of shape {shape}, got {array.shape}."
        return looks_like(NAME, "wrong-shape", [line], words=WORDS, numbers=NUMBERS)
    if not (abs(array) <= LARGEST).all():
        return looks_like(NAME, "too-large", array=name, largest=LARGEST)
    return None


def read(q, K, V, n_heads):
    """What the query gets from each of n_heads heads, (n_heads, n), and their weights, (n_heads, L)."""
    queries, keys = split_heads(q[None], n_heads), split_heads(K, n_heads)
    output, weights = scaled_dot_product_attention(queries, keys, np.stack([V] * n_heads))
    return output[:, 0], weights[:, 0]


def by_what_it_gets(q, K, V_a, V_b):
    """Judge arrays of the right shapes."""
    (one_a, (row,)), (one_b, _) = read(q, K, V_a, 1), read(q, K, V_b, 1)
    (two_a, rows), (two_b, _) = read(q, K, V_a, 2), read(q, K, V_b, 2)
    tables = [
        table_of("sentence a", one_a, two_a),
        table_of("sentence b", one_b, two_b),
    ]
    key, said = mistake(row, rows, V_a - V_b, abs(one_a - one_b).max(), abs(two_a - two_b).max())
    if key:
        return looks_like(NAME, key, tables=tables, **said)
    line = "It holds: one head gets the same from both, and two heads don't. Send it to a friend!"
    return say("passed", None, NAME, "passed", line, tables=tables)


def mistake(row, rows, change, one, two):
    """The key of what doesn't hold, and what stands in its words; "" where all holds.

    row, rows: weights of one head and of both. change: V_a - V_b. one, two: how far one head tells the
    sentences apart, and how far two heads do.
    """
    changed = np.flatnonzero(change.any(axis=1)).tolist()
    if not changed:
        return "same-values", {}
    if one > SAME:
        if len(changed) == 2 and np.array_equal(change[changed[0]], -change[changed[1]]):
            first, second = changed
            weights = f"{shown(row[first])} and {shown(row[second])}"
            return "unequal-weights", {
                "first": first,
                "second": second,
                "weights": weights,
            }
        return "one-head-can", {"weights": listed(row), "difference": f"{one:.2g}"}
    if two <= SAME:
        if np.allclose(*rows, rtol=0, atol=SAME):
            return "heads-alike", {}
        return "two-heads-cannot", {
            "head_0": listed(rows[0]),
            "head_1": listed(rows[1]),
        }
    if two < VISIBLE:
        return "too-alike", {"difference": shown(two), "visible": VISIBLE}
    return "", {}


def table_of(caption, one, two):
    """What one head gets and what two heads get, a row for each head."""
    return caption, [[label, *map(shown, got)] for label, got in zip(LABELS, (*one, *two))]


def shown(number):
    return f"{number:.3f}"


def listed(numbers):
    return ", ".join(map(shown, numbers))
