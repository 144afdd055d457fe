"""What came of grading, as a table for a spreadsheet and as a page: whatever students wrote stays text in both."""

import collections
import csv
import html
import unicodedata
from typing import NamedTuple

from attn_parts.colours import OPEN, PASSED, STOPPED, TO_MEND, palette_css

COLUMNS = ("student", "notebook", "exercise", "status", "mistake", "message")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that starts so is computed by a spreadsheet
COLOURS = {"passed": PASSED, "incorrect": TO_MEND, "not attempted": OPEN, "missing": OPEN}  # else STOPPED
STYLE = (
    palette_css()
    + """body {font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: var(--ink); background: var(--paper)}
h1, h2 {line-height: 1.2}
div.wide {overflow-x: auto}
table {border-collapse: collapse; margin: 1em 0}
th, td {text-align: left; vertical-align: top; padding: .4em .8em; border-bottom: 1px solid var(--blocked)}
th {background: var(--ground)}
th.number, td.number {text-align: right}
td.theirs {overflow-wrap: anywhere; min-width: 8em; max-width: 45em}
strong, code {white-space: nowrap}
pre {white-space: pre-wrap; font: 13px/1.4 ui-monospace, monospace; margin: .5em 0}
summary {cursor: pointer}
.warning {border-left: 4px solid var(--stopped); padding: .3em 1em; background: var(--ground)}
tbody {border-top: 2px solid var(--faint)}
"""
)


class Report(NamedTuple):
    """All that is graded; `expected` notebooks were handed in, and this system does not stop what `missing` says."""

    records: list
    expected: int
    missing: list

    def lines(self):
        """(student, notebook, row) of everything, in order."""
        return [
            (record["student"], record["notebook"], row) for record in self.records for row in record["rows"]
        ]

    @property
    def students(self):
        return len({record["student"] for record in self.records})

    def exercises(self):
        """{exercise: {status: number of students}}, in the order in which they were met."""
        found = {}
        for _, name, status in dict.fromkeys(
            (who, row["exercise"], row["status"]) for who, _, row in self.lines()
        ):
            if name:
                found.setdefault(name, collections.Counter())[status] += 1
        return found

    def mistakes(self):
        """(number of students, mistake, exercise, what to say about it), the most frequent first."""
        made = {}  # (mistake, exercise): who made it, and what to say
        for who, _, row in self.lines():
            if row["exercise"] and row["mistake"]:
                made.setdefault((row["mistake"], row["exercise"]), ({}, row["say"]))[0][who] = True
        counted = [(len(students), *key, say) for key, (students, say) in made.items()]
        return sorted(counted, key=lambda each: (-each[0], *each[1:]))

    def summary(self):
        """The class in lines of text."""
        graded = f"{len(self.records)} of {self.expected} notebooks of {self.students} students graded"
        passed = [f"{of['passed']} of {of.total()} passed {name}" for name, of in self.exercises().items()]
        made = [f"{n} of {self.students}: {mistake} in {name}" for n, mistake, name, _ in self.mistakes()]
        return [graded, *passed, *made]


def write(report, output):
    """Write grades.csv and grades.html into a folder."""
    with (output / "grades.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(COLUMNS)
        for student, notebook, row in report.lines():
            cells = (student, notebook, *(row[column] for column in COLUMNS[2:]))
            lines.writerow([as_cell(cell) for cell in cells])
    (output / "grades.html").write_text(page(report), encoding="utf-8")


def clean(text):
    """A text without what cannot be seen: control characters, and those that turn the order of letters around."""
    return "".join(c for c in str(text) if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def as_cell(text):
    """A cell of a spreadsheet: text, even if it starts as a formula does."""
    text = clean(text)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def as_html(text):
    return html.escape(clean(text))


def page(report):
    """The page, without any script: everything that students wrote is escaped."""
    missing = "".join(f"<li>{as_html(line)}</li>" for line in report.missing)
    warning = f'<div class="warning">Not stopped on this system:<ul>{missing}</ul></div>' if missing else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Grades</title>'
        '<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{STYLE}</style></head><body><h1>Grades</h1><p>{as_html(report.summary()[0])}.</p>{warning}"
        f"{class_tables(report)}{student_table(report)}</body></html>\n"
    )


def class_tables(report):
    statuses = ("passed", "incorrect", "not attempted")
    exercises, mistakes = [], []
    for name, of in report.exercises().items():
        counts = [of[each] for each in statuses]
        numbers = [td(n or "", kind="number") for n in (*counts, of.total() - sum(counts))]
        exercises.append([td(name, "<code>{}</code>"), *numbers])
    for n, mistake, name, say in report.mistakes():
        made = (
            f"{n} of {report.students}: <strong>{as_html(mistake)}</strong> in <code>{as_html(name)}</code>"
        )
        mistakes.append([f"<td>{made}</td>", td(say)])
    heads = [f'<th class="number">{each}</th>' for each in (*statuses, "other")]
    of_mistakes = table(["<th>students</th>", "<th>what to say about it</th>"], mistakes)
    return f"<h2>The class</h2>{table(['<th>exercise</th>', *heads], exercises)}{of_mistakes}"


def student_table(report):
    notebooks = {}
    for student, notebook, graded in report.lines():
        status = f'<strong style="color:{COLOURS.get(graded["status"], STOPPED)}">{{}}</strong>'
        first, _, rest = graded["message"].partition("\n")
        fold = f"<details><summary>{{}}</summary><pre>{as_html(rest)}</pre></details>" if rest else "{}"
        row = [
            td(student, kind="theirs"),
            td(notebook, kind="theirs"),
            td(graded["exercise"], "<code>{}</code>"),
        ]
        row += [td(graded["status"], status), td(graded["mistake"]), td(first, fold, "theirs")]
        notebooks.setdefault((student, notebook), []).append(row)
    heads = [f"<th>{column}</th>" for column in COLUMNS]
    return f"<h2>Every student</h2>{table(heads, *notebooks.values())}"


def table(heads, *bodies):
    """A table; there is a line between two bodies, which are lists of rows, and these of cells."""
    rows = ["<tbody>" + "".join(f"<tr>{''.join(row)}</tr>" for row in body) + "</tbody>" for body in bodies]
    return f'<div class="wide"><table><thead><tr>{"".join(heads)}</tr></thead>{"".join(rows)}</table></div>'


def td(text, inside="{}", kind=""):
    """A cell of a table; the text stands where {} is."""
    return f'<td class="{kind}">' + inside.replace("{}", as_html(text), 1) + "</td>"
