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
    first=lambda chunks: 0.0,
    largest=lambda old, chunk: max(old, chunk.max()),
    keep=lambda old, new: new,
    shares=lambda chunks, largest, total, seen: np.exp(np.concatenate(chunks) - largest) / total,
    passed=lambda chunks: chunks,
):
    """The pass over chunks with one thing or another done otherwise.

    total: the sum after a chunk. start, first: largest score and sum before the first. largest: the new one. keep:
    which of old and new is kept. shares: the second pass. passed: which chunks the first one sees.
    """

    def online(chunks):
        old, so_far, seen = start(chunks), first(chunks), []
        new = old
        for chunk in passed(chunks):
            new = largest(old, chunk)
            so_far = total(so_far, old, new, chunk)
            old = keep(old, new)
            seen.append((new, so_far))
        return shares(chunks, new, so_far, seen)

    return online


def either_way(total):
    """The two ways to begin: with −∞, or with the largest score of the first chunk."""
    return [in_one_pass(total), in_one_pass(total, start=first_largest)]


def as_they_come(share):
    """Shares that are made chunk by chunk, of what was known then, or of what is known of that chunk."""
    return lambda chunks, largest, total, seen: np.concatenate(
        [share(chunk, total, *known) for chunk, known in zip(chunks, seen, strict=True)]
    )


def if_larger(then, otherwise):
    """The sum of a pass that asks whether a chunk holds a new largest score."""
    return lambda total, old, new, chunk: (then if chunk.max() > old else otherwise)(total, old, new, chunk)


def powers(total, old, new, chunk):
    return np.exp(chunk - new).sum()


def brought_up(total, old, new, chunk):
    return total * np.exp(old - new)


def upside_down(total, old, new, chunk):
    return total * np.exp(new - old) + powers(total, old, new, chunk)


def by_difference(total, old, new, chunk):
    return total * (old - new) + powers(total, old, new, chunk)


def added(total, old, new, chunk):
    return total + powers(total, old, new, chunk)


MISTAKES = table(
    LONG,
    Mistake(
        "not-rescaled",
        name="the sum is not rescaled when the maximum moves",
        ways=[in_one_pass(added)],
        say="The sum so far was taken relative to the *old* maximum. When a larger score comes along, what factor brings it up to date?",
    ),
    Mistake(
        "softmax-per-chunk",
        name="each chunk has a softmax of its own",
        ways=[
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]) / len(chunks),
        ],
        say="All chunks together share one whole 1.",
    ),
    Mistake(
        "no-max-subtraction",
        name="the largest score is not subtracted",
        ways=[shifted_by(lambda chunks: 0.0)],
        say="exp overflows for large scores.",
    ),
    Mistake(
        "starts-too-high",
        name="the largest score so far starts too high",
        ways=[
            shifted_by(lambda chunks, start=start: max(start, largest_of(chunks)))
            for start in (0.0, -100.0, -1000.0, -1e6, -1e9)
        ],
        say="All scores here lie far below the number that yours begins with, and every power becomes 0. Which number is below *every* score?",
    ),
    Mistake(
        "nan-from-the-start",
        name="the very first chunk makes it NaN",
        ways=[in_one_pass(upside_down)],
        say="Before the first chunk the largest so far is infinite, and the sum 0. What is your factor there? e to the power of −∞ is 0, to the power of ∞ it is ∞; 0 · ∞ and ∞ − ∞ are NaN. Try it with a maximum that goes from 3 to 5: the sum so far has to *shrink*.",
    ),
    Mistake(
        "factor-upside-down",
        name="the factor is upside down, or no power",
        ways=[
            in_one_pass(total, start)
            for total in (upside_down, by_difference)
            for start in (lambda chunks: 0.0, first_largest)
        ],
        say="The sum so far has to *shrink* when the maximum rises. What is your factor when the maximum goes from 3 to 5?",
    ),
    Mistake(
        "all-rescaled",
        name="the new powers are rescaled, too",
        ways=either_way(
            lambda total, old, new, chunk: (total + np.exp(chunk - new).sum()) * np.exp(old - new)
        ),
        say="Only the sum *so far* stands on the old maximum. The powers of this chunk are relative to the new one already.",
    ),
    Mistake(
        "counted-twice",
        name="something is counted twice, or not at all",
        ways=[
            *either_way(
                lambda total, old, new, chunk: total + total * np.exp(old - new) + np.exp(chunk - new).sum()
            ),
            in_one_pass(start=first_largest, first=lambda chunks: np.exp(chunks[0] - chunks[0].max()).sum()),
            in_one_pass(start=first_largest, passed=lambda chunks: chunks[1:]),
            in_one_pass(start=first_largest, passed=lambda chunks: chunks[1:] or chunks),
            in_one_pass(passed=lambda chunks: chunks[1:] or chunks),
            in_one_pass(passed=lambda chunks: chunks[:-1] or chunks),
        ],
        say="The powers of one chunk, or the whole sum so far, go into the sum twice, or those of a chunk never do. Write down the sum after each chunk of this input.",
    ),
    Mistake(
        "one-branch-only",
        name="a step is taken only where the maximum moves, or only where it does not",
        ways=[
            in_one_pass(
                if_larger(lambda *given: brought_up(*given) + powers(*given), lambda total, *_: total)
            ),
            in_one_pass(if_larger(brought_up, added)),
            in_one_pass(if_larger(powers, added)),
            in_one_pass(if_larger(brought_up, added), start=first_largest),
        ],
        say="Every chunk brings its powers, with a new largest score or without; and where there is one, the sum so far stays, corrected. What of this do your if and else leave out?",
    ),
    Mistake(
        "one-chunk-only",
        name="the sum holds one chunk only",
        ways=[
            in_one_pass(powers),
            lambda chunks: (
                np.exp(np.concatenate(chunks) - chunks[0].max()) / np.exp(chunks[0] - chunks[0].max()).sum()
            ),
        ],
        say="The sum holds the powers of the first chunk alone, or of the last. Does = stand where += belongs, or return inside the loop?",
    ),
    Mistake(
        "never-replaced",
        name="the largest so far is never replaced",
        ways=[
            in_one_pass(keep=lambda old, new: old),
            in_one_pass(keep=lambda old, new: old, start=first_largest),
        ],
        say="Yours finds the new maximum and goes on with the old one. After each chunk the new one is the largest so far.",
    ),
    Mistake(
        "no-sum-of-powers",
        name="what is added up is no sum of powers",
        ways=[
            in_one_pass(
                lambda total, old, new, chunk, of=of: brought_up(total, old, new, chunk) + of(chunk - new)
            )
            for of in (
                np.sum,
                lambda x: np.exp(x.sum()),
                lambda x: np.exp(x).mean(),
                lambda x: np.exp(x).max(),
                len,
            )
        ],
        say="To the sum comes e to the power of *each* score less the maximum, all of them added up.",
    ),
    Mistake(
        "shares-too-early",
        name="shares are given before the whole sum is known",
        ways=[
            in_one_pass(
                shares=as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / so_far)
            )
        ],
        say="The last chunk is right, and the ones before were divided by the sum *so far*. Which two numbers have to be known before the first share can be given?",
    ),
    Mistake(
        "other-maximum-at-the-end",
        name="the powers of the second pass are not relative to the maximum of all",
        ways=[
            in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk) / total)),
            in_one_pass(shares=as_they_come(lambda chunk, total, *_: np.exp(chunk - chunk.max()) / total)),
            in_one_pass(
                shares=as_they_come(lambda chunk, total, largest, _: np.exp(chunk - largest) / total)
            ),
        ],
        say="The whole sum is relative to the largest score of all. The powers that it divides must be, too.",
    ),
    Mistake(
        "first-maximum",
        name="only the first chunk's maximum counts",
        ways=[shifted_by(first_largest)],
        say="A later chunk may hold a much larger score.",
    ),
    Mistake(
        "last-maximum",
        name="only the last chunk's maximum counts",
        ways=[shifted_by(lambda chunks: chunks[-1].max())],
        say="An earlier chunk may hold a much larger score.",
    ),
    Mistake(
        "other-shift",
        name="another number than the largest score is subtracted",
        ways=[
            *(
                shifted_by(lambda chunks, take=take: take(np.concatenate(chunks)))
                for take in (np.min, np.mean, np.median)
            ),
            *(in_one_pass(largest=lambda old, chunk, i=i: max(old, chunk[i])) for i in (0, -1)),
        ],
        say="On paper any shift cancels. Only with the *largest* of all scores no power overflows, and of a chunk that need not be the first or the last.",
    ),
    Mistake(
        "chunk-maxima",
        name="powers relative to different maxima are added",
        ways=[
            lambda chunks: shifted_by(
                lambda chunks: np.concatenate([np.full(len(c), c.max()) for c in chunks])
            )(chunks),
            *either_way(
                lambda total, old, new, chunk: (
                    brought_up(total, old, new, chunk) + np.exp(chunk - chunk.max()).sum()
                )
            ),
            *either_way(
                lambda total, old, new, chunk: brought_up(total, old, new, chunk) + np.exp(chunk - old).sum()
            ),
        ],
        say="Powers relative to different maxima cannot be added: those of a chunk stand on the new largest so far, not on the chunk's own, nor on the old one.",
    ),
    Mistake(
        "not-divided",
        name="not divided by the sum",
        ways=[in_one_pass(shares=lambda chunks, largest, *_: np.exp(np.concatenate(chunks) - largest))],
        say="These are the powers. Divided by their sum they are shares.",
    ),
    Mistake(
        "no-powers",
        name="scores are divided by their sum",
        ways=[lambda chunks: np.concatenate(chunks) / np.concatenate(chunks).sum()],
        say="A score becomes a share by way of e to its power.",
    ),
    Mistake(
        "powers-of-two",
        name="powers of 2",
        ways=[lambda chunks: maths.softmax(np.log(2) * np.concatenate(chunks))],
        say="By hand 2 was easier. Softmax takes powers of e: np.exp.",
    ),
    Mistake(
        "last-chunk",
        name="only the last chunk came back",
        ways=[
            lambda chunks: maths.softmax(np.concatenate(chunks))[-len(chunks[-1]) :],
            lambda chunks: maths.softmax(chunks[-1]),
        ],
        say="The result has an entry for every score of every chunk.",
    ),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="softmax", see=LONG)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
