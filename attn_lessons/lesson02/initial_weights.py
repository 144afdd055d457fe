"""Lesson 02: random weights to start from, made so that queries and keys have standard deviation 1."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table

WHERE = "l02-initial"

INPUTS = {
    "wide embeddings": (np.array([[1.0], [-2.0], [0.0], [3.0]]),),
    "narrow embeddings": (np.array([[2.0, -1.0, 4.0, 0.0, 1.0]]),),
    "as in the paper, but smaller": lambda draw: (draw(16, 4) + draw(16, 4) / 10,),
    "square": lambda draw: (draw(3, 3) - 0.5,),
    "more columns": lambda draw: (0.7 * draw(2, 5),),
    "tall": lambda draw: (draw(10, 3) + 0.25,),
}


def by(divisor):
    """A division of the noise by what `divisor` makes of its two widths."""
    return lambda noise: noise / divisor(*noise.shape)


# fmt: off
MISTAKES = table(
    WHERE,
    Mistake("not-scaled", "the noise is left as it is",
        say="Your weights are the noise itself. An entry of X @ W adds up many products, so its standard deviation is far above 1.",
        ways=[lambda noise: noise]),
    Mistake("divided-by-root-of-d-k", "divided by √d_k",
        say="d_k counts the entries of a query. How many products does a *single* entry of X @ W add up?",
        ways=[by(lambda d_model, d_k: np.sqrt(d_k))]),
    Mistake("divided-by-d-model", "divided by d_model, without the root",
        say="d_model is the variance that you want to remove. The standard deviation is its root.",
        ways=[by(lambda d_model, d_k: d_model)]),
    Mistake("power-before-division", "** binds before /",
        say="Python reads d_model ** 1/2 as (d_model ** 1)/2. Put 1/2 in parentheses, or take a square root.",
        ways=[by(lambda d_model, d_k: 2 * d_model), by(lambda d_model, d_k: d_model / 2)]),
    Mistake("divided-by-d-k", "divided by d_k",
        say="d_k counts the entries of a query. An entry of X @ W is a sum over something else, and its standard deviation is a root.",
        ways=[by(lambda d_model, d_k: d_k)]),
    Mistake("both-widths", "both widths are in the divisor",
        say="Your divisor depends on d_model and on d_k. Only one of them is the number of products in an entry of X @ W.",
        ways=[by(lambda d_model, d_k: np.sqrt(d_model * d_k)), by(lambda d_model, d_k: np.sqrt(d_model + d_k)),
            by(lambda d_model, d_k: np.sqrt((d_model + d_k) / 2)), by(lambda d_model, d_k: np.sqrt(d_model / d_k)),
            by(lambda d_model, d_k: np.sqrt(d_k / d_model))]),
    Mistake("right-for-one-size", "a divisor that is right for 512 by 64 only",
        say="Your divisor is right only where d_model is 8 times d_k. Count the products in an entry of X @ W.",
        ways=[by(lambda d_model, d_k: np.sqrt(8 * d_k)), by(lambda d_model, d_k: 2.84 * np.sqrt(d_k)),
            by(lambda d_model, d_k: 2.83 * np.sqrt(d_k))]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="A //, int() or a rounding cuts the decimals off. Weights may be any numbers.",
        ways=[lambda noise: noise // np.sqrt(len(noise)), lambda noise: np.trunc(noise / np.sqrt(len(noise))),
            lambda noise: np.round(noise / np.sqrt(len(noise)))]),
    Mistake("multiplied", "multiplied, not divided",
        say="Your weights grew. Sums of products are too large already, so the weights must become smaller.",
        ways=[by(lambda d_model, d_k: d_model**-0.5), by(lambda d_model, d_k: d_k**-0.5)]),
    Mistake("shape-as-divisor", "divided by all sizes of a shape",
        say="A shape is a tuple with one size per axis, so every column gets a divisor of its own. Choose one size.",
        ways=[lambda noise: noise / np.sqrt(noise.shape)]),
    Mistake("fixed-width", "a fixed number instead of d_model",
        say="You divide by the same number whatever comes in. Read the width off the shape of the noise.",
        ways=[by(lambda d_model, d_k, number=number: number) for number in (8, np.sqrt(8), 64, np.sqrt(512), 512,
            np.sqrt(1000))]),
)


@exercise(inputs=INPUTS, mistakes=MISTAKES, result="initial weights", see=WHERE)
def initial_weights(noise):
    """Check `f(noise)` → weights (d_model, d_k) that keep X @ W at standard deviation 1. Returns Feedback."""
    return noise / np.sqrt(len(noise))
