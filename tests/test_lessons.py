"""Every lesson has the same skeleton, is tidy, and says nothing that its outputs do not show."""

import ast
import math
import re
import statistics
import sys

import pytest

import course
import refresh
import set_address

ALLOWED_IMPORTS = {
    "numpy",
    "matplotlib",
    "ipywidgets",
    "attn_helpers",
    "attn_checks",
} | sys.stdlib_module_names

every_notebook = pytest.mark.parametrize("path", course.NOTEBOOKS, ids=course.name)
every_lesson = pytest.mark.parametrize("path", course.LESSONS, ids=course.name)


def test_the_course_is_complete():
    missing = set(course.CORE) - {path.name for path in course.NOTEBOOKS}
    assert not missing, f"no such notebook: {sorted(missing)}"


# --- the skeleton ---------------------------------------------------------------------------------------


def header(notebook):
    """The text above the setup cell."""
    place = [cell.get("id") for cell in notebook.cells].index("setup")
    return "\n\n".join(cell.source for cell in notebook.cells[:place])


@every_notebook
def test_opens_with_title_and_setup_cell(path):
    notebook = course.read(path)
    assert notebook.cells[0].source.startswith("# "), "the first cell must start with the title, '# …'"
    ids = [cell.get("id") for cell in notebook.cells]
    assert ids.count("setup") == 1, "exactly one cell has the id 'setup'"
    assert course.code_cells(notebook)[0].id == "setup", "the setup cell is the first code cell"
    setup = notebook.cells[ids.index("setup")]
    assert setup.source == set_address.setup_cell(), "setup cell differs: run .ci/refresh.py on this notebook"
    assert len(setup.source.splitlines()) <= 10
    assert len(set(ids)) == len(ids), "cell ids must differ from one another"


@every_notebook
def test_badges_open_this_file(path):
    wanted = set_address.badges(path.name)
    assert wanted in header(course.read(path)), f"the badges of {path.name} must read\n{wanted}"


@every_notebook
def test_navigation_leads_to_the_neighbours(path):
    before, after = course.neighbours(path)
    lines = [line for line in header(course.read(path)).splitlines() if "←" in line or "→" in line]
    assert len(lines) == 1, "one line '← previous · map · next →' above the setup cell"
    linked = re.findall(r"\]\((\d\d_\w+\.ipynb)(?:#\w+)?\)", lines[0])
    wanted = {other for other in (before, after) if other} | ({course.CORE[0]} if before else set())
    assert set(linked) == wanted, f"navigation links {linked}, must link {sorted(wanted)}"


@every_lesson
def test_says_time_needs_and_aims(path):
    text = header(course.read(path))
    assert re.search(r"\b\d+ min", text), "the time, such as '35 minutes'"
    assert "You need" in text
    aims = re.search(r"You will be able to.*?\n((?:\s*\n|\s*(?:[-*]|\d\.) .*\n?(?: {2,}\S.*\n?)*)+)", text)
    assert aims, "'You will be able to' and a list"
    items = re.findall(r"(?m)^\s*(?:[-*]|\d\.) ", aims[1])
    assert 3 <= len(items) <= 4, f"{len(items)} aims, must be 3 or 4"


@every_lesson
def test_predictions_come_before_the_cell_that_settles_them(path):
    cells = course.read(path).cells
    places = [
        i for i, cell in enumerate(cells) if cell.cell_type == "markdown" and "**Predict" in cell.source
    ]
    assert places, "no '**Predict.**'"
    for place in places:
        asked = cells[place].source.split("**Predict", 1)[1].lower()
        assert "(a)" in asked and "(b)" in asked, (
            f"cell {cells[place].id}: give two or three answers, (a), (b)"
        )
        following = [cell.cell_type for cell in cells[place + 1 : place + 3]]
        assert "code" in following, f"cell {cells[place].id}: the code that settles it must come next"


@every_lesson
def test_has_a_part_by_hand_and_a_bug_to_spot(path):
    notebook = course.read(path)
    below = course.markdown(notebook).removeprefix(header(notebook)).lower()
    assert "by hand" in below, "no part that is worked out 'by hand'"
    titles = [title.lower() for title in course.headings(notebook)]
    assert any("spot the bug" in title for title in titles), "no heading with 'Spot the bug'"


@every_lesson
def test_slider_is_moved_by_code(path):
    sources = [cell.source for cell in course.code_cells(course.read(path))]
    shown = [i for i, source in enumerate(sources) if "attn.explore_" in source]
    assert shown, "no attn.explore_…()"
    moved = [
        s for s in sources[shown[0] + 1 :] if re.search(r"\.value = ", s) and re.search(r"(?m)^\s*assert ", s)
    ]
    assert moved, "no later cell sets a control's .value and asserts what changed"


@every_lesson
def test_exercises_have_their_four_cells(path):
    found = course.exercises(course.read(path))
    assert 2 <= len(found) <= 4, f"{len(found)} exercises, must be 2 to 4"
    for number, exercise in enumerate(found, 1):
        title = exercise.title
        assert title.startswith(f"Exercise {number}"), f"{title}: exercises are numbered from 1"
        stub_check_answer = ["code", "code", "markdown"]
        assert exercise.kinds[-3:] == stub_check_answer, f"{title}: must be stub, check, hints and solution"
        assert re.search(r"\bcheck\.\w+\(", exercise.check.source), (
            f"{title}: the check cell calls no checker"
        )
        hints = re.findall(r"<summary>\s*Hint", exercise.answer.source)
        assert 1 <= len(hints) <= 3, f"{title}: {len(hints)} hints, must be 1 to 3"
        ast.parse(course.solution(exercise))


@every_lesson
def test_recap_lights_its_step(path):
    cells = course.read(path).cells
    places = [i for i, cell in enumerate(cells) if cell.cell_type == "markdown" and "# Recap" in cell.source]
    assert places, "no heading 'Recap'"
    drawn = [c for c in cells[places[-1] :] if c.cell_type == "code" and "attn.plot_pipeline(" in c.source]
    assert drawn, "no attn.plot_pipeline( after 'Recap'"


# --- code and outputs -----------------------------------------------------------------------------------


@every_notebook
def test_tidy(path):
    assert refresh.check(path) == "tidy"


@every_notebook
def test_every_cell_was_run_in_order_without_error(path):
    cells = course.code_cells(course.read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        errors = [output.ename for output in cell.outputs if output.output_type == "error"]
        if "raises-exception" in cell.metadata.get("tags", []):
            assert errors, f"cell {cell.id}: tagged raises-exception, no error stored"
        else:
            assert not errors, f"cell {cell.id}: stored error {errors}"


@every_notebook
def test_cells_are_short(path):
    lengths = {
        cell.id: sum(bool(line.strip()) for line in cell.source.splitlines())
        for cell in course.code_cells(course.read(path))
        if cell.id != "setup"
    }
    too_long = {cell: lines for cell, lines in lengths.items() if lines > 20}
    assert not too_long, f"more than 20 lines: {too_long}"
    assert statistics.median(lengths.values()) <= 5


@every_notebook
def test_imports_only_what_every_learner_has(path):
    notebook = course.read(path)
    sources = {cell.id: cell.source for cell in course.code_cells(notebook)}
    sources |= {exercise.title: course.solution(exercise) for exercise in course.exercises(notebook)}
    for where, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            strange = {full.split(".")[0] for full in names} - ALLOWED_IMPORTS
            assert not strange, f"{where} imports {sorted(strange)}"


@every_notebook
def test_every_picture_has_alternative_text(path):
    for cell, output in course.outputs(course.read(path)):
        data = output.get("data", {})
        bare = [mime for mime in data if mime.startswith("image/")]
        assert not bare, (
            f"cell {cell.id}: {bare} has no alternative text; end the cell with attn.show(figure, alt)"
        )
        for tag in re.findall(r"<img\b[^>]*>", data.get("text/html", "")):
            alt = re.search(r"""\balt=("[^"]*"|'[^']*')""", tag)
            assert alt and alt[1].strip("\"' "), f"cell {cell.id}: an <img> without alternative text"


# --- prose ----------------------------------------------------------------------------------------------


def singular(term):
    return re.sub(r"(?<!s)s$", "", term.lower().strip(" .:,"))


@every_notebook
def test_terms_in_bold_are_in_the_glossary(path):
    """Bold small letters mark the place where a term is defined; emphasis is *italic*."""
    start = course.markdown(course.read(course.ROOT / "notebooks" / course.CORE[0]))
    assert re.search(r"(?m)^#+ Glossary", start), "00_start_here has no heading 'Glossary'"
    known = {singular(term) for term in re.findall(r"\*\*(.+?)\*\*", re.split(r"(?m)^#+ Glossary", start)[1])}
    text = course.without_code(course.markdown(course.read(path)))
    bold = {term for term in re.findall(r"\*\*([a-z][\w\s'’-]+?)\*\*", text) if len(term.split()) <= 4}
    missing = {term for term in bold if singular(term) not in known}
    assert not missing, f"in bold but not in the glossary: {sorted(missing)} (for emphasis use *italics*)"


def quoted_numbers(text):
    """Decimals of three or more significant digits in prose: not in code, formulas, links or versions."""
    text = course.without_code(text)
    text = re.sub(
        r"\$\$.*?\$\$|\$[^$\n]+\$|`[^`]+`|\]\([^)]*\)|<[^>]+>|https?://\S+|arXiv:\S+", " ", text, flags=re.S
    )
    numbers = re.findall(r"(?<![\w.])\d*\.\d+(?![\w]|\.\d)", text)
    return {number for number in numbers if len(number.replace(".", "").lstrip("0")) >= 3}


def shown_numbers(notebook):
    shown = [cell.source for cell in course.code_cells(notebook)]
    for _, output in course.outputs(notebook):
        text = course.output_text(output)
        shown += [
            re.sub(r"<[^>]+>", " ", text),
            *re.findall(r'\balt="([^"]*)"', text),
        ]  # no coordinates of SVG
    found = re.findall(r"\d*\.\d+(?:e[-+]?\d+)?|\d+(?:e[-+]?\d+)?\.?", "\n".join(shown).replace(",", ""))
    return [float(number) for number in found]


@every_notebook
def test_numbers_in_the_text_are_shown_by_a_cell(path):
    notebook = course.read(path)
    shown = shown_numbers(notebook)
    stale = []
    for number in sorted(quoted_numbers(course.markdown(notebook))):
        digits = len(number.split(".")[1])
        near = any(
            math.isclose(value, float(number), rel_tol=0, abs_tol=0.5001 * 10**-digits) for value in shown
        )
        if not near:
            stale.append(number)
    assert not stale, f"quoted in the text, shown by no cell: {stale}"
