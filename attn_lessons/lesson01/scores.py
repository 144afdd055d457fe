"""Lesson 01: the scores QKᵀ, from queries and keys."""

import numpy as np

from attn_checks.exercise import (
    SMALLEST,
    Shown,
    Step,
    Steps,
    close,
    exercise,
    result_is,
    with_each,
    with_zeros,
    without,
)
from attn_parts.mathematics import softmax

INPUTS = {
    "smallest": (
        np.array([[1.0, 2.0], [0.0, 1.0]]),
        np.array([[3.0, 1.0], [0.0, 2.0]]),
    ),
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
    """Scores of one sentence by two loops, which fill some rows and columns of an array; batches fail."""
    if Q.ndim > 2:
        raise ValueError("setting an array element with a sequence")
    scores = np.zeros((len(Q), width))
    for i in range(rows):
        for j in range(columns):
            scores[i, j] = Q[i] @ K[j]
    return scores


def divided(mine, right):
    """Whether the scores are right up to one factor, and too small."""
    factor = np.linalg.norm(right) / max(np.linalg.norm(mine), SMALLEST)
    return factor > 1 and close(factor * mine, right).all()


def shared_out(mine, right):
    """Whether rows sum to 1, with the most for the highest score; or to NaN, where exponentials overflow."""
    totals = mine.sum(axis=-1)
    overflow = np.abs(right).max(axis=-1) > 700
    of_best = np.take_along_axis(right, mine.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    fine = close(totals, np.ones_like(totals)) & close(of_best, right.max(axis=-1))
    return not (mine < 0).any() and (fine | (np.isnan(totals) & overflow)).all()


def without_shift(scores):
    """Softmax as it is first written: exp overflows for large scores."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


# Q: (..., L_q, d_k), K: (..., L_k, d_k)
MISTAKES = {
    "no-transpose": [np.matmul, np.dot, lambda Q, K: Q @ K.T.swapaxes(-1, -2)],
    "queries-and-keys-swapped": lambda Q, K: K @ Q.swapaxes(-1, -2),
    "elementwise": [
        lambda Q, K: Q * K,
        lambda Q, K: (Q * K).sum(axis=-1),
        lambda Q, K: Q * K.T,
    ],
    "reversed-axes": lambda Q, K: Q @ K.T,
    "transpose-keeps-order": lambda Q, K: Q @ K.transpose(-2, -1),
    "counted-from-the-front": [
        lambda Q, K: Q @ K.swapaxes(1, 2),
        lambda Q, K: Q @ K.transpose(0, 2, 1),
        lambda Q, K: Q @ K.swapaxes(0, 2),
    ],
    "first-axes-swapped": lambda Q, K: Q @ K.swapaxes(0, 1),
    "dot-on-batch": [np.inner, lambda Q, K: np.dot(Q, K.T)],
    "keys-ignored": [
        lambda Q, K: products(Q, Q),
        lambda Q, K: products(K, K),
    ],
    "cosine": [
        lambda Q, K: products(unit(Q), unit(K)),
        lambda Q, K: products(unit(Q), K),
        lambda Q, K: products(Q, unit(K)),
    ],
    "distances": [
        apart,
        lambda Q, K: -apart(Q, K),
        lambda Q, K: np.sqrt(apart(Q, K)),
    ],
    "features-by-features": [
        lambda Q, K: Q.swapaxes(-1, -2) @ K,
        lambda Q, K: Q.T @ K,
        lambda Q, K: K.T @ Q,
    ],
    "both-transposed": [
        lambda Q, K: Q.T @ K.T,
        lambda Q, K: Q.swapaxes(-1, -2) @ K.swapaxes(-1, -2),
    ],
    "reshaped": [
        lambda Q, K: Q @ K.reshape(K.shape[::-1]),
        lambda Q, K: Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]),
        lambda Q, K: Q @ K.reshape(K.shape[1], K.shape[0]),
        lambda Q, K: Q @ K.reshape(K.shape[-1], -1),
    ],
    "first-row-only": lambda Q, K: looped(Q, K, 1, len(K), len(K)),
    "rounded-to-whole": [
        lambda Q, K: np.trunc(products(Q, K)),
        lambda Q, K: np.round(products(Q, K)),
    ],
    "rounded": [
        *with_each((1, 2, 3, 4), lambda Q, K, digits: products(Q, K).round(digits)),
        lambda Q, K: products(Q, K).astype(np.float16),
    ],
}

# Mistakes of a function that should return only scores: in them, and of what must come later.
ALONE = {
    "left-out": [
        *with_each((-1, 0), lambda Q, K, row: with_zeros(row)(products(Q, K))),
        *with_each(
            (-1, 0),
            lambda Q, K, row: with_zeros(row)(products(K, Q)).swapaxes(-1, -2),
        ),
    ],
    "square-table": [
        lambda Q, K: looped(Q, K, len(Q), len(Q), len(Q)),
        lambda Q, K: looped(Q, K, len(Q), len(K), len(Q)),
    ],
    "feature-left-out": with_each(
        (
            slice(1, None),
            slice(None, -1),
            slice(-1, None),
            slice(1),
        ),
        lambda Q, K, part: products(Q[..., part], K[..., part]),
    ),
}
# scores: (..., L_q, L_k)
AFTER = {
    "masked-too-early": [
        lambda scores, Q: np.tril(scores),
        lambda scores, Q: np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf),
    ],
    "scaled-too-early": Shown(
        result_is(divided),
        [
            lambda scores, Q: scores / np.sqrt(Q.shape[-1]),
            lambda scores, Q: scores / 2,
            lambda scores, Q: scores / Q.shape[-1],
        ],
    ),
    "largest-subtracted": [
        lambda scores, Q: scores - scores.max(),
        lambda scores, Q: scores - scores.max(axis=-1, keepdims=True),
    ],
    "softmax-too-early": Shown(
        result_is(shared_out),
        [
            lambda scores, Q: softmax(scores),
            lambda scores, Q: without_shift(scores),
        ],
    ),
    "rounded-to-whole": with_each((np.trunc, np.round), lambda scores, Q, cut: cut(scores)),
}
BEFORE = {
    "queries-and-keys-swapped": lambda Q, K: (K, Q),
    "cosine": [
        lambda Q, K: (unit(Q), K),
        lambda Q, K: (Q, unit(K)),
        lambda Q, K: (unit(Q), unit(K)),
    ],
    "left-out": [
        lambda Q, K: (Q, K[..., :-1, :]),
        lambda Q, K: (Q[..., :-1, :], K),
        lambda Q, K: (Q, K[..., 1:, :]),
        lambda Q, K: (Q[..., 1:, :], K),
    ],
}
ELSEWHERE = (
    "queries-and-keys-swapped",
    "cosine",
    "rounded-to-whole",
)  # in another step
STEPS = Steps(
    "Q K",
    {
        "before": Step("Q K", "left right", BEFORE, lambda Q, K: (Q, K)),
        "scores": Step("left right", "result", without([MISTAKES, ALONE], *ELSEWHERE), products),
        "after": Step("result Q", "result", AFTER),
    },
)


@exercise(inputs=INPUTS, steps=STEPS, result="scores")
def scores(Q, K):
    """Check `f(Q, K)` → QKᵀ, any leading axes. Returns Feedback."""
    return products(Q, K)
