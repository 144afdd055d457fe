"""Run the course with other versions than the pinned ones: `nox` tries the oldest and Colab's.

Each session has its own environment, where every lesson must give the same numbers and pictures that look the
same. `oldest` has the lower bounds of pyproject.toml, or the first releases made for this Python. `newest`
has what the package registry offers within the upper bounds, and runs when you ask for it: `nox -s newest`.
`colab` has Google Colab's versions, and also runs one lesson alone in an empty folder, where its setup cell
fetches the rest. `judge` has the checkers' judge try attention of other libraries: `nox -s judge`. `models`
compares the course's attention with that of open models: `nox -s models`.
"""

import pathlib
import re
import sys

import nox

sys.path.append(str(pathlib.Path(__file__).parent / "tools"))
import libraries  # noqa: E402

nox.options.default_venv_backend = "uv"
COLAB = pathlib.Path("tests/constraints-colab.txt")
TRIED = nox.project.load_toml("pyproject.toml")["dependency-groups"]["tried"]
PINS = "".join(pathlib.Path(file).read_text() for file in ("requirements.txt", "tests/requirements.txt"))
TESTING = re.findall(
    r"(?m)^(?:jsonschema|nbval|pytest|pytest-xdist|hypothesis|uv|safetensors|tokenizers)==.*", PINS
)
WHAT = ["notebooks", "tests/mathematics", "--coarse-pictures"]


@nox.session
def oldest(session):
    lowest = ["--resolution", "lowest-direct", "--only-binary", ":all:"]
    session.install(*lowest, *TRIED)
    session.install(*TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session(default=False)
def newest(session):
    """Today the pinned versions, except ipywidgets; every week all tests run with what is newest then."""
    session.install("--upgrade", *TRIED, *TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session(default=False)
def prereleases(session):
    """What will be released next, also above the upper bounds."""
    session.install("--upgrade", "--prerelease", "allow", *(line.split()[0] for line in TRIED), *TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session(default=False)
def binder(session):
    """What Binder makes of binder/, on top of what its images have (repo2docker at 808ae6b, Python 3.11)."""
    session.install(
        "jupyterlab==4.4.9",
        "notebook==7.4.7",
        "ipywidgets==8.1.7",
        "ipykernel==7.0.1",
        "jupyter_server==2.17.0",
    )
    session.install("-r", "binder/requirements.txt")
    session.install(*TESTING)
    session.run("pytest", *WHAT, *session.posargs)


@nox.session
def colab(session):
    [minor] = re.findall(r"(?m)^# Python 3\.(\d+)$", COLAB.read_text())
    if sys.version_info[1] > int(minor):
        session.skip(f"Colab's versions aren't made for a Python newer than 3.{minor}")
    session.install("-r", COLAB, *TESTING)
    alone = "tests/repository/test_setup_cell.py::test_a_lesson_alone_fetches_the_rest_and_every_cell_runs"
    session.run("pytest", "-m", "", "notebooks", alone, "--coarse-pictures", *session.posargs)


@nox.session(default=False)
@nox.parametrize("packages", list(libraries.FUNCTIONS))
def judge(session, packages):
    """Other libraries pass the judge, a release with a bug doesn't; `-- --write` stores the pages' table."""
    session.install("numpy", *packages.split())
    session.run("python", "tools/libraries.py", packages, *session.posargs)


@nox.session(default=False)
def models(session):
    """Open models' attention is the course's; `-- --write` stores the pages' table and tests' vectors."""
    session.install("numpy", "torch", "transformers")
    session.run("python", "tools/models.py", *session.posargs)
