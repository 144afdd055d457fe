"""What a reader in GitHub Codespaces gets: the command of .devcontainer opens JupyterLab on lesson 00."""

import json
import re
import shlex
import urllib.request

from course import NOTEBOOKS, ROOT
from jupyter_pages import free_ports, running
from stand_in import copy_course

DESCRIBED = json.loads(
    re.sub(r"(?m)^\s*//.*$", "", (ROOT / ".devcontainer" / "devcontainer.json").read_text())
)


def test_jupyterlab_opens_on_the_first_lesson(tmp_path):
    [port] = map(str, free_ports(1))
    command = [word.replace("8888", port) for word in shlex.split(DESCRIBED["postAttachCommand"])]
    course, address = copy_course(tmp_path / "course"), f"http://127.0.0.1:{port}"
    with running([*command, "--allow-root"], tmp_path, f"{address}/api/status", course):
        with urllib.request.urlopen(address) as answer:
            assert answer.url == f"{address}/lab/tree/notebooks/{NOTEBOOKS[0].name}"
            assert b"JupyterLab" in answer.read()
        with urllib.request.urlopen(f"{address}/api/contents/notebooks/{NOTEBOOKS[0].name}") as lesson:
            assert json.load(lesson)["type"] == "notebook"


def test_it_has_what_a_learner_installs_and_shows_the_port_it_serves():
    assert DESCRIBED["postCreateCommand"].endswith(" -r requirements.txt")
    [port] = DESCRIBED["forwardPorts"]
    assert f"--port={port} " in DESCRIBED["postAttachCommand"]
    assert DESCRIBED["portsAttributes"][str(port)]["onAutoForward"] == "openBrowser"
