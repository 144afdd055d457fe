"""Lesson 08: the sinusoidal encoding, a sine and a cosine for each hand of a clock, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, told_apart

GLIDE = "l08-glide"
POWERS = 10000.0


def hands(speed):
    """A column with the speed of each hand, made from its number, the width and the length."""
    return lambda d, length: (speed(np.arange(d // 2), d, length) + np.zeros(d // 2))[:, None]


def per_column(times):
    """A speed for each column instead: those of a hand differ."""
    return lambda d, length: (POWERS ** (-times * np.arange(d) / d)).reshape(-1, 2)


def waves(first, second):
    """The two numbers of each hand, (length, hands, 2)."""
    return lambda angles: np.stack([first(angles[..., 0]), second(angles[..., -1])], axis=-1)


def in_rows(code):
    return code.reshape(len(code), -1)


# fmt: off
STEPS = Steps("length d_model", {
    "positions": Step("length", "positions", [
        Mistake("counts-from-one", "positions are counted from 1",
            say="Your first row is position 1. Positions are counted from 0, so the first row holds the sine and cosine of 0.",
            ways=[lambda length: np.arange(length) + 1]),
        Mistake("other-angles", "the angles have a factor too many",
            say="Your angles are multiplied by a factor such as 2π or π/180. np.sin takes radians, so the angle is just position times speed.",
            ways=[lambda length, turn=turn: turn * np.arange(length) for turn in (2 * np.pi, np.pi, np.pi / 180, 180 / np.pi)])], np.arange),
    "speeds": Step("d_model length", "speeds", [
        Mistake("one-speed", "all hands are equally fast",
            say="All your hands turn at the same speed. Hand i should be slower than the hand before it, by the same factor each time.",
            ways=[hands(lambda i, d, n: 1.0), hands(lambda i, d, n: 1 / POWERS), hands(lambda i, d, n: POWERS ** (-2 / d))]),
        Mistake("speed-per-column", "the cosine has a speed of its own",
            say="The sine and the cosine of a hand turn at different speeds. Both columns of hand i need the same speed, with i counting hands and not columns.",
            ways=[per_column(1), per_column(2)]),
        Mistake("first-hand-still", "the first hand doesn't turn",
            say="Your first hand has speed 0. Its exponent should be 0, and 10000 to the power of 0 is 1, so check ** and the brackets around the exponent.",
            ways=[hands(lambda i, d, n: 2 * i / d / POWERS), hands(lambda i, d, n: i / d / POWERS**2)]),
        Mistake("divided-outside", "the division is outside the exponent",
            say="You divide by d_model outside the exponent. ** comes before /, so put 2i / d_model in brackets.",
            ways=[hands(lambda i, d, n: POWERS ** -(2.0 * i) / d), hands(lambda i, d, n: POWERS ** -(2.0 * i) * d)]),
        Mistake("half-the-exponent", "the exponent is half as large as it should be",
            say="Your hands slow down at half the rate. The exponent of hand i is 2i/d_model, so that it runs from 0 nearly to 1.",
            ways=[hands(lambda i, d, n: POWERS ** (-i / d))]),
        Mistake("exponent-too-large", "the exponent is too large",
            say="Your exponent is too large. For hand i it is 2i/d_model, where i counts hands: 0, 1, 2, …",
            ways=[hands(lambda i, d, n: POWERS ** (-4 * i / d)), hands(lambda i, d, n: POWERS ** -(2.0 * i)),
                hands(lambda i, d, n: POWERS ** (-2 * (i + 1) / d)), hands(lambda i, d, n: POWERS ** (-i / max(d // 2 - 1, 1)))]),
        Mistake("length-in-the-exponent", "the exponent is divided by the length",
            say="You divide the exponent by the length. It's 2i/d_model, so that a position has the same code in every text.",
            ways=[hands(lambda i, d, n: POWERS ** (-2 * i / n))]),
        Mistake("width-typed", "the exponent is divided by a fixed number",
            say="You divide the exponent by the same number at every width, typed or left over from another cell. Divide by d_model.",
            ways=[hands(lambda i, d, n, width=width: POWERS ** (-2 * i / width)) for width in (4, 8, 16, 512)]),
        Mistake("faster-and-faster", "each hand is faster than the one before",
            say="Your hands get faster from pair to pair. 10000 to a positive power is at least 1, so check whether you multiply or divide by it.",
            ways=[hands(lambda i, d, n: POWERS ** (2 * i / d))]),
        Mistake("another-base", "a number other than 10000",
            say="Your speeds fall from pair to pair, but not by the right factor. The base is 10000.",
            ways=[hands(lambda i, d, n, base=base: base ** (-2 * i / d)) for base in (1000.0, 1e5, np.e, 10.0)])], hands(lambda i, d, n: POWERS ** (-2 * i / d))),
    "angles": Step("positions speeds", "angles", [
        Mistake("added", "position and speed are added",
            say="You add the speed to the position. A hand that turns by its speed at every word has turned by position times speed.",
            ways=[lambda positions, speeds: positions[:, None, None] + speeds]),
        Mistake("quotient-to-a-power", "the position gets the exponent as well",
            say="You divide the position by 10000 and raise the result to a power. Only 10000 gets the exponent, so the brackets belong around 10000 ** ….",
            ways=[lambda positions, speeds: (positions[:, None, None] / POWERS) ** (-np.log(speeds) / np.log(POWERS))])], lambda positions, speeds: positions[:, None, None] * speeds),
    "waves": Step("angles", "code", [
        Mistake("cosine-first", "sine and cosine are exchanged",
            say="Your hands begin with the cosine. The sine belongs in the even columns and the cosine in the odd ones.",
            ways=[waves(np.cos, np.sin)]),
        Mistake("one-wave", "a hand has only one wave",
            say="Both columns of a hand hold the same wave. One of them needs the sine and the other the cosine, because a wave alone passes each height twice.",
            ways=[waves(np.sin, np.sin), waves(np.cos, np.cos)]),
        Mistake("column-empty", "half of the columns are still 0",
            say="You fill only one column of each hand. The sine goes into the even columns and the cosine into the odd ones.",
            ways=[waves(np.sin, np.zeros_like), waves(np.zeros_like, np.cos)]),
        Mistake("no-waves", "the angles themselves",
            say="You return angles, which grow with the position. The encoding holds their sines and cosines, which stay between −1 and 1.",
            ways=[waves(np.array, np.array), lambda angles: angles])], waves(np.sin, np.cos)),
    "layout": Step("code", "result", [
        Mistake("transposed", "rows and columns are exchanged",
            say="Your rows are columns of the encoding. Each position is a row, so the shape is (length, d_model).",
            ways=[lambda code: in_rows(code).T]),
        Mistake("columns-apart", "the two columns of a hand are apart",
            say="The first half of your columns holds one number of each hand, the second half the other. Here the two are neighbours: columns 0 and 1 are the first hand, columns 2 and 3 the next.",
            ways=[lambda code: in_rows(code.swapaxes(1, 2))]),
        Mistake("sines-above-cosines", "the sines of all positions first, then the cosines",
            say="Your reshape reads all sines before the first cosine, so rows mix positions. Stack them along the last axis, or fill the even and the odd columns.",
            ways=[lambda code: code.transpose(2, 0, 1).reshape(len(code), -1)]),
        Mistake("not-joined", "three axes instead of two",
            say="Your result has three axes. The two numbers of a hand should be side by side in the row of a position, so the shape is (length, d_model).",
            ways=[lambda code: code, lambda code: np.moveaxis(code, -1, 0)]),
        Mistake("rows-empty", "all rows except the first are 0",
            say="Only your first row is filled, and all others hold only 0. Is return inside the loop over positions, or can your array hold whole numbers only?",
            ways=[lambda code: in_rows(code) * (np.arange(len(code)) == 0)[:, None]]),
        Mistake("first-row-empty", "the first row is 0",
            say="Your first row holds only 0. Position 0 has a code as well, 0, 1, 0, 1, …, so fill row 0 as well.",
            ways=[lambda code: in_rows(code) * (np.arange(len(code)) > 0)[:, None]]),
        Mistake("last-hand-empty", "the last hand is missing",
            say="The two columns of your last hand hold only 0. There are d_model // 2 hands, and range already stops before its end.",
            ways=[lambda code: np.hstack([in_rows(code[:, :-1]), 0 * code[:, -1]])]),
        Mistake("overwritten", "hands overwrite each other",
            say="You put hand i into columns i and i + 1, so the next hand overwrites one of them. Its columns are 2i and 2i + 1.",
            ways=[lambda code: np.hstack([code[..., 0], code[:, -1:, 1], 0 * code[:, 1:, 0]])])], in_rows),
})
encoding = STEPS.whole({})
SPEED_OUTSIDE = Mistake("speed-outside", "the waves are multiplied by the speed",
    say="You multiply the sine and the cosine by the speed, which makes a hand shorter, not slower. The speed belongs inside, times the position.",
    ways=[lambda length, d: np.repeat(POWERS ** (-2 * np.arange(d // 2) / d), 2) * STEPS.whole({"speeds": hands(lambda i, d, n: 1.0)})(length, d)])


def hand_by_hand(ask, given, wanted, got):
    """Say which hand is the first that isn't a sine beside a cosine, or where it points and should."""
    hands_of = lambda code: code.reshape(len(code), -1, 2)  # noqa: E731
    differs = ~np.isclose(hands_of(got[0]), hands_of(wanted[0]), rtol=1e-5, atol=1e-8).all(axis=-1)
    row, hand = np.argwhere(differs)[0]
    mine, right = (hands_of(codes[0])[row, hand] for codes in (got, wanted))
    if not np.isclose(mine @ mine, 1):
        return f"Row {row}, columns {2 * hand} and {2 * hand + 1}, hold {mine[0]:.3g} and {mine[1]:.3g}. They can't be the sine and the cosine of one angle, because their squares don't sum to 1."
    here, there = told_apart(*(np.arctan2(*pair) % (2 * np.pi) for pair in (mine, right)))
    return f"At position {row} your hand {hand}, counted from 0, points to {here} radians, and should point to {there}. Check its speed, and the position."


@exercise(own=hand_by_hand,
    inputs={"three positions": (3, 4), "one hand": (4, 2), "as long as it is wide": (6, 6), "three hands": (5, 6),
        "a single position": (1, 4), "more than anyone types": (40, 16)},
    mistakes=[*STEPS.mistakes(), SPEED_OUTSIDE], steps=STEPS, result="encoding", see=GLIDE)
def sinusoidal(length, d_model):
    """Check `f(length, d_model)` → (length, d_model), the sinusoidal encoding, sine and cosine of a hand side by side. Returns Feedback."""
    return encoding(length, d_model)
