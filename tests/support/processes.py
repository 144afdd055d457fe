"""A pytest plugin that shares the tests out over processes: by file, and the longest first.

A file stays in one process, because a notebook's cells share a kernel. The files that drive notebooks in a
browser share a server instead: everything in JupyterLab is in one process, everything in the classic notebook
in another. At least three processes, since a browser test waits more than it works; none for a single file.
"""

import os
import pathlib
import sys

import pytest
from xdist.scheduler import LoadFileScheduling

# NumPy's products on one core: the others are taken, and waiting threads would keep them busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Commands such as `jupyter` are found without an activated environment, too.
os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
# Servers and kernels start many times in environments made for the tests: what they import is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Nothing depends on a my_attention.py that is in somebody's clone: attn_checks/kept/file.py.
os.environ["ATTENTION_COURSE_ONLY"] = "1"

IN_NOTEBOOKS = [
    "test_explorers_in_browser.py",
    "test_predictions_in_browser.py",
    "test_saved_and_reopened.py",
]
LONGEST = ["test_pages.py", *IN_NOTEBOOKS, "test_slides.py", "test_two_mistakes.py", "test_drawings.py"]
LONGEST += ["test_grading.py", "test_harm.py", "test_feedback.py"]


class ByFileAndServer(LoadFileScheduling):
    def _split_scope(self, nodeid):
        if not any(name in nodeid for name in IN_NOTEBOOKS):
            return super()._split_scope(nodeid)
        return "classic notebook" if "classic" in nodeid else "JupyterLab"


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_xdist_make_scheduler(config, log):
    return ByFileAndServer(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    named = {argument.partition("::")[0] for argument in config.args}
    return 0 if len(named) == 1 and pathlib.Path(*named).is_file() else max(3, min(8, os.cpu_count()))
