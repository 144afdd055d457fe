"""The lessons as notebooks that run in the reader's browser: JupyterLite's light `notebooks` app, its list of files, and our lite.js."""

import hashlib
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import files
from set_address import ROOT

HERE = pathlib.Path(__file__).parent
APPS = ["notebooks", "tree"]
# what the kernel would else look up one by one while it starts, and the course
SCRIPTS = """<link rel="stylesheet" href="../lite.css">
    <script src="../editions.js"></script>
    <script src="../lite.js"></script>
    <script>
      (async function () {"""
# in the place of the line above the setup cell
SETUP_LINE = (
    "Run the folded cell below once. What you write stays in this browser; *File*, *Download* gives you a copy. "
    "*Stop* can't end a cell that never ends: choose *Kernel*, *Restart*, which takes about ten seconds and loses nothing "
    "you wrote."
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


def build(folder, python):
    """The app in the new folder `folder`, run by what files.py gathered in the folder `python` beside it."""
    add_kernel(python)
    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary)
        (sources / "jupyter-lite.json").write_text(json.dumps(config(f"../{python.name}")), encoding="utf-8")
        drive = sources / "files"
        (drive / "notebooks").mkdir(parents=True)
        shutil.copy(ROOT / "attn_helpers.py", drive)  # the setup cell looks for it
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            text = json.dumps(stamped(json.loads(path.read_text(encoding="utf-8"))))
            (drive / "notebooks" / path.name).write_text(text, encoding="utf-8")
        options = [
            "--no-sourcemaps",
            "--no-unused-shared-packages",
            "--contents",
            "files",
            "--output-dir",
            folder,
        ]
        apps = [option for app in APPS for option in ("--apps", app)]
        command = [sys.executable, "-W", "ignore", "-m", "jupyterlite_core", "build", *apps, *options]
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"JupyterLite was not built:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    for name in ("editions.js", "lite.js", "lite.css"):
        shutil.copy(HERE / name, folder)
    for app in APPS:
        page = folder / app / "index.html"
        page.write_text(with_scripts(page.read_text(encoding="utf-8")), encoding="utf-8")


def add_kernel(python):
    """JupyterLite's own four wheels, into Python's folder and its lock."""
    (package,) = importlib.util.find_spec("jupyterlite_pyodide_kernel").submodule_search_locations
    lock = json.loads((python / "pyodide-lock.json").read_text(encoding="utf-8"))
    static = pathlib.Path(
        sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static"
    )
    wheels = [shutil.copy(path, python / path.name) for path in static.glob("pypi/*.whl")]
    files.enter(lock["packages"], wheels)
    (python / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")


def config(python):
    """JupyterLite's settings: all Python from the folder at this address, and none from elsewhere."""
    options = {"lockFileURL": f"{python}/pyodide-lock.json", "packages": KERNEL}
    kernel = {
        "pyodideUrl": f"./{python}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": options,
    }
    settings = {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}
    app = {
        "appName": "Attention from Scratch",
        "exposeAppInBrowser": True,
        "contentsStorageName": "Attention from Scratch",
    } | {"appUrl": "./tree"}
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
