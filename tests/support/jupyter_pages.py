"""A Jupyter server of its own, and a notebook open in a real browser: what the browser tests drive.

Works for JupyterLab 4 and for the classic notebook 6, which differ only in the class names below.
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
from xml.etree import ElementTree

import nbformat
import pytest

# JupyterLab: no questions about news, and no cells taken out of the page while they are out of view
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}
# the notebook in front, its kernel and the list of commands are all there
LAB_READY = """() => {
    const panel = window.jupyterapp && window.jupyterapp.shell.currentWidget;
    const session = panel && panel.sessionContext;
    return session && session.isReady && session.session.kernel.connectionStatus === 'connected'
        && session.session.kernel.status === 'idle'
        && window.jupyterapp.commands.isEnabled('notebook:run-all-cells');
}"""
CLASSIC_READY = """() => {
    const kernel = window.Jupyter && Jupyter.notebook && Jupyter.notebook.kernel;
    return kernel && kernel.is_connected() && kernel.widget_manager;
}"""
LAB_RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
LAB_HAS_RUN = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code').every(cell => cell.model.executionCount)"""
CLASSIC_HAS_RUN = """() => Jupyter.notebook.get_cells().filter(cell => cell.cell_type === 'code')
    .every(cell => cell.input_prompt_number > 0) && !Jupyter.notebook.kernel_busy"""
# the kernel answers in order: once it is idle again after this question, the page has its replies to all before it
LAB_ANSWERED = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
    .requestCommInfo({target_name: 'jupyter.widget'}).then(() => true)"""
CLASSIC_ANSWERED = """() => new Promise(done => Jupyter.notebook.kernel.send_shell_message(
    'comm_info_request', {target_name: 'jupyter.widget'},
    {iopub: {status: said => said.content.execution_state === 'idle' && done()}}))"""
# the notebook in front and its kernel end; in JupyterLab another one can then stand in its place
LAB_CLOSE = """() => {
    const panel = window.jupyterapp.shell.currentWidget;
    return panel.sessionContext.shutdown().then(() => panel.dispose());
}"""
LAB_OPEN = "path => { window.jupyterapp.commands.execute('docmanager:open', {path}) }"
CLASSIC_CLOSE = "() => new Promise(done => Jupyter.notebook.session.delete(done, done))"
# as one text: to hand over thousands of values one by one takes a quarter of a second
MARKS = """svg => JSON.stringify([...svg.querySelectorAll('*')].map(node =>
    [node.localName, Object.fromEntries([...node.attributes].map(a => [a.name, a.value])),
     node.children.length ? '' : node.textContent]))"""


# What both front ends show alike is looked at in one.
in_lab = pytest.mark.parametrize(
    "jupyter",
    ["lab"],
    indirect=True,
    scope="session",
)


@contextlib.contextmanager
def serve(python, app, folder, home):
    """A Jupyter server ("lab" or "classic") of the environment `python`; yields name -> address."""
    port = free_port()
    token = secrets.token_hex(16)
    lab = [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}", "--expose-app-in-browser"]
    classic = [f"--NotebookApp.token={token}", f"--NotebookApp.notebook_dir={folder}"]
    module, settings = ("jupyterlab", lab) if app == "lab" else ("notebook", classic)
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command = [str(python), "-m", module, *settings, *options]
    with running(command, home, f"http://127.0.0.1:{port}/api/status?token={token}", PYTHONPATH=""):
        # a workspace of its own for every page, else JupyterLab opens the notebooks of the page before as well
        place = "lab/workspaces/{}/tree" if app == "lab" else "notebooks"
        yield (
            lambda name: f"http://127.0.0.1:{port}/{place.format(secrets.token_hex(4))}/{name}?token={token}"
        )


@contextlib.contextmanager
def running(command, home, status, folder=None, **environment):
    """The server that `command` starts in `folder`, once its address `status` answers; its settings are in `home`."""
    for name, values in SETTINGS.items():
        path = home / "config" / "lab" / "user-settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    own = {"JUPYTER_CONFIG_DIR": f"{home / 'config'}", "JUPYTER_DATA_DIR": f"{home / 'data'}"}
    own["IPYTHONDIR"], log = f"{home / 'ipython'}", home / "server.log"
    with open(log, "w") as said:
        options = {"cwd": folder, "stdout": said, "stderr": said, "start_new_session": True}
        server = subprocess.Popen(command, env=os.environ | own | environment, **options)
    try:
        wait_until_up(server, status, log)
        yield
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
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)
    return path


class NotebookPage:
    def __init__(self, page, app):
        self.page, self.lab, self.problems = page, app == "lab", []
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("console", self._read_console)

    def _read_console(self, message):
        # the browser's own words on files that are not there: maps and icons, MathJax's fonts without a network
        missing = "Failed to load resource", "Access to font at"
        if message.type == "error" and not message.text.startswith(missing):
            self.problems.append(f"console: {message.text}")

    def open(self, address):
        self.page.goto(address)
        self.wait_until_open()

    def open_next(self, path):
        """In JupyterLab: open another notebook, once the one before is closed. To load the page again takes longest."""
        self.page.evaluate(LAB_OPEN, path)
        self.wait_until_open()

    def close(self):
        self.page.evaluate(LAB_CLOSE if self.lab else CLASSIC_CLOSE)
        if not self.lab:
            self.page.close()

    def wait_until_open(self):
        self.page.wait_for_selector(".jp-CodeCell" if self.lab else "div.code_cell")
        self.wait_until_ready()
        if not self.lab:
            # its widgets ask the kernel for those of an earlier page, and drop new ones meanwhile
            self.page.wait_for_selector("#kernel_indicator_icon.kernel_idle_icon", state="attached")
            self.page.wait_for_load_state("networkidle")
            self.settle()

    def wait_until_ready(self):
        """Until the notebook in front has a kernel that can run its cells."""
        self.page.wait_for_function(LAB_READY if self.lab else CLASSIC_READY)

    def settle(self):
        """Until the kernel has taken all that the page has to tell, and the page all that comes back.

        Twice: while a widget waits for one reply it holds its next value back.
        """
        for _ in range(2):
            self.page.evaluate(LAB_ANSWERED if self.lab else CLASSIC_ANSWERED)

    def run_all(self):
        """Run every cell of the notebook in front; wait until each has its number and the page all outputs."""
        self.page.evaluate(LAB_RUN_ALL if self.lab else "() => Jupyter.notebook.execute_all_cells()")
        self.page.wait_for_function(LAB_HAS_RUN if self.lab else CLASSIC_HAS_RUN, timeout=120_000)
        self.settle()

    def explorers(self):
        """All live explorers of the page, from top to bottom."""
        self.page.wait_for_selector(".widget-html-content svg")
        boxes = self.page.locator(".widget-vbox").filter(has=self.page.locator(".widget-html-content svg"))
        # named once: to look for them by what they hold takes long on a page with many marks
        boxes.evaluate_all("boxes => boxes.forEach((box, place) => { box.dataset.explorer = place })")
        named = [self.page.locator(f"[data-explorer='{place}']") for place in range(boxes.count())]
        return [ExplorerOnPage(self, box) for box in named]


class ExplorerOnPage:
    """One explorer as a reader has it: controls to press and a picture to read."""

    def __init__(self, notebook, box):
        self.notebook, self.box, self.page = notebook, box, notebook.page
        self.svg = box.locator(".widget-html-content svg")

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

    def click_track(self, label, share):
        """A click on the slider's line, `share` of the way from its left end."""
        track = self.group(label).locator(".noUi-target, .ui-slider")
        line = track.bounding_box()
        track.click(position={"x": share * line["width"], "y": line["height"] / 2})


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
