"""What an exercise on a page and a lesson in JupyterLite cost: `python tests/benchmarks/in_browser.py SITE`, SITE as tools/pages.py built it.

Sizes are exact. Times are of this machine: from the press of *Check* to the verdict in a browser that has nothing yet, on a
second visit, and once Python runs; the last beside the same check in a process like a notebook's.
"""

import gzip
import json
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "support")]
sys.path.append(str(Path(__file__).parents[2] / "tools"))

import attn_checks as check  # noqa: E402
import attn_helpers as attn  # noqa: E402
from browsers import open_chromium  # noqa: E402
from jupyter_pages import LAB_READY, LAB_RUN_ALL  # noqa: E402
from static_pages import served  # noqa: E402
from students import WRONG  # noqa: E402

TURNS = 15


def sizes(site):
    """What the first check fetches, file by file, as it is and compressed as servers do."""
    told = json.loads((site / "python" / "box.json").read_text("utf-8"))
    names = [
        "worker.mjs",
        "box.json",
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
    ]
    names += ["pyodide-lock.json", next((site / "python").glob("numpy-*.whl")).name, told["course"]]
    rows = [(name, (site / "python" / name).read_bytes()) for name in names]
    counted = [(name, len(content), len(gzip.compress(content))) for name, content in rows]
    for name, size, small in [*counted, ("together", *(sum(row[i] for row in counted) for i in (1, 2)))]:
        print(f"{name:68}{size / 1e6:8.2f} MB{small / 1e6:8.2f} MB gzipped")


def press(box):
    """Milliseconds from *Check* to the verdict."""
    box.evaluate("box => { delete box.dataset.verdict }")
    start = time.perf_counter()
    box.get_by_role("button", name="Check").click()
    box.page.locator("[data-exercise='softmax'][data-verdict='wrong-axis']").wait_for(timeout=120_000)
    return 1000 * (time.perf_counter() - start)


def visit(context, address):
    """Milliseconds of the first check, and the median of more, the press and the look at it included."""
    page = context.new_page()
    page.goto(f"{address}/index.html")
    box = page.locator("[data-exercise='softmax']")
    box.locator("textarea").fill(WRONG)
    first = press(box)
    then = statistics.median(press(box) for _ in range(TURNS))
    page.close()
    return first, then


def lesson(context, address, visit):
    """Seconds until lesson 00 in JupyterLite shows its stored picture, has a kernel, and has run up to the picture that moves."""
    page = context.new_page()
    start = time.perf_counter()
    times = []
    page.goto(f"{address}/lite/notebooks/index.html?path=notebooks/00_start_here.ipynb")
    for act, wanted in (
        ("", "document.querySelector('.attn-still img')"),
        ("", f"({LAB_READY})()"),
        (f"void ({LAB_RUN_ALL})()", "document.querySelector('.widget-html-content svg')"),
    ):
        page.evaluate(f"() => {{ {act} }}")
        page.wait_for_function(f"() => {wanted}", timeout=300_000)
        times.append(f"{time.perf_counter() - start:.1f} s")
    page.close()
    print(f"lesson 00, {visit}: stored picture {times[0]}, kernel {times[1]}, picture that moves {times[2]}")


def main(site):
    sizes(site)
    with served(site) as address, sync_playwright() as playwright, open_chromium(playwright) as browser:
        with browser.new_context() as reader:
            lesson(reader, address, "cold")
            lesson(reader, address, "second visit")
        context = browser.new_context()
        cold, then = visit(context, address)
        again, _ = visit(context, address)
    here = []
    for _ in range(TURNS):
        start = time.perf_counter()
        check.softmax(lambda x: attn.softmax(x.swapaxes(-1, -2)).swapaxes(-1, -2))
        here.append(1000 * (time.perf_counter() - start))
    native = statistics.median(here)
    print(f"first verdict {cold / 1000:.1f} s, on a second visit {again / 1000:.1f} s")
    print(f"then {then:.0f} ms, {then / native:.1f} times the {native:.0f} ms of a notebook's check")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
