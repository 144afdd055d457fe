"""Python environments of their own for tests: Colab's versions, the oldest ones, Binder's, the site builder's."""

import datetime
import hashlib
import pathlib
import re
import subprocess
import sys


def python_with(config, name, *requirements, versions=(), python=sys.executable, weekly=False):
    """The Python of an environment with these requirement files, made once and kept in pytest's cache.

    Parameters
    ----------
    config : pytest.Config
    name : str
        What the environment is for; part of its folder's name.
    requirements : pathlib.Path
        Files for `pip install -r`.
    versions : sequence of str
        Requirements beside those of the files, such as "nbval==0.11.0".
    python : str or pathlib.Path
        The interpreter to build on.
    weekly : bool
        Whether to make it anew each week, for versions that the package registry decides.
    """
    described = [*map(with_included, requirements), *versions, version_of(python)]
    if weekly:
        described.append("{0.year}, week {0.week}".format(datetime.date.today().isocalendar()))
    key = hashlib.sha256("\n".join(described).encode()).hexdigest()[:12]
    folder = config.cache.mkdir("environments") / f"{name}-{key}"
    executable = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "complete").exists():
        wanted = [*versions, *(part for file in requirements for part in ("-r", str(file)))]
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        run_pip = [executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted]
        done = subprocess.run(run_pip, capture_output=True, text=True, timeout=900)
        if done.returncode:
            raise RuntimeError(f"the environment {name!r} cannot be made:\n{done.stderr[-3000:]}")
        (folder / "complete").touch()
    return executable


def with_included(file):
    """The text of a requirement file, and of those that it names by -r or -c."""
    text = file.read_text(encoding="utf-8")
    named = re.findall(r"(?m)^\s*(?:-r|-c|--requirement|--constraint)[ =]*(\S+)", text)
    return text + "".join(with_included(pathlib.Path(file).parent / other) for other in named)


def version_of(python):
    return subprocess.run([python, "-VV"], capture_output=True, text=True, check=True).stdout.strip()
