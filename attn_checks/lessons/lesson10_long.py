"""Lesson 10: softmax of scores that come in chunks."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_parts import mathematics as maths

LONG = "lesson 10, Softmax in one pass"

INPUTS = {
    "the maximum comes last": ([np.array([0.0, 1.0]), np.array([2.0])],),
    "the maximum comes first": ([np.array([3.0]), np.array([1.0, 2.0]), np.array([0.0])],),
    "large scores": ([np.array([1000.0, 999.0]), np.array([1001.0, -1000.0])],),
    "the maximum in the middle": ([np.array([-1000.0]), np.array([1000.0, 0.0]), np.array([-1000.0])],),
    "far apart": ([np.array([-1000.0]), np.array([1000.0])],),
    "all far below": ([np.array([-800.0, -801.0]), np.array([-802.0])],),
    "one chunk": ([np.array([5.0])],),
}


def not_rescaled(chunks):
    largest, total = -np.inf, 0.0
    for chunk in chunks:
        largest = max(largest, chunk.max())
        total += np.exp(chunk - largest).sum()
    return np.exp(np.concatenate(chunks) - largest) / total


def shifted_by(pick):
    def online(chunks):
        powers = np.exp(np.concatenate(chunks) - pick(chunks))
        return powers / powers.sum()

    return online


def carried(start, factor):
    """The running sum, begun with another maximum, or brought up to date by another factor."""

    def online(chunks):
        largest, total = start, 0.0
        for chunk in chunks:
            new = max(largest, chunk.max())
            total = total * factor(largest, new) + np.exp(chunk - new).sum()
            largest = new
        return np.exp(np.concatenate(chunks) - largest) / total

    return online


def shares_at_once(chunks):
    largest, total, shares = -np.inf, 0.0, []
    for chunk in chunks:
        new = max(largest, chunk.max())
        total = total * np.exp(largest - new) + np.exp(chunk - new).sum()
        largest = new
        shares.append(np.exp(chunk - largest) / total)
    return np.concatenate(shares)


def unshifted_at_the_end(chunks):
    scores = np.concatenate(chunks)
    return np.exp(scores) / np.exp(scores - scores.max()).sum()


def own_maxima(chunks):
    powers = np.concatenate([np.exp(c - c.max()) for c in chunks])
    return powers / powers.sum()


MISTAKES = [
    Mistake(
        "not-rescaled",
        name="the sum is not rescaled when the maximum moves",
        ways=[not_rescaled],
        say="The sum so far was taken relative to the *old* maximum. When a larger score comes along, what factor brings it up to date?",
        see=LONG,
    ),
    Mistake(
        "softmax-per-chunk",
        name="each chunk has a softmax of its own",
        ways=[
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]) / len(chunks),
        ],
        say="All chunks together share one whole 1.",
        see=LONG,
    ),
    Mistake(
        "no-max-subtraction",
        name="the largest score is not subtracted",
        ways=[shifted_by(lambda chunks: 0.0)],
        say="exp overflows for large scores.",
        see=LONG,
    ),
    Mistake(
        "starts-at-zero",
        name="the largest score so far starts at 0",
        ways=[shifted_by(lambda chunks: max(0.0, *(chunk.max() for chunk in chunks)))],
        say="All scores here are negative, and 0 is above all of them: every power becomes 0. Which number is below *every* score?",
        see=LONG,
    ),
    Mistake(
        "factor-upside-down",
        name="the factor is upside down, or no power",
        ways=[
            carried(-np.inf, lambda old, new: np.exp(new - old)),
            carried(0.0, lambda old, new: np.exp(new - old)),
            carried(0.0, lambda old, new: old - new),
        ],
        say="The sum so far has to *shrink* when the maximum rises. What is your factor when the maximum goes from 3 to 5, and what is it at the very start, where −∞ is replaced? (0 times ∞ is NaN.)",
        see=LONG,
    ),
    Mistake(
        "shares-too-early",
        name="shares are given before the whole sum is known",
        ways=[shares_at_once],
        say="The last chunk is right, and the ones before were divided by the sum *so far*. Which two numbers have to be known before the first share can be given?",
        see=LONG,
    ),
    Mistake(
        "unshifted-at-the-end",
        name="the powers of the second pass are not relative to the maximum",
        ways=[unshifted_at_the_end],
        say="The sum is relative to the largest score. The powers that it divides must be, too.",
        see=LONG,
    ),
    Mistake(
        "first-maximum",
        name="only the first chunk's maximum counts",
        ways=[shifted_by(lambda chunks: chunks[0].max())],
        say="A later chunk may hold a much larger score.",
        see=LONG,
    ),
    Mistake(
        "last-maximum",
        name="only the last chunk's maximum counts",
        ways=[shifted_by(lambda chunks: chunks[-1].max())],
        say="An earlier chunk may hold a much larger score.",
        see=LONG,
    ),
    Mistake(
        "chunk-maxima",
        name="each chunk keeps its own maximum",
        ways=[own_maxima],
        say="Powers relative to different maxima cannot be added.",
        see=LONG,
    ),
    Mistake(
        "last-chunk",
        name="only the last chunk came back",
        ways=[
            lambda chunks: maths.softmax(np.concatenate(chunks))[-len(chunks[-1]) :],
            lambda chunks: maths.softmax(chunks[-1]),
        ],
        say="The result has an entry for every score of every chunk.",
        see=LONG,
    ),
]


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax", see=LONG)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
