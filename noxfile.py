"""The course with other versions than the pinned ones: `nox` tries the oldest and Colab's.

In an environment of its own every lesson runs: the same numbers, and pictures that look the same; then the tests of
the mathematics. `oldest` has the lower bounds of pyproject.toml, or the first releases that are made for this Python;
`newest` has what the package registry offers within the upper bounds; `colab` what Google Colab runs, with a lesson
alone in an empty folder, too, whose setup cell fetches the rest; `graders` has Otter and nbgrader grade with the
checkers. `newest` and `graders` are run when asked for, `nox -s newest`.
"""

import pathlib
import re
import sys

import nox

nox.options.default_venv_backend = "uv"
COLAB = pathlib.Path("tests/constraints-colab.txt")
TRIED = nox.project.load_toml("pyproject.toml")["dependency-groups"]["tried"]
PINS = "".join(pathlib.Path(file).read_text() for file in ("requirements.txt", "tests/requirements.txt"))
COURSE = re.findall(r"(?m)^(?:numpy|matplotlib|ipywidgets)==.*", PINS)
TESTING = re.findall(
    r"(?m)^(?:jsonschema|nbval|pytest|pytest-xdist|hypothesis|uv|safetensors|tokenizers)==.*", PINS
)
WHAT = ["notebooks", "tests/mathematics", "-m", "not training", "--coarse-pictures"]


@nox.session
def oldest(session):
    lowest = ["--resolution", "lowest-direct", "--only-binary", ":all:"]
    session.install(*lowest, *TRIED)
    session.install(*TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session(default=False)
def newest(session):
    """Today these are the pinned versions, but for ipywidgets; every week all tests run with what is newest then."""
    session.install("--upgrade", *TRIED, *TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session
def colab(session):
    [minor] = re.findall(r"(?m)^# Python 3\.(\d+)$", COLAB.read_text())
    if sys.version_info[1] > int(minor):
        session.skip(f"Colab's versions aren't made for a Python newer than 3.{minor}")
    session.install("-r", COLAB, *TESTING)
    _, *lessons = sorted(map(str, pathlib.Path("notebooks").glob("*.ipynb")))  # the first is run alone
    others = ["tests/repository/test_alone.py", "tests/mathematics/test_published.py"]
    session.run("pytest", *lessons, *others, "--coarse-pictures", *session.posargs)


@nox.session(default=False)
@nox.parametrize("grader", ["otter-grader==7.0.0", "nbgrader==0.9.5"], ids=["otter", "nbgrader"])
def graders(session, grader):
    """Graders of others, each in an environment of its own: they grade with the course's checkers."""
    session.install(grader, "ipykernel", *COURSE, *TESTING)
    session.run("pytest", "tests/grading/test_other_graders.py", "-n", "0", *session.posargs)
