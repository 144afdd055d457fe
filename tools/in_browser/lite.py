"""Build the lessons as notebooks that run in the reader's browser: JupyterLite's light `notebooks` app and its list of files.

    python tools/in_browser/lite.py FOLDER    into FOLDER/lite, with Python in FOLDER/python; tools/pages.py does it too

No cell is changed but the line above the setup cell. Only a web server can show it, and it asks no other.
"""

import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import files  # noqa: E402
from _command import NOTEBOOKS, ROOT  # noqa: E402

SHARED = pathlib.Path(sys.prefix, "share", "jupyter", "labextensions")
EXTENSIONS = [
    SHARED / "@jupyterlite/pyodide-kernel-extension",
    SHARED / "@jupyter-widgets/jupyterlab-manager",
]
LOCK = "jupyterlite-lock.json"
# where a browser keeps what readers wrote; editions.js and exercise.js name it too
STORAGE = "Attention from Scratch"
APPS = ["notebooks", "tree"]
# what the kernel would else look up one by one while it starts, and the course
SCRIPTS = """<link rel="stylesheet" href="../lite.css">
    <script src="../editions.js"></script>
    <script src="../lite.js"></script>
    <script>
      (async function () {"""
# in the place of the line above the setup cell
SETUP_LINE = (
    "Run the folded cell below once. What you write stays in this browser; *File*, *Download* gives you a "
    "copy. *Stop* can't end a cell that never ends: choose *Kernel*, *Restart*, which takes about ten "
    "seconds and loses nothing you wrote."
)
KERNEL = [
    "micropip",
    "piplite",
    "ipykernel",
    "comm",
    "pyodide-kernel",
    "jedi",
    "ipython",
    "attention-from-scratch",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder.resolve()
    files.gather(folder / "python")
    build(folder / "lite", folder / "python")


def build(folder, python):
    """The app in the new folder `folder`, run by what files.py gathered in the folder `python` beside it."""
    add_kernel(python)
    options = {"apps": APPS, "contents": ["files"], "no_sourcemaps": True, "no_unused_shared_packages": True}
    options |= {
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": list(map(str, EXTENSIONS)),
    }
    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary)
        (sources / "jupyter-lite.json").write_text(json.dumps(config(f"../{python.name}")), "utf-8")
        drive = sources / "files"
        (drive / "notebooks").mkdir(parents=True)
        shutil.copy(ROOT / "attn_helpers.py", drive)  # the setup cell looks for it
        for path in NOTEBOOKS:
            text = json.dumps(stamped(json.loads(path.read_text("utf-8"))))
            (drive / "notebooks" / path.name).write_text(text, "utf-8")
        (sources / "jupyter_lite_config.json").write_text(
            json.dumps({"LiteBuildConfig": options}), encoding="utf-8"
        )
        command = [sys.executable, "-W", "ignore", "-m", "jupyterlite_core", "build", "--output-dir", folder]
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"JupyterLite was not built:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    for name in ("editions.js", "lite.js", "lite.css"):
        shutil.copy(HERE / name, folder)
    for app in APPS:
        page = folder / app / "index.html"
        page.write_text(with_scripts(page.read_text("utf-8")), "utf-8")


def add_kernel(python):
    """JupyterLite's own four wheels into Python's folder, and into a lock beside its own."""
    lock = json.loads((python / "pyodide-lock.json").read_text("utf-8"))
    wheels = [
        pathlib.Path(shutil.copy(path, python)) for path in (EXTENSIONS[0] / "static/pypi").glob("*.whl")
    ]
    files.enter(lock["packages"], wheels)
    (python / LOCK).write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    with (python / "LICENSES.txt").open("a", encoding="utf-8") as licences:
        licences.write("\n".join(map(files.licence, sorted(wheels))))


def config(python):
    """JupyterLite's settings: all Python from the folder at this address, and none from elsewhere."""
    options = {"lockFileURL": f"{python}/{LOCK}", "packages": KERNEL}
    kernel = {
        "pyodideUrl": f"./{python}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": options,
    }
    settings = {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}
    app = {"appName": STORAGE, "appUrl": "./tree", "contentsStorageName": STORAGE, "exposeAppInBrowser": True}
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": app | {"litePluginSettings": settings}}


def with_scripts(page):
    """A page of JupyterLite that begins once our scripts have looked for an old copy of the lesson."""
    for there, instead in (
        ("<script>\n      (async function () {", SCRIPTS),
        ("await import(", "await window.lessonIsReady;\n        await import("),
    ):
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
    main()
