"""The links that a teacher gives to a class on a JupyterHub: each brings the course, and opens one lesson.

    python tools/hub_link.py https://hub.example.edu          every lesson
    python tools/hub_link.py https://hub.example.edu 04       lesson 04

They use the course's published address. A student who opens the same link again gets your corrections and
keeps every answer (nbgitpuller merges the two).
"""

import urllib.parse

import set_address
from _command import NOTEBOOKS, parser_of

LESSONS = {path.name[:2]: path.name for path in NOTEBOOKS}


def link(hub, notebook, address):
    """The nbgitpuller link that opens a notebook in JupyterLab."""
    _, folder = address.repository.split("/")  # as nbgitpuller names it
    fields = {
        "repo": f"https://github.com/{address.repository}",
        "branch": address.ref,
        "urlpath": f"lab/tree/{folder}/notebooks/{notebook}",
    }
    query = urllib.parse.urlencode(fields, quote_via=urllib.parse.quote, safe="")
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{query}"


def main(arguments=None):
    parser = parser_of(__doc__)
    parser.add_argument("hub", help="the hub's address, https://hub.example.edu")
    number = {"type": lambda text: text.zfill(2), "choices": LESSONS, "metavar": "LESSON"}
    parser.add_argument("lesson", nargs="?", **number, help="its number; without it all of them")
    asked = parser.parse_args(arguments)
    address = set_address.current()
    lessons = [asked.lesson] if asked.lesson else LESSONS
    if not asked.hub.startswith(("http://", "https://")):
        parser.error(f"{asked.hub!r} is no address of a hub. Expected one such as https://hub.example.edu.")
    if address.repository == set_address.UNSET:
        parser.error("The course has no published address yet. Run python tools/set_address.py OWNER/NAME.")
    return "\n".join(link(asked.hub, LESSONS[lesson], address) for lesson in lessons)


if __name__ == "__main__":
    print(main())
