"""Exercises on the pages that are written and checked there: what exercise.js makes boxes of."""

import html
import json
import pathlib
import re
import shutil

import files

from attn_checks.contract import HARM
from attn_checks.messages import say

HERE = pathlib.Path(__file__).resolve().parent
CHECK = re.compile(r'check\.(\w+)\((?:"([\w-]+)", )?\w+\)')
NO_STUB = {"predict", "question", "progress"}


def write_static(folder):
    """What pages load from _static."""
    for name in ("exercise.js", "exercise.css"):
        shutil.copy(HERE / name, folder)


def write_python(folder):
    """Python for the browser, and the worker in which it checks answers, into a new folder."""
    files.gather(folder)
    shutil.copy(HERE / "worker.mjs", folder)
    (course,) = folder.glob("attention_from_scratch-*.whl")
    (numpy,) = folder.glob("numpy-*.whl")
    others = "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"
    scripts, counted = (
        (folder / "pyodide.asm.mjs").stat().st_size,
        [course, numpy, *map(folder.joinpath, others)],
    )
    total = scripts + sum(path.stat().st_size for path in counted)
    told = {"course": course.name, "scripts": scripts, "bytes": total}
    (folder / "box.json").write_text(json.dumps(told), encoding="utf-8")


def name_of(line):
    """The name of the exercise that a line checks, None if it checks none."""
    checks = CHECK.fullmatch(line.strip())
    return None if not checks or checks[1] in NO_STUB else checks[2] or checks[1]


def put(stub, check):
    """Put the box's data around the output of an exercise's check, a cell of a notebook; the stub's is above it."""
    (still,) = (output["data"] for output in check["outputs"] if "text/html" in output.get("data", {}))
    line = "".join(check["source"])
    still["text/html"] = as_html("".join(stub["source"]), line, "".join(still["text/html"]))


def as_html(stub, line, still):
    """An exercise with this stub and this line that checks it: `still`, which a box replaces where Python can run."""
    name = name_of(line)
    title, sentence = HARM["endless-loop"]
    late = say(
        "error", "endless-loop", f"{name}: {title}", [sentence.replace("half a second", "ten seconds")]
    )
    box = {"name": name, "stub": stub, "line": line, "late": late._repr_mimebundle_()["text/html"]}
    return f'<div data-exercise="{name}" data-box="{html.escape(json.dumps(box))}">{still}</div>'
