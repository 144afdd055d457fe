"""In a web page, where Pyodide runs the course: fetch matplotlib when something first imports it.

Pyodide fetches packages before a cell runs, if it sees the cell import them. Our cells call functions that
import matplotlib, and what draws without it should not wait for its ten megabytes. Only in a worker may a
page wait for a file.
"""

import hashlib
import importlib.util
import io
import sys
import sysconfig
import zipfile

import pyodide_js
from js import XMLHttpRequest


class Fetched:
    """Finds matplotlib, once Python has found it nowhere else."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "matplotlib":
            return None
        sys.meta_path.remove(cls)
        fetch(name, pyodide_js.lockfile.packages.to_py())
        return importlib.util.find_spec(name)


def fetch(name, packages):
    """Unpack a package, with what it needs, where Python looks for packages."""
    package = packages[name]
    for needed in package["depends"]:
        fetch(needed, packages)
    if importlib.util.find_spec(package["imports"][0]):
        return
    request = XMLHttpRequest.new()
    request.open("GET", pyodide_js.lockfileBaseUrl + package["file_name"], False)
    request.responseType = "arraybuffer"
    request.send()
    wheel = request.response.to_bytes()
    if hashlib.sha256(wheel).hexdigest() != package["sha256"]:
        raise ImportError(f"{name} was not fetched whole: reload the page")
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        archive.extractall(sysconfig.get_path("purelib"))
    importlib.invalidate_caches()


sys.meta_path.append(Fetched)
