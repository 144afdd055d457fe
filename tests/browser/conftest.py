"""What every browser test needs: a chromium, the two Jupyter environments, a notebook of all explorers."""

import os
import pathlib
import sys

import pytest
from jupyter_pages import CHROMIUM, CHROMIUM_ARGS, ROOT
from playwright.sync_api import sync_playwright

from environments import python_with

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
    """Python with Colab's pins."""
    if sys.version_info >= (3, 14):
        pytest.skip("the versions that Colab has are not made for Python 3.14")
    return python_with(request.config, "colab", CONSTRAINTS)
