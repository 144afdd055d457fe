"""How long a checker takes by itself: `python tests/benchmarks/checks.py`, a line for each exercise, in milliseconds.

Right answers are the course's own, wrong ones with a name the ways of its mistakes; without a name they are mutants of the
right answer, made by adding a part of the first input's number to what comes out.
"""

import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2])]

import attn_checks as check  # noqa: E402


def unnamed(right):
    """Answers that are wrong in ways no table holds: changed by a factor, by an input, in one cell, in one column."""

    def answer(change):
        def given(*arguments):
            results = right(*arguments)
            parts = results if isinstance(results, tuple) else (results,)
            parts = tuple(change(np.asarray(part), arguments) for part in parts)
            return parts if isinstance(results, tuple) else parts[0]

        return given

    def sum_of(arguments):
        return np.nansum(np.nan_to_num(np.asarray(arguments[0][0], float), posinf=0, neginf=0))

    def by_one_cell(part, arguments):
        changed = part.copy()
        changed.flat[-1:] = 0.37
        return changed

    changes = (
        lambda part, arguments: part * 0.9 + 0.013 * part**2,
        lambda part, arguments: part + 0.01 * sum_of(arguments),
        lambda part, arguments: part + 0.1 * np.sin(np.arange(part.size)).reshape(part.shape),
        by_one_cell,
    )
    return [answer(change) for change in changes]


def milliseconds(checker, function):
    """How long one check takes, and what it says."""
    begun = time.perf_counter()
    feedback = checker(function)
    return 1000 * (time.perf_counter() - begun), feedback


def main():
    """Print medians and largest values."""
    print(f"{'':24}{'right':>8}{'named':>8}{'max':>6}{'unnamed':>8}{'max':>6}")
    every = {"right": [], "named": [], "unnamed": []}
    for name, exercise in check.EXERCISES.items():
        checker, ways = (
            getattr(check, name),
            [mistake.ways[0] for mistake in exercise.mistakes if mistake.ways],
        )
        checker(exercise.right)  # the first one compiles patterns and fills caches
        kinds = {kind: [] for kind in every}
        for function in [exercise.right, *ways, *unnamed(exercise.right)]:
            taken, feedback = milliseconds(checker, function)
            kind = "right" if feedback.status == "passed" else "named" if feedback.mistake else "unnamed"
            kinds[kind].append(taken)
        middle = {kind: statistics.median(times or [0]) for kind, times in kinds.items()}
        most = {kind: max(times, default=0) for kind, times in kinds.items()}
        print(
            f"{name:24}{middle['right']:8.0f}{middle['named']:8.0f}{most['named']:6.0f}{middle['unnamed']:8.0f}{most['unnamed']:6.0f}"
        )
        for kind, times in kinds.items():
            every[kind] += times
    for kind, times in every.items():
        print(
            f"{kind}: {len(times)} answers, median {statistics.median(times):.0f} ms, at most {max(times):.0f} ms"
        )


if __name__ == "__main__":
    main()
