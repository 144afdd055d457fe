"""Lesson 08: the sinusoidal encoding, a sine and a cosine for each hand of a clock, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, told_apart, with_each

POWERS = 10000.0


def hands(speed):
    """A column with the speed of each hand, made from its number and the width."""
    return lambda d: (speed(np.arange(d // 2), d) + np.zeros(d // 2))[:, None]


def per_column(times):
    """A speed for each column instead: those of a hand differ."""
    return lambda d: (POWERS ** (-times * np.arange(d) / d)).reshape(-1, 2)


def waves(first, second):
    """The two numbers of each hand, (length, hands, 2)."""
    return lambda angles: np.stack([first(angles[..., 0]), second(angles[..., -1])], axis=-1)


def in_rows(code):
    return code.reshape(len(code), -1)


# positions: (length,), speeds: (hands, 1), angles: (length, hands, 1), code: (length, hands, 2)
POSITIONS = {
    "counts-from-one": lambda length: np.arange(length) + 1,
    "other-angles": with_each(
        (2 * np.pi, np.pi, np.pi / 180, 180 / np.pi),
        lambda length, turn: turn * np.arange(length),
    ),
}
SPEEDS = {
    "one-speed": [
        hands(lambda i, d: 1.0),
        hands(lambda i, d: 1 / POWERS),
        hands(lambda i, d: POWERS ** (-2 / d)),
    ],
    "speed-per-column": [per_column(1), per_column(2)],
    "first-hand-still": [
        hands(lambda i, d: 2 * i / d / POWERS),
        hands(lambda i, d: i / d / POWERS**2),
    ],
    "divided-outside": [
        hands(lambda i, d: POWERS ** -(2.0 * i) / d),
        hands(lambda i, d: POWERS ** -(2.0 * i) * d),
    ],
    "half-the-exponent": hands(lambda i, d: POWERS ** (-i / d)),
    "exponent-too-large": [
        hands(lambda i, d: POWERS ** (-4 * i / d)),
        hands(lambda i, d: POWERS ** -(2.0 * i)),
        hands(lambda i, d: POWERS ** (-2 * (i + 1) / d)),
        hands(lambda i, d: POWERS ** (-i / max(d // 2 - 1, 1))),
    ],
    "width-typed": [hands(lambda i, d, width=width: POWERS ** (-2 * i / width)) for width in (4, 8, 16, 512)],
    "faster-and-faster": hands(lambda i, d: POWERS ** (2 * i / d)),
    "another-base": [
        hands(lambda i, d, base=base: base ** (-2 * i / d)) for base in (1000.0, 1e5, np.e, 10.0)
    ],
}
ANGLES = {
    "added": lambda positions, speeds: positions[:, None, None] + speeds,
    "quotient-to-a-power": lambda positions, speeds: (
        (positions[:, None, None] / POWERS) ** (-np.log(speeds) / np.log(POWERS))
    ),
}
WAVES = {
    "cosine-first": waves(np.cos, np.sin),
    "one-wave": [waves(np.sin, np.sin), waves(np.cos, np.cos)],
    "column-empty": [waves(np.sin, np.zeros_like), waves(np.zeros_like, np.cos)],
    "no-waves": [waves(np.array, np.array), lambda angles: angles],
}
LAYOUT = {
    "transposed": lambda code: in_rows(code).T,
    "columns-apart": lambda code: in_rows(code.swapaxes(1, 2)),
    "sines-above-cosines": lambda code: code.transpose(2, 0, 1).reshape(len(code), -1),
    "not-joined": [lambda code: code, lambda code: np.moveaxis(code, -1, 0)],
    "rows-empty": lambda code: in_rows(code) * (np.arange(len(code)) == 0)[:, None],
    "first-row-empty": lambda code: in_rows(code) * (np.arange(len(code)) > 0)[:, None],
    "last-hand-empty": lambda code: np.hstack([in_rows(code[:, :-1]), 0 * code[:, -1]]),
    "overwritten": lambda code: np.hstack([code[..., 0], code[:, -1:, 1], 0 * code[:, 1:, 0]]),
}
STEPS = Steps(
    "length d_model",
    {
        "positions": Step("length", "positions", POSITIONS, np.arange),
        "speeds": Step(
            "d_model",
            "speeds",
            SPEEDS,
            hands(lambda i, d: POWERS ** (-2 * i / d)),
        ),
        "angles": Step(
            "positions speeds",
            "angles",
            ANGLES,
            lambda positions, speeds: positions[:, None, None] * speeds,
        ),
        "waves": Step("angles", "code", WAVES, waves(np.sin, np.cos)),
        "layout": Step("code", "result", LAYOUT, in_rows),
    },
)
encoding = STEPS.whole({})
OTHERS = {
    "length-in-the-exponent": lambda length, d: STEPS.whole(
        {"speeds": hands(lambda i, _: POWERS ** (-2 * i / length))}
    )(length, d),
    "speed-outside": lambda length, d: (
        np.repeat(POWERS ** (-2 * np.arange(d // 2) / d), 2)
        * STEPS.whole({"speeds": hands(lambda i, d: 1.0)})(length, d)
    ),
}


def hand_by_hand(ask, given, wanted, got):
    """Say which hand is the first that isn't a sine beside a cosine, or where it points and should."""

    def hands_of(code):
        return code.reshape(len(code), -1, 2)

    differs = ~np.isclose(hands_of(got[0]), hands_of(wanted[0]), rtol=1e-5, atol=1e-8).all(axis=-1)
    row, hand = np.argwhere(differs)[0]
    mine, right = (hands_of(codes[0])[row, hand] for codes in (got, wanted))
    if not np.isclose(mine @ mine, 1):
        return (
            f"Row {row}, columns {2 * hand} and {2 * hand + 1}, hold {mine[0]:.3g} and {mine[1]:.3g}. They "
            "can't be the sine and the cosine of one angle, because their squares don't sum to 1."
        )
    here, there = told_apart(*(np.arctan2(*pair) % (2 * np.pi) for pair in (mine, right)))
    return (
        f"At position {row} your hand {hand}, counted from 0, points to {here} radians, and should point to "
        f"{there}. Check its speed, and the position."
    )


@exercise(
    own=hand_by_hand,
    inputs={
        "three positions": (3, 4),
        "one hand": (4, 2),
        "as long as it is wide": (6, 6),
        "three hands": (5, 6),
        "a single position": (1, 4),
        "more than anyone types": (40, 16),
    },
    mistakes=[STEPS.mistakes(), OTHERS],
    steps=STEPS,
    result="encoding",
)
def sinusoidal(length, d_model):
    """Check `f(length, d_model)` → (length, d_model), the sinusoidal encoding, sine and cosine of a hand side
    by side.

    Returns Feedback.
    """
    return encoding(length, d_model)
