"""Lesson 12: softmax of scores that come in chunks, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, again, exercise
from attn_lessons.lesson10._choices import always, choices
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


def largest_of(chunks):
    return max(chunk.max() for chunk in chunks)


def first_largest(chunks):
    return chunks[0].max()


def shifted_by(pick):
    def online(chunks):
        exponentials = np.exp(np.concatenate(chunks) - pick(chunks))
        return exponentials / exponentials.sum()

    return online


def in_one_pass(chunks, factor, read, newest, added, start, weights):
    """The pass over chunks, made of choices: what chunks are read, the largest and the sum after each, and the second pass."""
    chunks = [factor * chunk for chunk in chunks]
    largest, total, seen = start(chunks), 0.0, []
    for chunk in read(chunks):
        old, largest = largest, newest(largest, chunk)
        total = added(total, old, largest, chunk)
        seen.append((largest, total))
    return weights(chunks, largest, total, seen)


def rescaled(total, old, new, chunk):
    return total * np.exp(old - new) + np.exp(chunk - new).sum()


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
        [weights(chunk, total or 1, *known) for chunk, known in zip(chunks, seen, strict=False)]
    )


# fmt: off
STEPS = choices("chunks", in_one_pass,
    factor=(1.0,
        Mistake("powers-of-two", "powers of 2 instead of e",
            say="You use powers of 2, as in the example by hand. Softmax uses powers of e: np.exp.",
            ways=[np.log(2)])),
    read=(list,
        Mistake("chunks-read", "a chunk is left out of the sum, or counted twice",
            say="Your sum leaves a chunk out or counts one twice. Every chunk counts once, those with −∞ as well: look at range, and for a return or a break in the loop.",
            ways=[lambda chunks: chunks[:-1], lambda chunks: chunks[:1], lambda chunks: [chunks[0], *chunks], lambda chunks: chunks[1:],
                lambda chunks: [chunk for chunk in chunks if np.isfinite(chunk).all()]])),
    newest=(lambda largest, chunk: max(largest, chunk.max()),
        Mistake("another-maximum", "a maximum that isn't the largest of all",
            say="You subtract the maximum of the first chunk, of the last, or of each its own. Another chunk can hold a much larger score.",
            ways=[lambda largest, chunk: chunk.max(), lambda largest, chunk: largest if chunk.max() == -INF else chunk.max()]),
        Mistake("no-max-subtraction", "the largest score is not subtracted",
            say="You don't subtract the largest score, so exp overflows where scores are large. Subtract it first.",
            ways=[lambda largest, chunk: 0.0])),
    added=(rescaled,
        Mistake("not-rescaled", "the sum is not rescaled when the maximum moves",
            say="You keep the sum so far, which is relative to the *old* maximum. Which factor corrects it when a larger score comes?",
            ways=[lambda total, old, new, chunk: total + np.exp(chunk - new).sum()]),
        Mistake("new-corrected", "the new chunk is multiplied by the factor as well",
            say="You multiply the sum of old and new by the factor. The new chunk is already relative to the new maximum, so only the sum so far needs it.",
            ways=[lambda total, old, new, chunk: (total + np.exp(chunk - new).sum()) * np.exp(old - new)]),
        Mistake("factor-upside-down", "the factor is upside down, or not an exponential",
            say="The sum so far belongs to the old maximum, and your factor doesn't correct it for the new one. What should the factor be when the maximum goes from 3 to 5?",
            ways=[lambda total, old, new, chunk: total * np.exp(new - old) + np.exp(chunk - new).sum(),
                lambda total, old, new, chunk: (total and total * np.exp(new - old)) + np.exp(chunk - new).sum(),
                lambda total, old, new, chunk: total * (old - new) + np.exp(chunk - new).sum()]),
        Mistake("not-summed", "a mean or a maximum instead of a sum",
            say="You add the mean or the largest of a chunk's exponentials. Add their sum.",
            ways=[lambda total, old, new, chunk, one=one: total * np.exp(old - new) + one(np.exp(chunk - new)) for one in (np.mean, np.max)]),
        Mistake("one-chunk-only", "the sum holds only the last chunk",
            say="Your sum has the exponentials of only the last chunk. Did you write = instead of +=, or set the sum to 0 inside the loop?",
            ways=[lambda total, old, new, chunk: np.exp(chunk - new).sum()]),
        Mistake("chunk-maxima", "exponentials relative to different maxima are added",
            say="You add exponentials that are relative to different maxima. Make those of each chunk relative to the largest score so far, the chunk included.",
            ways=[lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - chunk.max()).sum(),
                lambda total, old, new, chunk: total * np.exp(old - new) + np.exp(chunk - old).sum(),
                lambda total, old, new, chunk: total + np.exp(chunk - chunk.max()).sum()])),
    start=(lambda chunks: LOWEST,
        Mistake("blocked-chunk-nan", "a first chunk where everything is blocked makes NaN",
            say="If the first chunk is all −∞, your largest score is −∞, and −∞ − (−∞) is NaN. Start from a number that is below every score.",
            ways=[lambda chunks: -INF, first_largest]),
        Mistake("starts-too-high", "the largest score so far starts too high",
            say="If all scores are far below the number you start from, every exponential becomes 0. Which number is below *every* score?",
            ways=[lambda chunks: 0.0, lambda chunks: -1e9])),
    weights=(divided,
        Mistake("all-blocked-nan", "if every score is blocked, the weights aren't 0",
            say="If every score is −∞, all weights should be 0. What are the largest score and the sum then, and what do you divide?",
            ways=[undivided_zero, lambda chunks, largest, total, seen: divided(chunks, largest, total, seen) if total else uniform(chunks)]),
        Mistake("shares-too-early", "weights are returned before the whole sum is known",
            say="You divide each chunk by the sum *so far*. Which two numbers do you need before the first weight?",
            ways=[as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / so_far),
                as_they_come(lambda chunk, total, largest, so_far: np.exp(chunk - largest) / (so_far or 1))]),
        Mistake("other-maximum-at-the-end", "exponentials that aren't relative to the overall maximum",
            say="The exponentials that you divide aren't relative to the overall maximum, and the sum that divides them is. Correct them, or compute them in a second pass with that maximum.",
            ways=[as_they_come(lambda chunk, total, *_: np.exp(chunk - chunk.max()) / total),
                as_they_come(lambda chunk, total, largest, _: np.exp(chunk - largest) / total),
                as_they_come(lambda chunk, total, *_: np.exp(chunk) / total)]),
        Mistake("not-divided", "not divided by the sum, or not by it alone",
            say="You don't divide the exponentials, or not only by their sum. Divide each once, by the sum of all.",
            ways=[lambda chunks, largest, *_: np.exp(np.concatenate(chunks) - largest), lambda chunks, largest, total, seen: divided(chunks, largest, total**2, seen),
                lambda chunks, largest, total, seen: divided(chunks, largest, total * len(chunks), seen)]),
        Mistake("last-chunk", "only the last chunk is returned",
            say="You return only the last chunk. Return an entry for every score of every chunk.",
            ways=[lambda chunks, largest, total, seen: np.exp(chunks[-1] - largest) / (total or 1)])))
# Softmax without that pass.
OTHERS = [
    Mistake("softmax-per-chunk", "each chunk has a softmax of its own",
        say="You apply softmax to each chunk separately. Apply one softmax to all chunks together.",
        ways=[lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]),
            lambda chunks: np.concatenate([maths.softmax(c) for c in chunks]) / len(chunks),
            lambda chunks: np.concatenate([maths.softmax(c) * share for c, share in zip(chunks, maths.softmax(np.array([c.max() for c in chunks])), strict=True)])]),
    *again(STEPS.mistakes(), {
        "all-blocked-nan": [shifted_by(largest_of)],
        "not-divided": [lambda chunks: np.exp(np.concatenate(chunks) - largest_of(chunks))],
        "chunks-read": [lambda chunks: STEPS.whole({"read": always(lambda chunks: [next(c for c in chunks if c.max() > -INF)])})(chunks) if largest_of(chunks) > -INF else None],
        "no-max-subtraction": [shifted_by(lambda chunks: 0.0)],
        "another-maximum": [shifted_by(first_largest), shifted_by(lambda chunks: chunks[-1].max()),
            shifted_by(lambda chunks: np.concatenate([np.full(len(c), c.max()) for c in chunks]))],
    }),
    Mistake("blocked-chunk-ends", "a first chunk that is blocked makes all weights 0",
        say="If the first chunk is all −∞, all your weights are 0. Look for a break, or for a NaN, from −∞ − (−∞), that you turn into 0.",
        ways=[lambda chunks: np.nan_to_num(STEPS.whole({"start": always(lambda chunks: -INF), "weights": always(undivided_zero)})(chunks))]),
    Mistake("uniform", "all weights are equal",
        say="You give each score the same weight. A weight is the exponential of its score, divided by the sum of all exponentials.",
        ways=[uniform]),
]
# One of the sums above, with a first maximum that is too high, or −∞, and with a plain division.
CARELESS = [
    mistake._replace(name=f"three mistakes, one of them: {mistake.name}", ways=[
        STEPS.whole({"added": way, "start": always(lambda chunks, start=start: start), "weights": always(undivided_zero)})
        for way in mistake.ways])
    for mistake in STEPS.steps["added"].mistakes for start in (0.0, -INF) if start == 0 or mistake.short == "new-corrected"
]


@exercise(inputs=INPUTS, mistakes=[*STEPS.mistakes(), *OTHERS, *CARELESS], steps=STEPS, result="softmax", see=LONG)
def online_softmax(chunks):
    """Check `f(chunks)`, an iterable of 1-D score chunks → softmax of their concatenation. Returns Feedback."""
    return maths.softmax(np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks]))
