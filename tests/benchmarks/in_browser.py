"""What an exercise on a page and a lesson in JupyterLite cost: `python tests/benchmarks/in_browser.py SITE`.

SITE is as tools/pages.py built it. Sizes are exact. Times are of this machine: from the press of *Check* to
the verdict in a browser that has nothing yet, on a second visit, and once Python runs; the last beside the
same check in a process like a notebook's.
"""

import gzip
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("", "tests/support", "tools")]

import attn_checks as check  # noqa: E402
import attn_helpers as attn  # noqa: E402
from browsers import open_chromium  # noqa: E402
from jupyter_pages import FRONTS  # noqa: E402
from static_pages import served  # noqa: E402
from students import WRONG  # noqa: E402

TURNS = 15
# what the first check fetches
FETCHED = [
    "worker.mjs",
    "box.json",
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
]
FETCHED += ["pyodide-lock.json", "numpy-*.whl", "attention_from_scratch-*.whl"]


def milliseconds(act):
    start = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - start)


def print_sizes(folder):
    """File by file, as it is and compressed as servers do."""
    total = 0
    for pattern in FETCHED:
        [path] = folder.glob(pattern)
        content = path.read_bytes()
        small = len(gzip.compress(content))
        total += small
        print(f"{path.name:68}{len(content) / 1e6:8.2f} MB{small / 1e6:8.2f} MB gzipped")
    print(f"together {total / 1e6:.2f} MB gzipped")


def visit(context, address):
    """Milliseconds of the first check, and the median of more, the press and the look at it included."""
    page = context.new_page()
    page.goto(f"{address}/index.html")
    box = page.locator("[data-exercise='softmax']")
    box.locator("textarea").fill(WRONG)

    def press():
        box.evaluate("box => { delete box.dataset.verdict }")
        box.get_by_role("button", name="Check").click()
        page.locator("[data-exercise='softmax'][data-verdict='wrong-axis']").wait_for(timeout=120_000)

    times = [milliseconds(press) for _ in range(TURNS + 1)]
    page.close()
    return times[0], statistics.median(times[1:])


def print_lesson(context, address, visit):
    """Seconds until lesson 00 in JupyterLite shows its picture, has a kernel, and moves its picture."""
    page = context.new_page()
    lab = FRONTS["lab"]
    start = time.perf_counter()
    times = []
    page.goto(f"{address}/lite/notebooks/index.html?path=notebooks/00_start_here.ipynb")
    for act, wanted in (
        ("", "() => document.querySelector('.attn-still img')"),
        ("", lab.ready),
        (
            f"void ({lab.run_all})()",
            "() => document.querySelector('.widget-html-content svg')",
        ),
    ):
        page.evaluate(f"() => {{ {act} }}")
        page.wait_for_function(wanted, timeout=300_000)
        times.append(f"{time.perf_counter() - start:.1f} s")
    page.close()
    print(f"lesson 00, {visit}: stored picture {times[0]}, kernel {times[1]}, picture that moves {times[2]}")


def main(site):
    print_sizes(site / "python")
    with (
        served(site) as address,
        sync_playwright() as playwright,
        open_chromium(playwright) as browser,
    ):
        reader = browser.new_context()
        for turn in ("cold", "second visit"):
            print_lesson(reader, address, turn)
        context = browser.new_context()
        cold, then = visit(context, address)
        again, _ = visit(context, address)

    def natively():
        check.softmax(lambda x: attn.softmax(x.swapaxes(-1, -2)).swapaxes(-1, -2))

    native = statistics.median(milliseconds(natively) for _ in range(TURNS))
    print(f"first verdict {cold / 1000:.1f} s, on a second visit {again / 1000:.1f} s")
    print(f"then {then:.0f} ms, {then / native:.1f} times the {native:.0f} ms of a notebook's check")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
