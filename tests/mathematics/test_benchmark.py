"""The benchmark in small: it runs, its ways agree, and what is not installed it names."""

import pathlib
import re
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).parents[1] / "benchmarks" / "attention.py"
SMALL = "--threads 1 --lengths 96 --heads 2 --turns 1 --peak-length 0".split()


def test_the_benchmark_compares_all_ways_that_are_installed():
    done = subprocess.run([sys.executable, SCRIPT, *SMALL], capture_output=True, text=True, check=True)
    left_out = re.search(
        "not installed, so left out: (.*); for all of it: python -m pip install", done.stdout
    )
    rows = [line for line in done.stdout.splitlines() if line.startswith("96, 2, ")]
    assert len(rows) == 2
    for row in rows:
        ratios = [float(number) for number in row.split()[4:]]
        assert all(ratio > 0 for ratio in ratios) and 1.0 in ratios  # the products themselves
        assert len(ratios) == 11 - (left_out[1].count("(") if left_out else 0)
