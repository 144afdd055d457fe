"""The frame that every lesson has: header, setup, predictions, explorer, exercises, progress, recap."""

import ast
import itertools
import re

import course
import reading
from course import every_lesson

START = course.NOTEBOOKS[0]  # a first screen and a map: no aims, fewer predictions, no transfer


def header(notebook):
    """The text above the setup cell."""
    above = itertools.takewhile(lambda cell: cell.id != "setup", notebook.cells)
    return course.markdown(above)


def test_the_map_lists_every_lesson():
    start, *others = course.NOTEBOOKS
    table = course.markdown(course.read(start).cells).partition("## Map")[2]
    assert [path.name for path in others if f"]({path.name})" not in table] == []


@every_lesson
def test_opens_with_title_and_setup_cell(notebook):
    assert notebook.cells[0].source.startswith("# "), "the first cell must start with the title, '# …'"
    assert course.code_cells(notebook)[0].id == "setup", "the setup cell is the first code cell"


@every_lesson
def test_navigation_leads_to_the_neighbours(path, notebook):
    [line] = [line for line in header(notebook).splitlines() if "←" in line or "→" in line]
    place = course.NOTEBOOKS.index(path)
    wanted = {START, *course.NOTEBOOKS[max(0, place - 1) : place + 2]} - {path}
    assert set(re.findall(r"\]\((\d\d_\w+\.ipynb)(?:#\w+)?\)", line)) == {each.name for each in wanted}


@every_lesson
def test_says_needs_and_aims(path, notebook):
    text = header(notebook)
    assert "You need" in text
    if path != START:
        aims = re.findall(r"(?m)^\s*(?:[-*]|\d\.) ", text.partition("You will be able to")[2])
        assert 3 <= len(aims) <= 4, "'You will be able to' and a list of 3 or 4"


@every_lesson
def test_predictions_are_settled_by_the_next_cell_whose_output_is_folded(path, notebook):
    asked = course.predictions(notebook)
    own = [(place, slug) for place, slug in asked if course.section(notebook, place) != "Warm-up"]
    least = 2 if path == START else 3
    assert len(own) >= least, f"{len(own)} predictions, must be {least} or more"
    for place, slug in own:
        below = [cell for i, cell in enumerate(notebook.cells) if i > place and i not in dict(asked)]
        settles = next(cell for cell in below if cell.cell_type == "code")
        assert "answer" in settles.metadata.get("tags", []), f"{settles.id} settles {slug}: tag it 'answer'"
        assert settles.outputs, f"{settles.id} settles {slug}, but shows nothing"


@every_lesson
def test_warms_up_with_one_or_two_questions_of_earlier_lessons(path, notebook):
    places = [place for place, _ in course.predictions(notebook)]
    asked = [place for place in places if course.section(notebook, place) == "Warm-up"]
    wanted = [0] if path in course.NOTEBOOKS[:2] else [1, 2]
    assert len(asked) in wanted, f"{len(asked)} check.predict(…) under '## Warm-up', must be in {wanted}"


@every_lesson
def test_no_text_gives_an_answer_away_by_its_letter(notebook):
    text = reading.FOLD.sub(" ", course.markdown(notebook.cells))
    letters = re.findall(r"[^\n]*\([A-D]\)[^\n]*|[^\n]*\*\*Predict[^\n]*", text)
    assert not letters, f"options belong in questions.md, and check.predict says which is right: {letters}"


@every_lesson
def test_explorer_comes_with_things_to_try_answered_in_folds(notebook):
    cells = notebook.cells
    shown = [i for i, cell in enumerate(cells) if cell.cell_type == "code" and "attn.explore_" in cell.source]
    assert shown, "no attn.explore_…()"
    for place in shown:
        below = itertools.takewhile(lambda cell: cell.cell_type == "markdown", cells[place + 1 :])
        folds = len(re.findall(r"<details>\s*<summary>", course.markdown(below)))
        assert 2 <= folds <= 3, f"cell {cells[place].id}: {folds} folds below it, must be 2 or 3"


@every_lesson
def test_exercises_are_numbered_have_hints_and_time_for_wrong_tries(path, notebook):
    found = course.exercises(notebook)
    most = 3 * len(reading.evenings(notebook)) + 2
    assert 2 <= len(found) <= most, f"{len(found)}: must be 2 or 3 an evening, and at most 2 in the extras"
    assert sum(exercise.is_transfer for exercise in found) == (path != START), "### Exercise 3, transfer: …"
    for number, exercise in enumerate(found, 1):
        title = exercise.title
        assert title.startswith(f"Exercise {number}"), f"{title}: exercises are numbered from 1"
        assert re.search(r"\bcheck\.\w+\(", exercise.check.source), f"{title}: the check calls no checker"
        hints = len(re.findall(r"<summary>\s*Hint", exercise.answer.source))
        assert 1 <= hints <= 3, f"{title}: {hints} hints, must be 1 to 3"
        is_written = course.is_open(exercise) and exercise.stub.source.startswith("def ")
        assert exercise.minutes >= 6 or not is_written, f"{title}: allow 6 minutes or more"


def checked_name(exercise):
    """The name that check.progress knows: of the function checked, the checker, or the question explained."""
    checker, argument = re.findall(r"""\bcheck\.(\w+)\(["']?([\w-]*)""", exercise.check.source)[-1]
    named = checker == "explain" or f"def {argument}(" in exercise.stub.source
    return argument if named else checker


@every_lesson
def test_no_cell_overwrites_what_the_reader_wrote(notebook):
    written = {exercise.stub.id: checked_name(exercise) for exercise in course.exercises(notebook)}
    for cell in course.code_cells(notebook):
        names = {node.id for node in ast.walk(ast.parse(cell.source)) if is_set(node)}
        assert cell.id in written or names.isdisjoint(written.values()), f"{cell.id} sets {names}"


def is_set(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


@every_lesson
def test_progress_is_shown_after_the_exercises_by_name(notebook):
    core, _ = reading.split(notebook)  # the extras come after it
    cells = [cell for cell in core if cell.cell_type == "code" and "own" not in cell.metadata.get("tags", [])]
    sources = [cell.source for cell in cells]
    [shown] = [place for place, source in enumerate(sources) if "check.progress(" in source]
    below = [each for each in sources[shown + 1 :] if not re.search(r"plot_pipeline\(|mine\.page\(", each)]
    assert not below, "nothing runs below check.progress(…) but the recap's pipeline and a page of one's own"
    exercises = reading.core_exercises(notebook)
    assert sources[shown - 1] == exercises[-1].check.source, "check.progress(…) follows the last exercise"
    wanted = list(dict.fromkeys(map(checked_name, exercises)))
    assert re.findall(r"""["']([\w-]+)["']""", sources[shown]) == wanted


@every_lesson
def test_recap_lights_its_step(notebook):
    sources = [cell.source for cell in notebook.cells]
    recap = max(place for place, source in enumerate(sources) if "# Recap" in source)
    assert any("attn.plot_pipeline(" in source for source in sources[recap:])
