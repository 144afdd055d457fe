"""What a class handed in: the answers in files of any name, and what is odd about them."""

import csv
import re
from typing import NamedTuple

from attn_checks.inventory.forms import columns, forms

BEGINS = "attention-inventory "
# also in a notebook, where a string ends with a quote or a backslash
LINE = re.compile(BEGINS + r'([AB]) ([A-D?-]{12}) ([^\s"\\][^\r\n"\\]{0,59})')
NO_TEXT = "a file that isn't text; unpack a .zip, save a table as .csv, type what's on paper into answers.csv"


class Answers(NamedTuple):
    """One student's answers to one form: a letter for each question, - where there is none."""

    name: str
    form: str
    letters: str

    @property
    def given(self):
        return len(re.sub("[?-]", "", self.letters))

    @property
    def student(self):
        """What two forms of one student have in common."""
        return " ".join(self.name.casefold().split())

    @property
    def right(self):
        """For each question, whether the answer is right."""
        asked = forms()[self.form].values()
        return [
            letter.lower() == question.right for letter, question in zip(self.letters, asked, strict=True)
        ]


class Note(NamedTuple):
    """Something odd, in a sentence that names no one, and who or which file it is."""

    text: str
    who: str


def collected(folder):
    """({student: Answers}, [Note]) of all files below a folder."""
    found = {}
    notes = []
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name.startswith((".", "~")):
            continue
        answers, problems = answers_in(path.read_bytes())
        notes += [Note(problem, path.name) for problem in problems]
        for each in answers:
            before = found.setdefault(each.student, each)
            if before[1:] != each[1:]:
                notes.append(Note("two different forms of one student, the fuller counts", each.name))
                found[each.student] = max(before, each, key=lambda one: one.given)
    for each in list(found.values()):
        if not each.given:
            notes.append(Note("a form without a single answer, left out", each.name))
            del found[each.student]
        elif each.given <= len(each.letters) / 2:
            half = "a form with half of the answers or fewer; what's missing counts as not right"
            notes.append(Note(half, each.name))
    return found, [Note(f"in {folder.name}: {text}", who) for text, who in notes]


def answers_in(content):
    """(the answers, the problems) of one file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")  # as older spreadsheets save
    if "\0" in text:
        return [], [NO_TEXT]
    if BEGINS not in text:
        lines = text.splitlines()
        rows = csv.DictReader(lines, delimiter=";" if ";" in text else ",", restval="")
        if missing := [column for column in columns() if column not in (rows.fieldnames or ())]:
            return [], [f"a file with no answers in it; as a table it lacks the columns {', '.join(missing)}"]
        text = "\n".join(map(line_of, rows))
    found = [Answers(name.strip(), form, letters) for form, letters, name in LINE.findall(text)]
    problems = ["a line or row that is cut off or changed, not read"] * (text.count(BEGINS) - len(found))
    problems += ["an answer that is no letter from A to D"] * sum("?" in each.letters for each in found)
    return list(dict.fromkeys(found)), problems


def line_of(row):
    """A row of a table, as the line that a page or a notebook gives; nothing if it is empty."""
    name, form, *cells = (row[column].strip() for column in columns())
    letters = [cell.upper() or "-" for cell in cells]
    read = "".join(letter if letter in {*"ABCD-"} else "?" for letter in letters)
    return f"{BEGINS}{form.upper()} {read} {name}" if name or any(cells) else ""
