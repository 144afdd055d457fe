"""Lesson 02, transfer: the divisor for queries and keys whose entries have any standard deviation."""

import math

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise
from attn_lessons.lesson02.scaled_scores import ANOTHER_ROOT, HOW_LARGE

# fmt: off
UPSIDE_DOWN = Mistake("upside-down", "it falls where it should grow",
    say="Your divisor falls when one of d_k, q_std and k_std grows. More and larger entries make larger scores, so the divisor should grow with each of the three.",
    ways=[lambda variance: 1 / np.sqrt(variance), lambda variance: 1 / variance])
HALVED = Mistake("halved", "half instead of the root",
    say="You halve instead of taking the root. If you wrote x ** 1/2, Python reads (x ** 1)/2, because ** binds before /.",
    ways=[lambda variance: variance / 2])
ROUNDED = Mistake("rounded-to-whole", "something is rounded to a whole number",
    say="A //, int(), isqrt or a rounding cuts the decimals off. A divisor may be any number.",
    ways=[lambda variance: int(np.sqrt(variance))])
# Each step is made of variances: of one product, of their sum, and the root of that.
SIZE_MISTAKES = [
    Mistake("sizes-ignored", "the standard deviations are ignored",
        say="√d_k is right for entries with standard deviation 1. In step 1 of the derivation, what is the mean of q₁² now?",
        ways=[lambda q, k: (1.0, 1.0)]),
    Mistake("one-size-only", "only one of the two standard deviations counts",
        say="Each term of the sum is an entry of the query times an entry of the key. So both q_std and k_std count.",
        ways=[lambda q, k: (q, 1), lambda q, k: (1, k), lambda q, k: (q, q), lambda q, k: (k, k),
            lambda q, k: (max(q, k), 1), lambda q, k: (min(q, k), 1), lambda q, k: (max(q, k), max(q, k))]),
]
TERM_MISTAKES = [
    Mistake("sizes-under-the-root", "a standard deviation under the root, not a variance",
        say="The number under the root must be a variance, but q_std and k_std are standard deviations. What is the variance of an entry of the query, and of the key?",
        ways=[lambda q, k: q * k, lambda q, k: q**2 * k, lambda q, k: q * k**2]),
    Mistake("sizes-squared", "a variance outside the root, not a standard deviation",
        say="You multiply by q_std² or k_std², which are variances. The divisor is a standard deviation, so square both *under* the root or neither outside it.",
        ways=[lambda q, k: (q * k) ** 4, lambda q, k: q**4 * k**2, lambda q, k: q**2 * k**4]),
    Mistake("sizes-added", "added, not multiplied",
        say="You add the numbers of the query and the key. Variances add up for the terms of a *sum*, but the two entries of one term are multiplied.",
        ways=[lambda q, k: q**2 + k**2, lambda q, k: (q + k) ** 2, lambda q, k: q + k, lambda q, k: ((q + k) / 2) ** 2]),
    UPSIDE_DOWN._replace(ways=[lambda q, k: (q / k) ** 2, lambda q, k: (k / q) ** 2, lambda q, k: (q * k) ** -2]),
]
SUM_MISTAKES = [
    Mistake("d-k-ignored", "d_k is ignored",
        say="Your number doesn't depend on d_k. A score adds up d_k products, so more of them need a larger divisor.",
        ways=[lambda d_k, term: term]),
    Mistake("d-k-without-root", "d_k without its root",
        say="d_k counts in full. Variances add up, and the standard deviation is their root.",
        ways=[lambda d_k, term: d_k**2 * term]),
    HALVED._replace(ways=[lambda d_k, term: (d_k / 2) ** 2 * term]),
    Mistake("d-k-added", "d_k is added, not multiplied",
        say="You add d_k. A score adds up d_k products with equal variance, so its variance is d_k *times* that of one product.",
        ways=[lambda d_k, term: d_k + term, lambda d_k, term: (np.sqrt(d_k) + np.sqrt(term)) ** 2, lambda d_k, term: (d_k + np.sqrt(term)) ** 2]),
    ANOTHER_ROOT._replace(ways=[lambda d_k, term, change=change: change(d_k) ** 2 * term for change in ANOTHER_ROOT.ways]),
    Mistake("term-left-out", "one term too few or too many",
        say="You count one product too few, or one too many. range(n) already runs from 0 to n − 1, and a score adds up exactly d_k products.",
        ways=[lambda d_k, term: (d_k - 1) * term, lambda d_k, term: (d_k + 1) * term]),
    UPSIDE_DOWN._replace(ways=[lambda d_k, term: term / d_k]),
    ROUNDED._replace(ways=[lambda d_k, term: math.isqrt(d_k) ** 2 * term]),
]
ROOT_MISTAKES = [
    Mistake("variance", "the variance, without the root",
        say="You return what belongs under the root. A variance needs a root to become a standard deviation.",
        ways=[lambda variance: variance]),
    HALVED,
    UPSIDE_DOWN,
    ROUNDED,
]
STEPS = Steps("d_k q_std k_std", {
    "sizes": Step("q_std k_std", "q_std k_std", SIZE_MISTAKES),
    "term": Step("q_std k_std", "term", TERM_MISTAKES, lambda q, k: (q * k) ** 2),
    "sum": Step("d_k term", "variance", SUM_MISTAKES, lambda d_k, term: d_k * term),
    "root": Step("variance", "result", ROOT_MISTAKES, np.sqrt),
})


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
    names, effects = ("d_k", "q_std", "k_std"), []
    if is_scattered(ask, *given[1:]):
        return "As d_k grows, the error of your number goes up and down, as in measurements of random numbers. Work the divisor out from d_k and the two standard deviations, which is exact."
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


@exercise(own=what_counts_wrongly, steps=STEPS, result="divisor", see=HOW_LARGE, inputs={
    "large queries": (4, 3.0, 1.0),
    "large keys": (4, 1.0, 5.0),
    "standard deviation 1": (9, 1.0, 1.0),
    "both large": (16, 3.0, 2.0),
    "small entries": (25, 0.5, 0.2),
    "no whole root": (10, 1.5, 2.0),
    "one wide": (1, 2.0, 3.0),
})
def score_divisor(d_k, q_std, k_std):
    """Check `f(d_k, q_std, k_std)` → the standard deviation of q·k, to divide scores by. Returns Feedback."""
    return np.sqrt(d_k) * q_std * k_std
