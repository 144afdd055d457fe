"""Lesson 01: the scores QKᵀ, from queries and keys."""

import numpy as np

from attn_checks.exercise import SMALLEST, Mistake, Step, Steps, again, close, exercise, table, with_zeros
from attn_parts.mathematics import softmax

ALL_AT_ONCE = "l01-qkt"
BATCHES = "l01-batch-md"
BY_HAND = "l01-who"
PROJECTIONS = "l01-why-two"

INPUTS = {
    "smallest": (np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[3.0, 1.0], [0.0, 2.0]])),
    "more tokens than features": lambda draw: (draw(3, 2), draw(3, 2)),
    "decimals": lambda draw: (0.1234567 * draw(2, 5), draw(4, 5)),
    "a single key": lambda draw: (draw(3, 4), draw(1, 4)),
    "batch": lambda draw: (draw(2, 3, 5), draw(2, 4, 5)),
    "batch, all sizes alike": lambda draw: (draw(3, 3, 3), draw(3, 3, 3)),
    "heads": lambda draw: (draw(2, 3, 4, 5), draw(2, 3, 2, 5)),
    "five axes": lambda draw: (draw(2, 1, 2, 3, 2), draw(2, 1, 2, 4, 2)),
    "large": lambda draw: (1e4 * draw(2, 4), 1e4 * draw(3, 4)),
    "a single feature": lambda draw: (draw(3, 1), draw(2, 1)),
}


def products(Q, K):
    return Q @ K.swapaxes(-1, -2)


def unit(rows):
    """Rows of length 1."""
    return rows / np.sqrt((rows**2).sum(axis=-1, keepdims=True))


def apart(Q, K):
    """Squared distance of each query from each key."""
    return ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1)


def looped(Q, K, rows, columns, width):
    """Scores of one sentence by two loops, which fill some rows and columns of an array of some width; batches fail."""
    if Q.ndim > 2:
        raise ValueError("setting an array element with a sequence")
    scores = np.zeros((len(Q), width))
    for i in range(rows):
        for j in range(columns):
            scores[i, j] = Q[i] @ K[j]
    return scores


def result_is(condition, kinds="iuf"):
    """Whether a result of the right shape and kind meets a condition on mine and right numbers."""

    def shows(want, got):
        if [array.shape for array in got.values or ()] != [want.values[0].shape]:
            return False
        mine, right = got.values[0], want.values[0]
        return mine.dtype.kind in kinds and bool(condition(mine, right))

    return shows


def divided(mine, right):
    """Whether the scores are right up to one factor, and too small."""
    factor = np.linalg.norm(right) / max(np.linalg.norm(mine), SMALLEST)
    return factor > 1 and close(factor * mine, right).all()


def shared_out(mine, right):
    """Whether rows sum to 1, with the most for the highest score; or to NaN, where exponentials overflow."""
    totals, overflow = mine.sum(axis=-1), np.abs(right).max(axis=-1) > 700
    of_best = np.take_along_axis(right, mine.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    fine = close(totals, np.ones_like(totals)) & close(of_best, right.max(axis=-1))
    return not (mine < 0).any() and (fine | (np.isnan(totals) & overflow)).all()


def without_shift(scores, axis=-1):
    """Softmax as it is first written: exp overflows for large scores."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


# fmt: off
MISTAKES = table(
    ALL_AT_ONCE,
    Mistake("no-transpose", "K was not transposed, or transposed twice",
        say="Your product multiplies each query with the *columns* of K, and a column holds one number of every key. But a key is a row of K. (`K.swapaxes(…)` alone returns a new array and leaves K as it was.)",
        ways=[lambda Q, K: Q @ K, lambda Q, K: np.dot(Q, K), lambda Q, K: Q @ K.T.swapaxes(-1, -2)]),
    Mistake("queries-and-keys-swapped", "rows and columns are exchanged",
        say="Your rows belong to keys and your columns to queries. Each row should belong to one query, the word that looks.",
        ways=[lambda Q, K: K @ Q.swapaxes(-1, -2)]),
    Mistake("elementwise", "multiplied entry by entry",
        say="Like *, your product pairs only entries in the same place. Every query should meet every key, as in a matrix product with @.",
        ways=[lambda Q, K: Q * K, lambda Q, K: (Q * K).sum(axis=-1), lambda Q, K: Q * K.T]),
    Mistake("reversed-axes", "the batch axis moves as well", see=BATCHES,
        say="For one sentence .T is right. On a batch it (or exchanging the first axis with the last) also moves the batch axis to the end. Only the last two axes should change places.",
        ways=[lambda Q, K: Q @ K.T]),
    Mistake("transpose-keeps-order", "transpose moves nothing", see=BATCHES,
        say="NumPy's transpose takes the new order of *all* axes, and 0, 1 (or -2, -1) is the old order. To exchange just two axes, use swapaxes.",
        ways=[lambda Q, K: Q @ K.transpose(-2, -1)]),
    Mistake("counted-from-the-front", "not always the last two axes", see=BATCHES,
        say="Only one kind of batch has exactly the axes 0, 1 and 2. Counted from the end, the last two are -1 and -2 in any array.",
        ways=[lambda Q, K: Q @ K.swapaxes(1, 2), lambda Q, K: Q @ K.transpose(0, 2, 1), lambda Q, K: Q @ K.swapaxes(0, 2),
            lambda Q, K: Q @ K.swapaxes(2, 1)]),  # of a single sentence NumPy complains in other words
    Mistake("first-axes-swapped", "the first two axes are exchanged", see=BATCHES,
        say="For one sentence the first two axes are the last two. In a batch the first axis counts sentences: count from the end.",
        ways=[lambda Q, K: Q @ K.swapaxes(0, 1)]),
    Mistake("dot-on-batch", "sentences of a batch meet one another", see=BATCHES,
        say="On a batch, np.dot, np.inner and tensordot combine each sentence with every other one. @ works sentence by sentence.",
        ways=[lambda Q, K: np.inner(Q, K), lambda Q, K: np.dot(Q, K.T)]),
    Mistake("keys-ignored", "one input meets itself", see=PROJECTIONS,
        say="You use one input twice and the other not at all. Each query has to meet each key.",
        ways=[lambda Q, K: products(Q, Q), lambda Q, K: products(K, K)]),
    Mistake("cosine", "divided by the length of the query or the key", see="l01-dot",
        say="You divide by the length of the query, of the key, or of both. A score is the plain dot product, so the lengths count: a longer key gets larger scores.",
        ways=[lambda Q, K: products(unit(Q), unit(K)), lambda Q, K: products(unit(Q), K),
            lambda Q, K: products(Q, unit(K))]),
    Mistake("distances", "distances instead of dot products", see="l01-dot",
        say="Your numbers measure how far apart query and key are. For a score, multiply entry by entry and add up.",
        ways=[apart, lambda Q, K: -apart(Q, K), lambda Q, K: np.sqrt(apart(Q, K))]),
    Mistake("features-by-features", "columns meet, not rows",
        say="Your result has one row per column of Q, or of K. It should have one row per query and one column per key.",
        ways=[lambda Q, K: Q.swapaxes(-1, -2) @ K, lambda Q, K: Q.T @ K, lambda Q, K: K.T @ Q]),
    Mistake("both-transposed", "columns of Q meet rows of K",
        say="Queries and keys are both rows. Put Q on the left of @ as it is, and transpose only K.",
        ways=[lambda Q, K: Q.T @ K.T, lambda Q, K: Q.swapaxes(-1, -2) @ K.swapaxes(-1, -2)]),
    Mistake("reshaped", "K was reshaped, not transposed",
        say="reshape keeps the order of the numbers and only breaks the rows at other points, so no column is a key. Transposing exchanges the axes.",
        ways=[lambda Q, K: Q @ K.reshape(K.shape[::-1]),
            lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]),
            lambda Q, K: Q @ K.reshape(K.shape[1], K.shape[0]), lambda Q, K: Q @ K.reshape(K.shape[-1], -1)]),
    Mistake("first-row-only", "only the first row is worked out", see=BY_HAND,
        say="All other rows of your scores are 0. In a loop, is return indented too far?",
        ways=[lambda Q, K: looped(Q, K, 1, len(K), len(K))]),
    Mistake("rounded-to-whole", "something is rounded to a whole number", see=BY_HAND,
        say="An array with dtype=int, //, int() or a rounding cuts the decimals off. Scores can be any numbers.",
        ways=[lambda Q, K: np.trunc(products(Q, K)), lambda Q, K: np.round(products(Q, K))]),
    Mistake("rounded", "the scores are rounded", see=BY_HAND,
        say="Return the numbers as they are, in the dtype that they have. Round only when you print.",
        ways=[*[lambda Q, K, digits=digits: products(Q, K).round(digits) for digits in (1, 2, 3, 4)],
            lambda Q, K: products(Q, K).astype(np.float16),
            lambda Q, K: products(Q.astype(np.float16), K.astype(np.float16))]),
)

# Mistakes of a function that should return only scores: in them, and of what must come later.
LEFT_OUT = Mistake("left-out", "a query or a key is left out", see=BY_HAND,
    say="A row or a column of your scores is missing or stays 0. range(n) already runs from 0 to n − 1, so it needs no n − 1 and no start at 1.",
    ways=[lambda Q, K, row=row, turn=turn: turn(with_zeros(row)(turn(products(Q, K))))
        for row in (-1, 0) for turn in (np.asarray, lambda scores: scores.swapaxes(-1, -2))])
ALONE = [
    LEFT_OUT,
    Mistake("square-table", "as many columns as rows", see=BY_HAND,
        say="Your result has as many columns as rows, but there may be more keys than queries, or fewer. You need len(Q) rows and len(K) columns.",
        ways=[lambda Q, K: looped(Q, K, len(Q), len(Q), len(Q)), lambda Q, K: looped(Q, K, len(Q), len(K), len(Q))]),
    Mistake("feature-left-out", "not all entries are in it", see="l01-dot",
        say="A score adds up one product per entry of the query, from the first to the last. Does a loop or a slice leave some out, or does each round overwrite the sum?",
        ways=[lambda Q, K, part=part: products(Q[..., part], K[..., part])
            for part in (slice(1, None), slice(None, -1), slice(-1, None), slice(1))]),
]
TOO_EARLY = [
    Mistake("masked-too-early", "pairs are left out or masked", see=ALL_AT_ONCE,
        say="Some of your scores are 0 or −∞, as if a mask hid the key. Here every query meets every key, and masks follow in lesson 03.",
        ways=[lambda scores, Q: np.tril(scores), lambda scores, Q: np.triu(scores),
            lambda scores, Q: np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf),
            lambda scores, Q: scores * (1 - np.eye(*scores.shape[-2:]))]),
    Mistake("scaled-too-early", "the scores are divided already", see=ALL_AT_ONCE,
        say="Your scores are already divided by something. This function stops at QKᵀ, and the division follows in lesson 02.",
        ways=[lambda scores, Q: scores / np.sqrt(Q.shape[-1]), lambda scores, Q: scores / 2, lambda scores, Q: scores / Q.shape[-1]],
        shows=result_is(divided)),
    Mistake("largest-subtracted", "the largest score is subtracted", see=ALL_AT_ONCE,
        say="You subtract the largest score of all or of each row, a step that belongs to softmax. This function stops before softmax, at the scores QKᵀ.",
        ways=[lambda scores, Q: scores - scores.max(), lambda scores, Q: scores - scores.max(axis=-1, keepdims=True)]),
    Mistake("softmax-too-early", "softmax is in it already", see=ALL_AT_ONCE,
        say="Your numbers are normalised, as attention weights are. This function stops before softmax, at the scores QKᵀ.",
        ways=[lambda scores, Q: softmax(scores), lambda scores, Q: without_shift(scores),
            lambda scores, Q: without_shift(scores, axis=1)],
        shows=result_is(shared_out)),
]
BEFORE = [
    *again(MISTAKES, {"queries-and-keys-swapped": [lambda Q, K: (K, Q)],
        "cosine": [lambda Q, K: (unit(Q), K), lambda Q, K: (Q, unit(K)), lambda Q, K: (unit(Q), unit(K))]}),
    LEFT_OUT._replace(ways=[lambda Q, K: (Q, K[..., :-1, :]), lambda Q, K: (Q[..., :-1, :], K),
        lambda Q, K: (Q, K[..., 1:, :]), lambda Q, K: (Q[..., 1:, :], K)]),
]
AFTER = [*TOO_EARLY, *again(MISTAKES, {"rounded-to-whole": [lambda scores, Q: np.trunc(scores), lambda scores, Q: np.round(scores)]})]
ELSEWHERE = "queries-and-keys-swapped", "cosine", "rounded-to-whole"  # in another step
STEPS = Steps("Q K", {
    "before": Step("Q K", "left right", BEFORE, lambda Q, K: (Q, K)),
    "scores": Step("left right", "result", [m for m in [*MISTAKES, *ALONE] if m.short not in ELSEWHERE], products),
    "after": Step("result Q", "result", AFTER),
})


@exercise(inputs=INPUTS, steps=STEPS, result="scores", see=ALL_AT_ONCE)
def scores(Q, K):
    """Check `f(Q, K)` → QKᵀ, any leading axes. Returns Feedback."""
    return products(Q, K)
