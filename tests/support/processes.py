"""How pytest shares its work out, as a plugin: over three processes, but one for a single file; browsers first.

A file stays in one process, since a notebook's cells share a kernel; only the tests in JupyterLab and those in the
classic notebook, each a long half of a file, may go separate ways. The files that take longest come first, so that
at the end the processes have little to wait for one another. Three on two cores: a browser test waits more than it works.
"""

import os
import pathlib

import pytest
from xdist.scheduler import LoadFileScheduling

# NumPy's products on one core: the others are taken, and threads that wait for one another would keep them busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Servers and kernels start many times in environments made for the tests: what they import is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


class ByFileAndServer(LoadFileScheduling):
    """Files in one piece, but for tests whose first parameter is `classic`."""

    def _split_scope(self, nodeid):
        return super()._split_scope(nodeid) + ("[classic]" if "[classic" in nodeid else "")


LONGEST = ["test_pages.py", "test_explorers_in_browser.py", "test_slides.py", "test_hub.py"]


def place(item):
    """The longest files first, then all else in a browser, then the rest."""
    name = item.path.name
    return LONGEST.index(name) if name in LONGEST else len(LONGEST) + ("browser" not in item.path.parts)


def pytest_collection_modifyitems(items):
    items.sort(key=place)


def pytest_xdist_make_scheduler(config, log):
    return ByFileAndServer(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    named = {argument.partition("::")[0] for argument in config.args}
    return 0 if len(named) == 1 and pathlib.Path(*named).is_file() else 3
