"""How long a checker takes by itself: `python tests/benchmarks/checks.py`, a line for each exercise.

In milliseconds of the processor, so that a busy machine doesn't count. Named answers are the first ways of all mistakes;
unnamed ones are right answers with their numbers changed a little.
"""

import resource
import statistics
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2])]

import attn_checks as check  # noqa: E402

CHANGES = (
    lambda part: part * 0.9 + 0.013 * part**2,
    lambda part: part + 0.01 * np.nansum(part),
    lambda part: part + 0.1 * np.sin(np.arange(part.size)).reshape(part.shape),
    lambda part: np.where(np.arange(part.size).reshape(part.shape) == part.size - 1, 0.37, part),
)


def changed(right, change):
    """An answer that gives the right numbers, changed."""

    def answer(*arguments):
        results = right(*arguments)
        parts = results if isinstance(results, tuple) else (results,)
        parts = tuple(change(np.asarray(part)) for part in parts)
        return parts if isinstance(results, tuple) else parts[0]

    return answer


def worked():
    """Milliseconds that this process and those of its children that have ended have worked."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(each.ru_utime + each.ru_stime for each in used)


every = {"right": [], "named": [], "unnamed": []}
print(f"{'':26}{'right':>8}{'named':>8}{'most':>8}{'unnamed':>8}{'most':>8}")
for name, exercise in check.EXERCISES.items():
    kinds = {kind: [] for kind in every}
    ways = [mistake.ways[0] for mistake in exercise.mistakes if mistake.ways]
    for function in [exercise.right, *ways, *(changed(exercise.right, change) for change in CHANGES)]:
        before = worked()
        feedback = getattr(check, name)(function)
        kind = "right" if feedback.status == "passed" else "named" if feedback.mistake else "unnamed"
        kinds[kind].append(worked() - before)
    right, *rest = [(statistics.median(times or [0]), max(times, default=0)) for times in kinds.values()]
    print(f"{name:26}" + "".join(f"{number:8.0f}" for number in (right[0], *rest[0], *rest[1])))
    for kind in every:
        every[kind] += kinds[kind]
for kind, times in every.items():
    print(
        f"{kind}: {len(times)} answers, median {statistics.median(times):.0f} ms, at most {max(times):.0f} ms"
    )
