"""The course as wheels for Python in a browser: its code, questions, data, headings of lessons, and attn_box.

From JupyterLite's drive the course would start slowly, and JSON there is parsed and written anew, which NaN
doesn't survive. Stored models are a wheel of their own, because a box on a page gives its first verdict
without them.
"""

import base64
import hashlib
import json
import pathlib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = [
    "attn_helpers.py",
    "attn_checks/**/*.py",
    "attn_checks/**/*.txt",
    "attn_checks/kept/page.html",
    "attn_checks/run/errors.md",
    "attn_checks/tell/faults.md",
    "attn_parts/*.html",
    "attn_parts/*.js",
    "attn_parts/*.json",
    "attn_parts/*.py",
    "attn_lessons/*.py",
    "attn_lessons/lesson*/*.py",
    "attn_lessons/lesson*/*.md",
    "notebooks/data/*.json",
    "notebooks/data/*.txt",
]
LEFT_OUT = {"teaching.md"}
LARGE = 50_000  # bytes of data from which on they are models
METADATA = """Metadata-Version: 2.4
Name: {name}
Version: {version}
License-Expression: MIT
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: attention-from-scratch\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write(folder):
    """Write the wheels into a folder; their paths, the course first."""
    files = contents()
    models = {name: files.pop(name) for name in list(files) if "/data/" in name and len(files[name]) > LARGE}
    needs = ["numpy", "ipywidgets", "attention-from-scratch-models"]
    return [
        write_wheel(folder, "attention-from-scratch", files, needs),
        write_wheel(folder, "attention-from-scratch-models", models, []),
    ]


def write_wheel(folder, name, files, needs):
    """Write one wheel; its version is made of what is in it, so that no old copy is taken for it."""
    digest = hashlib.sha256()
    for path, content in files.items():
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    version = f"0.{int(digest.hexdigest()[:8], 16)}"
    stem = f"{name.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    told = METADATA.format(name=name, version=version) + "".join(f"Requires-Dist: {need}\n" for need in needs)
    files |= {f"{about}/METADATA": told.encode(), f"{about}/WHEEL": WHEEL.encode()}
    files[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{about}/RECORD"] = "".join(
        [*(record(*each) for each in files.items()), f"{about}/RECORD,,\n"]
    ).encode()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for place, content in files.items():
            wheel.writestr(zipfile.ZipInfo(place), content, zipfile.ZIP_DEFLATED)  # of the same date always
    return path


def contents():
    """{name in the wheel: bytes} of the course."""
    paths = sorted(path for part in PARTS for path in ROOT.glob(part) if path.name not in LEFT_OUT)
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    files["attn_box.py"] = pathlib.Path(__file__).with_name("attn_box.py").read_bytes()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        files[f"notebooks/{path.name}"] = headings(path)
    return files


def headings(path):
    """A lesson's Markdown cells cut down to their headings, which a checker's message names."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    kept = [
        {
            "id": cell["id"],
            "cell_type": "markdown",
            "source": [line for line in cell["source"] if line.startswith("#")],
        }
        for cell in cells
        if cell["cell_type"] == "markdown"
    ]
    return json.dumps({"cells": [cell for cell in kept if cell["source"]]}).encode()


def record(name, content):
    """A line of RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"
