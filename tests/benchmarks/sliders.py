"""How long it takes from a key press on a slider to the new picture: `python tests/benchmarks/sliders.py`.

In JupyterLab in a real browser, `explore_attention` draws L×L weights. Measured from the key's own event
in the page to the first task after the frame that shows the changed output.
"""

import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "tools", "")]

from playwright.sync_api import sync_playwright  # noqa: E402

import browsers  # noqa: E402
import jupyter_pages  # noqa: E402

LENGTHS = (8, 16, 32)
MOVES = 30
SETUP = f"import sys; sys.path.append({str(ROOT)!r}); import attn_helpers as attn"
# the explorer, its slider of rows in front
CELL = """
explorer = attn.explore_attention()
explorer.length.value, explorer.row.value = {}, 0
row = explorer.widget.children[0]
row.children = sorted(row.children, key=lambda group: explorer.row not in group.children)
explorer"""
NAME_CELL = "place => { document.querySelectorAll('.jp-CodeCell')[place].id = 'cell' + place }"
ARM = """selector => {
    window.started = window.painted = null;
    const begin = event => { window.started = event.timeStamp };
    document.addEventListener('keydown', begin, {capture: true, once: true});
    const watch = new MutationObserver(() => {
        watch.disconnect();
        requestAnimationFrame(() => {
            const after = new MessageChannel();  // its message comes once this frame is painted
            after.port1.onmessage = () => { window.painted = performance.now() };
            after.port2.postMessage(null);
        });
    });
    const all = {childList: true, subtree: true, characterData: true, attributes: true};
    watch.observe(document.querySelector(selector), all);
}"""


def key_to_paint(page, cell):
    """The median, in milliseconds, of key presses on the first slider of a cell, between 0 and 1."""
    output = f"{cell} .widget-html-content"
    times = []
    handle = page.locator(f"{cell} .noUi-handle").first
    page.wait_for_selector(output, timeout=60_000)
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    for key in ("ArrowRight", "ArrowLeft") * (MOVES // 2 + 2):
        page.evaluate(ARM, output)
        handle.press(key)
        page.wait_for_function("() => window.painted !== null", timeout=30_000)
        times.append(page.evaluate("() => window.painted - window.started"))
        page.wait_for_timeout(120)
    return statistics.median(times[4:])  # the first warm caches up


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder, home = pathlib.Path(folder, "course"), pathlib.Path(folder, "home")
        folder.mkdir(), home.mkdir()
        jupyter_pages.write_notebook(folder / "sliders.ipynb", [SETUP, *map(CELL.format, LENGTHS)])
        with jupyter_pages.serve(sys.executable, "lab", folder, home) as address:
            page = browsers.open_chromium(playwright).new_page(viewport={"width": 1280, "height": 1000})
            notebook = jupyter_pages.NotebookPage(page, "lab")
            notebook.open(address("sliders.ipynb"))
            notebook.run_all()
            print(f"Key press to painted pixels in JupyterLab, ms, median of {MOVES}")
            for place, length in enumerate(LENGTHS, 1):
                page.evaluate(NAME_CELL, place)
                print(f"{length:3} x {length}: {key_to_paint(page, f'#cell{place}'):.0f}")


if __name__ == "__main__":
    main()
