"""A term in a class, at random: what students do to their copy of the course, and what the teacher corrects in it.

Everything that a student types, and everything that a teacher corrects, holds a word of its own, so that it can be
looked for afterwards.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil

import nbformat

from course import ROOT
from stand_in import git

LESSONS = [
    "notebooks/01_query_key_scores.ipynb",
    "notebooks/04_softmax.ipynb",
    "notebooks/05_attention_function.ipynb",
]
HELPER, DATA = "attn_helpers.py", "notebooks/data/numbers.csv"


def cells_of(path):
    """A notebook's cells as they stand in the file, [] where it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def save(path, notebook):
    """As JupyterLab saves it."""
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    path.write_text(nbformat.writes(notebook), encoding="utf-8")


class Student:
    """One student's folder; every word that they type is another one."""

    def __init__(self, folder, random):
        self.folder, self.random, self.number = folder, random, 0

    def word(self):
        self.number += 1
        return f"answer{self.number}of{self.folder.parent.name}"

    def one_cell(self, notebook, kind):
        """One of the cells of a kind, or any where there is none of it."""
        return self.random.choice(
            [cell for cell in notebook.cells if cell.cell_type == kind] or notebook.cells
        )

    def act(self):
        """Do one thing that students do; return its name."""
        action = self.random.choice(ACTIONS)
        paths = [path for path in sorted(self.folder.glob("notebooks/*.ipynb")) if cells_of(path)]
        if not paths:
            return "nothing"
        path = self.random.choice(paths)
        if action in ON_A_NOTEBOOK:
            notebook = nbformat.read(path, as_version=4)
            action(self, notebook)
            save(path, notebook)
        else:
            action(self, path)
        return action.__name__


def type_into_a_cell(student, notebook):
    cell = student.one_cell(notebook, "code")
    cell.source += f"\n# {student.word()}"


def rewrite_a_cell(student, notebook):
    student.one_cell(notebook, "code").source = f"def softmax(x):\n    return x  # {student.word()}"


def write_into_the_text(student, notebook):
    cell = student.one_cell(notebook, "markdown")
    cell.source += f"\n\nMy note: {student.word()}"


def add_a_cell(student, notebook):
    place = student.random.randrange(len(notebook.cells) + 1)
    notebook.cells.insert(place, nbformat.v4.new_code_cell(f"print('{student.word()}')"))


def delete_a_cell(student, notebook):
    if len(notebook.cells) > 1:
        del notebook.cells[student.random.randrange(len(notebook.cells))]


def move_a_cell(student, notebook):
    cell = notebook.cells.pop(student.random.randrange(len(notebook.cells)))
    notebook.cells.insert(student.random.randrange(len(notebook.cells) + 1), cell)


def copy_a_cell(student, notebook):
    cell = student.one_cell(notebook, "code")
    notebook.cells.append(nbformat.v4.new_code_cell(cell.source + f"\n# {student.word()}"))


def run_all(student, notebook):
    for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.execution_count = count
        cell.metadata["execution"] = {"iopub.status.busy": "2026-11-21T10:00:00.000000Z"}
        cell.outputs = [nbformat.v4.new_output("stream", text=f"{student.random.random()}\n")]


def only_save(student, notebook):
    pass


def rename_the_notebook(student, path):
    path.rename(path.with_name(f"mine {student.number} {path.name}"))


def copy_the_notebook(student, path):
    shutil.copy(path, path.with_name(f"{path.stem}-Copy{student.number}.ipynb"))


def delete_the_notebook(student, path):
    path.unlink()


def delete_the_folder(student, path):
    shutil.rmtree(path.parent)


def spoil_the_notebook(student, path):
    """Half of it, as after a full disk."""
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{student.word()} {text[: len(text) // 2]}", encoding="utf-8")


def change_the_helper(student, path):
    with open(student.folder / HELPER, "a") as helper:
        helper.write(f"\n# {student.word()}\n")


def change_the_data(student, path):
    if (student.folder / DATA).exists():
        with open(student.folder / DATA, "a") as data:
            data.write(f"{student.word()}\n")


def take_the_name_of_a_new_file(student, path):
    place = student.folder / "notebooks" / f"new {student.random.randrange(20)}.ipynb"
    if not place.exists():
        save(place, nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"# {student.word()}")]))


def take_the_name_of_the_folder(student, path):
    place = student.folder / "notebooks" / "data"
    if place.is_dir():
        shutil.rmtree(place)
        place.write_text(student.word(), encoding="utf-8")


def leave_a_lock(student, path):
    (student.folder / ".git" / "index.lock").touch()


def commit_something(student, path):
    if not (student.folder / ".git" / "index.lock").exists():
        git(student.folder, "add", "-A")
        git(student.folder, "commit", "-q", "--allow-empty", "-m", "mine")


def leave_a_merge(student, path):
    head = git(student.folder, "rev-parse", "HEAD")
    (student.folder / ".git" / "MERGE_HEAD").write_text(head + "\n", encoding="utf-8")


ON_A_NOTEBOOK = [
    type_into_a_cell, rewrite_a_cell, write_into_the_text, add_a_cell, delete_a_cell, move_a_cell, copy_a_cell,
    run_all, only_save,
]  # fmt: skip
ON_FILES = [
    rename_the_notebook, copy_the_notebook, delete_the_notebook, delete_the_folder, spoil_the_notebook,
    change_the_helper, change_the_data, take_the_name_of_a_new_file, take_the_name_of_the_folder, leave_a_lock,
    commit_something, leave_a_merge,
]  # fmt: skip
ACTIONS = ON_A_NOTEBOOK * 3 + ON_FILES  # most of what students do, they do in a notebook


class Teacher:
    """The course, published in a bare repository; `published`: what a student must meet of it, by correction."""

    def __init__(self, folder, random):
        self.tree, self.bare, self.random, self.number, self.due = (
            folder / "tree",
            folder / "bare",
            random,
            0,
            [],
        )
        for name in [*LESSONS, HELPER]:
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.tree / name)
        (self.tree / DATA).parent.mkdir()
        (self.tree / DATA).write_text("1\n2\n", encoding="utf-8")
        git(self.tree, "init", "-q", "-b", "main")
        self.commit()
        git(folder, "clone", "-q", "--bare", "tree", "bare")

    def commit(self):
        git(self.tree, "add", "-A")
        git(self.tree, "commit", "-q", "-m", f"correction {self.number}")

    def word(self):
        return f"correction{self.number}done"

    def lessons(self):
        return sorted(self.tree.glob("notebooks/0*.ipynb"))

    def correct(self, correction=None):
        """Publish one correction; its name."""
        self.number += 1
        correction = correction or self.random.choice(CORRECTIONS)
        path = self.random.choice(self.lessons())
        if correction in IN_A_LESSON:
            notebook = nbformat.read(path, as_version=4)
            due = correction(self, notebook)
            path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        else:
            due = correction(self, path)
        self.due.append((self.number, path.relative_to(self.tree).as_posix(), *due))
        self.commit()
        git(self.tree, "push", "-q", "--force", str(self.bare), "main")
        return correction.__name__


# A correction returns what must be met afterwards: ("text", word), ("cell", id, source) or ("file", name) to be gone.
def correct_a_text(teacher, notebook):
    cell = teacher.random.choice([cell for cell in notebook.cells if cell.cell_type == "markdown"])
    cell.source += f"\n\nMended: {teacher.word()}"
    return "text", teacher.word()


def correct_code(teacher, notebook):
    cell = teacher.random.choice([cell for cell in notebook.cells if cell.cell_type == "code"])
    cell.source = f"# {teacher.word()}\n{cell.source}"
    return "text", teacher.word()


def correct_an_output(teacher, notebook):
    cell = teacher.random.choice([cell for cell in notebook.cells if cell.cell_type == "code"])
    cell.outputs = [nbformat.v4.new_output("stream", text=teacher.word())]
    return "output", teacher.word()


def bring_a_cell(teacher, notebook):
    place = teacher.random.randrange(1, len(notebook.cells))
    notebook.cells.insert(place, nbformat.v4.new_markdown_cell(teacher.word(), id=f"new-{teacher.number}"))
    return "text", teacher.word()


def take_a_cell_out(teacher, notebook):
    cell = notebook.cells.pop(teacher.random.randrange(1, len(notebook.cells)))
    return "cell", cell.id, cell.source


def bring_a_file(teacher, path):
    new = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(teacher.word(), id="only")])
    nbformat.write(new, teacher.tree / "notebooks" / f"new {teacher.number}.ipynb")
    return "text", teacher.word()


def rename_a_file(teacher, path):
    git(teacher.tree, "mv", path, path.with_name(f"{path.stem.partition(' ')[0]} {teacher.word()}.ipynb"))
    return "name", f"{path.stem.partition(' ')[0]} {teacher.word()}.ipynb"


def rename_and_correct_a_file(teacher, path):
    notebook = nbformat.read(path, as_version=4)
    correct_a_text(teacher, notebook)
    nbformat.write(notebook, path)
    rename_a_file(teacher, path)
    return "text", teacher.word()


def take_a_file_out(teacher, path):
    extra = sorted(teacher.tree.glob("notebooks/new*.ipynb"))
    if not extra:
        return bring_a_file(teacher, path)
    extra[0].unlink()
    return "file", f"notebooks/{extra[0].name}"


def correct_the_data(teacher, path):
    (teacher.tree / DATA).write_text(f"1\n2\n{teacher.word()}\n", encoding="utf-8")
    return "text", teacher.word()


def correct_the_helper(teacher, path):
    with open(teacher.tree / HELPER, "a") as helper:
        helper.write(f"\n# {teacher.word()}\n")
    return "text", teacher.word()


def push_by_force(teacher, path):
    """A correction in a history that begins anew."""
    git(teacher.tree, "checkout", "-q", "--orphan", f"anew{teacher.number}")
    correct_the_data(teacher, path)
    teacher.commit()
    git(teacher.tree, "branch", "-q", "-M", "main")
    correct_the_helper(teacher, path)
    return "text", teacher.word()


IN_A_LESSON = [correct_a_text, correct_code, correct_an_output, bring_a_cell, take_a_cell_out]
CORRECTIONS = IN_A_LESSON + [
    bring_a_file, rename_a_file, rename_and_correct_a_file, take_a_file_out, correct_the_data, correct_the_helper,
    push_by_force,
]  # fmt: skip


def files(folder):
    """Every file below a folder but git's own."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (pathlib.Path(place, name) for name in names)


def everything(folder):
    """All that stands in a folder, in one text."""
    return "\n".join(
        f"{path.name}\n{path.read_text(encoding='utf-8', errors='replace')}" for path in files(folder)
    )


def answers(folder):
    """What the student wrote: the sources of cells and the contents of other files that hold words of theirs."""
    found = set()
    for path in files(folder):
        cells = cells_of(path) if path.suffix == ".ipynb" else []
        texts = ["".join(cell["source"]) for cell in cells] or [path.read_text(encoding="utf-8")]
        found |= {text for text in texts if re.search(r"answer\d+of", text)}
    return found


def unreadable(folder):
    return [path.name for path in files(folder) if path.suffix == ".ipynb" and not cells_of(path)]


def unmet(teacher, folder, said, since):
    """The corrections after number `since` that a student neither has nor is told of."""
    published, here, missing = everything(teacher.tree), everything(folder), []
    for number, path, kind, what, *source in teacher.due:
        if number <= since:
            continue
        lines = [line for line in said if line.startswith((path, what))]
        if kind in ("text", "name", "output"):
            met = (
                what in here or what not in published or (kind == "output" and "stored output" in str(lines))
            )
        elif kind == "cell":
            cells = cells_of(folder / path)
            there = [cell["source"] for cell in cells if cell.get("id") == what]
            met = source[0] not in map("".join, there) or "taken out" in str(lines)
        else:
            met = not (folder / what).exists() or "taken out" in str(lines)
        if not met:
            missing.append((number, kind, what))
    return missing


class Term:
    """Students who open the link again after corrections; `counts` and `faults` tell how that went."""

    def __init__(self, folder, puller, students, seed=0):
        self.puller, self.random = puller, random.Random(seed)
        self.counts, self.faults = collections.Counter(), []
        self.teacher = Teacher(folder, self.random)
        self.students = []
        for number in range(students):
            (folder / f"s{number}").mkdir()
            student = Student(folder / f"s{number}" / "course", random.Random(f"{seed} {number}"))
            student.since = 0
            self.pull(student)
            self.students.append(student)

    def pull(self, student):
        address = self.teacher.bare.as_uri()
        return list(self.puller(address, str(student.folder), branch="main").pull())

    def go_on(self, corrections):
        for _ in range(corrections):
            self.counts[self.teacher.correct()] += 1
            for student in self.students:
                for _ in range(student.random.choice([0, 1, 1, 2, 4])):
                    self.counts[student.act()] += 1
                if student.random.random() < 0.85:  # the others open the link another day
                    self.open_link(student)

    def open_link(self, student):
        """Open the link again and see what came of it."""
        answered, spoiled = answers(student.folder), unreadable(student.folder)
        self.counts["pulls"] += 1
        try:
            said = self.pull(student)
        except Exception as error:  # whatever stops it
            self.fault("jammed", student, repr(error))
            return
        still = answers(student.folder)
        for text in answered - still:
            if not any(text in other for other in still):
                self.fault("answer lost", student, text)
        if len(unreadable(student.folder)) > len(spoiled):
            self.fault("unreadable", student, unreadable(student.folder))
        for missing in unmet(self.teacher, student.folder, said, student.since):
            self.fault("correction unseen", student, missing)
        student.since = self.teacher.number

    def fault(self, what, student, detail):
        self.counts[what] += 1
        self.faults.append(
            f"{what}: {student.folder.parent.name}, correction {self.teacher.number}: {detail}"
        )
