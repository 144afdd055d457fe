"""What a reader in GitHub Codespaces gets: the command of .devcontainer opens JupyterLab on lesson 00."""

import json
import re
import shlex

from course import NOTEBOOKS, ROOT
from jupyter_pages import running
from stand_in import copy_course
from try_hub import free_ports

DESCRIBED = json.loads(
    re.sub(r"(?m)^\s*//.*$", "", (ROOT / ".devcontainer" / "devcontainer.json").read_text())
)


def test_jupyterlab_opens_on_the_first_lesson(chromium, tmp_path):
    [port] = map(str, free_ports(1))
    command = [word.replace("8888", port) for word in shlex.split(DESCRIBED["postAttachCommand"])]
    course = copy_course(tmp_path / "course")
    server = running([*command, "--allow-root"], tmp_path, f"http://127.0.0.1:{port}/api/status", course)
    with server, chromium.new_page() as page:
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".jp-CodeCell", timeout=60_000)
        page.wait_for_url(f"**/lab/tree/notebooks/{NOTEBOOKS[0].name}")


def test_it_has_what_a_learner_installs_and_shows_the_port_it_serves():
    assert DESCRIBED["postCreateCommand"].endswith(" -r requirements.txt")
    [port] = DESCRIBED["forwardPorts"]
    assert f"--port={port} " in DESCRIBED["postAttachCommand"]
    assert DESCRIBED["portsAttributes"][str(port)]["onAutoForward"] == "openBrowser"
