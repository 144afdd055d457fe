"""Exercises on the pages that are written and checked there: what exercise.js makes boxes of."""

import html
import itertools
import json
import pathlib
import re
import shutil

import files
from attn_checks.tell.faults import not_judged

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHECK = re.compile(r'check\.(\w+)\((?:"([\w-]+)", )?[\w, ]+\)')
NO_STUB = {"predict", "question", "progress"}


def write_static(folder):
    """What pages load from _static."""
    for name in ("exercise.js", "exercise.css", "verify.js"):
        shutil.copy(HERE / name, folder)


def write_python(folder):
    """Python and the worker that checks answers into a new folder, and the page to verify beside it."""
    files.gather(folder)
    shutil.copy(HERE / "verify.html", folder.parent)
    shutil.copy(HERE / "worker.mjs", folder)
    (course,) = folder.glob("attention_from_scratch-*.whl")
    (models,) = folder.glob("attention_from_scratch_models-*.whl")
    (numpy,) = folder.glob("numpy-*.whl")
    others = "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"
    scripts = (folder / "pyodide.asm.mjs").stat().st_size
    counted = [course, numpy, *map(folder.joinpath, others)]
    total = scripts + sum(path.stat().st_size for path in counted)
    told = {"course": course.name, "models": models.name, "scripts": scripts, "bytes": total}
    (folder / "box.json").write_text(json.dumps(told), "utf-8")


def name_of(line):
    """The name of the exercise that a line checks, None if it checks none."""
    checks = CHECK.fullmatch(line)
    return None if not checks or checks[1] in NO_STUB else checks[2] or checks[1]


def exercises(notebook):
    """Pairs of an exercise's stub and the check right below it, cells of a notebook as JSON."""
    pairs = itertools.pairwise(notebook["cells"])
    return [(stub, check) for stub, check in pairs if check["cell_type"] == "code" and name_of(source(check))]


def put(lesson, notebook):
    """Put the data of a box around what the check of each exercise shows; `lesson` is the notebook's name."""
    for stub, check in exercises(notebook):
        (still,) = (output["data"] for output in check["outputs"] if "text/html" in output.get("data", {}))
        still["text/html"] = as_html(lesson, stub, check, "".join(still["text/html"]))


def as_html(lesson, stub, check, still):
    """An exercise of a lesson: `still`, which a box replaces where Python can run."""
    name = name_of(source(check))
    late = not_judged(name, "endless-loop", limit="ten seconds")
    box = {
        "name": name,
        "stub": source(stub),
        "line": source(check),
        "late": late._repr_mimebundle_()["text/html"],
    }
    box |= {"lesson": lesson, "cells": [stub["id"], check["id"]]}
    return f'<div data-exercise="{name}" data-box="{html.escape(json.dumps(box))}">{still}</div>'


def source(cell):
    return "".join(cell["source"])


def on_front_page():
    """Softmax of lesson 04 as the front page asks for it."""
    (path,) = (ROOT / "notebooks").glob("04_*.ipynb")
    found = exercises(json.loads(path.read_text("utf-8")))
    [(stub, check)] = [pair for pair in found if name_of(source(pair[1])) == "softmax"]
    return as_html(path.name, stub, check, f"<pre>{html.escape(source(stub))}</pre>")
