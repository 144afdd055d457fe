"""How pytest shares its work out, as a plugin: over three processes, but one for a single file; the longest first.

A file stays in one process, since a notebook's cells share a kernel. The files that drive notebooks share a server:
all that JupyterLab does is done by one process, all that the classic notebook does by another. What takes longest comes
first, so that at the end the processes have little to wait for one another. Three on two cores: a browser test waits
more than it works.
"""

import os
import pathlib
import sys

import pytest
from xdist.scheduler import LoadFileScheduling

# NumPy's products on one core: the others are taken, and threads that wait for one another would keep them busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Commands such as `jupyter` are found without an activated environment, too.
os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
# Servers and kernels start many times in environments made for the tests: what they import is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


NOTEBOOKS = [
    "test_binder.py",
    "test_explorers_in_browser.py",
    "test_predictions_in_browser.py",
    "test_not_run_in_browser.py",
    "test_saved_and_reopened.py",
]
LONGEST = [
    "test_pages.py",
    *NOTEBOOKS,
    "test_slides.py",
    "test_drawings.py",
    "test_mistakes.py",
]


class ByFileAndServer(LoadFileScheduling):
    """Files in one piece, but for those in NOTEBOOKS, whose tests go by their server."""

    def _split_scope(self, nodeid):
        if not any(name in nodeid for name in NOTEBOOKS):
            return super()._split_scope(nodeid)
        return "classic notebook" if "[classic" in nodeid else "JupyterLab"


def place(item):
    """The longest files first, then the rest."""
    return LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(items):
    items.sort(key=place)


def pytest_xdist_make_scheduler(config, log):
    return ByFileAndServer(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    named = {argument.partition("::")[0] for argument in config.args}
    return 0 if len(named) == 1 and pathlib.Path(*named).is_file() else 3
