"""Lesson 10: softmax of scores that come in chunks."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

LONG = "l10-one-pass"

INPUTS = {
    "the maximum comes last": ([np.array([0.0, 1.0]), np.array([2.0])],),
    "the maximum comes first": ([np.array([3.0]), np.array([1.0, 2.0]), np.array([0.0])],),
    "large scores": ([np.array([1000.0, 999.0]), np.array([1001.0, -1000.0])],),
    "the maximum in the middle": ([np.array([-1000.0]), np.array([0.0, 1000.0]), np.array([-1000.0])],),
    "far apart": ([np.array([-1000.0]), np.array([1000.0, -1000.0])],),
    "all far below": ([np.array([-800.0, -801.0]), np.array([-802.0])],),
    "all below −1e9": ([np.array([-3e9, -3e9 - 1]), np.array([-3e9 - 2])],),
    "one chunk": ([np.array([5.0])],),
}


def shifted_by(pick):
    def online(chunks):
        powers = np.exp(np.concatenate(chunks) - pick(chunks))
        return powers / powers.sum()

    return online


def largest_of(chunks):
    return max(chunk.max() for chunk in chunks)


def first_largest(chunks):
    return chunks[0].max()


def in_one_pass(
    total=lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - new).sum(),
    start=lambda chunks: -np.inf,
    shares=lambda chunks, largest, total, seen: np.exp(np.concatenate(chunks) - largest) / total,
):
    """The pass over chunks done otherwise in the sum after a chunk, the largest before the first, or the second pass."""

    def online(chunks):
        largest, so_far, seen = start(chunks), 0.0, []
        for chunk in chunks:
            old, largest = largest, max(largest, chunk.max())
            so_far = total(so_far, old, largest, chunk)
            seen.append((largest, so_far))
        return shares(chunks, largest, so_far, seen)

    return online


def as_they_come(share):
    """Shares that are made chunk by chunk, of what was known then, or of what is known of that chunk."""
    return lambda chunks, largest, total, seen: np.concatenate(
        [share(chunk, total, *known) for chunk, known in zip(chunks, seen, strict=True)]
    )


def powers(total, old, new, chunk):
    return np.exp(chunk - new).sum()


def upside_down(total, old, new, chunk):
    return total * np.exp(new - old) + np.exp(chunk - new).sum()


def by_difference(total, old, new, chunk):
    return total * (old - new) + np.exp(chunk - new).sum()


# fmt: off
MISTAKES = table(
    LONG,
    Mistake("not-rescaled", "the sum is not rescaled when the maximum moves",
        say="The sum so far was taken relative to the *old* maximum. When a larger score comes along, what factor brings it up to date?",
        ways=[in_one_pass(lambda total, old, new, chunk: total + np.exp(chunk - new).sum())]),
    Mistake("softmax-per-chunk", "each chunk has a softmax of its own",
        say="All chunks together share one whole 1.",
        ways=[lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]) / len(chunks)]),
    Mistake("no-max-subtraction", "the largest score is not subtracted",
        say="exp overflows for large scores.",
        ways=[shifted_by(lambda chunks: 0.0)]),
    Mistake("starts-too-high", "the largest score so far starts too high",
        say="All scores here lie far below the number that yours begins with, and every power becomes 0. Which number is below *every* score?",
        ways=[shifted_by(lambda chunks, start=start: max(start, largest_of(chunks)))
            for start in (0.0, -1e9)]),
    Mistake("nan-from-the-start", "the very first chunk makes it NaN",
        say="Before the first chunk the largest so far is infinite, and the sum 0. What is your factor there? e to the power of −∞ is 0, to the power of ∞ it is ∞; 0 · ∞ and ∞ − ∞ are NaN. Try it with a maximum that goes from 3 to 5: the sum so far has to *shrink*.",
        ways=[in_one_pass(upside_down)]),
    Mistake("factor-upside-down", "the factor is upside down, or no power",
        say="The sum so far has to *shrink* when the maximum rises. What is your factor when the maximum goes from 3 to 5?",
        ways=[in_one_pass(total, start)
            for total in (upside_down, by_difference) for start in (lambda chunks: 0.0, first_largest)]),
    Mistake("one-chunk-only", "the sum holds one chunk only",
        say="The sum holds the powers of the first chunk alone, or of the last. Does = stand where += belongs, or return inside the loop?",
        ways=[in_one_pass(powers),
            lambda chunks: np.exp(np.concatenate(chunks) - chunks[0].max()) / np.exp(chunks[0] - chunks[0].max()).sum()]),
    Mistake("shares-too-early", "shares are given before the whole sum is known",
        say="The last chunk is right, and the ones before were divided by the sum *so far*. Which two numbers have to be known before the first share can be given?",
        ways=[in_one_pass(shares=as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / so_far))]),
    Mistake("other-maximum-at-the-end", "the powers of the second pass are not relative to the maximum of all",
        say="The whole sum is relative to the largest score of all. The powers that it divides must be, too.",
        ways=[in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk) / total)),
            in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk - chunk.max()) / total)),
            in_one_pass(shares=as_they_come(lambda chunk, total, largest, _: np.exp(chunk - largest) / total))]),
    Mistake("first-maximum", "only the first chunk's maximum counts",
        say="A later chunk may hold a much larger score.",
        ways=[shifted_by(first_largest)]),
    Mistake("last-maximum", "only the last chunk's maximum counts",
        say="An earlier chunk may hold a much larger score.",
        ways=[shifted_by(lambda chunks: chunks[-1].max())]),
    Mistake("chunk-maxima", "powers relative to different maxima are added",
        say="Powers relative to different maxima cannot be added: those of a chunk stand on the new largest so far, not on the chunk's own, nor on the old one.",
        ways=[shifted_by(lambda chunks: np.concatenate([np.full(len(c), c.max()) for c in chunks])),
            in_one_pass(lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - chunk.max()).sum()),
            *[in_one_pass(lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - old).sum(), *start)
                for start in ((), (first_largest,))]]),
    Mistake("not-divided", "not divided by the sum",
        say="These are the powers. Divided by their sum they are shares.",
        ways=[in_one_pass(shares=lambda chunks, largest, *_: np.exp(np.concatenate(chunks) - largest))]),
    Mistake("powers-of-two", "powers of 2",
        say="By hand 2 was easier. Softmax takes powers of e: np.exp.",
        ways=[lambda chunks: maths.softmax(np.log(2) * np.concatenate(chunks))]),
    Mistake("last-chunk", "only the last chunk came back",
        say="The result has an entry for every score of every chunk.",
        ways=[lambda chunks: maths.softmax(np.concatenate(chunks))[-len(chunks[-1]) :],
            lambda chunks: maths.softmax(chunks[-1])]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax", see=LONG)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
