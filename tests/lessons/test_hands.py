"""Lessons that the reader writes: how much they type and read, how long it takes, and what becomes of it."""

import re

import nbformat

import course
import reading

MOST = {
    "words": 1050,
    "folded": 350,
    "given": 45,
    "exercises": 22,
    "numbers": 4.0,
    "minutes": 60,
    "first line": 5,
}
MOST_IN_00 = MOST | {"words": 800, "folded": 250, "given": 20, "minutes": 35}


@course.every_lesson
def test_a_lesson_asks_no_more_than_it_may(path, notebook):
    most = MOST_IN_00 if path == course.NOTEBOOKS[0] else MOST
    for evening in reading.evenings(notebook):  # of a project, each may ask as much as a lesson
        seen = reading.figures(evening)
        for name, limit in most.items():
            assert seen[name] <= limit, (
                f"{name}: {seen[name]:.1f}, at most {limit}; cut some, or begin an extra"
            )


@course.every_lesson
def test_the_reader_types_enough_and_something_of_their_own(path, notebook):
    seen = reading.figures(notebook)
    least = 18 if path.name[:2] == "05" else 12
    assert seen["typed"] >= least, seen
    assert seen["own"] >= 1, "tag a cell `own` in which readers put in something that nobody foresaw"


@course.every_lesson
def test_the_title_says_the_sum_of_minutes(notebook):
    text = course.markdown(notebook.cells)
    stated = re.search(r"\*\*Time:\*\* (\d+) minutes(?:.*plus (\d+))?", text)
    added = re.findall(r"(?m)^## Extra: .* \((\d+) minutes?\)$", text)
    assert int(stated[2] or 0) == sum(map(int, added)), "the minutes of all extras"
    takes = minutes(notebook)
    assert int(stated[1]) == 5 * round(takes / 5)
    _, extras = reading.split(notebook)
    for heading, (title, *cells) in extras:
        told = re.search(r"^Extra: .* \((\d+) minutes?\)$", heading)
        _, _, below = title.source.partition("\n")
        title = nbformat.NotebookNode(title, source=below)
        extra = reading.part_of(notebook, [title, *cells])
        takes = minutes(extra)
        assert told and int(told[1]) == max(1, round(takes)), f"{heading} takes {takes:.1f}"


def minutes(notebook):
    return reading.figures(notebook)["minutes"]


@course.every_lesson
def test_mannerisms_are_rare(path, notebook):
    """STYLE's sixteen patterns: below two per 1,000 words of the lesson, and of its questions."""
    folder = course.ROOT / "attn_lessons" / f"lesson{path.name[:2]}"
    lesson, *_ = course.markdown(notebook.cells).split("\n## Glossary")
    _, *questions = (folder / "questions.md").read_text("utf-8").split("\n## ")
    for text in (lesson, "\n".join(questions)):
        told = re.sub(r"(?m)^\|.*$", "", reading.prose(text, folds=True))
        hits = reading.mannerisms(told)
        assert 1000 * len(hits) < 2 * reading.words(told), hits


@course.every_lesson
def test_what_a_reader_writes_is_called_again(path, notebook):
    """Every function that an exercise of the core asks for runs below it or in a later lesson."""
    later = []
    for other in course.NOTEBOOKS:
        if other > path:
            later += course.read(other).cells
    for exercise in reading.core_exercises(notebook):
        defined = re.match(r"def (\w+)\(", exercise.stub.source)
        place = notebook.cells.index(exercise.check)
        below = [*notebook.cells[place + 1 :], *later]
        code = [cell.source for cell in below if cell.cell_type == "code"]
        if defined:
            called = re.search(rf"\bmine\.{defined[1]}\b", "\n".join(code))
            assert called, f"{defined[1]} never runs again"


@course.every_lesson
def test_printed_numbers_are_few_or_looked_through(notebook):
    """At most six in a text output of the core, unless a tag says that the reader looks through them."""
    core, _ = reading.split(notebook)
    for cell in core:
        looked_through = {"look", "answer"} & set(cell.metadata.get("tags", []))
        if cell.cell_type == "code" and not looked_through and reading.counted(cell):
            printed = "".join(output.get("text", "") for output in cell.outputs)
            numbers = re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?", printed)
            assert len(numbers) <= 6, f"{cell.id} prints {len(numbers)} numbers: draw them, or tag it `look`"
