"""Build the lessons as notebooks that run in the reader's browser: JupyterLite's light `notebooks` app, into DIR/lite."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from set_address import ROOT

HERE = pathlib.Path(__file__).parent
CONFIG = {"appName": "Attention from Scratch", "exposeAppInBrowser": True}
# what the kernel would else look up one by one while it starts, and the course
KERNEL = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "attention-from-scratch"]


def build(folder, pyodide):
    """The app in the new folder `folder`; `pyodide` is where its Python is, as a path from there."""
    plugin = {
        "pyodideUrl": f"./{pyodide}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": f"{pyodide}/pyodide-lock.json", "packages": KERNEL},
    }
    settings = {"@jupyterlite/pyodide-kernel-extension:kernel": plugin}
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": CONFIG | {"litePluginSettings": settings}}
    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary)
        (sources / "files" / "notebooks").mkdir(parents=True)
        (sources / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
        shutil.copy(ROOT / "attn_helpers.py", sources / "files")  # the setup cell looks for it
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            text = json.dumps(stamped(json.loads(path.read_text(encoding="utf-8"))))
            (sources / "files" / "notebooks" / path.name).write_text(text, encoding="utf-8")
        options = ["--apps", "notebooks", "--apps", "tree", "--no-sourcemaps", "--no-unused-shared-packages"]
        command = [sys.executable, "-m", "jupyterlite_core", "build", *options]
        subprocess.run([*command, "--contents", "files", "--output-dir", folder], cwd=sources, check=True)


def stamped(notebook):
    """The notebook with the edition of its text, by which lite.js knows a reader's old copy."""
    text = "\0".join("".join(cell["source"]) for cell in notebook["cells"])
    notebook["metadata"]["edition"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return notebook
