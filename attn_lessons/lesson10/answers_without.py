"""Lesson 10: what a head answers when one word is blocked, for each word in turn; made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, same
from attn_parts import mathematics as maths

BLOCK = "l10-seeds"


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


# fmt: off
STEPS = Steps("q K V W_O", {
    "scores": Step("q K", "scores", (), lambda q, K: K @ q),
    "scale": Step("scores K V", "scaled", [
        Mistake("not-scaled", "the division by √d_k is missing",
            say="You don't divide by √d_k. The head was trained with scaled scores.",
            ways=[lambda scores, *_: scores]),
        Mistake("divided-by-d-k", "divided by d_k, not by √d_k",
            say="You divide by d_k, or twice by its root. Divide once by √d_k.",
            ways=[lambda scores, K, V: scores / K.shape[-1]]),
        Mistake("divided-by-root-of-length", "divided by the root of another size",
            say="You divide by the root of another size, such as the number of words. d_k is the width of a key.",
            ways=[lambda scores, K, V: scores / np.sqrt(len(K)), lambda scores, K, V: scores / np.sqrt(V.shape[-1]),
                lambda scores, K, V: scores / np.sqrt(len(K) - 1)])], lambda scores, K, V: scores / np.sqrt(K.shape[-1])),
    "block": Step("scaled", "rows", [
        Mistake("score-of-zero", "the blocked score is not −∞",
            say="In row j, word j still gets some weight, because the exponential of its score isn't 0: for example, e⁰ is 1. Give it a score whose exponential is 0.",
            ways=[set_to(lambda score: 0.0), set_to(lambda score: score - 1), set_to(lambda score: -1.0), set_to(lambda score: -score), set_to(lambda score: -50.0)]),
        Mistake("another-word-blocked", "the word next to j is blocked",
            say="In row j you block the word before or after word j. Block word j itself.",
            ways=[lambda scores: np.roll(blocked(scores), 1, axis=0), lambda scores: np.roll(blocked(scores), -1, axis=0)]),
        Mistake("nothing-blocked", "no word is blocked",
            say="You block no word in any row. In row j, block word j.",
            ways=[each_row(lambda scores, j: scores)]),
        Mistake("all-others-blocked", "only word j is open",
            say="In row j you block every word *except* word j. It's the other way round: only word j is blocked.",
            ways=[lambda scores: np.where(np.eye(len(scores), dtype=bool), scores, -np.inf)]),
        Mistake("blocks-pile-up", "words before word j are blocked",
            say="In row j you block words before word j, with it or in its place. Block word j alone, and start each row from the scores with no word blocked.",
            ways=[each_row(never_reset), lambda scores: np.where(np.tri(len(scores), k=-1, dtype=bool), -np.inf, scores)]),
        Mistake("causal-unasked", "a causal mask",
            say="You use a causal mask, which hides all words after j and leaves j open. In row j, block word j alone.",
            ways=[lambda scores: np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)])], blocked),
    "softmax": Step("rows", "weights", [
        Mistake("weight-removed", "the other weights don't sum to 1",
            say="In your row j, word j adds nothing, but the weights of the others don't sum to 1. Did you set its weight to 0 after softmax, or its value? Block its score first, or divide by what is left.",
            ways=[weight_removed]),
        Mistake("wrong-axis", "softmax over the wrong axis",
            say="Your softmax runs down the columns. Each row has its own blocked word, and its weights sum to 1.",
            ways=[lambda rows: maths.softmax(rows, axis=0)]),
        Mistake("no-softmax", "no softmax over the scores",
            say="You use scores as weights. They need a softmax first.",
            ways=[lambda rows: np.where(np.isinf(rows), 0, rows)])], maths.softmax),
    "logits": Step("weights V W_O", "logits", [
        Mistake("no-output-matrix", "W_O is missing",
            say="You don't use W_O. It turns each output into one logit per answer, before the last softmax.",
            ways=[lambda weights, V, W_O: weights @ V])], lambda weights, V, W_O: weights @ V @ W_O),
    "answers": Step("logits", "result", [
        Mistake("logits-returned", "logits, not probabilities",
            say="You return logits, or logarithms of probabilities. One more softmax makes them probabilities.",
            ways=[lambda logits: logits, lambda logits: np.log(maths.softmax(logits))]),
        Mistake("answers-over-words", "the last softmax runs down the columns",
            say="Your columns sum to 1. The probabilities in each row must sum to 1, so softmax runs along the last axis.",
            ways=[lambda logits: maths.softmax(logits, axis=0)]),
        Mistake("one-row", "only one row",
            say="You return a single row. There is one for each word that can be blocked.",
            ways=[lambda logits, row=row: maths.softmax(logits)[row] for row in (-1, 0, slice(1), slice(-1, None))]),
        Mistake("turned", "rows and columns are exchanged",
            say="Your rows are answers and your columns words. Return a row for each blocked word.",
            ways=[lambda logits: maths.softmax(logits).T])], maths.softmax),
})
without = STEPS.whole({})


def where_it_parts(ask, given, wanted, got):
    """Say which row follows a word and shouldn't, or the other way round; else whether two words are right. Scores are a tenth, so no weight is almost 0."""
    q, K, V, W_O = given[0] / 10, *given[1:]

    before = ask(q, K, V, W_O)
    for k in range(len(V)):
        changed = V.copy()
        changed[k] += 3 * np.sin(1 + np.arange(V.shape[-1]))
        after = ask(q, K, changed, W_O)
        if not before or not after or before[0].shape != after[0].shape or np.isnan(before[0]).any():
            return ""
        for row, is_still in enumerate(np.isclose(before[0], after[0], rtol=0, atol=1e-8).all(axis=-1)):
            if is_still != (row == k):
                told = "should change as well, but it doesn't" if is_still else "changes as well, but it shouldn't"
                return f"When row {k} of V changes, row {row} of your result {told}: word {row} alone is blocked there."
    two = q, K[:2], V[:2], W_O
    if not same(ask(*two), (without(*two),)):
        return "Your result is wrong even for two words, where each row has one open word. Its weight should be 1, so row 0 should be the softmax of V[1] @ W_O."
    return "Your result is right for two words, where each row has one open word. So look at the scores, and at how the values of several words come together."


def head_of(L, d_k, d_v, answers):
    return lambda draw: (draw(d_k), draw(L, d_k) / 2, draw(L, d_v) / 2, draw(d_v, answers) / 2)


@exercise(own=where_it_parts, result="probabilities", see=BLOCK, steps=STEPS, inputs={
    "three words": (np.array([1.0, 0]), np.array([[2.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0], [0, 2], [1, 1]]), np.eye(2)),
    "all sizes differ": head_of(5, 3, 4, 2),
    "square": head_of(3, 3, 3, 3),
    "more answers than words": head_of(2, 4, 3, 5),
    "scores around −300": (np.array([-300.0, 0]), np.array([[np.sqrt(2), 0], [1.418, 1], [1.411, 2]]), np.array([[1.0, 0], [0, 2], [1, 1]]), np.eye(2)),
})
def answers_without(q, K, V, W_O):
    """Check `f(q, K, V, W_O)` → next-word probabilities (L, answers), row j with word j blocked. Returns Feedback."""
    return without(q, K, V, W_O)
