"""What came of a class's answers, idea by idea: a page, a table, and lines of text. No one is named unless asked."""

import collections
import csv
import re
import statistics
import urllib.parse
from typing import NamedTuple

from attn_checks.grading.reports import as_cell
from attn_checks.inventory.answers import Answers, Note
from attn_checks.inventory.forms import forms, page_of, title
from attn_checks.inventory.gains import gain, gain_over_all, wilson
from attn_checks.recognise.words import section_of
from attn_checks.tell.feedback import NOTEBOOKS, headings, section

RESULT_OF = re.compile(r"`([\w-]+)` in `(\w+)`: (.+)")  # how the reply to a wrong option begins
HEADS = "idea before after of gain low high mistake chose wrong section".split()


class Idea(NamedTuple):
    """What is known of one idea: how many were right before and after, of how many, and what remains wrong."""

    title: str
    before: int | None
    after: int | None
    of: int
    gain: tuple | None
    mistake: str  # what those who are wrong most often chose, in words
    say: str
    chose: int  # that many of the `wrong` ones
    wrong: int
    see: str

    @property
    def section(self):
        return section(self.see)

    @property
    def page(self):
        """The section's place in the published pages."""
        [notebook] = NOTEBOOKS.glob(f"{self.see[1:3]}_*.ipynb")
        place = re.sub(r"[^a-z0-9]+", "-", headings(self.see[1:3])[self.see].lower()).strip("-")
        return f"{notebook.stem}.html#{urllib.parse.quote(place)}"


class Report(NamedTuple):
    """Answers by student, before and after (of one time only, the other is empty), and notes on what is odd."""

    before: dict[str, Answers]
    after: dict[str, Answers]
    notes: list[Note]

    @property
    def students(self):
        """Those who count: who answered both times, or all where there is one time only."""
        both = [student for student in self.before if student in self.after]
        return both if self.before and self.after else [*self.before, *self.after]

    def times(self):
        """The answers of those who count, before and after; None for a time that is missing."""
        return [[each[one] for one in self.students] if each else None for each in (self.before, self.after)]

    def ideas(self):
        before, after = self.times()
        for number, idea in enumerate(forms()["A"]):
            right = [each and [is_right(one, number) for one in each] for each in (before, after)]
            both = gain(*right) if all(right) else None
            mistake, say, chose, wrong = most_wrong(after or before, number)
            sums = [each and sum(each) for each in right]
            see = forms()["A"][idea].see
            yield Idea(title(idea), *sums, len(self.students), both, mistake, say, chose, wrong, see)

    def overall(self):
        """(mean number of right answers before, and after, the gain of these averages with its limits)."""
        wrong = [each and [len(one.letters) - score(one) for one in each] for each in self.times()]
        means = [each and statistics.mean(map(score, each)) for each in self.times()]
        return *means, gain_over_all(*wrong) if all(wrong) else None

    def remarks(self, names):
        """The notes, each once with how often it applies, or with names."""
        who = collections.defaultdict(list)
        for note in self.notes:
            who[note.text].append(note.who)
        return [f"{len(of)} × {text}" + (f" ({', '.join(of)})" if names else "") for text, of in who.items()]

    def summary(self, names):
        """The class in lines of text."""
        *means, over_all = self.overall()
        which = [name for name, mean in zip(("before", "after"), means, strict=True) if mean is not None]
        yield f"{len(self.students)} students counted, with answers from {' and '.join(which)}"
        yield from self.remarks(names)
        shown = " → ".join(f"{mean:.1f}" for mean in means if mean is not None)
        yield f"right answers of 12, on average: {shown}{with_limits(over_all, '; gain ')}"
        for idea in self.ideas():
            right = " → ".join(str(n) for n in (idea.before, idea.after) if n is not None)
            most = f"; {idea.chose} of {idea.wrong} wrong: {idea.mistake}" if idea.wrong else ""
            yield f"{idea.title}: {right} of {idea.of}{with_limits(idea.gain, ', gain ')}{most}"


def asked(answers, number):
    """(question, letter chosen) of the question of this number, from 0."""
    return list(forms()[answers.form].values())[number], answers.letters[number].lower()


def is_right(answers, number):
    question, letter = asked(answers, number)
    return letter == question.right


def score(answers):
    return sum(is_right(answers, number) for number in range(len(answers.letters)))


def most_wrong(answers, number):
    """(mistake in words, what to say of it, how many chose it, how many are wrong) for one question."""
    chosen = [asked(each, number) for each in answers]
    wrong = [
        question.options[letter][1] for question, letter in chosen if letter not in (question.right, "-")
    ]
    found = collections.Counter(RESULT_OF.fullmatch(reply).groups() for reply in wrong)
    if not found:
        return "", "", 0, 0
    [((key, exercise, say), chose)] = found.most_common(1)
    return section_of(exercise).mistakes[key].name, say, chose, len(wrong)


def with_limits(found, before=""):
    """'0.52 (0.31 to 0.68)'; '' where there is none."""
    if found is None:
        return ""
    middle, low, high = found
    return f"{before}{middle:.2f}" + (f" ({low:.2f} to {high:.2f})" if low is not None else "")


def write(report, output, names):
    """Write report.html and report.csv, and students.csv where names are asked for; returns the files' names."""
    ideas = list(report.ideas())
    rows = [HEADS]
    for each in ideas:
        numbers = each.gain or ("", "", "")
        rows.append(
            [each.title, each.before, each.after, each.of, *numbers, each.mistake, each.chose, each.wrong]
            + [each.section]
        )
    tables = {"report.csv": rows}
    if names:
        tables["students.csv"] = [["student", "form before", "right", "form after", "right"]]
        for student in sorted({*report.before, *report.after}):
            found = [each.get(student) for each in (report.before, report.after)]
            shown = [[one.form, score(one)] if one else ["", ""] for one in found]
            tables["students.csv"].append([next(filter(None, found)).name, *shown[0], *shown[1]])
    for name, table in tables.items():
        with (output / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(
                [as_cell("" if cell is None else cell) for cell in row] for row in table
            )
    page = page_of(
        "report.html",
        report=report,
        ideas=ideas,
        names=names,
        wilson=wilson,
        with_limits=with_limits,
    )
    (output / "report.html").write_text(page, encoding="utf-8")
    return ["report.html", *tables]
