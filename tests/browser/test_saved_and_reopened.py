"""A lesson as its learner has it: opened as Binder's link does, answers folded until run, saved, reopened."""

import re
import urllib.parse

import attn_checks as check
import course
import set_address
from attn_checks.ask.questions import as_text
from jupyter_pages import wait_until

LESSON = course.NOTEBOOKS[0]
CELLS = course.code_cells(course.read(LESSON))
ANSWERS = [place for place, cell in enumerate(CELLS) if "answer" in cell.metadata.get("tags", [])]
FOLDED = {
    "lab": """() => jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')
        .flatMap((cell, place) => cell.outputHidden ? [place] : [])""",
    "classic": """() => Jupyter.notebook.get_cells().filter(cell => cell.cell_type === 'code')
        .flatMap((cell, place) => cell.output_area.collapsed ? [place] : [])""",
}
SAVE = {
    "lab": "() => jupyterapp.commands.execute('docmanager:save')",
    "classic": "() => Jupyter.notebook.save_notebook()",
}


def test_answers_unfold_when_run_and_pictures_stay_when_reopened(jupyter, open_notebook):
    app, folder, _ = jupyter
    name = urllib.parse.unquote(set_address.binder(LESSON.name)).partition("?urlpath=lab/tree/")[2]
    path = folder / name
    asked = course.predictions(course.read(LESSON))
    notebook = open_notebook(name)
    page = notebook.page
    stills = page.locator(".attn-still")
    assert page.evaluate(FOLDED[app]) == ANSWERS
    notebook.run_all()
    page.wait_for_function(f"() => !({FOLDED[app]})().length")
    notebook.explorers(1)
    assert stills.count() == 1 + len(asked)
    assert wait_until(lambda: not any(still.is_visible() for still in stills.all()), page)
    assert notebook.problems == []
    before = path.stat().st_mtime_ns
    page.evaluate(SAVE[app])
    assert wait_until(lambda: path.stat().st_mtime_ns != before, page)
    cells = course.code_cells(course.read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if "error" in output.output_type]
    assert any("widget-view" in kind for output in outputs for kind in output.get("data", {}))

    page = open_notebook(name).page
    stills = page.locator(".attn-still")
    picture = stills.locator("img[src^='data:image/svg+xml']")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert stills.get_by_text("Run the cell to get the controls").is_visible()
    assert all(still.is_visible() for still in stills.all())
    fold = stills.locator("details").first
    _, slug = asked[0]
    _, said = check.QUESTIONS[slug].options["a"]
    reply = fold.get_by_text(as_text(said))
    assert not reply.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    reply.wait_for()
    page.wait_for_timeout(500)  # for what would be told of a widget that isn't there
    assert not re.search("Error displaying widget|odel not found", page.inner_text("body"))
