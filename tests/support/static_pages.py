"""Reading the static pages in a browser, and moving what moves there."""

import contextlib
import functools
import http.server
import re
import threading

import pages  # noqa: F401, it puts tools/pages on the path
from attn_parts.colours import palette_css

import boxes  # isort: skip
import frames  # isort: skip
import front  # isort: skip

PHONE = {"width": 360, "height": 780}
DESK = {"width": 1280, "height": 720}
SETTLED = "() => window.MathJax && MathJax.startup.promise.then(() => true)"
FITS = "document.documentElement.scrollWidth <= innerWidth"
# what each control reads; a slider shows and tells the same
READINGS = """box => {
    const controls = [...box.querySelectorAll('[data-control]:not(button)')]
    return Object.fromEntries(controls.map(control => {
        const {type, checked, ariaValueText, selectedOptions, nextElementSibling: beside} = control
        const told = type === 'range' && ariaValueText === beside.textContent ? Number(ariaValueText) : NaN
        const read = type === 'checkbox' ? checked : selectedOptions?.[0].textContent ?? told
        return [control.dataset.control, read]
    }))
}"""
KEYS = {
    "range": ("End", "ArrowLeft", "Home", "ArrowRight"),
    "checkbox": ("Space", "Space"),
    "button": ("Enter", "Enter"),
    "select-one": ("ArrowDown", "End", "Home"),
}


def write_front_page(site):
    """The front page in a folder, with what it needs, and the language model as lessons have it."""
    static = site / "_static"
    static.mkdir()
    front.write_static(static)
    boxes.write_static(static)
    (static / "palette.css").write_text(palette_css(), "utf-8")
    (site / "index.html").write_text(front.page(), "utf-8")
    cell = {"outputs": [{"data": {"text/html": "<p>A still.</p>"}}]}
    front.put_model(cell)
    model = cell["outputs"][0]["data"]["text/html"].replace("../", "")
    style = '<link rel="stylesheet" href="_static/palette.css">'
    (site / "model.html").write_text(f'<!DOCTYPE html><meta charset="utf-8">{style}{model}', "utf-8")
    return site


class Reader:
    """A page of the browser that may ask for files, or one server, and notes what goes wrong."""

    def __init__(self, page, may_ask="file:"):
        self.page = page
        self.problems = []
        self.asked = []
        page.route(re.compile(rf"^(?!{may_ask}|data:|blob:)"), self._refuse)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on(
            "requestfailed",
            lambda request: self.problems.append(f"not loaded: {request.url[:200]}"),
        )
        page.on(
            "console",
            lambda said: said.type == "error" and self.problems.append(said.text),
        )

    def _refuse(self, route):
        self.problems.append(f"asked for {route.request.url}")
        route.abort()

    def open(self, path, math=True):
        self.page.goto(path if isinstance(path, str) else path.as_uri())
        if math:
            self.page.wait_for_function(SETTLED)
        return self.page


class OnPage:
    """An explorer on its page, whose frames have come."""

    def __init__(self, page, cell):
        self.box = page.locator(f"[data-frames='{cell}']")
        self.box.scroll_into_view_if_needed()
        self.box.locator("fieldset:enabled").wait_for()
        self.controls = self.box.locator("[data-control]")

    def readings(self):
        return self.box.evaluate(READINGS)

    def svg(self):
        write = "svg => new XMLSerializer().serializeToString(svg)"
        svg = self.box.locator(".attn-shown svg").evaluate(write)
        return re.sub(r' style="font-size: [^"]*"', "", svg)  # letters that grew to be read


def drawn_at(explorer, readings):
    """(SVG, description) that the explorer draws where the controls on a page have these readings."""
    values = explorer.values()
    for name, reading in readings.items():
        labels = getattr(explorer.controls[name], "labels", {})
        values[name] = labels[reading] if labels else type(values[name])(reading)
    drawing, told = explorer.draw(**values)
    return frames.on_page(drawing, told)[0], told


@contextlib.contextmanager
def served(folder):
    """The address of a folder, given by a server on this machine."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *told):
        pass
