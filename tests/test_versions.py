"""Every lesson with other versions than the pinned ones: the same numbers, and pictures that look the same.

`oldest` is the lower bounds of pyproject.toml, `newest` what the package registry has today within its upper
bounds, `colab` what Google Colab runs, where only the notebook is there and its setup cell fetches the rest.
"""

import json
import os
import re
import subprocess
import sys
import tomllib

import nbformat
import pytest

from course import NOTEBOOKS, ROOT, name
from environments import python_with, with_included
from stand_in import copy_course, publish

TESTS = ROOT / "tests"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TRIED = PYPROJECT["dependency-groups"]["tried"]
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)


def run_notebook(path, python, folder, **environment):
    """nbval's verdict on one notebook whose kernel is the given Python: its report, "" if all is well."""
    kernel = folder / "kernels" / "other"
    kernel.mkdir(parents=True)
    start = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    described = {"argv": start, "display_name": "other", "language": "python", "env": environment}
    (kernel / "kernel.json").write_text(json.dumps(described))
    options = ["-c", str(ROOT / "pyproject.toml"), "-o", "addopts=", "--rootdir", str(folder)]
    options += ["-q", "--color=no", "-p", "no:cacheprovider", "-p", "nbval_pictures", "--coarse-pictures"]
    options += ["--nbval", "--nbval-kernel-name=other", "--nbval-cell-timeout=60", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=ROOT,
        env=os.environ | {"JUPYTER_PATH": str(folder)},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr if done.returncode else ""


def installed(python, package):
    ask = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def oldest(request):
    return python_with(request.config, "oldest", TESTS / "constraints-oldest.txt")


@pytest.fixture(scope="module")
def newest(request):
    return python_with(request.config, "newest", versions=TRIED, weekly=True)


@every_notebook
def test_oldest(path, oldest, tmp_path):
    report = run_notebook(path, oldest, tmp_path)
    assert not report, report


@every_notebook
def test_newest(path, newest, tmp_path):
    report = run_notebook(path, newest, tmp_path)
    assert not report, report


def test_bounds_are_what_was_tried(oldest):
    """The lower bounds are the oldest versions run here, the pinned versions lie within the bounds."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    oldest_of_all = (TESTS / "constraints-oldest.txt").read_text(encoding="utf-8")
    for line in TRIED:
        package, low, high = re.fullmatch(r"(\w+) >=([\d.]+), <([\d.]+)", line).groups()
        pin = re.search(rf"(?m)^{package}==([\d.]+)$", pins)[1]
        assert parts(low) <= parts(pin) < parts(high), f"{package}: {pin} is not in {line}"
        first = re.search(rf"(?m)^{package}==([\d.]+)", oldest_of_all)[1]
        assert parts(first)[: len(parts(low))] == parts(low), f"{package}: {first} is not the bound of {line}"
        assert parts(installed(oldest, package)) < parts(pin)


def parts(version):
    return [int(part) for part in version.split(".")]


def test_a_number_that_differs_is_seen(oldest, tmp_path):
    path = copy_course(tmp_path / "course") / "notebooks" / NOTEBOOKS[1].name
    notebook = nbformat.read(path, as_version=4)
    stale = next(cell for cell in notebook.cells if cell.get("outputs") and "text" in cell.outputs[0])
    stale.outputs[0].text += "0.5"
    nbformat.write(notebook, path)
    report = run_notebook(path, oldest, tmp_path)
    assert f"{path.name}, cell {stale.id}" in report
    assert "1 failed" in report, report


@pytest.fixture(scope="module")
def colab(request):
    if sys.version_info >= (3, 14):
        pytest.skip("the versions that Colab has are not made for Python 3.14")
    return python_with(request.config, "colab", TESTS / "constraints-colab.txt")


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return publish(tmp_path_factory.mktemp("published"))


@every_notebook
def test_colab(path, colab, published, tmp_path):
    """The published notebook alone in an empty folder, beside Colab's own module; then the whole lesson."""
    (tmp_path / "google" / "colab").mkdir(parents=True)
    (tmp_path / "google" / "colab" / "__init__.py").write_text("")
    content = tmp_path / "content"
    content.mkdir()
    notebook = nbformat.read(published.folder / "notebooks" / path.name, as_version=4)
    setup = next(cell for cell in notebook.cells if cell.id == "setup")
    setup.metadata.tags = [
        "nbval-ignore-output"
    ]  # in a clone, where outputs are stored, it has nothing to say
    nbformat.write(notebook, content / path.name)
    report = run_notebook(
        content / path.name, colab, tmp_path, PYTHONPATH=str(tmp_path), **published.environment
    )
    assert not report, report
    fetched = content / "attention-from-scratch"
    assert (fetched / "attn_helpers.py").read_bytes() == (ROOT / "attn_helpers.py").read_bytes()


def test_environments_are_made_anew_when_an_included_file_changes(tmp_path):
    """binder/requirements.txt names its pins by -c: an environment kept from older pins would prove nothing."""
    (tmp_path / "pins.txt").write_text("numpy==1\n")
    (tmp_path / "more.txt").write_text("-c pins.txt\nnumpy\n")
    before = with_included(tmp_path / "more.txt")
    (tmp_path / "pins.txt").write_text("numpy==2\n")
    assert "numpy==1" in before and "numpy==2" in with_included(tmp_path / "more.txt")
