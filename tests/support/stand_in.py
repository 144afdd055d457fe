"""A local stand-in for the published course: git takes it for the address on GitHub."""

import pathlib
import shutil
import subprocess
from typing import NamedTuple

import set_address
from set_address import ROOT

PUBLISHED = set_address.Address("ada/attention-from-scratch", "main")


class StandIn(NamedTuple):
    environment: dict  # what a process needs so that git finds the stand-in
    folder: pathlib.Path  # the work tree that was published, its address set


def git(folder, *command):
    """What a git command prints; it needs no settings of this machine's owner."""
    identity = "-c user.name=teacher -c user.email=teacher@example.org -c commit.gpgsign=false".split()
    return subprocess.check_output(["git", *identity, *command], cwd=folder, text=True)


def copy_course(folder):
    """The course as it is here, committed or not, copied into `folder` without what git ignores."""
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def publish(folder):
    """Publish the course as PUBLISHED in a repository of its own; other addresses on GitHub lead nowhere."""
    tree = copy_course(folder / "tree")
    set_address.set_address(PUBLISHED, tree)
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "course")
    config = folder / "gitconfig"
    github = "https://github.com/"
    redirects = {tree: github + PUBLISHED.repository, folder / "nowhere": github}
    lines = [f'[url "{there.as_uri()}"]\n    insteadOf = {address}\n' for there, address in redirects.items()]
    config.write_text("".join(lines), "utf-8")
    return StandIn({"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1"}, tree)
