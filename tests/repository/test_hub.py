"""A class on a JupyterHub: the links a teacher gives out."""

import urllib.parse

import pytest

import course
import hub_link

HUB = "https://hub.example.edu/base/"


@pytest.fixture(params=["ada/my.course"])
def published(request, monkeypatch):
    """The course's address."""
    address = hub_link.set_address.Address(request.param, "v1.0")
    monkeypatch.setattr(hub_link.set_address, "current", lambda: address)


def test_a_link_opens_its_lesson(published):
    address, _, query = hub_link.main([HUB, "4"]).partition("?")
    found = dict(urllib.parse.parse_qsl(query, strict_parsing=True))  # as nbgitpuller reads it
    assert address == "https://hub.example.edu/base/hub/user-redirect/git-pull"
    assert (found["repo"], found["branch"]) == ("https://github.com/ada/my.course", "v1.0")
    assert found["urlpath"] == f"lab/tree/my.course/notebooks/{course.NOTEBOOKS[4].name}"


def test_without_a_number_every_lesson_gets_a_link(published):
    for link, path in zip(hub_link.main([HUB]).splitlines(), course.NOTEBOOKS, strict=True):
        assert link.endswith(urllib.parse.quote(f"notebooks/{path.name}", safe=""))


@pytest.mark.parametrize("published", [hub_link.set_address.UNSET], indirect=True)
@pytest.mark.parametrize(
    "arguments, what",
    [
        (["hub.example.edu"], "https://hub.example.edu"),
        ([HUB, "77"], "invalid choice: '77'"),
        ([HUB], "python tools/set_address.py"),
    ],
)
def test_what_cannot_be_linked_is_refused_with_the_remedy(arguments, what, published, capsys):
    with pytest.raises(SystemExit):
        hub_link.main(arguments)
    assert what in capsys.readouterr().err
