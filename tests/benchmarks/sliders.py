"""How long after a key press on a slider the new picture is on the screen: ours and the usual way.

    python tests/benchmarks/sliders.py

In one run, in JupyterLab in a real browser, the same heatmap of L×L attention weights is drawn by
`explore_attention` and, with its numbers, by ipywidgets' `interact` with `plt.show()`. Key to paint: from the
key's own event in the page to the first task after the frame that shows the changed output. Kernel: from the
control's new value to the new payload, in this process. A widget that only echoes its slider's number shows
what JupyterLab's round trip takes by itself.
"""

import io
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "tools", "")]

import ipywidgets as widgets  # noqa: E402
import matplotlib  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import attn_helpers as attn  # noqa: E402
import browsers  # noqa: E402
import jupyter_pages  # noqa: E402

LENGTHS, MOVES = (8, 16, 32), 30
SETUP = f"""
import sys
sys.path.append({str(pathlib.Path(__file__).parent)!r})
from sliders import echo, ours, usual
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


def draw_usual(length, row):
    """The usual annotated heatmap, the numbers of one row in red."""
    tokens, X, W_Q, W_K, W_V = attn.load_example(length)
    _, weights = attn.self_attention(X, W_Q, W_K, W_V, attn.causal_mask(length))
    figure = plt.figure(figsize=(max(5, length * 0.6), max(4, length * 0.5)))
    plt.imshow(weights, vmin=0, vmax=1)
    for i in range(length):
        for j in range(length):
            color = "red" if i == row else "white"
            plt.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center", fontsize=7, color=color)
    plt.xticks(range(length), tokens, rotation=90)
    plt.yticks(range(length), tokens)
    plt.colorbar()
    return figure


def usual(length):
    def draw(row):
        draw_usual(length, row)
        plt.show()

    widgets.interact(draw, row=widgets.IntSlider(min=0, max=length - 1, value=0))


def echo():
    slider, page = widgets.IntSlider(min=0, max=100, description="echo"), widgets.HTML("0")
    slider.observe(lambda change: setattr(page, "value", str(change["new"])), "value")
    return widgets.VBox([slider, page])


def key_to_paint(page, cell, selector, image, last):
    """Milliseconds of MOVES key presses on the first slider of a cell, to and fro between 0 and `last`."""
    output = f"{cell} {selector}"
    handle = page.locator(f"{cell} .noUi-handle").first
    page.wait_for_selector(f"{output} img" if image else output, timeout=60_000)
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)
    times, forward = [], True
    for move in range(MOVES + 3):  # the first three warm caches up
        page.evaluate(ARM, [output, image])
        handle.focus()
        value = float(handle.get_attribute("aria-valuenow"))
        forward = (forward and value < last) or value <= 0  # to and fro
        page.keyboard.press("ArrowRight" if forward else "ArrowLeft")
        page.wait_for_function("() => window.painted !== null", timeout=30_000)
        if move >= 3:
            times.append(page.evaluate("() => window.painted - window.started"))
        page.wait_for_timeout(120)
    return times


def kernel_side(length):
    """Milliseconds from a new value to the new payload: of the explorer, and of a figure saved as PNG."""
    explorer, explored, drawn = attn.explore_attention(), [], []
    explorer.length.value = length
    for move in range(MOVES):
        start = time.perf_counter()
        explorer.row.value = (move + 1) % length
        explored.append(1000 * (time.perf_counter() - start))
    for _ in range(5):
        start = time.perf_counter()
        figure = draw_usual(length, row=0)
        figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
        plt.close(figure)
        drawn.append(1000 * (time.perf_counter() - start))
    return explored, drawn, len(explorer.picture.value)


def p95(times):
    return statistics.quantiles(times, n=20)[-1]


def measure():
    """{(what, length): milliseconds}, measured in one page of one JupyterLab."""
    cells, order = [SETUP], []
    for length in LENGTHS:
        cells += [f"ours({length})", f"usual({length})"]
        order += [("ours", length), ("usual", length)]
    cells.append("echo()")
    order.append(("echo", 100))
    with tempfile.TemporaryDirectory() as folder:
        folder, home = pathlib.Path(folder, "course"), pathlib.Path(folder, "home")
        folder.mkdir(), home.mkdir()
        jupyter_pages.write_notebook(folder / "sliders.ipynb", cells)
        with (
            jupyter_pages.serve(sys.executable, "lab", folder, home) as address,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(executable_path=browsers.CHROMIUM, args=browsers.ARGS)
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            notebook = jupyter_pages.NotebookPage(page, "lab")
            notebook.open(address("sliders.ipynb"))
            notebook.run_all()
            found = {}
            for place, (what, length) in enumerate(order):
                page.evaluate(NAME_CELL, place + 1)
                output = ".widget-html-content" if what != "usual" else ".jp-OutputArea-output .jp-OutputArea"
                found[what, length] = key_to_paint(
                    page, f"#cell{place + 1}", output, what == "usual", length - 1
                )
            browser.close()
    return found


def main():
    matplotlib.use("agg")
    found = measure()
    print("Key press to painted pixels, JupyterLab, ms, median / p95 of", MOVES)
    print("| L×L | `interact` + `plt.show` | explorer | ratio of medians | of p95 |")
    print("| --- | --- | --- | --- | --- |")
    for length in LENGTHS:
        usual, ours = found["usual", length], found["ours", length]
        medians = statistics.median(usual), statistics.median(ours)
        print(
            f"| {length} | {medians[0]:.0f} / {p95(usual):.0f} | {medians[1]:.0f} / {p95(ours):.0f} "
            f"| {medians[0] / medians[1]:.1f} | {p95(usual) / p95(ours):.1f} |"
        )
    echo = found["echo", 100]
    print(f"A widget that only echoes its slider: {statistics.median(echo):.0f} / {p95(echo):.0f}\n")
    print("Kernel side, new value to payload, ms, median / p95")
    print("| L×L | figure to PNG (median of 5) | explorer | ratio | payload, bytes |")
    print("| --- | --- | --- | --- | --- |")
    for length in LENGTHS:
        ours, usual, size = kernel_side(length)
        medians = statistics.median(usual), statistics.median(ours)
        print(
            f"| {length} | {medians[0]:.0f} | {medians[1]:.1f} / {p95(ours):.1f} "
            f"| {medians[0] / medians[1]:.0f} | {size:,} |"
        )


if __name__ == "__main__":
    main()
