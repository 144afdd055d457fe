"""Build the course as static pages that need no server and no network, for GitHub Pages or a USB stick.

    python -m pip install -r tools/pages/requirements.txt
    python tools/pages.py            into the folder site/
    python tools/pages.py FOLDER     into another, new or empty one

Nothing is executed: the pages show the stored outputs. Sliders appear as the pictures that are stored with them.
A broken link fails the build. index.html opens lesson 00.
"""

import argparse
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import set_address
from set_address import ROOT

SETTINGS = ROOT / "tools" / "pages"
DOCUMENTS = ["README.md", "TEACHING.md", "CONTRIBUTING.md", "LICENSE", "LICENSE-CC-BY-4.0", "CITATION.cff"]
NEEDED = ["sphinx", "myst_nb", "furo", "sphinx_copybutton", "sphinx-mathjax-offline", "a11y_pygments"]
START = "00_start_here"
PICTURE_ELSEWHERE = re.compile(r"!\[([^\]]*)\]\(https?://[^)]*\)")
ANCHOR = re.compile(r"(\]\((?![a-z]+:)[^)#\s]*)#([^)\s]+)\)")
# what folds a cell in JupyterLab, what does so in MyST-NB, and what the fold says
FOLDS = [
    ("source_hidden", "hide-input", "the setup cell"),
    ("outputs_hidden", "hide-output", "the answer"),
]
CONTENTS = """
```{{toctree}}
:hidden:

self
{lessons}
/TEACHING
/CONTRIBUTING
About the course </README>
```
"""
INDEX = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={start}">
<title>Attention from Scratch</title>
<a href="{start}">Attention from Scratch</a>
</html>
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "site")
    folder = parser.parse_args(arguments).folder.resolve()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        install = "python -m pip install -r tools/pages/requirements.txt"
        raise SystemExit(f"Missing: {', '.join(missing)}. Run\n    {install}")
    refuse_to_overwrite(folder)
    with tempfile.TemporaryDirectory() as temporary:
        sources, built = pathlib.Path(temporary, "sources"), pathlib.Path(temporary, "built")
        lay_out(sources)
        options = ["-q", "-W", "--keep-going", "-b", "html", "-d", pathlib.Path(temporary, "trees")]
        done = subprocess.run([sys.executable, "-m", "sphinx", *options, sources, built])
        if done.returncode:
            raise SystemExit("The pages were not built, for the reasons above; nothing was written.")
        (built / "index.html").write_text(INDEX.format(start=f"notebooks/{START}.html"), encoding="utf-8")
        (built / ".nojekyll").touch()  # else GitHub leaves out folders whose name begins with _
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(built, folder)
    return f"The course is in {folder}: open index.html.{what_links_lack()}"


def refuse_to_overwrite(folder):
    """Only a folder that is new, empty or built by this command may be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    ours = (folder / ".buildinfo").is_file() and (folder / ".nojekyll").is_file()
    if not ours or (folder / ".git").exists():
        raise SystemExit(f"{folder} holds something else. Name a new or empty folder.")


def what_links_lack():
    if set_address.current(ROOT).repository != set_address.UNSET:
        return ""
    return (
        "\nIts links to Colab and Binder lead nowhere yet; the address of your repository is still to be set:"
        "\n    python tools/set_address.py OWNER/NAME"
    )


def lay_out(sources, root=ROOT):
    """The documents and lessons of `root` as Sphinx reads them, in the new folder `sources`."""
    static = sources / "_static"
    static.mkdir(parents=True)
    shutil.copy(SETTINGS / "conf.py", sources)
    for name in ("pages.css", "pages.js"):
        shutil.copy(SETTINGS / name, static)
    mathjax = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    shutil.copy(mathjax / "static" / "mathjax" / "tex-svg-full.js", static)
    (sources / "notebooks").mkdir()
    for path in (root / "notebooks").glob("*.ipynb"):
        shutil.copy(path, sources / "notebooks")
    for name in DOCUMENTS:
        shutil.copy(root / name, sources)
    (sources / ".github").mkdir()
    shutil.copy(root / ".github" / "heatmap.png", sources / ".github")
    for path in sources.rglob("*.md"):
        path.write_text(as_sphinx_links(path.read_text(encoding="utf-8")), encoding="utf-8")
    lessons = sorted((sources / "notebooks").glob("*.ipynb"))
    others = "\n".join(path.stem for path in lessons if path.stem != START)
    for path in lessons:
        rewrite_lesson(path, CONTENTS.format(lessons=others) if path.stem == START else "")


def rewrite_lesson(path, contents):
    """Links as Sphinx has them, the same cells folded as in JupyterLab, `contents` below the last cell."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = re.sub(
                r"(?m)^(?=\[!\[Open in)", "Run the cells and move the sliders: ", "".join(cell["source"])
            )
            cell["source"] = as_sphinx_links(text)
        else:
            fold(cell["metadata"])
            # the empty output that keeps JupyterLab's folds silent is not needed here
            cell["outputs"] = [o for o in cell["outputs"] if o.get("data") != {"text/plain": []}]
    if contents:
        end = {"cell_type": "markdown", "id": "contents", "metadata": {}, "source": contents}
        notebook["cells"].append(end)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def fold(metadata):
    """Fold a cell's code or outputs on the page, where its metadata folds them in JupyterLab."""
    hidden = metadata.get("jupyter", {})
    for mark, tag, what in FOLDS:
        if hidden.get(mark):
            metadata["tags"] = [*metadata.get("tags", []), tag]
            metadata["mystnb"] = {"code_prompt_show": f"Show {what}", "code_prompt_hide": f"Hide {what}"}


def as_sphinx_links(text):
    """Markdown whose badges are plain links and whose local anchors have the form that MyST gives to headings."""
    return ANCHOR.sub(lambda link: f"{link[1]}#{slug(link[2])})", without_badges(text))


def slug(anchor):
    """JupyterLab's anchor of a heading, or GitHub's, as GitHub's."""
    return re.sub(r"[^\w\- ]", "", urllib.parse.unquote(anchor).lower())


def without_badges(text):
    """Pictures that would be loaded from elsewhere give way to their alternative text."""
    return PICTURE_ELSEWHERE.sub(r"\1", re.sub(r"\)\s\[!\[", ") · [![", text))


if __name__ == "__main__":
    print(main())
