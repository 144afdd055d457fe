"""Check that links within the course lead somewhere: files, and headings of Markdown documents and notebooks.

    python tools/check_links.py               every document and notebook
    python tools/check_links.py README.md     only these

Addresses on the web are left alone. Prints each link that leads nowhere; the exit code says whether there is one.
"""

import json
import pathlib
import re
import sys
import urllib.parse

from _command import ROOT

# [text](target), [name]: target, and the attributes of HTML
TARGET = re.compile(
    r"(?m)\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[(?!\^)[^]\n]+\]:\s+(\S+)|\b(?:src|href)=[\"']([^\"']+)[\"']"
)
FENCED = re.compile(r"(?ms)^\s*```.*?^\s*```\s*$")
INLINE_CODE = re.compile(r"`[^`\n]*`")


def main(arguments=None):
    names = sys.argv[1:] if arguments is None else arguments
    everywhere = ["*.md", "teaching/*.md", "attn_lessons/*/*.md", "notebooks/**/*.md", "notebooks/*.ipynb"]
    every = [path for pattern in everywhere for path in ROOT.glob(pattern)]
    problems = [line for path in sorted(map(pathlib.Path, names or every)) for line in broken_links(path)]
    print("\n".join(problems) or "Every local link leads somewhere.")
    return 1 if problems else 0


def broken_links(path):
    """One line for each link of the file at `path` that leads nowhere."""
    found = []
    for target in (
        "".join(groups) for groups in TARGET.findall(INLINE_CODE.sub("", FENCED.sub("", prose(path))))
    ):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        there = path.parent / name if name else path
        if name.startswith("/") or not there.exists():  # "/" is the top of this machine's disk
            found.append(f"{path.name}: {target}: there is no such file")
        elif anchor and anchor not in anchors(there):
            found.append(f"{path.name}: {target}: no such heading; there are {', '.join(anchors(there))}")
    return found


def prose(path):
    """The Markdown of a document or of a notebook's text cells."""
    text = path.read_text("utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def anchors(path):
    """What a link may name after "#": headings as JupyterLab names them in a notebook, GitHub in a document."""
    if path.suffix not in (".md", ".ipynb"):
        return []
    text = FENCED.sub("", prose(path))
    headings = re.findall(r"(?m)^#{1,6} (.+?)\s*$", text)
    plain = [re.sub(r"[*`]|\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    named = re.findall(r'\bid="([^"]+)"', text)
    if path.suffix == ".ipynb":
        return [title.replace(" ", "-") for title in plain] + named
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain] + named


if __name__ == "__main__":
    sys.exit(main())
