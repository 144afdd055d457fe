"""The links to lessons on a JupyterHub: what the hub and nbgitpuller read out of them."""

import doctest
import re
import urllib.parse

import pytest
import yaml

import course
import hub_link
from course import every_lesson

HUB = "https://hub.example.edu/base/"


def read(link):
    """Where a link leads, and its fields as a server reads them."""
    address, _, fields = link.partition("?")
    return address, dict(urllib.parse.parse_qsl(fields, strict_parsing=True))


@every_lesson
def test_a_link_opens_its_lesson(path):
    said = hub_link.main(
        [HUB, path.name[:2], "--repository", "https://github.com/ada/a course/", "--branch", "term 1"]
    )
    address, fields = read(said)
    assert address == "https://hub.example.edu/base/hub/user-redirect/git-pull"
    assert fields == {
        "repo": "https://github.com/ada/a course",
        "branch": "term 1",
        "urlpath": f"lab/tree/a course/notebooks/{path.name}",
    }


def test_the_folder_has_no_git_in_its_name():
    _, fields = read(
        hub_link.link(HUB, "notebooks/a.ipynb", "https://git.example.edu/ada/course.git", "main")
    )
    assert (fields["targetpath"], fields["urlpath"]) == ("course", "lab/tree/course/notebooks/a.ipynb")


def test_without_a_number_every_lesson():
    said = hub_link.main([HUB, "--repository", "https://github.com/ada/course"])
    assert [read(line)[1]["urlpath"][-10:] for line in said.splitlines()] == [
        p.name[-10:] for p in course.NOTEBOOKS
    ]


def test_the_example_is_true():
    assert doctest.testmod(hub_link).failed == 0


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["hub.example.edu", "--repository", "https://github.com/ada/course"], "https://hub.example.edu"),
        ([HUB, "77", "--repository", "https://github.com/ada/course"], "There is no lesson 77"),
        ([HUB], "python tools/set_address.py"),
    ],
)
def test_what_cannot_be_linked_is_said(arguments, what, monkeypatch):
    unset = hub_link.set_address.Address(hub_link.set_address.UNSET, "main")
    monkeypatch.setattr(hub_link.set_address, "current", lambda: unset)
    with pytest.raises(SystemExit, match=what):
        hub_link.main(arguments)


def test_the_files_that_a_teacher_copies_to_a_hub_are_there():
    page = (course.ROOT / "TEACHING.md").read_text(encoding="utf-8")
    section = re.search(r"(?ms)^### A JupyterHub of your own$(.*?)^### ", page)[1]
    named = set(re.findall(r"tools/[\w/]+\.\w+", section))
    assert {"tools/hub/corrections.py", "tools/hub/z2jh.yaml", "tools/hub/requirements.txt"} <= named
    assert [name for name in named if not (course.ROOT / name).is_file()] == []
    values = yaml.safe_load((course.ROOT / "tools/hub/z2jh.yaml").read_text(encoding="utf-8"))
    place = values["singleuser"]["extraFiles"]["corrections"]["mountPath"]
    assert (
        place in section
        and "singleuser.extraFiles.corrections.stringData=tools/hub/corrections.py" in section
    )
