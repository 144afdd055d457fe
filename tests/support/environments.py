"""Python environments of their own for tests: Colab's versions, Binder's, the site builder's."""

import subprocess
import sys

from uv import find_uv_bin


def python_with(folder, requirements, python=sys.executable):
    """The Python of a new environment in `folder` that has what the requirement file `requirements` lists."""
    executable = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = [
        find_uv_bin(),
        "pip",
        "install",
        "-q",
        "--python",
        executable,
        "-r",
        requirements,
    ]
    for command in (
        [
            find_uv_bin(),
            "venv",
            "-q",
            "--python",
            python,
            folder,
        ],
        install,
    ):
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=600,
        )
        if done.returncode:
            raise RuntimeError(f"no environment can be made of {requirements}:\n{done.stderr[-3000:]}")
    return executable
