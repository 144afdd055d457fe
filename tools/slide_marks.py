"""Slide marks: what of a lesson is on slides when it is walked through, for cells that have no mark yet.

JupyterLab's slide shows and tools/slides.py read them: `slide`, `subslide` (below it), `fragment` (the next
thing on the same slide), `notes` (for the speaker) and `skip`. A mark that an author sets in JupyterLab's
property inspector stays, and begins a slide where one would be too full: tests/browser/test_slides.py says
where. A deck is a walkthrough: questions, code, numbers and pictures are shown, long prose is spoken.
"""

import re

MARKS = ("slide", "subslide", "fragment", "notes", "skip")
LONG = 260  # letters of prose that a class reads on a slide; more is told
QUESTION = re.compile(r"(?m)^check\.(predict|question)\(")
NEVER_SHOWN = re.compile(r"(?m)^check\.|^answer = \.\.\.")


def give(notebook):
    """Give every cell that has no mark one by rule; the notebook, changed in place."""
    in_exercise = False
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            in_exercise = bool(re.search(r"(?m)^### Exercise \d", cell.source))
        if cell.metadata.get("slideshow", {}).get("slide_type") not in MARKS:
            cell.metadata["slideshow"] = {"slide_type": by_rule(notebook.cells, place, in_exercise)}
    return notebook


def by_rule(cells, place, in_exercise):
    """The mark of one cell."""
    cell = cells[place]
    if cell.get("id") in ("setup", "setup-line"):
        return "skip"
    if place == 0:
        return "slide"
    if cell.cell_type == "markdown":
        return of_text(cells, place, in_exercise)
    if QUESTION.search(cell.source):
        return "fragment" if in_exercise else "subslide"
    if NEVER_SHOWN.search(cell.source):
        return "skip"
    return "subslide" if "attn.explore_" in cell.source else "fragment"


def of_text(cells, place, in_exercise):
    text = cells[place].source
    if heading := re.match(r"#+ ", text):
        return "slide" if len(heading[0]) <= len("## ") else "subslide"
    if "<details>" in text:
        return "skip" if in_exercise else "notes"
    answer_is_next = any("answer" in cell.metadata.get("tags", []) for cell in cells[place + 1 : place + 2])
    is_long = len(text) > LONG and not re.match(r">|\$\$", text)
    return "notes" if answer_is_next or is_long and not in_exercise else "fragment"
