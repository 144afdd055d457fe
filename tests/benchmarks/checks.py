"""How long a checker takes by itself: `python tests/benchmarks/checks.py`, a line for each exercise.

In milliseconds of the processor, so that a busy machine doesn't count. Named answers are the first ways of
all mistakes; the unnamed ones are right answers with their numbers changed a little.
"""

import resource
import statistics
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [
    str(Path(__file__).parents[2]),
    str(Path(__file__).parents[1] / "support"),
]

import attn_checks as check  # noqa: E402
from answers import changed  # noqa: E402

CHANGES = (
    lambda part: part * 0.9 + 0.013 * part**2,
    lambda part: part + 0.01 * np.nansum(part),
)


def worked():
    """Milliseconds that this process and those of its children that have ended have worked."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(each.ru_utime + each.ru_stime for each in used)


every = {"right": [], "named": [], "unnamed": []}
print(f"{'':26}" + "".join(f"{kind:>10}" for kind in every) + "   (medians)")
for name, exercise in check.EXERCISES.items():
    own = {kind: [] for kind in every}
    ways = [mistake.ways[0] for mistake in exercise.mistakes if mistake.ways]
    for function in [
        changed(exercise.right, lambda part: part),  # for the course's own is no answer
        *ways,
        *(changed(exercise.right, change) for change in CHANGES),
    ]:
        before = worked()
        feedback = getattr(check, name)(function)
        kind = "right" if feedback.status == "passed" else "named" if feedback.mistake else "unnamed"
        own[kind].append(worked() - before)
        every[kind].append(own[kind][-1])
    print(f"{name:26}" + "".join(f"{statistics.median(times or [0]):10.0f}" for times in own.values()))
for kind, times in every.items():
    print(f"{kind}: {len(times)} answers, median {statistics.median(times):.0f} ms, most {max(times):.0f} ms")
