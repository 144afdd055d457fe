"""What every browser test needs: a chromium, the two Jupyter environments, a notebook of all explorers."""

import hashlib
import os
import pathlib
import subprocess
import sys

import pytest
from jupyter_pages import CHROMIUM, CHROMIUM_ARGS, ROOT
from playwright.sync_api import sync_playwright

CONSTRAINTS = ROOT / "tests" / "constraints-colab.txt"


def pytest_collection_modifyitems(items):
    here = pathlib.Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="module")  # closed before the notebooks run: its event loop would be in their way
def chromium():
    if CHROMIUM is None:
        absent = pytest.fail if os.environ.get("CI") else pytest.skip  # CI must not pass without them
        absent("no chromium or google-chrome on the path (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def colab_python(request):
    """Python with Colab's pins, made once (about half a minute) and kept in pytest's cache."""
    if sys.version_info >= (3, 14):
        pytest.skip("the versions that Colab has are not made for Python 3.14")
    pins = hashlib.sha256(CONSTRAINTS.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = request.config.cache.mkdir("colab-environments") / pins
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", CONSTRAINTS], check=True, timeout=900)
        (folder / "complete").touch()
    return python
