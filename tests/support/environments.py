"""Python in processes of its own, and in environments: Colab's versions, Binder's, the site builder's."""

import subprocess
import sys

from uv import find_uv_bin


def python(*words, **how):
    """What a Python with these words has printed, and its exit code."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, **how)


def python_with(folder, requirements, python=sys.executable):
    """The Python of a new environment in `folder` that has what the requirement file `requirements` lists."""
    executable = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    for command in (
        ["venv", "--python", python, folder],
        ["pip", "install", "--python", executable, "-r", requirements],
    ):
        subprocess.run([find_uv_bin(), "--quiet", *command], check=True)
    return executable
