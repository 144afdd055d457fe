"""Lesson 13: probabilities of the next letter with a temperature, top-p and a list of allowed letters."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise
from attn_lessons.lesson11.top_p import of_the_likeliest as most_likely
from attn_parts import mathematics as maths


def blocked(logits, allowed):
    return np.where(allowed, logits, -np.inf)


def normalised(numbers):
    return numbers / max(numbers.sum(), 1e-9)


ALLOW = {
    "all-allowed": lambda logits, allowed: logits,
    "allowed-inverted": lambda logits, allowed: np.where(allowed, -np.inf, logits),
    "zero-for-infinity": lambda logits, allowed: np.where(allowed, logits, 0),
}
HEAT = {
    "temperature-forgotten": lambda logits, temperature: logits,
    "times-temperature": lambda logits, temperature: logits * temperature,
}
SOFTMAX = {
    "softmax-twice": lambda x: maths.softmax(maths.softmax(x)),
    "no-softmax": lambda x: np.where(np.isfinite(x), x, 0) / np.where(np.isfinite(x), x, 0).sum(),
    "argmax": lambda x: np.eye(len(x))[x.argmax()],
}
CUT = {
    "top-p-forgotten": lambda probabilities, p: probabilities,
    "not-renormalised": lambda probabilities, p: probabilities * (most_likely(probabilities, p) > 0),
    "threshold": lambda probabilities, p: normalised(np.where(probabilities >= p, probabilities, 0)),
    "letters-for-probabilities": [
        lambda probabilities, p: probabilities.argmax(),
        lambda probabilities, p: most_likely(probabilities, p).argmax(),
    ],
}
STEPS = Steps(
    "logits temperature p allowed",
    {
        "allow": Step("logits allowed", "open", ALLOW, blocked),
        "heat": Step("open temperature", "scaled", HEAT, np.divide),
        "softmax": Step("scaled", "probabilities", SOFTMAX, maths.softmax),
        "cut": Step("probabilities p", "result", CUT, most_likely),
    },
)


def late(logits, temperature, p, allowed):
    """Forbidden letters set to 0 only after top-p."""
    return most_likely(maths.softmax(logits / temperature), p) * allowed


def cut_first(logits, p, allowed):
    """What top-p leaves without a temperature."""
    return most_likely(maths.softmax(blocked(logits, allowed)), p)


OWN = {
    "blocked-after-softmax": lambda logits, temperature, p, allowed: most_likely(
        maths.softmax(logits / temperature) * allowed, p
    ),
    "blocked-after-top-p": [late, lambda *given: late(*given) / late(*given).sum()],
    "temperature-after-top-p": [
        lambda logits, temperature, *given: maths.softmax(cut_first(logits, *given) / temperature),
        lambda logits, temperature, *given: normalised(cut_first(logits, *given) ** (1 / temperature)),
    ],
    "temperature-after-softmax": lambda logits, temperature, p, allowed: most_likely(
        maths.softmax(blocked(logits, allowed)) / temperature, p
    ),
}


def logits(*numbers):
    return np.log(np.array(numbers))


@exercise(
    steps=STEPS,
    mistakes=[OWN, STEPS.mistakes()],
    result="probabilities",
    inputs={
        "four letters": (
            logits(0.5, 0.3, 0.15, 0.05),
            1.0,
            0.55,
            np.array([False, True, True, True]),
        ),
        "cold": (
            logits(0.4, 0.3, 0.2, 0.1),
            0.5,
            0.7,
            np.array([True, True, True, False]),
        ),
        "hot": (
            np.array([2.0, 1.0, 0.5, -1.0, 0.0]),
            2.0,
            0.9,
            np.array([True, False, True, True, True]),
        ),
        "all allowed": (np.array([3.0, 1.0, 2.0]), 1.5, 0.8, np.ones(3, bool)),
        "one allowed": (
            np.array([3.0, 1.0, -2.0]),
            0.7,
            0.9,
            np.array([False, False, True]),
        ),
        "the most likely forbidden": (
            np.array([4.0, 1.0, 0.9, 0.2, -1.0, -2.0]),
            1.2,
            0.75,
            np.array([False, True, True, True, True, True]),
        ),
    },
)
def next_letter(logits, temperature, p, allowed):
    """Check `f(logits, temperature, p, allowed)` → the probability of each next letter. Returns Feedback."""
    return STEPS.whole({})(logits, temperature, p, allowed)
