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
    setup = course.code_cells(notebook)[0]
    assert setup.id == "setup", "the setup cell is the first code cell"
    assert notebook.cells[notebook.cells.index(setup) - 1].id == "setup-line"


@every_lesson
def test_navigation_leads_to_the_neighbours(path, notebook):
    lines = header(notebook).splitlines()
    [line] = [line for line in lines if "←" in line or "→" in line]
    led_to = re.findall(r"\]\((\d\d_\w+\.ipynb)(?:#\w+)?\)", line)
    place = course.NOTEBOOKS.index(path)
    around = course.NOTEBOOKS[max(0, place - 1) : place + 2]
    wanted = {START, *around} - {path}
    assert set(led_to) == {each.name for each in wanted}


@every_lesson
def test_says_needs_and_aims(path, notebook):
    text = header(notebook)
    assert "You need" in text
    if path != START:
        _, _, told = text.partition("You will be able to")
        aims = re.findall(r"(?m)^\s*(?:[-*]|\d\.) ", told)
        assert 3 <= len(aims) <= 4, "'You will be able to' and a list of 3 or 4"


@every_lesson
def test_predictions_are_settled_by_the_next_cell_whose_output_is_folded(path, notebook):
    asked = dict(course.predictions(notebook))
    own = [place for place in asked if course.section(notebook, place) != "Warm-up"]
    least = 2 if path == START else 3
    assert len(own) >= least, f"{len(own)} predictions, must be {least} or more"
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    for place in own:
        below = next(i for i in code if i > place and i not in asked)
        settles = notebook.cells[below]
        told = f"{settles.id} settles {asked[place]}"
        assert "answer" in settles.metadata.get("tags", []), f"{told}: tag it 'answer'"
        assert settles.outputs, f"{told}, but shows nothing"


@every_lesson
def test_warms_up_with_one_or_two_questions_of_earlier_lessons(path, notebook):
    places = [place for place, _ in course.predictions(notebook)]
    sections = [course.section(notebook, place) for place in places]
    asked = sections.count("Warm-up")
    wanted = [0] if path in course.NOTEBOOKS[:2] else [1, 2]
    assert asked in wanted, f"{asked} check.predict(…) under '## Warm-up', must be in {wanted}"


@every_lesson
def test_no_text_gives_an_answer_away_by_its_letter(notebook):
    text = reading.FOLD.sub(" ", course.markdown(notebook.cells))
    letters = re.findall(r"[^\n]*\([A-D]\)[^\n]*|[^\n]*\*\*Predict[^\n]*", text)
    assert not letters, f"options belong in questions.md, and check.predict says which is right: {letters}"


@every_lesson
def test_explorer_comes_with_things_to_try_answered_in_folds(notebook):
    shown = [cell for cell in course.code_cells(notebook) if "attn.explore_" in cell.source]
    assert shown, "no attn.explore_…()"
    for cell in shown:
        place = notebook.cells.index(cell)
        after = notebook.cells[place + 1 :]
        below = itertools.takewhile(lambda cell: cell.cell_type == "markdown", after)
        text = course.markdown(below)
        folds = len(re.findall(r"<details>\s*<summary>", text))
        assert 2 <= folds <= 3, f"cell {cell.id}: {folds} folds below it, must be 2 or 3"


@every_lesson
def test_exercises_are_numbered_have_hints_and_time_for_wrong_tries(path, notebook):
    found = course.exercises(notebook)
    most = 3 * len(reading.evenings(notebook)) + 2
    assert 2 <= len(found) <= most, f"{len(found)}: must be 2 or 3 an evening, and at most 2 in the extras"
    assert sum(exercise.is_transfer for exercise in found) == (path != START), "### Exercise 3, transfer: …"
    for number, exercise in enumerate(found, 1):
        title = exercise.title
        assert title.startswith(f"Exercise {number}"), f"{title}: exercises are numbered from 1"
        calls = re.search(r"\bcheck\.\w+\(", exercise.check.source)
        assert calls, f"{title}: the check calls no checker"
        hints = re.findall(r"<summary>\s*Hint", exercise.answer.source)
        assert 1 <= len(hints) <= 3, f"{title}: {len(hints)} hints, must be 1 to 3"
        is_written = course.is_open(exercise) and exercise.stub.source.startswith("def ")
        assert exercise.minutes >= 6 or not is_written, f"{title}: allow 6 minutes or more"


def checked_name(exercise):
    """The name that check.progress knows: of the function checked, the checker, or the question explained."""
    checker, argument = re.findall(r"""\bcheck\.(\w+)\(["']?([\w-]*)""", exercise.check.source)[-1]
    named = checker == "explain" or f"def {argument}(" in exercise.stub.source
    return argument if named else checker


@every_lesson
def test_no_cell_overwrites_what_the_reader_wrote(notebook):
    exercises = course.exercises(notebook)
    written = set(map(checked_name, exercises))
    stubs = [exercise.stub.id for exercise in exercises]
    for cell in course.code_cells(notebook):
        if cell.id not in stubs:
            nodes = ast.walk(ast.parse(cell.source))
            names = {node.id for node in nodes if is_set(node)}
            assert not names & written, f"{cell.id} sets {names & written}"


def is_set(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


@every_lesson
def test_progress_is_shown_after_the_exercises_by_name(notebook):
    core, _ = reading.split(notebook)  # the extras come after it
    code = [cell for cell in core if cell.cell_type == "code"]
    sources = [cell.source for cell in code if "own" not in cell.metadata.get("tags", [])]
    [shown] = [source for source in sources if "check.progress(" in source]
    place = sources.index(shown)
    below = sources[place + 1 :]
    may = re.compile(r"plot_pipeline\(|mine\.page\(")
    assert all(map(may.search, below)), "below check.progress(…) are only the recap's pipeline and one's page"
    exercises = reading.core_exercises(notebook)
    last = exercises[-1].check.source
    assert sources[place - 1] == last, "check.progress(…) follows the last exercise"
    wanted = list(dict.fromkeys(map(checked_name, exercises)))
    assert re.findall(r"""["']([\w-]+)["']""", shown) == wanted


@every_lesson
def test_recap_lights_its_step(notebook):
    sources = [cell.source for cell in notebook.cells]
    _, heading, recap = "\n".join(sources).rpartition("# Recap")
    assert heading
    assert "attn.plot_pipeline(" in recap
