"""What every browser test needs: a chromium, JupyterLab, and the classic notebook with Colab's versions."""

import pathlib
import re
import shutil
import sys

import pytest
from playwright.sync_api import expect, sync_playwright

from browsers import open_chromium
from course import ROOT
from environments import python_with
from jupyter_pages import NotebookPage, serve
from stand_in import copy_course
from static_pages import PHONE, Reader, served

CONSTRAINTS = ROOT / "tests" / "constraints-colab.txt"
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items):
    here = pathlib.Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")
            # A browser on a busy machine now and then misses a click or answers late: twice more, and it is
            # counted among the results as a rerun. Whoever debugs with --pdb wants to see the first failure.
            if not item.config.option.usepdb:
                item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="package")  # ended before the notebooks run: its event loop would be in their way
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright):
    with open_chromium(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def builder(tmp_path_factory):
    """The Python that the pages are built with."""
    return python_with(
        tmp_path_factory.mktemp("builder"),
        ROOT / "tools" / "pages" / "requirements.txt",
    )


@pytest.fixture(scope="module")
def address(site):
    """Of the `site` that a module of tests builds."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def context(chromium):
    """On a phone; a module of tests may open another."""
    with chromium.new_context(viewport=PHONE) as context:
        yield context


@pytest.fixture
def reader(context):
    """A page of the `context`."""
    reader = Reader(context.new_page())
    yield reader
    reader.page.close()


def colab_python(folder):
    [minor] = re.findall(r"(?m)^# Python 3\.(\d+)$", CONSTRAINTS.read_text())
    if sys.version_info[1] > int(minor):
        pytest.skip(f"Colab's versions aren't made for a Python newer than 3.{minor}")
    return python_with(folder, CONSTRAINTS)


def binder_python(folder):
    """The environment that Binder would build, on the Python that binder/runtime.txt names if it is here."""
    wanted = (ROOT / "binder" / "runtime.txt").read_text().strip().replace("-", "")
    return python_with(
        folder,
        ROOT / "binder" / "requirements.txt",
        shutil.which(wanted) or sys.executable,
    )


@pytest.fixture(scope="session", params=["lab", "classic"])
def jupyter(request, tmp_path_factory):
    """(app, folder, address) of a running server that has the course, with Binder's packages or Colab's."""
    app = request.param
    environment, folder, home = (tmp_path_factory.mktemp(name) for name in ("python", "course", "home"))
    python = binder_python(environment) if app == "lab" else colab_python(environment)
    with serve(python, app, copy_course(folder), home) as address:
        yield app, folder, address


@pytest.fixture(scope="package")
def open_notebook(jupyter, chromium):
    """Opens a notebook, once the one before is closed."""
    app, _, address = jupyter
    context = chromium.new_context()
    opened = []

    def in_place(name, width=1280):
        if opened:
            opened.pop().close()
        opened.append(NotebookPage(context.new_page(), app))
        opened[0].page.set_viewport_size({"width": width, "height": 1000})
        opened[0].open(address(name))
        return opened[0]

    yield in_place
    context.close()
