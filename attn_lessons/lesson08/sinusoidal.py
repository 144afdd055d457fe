"""Lesson 08: the sinusoidal encoding, a sine and a cosine for each hand of a clock."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

GLIDE = "l08-glide"
POWERS = 10000.0


def code(length, d_model, speed=None, first=0, turn=1.0, halves=(np.sin, np.cos)):
    """The encoding, with another `speed` of hand i, another first position, or other functions in the two columns."""
    i = np.arange(d_model // 2)
    speeds = POWERS ** (-2 * i / d_model) if speed is None else speed(i, d_model) + 0.0 * i
    angles = turn * (first + np.arange(length))[:, None] * speeds
    return np.stack([wave(angles) for wave in halves], axis=-1).reshape(length, d_model)


def with_speed(*speeds):
    return [lambda length, d_model, speed=speed: code(length, d_model, speed) for speed in speeds]


def apart(length, d_model):
    return np.concatenate(
        [maths.sinusoidal_encoding(length, d_model)[:, start::2] for start in (0, 1)], axis=1
    )


def own_speeds(length, d_model, times=1):
    """Each column with a speed of its own, by its own number."""
    columns = np.arange(d_model)
    angles = np.arange(length)[:, None] / POWERS ** (times * columns / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


# fmt: off
MISTAKES = table(
    GLIDE,
    Mistake("transposed", "rows and columns are exchanged",
        say="Your rows are columns of the encoding. Each position is a row, so the shape is (length, d_model).",
        ways=[lambda length, d_model: code(length, d_model).T]),
    Mistake("columns-apart", "all sines first, then all cosines",
        say="Your first half holds the sines and your second half the cosines. Here the two numbers of a hand are neighbours: columns 0 and 1 are the first hand, columns 2 and 3 the next.",
        ways=[apart]),
    Mistake("cosine-first", "sine and cosine are exchanged",
        say="Your columns hold the cosine first. Position 0 should be 0, 1, 0, 1, … with the sine in the even columns.",
        ways=[lambda length, d_model: code(length, d_model, halves=(np.cos, np.sin))]),
    Mistake("one-wave", "a hand has only one wave",
        say="Both columns of a hand hold the same wave. One of them needs the sine and the other the cosine, because a wave alone passes each height twice.",
        ways=[lambda length, d_model, wave=wave: code(length, d_model, halves=(wave, wave)) for wave in (np.sin, np.cos)]),
    Mistake("one-speed", "all hands are equally fast",
        say="All your hands turn at the same speed. Hand i should be slower than the hand before it, by the same factor each time.",
        ways=with_speed(lambda i, d: 1.0, lambda i, d: 1 / POWERS, lambda i, d: POWERS ** (-2 / d))),
    Mistake("speed-per-column", "the cosine has a speed of its own",
        say="The sine and the cosine of a hand turn at different speeds. Both columns of hand i need the same speed, with i counting hands and not columns.",
        ways=[own_speeds, lambda length, d_model: own_speeds(length, d_model, 2)]),
    Mistake("column-empty", "half of the columns are still 0",
        say="You fill only one column of each hand. The sine goes into the even columns and the cosine into the odd ones.",
        ways=[lambda length, d_model, waves=waves: code(length, d_model, halves=waves) for waves in ((np.sin, np.zeros_like), (np.zeros_like, np.cos))]),
    Mistake("first-hand-still", "the first hand doesn't turn",
        say="Your first hand has speed 0. Its exponent should be 0, and 10000 to the power of 0 is 1, so check ** and the brackets around the exponent.",
        ways=with_speed(lambda i, d: 2 * i / d / POWERS, lambda i, d: i / d / POWERS**2)),
    Mistake("half-the-exponent", "the 2 is missing in the exponent",
        say="Your hands slow down at half the rate. The exponent of hand i is 2i/d_model, so that it runs from 0 nearly to 1.",
        ways=with_speed(lambda i, d: POWERS ** (-i / d))),
    Mistake("exponent-too-large", "the exponent is too large",
        say="Your hands slow down faster than they should. The exponent is 2i/d_model, where i counts hands: 0, 1, 2, …",
        ways=with_speed(lambda i, d: POWERS ** (-4 * i / d), lambda i, d: POWERS ** -(2.0 * i), lambda i, d: POWERS ** (-2 * (i + 1) / d))),
    Mistake("ends-at-one", "the last hand is slower than it should be",
        say="Your exponents run from 0 to exactly 1. The exponent of the last hand is a little less, because 2i never reaches d_model.",
        ways=with_speed(lambda i, d: POWERS ** -np.linspace(0, 1, len(i)))),
    Mistake("faster-and-faster", "each hand is faster than the one before",
        say="Your hands get faster from pair to pair. 10000 to a positive power is at least 1, so check whether you multiply or divide by it.",
        ways=with_speed(lambda i, d: POWERS ** (2 * i / d))),
    Mistake("slowest-first", "the hands are in the opposite order",
        say="Your slowest hand comes first. Columns 0 and 1 belong to the fastest hand, with speed 1.",
        ways=with_speed(lambda i, d: (POWERS ** (-2 * i / d))[::-1])),
    Mistake("another-base", "a number other than 10000",
        say="Your speeds fall from pair to pair, but not by the right factor. The base is 10000.",
        ways=with_speed(*[lambda i, d, base=base: base ** (-2 * i / d) for base in (1000.0, 1e5, np.e, 2.0, 10.0)])),
    Mistake("counts-from-one", "positions are counted from 1",
        say="Your first row is position 1. Positions are counted from 0, so the first row holds the sine and cosine of 0.",
        ways=[lambda length, d_model: code(length, d_model, first=1)]),
    Mistake("other-angles", "whole turns or degrees instead of radians",
        say="Your hands turn by another unit. np.sin takes radians, so the angle is just position times speed.",
        ways=[lambda length, d_model, turn=turn: code(length, d_model, turn=turn) for turn in (2 * np.pi, np.pi, np.pi / 180, 180 / np.pi)]),
    Mistake("divided-by-length", "the position is divided by the length",
        say="The same position gets another code in a longer text. Use the position itself, not its part of the length.",
        ways=[lambda length, d_model: code(length, d_model, turn=1 / length), lambda length, d_model: code(length, d_model, turn=1 / max(length - 1, 1))]),
    Mistake("no-waves", "the angles themselves",
        say="You return angles, which grow with the position. The encoding holds their sines and cosines, which stay between −1 and 1.",
        ways=[lambda length, d_model: code(length, d_model, halves=(np.array, np.array))]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="Something rounds, such as //. The angles are position times speed, and most of them are no whole numbers.",
        ways=[lambda length, d_model: maths.sinusoidal_encoding(length, d_model).round(),
            lambda length, d_model: np.stack([wave(np.arange(length)[:, None] // POWERS ** (np.arange(0, d_model, 2) / d_model))
                for wave in (np.sin, np.cos)], axis=-1).reshape(length, d_model)]),
)


@exercise(
    inputs={"three positions": (3, 4), "one hand": (4, 2), "as long as it is wide": (6, 6), "three hands": (5, 6),
        "a single position": (1, 4), "more than anyone types": (40, 16)},
    mistakes=MISTAKES, result="encoding", see=GLIDE)
def sinusoidal(length, d_model):
    """Check `f(length, d_model)` → (length, d_model), the sinusoidal encoding, sine and cosine of a hand side by side. Returns Feedback."""
    return maths.sinusoidal_encoding(length, d_model)
