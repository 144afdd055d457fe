"""Lesson 07, transfer: two sentences that one head can't tell apart and two can, judged by what a word gets."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, no_array, not_attempted, record, say, task
from attn_lessons.lesson01.query_projection import not_yet
from attn_parts.mathematics import scaled_dot_product_attention, split_heads

NAME, SEE = "puzzle", "l07-two"
CHAI = np.array([[0, 0], [4, 1], [0, 0], [0, 4]])
MILK = np.array([[0, 0], [4, 0], [0, 0], [0, 5]])
SAME, VISIBLE = 1e-6, 0.1  # up to here two numbers are equal, and from here a reader sees that they differ
WORDS, NUMBERS, LARGEST = 12, 6, 1000  # at most so many words, and numbers in a value, and so large a number
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
            return not_yet(NAME, SEE, [(True, *fault)])
    q, K, V_a, V_b = (array.astype(float) for array in arrays.values())
    if V_a.shape != V_b.shape:
        line = f"my_V_a has the shape {V_a.shape} and my_V_b {V_b.shape}. Make both equally wide."
        return not_yet(NAME, SEE, [(True, "wrong-shape", "", line)])
    if all(any(np.array_equal(V, old) for V in (V_a, V_b)) for old in (CHAI, MILK)):
        line = (
            "This is still the lesson's pair, chai and milk. Invent one of your own: "
            "change words and numbers, run that cell, then this one."
        )
        return say("not attempted", None, NAME, "the lesson's own pair", line)
    return by_what_it_gets(q.reshape(2), K, V_a, V_b)


def unusable(name, array, given, keys):
    """(mistake, name, advice) on an array that can't be used; None where it can."""
    words = "L" if keys is None or name == "my_K" or keys.ndim != 2 else len(keys)
    shape = {"my_q": "(2,)", "my_K": "(L, 2)"}.get(name, f"({words}, n)")
    if array is None:
        return "not-numbers", "", f"{name}: {no_array(given, shape)}"
    rows, *columns = array.shape or (0,)
    fits = {"my_q": array.shape in [(2,), (1, 2)], "my_K": columns == [2] and 1 < rows <= WORDS}
    if not fits.get(name, rows == words and len(columns) == 1 and 0 < columns[0] <= NUMBERS):
        advice = (
            f"Expected {name} of shape {shape}, got {array.shape}. A query has a number for each head. "
            f"Keys and values have a row for each word, up to {WORDS}. A value has up to {NUMBERS} numbers."
        )
        return "wrong-shape", "", advice
    if not (abs(array) <= LARGEST).all():
        advice = f"{name} holds inf, NaN or a number beyond {LARGEST}."
        return "too-large", "a number that is too large", advice
    return None


def read(q, K, V, n_heads):
    """What the query gets from each of n_heads heads, (n_heads, n), and their weights, (n_heads, L)."""
    queries, keys = split_heads(q[None], n_heads), split_heads(K, n_heads)
    output, weights = scaled_dot_product_attention(queries, keys, np.stack([V] * n_heads))
    return output[:, 0], weights[:, 0]


def by_what_it_gets(q, K, V_a, V_b):
    """The judgement on arrays of the right shapes."""
    (one_a, (row,)), (one_b, _) = read(q, K, V_a, 1), read(q, K, V_b, 1)
    (two_a, rows), (two_b, _) = read(q, K, V_a, 2), read(q, K, V_b, 2)
    one, two = abs(one_a - one_b).max(), abs(two_a - two_b).max()
    tables = [table_of("sentence a", one_a, two_a), table_of("sentence b", one_b, two_b)]
    if one <= SAME and two >= VISIBLE:
        line = "It holds: one head gets the same from both, and two heads don't. Send it to a friend!"
        return say("passed", None, NAME, "passed", line, tables=tables)
    if np.array_equal(V_a, V_b):
        fault = same_values()
    elif one > SAME:
        fault = one_head_can(row, V_a - V_b, one)
    elif two <= SAME:
        fault = two_heads_cannot(rows)
    else:
        fault = too_alike(two)
    return not_yet(NAME, SEE, [(True, *fault)], tables)


def table_of(caption, one, two):
    """What one head gets and what two heads get, a row for each head."""
    return caption, [[label, *map(shown, got)] for label, got in zip(LABELS, (*one, *two), strict=True)]


def shown(number):
    return f"{number:.3f}"


def listed(numbers):
    return ", ".join(map(shown, numbers))


# --- What doesn't hold: (mistake, name, advice) ----------------------------------------------------


def same_values():
    advice = (
        "my_V_a equals my_V_b, so no head can ever tell the two apart. "
        "Let some words of the second sentence pass on something else."
    )
    return "same-values", "both sentences pass on the same", advice


def one_head_can(row, change, difference):
    """One head gets different numbers; `change` is V_a - V_b, word for word."""
    changed = np.flatnonzero(change.any(axis=1)).tolist()
    if len(changed) == 2 and np.array_equal(change[changed[0]], -change[changed[1]]):
        first, second = changed
        advice = (
            f"What the word at position {first} loses, the word at position {second} gains. "
            "That's a good plan. But in one head they get different weights, "
            f"{shown(row[first])} and {shown(row[second])}. Give both the same score."
        )
        return "unequal-weights", "one head prefers one of the two words", advice
    advice = (
        f"In one head the words get the weights {listed(row)}. Weighted like this, the values "
        f"of both sentences must add up to the same, but they differ by {difference:.2g}."
    )
    return "one-head-can", "one head tells them apart", advice


def two_heads_cannot(rows):
    """Two heads get the same from both sentences, as one head does."""
    if np.allclose(*rows, rtol=0, atol=SAME):
        advice = (
            "Both heads have the same weights, so the second one adds nothing. "
            "Head 0 sees only column 0 of my_q and my_K, and head 1 only column 1."
        )
        return "heads-alike", "two heads with the same weights", advice
    advice = (
        "Two heads get the same from both sentences as well. "
        f"Head 0 has the weights {listed(rows[0])}, and head 1 {listed(rows[1])}. "
        "Let each head prefer another of the words whose values differ."
    )
    return "two-heads-cannot", "two heads can't tell them apart", advice


def too_alike(difference):
    advice = (
        f"One head gets the same from both, and what two heads get differs by {difference:.3f} at most. "
        f"Your friend should see it. Make it at least {VISIBLE}, with larger values or sharper rows."
    )
    return "too-alike", "two heads get nearly the same", advice
