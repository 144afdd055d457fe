"""Lesson 02, transfer: the divisor for queries and keys whose entries have any standard deviation."""

import math

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, with_each
from attn_lessons.lesson02.scaled_scores import ANOTHER_ROOT

# Each step is made of variances: of one product, of their sum, and the root of that.
SIZE_MISTAKES = {
    "sizes-ignored": lambda q, k: (1.0, 1.0),
    "one-size-only": [
        lambda q, k: (q, 1),
        lambda q, k: (1, k),
        lambda q, k: (q, q),
        lambda q, k: (k, k),
        lambda q, k: (max(q, k), 1),
        lambda q, k: (max(q, k), max(q, k)),
    ],
}
TERM_MISTAKES = {
    "sizes-under-the-root": [
        lambda q, k: q * k,
    ],
    "sizes-squared": [
        lambda q, k: (q * k) ** 4,
    ],
    "sizes-added": [
        lambda q, k: q**2 + k**2,
        lambda q, k: (q + k) ** 2,
        lambda q, k: q + k,
        lambda q, k: ((q + k) / 2) ** 2,
    ],
    "upside-down": [
        lambda q, k: (q / k) ** 2,
        lambda q, k: (q * k) ** -2,
    ],
}
SUM_MISTAKES = {
    "d-k-ignored": lambda d_k, term: term,
    "d-k-without-root": lambda d_k, term: d_k**2 * term,
    "halved": lambda d_k, term: (d_k / 2) ** 2 * term,
    "d-k-added": [
        lambda d_k, term: d_k + term,
        lambda d_k, term: (np.sqrt(d_k) + np.sqrt(term)) ** 2,
        lambda d_k, term: (d_k + np.sqrt(term)) ** 2,
    ],
    "another-root": with_each(ANOTHER_ROOT, lambda d_k, term, root: root(d_k) ** 2 * term),
    "term-left-out": [
        lambda d_k, term: (d_k - 1) * term,
    ],
    "upside-down": lambda d_k, term: term / d_k,
    "rounded-to-whole": lambda d_k, term: math.isqrt(d_k) ** 2 * term,
}
ROOT_MISTAKES = {
    "variance": lambda variance: variance,
    "halved": lambda variance: variance / 2,
    "upside-down": [
        lambda variance: 1 / np.sqrt(variance),
        lambda variance: 1 / variance,
    ],
    "rounded-to-whole": lambda variance: int(np.sqrt(variance)),
}
STEPS = Steps(
    "d_k q_std k_std",
    {
        "sizes": Step("q_std k_std", "q_std k_std", SIZE_MISTAKES),
        "term": Step(
            "q_std k_std",
            "term",
            TERM_MISTAKES,
            lambda q, k: (q * k) ** 2,
        ),
        "sum": Step("d_k term", "variance", SUM_MISTAKES, lambda d_k, term: d_k * term),
        "root": Step("variance", "result", ROOT_MISTAKES, np.sqrt),
    },
)


def is_scattered(ask, q_std, k_std):
    """Whether the divisor, over the right one, goes up and down as d_k grows, which no formula does."""
    widths = [1, 2, 3, 4, 8, 16, 32, 64]
    mine = [ask(d_k, q_std, k_std) for d_k in widths]
    if any(one is None or one[0].shape != () for one in mine):
        return False
    ratios = np.array([one[0] for one in mine]) / (np.sqrt(widths) * q_std * k_std)
    turns = (np.diff(np.sign(np.diff(ratios).round(9))) != 0).sum()
    return bool(turns > 1 and (abs(ratios - 1) < 0.6).all() and (abs(ratios - 1) > 1e-6).all())


def what_counts_wrongly(ask, given, wanted, got):
    """Which of the three numbers does not double the divisor where it should."""
    names = ("d_k", "q_std", "k_std")
    effects = []
    if is_scattered(ask, *given[1:]):
        return (
            "As d_k grows, the error of your number goes up and down, as in measurements of random "
            "numbers. Work the divisor out from d_k and the two standard deviations, which is exact."
        )
    for place, factor in enumerate((4, 2, 2)):
        changed = (*given[:place], given[place] * factor, *given[place + 1 :])
        mine = ask(*changed)
        if mine is None or mine[0].shape != () or np.isnan(mine[0]):
            return ""
        effects.append((names[place], given[place], changed[place], mine[0]))
    wrong = [effect for effect in effects if not math.isclose(effect[3], 2 * got[0], rel_tol=1e-5)]
    if not wrong:
        return ""
    name, before, after, mine = wrong[0]
    return (
        f"{name} has the wrong effect. When only {name} goes from {before:g} to {after:g}, the divisor "
        f"must double, but yours goes from {got[0]:.4g} to {mine:.4g}."
    )


@exercise(
    own=what_counts_wrongly,
    steps=STEPS,
    result="divisor",
    inputs={
        "large queries": (4, 3.0, 1.0),
        "large keys": (4, 1.0, 5.0),
        "standard deviation 1": (9, 1.0, 1.0),
        "both large": (16, 3.0, 2.0),
        "small entries": (25, 0.5, 0.2),
        "no whole root": (10, 1.5, 2.0),
        "one wide": (1, 2.0, 3.0),
    },
)
def score_divisor(d_k, q_std, k_std):
    """Check `f(d_k, q_std, k_std)` → the standard deviation of q·k, to divide scores by. Returns Feedback."""
    return np.sqrt(d_k) * q_std * k_std
