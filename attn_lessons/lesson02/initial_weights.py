"""Lesson 02: random weights to start from, made so that queries and keys have standard deviation 1."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise
from attn_lessons.lesson02.scaled_scores import ANOTHER_ROOT

WHERE = "l02-initial"

INPUTS = {
    "wide embeddings": (np.array([[1.0], [-2.0], [0.0], [3.0]]),),
    "narrow embeddings": (np.array([[2.0, -1.0, 4.0, 0.0, 1.0]]),),
    "as in the paper, but smaller": lambda draw: (draw(16, 4) + draw(16, 4) / 10,),
    "square": lambda draw: (draw(3, 3) - 0.5,),
    "more columns": lambda draw: (0.7 * draw(2, 5),),
    "tall": lambda draw: (draw(10, 3) + 0.25,),
}


# fmt: off
WIDTH_MISTAKES = [
    Mistake("d-k-for-d-model", "d_k instead of d_model",
        say="d_k counts the entries of a query. How many products does a *single* entry of X @ W add up?",
        ways=[lambda noise: noise.shape[1]]),
    Mistake("both-widths", "both widths are in the divisor",
        say="Your divisor depends on d_model and on d_k. Only one of them is the number of products in an entry of X @ W.",
        ways=[np.size, lambda noise: sum(noise.shape), lambda noise: sum(noise.shape) / 2,
            lambda noise: len(noise) / noise.shape[1], lambda noise: noise.shape[1] / len(noise)]),
    Mistake("right-for-one-size", "a divisor that is right for 512 by 64 only",
        say="You count about 8 times d_k, which is d_model for 512 by 64 only. Count the products in an entry of X @ W.",
        ways=[lambda noise, root=root: root**2 * noise.shape[1] for root in (np.sqrt(8), 2.84, 2.83)]),
    Mistake("fixed-width", "a fixed number instead of d_model",
        say="You divide by the same number whatever comes in. Read the width off the shape of the noise.",
        ways=[lambda noise, number=number: number for number in (512, 64, 1000, 8)]),
]
ROOT_MISTAKES = [
    Mistake("without-root", "without the root",
        say="d_model is the variance that you want to remove. The standard deviation is its root.",
        ways=[lambda width: width]),
    Mistake("power-before-division", "half or twice, not the root",
        say="Your divisor is half or twice the width. If you wrote ** 1/2 or ** -1/2, Python takes the power first and halves afterwards. Put the exponent in parentheses, or take a square root.",
        ways=[lambda width: 2 * width, lambda width: width / 2]),
    ANOTHER_ROOT,
]
DIVIDE_MISTAKES = [
    Mistake("not-scaled", "the noise is left as it is",
        say="Your weights are the noise itself. An entry of X @ W adds up many products, so its standard deviation is far above 1.",
        ways=[lambda noise, divisor: noise]),
    Mistake("measured", "divided by something measured",
        say="You divide by the standard deviation or the length of this very noise. The divisor follows only from how many products an entry of X @ W adds up.",
        ways=[lambda noise, divisor: noise / noise.std(), lambda noise, divisor: noise / noise.std() / divisor,
            lambda noise, divisor: noise / np.linalg.norm(noise), lambda noise, divisor: noise / np.linalg.norm(noise, axis=0)]),
    Mistake("multiplied", "multiplied, not divided",
        say="Your weights grew. Sums of products are too large already, so the weights must become smaller.",
        ways=[lambda noise, divisor: noise * divisor]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="A //, int() or a rounding cuts the decimals off. Weights and divisors may be any numbers.",
        ways=[lambda noise, divisor: noise / int(divisor), lambda noise, divisor: noise // divisor, lambda noise, divisor: np.trunc(noise / divisor),
            lambda noise, divisor: np.round(noise / divisor)]),
]
STEPS = Steps("noise", {
    "width": Step("noise", "width", WIDTH_MISTAKES, len),
    "root": Step("width", "divisor", ROOT_MISTAKES, np.sqrt),
    "divide": Step("noise divisor", "result", DIVIDE_MISTAKES, np.divide),
})


@exercise(inputs=INPUTS, steps=STEPS, result="initial weights", see=WHERE)
def initial_weights(noise):
    """Check `f(noise)` → weights (d_model, d_k) that keep X @ W at standard deviation 1. Returns Feedback."""
    return noise / np.sqrt(len(noise))
