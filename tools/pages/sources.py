"""What Sphinx makes the pages of: the course's documents and lessons, laid out in a folder."""

import importlib.util
import pathlib
import shutil

import boxes
import front
import lesson_page
import libraries
import links
import mistakes_table
import models
import results
from _command import NOTEBOOKS, ROOT
from attn_parts.colours import night_css, palette_css

HERE = pathlib.Path(__file__).parent
DOCUMENTS = ["*.md", "teaching/*.md", "notebooks/data/README.md", "attn_lessons/*/teaching.md", "LICENSE*"]
DOCUMENTS += ["CITATION.cff"]
START = "00_start_here"
SECOND_PART = "07"  # the lesson with which it begins
MENU = """

```{{toctree}}
:hidden:
:glob:
{lines}
```
"""


def lay_out(sources):
    """Write all that Sphinx reads to the new folder `sources`; {name: Plan} of the explorers."""
    lay_out_static(sources / "_static")
    shutil.copy(HERE / "conf.py", sources)
    shutil.copytree(HERE / "templates", sources / "templates")
    for path in (path for pattern in DOCUMENTS for path in ROOT.glob(pattern)):
        copy = sources / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for name, made in (("mistakes", mistakes_table), ("libraries", libraries), ("models", models)):
        (sources / f"{name}.md").write_text(made.page(), "utf-8")
    results.write(sources)
    put_below(sources / "TEACHING.md", "/attn_lessons/*/teaching", "/teaching/*", "/mistakes")
    about = "/MAINTAINING", "/CHANGELOG", "/results", "/libraries", "/models", "/notebooks/data/README"
    put_below(sources / "CONTRIBUTING.md", *about)
    for path in sources.rglob("*.md"):
        depth = len(path.relative_to(sources).parts) - 1
        path.write_text(links.of_document(path.read_text("utf-8"), depth), "utf-8")
    plans = {}
    for path in NOTEBOOKS:
        text, found = lesson_page.rewrite(path, menu() if path.stem == START else "")
        (sources / "notebooks" / path.name).write_text(text, "utf-8")
        plans |= found
    return plans


def lay_out_static(folder):
    """What pages load from _static."""
    folder.mkdir(parents=True)
    for name in ("pages.css", "pages.js", "frames.css", "frames.js", "search.js", "mistakes.js"):
        shutil.copy(HERE / name, folder)
    front.write_static(folder)
    boxes.write_static(folder)
    (folder / "palette.css").write_text(palette_css() + night_css(".attn-shown"), "utf-8")
    mathjax = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    shutil.copy(mathjax / "static" / "mathjax" / "tex-svg-full.js", folder)


def menu():
    """What the menu of all pages lists, teachers' pages apart from the students'."""
    names = [path.stem for path in NOTEBOOKS]
    groups = {
        "Part 1: attention": ["self", *(name for name in names if START < name < SECOND_PART)],
        "Part 2: a language model": [name for name in names if name > SECOND_PART],
        "The course": ["About the course </README>", "/TUTOR", "/CONTRIBUTING"],
        "For teachers": ["/TEACHING"],
    }
    return "".join(
        MENU.format(lines="\n".join([f":caption: {name}\n", *pages])) for name, pages in groups.items()
    )


def put_below(document, *pages):
    """Give a document of the menu pages that open below it."""
    text = document.read_text("utf-8") + MENU.format(lines="\n".join(["", *pages]))
    document.write_text(text, "utf-8")
