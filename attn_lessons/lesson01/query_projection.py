"""Lesson 01, transfer: a projection under which “is” finds “The”, checked by what all words then find."""

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
from attn_parts.example import KINDS, MEANINGS, load_example
from attn_parts.mathematics import softmax

NAME = "query_projection"
ROWS = (*KINDS, *MEANINGS)
EXAMPLE = load_example()
TOKENS = EXAMPLE.tokens
THE = TOKENS.index("The")
IS = TOKENS.index("is")


def query_projection(W_Q, W_K) -> Feedback:
    """Check a projection W_Q (6, 4) under which *is* finds *The*, and all others find what they found.

    W_K is passed along to see that the keys have stayed as they were. Returns Feedback.
    """
    return record(NAME, judged(W_Q, W_K), task("a matrix for", NAME, query_projection))


def judged(W_Q, W_K):
    """First whether these are matrices to work with, then what the words find with them."""
    if W_K is not None and W_K is not ... and not is_same(array_of(W_K), EXAMPLE.W_K):
        return looks_like(NAME, "keys-changed")
    if W_Q is None:
        line = "Your matrix is None. Did you store the matrix under another name?"
        return say("not attempted", None, NAME, "not attempted yet", line)
    if W_Q is ...:
        return not_attempted(NAME)
    mine = array_of(W_Q)
    if mine is None:
        return looks_like(NAME, "not-numbers", [no_array(W_Q, (6, 4))])
    if is_same(mine, EXAMPLE.W_Q):
        line = (
            "Your matrix still equals the lesson's W_Q, so “is” still finds “chai” and “hot”: no "
            "number in my_W_Q has changed. Instead of the ... write a line that changes my_W_Q, not "
            "W_Q, with = (== only compares). Run that cell, then this one."
        )
        return say("not attempted", None, NAME, "nothing changed yet", line)
    if mine.shape == (4, 6):
        return looks_like(NAME, "transposed")
    if mine.shape == (4,):
        return looks_like(NAME, "row-alone")
    if mine.shape != (6, 4):
        return looks_like(NAME, "wrong-shape", [f"Expected shape (6, 4), got {mine.shape}."])
    if not (np.isfinite(mine).all() and (mine == np.round(mine)).all()):
        return looks_like(NAME, "not-whole")
    return by_what_they_find(mine.astype(float))


def is_same(mine, matrix):
    return mine is not None and np.array_equal(mine, matrix)


def by_what_they_find(mine):
    """Judge whole numbers of the right shape: first the words that must not change, then *is*."""
    before = weights_of(EXAMPLE.W_Q)
    after = weights_of(mine)
    changed = np.flatnonzero(~np.isclose(before, after, rtol=0, atol=1e-9).all(axis=1)).tolist()
    others = [i for i in changed if i != IS]
    best = [token for token, top in zip(TOKENS, np.isclose(after[IS], after[IS].max())) if top]
    if others:
        return others_changed(mine, after, others, best if IS in changed else [])
    shown = tables_of([IS], after)
    if best == ["The"]:
        line = (
            f"“is” now finds “The” ({after[IS, THE]:.3f}), and the three others find what they found before."
        )
        return say("passed", None, NAME, "passed", line, tables=shown)
    if not changed:
        return looks_like(NAME, "no-effect", tables=shown)
    if "The" in best:
        return looks_like(NAME, "tie", tables=shown, words=quoted(best))
    if best == ["is"]:
        return looks_like(NAME, "finds-itself", tables=shown)
    return looks_like(NAME, "finds-another", tables=shown, words=quoted(best))


def others_changed(mine, after, others, is_too):
    """Feedback where the weights of other words changed; `is_too`: what *is* finds if it changed."""
    changed = mine != EXAMPLE.W_Q
    rows = np.flatnonzero(changed.any(axis=1))
    shown = tables_of(others, after)
    words = quoted([TOKENS[i] for i in others])
    if others == [THE] and not is_too and after[THE].argmax() == IS:
        return looks_like(NAME, "looks-the-wrong-way", tables=shown)
    if len(rows) > 1 and np.count_nonzero(changed.any(axis=0)) == 1:
        return looks_like(NAME, "changed-a-column", tables=shown, words=words)
    about = {
        "rows": ", ".join(f"{row} ({ROWS[row]})" for row in rows),
        "words": f"{words} {'has' if len(others) == 1 else 'have'}",
        "found": quoted(is_too),
    }
    return looks_like(
        NAME,
        "other-words-changed" if is_too else "wrong-row",
        tables=shown,
        **about,
    )


def weights_of(W_Q):
    """The attention weights of the example under this projection for the queries."""
    return softmax(EXAMPLE.X @ W_Q @ (EXAMPLE.X @ EXAMPLE.W_K).T / 2)


def tables_of(words, after):
    """Tables with the attention weights of some words."""
    return [
        (
            f"weights of “{TOKENS[i]}”",
            [
                TOKENS,
                [f"{weight:.3f}" for weight in after[i]],
            ],
        )
        for i in words
    ]


def quoted(words):
    return " and ".join(f"“{word}”" for word in words)
