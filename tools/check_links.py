"""Check that links within the course lead somewhere: files, and headings of Markdown documents and notebooks.

    python tools/check_links.py               every document and notebook
    python tools/check_links.py README.md     only these

Addresses on the web are left alone. Prints each link that leads nowhere; the exit code says whether there is
one.
"""

import json
import pathlib
import re
import sys
import urllib.parse

from _command import ROOT

# [text](target), and the attributes of HTML
TARGET = re.compile(r"""\]\(\s*<?([^)\s>]+)>?[^)]*\)|\b(?:src|href)=["']([^"']+)["']""")
FENCED = re.compile(r"(?ms)^\s*```.*?^\s*```\s*$")
INLINE_CODE = re.compile(r"`[^`\n]*`")
EVERYWHERE = ["*.md", "teaching/*.md", "attn_lessons/*/*.md", "notebooks/**/*.md", "notebooks/*.ipynb"]


def main(names):
    every = [path for pattern in EVERYWHERE for path in ROOT.glob(pattern)]
    problems = [line for path in sorted(map(pathlib.Path, names or every)) for line in broken_links(path)]
    print("\n".join(problems) or "Every local link leads somewhere.")
    return 1 if problems else 0


def broken_links(path):
    """One line for each link of the file at `path` that leads nowhere."""
    text = INLINE_CODE.sub("", FENCED.sub("", prose(path)))
    for target in map("".join, TARGET.findall(text)):
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        there = path.parent / name if name else path
        if re.match(r"[a-z]+:", target):
            continue
        if name.startswith("/") or not there.exists():  # "/" is the top of this machine's disk
            yield f"{path.name}: {target}: there is no such file"
        elif anchor and anchor not in anchors(there):
            yield f"{path.name}: {target}: no such heading; there are {', '.join(anchors(there))}"


def prose(path):
    """The Markdown of a document or of a notebook's text cells."""
    text = path.read_text("utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def anchors(path):
    """What a link may name after "#": headings, as JupyterLab names them in a notebook, else GitHub."""
    text = FENCED.sub("", prose(path))
    headings = re.findall(r"(?m)^#{1,6} (.+?)\s*$", text)
    plain = [re.sub(r"[*`]|\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    if path.suffix == ".md":
        plain = [re.sub(r"[^\w\- ]", "", title.lower()) for title in plain]
    return [title.replace(" ", "-") for title in plain] + re.findall(r'\bid="([^"]+)"', text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
