"""A lesson as its learner has it: answers folded until they are run, saved, and opened again on another day."""

import re

import attn_checks as check
import course
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
    path = folder / "notebooks" / LESSON.name
    asked = course.predictions(course.read(LESSON))
    notebook = open_notebook(f"notebooks/{LESSON.name}")
    page, stills = notebook.page, notebook.page.locator(".attn-still")
    assert page.evaluate(FOLDED[app]) == ANSWERS
    notebook.run_all()
    assert wait_until(lambda: page.evaluate(FOLDED[app]) == [], page)
    assert len(notebook.explorers()) == 1
    assert stills.count() == 1 + len(asked)
    assert wait_until(lambda: not any(still.is_visible() for still in stills.all()), page)
    before = path.stat().st_mtime_ns
    page.evaluate(SAVE[app])
    assert wait_until(lambda: path.stat().st_mtime_ns != before, page)
    assert "widget-view" in path.read_text(encoding="utf-8"), "what is saved holds the widget too"

    page = open_notebook(f"notebooks/{LESSON.name}").page
    stills = page.locator(".attn-still")
    picture = stills.locator("img[src^='data:image/svg+xml']")
    assert wait_until(picture.is_visible, page)
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert stills.get_by_text("Run the cell to get the controls").is_visible()
    assert all(still.is_visible() for still in stills.all())
    slug = asked[0][1]
    fold = stills.locator("details").first
    reply = fold.get_by_text(as_text(next(iter(check.QUESTIONS[slug].options.values()))[1]))
    assert not reply.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert wait_until(reply.is_visible, page)
    page.wait_for_timeout(500)
    assert not re.search("Error displaying widget|odel not found", page.inner_text("body"))
