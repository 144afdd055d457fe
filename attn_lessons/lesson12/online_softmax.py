"""Lesson 12: softmax of scores that come in chunks."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

LONG = "l12-one-pass"
LOWEST = np.finfo(float).min  # below every score, and LOWEST − LOWEST is 0 where −∞ − (−∞) is NaN
INF = np.inf

INPUTS = {
    "the maximum comes last": ([np.array([0.0, 1.0]), np.array([2.0])],),
    "the maximum comes first": ([np.array([3.0]), np.array([1.0, 2.0]), np.array([0.0])],),
    "large scores": ([np.array([1000.0, 999.0]), np.array([1001.0, -1000.0])],),
    "the maximum in the middle": ([np.array([-1000.0]), np.array([0.0, 1000.0]), np.array([-1000.0])],),
    "far apart": ([np.array([-1000.0]), np.array([1000.0, -1000.0])],),
    "all far below": ([np.array([-800.0, -801.0]), np.array([-802.0])],),
    "all below −1e9": ([np.array([-3e9, -3e9 - 1]), np.array([-3e9 - 2])],),
    "one chunk": ([np.array([5.0])],),
    "a blocked score": ([np.array([0.0, -INF]), np.array([1.0])],),
    "a blocked chunk in the middle": ([np.array([1.0]), np.array([-INF, -INF]), np.array([2.0])],),
    "the first chunk is blocked": ([np.array([-INF, -INF]), np.array([1.0, 2.0])],),
    "everything is blocked": ([np.array([-INF]), np.array([-INF, -INF])],),
}


def shifted_by(pick):
    def online(chunks):
        exponentials = np.exp(np.concatenate(chunks) - pick(chunks))
        return exponentials / exponentials.sum()

    return online


def largest_of(chunks):
    return max(chunk.max() for chunk in chunks)


def first_largest(chunks):
    return chunks[0].max()


def in_one_pass(
    total=lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - new).sum(),
    start=lambda chunks: LOWEST,
    shares=lambda chunks, largest, total, seen: np.exp(np.concatenate(chunks) - largest) / (total or 1),
):
    """The pass over chunks, with a different sum after a chunk, the largest before the first, or the second pass."""

    def online(chunks):
        largest, so_far, seen = start(chunks), 0.0, []
        for chunk in chunks:
            old, largest = largest, max(largest, chunk.max())
            so_far = total(so_far, old, largest, chunk)
            seen.append((largest, so_far))
        return shares(chunks, largest, so_far, seen)

    return online


def undivided_zero(chunks, largest, total, seen):
    return np.exp(np.concatenate(chunks) - largest) / total


def careless(*total):
    """The pass, as it is, with 0/0 where everything is blocked, and with −∞ as the first maximum."""
    return [
        in_one_pass(*total),
        in_one_pass(*total, shares=undivided_zero),
        in_one_pass(*total, start=lambda chunks: -INF, shares=undivided_zero),
    ]


def as_they_come(share):
    """Weights computed chunk by chunk, from what is known at that chunk."""
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
        say="You keep the sum so far, which is relative to the *old* maximum. Which factor corrects it when a larger score comes?",
        ways=careless(lambda total, old, new, chunk: total + np.exp(chunk - new).sum())),
    Mistake("blocked-chunk-nan", "a chunk where everything is blocked makes NaN",
        say="Your weights are right unless the first chunk is all −∞. Then the largest score is −∞, and −∞ − (−∞) is NaN. Start from a finite number that is below every score, for example the lowest one that a float can be.",
        ways=[in_one_pass(start=lambda chunks: -INF, shares=undivided_zero), in_one_pass(start=lambda chunks: -INF)]),
    Mistake("all-blocked-nan", "if every score is blocked, the result is NaN",
        say="If every score is −∞, there is no largest score to subtract, or the sum is 0 and 0/0 is NaN. All weights should be 0 then.",
        ways=[in_one_pass(shares=undivided_zero), shifted_by(largest_of)]),
    Mistake("softmax-per-chunk", "each chunk has a softmax of its own",
        say="You apply softmax to each chunk separately. Apply one softmax to all chunks together, so that the whole result sums to 1.",
        ways=[lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]) / len(chunks)]),
    Mistake("no-max-subtraction", "the largest score is not subtracted",
        say="Your result is right for small scores, but exp overflows for large ones. Subtract the largest score first.",
        ways=[shifted_by(lambda chunks: 0.0)]),
    Mistake("starts-too-high", "the largest score so far starts too high",
        say="Your largest score starts far above all scores here, so every exponential becomes 0. Which number is below *every* score?",
        ways=[in_one_pass(start=lambda chunks, start=start: start, **others)
            for start in (0.0, -1e9) for others in ({}, {"shares": undivided_zero})]),
    Mistake("nan-from-the-start", "the very first chunk makes it NaN",
        say="Your factor is infinite before the first chunk, and 0 · ∞ is NaN. Try a maximum that goes from 3 to 5: the sum so far has to *shrink*.",
        ways=careless(upside_down)),
    Mistake("factor-upside-down", "the factor is upside down, or not an exponential",
        say="Your factor is wrong when the maximum rises. What is it when the maximum goes from 3 to 5? The sum so far has to *shrink*.",
        ways=[in_one_pass(total, start)
            for total in (upside_down, by_difference) for start in (lambda chunks: 0.0, first_largest)]),
    Mistake("one-chunk-only", "the sum holds one chunk only",
        say="Your sum has the exponentials of only the first chunk, or only the last. Did you write = instead of +=, or is return inside the loop?",
        ways=[*careless(powers),
            lambda chunks: np.exp(np.concatenate(chunks) - chunks[0].max()) / np.exp(chunks[0] - chunks[0].max()).sum()]),
    Mistake("shares-too-early", "weights are returned before the whole sum is known",
        say="Your last chunk is right, but you divide the earlier ones by the sum *so far*. Which two numbers do you need before the first weight?",
        ways=[in_one_pass(shares=as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / so_far))]),
    Mistake("other-maximum-at-the-end", "the exponentials of the second pass aren't relative to the overall maximum",
        say="Your exponentials aren't relative to the overall maximum, but the sum that divides them is. Use the same maximum for both.",
        ways=[in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk) / total)),
            in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk - chunk.max()) / total)),
            in_one_pass(shares=as_they_come(lambda chunk, total, largest, _: np.exp(chunk - largest) / total))]),
    Mistake("first-maximum", "only the first chunk's maximum counts",
        say="You subtract the first chunk's maximum. A later chunk can hold a much larger score.",
        ways=[shifted_by(first_largest)]),
    Mistake("last-maximum", "only the last chunk's maximum counts",
        say="You subtract the last chunk's maximum. An earlier chunk can hold a much larger score.",
        ways=[shifted_by(lambda chunks: chunks[-1].max())]),
    Mistake("chunk-maxima", "exponentials relative to different maxima are added",
        say="You add exponentials that are relative to different maxima. Make those of each chunk relative to the largest score so far, the chunk included.",
        ways=[shifted_by(lambda chunks: np.concatenate([np.full(len(c), c.max()) for c in chunks])),
            in_one_pass(lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - chunk.max()).sum()),
            *[in_one_pass(lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - old).sum(), *start)
                for start in ((), (first_largest,))]]),
    Mistake("not-divided", "not divided by the sum",
        say="You return the exponentials. Divide them by their sum.",
        ways=[in_one_pass(shares=lambda chunks, largest, *_: np.exp(np.concatenate(chunks) - largest))]),
    Mistake("powers-of-two", "powers of 2 instead of e",
        say="You use powers of 2, as in the example by hand. Softmax uses powers of e: np.exp.",
        ways=[lambda chunks: maths.softmax(np.log(2) * np.concatenate(chunks))]),
    Mistake("last-chunk", "only the last chunk is returned",
        say="You return only the last chunk. Return an entry for every score of every chunk.",
        ways=[lambda chunks: maths.softmax(np.concatenate(chunks))[-len(chunks[-1]) :],
            lambda chunks: maths.softmax(chunks[-1])]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax", see=LONG)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
