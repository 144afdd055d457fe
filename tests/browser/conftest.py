"""What every browser test needs: a chromium, JupyterLab, and the classic notebook with Colab's versions."""

import pathlib
import sys

import pytest

from browsers import open_chromium
from course import ROOT
from environments import python_with
from jupyter_pages import NotebookPage, serve
from stand_in import copy_course

CONSTRAINTS = ROOT / "tests" / "constraints-colab.txt"


def pytest_collection_modifyitems(items):
    here = pathlib.Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")
            # A browser on a busy machine now and then misses a click or answers late: once more, and it is counted
            # among the results as a rerun. Whoever debugs with --pdb wants to see the first failure.
            if not item.config.option.usepdb:
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="module")  # closed before the notebooks run: its event loop would be in their way
def chromium():
    with open_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def colab_python(tmp_path_factory):
    """Python with Colab's pins."""
    if sys.version_info >= (3, 14):
        pytest.skip("the versions that Colab has are not made for Python 3.14")
    return python_with(tmp_path_factory.mktemp("colab"), CONSTRAINTS)


@pytest.fixture(scope="session", params=["lab", "notebook"], ids=["lab", "classic"])
def jupyter(request, tmp_path_factory):
    """(app, folder, address): a running server whose folder holds the course."""
    app = request.param
    python = sys.executable if app == "lab" else request.getfixturevalue("colab_python")
    folder, home = copy_course(tmp_path_factory.mktemp("course")), tmp_path_factory.mktemp("home")
    with serve(python, app, folder, home) as address:
        yield app, folder, address


@pytest.fixture(scope="module")
def open_notebook(jupyter, chromium):
    """Opens a notebook in a page of its own; what the pages load is kept from one to the next."""
    app, _, address = jupyter
    context = chromium.new_context()

    def opened(name, width=1280):
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 1000})
        notebook = NotebookPage(page, app)
        notebook.open(address(name))
        return notebook

    yield opened
    context.close()
