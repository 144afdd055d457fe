"""Lesson 01, transfer: a projection under which “is” finds “The”, checked by what the four words then find."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, look_again, no_array, not_attempted, record, say, task
from attn_parts.example import KINDS, MEANINGS, load_example
from attn_parts.mathematics import softmax

NAME, SEE = "query_projection", "l01-origin"
ROWS = (*KINDS, *MEANINGS)
EXAMPLE = load_example()
TOKENS = EXAMPLE.tokens
THE, IS = TOKENS.index("The"), TOKENS.index("is")


def query_projection(W_Q, W_K) -> Feedback:
    """Check a projection W_Q (6, 4) under which *is* finds *The*, and all others find what they found.

    W_K is passed along to see that the keys have stayed as they were. Returns Feedback.
    """
    return record(NAME, judged(W_Q, W_K), task("a matrix for", NAME, query_projection))


def not_yet(exercise, see, rows, tables=()):
    """Feedback on the first row (whether it holds, mistake, name, advice) that holds; None where none does."""
    for holds, mistake, name, advice in rows:
        if holds:
            title = f"{exercise}: not yet." + (f" Looks like: {name}." if name else "")
            return say("incorrect", mistake, title, [advice, look_again(see)], tables)
    return None


# fmt: off
def judged(W_Q, W_K):
    """First whether these are matrices to work with, then what the words find with them."""
    if W_K is not None and W_K is not ... and not is_same(array_of(W_K), EXAMPLE.W_K):
        return not_yet(NAME, SEE, [(True, "keys-changed", "W_K was changed",
            "W_K makes the keys, which say what each word is. Change only what “is” looks for. Run the cell above again: it loads the right W_K.")])
    if W_Q is None:
        line = "Your matrix is None. Did you store the matrix under another name?"
        return say("not attempted", None, f"{NAME}: not attempted yet.", [line])
    if W_Q is ...:
        return not_attempted(NAME)
    mine = array_of(W_Q)
    if is_same(mine, EXAMPLE.W_Q):
        line = "Your matrix still equals the lesson's W_Q, so “is” still finds “chai” and “hot”: no number in my_W_Q has changed. Instead of the ... write a line that changes my_W_Q, not W_Q, with = (== only compares). Run that cell, then this one."
        return say("not attempted", None, f"{NAME}: nothing changed yet.", [line])
    shape, is_whole = np.shape(mine), mine is not None and np.isfinite(mine).all() and (mine == np.round(mine)).all()
    return not_yet(NAME, SEE, [
        (mine is None, "not-numbers", "", no_array(W_Q, (6, 4))),
        (shape == (4, 6), "transposed", "rows and columns are exchanged",
            "W_Q has six rows, one per number of an embedding, and four columns, one per kind of word to look for."),
        (shape == (4,), "row-alone", "a single row", "Your matrix is now a single row. Assign to one row of my_W_Q instead."),
        (shape != (6, 4), "wrong-shape", "", f"Expected shape (6, 4), got {shape}. Change numbers in W_Q.copy()."),
        (not is_whole, "not-whole", "not all whole numbers", "The exercise asks for whole numbers only."),
    ]) or by_what_they_find(mine.astype(float))


def is_same(mine, matrix):
    return mine is not None and np.array_equal(mine, matrix)


def by_what_they_find(mine):
    """Judge whole numbers of the right shape: first the words that must not change, then *is*."""
    before, after = weights_of(EXAMPLE.W_Q), weights_of(mine)
    changed = np.flatnonzero(~np.isclose(before, after, rtol=0, atol=1e-9).all(axis=1)).tolist()
    others = [i for i in changed if i != IS]
    best = [token for token, top in zip(TOKENS, np.isclose(after[IS], after[IS].max()), strict=True) if top]
    if others:
        return others_changed(mine, after, others, best if IS in changed else [])
    if best == ["The"]:
        line = f"“is” now finds “The” ({after[IS, THE]:.3f}), and the three others find what they found before."
        return say("passed", None, f"{NAME}: passed.", [line], tables_of([IS], after))
    return not_yet(NAME, SEE, [
        (not changed, "no-effect", "a change without effect",
            "Your W_Q differs from the old one, but every word finds what it found before."),
        ("The" in best, "tie", "a tie", f"“is” looks at {quoted(best)} with equal weights. “The” alone should get the largest weight."),
        (best == ["is"], "finds-itself", "“is” finds itself",
            "“is” now matches its own key best. Which number of the key of “The” is not 0?"),
        (True, "finds-another", f"“is” finds {quoted(best)}",
            "Work out the dot product of your query of “is” with each key. Which one is the largest?"),
    ], tables_of([IS], after))


def others_changed(mine, after, others, is_too):
    """Feedback where the weights of a word changed that should have stayed; `is_too` holds what *is* finds if it changed."""
    changed = mine != EXAMPLE.W_Q
    rows, words = np.flatnonzero(changed.any(axis=1)), quoted([TOKENS[i] for i in others])
    listed = ", ".join(f"{row} ({ROWS[row]})" for row in rows)
    line = (
        f"You changed row {listed}, and now {words} {'has' if len(others) == 1 else 'have'} other weights than before"
        f"{f', as has “is”, which finds {quoted(is_too)}' if is_too else ', while “is” keeps its old ones'}. "
        "A word uses the rows where its embedding is not 0. Which row does “is” use, and no other word?"
    )
    return not_yet(NAME, SEE, [
        (others == [THE] and not is_too and after[THE].argmax() == IS, "looks-the-wrong-way", "“The” finds “is”",
            "“is” should look, and “The” should be found. In your matrix “The” looks for a verb."),
        (len(rows) > 1 and np.count_nonzero(changed.any(axis=0)) == 1, "changed-a-column", "changes down a column",
            f"A column belongs to all words, and so {words} changed as well. A row belongs to the words whose embedding isn't 0 there."),
        (is_too, "other-words-changed", "more rows than needed", line),
        (True, "wrong-row", "the row of another word", line),
    ], tables_of(others, after))


def weights_of(W_Q):
    """The attention weights of the example under this projection for the queries."""
    return softmax(EXAMPLE.X @ W_Q @ (EXAMPLE.X @ EXAMPLE.W_K).T / 2)


def tables_of(words, after):
    """Tables with the attention weights of some words."""
    return [(f"weights of “{TOKENS[i]}”", [TOKENS, [f"{weight:.3f}" for weight in after[i]]]) for i in words]


def quoted(words):
    return " and ".join(f"“{word}”" for word in words)
