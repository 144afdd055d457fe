"""Slide marks: what of a lesson stands on slides when it is walked through, for cells that have no mark yet.

JupyterLab's slide shows and tools/slides.py read them: `slide`, `subslide` (below it), `fragment` (the next thing on
the same slide), `notes` (for the speaker) and `skip`. A mark that an author sets in JupyterLab's property inspector
stays. A deck is a walkthrough: questions, code, numbers and pictures are shown, long prose is spoken.
"""

import re

MARKS = ("slide", "subslide", "fragment", "notes", "skip")
# What a slide of 1280 by 720 holds, and what things take, in pixels: text of 26, code of 20.
ROOM = 640
TEXT = 37
CODE = 27
PICTURE = 260
FORMULA = 110
OPTION = 50
SHORT, LINE = 160, 85  # a heading and a line or two; a heading or a line
ASKED = 120  # what is left of a question when its answer comes
LONG = 260  # letters of prose that a class reads on a slide; more is told
QUESTION = re.compile(r"(?m)^check\.(predict|question)\(")
REFERS = re.compile(r"(It|It's|That(?! an? )|This|These|Those|They|And|But)\b")  # to what was said before
NEVER_SHOWN = re.compile(r"(?m)^check\.|^answer = \.\.\.")


def give(notebook):
    """Give every cell that has no mark one by rule; the notebook, changed in place."""
    cells = notebook.cells
    used = 0
    in_exercise = False
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown" and re.match(r"#|\*\*Next", cell.source):
            in_exercise = bool(re.search(r"(?m)^### Exercise \d", cell.source))
        kept = cell.metadata.get("slideshow", {}).get("slide_type")
        if kept not in MARKS:
            kept = by_rule(cells, place, used, in_exercise)
            cell.metadata["slideshow"] = {"slide_type": kept}
        if kept in ("slide", "subslide"):
            used = height(cell)
        elif kept == "fragment":
            used = height(cell) + (ASKED if asked_before(cells, place) else used)
    return notebook


def by_rule(cells, place, used, in_exercise):
    """The mark of one cell, where `used` pixels of the slide so far are taken."""
    cell = cells[place]
    if cell.get("id") in ("setup", "setup-line"):
        return "skip"
    if place == 0:
        return "slide"
    if cell.cell_type == "markdown":
        return of_text(cells, place, used, in_exercise)
    if QUESTION.search(cell.source):
        below_heading = only_text_above(cells, place) and used <= SHORT
        return "fragment" if in_exercise or below_heading else "subslide"
    if NEVER_SHOWN.search(cell.source):
        return "skip"
    if "attn.explore_" in cell.source:
        return "fragment" if only_text_above(cells, place) and used <= LINE else "subslide"
    if asked_before(cells, place):
        return "fragment"  # the answer: the question makes room for it
    return "fragment" if used + height(cell) <= ROOM else "subslide"


def of_text(cells, place, used, in_exercise):
    source = cells[place].source
    above = cells[place - 1]
    if heading := re.search(r"(?m)^#+ ", source.partition("```")[0]):
        return "slide" if len(heading[0]) <= len("## ") else "subslide"
    if "<details>" in source:
        return "skip" if in_exercise else "notes"
    if above.get("id") == "setup":
        return "slide"  # the question of the lesson
    if asked_before(cells, place + 1):
        return "notes"  # the answer comes next
    if not in_exercise and len(source) > LONG and not re.match(r">|\$\$", source):
        return "subslide" if source.startswith("**") else "notes"
    fits = used + height(cells[place]) <= ROOM
    below = cells[place + 1 : place + 2]
    leads_on = below and below[0].cell_type == "code" and not NEVER_SHOWN.search(below[0].source)
    if above.cell_type == "code" and leads_on or not fits:
        return "notes" if REFERS.match(source) else "subslide"
    return "fragment"


def only_text_above(cells, place):
    """Whether there is no code on the slide so far."""
    for cell in reversed(cells[:place]):
        mark = cell.metadata["slideshow"]["slide_type"]
        if cell.cell_type == "code" and mark in ("slide", "subslide", "fragment"):
            return False
        if mark in ("slide", "subslide"):
            break
    return True


def asked_before(cells, place):
    """Whether the cell settles a prediction: the code cell above it asks."""
    if place >= len(cells) or "answer" not in cells[place].metadata.get("tags", []):
        return False
    code = [cell.source for cell in cells[:place] if cell.cell_type == "code"]
    return bool(re.search(r"(?m)^check\.predict\(", code[-1] if code else ""))


def height(cell):
    """How high a cell is on a slide, roughly."""
    if cell.cell_type == "markdown":
        return sum(map(block_height, re.split(r"\n\n+", cell.source.strip())))
    if QUESTION.search(cell.source):
        return sum(output_height(output) for output in cell.outputs)
    code = sum(1 + len(line) // 95 for line in cell.source.splitlines())
    return 30 + CODE * code + sum(output_height(output) for output in cell.outputs)


def block_height(text):
    if text.startswith("#"):
        return 65
    if "$$" in text:
        return FORMULA + 2 * TEXT * text.count(r"\\")
    return 16 + TEXT * sum(1 + len(line) // 88 for line in text.splitlines() if not line.startswith("| ---"))


def output_height(output):
    data = output.get("data", {})
    if "data:image" in data.get("text/html", ""):
        return PICTURE
    text = output.get("text", "") or data.get("text/plain", "")
    if "text/html" in data:
        return OPTION * len(text.splitlines())
    return 12 + CODE * sum(1 + len(line) // 95 for line in text.splitlines())
