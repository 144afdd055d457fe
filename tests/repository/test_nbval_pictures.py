"""A change that nbval alone wouldn't notice fails at its cell: a stored notebook, changed and run again."""

import xml.etree.ElementTree

import nbformat
import pytest

import refresh
from course import ROOT
from environments import python

START = """
import base64, matplotlib.pyplot as plt, numpy as np, attn_helpers as attn
from IPython.display import HTML

def draw(values=np.linspace(0.05, 0.95, 12).reshape(3, 4), alt="weights, three by four"):
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.imshow(values, vmin=0, vmax=1)
    return attn.show(figure, alt)

def svg(text):
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>'
    data = base64.b64encode(drawn.encode()).decode()
    return HTML(f'<img alt="a text" src="data:image/svg+xml;base64,{data}">')
"""
# id: what the cell held when the notebook was stored, what it holds now
CHANGES = {
    "data": ("draw()", "draw(np.linspace(0.06, 0.96, 12).reshape(3, 4))"),
    "alt": ("draw()", "draw(alt='something else')"),
    "no-picture": ("draw()", "None"),
    "new-picture": ("x = 1", "draw()"),
    "svg": ("svg('0.59')", "svg('0.60')"),
    "unrun": ("x = 1", "x = 1"),
}


@pytest.mark.thorough
def test_every_change_fails_at_its_cell_and_pictures_are_left_to_look_at(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = tmp_path / "changed.ipynb"
    new = nbformat.v4
    stored = {"start": START} | {name: before for name, (before, _) in CHANGES.items()}
    notebook = new.new_notebook(cells=[new.new_code_cell(source, id=name) for name, source in stored.items()])
    refresh.execute(notebook, path)
    refresh.tidy(notebook, path.name)
    for cell in notebook.cells[1:]:
        cell.source = CHANGES[cell.id][1]
    notebook.cells[-1].execution_count = None
    nbformat.write(notebook, path)

    settings = "[pytest]\naddopts = -p nbval_pictures --nbval --nbval-current-env -p no:cacheprovider\n"
    (tmp_path / "pytest.ini").write_text(f"{settings}pythonpath = {ROOT / 'tests' / 'support'}\n", "utf-8")
    printed = python("-m", "pytest", "--color=no", "--junitxml=results.xml", cwd=tmp_path).stdout
    cases = xml.etree.ElementTree.parse(tmp_path / "results.xml").iter("testcase")
    assert [len(case) == 0 for case in cases] == [True] + [False] * len(CHANGES), printed
    assert all(f"changed.ipynb, cell {change}: see " in printed for change in CHANGES)
    left = {file.name for file in (tmp_path / "test-results" / "pictures").iterdir()}
    assert {f"changed-data-1-{kind}.png" for kind in ("stored", "now", "difference")} <= left
