"""A class on a JupyterHub: the links a teacher gives out."""

import urllib.parse

import pytest

import course
import hub_link

HUB = "https://hub.example.edu/base/"
ELSEWHERE = ["--repository", "https://git.example.edu/ada/course.git"]


def fields(link):
    """Where a link leads, and its fields as nbgitpuller reads them."""
    address, _, query = link.partition("?")
    return address, dict(urllib.parse.parse_qsl(query, strict_parsing=True))


def test_a_link_opens_its_lesson():
    repository = "https://github.com/ada/a course/"
    said = hub_link.main([HUB, "4", "--repository", repository, "--branch", "term 1"])
    address, found = fields(said)
    assert address == "https://hub.example.edu/base/hub/user-redirect/git-pull"
    assert (found["repo"], found["branch"]) == ("https://github.com/ada/a course", "term 1")
    assert found["urlpath"] == f"lab/tree/a course/notebooks/{course.NOTEBOOKS[4].name}"


def test_without_a_number_every_lesson_gets_a_link_into_a_folder_without_git_in_its_name():
    said = hub_link.main([HUB, *ELSEWHERE])
    for line, path in zip(said.splitlines(), course.NOTEBOOKS, strict=True):
        _, found = fields(line)
        assert (found["targetpath"], found["urlpath"]) == ("course", f"lab/tree/course/notebooks/{path.name}")


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["hub.example.edu", *ELSEWHERE], "https://hub.example.edu"),
        ([HUB, "77", *ELSEWHERE], "There is no lesson 77"),
        ([HUB], "python tools/set_address.py"),
    ],
)
def test_what_cannot_be_linked_is_refused_with_the_remedy(arguments, what, monkeypatch, capsys):
    unset = hub_link.set_address.Address(hub_link.set_address.UNSET, "main")
    monkeypatch.setattr(hub_link.set_address, "current", lambda: unset)
    with pytest.raises(SystemExit):
        hub_link.main(arguments)
    assert what in capsys.readouterr().err
