"""Lesson 02, transfer: what scores must be divided by where the entries of queries and keys are not of size 1."""

import math

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson02.scaled_scores import HOW_LARGE


def root_times(sizes):
    """√d_k times what `sizes` makes of both sizes."""
    return lambda d_k, q_size, k_size: math.sqrt(d_k) * sizes(q_size, k_size)


# fmt: off
MISTAKES = table(
    HOW_LARGE,
    Mistake("sizes-ignored", "the sizes of the entries are ignored",
        say="√d_k rests on entries of size 1. In step 1 of the derivation, what is the mean of q₁² now?",
        ways=[root_times(lambda q, k: 1)]),
    Mistake("one-size-only", "only one of the two sizes is in it",
        say="Each term of the sum is an entry of the query times an entry of the key: both sizes count.",
        ways=[root_times(sizes) for sizes in (lambda q, k: q, lambda q, k: k, lambda q, k: q**2, lambda q, k: k**2,
            lambda q, k: max(q, k) ** 2, max, min)]),
    Mistake("variance", "the variance, without the root",
        say="That is the variance of a score. Divided by it, the scores do not come out at size 1; by its root they do.",
        ways=[lambda d_k, q_size, k_size: d_k * (q_size * k_size) ** 2]),
    Mistake("halved", "half in place of the root",
        say="You halve where a root is due. If you wrote x ** 1/2: ** binds before /, so that is (x ** 1)/2, a half.",
        ways=[lambda d_k, q_size, k_size: d_k * (q_size * k_size) ** 2 / 2,
            lambda d_k, q_size, k_size: d_k * q_size * k_size / 2]),
    Mistake("sizes-under-the-root", "sizes under the root, not variances",
        say="Under the root stands a variance, and q_size is a standard deviation. What is the variance of an entry of that size?",
        ways=[lambda d_k, q_size, k_size: math.sqrt(d_k * q_size * k_size)]),
    Mistake("variances-outside-the-root", "variances that the root does not reach",
        say="You took the root of d_k alone. The whole variance of a score belongs under it.",
        ways=[root_times(lambda q, k: (q * k) ** 2)]),
    Mistake("sizes-added", "sizes or variances added, not multiplied",
        say="Variances add up for the terms of a *sum*. The two entries of one term are multiplied.",
        ways=[root_times(lambda q, k: q + k), root_times(lambda q, k: (q + k) / 2),
            root_times(lambda q, k: ((q + k) / 2) ** 2),
            lambda d_k, q_size, k_size: math.sqrt(d_k * (q_size**2 + k_size**2)),
            lambda d_k, q_size, k_size: math.sqrt(d_k * (q_size + k_size))]),
    Mistake("upside-down", "upside down",
        say="Larger and more entries make larger scores, and these need a larger divisor.",
        ways=[lambda d_k, q_size, k_size: 1 / (math.sqrt(d_k) * q_size * k_size),
            root_times(lambda q, k: 1 / (q * k)), root_times(lambda q, k: q / k), root_times(lambda q, k: k / q),
            lambda d_k, q_size, k_size: q_size * k_size / math.sqrt(d_k)]),
    Mistake("rounded-to-whole", "something is rounded to a whole number",
        say="By //, int(), isqrt or a rounding. A divisor may be any number.",
        ways=[lambda d_k, q_size, k_size: int(math.sqrt(d_k)) * q_size * k_size,
            root_times(lambda q, k: int(q) * int(k)), lambda d_k, q_size, k_size: int(math.sqrt(d_k) * q_size * k_size)]),
)


def is_scattered(ask, q_size, k_size):
    """Whether the divisor goes up and down beside the right one as d_k grows, as no formula does."""
    widths = [1, 2, 3, 4, 8, 16, 32, 64]
    mine = [ask(d_k, q_size, k_size) for d_k in widths]
    if any(one is None or one[0].shape != () for one in mine):
        return False
    ratios = np.array([one[0] for one in mine]) / (np.sqrt(widths) * q_size * k_size)
    turns = (np.diff(np.sign(np.diff(ratios))) != 0).sum()
    return bool(turns > 1 and (abs(ratios - 1) < 0.6).all() and (abs(ratios - 1) > 1e-6).all())


def what_counts_wrongly(ask, given, wanted, got):
    """Which of the three numbers has another effect than doubling the divisor, where it should."""
    names, effects = ("d_k", "q_size", "k_size"), []
    if is_scattered(ask, *given[1:]):
        return "Beside the right number yours goes up and down as d_k grows. So does what is measured on numbers drawn at random: a few percent off, and otherwise with every draw. Work it out from d_k and the two sizes, which is exact."
    for place, factor in enumerate((4, 2, 2)):
        changed = (*given[:place], given[place] * factor, *given[place + 1 :])
        mine = ask(*changed)
        if mine is None or mine[0].shape != () or np.isnan(mine[0]):
            return ""
        effects.append((names[place], given[place], changed[place], mine[0]))
    wrong = [effect for effect in effects if not math.isclose(effect[3], 2 * got[0], rel_tol=1e-5)]
    right = " and ".join(name for name in names if name not in [effect[0] for effect in wrong])
    if not wrong:
        return ""
    name, before, after, mine = wrong[0]
    return (
        f"{name} does not count as it should: from {before:g} to {after:g}, all else the same, the divisor "
        f"doubles, and yours goes from {got[0]:.4g} to {mine:.4g}."
        + (f" With {right} yours doubles where it should." if right else "")
    )


@exercise(own=what_counts_wrongly, mistakes=MISTAKES, result="divisor", see=HOW_LARGE, inputs={
    "large queries": (4, 3.0, 1.0),
    "large keys": (4, 1.0, 5.0),
    "size 1": (9, 1.0, 1.0),
    "both large": (16, 3.0, 2.0),
    "small entries": (25, 0.5, 0.2),
    "no whole root": (10, 1.5, 2.0),
    "one wide": (1, 2.0, 3.0),
})
def score_divisor(d_k, q_size, k_size):
    """Check `f(d_k, q_size, k_size)` → what scores of entries of these sizes are divided by. Returns Feedback."""
    return np.sqrt(d_k) * q_size * k_size
