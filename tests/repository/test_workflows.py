"""The workflows on GitHub are made of commands that work here. Two hooks tell if they're correct and safe."""

import re
import shlex

import pytest
import yaml

import results
from course import ROOT

WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
COMMANDS = [
    (name, step["run"])
    for name, workflow in WORKFLOWS.items()
    for job in workflow["jobs"].values()
    for step in job["steps"]
    if "run" in step
]


def test_every_environment_of_the_results_is_run_each_week():
    rows = WORKFLOWS["weekly"]["jobs"]["lessons"]["strategy"]["matrix"]["include"]
    assert {row["environment"] for row in rows} | {"newest", "Colab"} == set(results.ENVIRONMENTS)


# a file of the course as a word of a command: "requirements.txt", ".ci/run"
FILE = re.compile(r"[\w.-]+(/[\w.-]+)+|[\w.-]+\.(txt|py)")


@pytest.mark.parametrize(("where", "command"), COMMANDS)
def test_commands_name_what_exists(where, command):
    """pytest and nox fail by themselves where what they are asked for is nothing."""
    read = command.partition("--output")[0]
    files = [word for word in shlex.split(read) if FILE.fullmatch(word)]
    assert all((ROOT / file).exists() for file in files), f"{where}: {command}"
