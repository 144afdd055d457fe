"""Build the course as static pages that need no server and no network, for GitHub Pages or a USB stick.

    python -m pip install -r tools/pages/requirements.txt
    python tools/pages.py            into the folder site/
    python tools/pages.py FOLDER     into another, new or empty one

No lesson is run: the pages show the stored outputs. What moves are the explorers, whose pictures are drawn
meanwhile for all that their controls can say (tools/pages/frames.py), and the predictions, which answer.
The language model runs live, and where a server gives the pages, exercises are written and checked in them:
their Python is fetched once, by its sha256 (tools/in_browser/). A broken link fails the build. index.html is
"Attention in five minutes" (tools/pages/front.py).
"""

import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import set_address
from _command import NOTEBOOKS, ROOT, parser_of

SETTINGS = ROOT / "tools" / "pages"
MOVED = {  # lessons that had another number, whose old pages lead to the new ones
    "08_learning": "10_a_head_that_learns",
    "09_language_model": "11_language_model",
    "10_long_sequences": "12_long_sequences",
}
LEADS_ON = (
    '<!DOCTYPE html>\n<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}.html">'
    '<a href="{0}.html">{0}</a>\n'
)
NO_ADDRESS = """
Its links to Colab and Binder lead nowhere yet; the address of your repository is still to be set:
    python tools/set_address.py OWNER/NAME"""


def main(arguments=None):
    parser = parser_of(__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "site")
    folder = parser.parse_args(arguments).folder.resolve()
    needed = re.findall(r"(?m)^[a-z][\w-]*", (SETTINGS / "requirements.txt").read_text("utf-8"))
    if missing := [name for name in needed if not any(importlib.metadata.distributions(name=name))]:
        install = "python -m pip install -r tools/pages/requirements.txt"
        raise SystemExit(f"Missing: {', '.join(missing)}. Run\n    {install}")
    refuse_to_overwrite(folder, ".buildinfo", ".nojekyll")
    with tempfile.TemporaryDirectory() as temporary:
        put(build(pathlib.Path(temporary)), folder)
    unset = set_address.current().repository == set_address.UNSET
    return f"The course is in {folder}: open index.html.{NO_ADDRESS if unset else ''}"


def build(temporary):
    """Build the pages in a folder below `temporary`, and return it; frames are drawn while Sphinx works."""
    # here, because these need what may be missing
    import boxes
    import frames
    import front
    import lite
    import sources
    import summary

    built = temporary / "built"
    plans = sources.lay_out(temporary / "sources")
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", temporary / "trees"]
    command = [sys.executable, "-m", "sphinx", *options, temporary / "sources", built]
    sphinx = subprocess.Popen(command)
    drawn = {name: frames.pack(plan, name) for name, plan in plans.items() if not sphinx.poll()}
    if sphinx.wait():
        raise SystemExit("The pages were not built, for the reasons above; nothing was written.")
    boxes.write_python(built / "python")
    lite.build(built / "lite", built / "python")
    (built / "_static" / "frames").mkdir()
    for name, script in drawn.items():
        (built / "_static" / "frames" / f"{name}.js").write_text(script, "utf-8")
    summary.write(built / "summary")
    (built / "index.html").write_text(front.page(), "utf-8")
    for path in NOTEBOOKS:
        shutil.copy(path, built / "notebooks")
    for old, new in MOVED.items():
        (built / "notebooks" / f"{old}.html").write_text(LEADS_ON.format(new), "utf-8")
    (built / ".nojekyll").touch()  # else GitHub leaves out folders whose name begins with _
    return built


def refuse_to_overwrite(folder, *marks):
    """Only a folder that is new, empty or built by this command, which leaves these files, is replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if (folder / ".git").exists() or not all((folder / mark).is_file() for mark in marks):
        raise SystemExit(f"{folder} holds something else. Name a new or empty folder.")


def put(built, folder):
    """Put what was built in the place of what was built before."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(built, folder)


if __name__ == "__main__":
    print(main())
