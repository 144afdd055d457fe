"""What a class handed in: the answers in a folder of files, whatever the files are called, and what is odd about them."""

import csv
import re
from typing import NamedTuple

from attn_checks.inventory.forms import FORMS, columns

# also in a notebook, where a string ends with a quote or a backslash
LINE = re.compile(r'attention-inventory ([AB]) ([A-D-]{12}) ([^\s"\\][^\r\n"\\]{0,59})')
BEGINS = re.compile(r"attention-inventory [AB] ")
SEPARATORS = ",;\t"  # of the tables that spreadsheets save


class Answers(NamedTuple):
    """One student's answers to one form: a letter for each question, - where there is none."""

    name: str
    form: str
    letters: str

    @property
    def given(self):
        return len(self.letters.replace("-", ""))

    @property
    def student(self):
        """What two forms of one student have in common."""
        return " ".join(self.name.casefold().split())


class Note(NamedTuple):
    """Something odd, in a sentence that names no one, and who or which file it is."""

    text: str
    who: str


def collected(folder):
    """({student: Answers}, [Note]) of all files below a folder."""
    found, notes = {}, []

    def note(text, who):
        notes.append(Note(f"in {folder.name}: {text}", who))

    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name.startswith((".", "~")):
            continue
        answers, problems = answers_in(path.read_bytes())
        for problem in problems:
            note(problem, path.name)
        for each in answers:
            before = found.setdefault(each.student, each)
            if before[1:] != each[1:]:
                note("two different forms of one student, the fuller counts", each.name)
                found[each.student] = max(before, each, key=lambda one: one.given)
    for each in list(found.values()):
        if not each.given:
            note("a form without a single answer, left out", each.name)
            del found[each.student]
        elif each.given <= len(each.letters) / 2:
            note("a form with half of the answers or fewer; what's missing counts as not right", each.name)
    return found, notes


def answers_in(content):
    """(the answers, the problems) of one file."""
    text = decoded(content)
    if text is None:
        return [], ["a file that isn't text; unpack a .zip, type what's on paper into answers.csv"]
    if not BEGINS.search(text):
        return typed(text)
    found = []
    for form, letters, name in LINE.findall(text):
        found.append(Answers(name.strip(), form, letters))
    cut = len(BEGINS.findall(text)) - len(found)
    return list(dict.fromkeys(found)), ["a line that is cut off or changed, not read"] * cut


def decoded(content):
    """The text of a file, in whatever way a spreadsheet or an editor saved it; None if it's no text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def typed(text):
    """(the answers, the problems) of a table with the columns of answers.csv, in any order."""
    lines = [line for line in text.splitlines() if line.strip()]
    head = lines[0] if lines else ""
    rows = csv.reader(lines, delimiter=max(SEPARATORS, key=head.count))
    names = []
    for cell in next(rows, []):
        names.append(re.sub(r"^(q|question) ?(?=\d)", "", cell.strip().lower()))
    if missing := [column for column in columns() if column not in names]:
        return [], [f"a file with no answers in it; as a table it lacks the columns {', '.join(missing)}"]
    found, problems = [], []
    for row in rows:
        cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
        name, form, *letters = (cells.get(column, "") for column in columns())
        form = form.upper().removeprefix("FORM").strip()
        if not name and not any(letters):
            continue
        if not name or form not in FORMS:
            problems.append("a row without a name, or with a form other than A or B, not read")
            continue
        read = ""
        for letter in letters:
            letter = letter.strip("(). ").upper() or "-"
            if letter not in {*"ABCD-"}:
                problems.append("an answer that is no letter from A to D")
                letter = "-"
            read += letter
        found.append(Answers(name, form, read))
    return found, problems
