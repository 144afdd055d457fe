"""What came of grading, as tables, a page and feedback: whatever students wrote stays text."""

import collections
import csv
import unicodedata
from pathlib import Path
from typing import NamedTuple

from attn_checks.tell.page import rendered
from attn_parts.colours import OPEN, PASSED, STOPPED, TO_MEND

COLUMNS = "student", "notebook", "exercise", "status", "mistake", "message"
FORMULA = "=", "+", "-", "@", "\t", "\r"  # a cell that starts so is computed by a spreadsheet
# the best first, with the mark and the colour of each
STATUSES = {
    "passed": ("✓", PASSED),
    "incorrect": ("✗", TO_MEND),
    "error": ("!", STOPPED),
    "stopped": ("!", STOPPED),
    "not graded": ("!", STOPPED),
    "not attempted": ("·", OPEN),
    "missing": ("·", OPEN),
}
COUNTS = "Of several notebooks of a student, the best answer to each exercise counts."


class Report(NamedTuple):
    """All that is graded: the rows of each of `expected` notebooks.

    Files that are `left` were not looked at, and this system does not stop what `missing` says.
    """

    notebooks: list
    expected: int
    left: list
    missing: list

    def rows(self):
        return [row for rows in self.notebooks for row in rows]

    def students(self):
        return list(dict.fromkeys(row["student"] for row in self.rows()))

    def exercises(self):
        """{exercise: {student: the best of their rows}} of those who handed in its lesson."""
        found = {}
        for row in self.rows():
            if row["exercise"]:
                best = found.setdefault(row["exercise"], {})
                before = best.setdefault(row["student"], row)
                best[row["student"]] = min(before, row, key=rank)
        return found

    def mistakes(self):
        """(students, of how many, mistake, exercise, what to say about it), the most frequent first."""
        made = []
        for name, rows in self.exercises().items():
            says = {row["mistake"]: row["say"] for row in rows.values()}
            for mistake, n in count(rows, "mistake").items():
                if mistake:
                    made.append((n, len(rows), mistake, name, says[mistake]))
        return sorted(made, key=lambda each: each[0], reverse=True)

    def summary(self):
        """The class in lines of text."""
        n = len(self.notebooks)
        yield f"{n} of {self.expected} notebooks of {len(self.students())} students graded"
        if self.left:
            yield f"not looked at: {', '.join(self.left)}"
        for name, rows in self.exercises().items():
            yield f"{count(rows)['passed']} of {len(rows)} passed {name}"
        for n, of, mistake, name, _ in self.mistakes():
            yield f"{n} of {of}: {mistake} in {name}"

    def by_student(self):
        """A row for each student: name, passed, of how many, the status of each exercise, remarks."""
        for who in self.students():
            own = [rows[who]["status"] if who in rows else "" for rows in self.exercises().values()]
            about = [row for row in self.rows() if row["student"] == who and not row["exercise"]]
            remarks = "; ".join(f"{row['notebook']} {row['status']}".strip() for row in about)
            yield [who, own.count("passed"), len(own) - own.count(""), *own, remarks]


def rank(row):
    return list(STATUSES).index(row["status"])


def count(rows, what="status"):
    """{status: number of students}"""
    return collections.Counter(row[what] for row in rows.values())


def write(report, output):
    """Write grades.csv, students.csv, grades.html and a file of feedback for each student into a folder."""
    heads = ["student", "passed", "of", *report.exercises(), "remarks"]
    answers = [[row[column] for column in COLUMNS] for row in report.rows()]
    write_table(output / "grades.csv", [COLUMNS, *answers])
    write_table(output / "students.csv", [heads, *report.by_student()])
    template = Path(__file__).with_name("grades.html")
    page = rendered(template, clean, **globals(), report=report, heads=heads)
    (output / "grades.html").write_text(page, encoding="utf-8")
    for name, passed, of, *_ in report.by_student():
        parts = [f"{name}\n\n{passed} of {of} exercises passed. {COUNTS}"]
        for who, notebook, exercise, status, _, message in answers:
            if who == name:
                parts.append(f"{notebook}, {exercise or 'the notebook'}: {status}\n{message}")
        folder = output / "feedback" / name  # as a learning platform wants them back
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "feedback.txt").write_text(clean("\n\n".join([*parts, ""])), encoding="utf-8")


def write_table(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(map(as_cell, row) for row in rows)


def clean(text):
    """A text without control characters and those that turn the order of letters around."""
    return "".join(c for c in str(text) if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def as_cell(text):
    """A cell of a spreadsheet: text, even if it starts as a formula does."""
    text = clean(text)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
