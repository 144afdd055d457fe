"""How long after a key press on a slider the new picture is on the screen: ours and the usual way.

    python tests/benchmarks/sliders.py

In one page of JupyterLab in a real browser, the same heatmap of L×L attention weights is drawn by `explore_attention`
and, with its numbers, by ipywidgets' `interact` with `plt.show()`. Measured from the key's own event in the page to the
first task after the frame that shows the changed output.
"""

import itertools
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "tools", "")]

import ipywidgets as widgets  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import attn_helpers as attn  # noqa: E402
import browsers  # noqa: E402
import jupyter_pages  # noqa: E402

LENGTHS, MOVES = (8, 16, 32), 30
SETUP = f"""
import sys
sys.path.append({str(pathlib.Path(__file__).parent)!r})
from sliders import ours, usual
%matplotlib inline
"""
NAME_CELL = "place => { document.querySelectorAll('.jp-CodeCell')[place].id = 'cell' + place }"
ARM = """([selector, image]) => {
    const output = document.querySelector(selector);
    const last = image && output.querySelector('img').src;
    window.started = window.painted = null;
    const begin = event => { window.started = event.timeStamp };
    document.addEventListener('keydown', begin, {capture: true, once: true});
    const watch = new MutationObserver(() => {
        const picture = image ? output.querySelector('img') : output;
        if (image && !(picture && picture.src !== last)) return;
        watch.disconnect();
        const paint = () => requestAnimationFrame(() => {
            const after = new MessageChannel();  // its message comes once this frame is painted
            after.port1.onmessage = () => { window.painted = performance.now() };
            after.port2.postMessage(null);
        });
        image ? picture.decode().then(paint, paint) : paint();
    });
    watch.observe(output, {childList: true, subtree: true, characterData: true, attributes: true});
}"""


def ours(length):
    """The explorer of the same weights, the slider of rows in front."""
    explorer = attn.explore_attention()
    explorer.length.value, explorer.row.value = length, 0
    row = explorer.widget.children[0]
    row.children = sorted(row.children, key=lambda group: explorer.row not in group.children)
    return explorer


def usual(length):
    """The usual annotated heatmap, the numbers of one row in red."""
    tokens, X, W_Q, W_K, W_V = attn.load_example(length)
    _, weights = attn.self_attention(X, W_Q, W_K, W_V, attn.causal_mask(length))

    def draw(row):
        plt.figure(figsize=(max(5, length * 0.6), max(4, length * 0.5)))
        plt.imshow(weights, vmin=0, vmax=1)
        for i, j in np.ndindex(length, length):
            color = "red" if i == row else "white"
            plt.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center", fontsize=7, color=color)
        plt.xticks(range(length), tokens, rotation=90)
        plt.yticks(range(length), tokens)
        plt.colorbar()
        plt.show()

    widgets.interact(draw, row=widgets.IntSlider(min=0, max=length - 1, value=0))


def key_to_paint(page, cell, selector, image):
    """The median, in milliseconds, of key presses on the first slider of a cell, to and fro between 0 and 1."""
    output, times = f"{cell} {selector}", []
    handle = page.locator(f"{cell} .noUi-handle").first
    page.wait_for_selector(f"{output} img" if image else output, timeout=60_000)
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    for key in ("ArrowRight", "ArrowLeft") * (MOVES // 2 + 2):
        page.evaluate(ARM, [output, image])
        handle.press(key)
        page.wait_for_function("() => window.painted !== null", timeout=30_000)
        times.append(page.evaluate("() => window.painted - window.started"))
        page.wait_for_timeout(120)
    return statistics.median(times[4:])  # the first warm caches up


def main():
    order, found = list(itertools.product((ours, usual), LENGTHS)), {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder, home = pathlib.Path(folder, "course"), pathlib.Path(folder, "home")
        folder.mkdir(), home.mkdir()
        jupyter_pages.write_notebook(
            folder / "sliders.ipynb", [SETUP, *(f"{what.__name__}({length})" for what, length in order)]
        )
        with jupyter_pages.serve(sys.executable, "lab", folder, home) as address:
            page = browsers.open_chromium(playwright).new_page(viewport={"width": 1280, "height": 1000})
            notebook = jupyter_pages.NotebookPage(page, "lab")
            notebook.open(address("sliders.ipynb"))
            notebook.run_all()
            for place, each in enumerate(order, 1):
                page.evaluate(NAME_CELL, place)
                output = ".jp-OutputArea-output .jp-OutputArea" if usual in each else ".widget-html-content"
                found[each] = key_to_paint(page, f"#cell{place}", output, usual in each)
    print(f"Key press to painted pixels in JupyterLab, ms, median of {MOVES}")
    for length in LENGTHS:
        took, usually = found[ours, length], found[usual, length]
        print(f"{length:3} x {length}: explorer {took:.0f}, `interact` with `plt.show` {usually:.0f}")


if __name__ == "__main__":
    main()
