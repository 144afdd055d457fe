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
    """All that is graded; `expected` notebooks were handed in, `left` are files that were not looked at, and this system
    does not stop what `missing` says."""

    records: list
    expected: int
    left: list
    missing: list

    def lines(self):
        """(student, notebook, row) of everything, in order."""
        return [(each["student"], each["notebook"], row) for each in self.records for row in each["rows"]]

    def students(self):
        return list(dict.fromkeys(record["student"] for record in self.records))

    def exercises(self):
        """{exercise: {student: row}} of those who handed in its lesson; of several rows of a student, the best."""
        found = {row["exercise"]: {} for *_, row in self.lines() if row["exercise"]}
        rank = list(STATUSES).index
        for who, _, row in self.lines():
            if name := row["exercise"]:
                found[name][who] = min(found[name].get(who, row), row, key=lambda each: rank(each["status"]))
        return found

    def mistakes(self):
        """(number of students, of how many, mistake, exercise, what to say about it), the most frequent first."""
        made = []
        for name, rows in self.exercises().items():
            says = {row["mistake"]: row["say"] for row in rows.values() if row["mistake"]}
            counts = collections.Counter(row["mistake"] for row in rows.values())
            made += [(counts[mistake], len(rows), mistake, name, say) for mistake, say in says.items()]
        return sorted(made, key=lambda each: (-each[0], *each[2:]))

    def summary(self):
        """The class in lines of text."""
        graded = f"{len(self.records)} of {self.expected} notebooks of {len(self.students())} students graded"
        left = [f"not looked at: {', '.join(self.left)}"] if self.left else []
        counts = ((name, count(rows)) for name, rows in self.exercises().items())
        passed = [f"{of['passed']} of {of.total()} passed {name}" for name, of in counts]
        made = [f"{n} of {of}: {mistake} in {name}" for n, of, mistake, name, _ in self.mistakes()]
        return [graded, *left, *passed, *made]

    def by_student(self):
        """A row for each student: name, how many passed, of how many, the status of each exercise, and remarks."""
        for who in self.students():
            own = [rows[who]["status"] if who in rows else "" for rows in self.exercises().values()]
            lines = [(file, row) for name, file, row in self.lines() if name == who and not row["exercise"]]
            remarks = "; ".join(f"{file} {row['status']}".strip() for file, row in lines)
            yield [who, own.count("passed"), len(own) - own.count(""), *own, remarks]


def count(rows):
    """{status: number of students}"""
    return collections.Counter(row["status"] for row in rows.values())


def write(report, output):
    """Write grades.csv, students.csv, grades.html and a file of feedback for each student into a folder."""
    rows = [(who, file, *(row[column] for column in COLUMNS[2:])) for who, file, row in report.lines()]
    write_csv(output / "grades.csv", [COLUMNS, *rows])
    heads = ["student", "passed", "of", *report.exercises(), "remarks"]
    write_csv(output / "students.csv", [heads, *report.by_student()])
    template = jinja2.Environment(autoescape=True, finalize=clean, trim_blocks=True, lstrip_blocks=True)
    page = template.from_string(Path(__file__).with_name("grades.html").read_text(encoding="utf-8"))
    html = page.render(globals(), report=report, heads=heads, palette=palette_css())
    (output / "grades.html").write_text(html, encoding="utf-8")
    for name, passed, of, *_ in report.by_student():
        folder = output / "feedback" / name  # as a learning platform wants them back
        folder.mkdir(parents=True, exist_ok=True)
        summary = f"{name}\n\n{passed} of {of} exercises passed. {COUNTS}"
        (folder / "feedback.txt").write_text(clean(feedback(name, summary, report)), encoding="utf-8")


def feedback(student, summary, report):
    """What to send back to a student: what is said of each exercise in each notebook."""
    parts = [
        f"{file}, {row['exercise'] or 'the notebook'}: {row['status']}\n{row['message']}"
        for who, file, row in report.lines()
        if who == student
    ]
    return "\n\n".join([summary, *parts, ""])


def write_csv(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([as_cell(cell) for cell in row] for row in rows)


def clean(text):
    """A text without what cannot be seen: control characters, and those that turn the order of letters around."""
    return "".join(c for c in str(text) if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def as_cell(text):
    """A cell of a spreadsheet: text, even if it starts as a formula does."""
    text = clean(text)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
