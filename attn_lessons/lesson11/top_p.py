"""Lesson 11: top-p sampling, made of steps: sort, keep, put at their places, normalise."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each
from attn_parts.mathematics import softmax


def fewest(probabilities, order, p, more=1):
    """The first words of this order that reach p together."""
    below = (np.cumsum(probabilities[order]) < p).sum()
    return order[: below + more]


def at_their_places(probabilities, keep):
    kept = np.zeros(len(probabilities))
    kept[keep] = probabilities[keep]
    return kept


# probabilities, kept: (n,), order: numbers of words, keep: the first of them
ORDER_MISTAKES = {
    "smallest-first": np.argsort,
    "not-sorted": lambda probabilities: np.arange(len(probabilities)),
}
KEEP_MISTAKES = {
    "stops-below-p": lambda probabilities, order, p: fewest(probabilities, order, p, more=0),
    "one-too-many": lambda probabilities, order, p: fewest(probabilities, order, p, more=2),
    "each-against-p": [
        lambda probabilities, order, p: order[probabilities[order] >= p],
        lambda probabilities, order, p: order[probabilities[order] >= 1 - p],
    ],
    "fraction-of-the-words": with_each(
        (int, np.ceil, np.rint),
        lambda probabilities, order, p, whole: order[: int(whole(p * len(order)))],
    ),
    "likeliest-only": lambda probabilities, order, p: order[:1],
    "nothing-cut": lambda probabilities, order, p: order,
}
PLACE_MISTAKES = {
    "sorted": lambda probabilities, keep: np.append(
        probabilities[keep], np.zeros(len(probabilities) - len(keep))
    ),
    "only-the-kept": lambda probabilities, keep: probabilities[keep],
}
SUM_MISTAKES = {
    "not-normalised": lambda kept, p: kept,
    "divided-by-p": lambda kept, p: kept / p,
    "softmax-again": [
        lambda kept, p: softmax(kept),
        lambda kept, p: softmax(np.where(kept > 0, kept, -np.inf)),
    ],
    "uniform": lambda kept, p: (kept > 0) / (kept > 0).sum(),
}
STEPS = Steps(
    "probabilities p",
    {
        "order": Step(
            "probabilities",
            "order",
            ORDER_MISTAKES,
            lambda probabilities: np.argsort(-probabilities),
        ),
        "keep": Step("probabilities order p", "keep", KEEP_MISTAKES, fewest),
        "places": Step("probabilities keep", "kept", PLACE_MISTAKES, at_their_places),
        "sum": Step("kept p", "result", SUM_MISTAKES, lambda kept, p: kept / kept.sum()),
    },
)
of_the_likeliest = STEPS.whole({})


@exercise(
    steps=STEPS,
    result="probabilities",
    inputs={  # no sum comes near p, where rounding would decide
        "two of four": (np.array([0.2, 0.5, 0.05, 0.25]), 0.7),
        "one of three": (np.array([0.125, 0.75, 0.125]), 0.5),
        "three of five": (np.array([0.0625, 0.25, 0.0625, 0.125, 0.5]), 0.8),
        "in order": (np.array([0.375, 0.3125, 0.1875, 0.125]), 0.6),
        "all of three": (np.array([0.1875, 0.3125, 0.5]), 0.95),
        "many": lambda draw: (softmax(draw(12) + np.arange(12) / 8), 0.9),
    },
)
def top_p(probabilities, p):
    """Check `f(probabilities, p)`, probabilities (n,) → 0 outside the fewest likeliest that reach p together,
    and the sum is 1.

    Returns Feedback.
    """
    return of_the_likeliest(probabilities, p)
