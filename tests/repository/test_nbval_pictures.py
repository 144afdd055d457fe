"""A change that nbval alone wouldn't notice fails at its cell: one stored notebook, its cells changed and run again."""

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
from IPython.display import HTML
import attn_helpers as attn

values = np.linspace(0.05, 0.95, 12).reshape(3, 4)

def draw(values=values, alt="weights, three by four"):
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.imshow(values, vmin=0, vmax=1)
    return attn.show(figure, alt)

def svg(text):
    data = base64.b64encode(f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>'.encode()).decode()
    return HTML(f'<img alt="a text" src="data:image/svg+xml;base64,{data}">')
"""
# id: what the cell held when the notebook was stored, what it holds now
CHANGES = {
    "digit": ("print(0.594)", "print(0.595)"),
    "data": ("draw()", "draw(values * 1.01)"),
    "alt": ("draw()", "draw(alt='something else')"),
    "no-picture": ("draw()", "None"),
    "new-picture": ("x = 1", "draw()"),
    "svg": ("svg('0.59')", "svg('0.60')"),
    "unrun": ("x = 1", "x = 1"),
}
CELLS = ["start", *CHANGES]


def run_pytest(folder):
    """Results of pytest in `folder`, {cell id: passed}, and what it printed."""
    settings = "[pytest]\naddopts = -p nbval_pictures --nbval --nbval-current-env -p no:cacheprovider\n"
    (folder / "pytest.ini").write_text(f"{settings}pythonpath = {ROOT / 'tests' / 'support'}\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "--color=no", "--junitxml=results.xml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    cases = xml.etree.ElementTree.parse(folder / "results.xml").iter("testcase")
    return {CELLS[int(case.get("name").removeprefix("Cell "))]: len(case) == 0 for case in cases}, done.stdout


@pytest.mark.thorough
def test_every_change_fails_at_its_cell_and_pictures_are_left_to_look_at(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path, new = tmp_path / "changed.ipynb", nbformat.v4
    cells = [new.new_code_cell(START, id="start")]
    cells += [new.new_code_cell(stored, id=name) for name, (stored, _) in CHANGES.items()]
    notebook = new.new_notebook(cells=cells)
    refresh.execute(notebook, path)
    refresh.tidy(notebook, path.name)
    for cell in notebook.cells[1:]:
        cell.source = CHANGES[cell.id][1]
    notebook.cells[-1].execution_count = None
    nbformat.write(notebook, path)

    passed, printed = run_pytest(tmp_path)
    assert passed == {"start": True} | dict.fromkeys(CHANGES, False), printed
    assert all(f"changed.ipynb, cell {change}: see " in printed for change in CHANGES)
    left = {file.name for file in (tmp_path / "test-results" / "pictures").iterdir()}
    assert {f"changed-data-1-{kind}.png" for kind in ("stored", "now", "difference")} <= left
