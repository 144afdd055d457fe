"""The setup cell, run where only the notebook is: in an empty folder, as in Colab."""

import os
import re
import subprocess

import nbformat
import pytest

import course
import set_address
from environments import python
from stand_in import PUBLISHED, publish

OPENS = re.compile(r"open\(|pathlib|read_\w+\(|np\.(load|fromfile|genfromtxt)")
RUN = "exec(cell)\n"
USE = "assert np.allclose(attn.softmax([0.0, 0.0]), 0.5); check.softmax; attn.load_data('published_s1')\n"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return publish(tmp_path_factory.mktemp("public"))


@pytest.mark.thorough
def test_a_lesson_alone_fetches_the_rest_and_every_cell_runs(published, tmp_path):
    """The first represents all: they share the setup cell, and no other cell opens a file."""
    (tmp_path / "google" / "colab").mkdir(parents=True)
    (tmp_path / "google" / "colab" / "__init__.py").touch()
    content = tmp_path / "content"
    content.mkdir()
    lesson = course.NOTEBOOKS[0].name
    notebook = course.read(published.folder / "notebooks" / lesson)
    setup, *_ = course.code_cells(notebook)
    setup.metadata.tags = ["nbval-ignore-output"]  # only here it says that it fetches
    nbformat.write(notebook, content / lesson)
    settings = ["-c", course.ROOT / "pyproject.toml", "--rootdir", tmp_path, "--coarse-pictures"]
    environment = os.environ | published.environment | {"PYTHONPATH": str(tmp_path)}
    done = python("-m", "pytest", *settings, "--color=no", lesson, cwd=content, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (content / "attention-from-scratch" / "attn_helpers.py").is_file()


@course.every_lesson
def test_no_cell_but_the_first_opens_a_file(notebook):
    for cell in course.code_cells(notebook):
        assert cell.id == "setup" or not OPENS.search(cell.source), cell.id


def run_cell(folder, address, environment, program=RUN):
    """Run a program that runs the cell, in a Python of its own, in `folder`; return the finished process."""
    text = set_address.rewrite(set_address.setup_cell(), set_address.current(), address)
    (folder / "cell.txt").write_text(text, "utf-8")
    program = f"cell = open('cell.txt', encoding='utf-8').read()\n{program}"
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return python("-c", program, stdin=subprocess.DEVNULL, cwd=folder, env=inherited | environment)


OFFLINE = {"https_proxy": "http://127.0.0.1:9", "GIT_CONFIG_GLOBAL": os.devnull}
MISSPELT = set_address.Address("ada/misspelt", "main")
NO_REAL = set_address.Address(set_address.UNSET, "main")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("address", "environment", "words"),
    [
        (MISSPELT, {}, "reason above. Go online, get git or fix the line COURSE"),
        (PUBLISHED._replace(ref="v9"), {}, "Not fetched, for the reason above"),
        (PUBLISHED, OFFLINE, "Go online"),
        (PUBLISHED, {"PATH": os.devnull}, "get git"),
        (NO_REAL, {}, "no real address yet. Put it in, or open the full course."),
    ],
    ids=["misspelt", "no such tag", "offline", "no git", "unset"],
)
def test_a_failure_is_told_in_plain_words(tmp_path, published, address, environment, words):
    done = run_cell(tmp_path, address, published.environment | environment)
    assert done.returncode == 1
    assert words in done.stderr.strip().splitlines()[-1]


@pytest.mark.thorough
def test_a_failure_can_be_repaired_in_the_same_session(tmp_path, published):
    """First there is no git, then there is: the second run works, and nothing is left over from the first."""
    broken = f"import os\nnow = dict(os.environ)\nos.environ['PATH'] = ''\ntry:\n    {RUN}"
    repaired = f"except AssertionError:\n    os.environ.update(now)\n{RUN}{RUN}{USE}"
    done = run_cell(tmp_path, PUBLISHED, published.environment, broken + repaired)
    assert done.returncode == 0, done.stderr


def test_the_setup_cell_is_short():
    """Whoever unfolds it should see all of it."""
    assert len(set_address.setup_cell().splitlines()) <= 13
