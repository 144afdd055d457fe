"""A class and a teacher who corrects: is any answer lost, any link jammed, any correction not met?

    python tests/benchmarks/corrections.py                       200 students, 20 corrections
    python tests/benchmarks/corrections.py --students 20 --plain as nbgitpuller does it by itself

Students and teacher act at random on three real lessons, a Python file and a data file (tests/support/class_life.py);
after most corrections a student opens the link again, which is nbgitpuller's own class, with tools/hub/corrections.py or
without. Nothing listens anywhere; the links lead to a bare repository in a temporary folder.
"""

import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "tools", "tools/hub", "")]

from nbgitpuller.pull import GitPuller  # noqa: E402

import class_life  # noqa: E402
import corrections  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--corrections", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="nbgitpuller by itself")
    asked = parser.parse_args()
    puller = GitPuller if asked.plain else corrections.CoursePuller
    with tempfile.TemporaryDirectory() as folder:
        term = class_life.Term(pathlib.Path(folder), puller, asked.students, asked.seed)
        term.go_on(asked.corrections)
    done = {action.__name__ for action in class_life.ACTIONS}
    published = {correction.__name__ for correction in class_life.CORRECTIONS}
    print(f"{asked.students} students, {sum(term.counts[name] for name in published)} corrections")
    for name in sorted(term.counts, key=lambda name: (name in done, name in published, name)):
        print(f"{term.counts[name]:7,} {name.replace('_', ' ')}")
    print("\n".join(term.faults[:40]))
    return bool(term.faults)


if __name__ == "__main__":
    sys.exit(main())
