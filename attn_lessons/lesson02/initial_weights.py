"""Lesson 02: random weights to start from, made so that queries and keys have standard deviation 1."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each

INPUTS = {
    "wide embeddings": (np.array([[1.0], [-2.0], [0.0], [3.0]]),),
    "narrow embeddings": (np.array([[2.0, -1.0, 4.0, 0.0, 1.0]]),),
    "as in the paper, but smaller": lambda draw: (draw(16, 4) + draw(16, 4) / 10,),
    "square": lambda draw: (draw(3, 3) - 0.5,),
    "more columns": lambda draw: (0.7 * draw(2, 5),),
    "tall": lambda draw: (draw(10, 3) + 0.25,),
}
# noise: (d_model, d_k)
WIDTH_MISTAKES = {
    "d-k-for-d-model": lambda noise: noise.shape[1],
    "both-widths": [
        np.size,
        lambda noise: sum(noise.shape),
        lambda noise: sum(noise.shape) / 2,
    ],
    "right-for-one-size": with_each((8, 2.84**2, 2.83**2), lambda noise, times: times * noise.shape[1]),
    "fixed-width": with_each((512, 64, 1000, 8, 2.83**2, 2.84**2), lambda noise, number: number),
}
ROOT_MISTAKES = {
    "without-root": lambda width: width,
    "power-before-division": [lambda width: 2 * width, lambda width: width / 2],
    "another-root": [np.cbrt, lambda width: width**0.25, np.log, np.square],
}
DIVIDE_MISTAKES = {
    "not-scaled": lambda noise, divisor: noise,
    "measured": [
        lambda noise, divisor: noise / noise.std(),
        lambda noise, divisor: noise / noise.std() / divisor,
        lambda noise, divisor: noise / np.linalg.norm(noise),
        lambda noise, divisor: noise / np.linalg.norm(noise, axis=0),
    ],
    "multiplied": lambda noise, divisor: noise * divisor,
    "factor-for-relu": lambda noise, divisor: noise * np.sqrt(2) / divisor,
    "rounded-to-whole": [
        lambda noise, divisor: noise / int(divisor),
        lambda noise, divisor: noise // divisor,
        lambda noise, divisor: np.trunc(noise / divisor),
        lambda noise, divisor: np.round(noise / divisor),
    ],
}
WIDTH = Step("noise", "width", WIDTH_MISTAKES, len)
ROOT = Step("width", "divisor", ROOT_MISTAKES, np.sqrt)
DIVIDE = Step("noise divisor", "result", DIVIDE_MISTAKES, np.divide)
STEPS = Steps("noise", {"width": WIDTH, "root": ROOT, "divide": DIVIDE})


@exercise(inputs=INPUTS, steps=STEPS, result="initial weights")
def initial_weights(noise):
    """Check `f(noise)` → weights (d_model, d_k) that keep X @ W at standard deviation 1. Returns Feedback."""
    return noise / np.sqrt(len(noise))
