"""Build the course as static pages that need no server and no network, for GitHub Pages or a USB stick.

    python -m pip install -r .ci/pages/requirements.txt
    python .ci/pages.py            into the folder site/
    python .ci/pages.py FOLDER     into another, new or empty one

Nothing is executed: the pages show the stored outputs. Sliders appear as the pictures that are stored with them.
A broken link fails the build.
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

ROOT = pathlib.Path(__file__).resolve().parents[1]
SETTINGS = ROOT / ".ci" / "pages"
DOCUMENTS = ["TEACHING.md", "CONTRIBUTING.md", "LICENSE", "LICENSE-CC-BY-4.0", "CITATION.cff"]
PICTURE_ELSEWHERE = re.compile(r"!\[([^\]]*)\]\(https?://[^)]*\)")
ANCHOR = re.compile(r"(\]\([^)#\s]*)#([^)\s]+)\)")
CONTENTS = """
```{{toctree}}
:hidden:
:maxdepth: 1

{lessons}
TEACHING
CONTRIBUTING
```
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "site")
    folder = parser.parse_args(arguments).folder.resolve()
    if importlib.util.find_spec("myst_nb") is None:
        raise SystemExit("Sphinx is missing. Run\n    python -m pip install -r .ci/pages/requirements.txt")
    refuse_to_overwrite(folder)
    with tempfile.TemporaryDirectory() as temporary:
        sources, built = pathlib.Path(temporary, "sources"), pathlib.Path(temporary, "built")
        lay_out(sources)
        options = [
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            "-c",
            sources,
            "-d",
            pathlib.Path(temporary, "trees"),
        ]
        done = subprocess.run([sys.executable, "-m", "sphinx", *options, sources, built])
        if done.returncode:
            raise SystemExit("The pages were not built, for the reasons above; nothing was written.")
        (built / ".nojekyll").touch()  # else GitHub leaves out folders whose name begins with _
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(built, folder)
    return f"The course is in {folder}: open index.html."


def refuse_to_overwrite(folder):
    """Only a folder that is new, empty or built by this command may be replaced."""
    if folder.exists() and any(folder.iterdir()) and not (folder / ".nojekyll").exists():
        raise SystemExit(f"{folder} holds something else. Name a new or empty folder.")


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
        path.write_text(without_badges(path.read_text(encoding="utf-8")), encoding="utf-8")
    lessons = sorted((sources / "notebooks").glob("*.ipynb"))
    for path in lessons:
        rewrite_lesson(path)
    listed = "\n".join(f"notebooks/{path.stem}" for path in lessons)
    start = without_badges((root / "README.md").read_text(encoding="utf-8"))
    (sources / "index.md").write_text(start + CONTENTS.format(lessons=listed), encoding="utf-8")


def rewrite_lesson(path):
    """Badges become plain links, anchors take the form that Sphinx gives them."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = without_badges("".join(cell["source"]))
            cell["source"] = ANCHOR.sub(lambda link: f"{link[1]}#{link[2].lower()})", text)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def without_badges(text):
    """Pictures that would be loaded from elsewhere give way to their alternative text."""
    return PICTURE_ELSEWHERE.sub(r"\1", re.sub(r"\)\s\[!\[", ") · [![", text))


if __name__ == "__main__":
    print(main())
