"""Run notebooks afresh, in place, and tidy what is stored.

    python tools/refresh.py                       every notebook of the course
    python tools/refresh.py notebooks/02*.ipynb   only these
    python tools/refresh.py --tidy  [...]         tidy only, run nothing

A notebook that fails, or whose outputs hold what differs from one machine to the next, is left as it was.
"""

import pathlib
import re
import sys

import nbclient
import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError

import set_address
import slide_marks
from _command import NOTEBOOKS, parser_of

# as in attn_parts/live_view.py: the hook that runs this has no NumPy to import the course
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
NOTEBOOK = {
    "colab": set_address.colab_metadata(),
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("tags", "slideshow")
# How a cell is folded: the setup cell's code (Colab reads cellView), the outputs of cells tagged `answer`.
CODE_FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}
OUTPUT_FOLDED = {"collapsed": True, "jupyter": {"outputs_hidden": True}}
# JupyterLab shows the first line of what is folded: an empty one gives nothing away.
BLANK = {"text/plain": ""}
SETUP_LINE = (
    "Run the folded cell below once. It locates the course files; "
    "on Colab it downloads them first and prints one line."
)
# What must not be stored: it names one machine, or one moment.
MACHINE_PATH = re.compile(
    r"(?<![\w./])/(tmp|home|root|work|workspaces?|mnt|Users|content|usr|opt|var)/[\w.-]|site-packages"
    r"|(?<!\w)[A-Za-z]:\\[\w.]"
    r"|<ipython-input-|ipykernel_\d+"
)
LINKS = re.compile(r"(?m)^\[.*colab\.research\.google\.com/github/.*$")
TIMING = re.compile(r"\d\s?(ns|µs|μs|us|ms|seconds)\b|\d\.\d+ ?(s|secs?|min)\b|Wall time:|CPU times:")


class UntidyError(Exception):
    """A notebook that cannot be stored as it is; the text says which cell and why."""


def main(arguments=None):
    parser = parser_of(__doc__)
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, help="default: all of notebooks/")
    parser.add_argument("--tidy", action="store_true", help="tidy without running")
    asked = parser.parse_args(arguments)
    failures = 0
    for path in asked.notebooks or NOTEBOOKS:
        try:
            done = refresh(path, run=not asked.tidy)
        except UntidyError as problem:
            failures += 1
            done = f"FAILED\n{problem}"
        print(f"{path.name}: {done}", flush=True)
    return 1 if failures else 0


def refresh(path, run=True):
    """Run the notebook (unless told not to), tidy it, and store it if anything changed."""
    before = path.read_text("utf-8")
    notebook = tidy(nbformat.reads(before, as_version=4), path.name)
    if run:
        execute(notebook, path)
        tidy(notebook, path.name)
    slide_marks.give(notebook)
    refuse_what_does_not_last(notebook)
    after = nbformat.writes(notebook).rstrip("\n") + "\n"
    if after == before:
        return "unchanged"
    path.write_text(after, "utf-8", newline="\n")
    return "refreshed" if run else "tidied"


def execute(notebook, path):
    """Run every cell in a fresh kernel, in the notebook's own folder; an error is among the outputs."""
    client = nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        allow_errors=True,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    try:
        client.execute()
    except (CellTimeoutError, DeadKernelError) as problem:
        raise UntidyError(str(problem)) from None


def tidy(notebook, name):
    """Keep sources, outputs, ids, tags and slide marks; write setup cell, links and folds; drop all else."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK)
    notebook.nbformat = 4
    notebook.nbformat_minor = 5
    written = {"setup": set_address.setup_cell(), "setup-line": SETUP_LINE}
    count = 0
    for cell in notebook.cells:
        cell.metadata = metadata(cell)
        cell.source = written.get(cell.id, LINKS.sub(lambda _: set_address.links(name), cell.source))
        if cell.cell_type != "code":
            continue
        if cell.execution_count is not None:
            count += 1
            cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
            if "data" in output:
                output.metadata = nbformat.from_dict({})
                output.data.pop(WIDGET_VIEW, None)
        # neither a widget and no more, nor an empty output, which belongs before those that are folded
        shown = [output for output in cell.outputs if output.get("data", True) not in ({}, BLANK)]
        folded = shown and "answer" in cell.metadata.get("tags", [])
        cell.outputs = [nbformat.v4.new_output("display_data", BLANK), *shown] if folded else shown
    return notebook


def metadata(cell):
    """What is kept of a cell's metadata, and what folds it."""
    kept = {key: cell.metadata[key] for key in KEPT if cell.metadata.get(key)}
    if cell.get("id") == "setup":
        kept |= CODE_FOLDED
    if cell.cell_type == "code" and "answer" in kept.get("tags", []):
        kept |= OUTPUT_FOLDED
    return nbformat.from_dict(kept)


def refuse_what_does_not_last(notebook):
    """Raise for errors, warnings, machine paths and timings among the stored outputs."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for problem in problems(output):
                raise UntidyError(f"cell {cell.id}: {problem}")


def problems(output):
    if output.output_type == "error":
        told = plain("\n".join(output.traceback))
        yield f"{output.ename} stops Run All; show it by `with attn.expect_error():`\n{told}"
    if output.get("name") == "stderr":
        yield f"writes to stderr, which readers see in red:\n{output.text}"
    for line in output_text(output).splitlines():
        if MACHINE_PATH.search(line):
            yield f"a path of this machine in its output: {line[:200]}"
        if TIMING.search(line):
            yield f"a timing, new at each run, in its output: {line[:200]}"


def output_text(output):
    """Everything readable in one output, without the data of its pictures."""
    parts = [output.get("text", "")]
    parts += [value for mime, value in output.get("data", {}).items() if mime.startswith("text/")]
    return plain(re.sub(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]+", "", "\n".join(parts)))


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


if __name__ == "__main__":
    sys.exit(main())
