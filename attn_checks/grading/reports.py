"""What came of grading, for a spreadsheet, as a page and for each student: whatever students wrote stays text."""

import collections
import csv
import unicodedata
from pathlib import Path
from typing import NamedTuple

import jinja2

from attn_parts.colours import OPEN, PASSED, STOPPED, TO_MEND, palette_css

COLUMNS = ("student", "notebook", "exercise", "status", "mistake", "message")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that starts so is computed by a spreadsheet
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
    """All that is graded: the rows of each of `expected` notebooks. Files that are `left` were not looked at, and this
    system does not stop what `missing` says."""

    notebooks: list
    expected: int
    left: list
    missing: list

    def rows(self):
        return [row for rows in self.notebooks for row in rows]

    def students(self):
        return list(dict.fromkeys(row["student"] for row in self.rows()))

    def exercises(self):
        """{exercise: {student: row}} of those who handed in its lesson; of several rows of a student, the best."""
        found, rank = {}, list(STATUSES).index
        for row in self.rows():
            if row["exercise"]:
                best, who = found.setdefault(row["exercise"], {}), row["student"]
                best[who] = min(best.get(who, row), row, key=lambda each: rank(each["status"]))
        return found

    def mistakes(self):
        """(number of students, of how many, mistake, exercise, what to say about it), the most frequent first."""
        made = []
        for name, rows in self.exercises().items():
            says = {row["mistake"]: row["say"] for row in rows.values() if row["mistake"]}
            counts = count(rows, "mistake")
            made += [(counts[mistake], len(rows), mistake, name, say) for mistake, say in says.items()]
        return sorted(made, key=lambda each: (-each[0], *each[2:]))

    def summary(self):
        """The class in lines of text."""
        graded = (
            f"{len(self.notebooks)} of {self.expected} notebooks of {len(self.students())} students graded"
        )
        left = [f"not looked at: {', '.join(self.left)}"] if self.left else []
        counts = [(name, len(rows), count(rows)) for name, rows in self.exercises().items()]
        passed = [f"{of['passed']} of {n} passed {name}" for name, n, of in counts]
        made = [f"{n} of {of}: {mistake} in {name}" for n, of, mistake, name, _ in self.mistakes()]
        return [graded, *left, *passed, *made]

    def by_student(self):
        """A row for each student: name, how many passed, of how many, the status of each exercise, and remarks."""
        for who in self.students():
            own = [rows[who]["status"] if who in rows else "" for rows in self.exercises().values()]
            about = [row for row in self.rows() if row["student"] == who and not row["exercise"]]
            remarks = "; ".join(f"{row['notebook']} {row['status']}".strip() for row in about)
            yield [who, own.count("passed"), len(own) - own.count(""), *own, remarks]


def count(rows, what="status"):
    """{status: number of students}"""
    return collections.Counter(row[what] for row in rows.values())


def write(report, output):
    """Write grades.csv, students.csv, grades.html and a file of feedback for each student into a folder."""
    heads = ["student", "passed", "of", *report.exercises(), "remarks"]
    rows = [[row[column] for column in COLUMNS] for row in report.rows()]
    for name, table in {"grades": [COLUMNS, *rows], "students": [heads, *report.by_student()]}.items():
        with (output / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(map(as_cell, row) for row in table)
    template = jinja2.Environment(autoescape=True, finalize=clean, trim_blocks=True, lstrip_blocks=True)
    page = template.from_string(Path(__file__).with_name("grades.html").read_text(encoding="utf-8"))
    html = page.render(globals(), report=report, heads=heads, palette=palette_css())
    (output / "grades.html").write_text(html, encoding="utf-8")
    for name, passed, of, *_ in report.by_student():
        parts = [f"{name}\n\n{passed} of {of} exercises passed. {COUNTS}"]
        for who, notebook, exercise, status, _, message in rows:
            if who == name:
                parts.append(f"{notebook}, {exercise or 'the notebook'}: {status}\n{message}")
        folder = output / "feedback" / name  # as a learning platform wants them back
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "feedback.txt").write_text(clean("\n\n".join([*parts, ""])), encoding="utf-8")


def clean(text):
    """A text without what cannot be seen: control characters, and those that turn the order of letters around."""
    return "".join(c for c in str(text) if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def as_cell(text):
    """A cell of a spreadsheet: text, even if it starts as a formula does."""
    text = clean(text)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
