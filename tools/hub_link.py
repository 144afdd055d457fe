"""The links that a teacher gives to a class on a JupyterHub: each brings the course, and opens one lesson.

    python tools/hub_link.py https://hub.example.edu          every lesson
    python tools/hub_link.py https://hub.example.edu 04       lesson 04
    python tools/hub_link.py https://hub.example.edu 04 --repository https://git.example.edu/ada/course.git

Without --repository and --branch they use the course's published address. A student who opens the same link
again gets your corrections and keeps every answer (nbgitpuller merges the two).
"""

import urllib.parse

import set_address
from _command import NOTEBOOKS, parser_of

LESSONS = {path.name[:2]: path.name for path in NOTEBOOKS}


def link(hub, notebook, repository, branch):
    """The nbgitpuller link that opens a notebook in JupyterLab."""
    name = repository.rstrip("/").split("/")[-1]
    folder = name.removesuffix(".git")
    fields = {"repo": repository.rstrip("/"), "branch": branch}
    fields["urlpath"] = f"lab/tree/{folder}/notebooks/{notebook}"
    if folder != name:  # by itself nbgitpuller names the folder like the end of the address
        fields["targetpath"] = folder
    query = urllib.parse.urlencode(fields, quote_via=urllib.parse.quote, safe="")
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{query}"


def main(arguments=None):
    parser = parser_of(__doc__)
    parser.add_argument("hub", help="the hub's address, https://hub.example.edu")
    number = {"type": lambda text: text.zfill(2), "choices": LESSONS, "metavar": "LESSON"}
    parser.add_argument("lesson", nargs="?", **number, help="its number; without it all of them")
    parser.add_argument("--repository", help="where the course is published, if not at its address")
    parser.add_argument("--branch", help="a branch of it")
    asked = parser.parse_args(arguments)
    address = set_address.current()
    lessons = [asked.lesson] if asked.lesson else LESSONS
    if not asked.hub.startswith(("http://", "https://")):
        parser.error(f"{asked.hub!r} is no address of a hub. Expected one such as https://hub.example.edu.")
    if address.repository == set_address.UNSET and not asked.repository:
        parser.error(
            "The course has no published address yet. Run python tools/set_address.py OWNER/NAME first, "
            "or name a repository: --repository https://github.com/OWNER/NAME"
        )
    repository = asked.repository or f"https://github.com/{address.repository}"
    branch = asked.branch or address.ref
    return "\n".join(link(asked.hub, LESSONS[lesson], repository, branch) for lesson in lessons)


if __name__ == "__main__":
    print(main())
