"""A Jupyter server of its own, and a notebook open in a real browser: what the browser tests drive.

Works for JupyterLab 4 and for the classic notebook 6, whose differences are in `FRONTS`.
"""

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import time
import urllib.request
from typing import NamedTuple
from xml.etree import ElementTree

import nbformat
import pytest
from playwright.sync_api import expect

# JupyterLab: no questions about news, and no cells taken out of the page while they are out of view
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}


class Front(NamedTuple):
    """What a front end's page has, and the functions of JavaScript that are called there."""

    cell: str
    ready: str  # the notebook in front and its kernel are there
    run_all: str
    has_run: str
    # the kernel answers in order: once it has answered this, the page has its replies to all before it
    answered: str
    close: str  # the kernel ends


FRONTS = {
    "lab": Front(
        cell=".jp-CodeCell",
        ready="""() => {
            const panel = window.jupyterapp?.shell.currentWidget, session = panel?.sessionContext;
            return session?.isReady && session.session.kernel.connectionStatus === 'connected'
                && session.session.kernel.status === 'idle'
                && window.jupyterapp.commands.isEnabled('notebook:run-all-cells');
        }""",
        run_all="() => window.jupyterapp.commands.execute('notebook:run-all-cells')",
        has_run="""() => window.jupyterapp.shell.currentWidget.content.widgets
            .filter(cell => cell.model.type === 'code').every(cell => cell.model.executionCount)""",
        answered="""() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
            .requestCommInfo({target_name: 'jupyter.widget'}).then(() => true)""",
        close="() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()",
    ),
    "classic": Front(
        cell="div.code_cell",
        ready="""() => {
            const kernel = window.Jupyter?.notebook?.kernel;
            return kernel?.is_connected() && kernel.widget_manager;
        }""",
        run_all="() => Jupyter.notebook.execute_all_cells()",
        has_run="""() => Jupyter.notebook.get_cells().filter(cell => cell.cell_type === 'code')
            .every(cell => cell.input_prompt_number > 0) && !Jupyter.notebook.kernel_busy""",
        answered="""() => new Promise(done => Jupyter.notebook.kernel.send_shell_message(
            'comm_info_request', {target_name: 'jupyter.widget'},
            {iopub: {status: said => said.content.execution_state === 'idle' && done()}}))""",
        close="() => new Promise(done => Jupyter.notebook.session.delete(done, done))",
    ),
}
PICTURE = ".widget-html-content svg"
# as one text: to hand over thousands of values one by one takes a quarter of a second
MARKS = """svg => JSON.stringify([...svg.querySelectorAll('*')].map(node =>
    [node.localName, Object.fromEntries([...node.attributes].map(a => [a.name, a.value])),
     node.children.length ? '' : node.textContent]))"""
# What both front ends show alike is looked at in one.
in_lab = pytest.mark.parametrize("jupyter", ["lab"], indirect=True, scope="session")


@contextlib.contextmanager
def serve(python, app, folder, home):
    """A Jupyter server ("lab" or "classic") of the environment `python`; yields name -> address."""
    for name, values in SETTINGS.items():
        path = home / "config" / "lab" / "user-settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    port = free_port()
    token = secrets.token_hex(16)
    lab = [
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={folder}",
        "--expose-app-in-browser",
    ]
    classic = [f"--NotebookApp.token={token}", f"--NotebookApp.notebook_dir={folder}"]
    module, settings = ("jupyterlab", lab) if app == "lab" else ("notebook", classic)
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "IPYTHONDIR": "ipython",
    }
    environment = os.environ | {name: str(home / place) for name, place in own.items()} | {"PYTHONPATH": ""}
    log = home / "server.log"
    with log.open("w") as said:
        server = subprocess.Popen(
            [python, "-m", module, *settings, *options],
            env=environment,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        wait_until_up(server, f"http://127.0.0.1:{port}/api/status?token={token}", log)
        # a workspace of its own for every page, else JupyterLab opens the notebooks of the page before
        place = "lab/workspaces/{}/tree" if app == "lab" else "notebooks"
        yield (
            lambda name: f"http://127.0.0.1:{port}/{place.format(secrets.token_hex(4))}/{name}?token={token}"
        )
    finally:
        server.terminate()  # it ends the kernels that it has started
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)  # the group that we started
            server.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(server, address, log):
    for _ in range(1200):
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    pytest.fail(f"{address} did not start:\n{log.read_text()[-3000:]}")


def write_notebook(path, cells):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, path)


class NotebookPage:
    def __init__(self, page, app):
        self.page = page
        self.app = app
        self.front = FRONTS[app]
        self.problems = []
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("console", self._read_console)

    def _read_console(self, message):
        # the browser's own words on files that aren't there: maps, icons, MathJax's fonts without a network
        missing = "Failed to load resource", "Access to font at"
        if message.type == "error" and not message.text.startswith(missing):
            self.problems.append(f"console: {message.text}")

    def open(self, address):
        self.page.goto(address)
        self.wait_until_open()

    def close(self):
        self.page.evaluate(self.front.close)
        self.page.close()

    def wait_until_open(self):
        self.page.wait_for_selector(self.front.cell)
        self.page.wait_for_function(self.front.ready)
        if self.app == "classic":
            # its widgets ask the kernel for those of an earlier page, and drop new ones meanwhile
            self.page.wait_for_selector("#kernel_indicator_icon.kernel_idle_icon", state="attached")
            self.page.wait_for_load_state("networkidle")
            self.settle()

    def settle(self):
        """Until the kernel has taken all that the page has to tell, and the page all that comes back.

        Twice: while a widget waits for one reply it holds its next value back.
        """
        for _ in range(2):
            self.page.evaluate(self.front.answered)

    def run_all(self):
        """Run every cell of the notebook; wait until each has its number and the page all outputs."""
        self.page.evaluate(self.front.run_all)
        self.page.wait_for_function(self.front.has_run, timeout=120_000)
        self.settle()

    def explorers(self, count):
        """The live explorers of the page, from top to bottom, once there are so many."""
        boxes = self.page.locator(".widget-vbox").filter(has=self.page.locator(PICTURE))
        expect(boxes).to_have_count(count)
        # named once: to look for them by what they hold takes long on a page with many marks
        boxes.evaluate_all("boxes => boxes.forEach((box, place) => { box.dataset.explorer = place })")
        return [ExplorerOnPage(self.page.locator(f"[data-explorer='{place}']")) for place in range(count)]


class ExplorerOnPage:
    """One explorer as a reader has it: controls to press and a picture to read."""

    def __init__(self, box):
        self.box = box
        self.page = box.page
        self.svg = box.locator(PICTURE)

    def marks(self):
        """Every mark of the picture as [tag, attributes, text]."""
        return json.loads(self.svg.evaluate(MARKS))

    def group(self, label):
        """The innermost box that holds the controls of this label."""
        name = self.page.locator("label").filter(has_text=re.compile(rf"^\s*{label}\s*$"))
        return self.box.locator(".widget-hbox").filter(has=name).last

    def value(self, label):
        return float(self.group(label).locator("input[type=number]").input_value())

    def press(self, label, key):
        self.group(label).locator(".noUi-handle, .ui-slider-handle").press(key)


def click_at(control, place):
    """A click on a control, `place` of the way from its left end."""
    edges = control.bounding_box()
    control.click(position={"x": place * edges["width"], "y": edges["height"] / 2})


def marks_of(picture):
    """The marks of the SVG inside an explorer's HTML, as `ExplorerOnPage.marks` reads them from the page."""
    svg = ElementTree.fromstring(re.search(r"<svg .*</svg>", picture, re.DOTALL)[0])
    _, *nodes = svg.iter()
    texts = ["" if len(node) else node.text or "" for node in nodes]
    return [[node.tag.split("}")[1], node.attrib, text] for node, text in zip(nodes, texts, strict=True)]


def wait_until(condition, page):
    """Polls the page; True as soon as `condition()` holds, False if it doesn't within a minute."""
    for _ in range(1200):
        if condition():
            return True
        page.wait_for_timeout(50)
    return False
