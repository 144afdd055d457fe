"""Lesson 10: what a head answers when one word is blocked, for each word in turn; made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, same, with_each
from attn_parts import mathematics as maths


def blocked(scores):
    """A row of scores for each word, with that word blocked."""
    return np.where(np.eye(len(scores), dtype=bool), -np.inf, scores)


def each_row(change):
    """A row for each word, made from the scores and the word's number."""
    return lambda scores: np.array([change(scores.copy(), j) for j in range(len(scores))])


def set_to(value):
    def change(scores, j):
        scores[j] = value(scores[j])
        return scores

    return each_row(change)


def never_reset(scores, j):
    scores[: j + 1] = -np.inf
    return scores


def weights_of_all(rows):
    """Each row's weights with every word open; the score that a row has blocked is found in the others."""
    return maths.softmax(np.where(np.isinf(rows), rows.max(axis=0), rows))


def weight_removed(rows):
    return np.where(np.isinf(rows), 0, weights_of_all(rows))


def by_root_of(size):
    return lambda scores, K, V: scores / np.sqrt(size(K, V))


# scores: (L,), rows: (L, L), a row for each blocked word
SCALE = {
    "not-scaled": lambda scores, *_: scores,
    "divided-by-d-k": lambda scores, K, V: scores / K.shape[-1],
    "divided-by-root-of-length": [
        by_root_of(lambda K, V: len(K)),
        by_root_of(lambda K, V: V.shape[-1]),
    ],
}
BLOCK = {
    "score-of-zero": [
        set_to(lambda score: 0.0),
        set_to(lambda score: -1.0),
        set_to(lambda score: -50.0),
    ],
    "another-word-blocked": [
        lambda scores: np.roll(blocked(scores), 1, axis=0),
        lambda scores: np.roll(blocked(scores), -1, axis=0),
    ],
    "nothing-blocked": each_row(lambda scores, j: scores),
    "all-others-blocked": lambda scores: np.where(np.eye(len(scores), dtype=bool), scores, -np.inf),
    "blocks-pile-up": [
        each_row(never_reset),
        lambda scores: np.where(np.tri(len(scores), k=-1, dtype=bool), -np.inf, scores),
    ],
    "causal-unasked": lambda scores: np.where(np.tri(len(scores), dtype=bool), scores, -np.inf),
}
WEIGHTS = {
    "weight-removed": weight_removed,
    "wrong-axis": lambda rows: maths.softmax(rows, axis=0),
    "no-softmax": lambda rows: np.where(np.isinf(rows), 0, rows),
}
ANSWERS = {
    "logits-returned": [
        lambda logits: logits,
        lambda logits: np.log(maths.softmax(logits)),
    ],
    "answers-over-words": lambda logits: maths.softmax(logits, axis=0),
    "one-row": with_each(
        (-1, 0, slice(1), slice(-1, None)),
        lambda logits, row: maths.softmax(logits)[row],
    ),
    "turned": lambda logits: maths.softmax(logits).T,
}
STEPS = Steps(
    "q K V W_O",
    {
        "scores": Step("q K", "scores", (), lambda q, K: K @ q),
        "scale": Step("scores K V", "scaled", SCALE, by_root_of(lambda K, V: K.shape[-1])),
        "block": Step("scaled", "rows", BLOCK, blocked),
        "softmax": Step("rows", "weights", WEIGHTS, maths.softmax),
        "logits": Step(
            "weights V W_O",
            "logits",
            {"no-output-matrix": lambda weights, V, W_O: weights @ V},
            lambda weights, V, W_O: weights @ V @ W_O,
        ),
        "answers": Step("logits", "result", ANSWERS, maths.softmax),
    },
)
without = STEPS.whole({})


def where_it_parts(ask, given, wanted, got):
    """Say which row follows a word and shouldn't, or doesn't and should; else whether two words are right."""
    q, K, V, W_O = given[0] / 10, *given[1:]  # a tenth, so that no weight is almost 0

    before = ask(q, K, V, W_O)
    for k in range(len(V)):
        changed = V.copy()
        changed[k] += 3 * np.sin(1 + np.arange(V.shape[-1]))
        after = ask(q, K, changed, W_O)
        if not before or not after or before[0].shape != after[0].shape or np.isnan(before[0]).any():
            return ""
        for row, is_still in enumerate(np.isclose(before[0], after[0], rtol=0, atol=1e-8).all(axis=-1)):
            if is_still != (row == k):
                told = (
                    "should change as well, but it doesn't"
                    if is_still
                    else "changes as well, but it shouldn't"
                )
                return (
                    f"When row {k} of V changes, row {row} of your result {told}: word {row} alone is "
                    "blocked there."
                )
    two = q, K[:2], V[:2], W_O
    if not same(ask(*two), (without(*two),)):
        return (
            "Your result is wrong even for two words, where each row has one open word. Its weight should be "
            "1, so row 0 should be the softmax of V[1] @ W_O."
        )
    return (
        "Your result is right for two words, where each row has one open word. So look at the scores, and at "
        "how the values of several words come together."
    )


def head_of(L, d_k, d_v, answers):
    return lambda draw: (
        draw(d_k),
        draw(L, d_k) / 2,
        draw(L, d_v) / 2,
        draw(d_v, answers) / 2,
    )


@exercise(
    own=where_it_parts,
    result="probabilities",
    steps=STEPS,
    inputs={
        "three words": (
            np.array([1.0, 0]),
            np.array([[2.0, 0], [0, 1], [1, 1]]),
            np.array([[1.0, 0], [0, 2], [1, 1]]),
            np.eye(2),
        ),
        "all sizes differ": head_of(5, 3, 4, 2),
        "square": head_of(3, 3, 3, 3),
        "more answers than words": head_of(2, 4, 3, 5),
        "scores around −300": (
            np.array([-300.0, 0]),
            np.array([[np.sqrt(2), 0], [1.418, 1], [1.411, 2]]),
            np.array([[1.0, 0], [0, 2], [1, 1]]),
            np.eye(2),
        ),
    },
)
def answers_without(q, K, V, W_O):
    """Check `f(q, K, V, W_O)` → next-word probabilities (L, answers), row j with word j blocked.

    Returns Feedback.
    """
    return without(q, K, V, W_O)
