"""The setup cell, run as it stands, where only the notebook is: in an empty folder, as in Colab."""

import os
import subprocess
import sys

import pytest

import set_address
from course import ROOT
from stand_in import PUBLISHED, publish

LINES = 11  # whoever unfolds it should see all of it

ASK = "import sys; cell = open(sys.argv[1], encoding='utf-8').read()\n"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return publish(tmp_path_factory.mktemp("public"))


@pytest.fixture
def public(published):
    """The environment in which git finds the stand-in."""
    return published.environment


def run_cell(folder, address, environment, then="", how="exec(cell)\n"):
    """Run the cell in a Python of its own, in `folder`, and `then` other lines; return the finished process."""
    file = folder / "cell.txt"
    file.write_text(set_address.setup_cell(address), encoding="utf-8")
    program = ASK + how + then
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", program, str(file)],
        cwd=folder,
        env=inherited | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


USE = "assert np.allclose(attn.softmax([0.0, 0.0]), 0.5); check.softmax; attn.load_data('published_s1')\n"


def test_fetches_the_course_and_says_so_in_one_line(tmp_path, public):
    done = run_cell(tmp_path, PUBLISHED, public, USE, how="exec(cell)\n" * 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
    assert f"https://github.com/{PUBLISHED.repository}" in done.stdout
    assert (tmp_path / "attention-from-scratch" / "attn_helpers.py").is_file()


def test_finds_what_it_fetched_before(tmp_path, public):
    run_cell(tmp_path, PUBLISHED, public)
    again = run_cell(tmp_path, PUBLISHED, public, USE)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


@pytest.mark.parametrize("kind", ["tag", "commit"])
def test_can_hold_a_fixed_version(tmp_path, published, kind):
    pinned = PUBLISHED._replace(ref="v1.0" if kind == "tag" else published.commit)
    done = run_cell(tmp_path, pinned, published.environment, USE)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "attention-from-scratch" / "after-the-tag.txt").exists()


def test_in_a_clone_it_prints_nothing(public):
    for folder in (ROOT, ROOT / "notebooks"):
        program = set_address.setup_cell(PUBLISHED) + "\n" + USE + "print(attn.__file__)"
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=os.environ | public,
            capture_output=True,
            text=True,
        )
        assert (done.stdout.strip(), done.stderr) == (str(ROOT / "attn_helpers.py"), "")


def last_line(done):
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1]


def test_wrong_address_is_said_in_plain_words(tmp_path, public):
    done = run_cell(tmp_path, set_address.Address("ada/misspelt", "main"), public)
    assert "does not exist" in done.stdout or "not appear to be a git repository" in done.stdout
    assert "Not fetched, for the reason above" in last_line(done)
    assert "mend the line COURSE" in last_line(done)


def test_wrong_tag_is_said_in_plain_words(tmp_path, public):
    done = run_cell(tmp_path, PUBLISHED._replace(ref="v9"), public)
    assert "v9" in done.stdout.splitlines()[-1]
    assert "Not fetched" in last_line(done)


def test_offline_is_said_in_plain_words(tmp_path, public):
    nowhere = {"https_proxy": "http://127.0.0.1:9", "GIT_CONFIG_GLOBAL": os.devnull}
    done = run_cell(tmp_path, PUBLISHED, public | nowhere)
    assert "unable to access" in done.stdout
    assert "Go online" in last_line(done)


def test_missing_git_is_said_in_plain_words(tmp_path, public):
    done = run_cell(tmp_path, PUBLISHED, public | {"PATH": str(tmp_path)})
    assert "git" in done.stdout.split(PUBLISHED.repository)[1]
    assert "get git" in last_line(done)


def test_failure_can_be_mended_in_the_same_session(tmp_path, public):
    """Offline first, then online: the second run works, nothing is left over from the first."""
    broken = "import os\nnow = dict(os.environ)\nos.environ['PATH'] = ''\ntry:\n    exec(cell)\n"
    mended = "except AssertionError:\n    os.environ.update(now)\nexec(cell)\n"
    done = run_cell(tmp_path, PUBLISHED, public, USE, how=broken + mended)
    assert done.returncode == 0, done.stderr


def test_unset_address_is_said_in_plain_words(tmp_path, public):
    done = run_cell(tmp_path, set_address.Address(set_address.UNSET, "main"), public)
    assert last_line(done) == (
        "AssertionError: The line COURSE has no real address yet. Put it in, or open the full course."
    )
    assert done.stdout == ""


def test_the_setup_cell_is_short():
    lines = len(set_address.setup_cell().splitlines())
    assert lines <= LINES, f"tools/setup_cell.txt has {lines} lines, may have {LINES}"
