"""A lesson's notebook as a page: links and folds as Sphinx has them, and what moves made to."""

import pathlib
import re
import tomllib

import nbformat

import boxes
import frames
import front
import links
import predictions
from _command import read

WORDING = tomllib.loads(pathlib.Path(__file__).with_name("wording.toml").read_text("utf-8"))
# what folds a cell in JupyterLab, what does so in MyST-NB, and what the fold says
FOLDS = [
    ("source_hidden", "hide-input", "the setup cell"),
    ("outputs_hidden", "hide-output", "the answer"),
]
WAYS = re.compile(r"(?m)^\[Open in your browser\].*$")
EXERCISE = re.compile(r"(?m)^(### Exercise \d.*)$")


def rewrite(path, contents):
    """The notebook as text, with `contents` below its last cell, and {name: Plan} of its explorers."""
    notebook = read(path)
    boxes.put(path.name, notebook)
    plans = {}
    elsewhere = ""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            plans |= rewrite_code(cell)
            continue
        text = reworded(cell.source, cell.id)
        elsewhere = elsewhere or links.to_own_notebooks("".join(WAYS.findall(text)), 1)
        download = f'<a href="{path.name}" download>Download the notebook</a>'
        text = WAYS.sub(f"Run the cells and do the exercises: {elsewhere} · {download}\n", text)
        text = EXERCISE.sub(rf"\1\n\nAnswer it where code runs: {elsewhere}\n", text)
        cell.source = links.as_sphinx(text)
    if contents:
        notebook.cells.append(nbformat.v4.new_markdown_cell(contents, id="contents"))
    return nbformat.writes(notebook), plans


def rewrite_code(cell):
    """Fold a cell as JupyterLab does, and make what it shows move; {name: Plan} of its explorer."""
    fold(cell.metadata)
    drop_blanks(cell)
    plans = {}
    if cell.source == front.EXPLORER:
        front.put_model(cell)
    else:
        plans = make_live(cell)
    link_outputs(cell)
    return plans


def drop_blanks(cell):
    """Drop the empty output that keeps JupyterLab's folds silent (tools/refresh.py)."""
    cell.outputs = [output for output in cell.outputs if output.get("data") != {"text/plain": ""}]


def reworded(text, cell):
    """A text of a lesson as wording.toml words it for a page, where nothing runs."""
    for said, instead in WORDING.get(cell, ()):
        if said not in text:
            raise SystemExit(f"{cell} doesn't say {said!r} any longer: change tools/pages/wording.toml.")
        text = text.replace(said, instead)
    return text


def make_live(cell, opens=()):
    """Put controls above an explorer's still, replies beside a prediction's; {name: Plan} of the explorer.

    `opens` are values of its controls with which it begins, if not with its own.
    """
    stills = frames.stills(cell)
    if make := frames.explorer_of(cell.source):
        if plan := frames.plan(make):
            first = plan.settings[0] | dict(opens)
            plan.settings.sort(key=first.__ne__)
            (still,) = stills
            still["text/html"] = frames.as_html(plan, cell.id, still["text/html"])
            return {cell.id: plan}
        print(f"{cell.source} stays a still picture: it declares no frames (MAINTAINING, Build the pages).")
    elif slug := predictions.asked(cell.source):
        (still,) = stills
        still["text/html"] = predictions.as_html(slug, still["text/html"])
    return {}


def link_outputs(cell):
    """Have what a check says link to the pages of lessons, not to their notebooks."""
    for data in frames.pictures(cell):
        data["text/html"] = links.of_verdict(data["text/html"])


def fold(metadata):
    """Fold a cell's code or outputs on the page, where its metadata folds them in JupyterLab."""
    hidden = metadata.get("jupyter", {})
    for mark, tag, what in FOLDS:
        if hidden.get(mark):
            metadata["tags"] = [*metadata.get("tags", []), tag]
            metadata["mystnb"] = {"code_prompt_show": f"Show {what}", "code_prompt_hide": f"Hide {what}"}
