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
    ids = [cell.get("id") for cell in notebook.cells]
    assert "setup" in ids, "there is no code cell with the id setup: begin with a copy of a lesson"
    place = ids.index("setup")
    return "\n\n".join(cell.source for cell in notebook.cells[:place])


def test_the_map_lists_every_lesson():
    start, *others = course.NOTEBOOKS
    table = course.markdown(course.read(start).cells).partition("## Map")[2]
    assert [path.name for path in others if f"]({path.name})" not in table] == []


@every_lesson
def test_opens_with_title_and_folded_setup_cell(notebook):
    assert notebook.cells[0].source.startswith("# "), "the first cell must start with the title, '# …'"
    ids = [cell.get("id") for cell in notebook.cells]
    assert len(set(ids)) == len(ids), "cell ids must differ from one another"
    assert course.code_cells(notebook)[0].id == "setup", "the setup cell is the first code cell"


@every_lesson
def test_navigation_leads_to_the_neighbours(path, notebook):
    lines = [line for line in header(notebook).splitlines() if "←" in line or "→" in line]
    assert len(lines) == 1, "one line '← previous · map · next →' above the setup cell"
    linked = re.findall(r"\]\((\d\d_\w+\.ipynb)(?:#\w+)?\)", lines[0])
    place = course.NOTEBOOKS.index(path)
    neighbours = {each.name for each in course.NOTEBOOKS[max(0, place - 1) : place + 2]}
    wanted = (neighbours | {START.name}) - {path.name}
    assert set(linked) == wanted, f"navigation links {linked}, must link {sorted(wanted)}"


@every_lesson
def test_says_needs_and_aims(path, notebook):
    text = header(notebook)
    assert "You need" in text
    if path == START:
        return
    aims = re.search(r"You will be able to.*?\n((?:\s*\n|\s*(?:[-*]|\d\.) .*\n?(?: {2,}\S.*\n?)*)+)", text)
    assert aims, "'You will be able to' and a list"
    items = re.findall(r"(?m)^\s*(?:[-*]|\d\.) ", aims[1])
    assert 3 <= len(items) <= 4, f"{len(items)} aims, must be 3 or 4"


@every_lesson
def test_predictions_are_settled_by_the_next_cell_whose_output_is_folded(path, notebook):
    asked = course.predictions(notebook)
    own = [(place, slug) for place, slug in asked if course.section(notebook, place) != "Warm-up"]
    least = 2 if path == START else 3
    assert len(own) >= least, f"{len(own)} predictions, must be {least} or more"
    asking = {place for place, _ in asked}
    for place, slug in own:
        rest = [cell for i, cell in enumerate(notebook.cells) if i > place and i not in asking]
        below = [cell for cell in rest if cell.cell_type == "code"]
        assert below, f"{slug}: no code cell below settles it"
        tags = below[0].metadata.get("tags", [])
        settles = f"cell {below[0].id} settles {slug}"
        assert "answer" in tags, f"{settles}: tag it 'answer'"
        assert below[0].outputs, f"{settles}, but shows nothing"


@every_lesson
def test_warms_up_with_one_or_two_questions_of_earlier_lessons(path, notebook):
    places = [place for place, _ in course.predictions(notebook)]
    asked = [place for place in places if course.section(notebook, place) == "Warm-up"]
    if path in course.NOTEBOOKS[:2]:
        assert not asked, "nothing to warm up before lesson 02"
    else:
        assert 1 <= len(asked) <= 2, f"{len(asked)} check.predict(…) under '## Warm-up', must be 1 or 2"


@every_lesson
def test_no_text_gives_an_answer_away_by_its_letter(notebook):
    text = re.sub(r"(?s)<details>.*?</details>", " ", course.markdown(notebook.cells))
    letters = re.findall(r"[^\n]*\([A-D]\)[^\n]*|[^\n]*\*\*Predict[^\n]*", text)
    assert not letters, f"options belong in questions.md, and check.predict says which is right: {letters}"


@every_lesson
def test_explorer_comes_with_things_to_try_answered_in_folds(notebook):
    cells = notebook.cells
    code = [place for place, cell in enumerate(cells) if cell.cell_type == "code"]
    shown = [place for place in code if "attn.explore_" in cells[place].source]
    assert shown, "no attn.explore_…()"
    for place in shown:
        below = itertools.takewhile(lambda cell: cell.cell_type == "markdown", cells[place + 1 :])
        folds = re.findall(r"<details>\s*<summary>", "\n".join(cell.source for cell in below))
        assert 2 <= len(folds) <= 3, f"cell {cells[place].id}: {len(folds)} folds below it, must be 2 or 3"


@every_lesson
def test_exercises_have_their_four_cells(notebook):
    found = course.exercises(notebook)
    most = 3 * len(reading.evenings(notebook)) + 2
    assert 2 <= len(found) <= most, (
        f"{len(found)} exercises, must be 2 or 3 an evening, and at most 2 in the extras"
    )
    for number, exercise in enumerate(found, 1):
        title = exercise.title
        assert title.startswith(f"Exercise {number}"), f"{title}: exercises are numbered from 1"
        stub_check_answer = ["code", "code", "markdown"]
        assert exercise.kinds[-3:] == stub_check_answer, f"{title}: must be stub, check, hints and solution"
        checks = re.search(r"\bcheck\.\w+\(", exercise.check.source)
        assert checks, f"{title}: the check cell calls no checker"
        hints = re.findall(r"<summary>\s*Hint", exercise.answer.source)
        assert 1 <= len(hints) <= 3, f"{title}: {len(hints)} hints, must be 1 to 3"
        ast.parse(course.solution(exercise))


@every_lesson
def test_every_exercise_states_minutes_that_allow_for_wrong_tries(notebook):
    for exercise in course.exercises(notebook):
        least = 6 if course.is_open(exercise) and exercise.stub.source.startswith("def ") else 1
        assert (exercise.minutes or 0) >= least, f"{exercise.title}: end it with '(8 minutes)'"


@every_lesson
def test_one_exercise_is_a_transfer(path, notebook):
    transfer = [exercise.title for exercise in course.exercises(notebook) if exercise.is_transfer]
    wanted = 0 if path == START else 1
    assert len(transfer) == wanted, f"{wanted} '### Exercise 3, transfer: …', found {transfer}"


def checked_name(exercise):
    """The name that check.progress knows: of the function checked, else of the checker, or of the question explained."""
    checker, argument = re.findall(r"""\bcheck\.(\w+)\(["']?([\w-]*)""", exercise.check.source)[-1]
    named = checker == "explain" or f"def {argument}(" in exercise.stub.source
    return argument if named else checker


@every_lesson
def test_no_cell_overwrites_what_the_reader_wrote(notebook):
    written = {exercise.stub.id: checked_name(exercise) for exercise in course.exercises(notebook)}
    for cell in course.code_cells(notebook):
        names = {each.id for each in ast.walk(ast.parse(cell.source)) if is_set(each)}
        assert cell.id in written or names.isdisjoint(written.values()), f"{cell.id} sets {names}"


def is_set(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


@every_lesson
def test_progress_is_shown_after_the_exercises_by_name(notebook):
    notebook.cells, _ = reading.split(notebook)  # the extras come after it
    cells = [cell for cell in course.code_cells(notebook) if "own" not in cell.metadata.get("tags", [])]
    sources = [cell.source for cell in cells]
    shown = [place for place, source in enumerate(sources) if "check.progress(" in source]
    assert len(shown) == 1, "one cell check.progress(…)"
    below = [each for each in sources[shown[0] + 1 :] if not re.search(r"plot_pipeline\(|mine\.page\(", each)]
    assert not below, "nothing runs below check.progress(…) but the recap's pipeline and a page of one's own"
    exercises = course.exercises(notebook)
    assert sources[shown[0] - 1] == exercises[-1].check.source, "check.progress(…) follows the last exercise"
    wanted = list(dict.fromkeys(map(checked_name, exercises)))
    named = re.findall(r"""["']([\w-]+)["']""", sources[shown[0]])
    assert named == wanted, f"check.progress(…) names {named}, the exercises are {wanted}"


@every_lesson
def test_recap_lights_its_step(notebook):
    cells = notebook.cells
    places = [i for i, cell in enumerate(cells) if cell.cell_type == "markdown" and "# Recap" in cell.source]
    assert places, "no heading 'Recap'"
    drawn = [c for c in cells[places[-1] :] if c.cell_type == "code" and "attn.plot_pipeline(" in c.source]
    assert drawn, "no attn.plot_pipeline( after 'Recap'"
