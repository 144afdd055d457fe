"""Build the lessons as notebooks that run in the reader's browser: JupyterLite's light `notebooks` app.

    python tools/in_browser/lite.py FOLDER    into FOLDER/lite, with FOLDER/python, as tools/pages.py does

JupyterLite's settings are in the folder `lite`: all Python comes from the site, and nothing from elsewhere.
What loads with Python is what the kernel would else look up one by one. editions.js and exercise.js know
contentsStorageName, where a browser keeps what readers wrote. No cell is changed but the line above the setup
cell. Only a web server can show it.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from _command import NOTEBOOKS, ROOT  # noqa: E402

import files  # noqa: E402  isort: skip, found where _command looks

EXTENSIONS = pathlib.Path(sys.prefix, "share", "jupyter", "labextensions")
KERNEL = EXTENSIONS / "@jupyterlite" / "pyodide-kernel-extension"
WIDGETS = EXTENSIONS / "@jupyter-widgets" / "jupyterlab-manager"
# what our scripts need in JupyterLite's pages: to look for an old copy of the lesson before the app begins
SCRIPTS = {
    "<script>\n      (async function () {": """<link rel="stylesheet" href="../lite.css">
    <script src="../editions.js"></script>
    <script src="../lite.js"></script>
    <script>
      (async function () {""",
    "await import(": "await window.lessonIsReady;\n        await import(",
}
# in the place of the line above the setup cell
SETUP_LINE = (
    "Run the folded cell below once. What you write stays in this browser; *File*, *Download* gives you a "
    "copy. *Stop* can't end a cell that never ends: choose *Kernel*, *Restart*, which takes about ten "
    "seconds and loses nothing you wrote."
)


def build(folder, python):
    """The app in the new folder `folder`, run by what files.py gathered in the folder `python` beside it."""
    add_kernel(python)
    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary, "sources")
        shutil.copytree(HERE / "lite", sources)
        drive = sources / "files"
        (drive / "notebooks").mkdir(parents=True)
        shutil.copy(ROOT / "attn_helpers.py", drive)  # the setup cell looks for it
        for path in NOTEBOOKS:
            text = json.dumps(stamped(json.loads(path.read_text("utf-8"))))
            (drive / "notebooks" / path.name).write_text(text, "utf-8")
        command = [sys.executable, "-W", "ignore", "-m", "jupyterlite_core", "build", "--output-dir", folder]
        command += [f"--LiteBuildConfig.federated_extensions={each}" for each in (KERNEL, WIDGETS)]
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"JupyterLite was not built:\n{done.stdout}{done.stderr}")
    for name in ("editions.js", "lite.js", "lite.css"):
        shutil.copy(HERE / name, folder)
    for page in (folder / "notebooks" / "index.html", folder / "tree" / "index.html"):
        page.write_text(with_scripts(page.read_text("utf-8")), "utf-8")


def add_kernel(python):
    """JupyterLite's own four wheels into Python's folder, and into a lock beside its own."""
    lock = json.loads((python / "pyodide-lock.json").read_text("utf-8"))
    wheels = [pathlib.Path(shutil.copy(path, python)) for path in (KERNEL / "static/pypi").glob("*.whl")]
    files.enter(lock["packages"], wheels)
    (python / "jupyterlite-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    with (python / "LICENSES.txt").open("a", encoding="utf-8") as licences:
        licences.write("\n".join(map(files.licence, sorted(wheels))))


def with_scripts(page):
    """A page of JupyterLite with our scripts."""
    for there, instead in SCRIPTS.items():
        if page.count(there) != 1:
            raise SystemExit(f"JupyterLite's page doesn't have {there!r} once: see tools/in_browser/lite.py.")
        page = page.replace(there, instead)
    return page


def stamped(notebook):
    """The notebook with the edition of its text, by which editions.js knows a reader's old copy."""
    for cell in notebook["cells"]:
        if cell["id"] == "setup-line":
            cell["source"] = SETUP_LINE
    text = "\0".join("".join(cell["source"]) for cell in notebook["cells"])
    notebook["metadata"]["edition"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return notebook


if __name__ == "__main__":
    site = pathlib.Path(sys.argv[1]).resolve()
    files.gather(site / "python")
    build(site / "lite", site / "python")
