"""The notebook tests themselves: what must fail fails, what must pass passes.

One small notebook is run and stored; then single cells of it are changed and nbval, with the project's
plugin, runs it again.
"""

import subprocess
import sys
import xml.etree.ElementTree

import nbformat
import pytest

import refresh
from course import ROOT

START = """
import base64
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML, Image, display
import attn_helpers as attn

values = np.linspace(0.05, 0.95, 12).reshape(3, 4)

def draw(values=values, colors="cividis", label="key", alt="weights, three by four"):
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.imshow(values, colors, vmin=0, vmax=1)
    ax.set(xlabel=label, ylabel="query", xlim=(-0.5, 3.5), ylim=(3.5, -0.5))
    return attn.show(figure, alt)

def svg(text):
    data = base64.b64encode(f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>'.encode()).decode()
    return HTML(f'<img alt="a text" src="data:image/svg+xml;base64,{data}">')

def bare(values):
    html = draw(values)._repr_mimebundle_()["text/html"]
    return Image(base64.b64decode(html.split("base64,")[1].split('"')[0]))
"""
# id: what the cell held when the notebook was stored, what it holds now
CHANGES = {
    "digit": ("print(0.594)", "print(0.595)"),
    "data": ("draw()", "draw(values * 1.01)"),
    "axes": ("draw()", "draw(values.T)"),
    "colors": ("draw()", "draw(colors='viridis')"),
    "label": ("draw()", "draw(label='')"),
    "alt": ("draw()", "draw(alt='something else')"),
    "two-pictures": ("display(draw(), draw(values / 2))", "display(draw(values / 2), draw())"),
    "no-picture": ("draw()", "None"),
    "svg": ("svg('0.59')", "svg('0.60')"),
    "bare-png": ("bare(values)", "bare(values / 2)"),
    "new-output": ("x = 1", "print('x')"),
    "new-picture": ("x = 1", "draw()"),
    "new-bare-picture": ("x = 1", "bare(values)"),
    "unrun": ("x = 1", "x = 1"),
}
CELLS = ["start", *CHANGES]


def store(path, cells):
    """A notebook of `cells` (id: source), run as contributors run theirs."""
    new = nbformat.v4
    notebook = new.new_notebook(cells=[new.new_code_cell(source, id=name) for name, source in cells.items()])
    refresh.execute(notebook, path)
    refresh.tidy(notebook, path.name)
    return notebook


def run_pytest(folder):
    """Results of pytest in `folder`: {notebook: {cell id: passed}}, and what it printed."""
    settings = "[pytest]\naddopts = -p nbval_pictures --nbval --nbval-current-env -p no:cacheprovider\n"
    (folder / "pytest.ini").write_text(
        f"{settings}pythonpath = {ROOT / 'tests' / 'support'}\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "pytest", "--color=no", "--junitxml=results.xml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    results = {}
    for case in xml.etree.ElementTree.parse(folder / "results.xml").iter("testcase"):
        number = int(case.get("name").removeprefix("Cell "))
        results.setdefault(case.get("classname").removesuffix(".ipynb"), {})[CELLS[number]] = len(case) == 0
    return results, done.stdout


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        notebook = store(
            folder / "changed.ipynb", {"start": START} | {k: was for k, (was, _) in CHANGES.items()}
        )
        for cell in notebook.cells[1:]:
            cell.source = CHANGES[cell.id][1]
            if cell.id == "unrun":
                cell.execution_count = None
        nbformat.write(notebook, folder / "changed.ipynb")
        results, printed = run_pytest(folder)
    return folder, results, printed


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_fails_at_its_cell(outcome, change):
    _, results, printed = outcome
    assert results["changed"][change] is False, printed
    assert results["changed"]["start"] is True
    assert f"changed.ipynb, cell {change}: see CONTRIBUTING.md" in printed


def test_a_failing_picture_leaves_files_to_look_at(outcome):
    folder, _, printed = outcome
    left = {path.name for path in (folder / "test-results" / "pictures").iterdir()}
    assert {f"changed-data-1-{kind}.png" for kind in ("stored", "now", "difference")} <= left
    assert "test-results/pictures/changed-data-1-" in printed
