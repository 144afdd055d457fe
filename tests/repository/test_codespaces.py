"""A reader in GitHub Codespaces: the command of .devcontainer opens JupyterLab on lesson 00."""

import json
import re
import shlex
import urllib.request

import pytest

from course import NOTEBOOKS, ROOT
from jupyter_pages import free_port, running
from stand_in import copy_course


@pytest.mark.thorough
def test_jupyterlab_opens_on_the_first_lesson(tmp_path):
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    described = json.loads(re.sub(r"(?m)^\s*//.*$", "", text))
    assert described["postCreateCommand"].endswith(" -r requirements.txt")
    assert described["portsAttributes"]["8888"]["onAutoForward"] == "openBrowser"
    port = str(free_port())
    command = [word.replace("8888", port) for word in shlex.split(described["postAttachCommand"])]
    course = copy_course(tmp_path / "course")
    address = f"http://127.0.0.1:{port}"
    with running([*command, "--allow-root"], tmp_path, f"{address}/api/status", course):
        with urllib.request.urlopen(address) as answer:
            assert answer.url == f"{address}/lab/tree/notebooks/{NOTEBOOKS[0].name}"
        with urllib.request.urlopen(f"{address}/api/contents/notebooks/{NOTEBOOKS[0].name}") as lesson:
            assert json.load(lesson)["type"] == "notebook"
