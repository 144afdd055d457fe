"""What a student finds when they open the course's link on a hub again, after the teacher has corrected something."""

import ast
import copy
import os
import sys
import time

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corrections
from course import ROOT
from stand_in import git

LESSON = "notebooks/lesson.ipynb"
STUB = "def softmax(x):\n    ..."


def lesson(**changed):
    """A lesson of four cells; a source of None leaves the cell out."""
    sources = {"title": "# Softmax", "text": "## By hand", "stub": STUB, "check": "check.softmax(softmax)"}
    cells = []
    for name, source in (sources | changed).items():
        make = nbformat.v4.new_markdown_cell if name in ("title", "text") else nbformat.v4.new_code_cell
        cells += [make(source, id=name)] if source is not None else []
    return nbformat.v4.new_notebook(cells=cells)


class Class:
    """A teacher and one student with a copy."""

    def __init__(self, folder):
        self.tree, self.bare, self.copy = folder / "teacher", folder / "bare", folder / "student" / "course"
        self.copy.parent.mkdir(parents=True)
        self.tree.mkdir()
        git(self.tree, "init", "-q", "-b", "main")
        git(folder, "init", "-q", "--bare", "-b", "main", "bare")
        self.publish({LESSON: lesson(), "data.csv": "1\n", "notebooks/later.ipynb": lesson()})
        self.open_link()

    def publish(self, files):
        for name, content in files.items():
            write(self.tree / name, content)
        git(self.tree, "add", "-A")
        git(self.tree, "commit", "-q", "-m", "published")
        git(self.tree, "push", "-q", "--force", str(self.bare), "main")

    def open_link(self, puller=corrections.CoursePuller):
        return "".join(puller(self.bare.as_uri(), str(self.copy), branch="main").pull())

    def has(self, path=LESSON):
        """The sources of the student's notebook, by cell."""
        cells = nbformat.read(self.copy / path, as_version=4).cells
        return {cell.id: cell.source for cell in cells}

    def files(self):
        return {path.relative_to(self.copy).as_posix() for path in self.copy.rglob("*") if path.is_file()} - {
            path.relative_to(self.copy).as_posix() for path in (self.copy / ".git").rglob("*")
        }


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else nbformat.writes(content)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def group(tmp_path):
    return Class(tmp_path)


def test_a_lesson_not_begun_becomes_the_corrected_one(group):
    group.publish({LESSON: lesson(text="## By hand, mended")})
    assert f"{LESSON}: was corrected" in group.open_link()
    assert (group.copy / LESSON).read_bytes() == (group.tree / LESSON).read_bytes()
    assert f"- {LESSON}: was corrected" in (group.copy / "CORRECTIONS.md").read_text()


def test_an_answer_stays_and_what_is_around_it_is_corrected(group):
    write(group.copy / LESSON, lesson(stub="def softmax(x):\n    return mine"))
    group.publish({LESSON: lesson(text="## By hand, mended", check=None, hint="attn.hint()")})
    group.open_link()
    has = group.has()
    assert has.pop("corrections").startswith("**Corrected on ")
    assert has == {
        "title": "# Softmax",
        "text": "## By hand, mended",
        "stub": "def softmax(x):\n    return mine",
        "hint": "attn.hint()",
    }


def test_a_corrected_cell_that_was_answered_is_shown_below_and_cannot_run(group):
    write(group.copy / LESSON, lesson(stub="def softmax(x):\n    return mine"))
    for number in (1, 2):
        group.publish({LESSON: lesson(stub=f"{STUB}  # mended {number}")})
        said = group.open_link()
        assert f"{LESSON}: By hand: a cell was corrected that you have changed" in said
        cells = nbformat.read(group.copy / LESSON, as_version=4).cells
        assert [cell.id for cell in cells] == [
            "title", "corrections", "text", "stub", "stub-corrected", "check",
        ]  # fmt: skip
        assert cells[3].source == "def softmax(x):\n    return mine"
        assert cells[4].cell_type == "markdown" and f"mended {number}" in cells[4].source
    assert cells[1].source.count("By hand: a cell was corrected") == 2


def test_what_is_written_into_a_note_stays_too(group):
    write(group.copy / LESSON, lesson(stub="mine"))
    for number in (1, 2):
        group.publish({LESSON: lesson(stub=f"{STUB}  # mended {number}")})
        group.open_link()
        notebook = nbformat.read(group.copy / LESSON, as_version=4)
        for cell in notebook.cells:
            if "orrected" in cell.source:
                cell.source = cell.source + f"\n\nmy remark {number}"
        write(group.copy / LESSON, notebook)
    sources = "".join(cell.source for cell in notebook.cells)
    assert sources.count("my remark 1") == 2 and "mended 2" in group.has()["stub-corrected"]


def test_a_students_own_outputs_and_order_stay(group):
    mine = lesson()
    mine.cells[3].outputs = [nbformat.v4.new_output("stream", text="softmax: passed.")]
    mine.cells.insert(1, mine.cells.pop(2))
    write(group.copy / LESSON, mine)
    mended = lesson(text="## By hand, mended")
    mended.cells[3].outputs = [nbformat.v4.new_output("stream", text="not attempted, mended")]
    group.publish({LESSON: mended})
    assert "By hand, mended: a stored output is new; yours stays until you run the cell again." in (
        group.open_link()
    )
    assert list(group.has()) == ["title", "corrections", "stub", "text", "check"]
    assert nbformat.read(group.copy / LESSON, as_version=4).cells[-1].outputs[0].text == "softmax: passed."


@pytest.mark.parametrize("mine", ["", "[]", "{", '{"cells": {}}', '{"cells": [1], "nbformat": 4}'])
def test_what_is_no_notebook_any_more_stays_and_the_corrected_one_is_put_beside_it(group, mine):
    write(group.copy / LESSON, mine)
    group.publish({LESSON: lesson(text="mended")})
    group.open_link()
    assert (group.copy / LESSON).read_text() == mine
    beside = [name for name in group.files() if name.startswith("notebooks/lesson (corrected ")]
    assert [group.has(name)["text"] for name in beside] == ["mended"]


def test_of_a_changed_data_file_there_are_all(group):
    write(group.copy / "data.csv", "mine\n")
    for number in "23":
        group.publish({"data.csv": f"{number}\n"})
        group.open_link()
    found = {(group.copy / name).read_text() for name in group.files() if name.startswith("data")}
    assert found == {"mine\n", "2\n", "3\n"}


def test_a_file_where_a_new_one_belongs_is_kept_under_another_name(group):
    write(group.copy / "notebooks/new.ipynb", "mine")
    write(group.copy / "pictures", "a file where a folder belongs")
    group.publish({"notebooks/new.ipynb": lesson(), "pictures/one.svg": "<svg/>"})
    group.open_link()
    kept = {(group.copy / name).read_text() for name in group.files() if "(yours " in name}
    assert kept == {"mine", "a file where a folder belongs"}
    assert "stub" in group.has("notebooks/new.ipynb") and (group.copy / "pictures/one.svg").is_file()


def test_an_answer_follows_a_renamed_lesson(group):
    write(group.copy / LESSON, lesson(stub="mine"))
    git(group.tree, "mv", LESSON, "notebooks/renamed.ipynb")
    group.publish({"notebooks/renamed.ipynb": lesson(text="mended")})
    assert f"{LESSON}: is now notebooks/renamed.ipynb" in group.open_link()
    has = group.has("notebooks/renamed.ipynb")
    assert (has["stub"], has["text"]) == ("mine", "mended") and LESSON not in group.files()


def test_a_lesson_taken_out_goes_but_not_with_an_answer_in_it(group):
    write(group.copy / LESSON, lesson(stub="mine"))
    git(group.tree, "rm", "-q", LESSON, "notebooks/later.ipynb")
    group.publish({})
    group.open_link()
    assert group.has()["stub"] == "mine" and "notebooks/later.ipynb" not in group.files()


def test_a_deleted_lesson_comes_back(group):
    (group.copy / LESSON).unlink()
    assert f"{LESSON}: is here again" in group.open_link()
    assert group.has()["stub"] == STUB


def test_nothing_new_says_nothing(group):
    write(group.copy / LESSON, lesson(stub="mine"))
    before = (group.copy / LESSON).read_bytes()
    group.open_link()
    assert (group.copy / LESSON).read_bytes() == before and "CORRECTIONS.md" not in group.files()


def test_no_state_of_the_students_repository_is_in_the_way(group):
    """A commit of their own, a history begun anew, locks left over, a merge half done, no repository at all."""
    write(group.copy / LESSON, lesson(stub="mine"))
    git(group.copy, "commit", "-q", "-a", "-m", "mine")
    git(group.tree, "checkout", "-q", "--orphan", "anew")
    git(group.tree, "branch", "-q", "-M", "main")
    for number, lock in enumerate(("index.lock", "shallow.lock", "refs/course/delivered.lock", "MERGE_HEAD")):
        lock = group.copy / ".git" / lock
        lock.write_text("")
        os.utime(lock, (time.time() - 100,) * 2)
        group.publish({LESSON: lesson(text=f"mended {number}")})
        group.open_link()
        assert (group.has()["stub"], group.has()["text"]) == ("mine", f"mended {number}")
    (group.copy / ".git").rename(group.copy.parent / "away")
    group.open_link()
    assert "mine" in {group.has(name)["stub"] for name in group.files() if "lesson (yours" in name}


def test_a_copy_that_nbgitpuller_alone_has_made_and_merged(tmp_path):
    plain = corrections.GitPuller
    group = Class(tmp_path)
    git(group.copy, "update-ref", "-d", corrections.DELIVERED)
    write(group.copy / LESSON, lesson(stub="mine"))
    group.publish({"data.csv": "2\n"})
    group.open_link(plain)  # commits the answer and merges
    group.publish({LESSON: lesson(stub=f"{STUB}  # mended")})
    group.open_link()
    assert group.has()["stub"] == "mine" and "# mended" in group.has()["stub-corrected"]


def changed(draw, notebook, who):
    """The lesson as somebody leaves it: cells moved, written into, run, taken out, added."""
    cells = copy.deepcopy(draw(st.permutations(notebook.cells)))
    for number, cell in enumerate(list(cells)):
        what = draw(st.sampled_from(["nothing", "write", "run", "take out", "add"]))
        if what == "write":
            cell.source += f"\n# {who} {number}"
        elif what == "run" and cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text=f"{who} {number}")]
        elif what == "take out":
            cells.remove(cell)
        elif what == "add":
            cells.append(nbformat.v4.new_code_cell(f"# {who} {number}", id=f"{who}-{number}"))
    return nbformat.v4.new_notebook(cells=cells)


@given(st.data())
@settings(max_examples=60, derandomize=True, deadline=None)
def test_whatever_both_have_done_no_answer_is_lost_and_no_correction_unseen(data):
    """Twice, since the notes of the first correction are there when the second comes."""
    base = mine = lesson()
    for time_of_year in ("autumn", "spring"):
        new = changed(data.draw, base, f"teacher-{time_of_year}")
        mine = changed(data.draw, mine, f"student-{time_of_year}")
        typed = [cell.source for cell in mine.cells if "student" in cell.source]
        try:
            told = " ".join(corrections.merge(base, mine, new, time_of_year))
        except ValueError:  # too few cells are left: then there are two files, as tested above
            return
        nbformat.validate(mine)
        shown = "\n\n".join(cell.source for cell in mine.cells)
        assert all(source in shown for source in typed)
        before = {cell.id: cell.source for cell in base.cells}
        assert all(cell.source in shown for cell in new.cells if cell.source != before.get(cell.id))
        gone = before.keys() - {cell.id for cell in new.cells}
        assert not gone & {cell.id for cell in mine.cells} or "you have changed it, so yours stays" in told
        base = new


def test_the_file_is_whole_by_itself():
    """It is copied alone to /etc/jupyter: it imports nothing of the course."""
    tree = ast.parse((ROOT / "tools/hub/corrections.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {(getattr(node, "module", None) or node.names[0].name).partition(".")[0] for node in imports}
    assert names - sys.stdlib_module_names == {"nbformat", "nbgitpuller"}
