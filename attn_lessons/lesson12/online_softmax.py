"""Lesson 12: softmax of scores that come in chunks, made of steps."""

import numpy as np

from attn_checks.exercise import always, choices, exercise, inside, only
from attn_parts import mathematics as maths

LOWEST = np.finfo(float).min  # below every score, and LOWEST − LOWEST is 0 where −∞ − (−∞) is NaN
INF = np.inf


def in_chunks(*chunks):
    return ([np.array(chunk) for chunk in chunks],)


INPUTS = {
    "the maximum comes last": in_chunks([0.0, 1.0], [2.0]),
    "the maximum comes first": in_chunks([3.0], [1.0, 2.0], [0.0]),
    "large scores": in_chunks([1000.0, 999.0], [1001.0, -1000.0]),
    "the maximum in the middle": in_chunks([-1000.0], [0.0, 1000.0], [-1000.0]),
    "far apart": in_chunks([-1000.0], [1000.0, -1000.0]),
    "all far below": in_chunks([-800.0, -801.0], [-802.0]),
    "all below −1e9": in_chunks([-3e9, -3e9 - 1], [-3e9 - 2]),
    "one chunk": in_chunks([5.0]),
    "a blocked score": in_chunks([0.0, -INF], [1.0]),
    "a blocked chunk in the middle": in_chunks([1.0], [-INF, -INF], [2.0]),
    "the first chunk is blocked": in_chunks([-INF, -INF], [1.0, 2.0]),
    "everything is blocked": in_chunks([-INF], [-INF, -INF]),
}


# chunks: a list of arrays (n,), whose lengths may differ
def largest_of(chunks):
    return max(chunk.max() for chunk in chunks)


def first_largest(chunks):
    return chunks[0].max()


def shifted_by(pick):
    def online(chunks):
        exponentials = np.exp(np.concatenate(chunks) - pick(chunks))
        return exponentials / exponentials.sum()

    return online


def in_one_pass(chunks, factor, read, newest, kept, added, start, weights):
    """The pass over chunks, made of choices: what is read, the largest and the sum so far, the weights."""
    chunks = [factor * chunk for chunk in chunks]
    largest = start(chunks)
    total = 0.0
    seen = []
    for chunk in read(chunks):
        old, largest = largest, newest(largest, chunk)
        total = kept(total, old, largest) + added(chunk, old, largest)
        seen.append((largest, total))
    return weights(chunks, largest, total, seen)


def rescaled(total, old, new):
    return total * np.exp(old - new)


def shifted_sum(chunk, old, new):
    return np.exp(chunk - new).sum()


def divided(chunks, largest, total, seen):
    exponentials = np.exp(np.concatenate(chunks) - largest)
    return exponentials / total if total else np.zeros_like(exponentials)


def undivided_zero(chunks, largest, total, seen):
    return np.exp(np.concatenate(chunks) - largest) / total


def uniform(chunks):
    return np.full(sum(map(len, chunks)), 1 / sum(map(len, chunks)))


def as_they_come(weights):
    """Weights computed chunk by chunk, from the whole sum and from what is known at that chunk."""
    return lambda chunks, largest, total, seen: np.concatenate(
        [weights(chunk, total or 1, *known) for chunk, known in zip(chunks, seen)]
    )


STEPS = choices(
    "chunks",
    in_one_pass,
    factor=(
        1.0,
        {"powers-of-two": np.log(2)},
    ),
    read=(
        list,
        {
            "chunks-read": [
                lambda chunks: chunks[:-1],
                lambda chunks: chunks[:1],
                lambda chunks: [chunks[0], *chunks],
                lambda chunks: chunks[1:],
                lambda chunks: [chunk for chunk in chunks if np.isfinite(chunk).all()],
            ]
        },
    ),
    newest=(
        lambda largest, chunk: max(largest, chunk.max()),
        {
            "another-maximum": [
                lambda largest, chunk: chunk.max(),
                lambda largest, chunk: largest if chunk.max() == -INF else chunk.max(),
            ],
            "no-max-subtraction": lambda largest, chunk: 0.0,
        },
    ),
    kept=(
        rescaled,
        {
            "not-rescaled": lambda total, old, new: total,
            "factor-upside-down": [
                lambda total, old, new: total * np.exp(new - old),
                lambda total, old, new: total and total * np.exp(new - old),
            ],
            "one-chunk-only": lambda total, old, new: 0,
        },
    ),
    added=(
        shifted_sum,
        {
            "new-corrected": lambda chunk, old, new: np.exp(chunk - new).sum() * np.exp(old - new),
            "not-summed": [
                lambda chunk, old, new: np.exp(chunk - new).mean(),
                lambda chunk, old, new: np.exp(chunk - new).max(),
            ],
            "chunk-maxima": [
                lambda chunk, old, new: np.exp(chunk - chunk.max()).sum(),
                lambda chunk, old, new: np.exp(chunk - old).sum(),
            ],
        },
    ),
    start=(
        lambda chunks: LOWEST,
        {
            "blocked-chunk-nan": lambda chunks: -INF,
            "starts-too-high": [lambda chunks: 0.0, lambda chunks: -1e9],
        },
    ),
    weights=(
        divided,
        {
            "all-blocked-nan": [
                undivided_zero,
                lambda chunks, largest, total, seen: (
                    divided(chunks, largest, total, seen) if total else uniform(chunks)
                ),
            ],
            "shares-too-early": [
                as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / so_far),
                as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / (so_far or 1)),
            ],
            "other-maximum-at-the-end": [
                as_they_come(lambda chunk, total, *_: np.exp(chunk - chunk.max()) / total),
                as_they_come(lambda chunk, total, largest, _: np.exp(chunk - largest) / total),
                as_they_come(lambda chunk, total, *_: np.exp(chunk) / total),
            ],
            "not-divided": [
                lambda chunks, largest, *_: np.exp(np.concatenate(chunks) - largest),
                lambda chunks, largest, total, seen: divided(chunks, largest, total**2, seen),
            ],
            "last-chunk": lambda chunks, largest, total, seen: np.exp(chunks[-1] - largest) / (total or 1),
        },
    ),
)


def per_chunk(shares):
    """Each chunk with a softmax of its own, times its share."""

    def online(chunks):
        pairs = zip(chunks, shares(chunks))
        return np.concatenate([maths.softmax(chunk) * share for chunk, share in pairs])

    return online


def first_that_counts(chunks):
    """The pass over the first chunk alone that isn't blocked."""
    if largest_of(chunks) == -INF:
        return None
    read = [next(chunk for chunk in chunks if chunk.max() > -INF)]
    return STEPS.whole({"read": always(lambda chunks: read)})(chunks)


# Softmax without that pass.
OTHERS = {
    "softmax-per-chunk": [
        per_chunk(lambda chunks: [1 for chunk in chunks]),
        per_chunk(lambda chunks: [1 / len(chunks) for chunk in chunks]),
        per_chunk(lambda chunks: maths.softmax(np.array([chunk.max() for chunk in chunks]))),
    ],
    "not-divided": lambda chunks: np.exp(np.concatenate(chunks) - largest_of(chunks)),
    "chunks-read": first_that_counts,
    "no-max-subtraction": [shifted_by(lambda chunks: 0.0)],
    "another-maximum": [
        shifted_by(first_largest),
        shifted_by(lambda chunks: chunks[-1].max()),
        shifted_by(lambda chunks: np.concatenate([np.full(len(c), c.max()) for c in chunks])),
    ],
    "blocked-chunk-ends": lambda chunks: np.nan_to_num(
        STEPS.whole(
            {
                "start": always(lambda chunks: -INF),
                "weights": always(undivided_zero),
            }
        )(chunks)
    ),
    "uniform": uniform,
}


def careless(choice, start):
    """What makes of a way of this choice the pass with this first maximum, and with a plain division."""
    others = {
        "start": always(lambda chunks: start),
        "weights": always(undivided_zero),
    }
    return lambda way: STEPS.whole({choice: way, **others})


KEPT, ADDED = (STEPS.steps[choice].mistakes for choice in ("kept", "added"))
CARELESS = [
    inside(KEPT, careless("kept", 0.0)),
    inside(ADDED, careless("added", 0.0)),
    inside(only(ADDED, "new-corrected"), careless("added", -INF)),
]


@exercise(
    inputs=INPUTS,
    mistakes=[STEPS.mistakes(), OTHERS, CARELESS],
    steps=STEPS,
    result="softmax",
)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation.

    Returns Feedback.
    """
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
