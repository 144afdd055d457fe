"""Grade all made-up students of tests/support/students.py, whole lessons and hostile notebooks, and show what came of it.

python tests/benchmarks/grading.py [--jobs N] [NAME …]      all, or those whose name holds one of these

Prints a table of students, verdicts and seconds, and ends with exit code 1 if a verdict is not the one expected.
"""

import argparse
import csv
import json
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tools")]

import students  # noqa: E402
from attn_checks.grading import walls, whole_class  # noqa: E402


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, socket.create_server(("127.0.0.1", 0)) as server:
        outside = Path(made) / "class" / "outside.txt"
        everybody = students.everybody(outside, server.getsockname()[1])
        chosen = [s for s in everybody if not asked.names or any(name in s.name for name in asked.names)]
        students.hand_in(chosen, Path(made) / "class")
        start = time.monotonic()
        limits = walls.Limits(seconds=10)
        whole_class.grade(Path(made) / "class", Path(made) / "out", asked.jobs, limits, tell=tell)
        wrong = show(chosen, Path(made) / "out")
        print(
            f"{len(chosen)} notebooks, {sum(s.hostile for s in chosen)} hostile, in {time.monotonic() - start:.0f} s"
        )
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{(used.ru_utime + used.ru_stime) / len(chosen):.1f} s of a processor for each")
        print(f"largest process: {used.ru_maxrss // 1024} MB")
        print(f"written outside: {outside.exists()}; verdicts not as expected: {wrong}")
        return int(bool(wrong) or outside.exists())


def tell(done, of, handed_in):
    print(done, of, handed_in and handed_in.student, file=sys.stderr, flush=True)


def show(chosen, output):
    """Print a line for each student; how many verdicts are not the expected ones."""
    with (output / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    seconds = {}
    for line in (output / whole_class.KEPT).read_text(encoding="utf-8").splitlines():
        seconds[json.loads(line)["student"]] = json.loads(line)["seconds"]
    wrong = 0
    for student in chosen:
        unlike = students.unlike(student, rows)
        wrong += len(unlike)
        own = [row for row in rows if row["student"] == student.name]
        verdicts = [" ".join(filter(None, (r["exercise"], r["status"], r["mistake"]))) for r in own]
        print(f"{student.name:28} {seconds[student.name]:5.1f} s  {'; '.join(verdicts)}")
        for expected in unlike:
            print(f"{'':28} NOT AS EXPECTED: {expected}; {[row['message'][:300] for row in own]}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
