"""How long after a key press on a slider the new picture is on the screen: on the static pages, and live in JupyterLab.

    python tests/benchmarks/pages.py SITE

SITE is the folder with the built pages. Both are driven in one run, by the first slider of each explorer, to and fro
between its first two places: from the key's own event to the first task after the frame that shows the changed picture.
"""

import pathlib
import statistics
import sys
import tempfile

import sliders
from playwright.sync_api import sync_playwright

import browsers
import course
import jupyter_pages

MOVES = 30
EXPLORERS = [
    (path.stem, cell.id, cell.source)
    for path in course.NOTEBOOKS
    for cell in course.code_cells(course.read(path))
    if cell.source.startswith("attn.explore_")
]


def key_to_paint(page, handle, picture):
    """Milliseconds of MOVES key presses on a slider, after three that warm caches up."""
    handle.scroll_into_view_if_needed()
    handle.press("Home")
    page.wait_for_timeout(1500)
    times = []
    for move in range(MOVES + 3):
        page.evaluate(sliders.ARM, [picture, False])
        handle.press("ArrowLeft" if move % 2 else "ArrowRight")
        page.wait_for_function("() => window.painted !== null", timeout=30_000)
        times.append(page.evaluate("() => window.painted - window.started"))
        page.wait_for_timeout(120)
    return times[3:]


def on_pages(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    for stem, cell, _ in EXPLORERS:
        page.goto((site / "notebooks" / f"{stem}.html").as_uri())
        box = page.locator(f"[data-frames='{cell}']")
        box.scroll_into_view_if_needed()
        box.locator("fieldset:enabled").wait_for()
        yield key_to_paint(
            page, box.locator("input[type=range]").first, f"[data-frames='{cell}'] .attn-picture"
        )


def live(browser, folder):
    """The same explorers, each in a cell of one notebook."""
    home = folder / "home"
    home.mkdir()
    cells = [sliders.SETUP, *(source for _, _, source in EXPLORERS)]
    jupyter_pages.write_notebook(folder / "explorers.ipynb", cells)
    with jupyter_pages.serve(sys.executable, "lab", folder, home) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        notebook = jupyter_pages.NotebookPage(page, "lab")
        notebook.open(address("explorers.ipynb"))
        notebook.run_all()
        for place in range(1, len(cells)):
            page.evaluate(sliders.NAME_CELL, place)
            handle = page.locator(f"#cell{place} .noUi-handle").first
            handle.wait_for(timeout=60_000)
            yield key_to_paint(page, handle, f"#cell{place} .widget-html-content:has(svg)")


def main(site):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=browsers.CHROMIUM, args=browsers.ARGS)
        both = zip(on_pages(browser, site), live(browser, pathlib.Path(folder)), strict=True)
        print("Key press to painted picture, ms, median / p95 of", MOVES)
        print("| explorer | live in JupyterLab | static page | ratio of medians |")
        print("| --- | --- | --- | --- |")
        for (_, _, source), (ours, running) in zip(EXPLORERS, both, strict=True):
            medians = statistics.median(running), statistics.median(ours)
            print(
                f"| `{source}` | {medians[0]:.0f} / {sliders.p95(running):.0f} "
                f"| {medians[1]:.0f} / {sliders.p95(ours):.0f} | {medians[0] / medians[1]:.1f} |",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
