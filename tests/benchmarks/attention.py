"""How fast attention is, and how much memory it takes: the course's two ways beside tutorials' and libraries'.

    python tests/benchmarks/attention.py                        # everything, about half an hour on two processors
    python tests/benchmarks/attention.py --lengths 1024 4096    # less of it: see --help

float32, d_k = 64. Ratios carry over to similar processors, milliseconds do not. Each number of threads has a process of its own,
held to so many processors; within it the ways take turns, and a ratio is the median over the turns, so that whatever else the
machine does touches all of them. One thread is measured in processor time, more in time on the clock. What is not installed is
named and left out. Nothing is asserted but that all ways give the same numbers.
"""

import argparse
import gc
import itertools
import json
import os
import platform
import resource
import subprocess
import sys
import time
import tracemalloc

D_K, LONGEST = 64, 32768
# are read once, before NumPy is imported
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--lengths", type=int, nargs="+", default=[256, 512, 1024, 2048, 4096, 8192])
    parser.add_argument("--heads", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--turns", type=int, default=7, help="of every way, for each size (default 7)")
    parser.add_argument("--gigabytes", type=float, default=5, help="leave out what takes more (default 5)")
    parser.add_argument("--peak-length", type=int, default=4096, help="where memory is measured; 0: nowhere")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        return work(json.loads(given.worker))
    print(f"{platform.machine()}, Python {platform.python_version()}, float32, d_k = {D_K}")
    for threads in given.threads:
        print(f"\n{threads} thread{'s' * (threads > 1)}; ratios to the two matrix products alone")
        ask(threads, vars(given))
    if given.peak_length:
        from attention_ways import WAYS

        print("\nmemory beyond inputs, one head, causal, one thread")
        for way, length in [*((way, given.peak_length) for way in WAYS), ("tiled", LONGEST)]:
            ask(1, {"peak": way, "length": length})


def ask(threads, settings):
    """Has a process with so many threads do the work, which prints."""
    asked = json.dumps({**settings, "threads": threads})
    environment = os.environ | dict.fromkeys(THREADS, str(threads))
    subprocess.run([sys.executable, __file__, "--worker", asked], env=environment, check=True)


def work(asked):
    """What such a process does."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-asked["threads"] :])
    from attention_ways import INSTALL, WAYS

    there, missing = [], []
    for name in [asked["peak"]] if "peak" in asked else WAYS:
        try:
            WAYS[name][0](*inputs(1, 128), True, 1)()  # what the first call loads counts for nothing
            there.append(name)
        except ImportError as error:
            missing.append(f"{name} ({error.name})")
    if "peak" in asked:
        return [print_peak(name, asked["length"]) for name in there]
    if missing:
        print(f"not installed, so left out: {', '.join(missing)}; for all of it: {INSTALL}")
    print_times(there, asked)


def inputs(heads, length):
    import numpy as np

    return np.random.default_rng(0).standard_normal((3, heads, length, D_K), dtype=np.float32)


def print_times(names, asked):
    """One row for each size: milliseconds of the products, and every way's ratio to them."""
    import numpy as np

    print(f"{'L, heads, mask':20}{'ms':>9}" + "".join(f"{name:>13}" for name in names))
    for length, heads, causal in itertools.product(asked["lengths"], asked["heads"], (False, True)):
        taken = take_turns(names, inputs(heads, length), causal, asked)
        ratios = {name: np.median(np.divide(times, taken["matmuls"])) for name, times in taken.items()}
        row = "".join(f"{ratios[name]:13.2f}" if name in ratios else f"{'-':>13}" for name in names)
        size = f"{length}, {heads}, {'causal' if causal else 'full'}"
        print(f"{size:20}{1000 * min(taken['matmuls']):9.1f}{row}", flush=True)


def take_turns(names, arrays, causal, asked):
    """{name: seconds of each turn}, of the ways that do not take too much memory."""
    import numpy as np
    from attention_ways import WAYS

    clock = time.process_time if asked["threads"] == 1 else time.perf_counter
    gigabytes = arrays[0].shape[0] * arrays[0].shape[1] ** 2 * 4 / 1e9  # of one matrix of scores a head
    runs, expected = {}, None
    for name in names:
        make, matrices, _ = WAYS[name]
        if matrices * gigabytes > asked["gigabytes"]:
            continue
        run = make(*arrays, causal, asked["threads"])
        output = run()  # this first call counts for nothing
        expected = output if expected is None else expected
        other = name == "matmuls" or (name == "floor" and causal)  # one has no softmax, the other no triangle
        if not other and not np.allclose(output, expected, atol=1e-4):
            raise AssertionError(f"{name} differs by {np.abs(output - expected).max():.2g}")
        runs[name] = run
    start = clock()
    runs["matmuls"]()
    calls = 1 + int(0.01 / (clock() - start + 1e-6))  # short ones several times a turn
    taken = {name: [] for name in runs}
    for _ in range(asked["turns"]):
        for name, run in runs.items():
            start = clock()
            for _ in range(calls):
                run()
            taken[name].append((clock() - start) / calls)
    return taken


def print_peak(name, length):
    """Memory that a way takes at its highest beyond its inputs: NumPy's own count, or how much the whole process grew."""
    from attention_ways import WAYS

    make, _, by_numpy = WAYS[name]
    run = make(*inputs(1, length), True, 1)
    gc.collect()
    if by_numpy:
        tracemalloc.start()
    before = grown()
    run()
    peak = tracemalloc.get_traced_memory()[1] if by_numpy else grown() - before
    counted = "counted" if by_numpy else "growth of the process"
    print(f"  {name:14}L = {length:6,}{peak / 1e6:9.1f} MB   ({counted})", flush=True)


def grown():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
