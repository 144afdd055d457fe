"""What came of a class's answers, idea by idea, as a page and in lines of text. No one is named unless asked."""

import collections
import re
import statistics
from typing import NamedTuple

from attn_checks.inventory.answers import Answers, Note
from attn_checks.inventory.forms import forms, page_of, title
from attn_checks.inventory.gains import gain, gain_over_all, wilson
from attn_checks.recognise.words import section_of
from attn_checks.tell.feedback import NOTEBOOKS, headings, section

RESULT_OF = re.compile(r"`([\w-]+)` in `(\w+)`: (.+)")  # the reply to a wrong option


class Idea(NamedTuple):
    """What is known of one idea: how many were right before and after, and what most of the wrong ones chose."""

    title: str
    right: dict[str, int]  # by time
    gain: tuple | None
    mistake: str
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
        lesson = self.see[1:3]
        [notebook] = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
        heading = headings(lesson)[self.see].lower()
        place = re.sub(r"[^a-z0-9]+", "-", heading)
        return f"{notebook.stem}.html#{place.strip('-')}"


class Report(NamedTuple):
    """The answers by time, before and after or one of them, and by student; and notes on what is odd."""

    handed_in: dict[str, dict[str, Answers]]
    notes: list[Note]

    @property
    def times(self):
        """By time, the answers of the students who count: those who answered each time."""
        first, *others = self.handed_in.values()
        who = [student for student in first if all(student in each for each in others)]
        return {time: [each[student] for student in who] for time, each in self.handed_in.items()}

    @property
    def size(self):
        first, *_ = self.times.values()
        return len(first)

    def ideas(self):
        times = self.times
        *_, last = times.values()
        for number, (name, question) in enumerate(forms()["A"].items()):
            right = [[is_right(one, number) for one in each] for each in times.values()]
            sums = dict(zip(times, map(sum, right), strict=True))
            found = gain(*right) if len(right) > 1 else None
            most = most_wrong(last, number)
            yield Idea(title(name), sums, found, *most, question.see)

    def means(self):
        return {time: statistics.mean(map(score, each)) for time, each in self.times.items()}

    def gain(self):
        """That of the averages, with its limits; None for one time only."""
        wrong = []
        for each in self.times.values():
            wrong.append([len(one.letters) - score(one) for one in each])
        return gain_over_all(*wrong) if len(wrong) > 1 else None

    def remarks(self, names):
        """The notes, each once, with how often it applies or with names."""
        who = collections.defaultdict(list)
        for note in self.notes:
            who[note.text].append(note.who)
        for text, of in who.items():
            named = f" ({', '.join(of)})" if names else ""
            yield f"{len(of)} × {text}{named}"

    def summary(self, names):
        """The class in lines of text."""
        yield from self.remarks(names)
        means = ", ".join(f"{mean:.1f} {time}" for time, mean in self.means().items())
        yield f"{self.size} students, right answers of 12 on average: {means}{with_limits(self.gain(), '; gain ')}"
        for idea in self.ideas():
            right = ", ".join(f"{n} {time}" for time, n in idea.right.items())
            most = f"; {idea.chose} of {idea.wrong} wrong: {idea.mistake}" if idea.wrong else ""
            yield f"{idea.title}: {right}{with_limits(idea.gain, '; gain ')}{most}"


def asked(answers, number):
    """(question, letter chosen) of the question of this number, from 0."""
    questions = list(forms()[answers.form].values())
    return questions[number], answers.letters[number].lower()


def is_right(answers, number):
    question, letter = asked(answers, number)
    return letter == question.right


def score(answers):
    numbers = range(len(answers.letters))
    return sum(is_right(answers, number) for number in numbers)


def most_wrong(answers, number):
    """(mistake in words, what to say of it, how many chose it, how many are wrong) for one question."""
    found = collections.Counter()
    for each in answers:
        question, letter = asked(each, number)
        if letter not in (question.right, "-"):
            _, reply = question.options[letter]
            found[RESULT_OF.fullmatch(reply).groups()] += 1
    if not found:
        return "", "", 0, 0
    [((key, exercise, say), chose)] = found.most_common(1)
    name = section_of(exercise).mistakes[key].name
    return name, say, chose, found.total()


def with_limits(found, before=""):
    """'0.52 (0.31 to 0.68)'; '' where there is none."""
    if found is None:
        return ""
    middle, *limits = (f"{number:.2f}".replace("-", "−") for number in found if number is not None)
    shown = f" ({' to '.join(limits)})" if limits else ""
    return f"{before}{middle}{shown}"


def page(report, names):
    """The report as a page."""
    return page_of(
        "report.html", report=report, names=names, wilson=wilson, with_limits=with_limits, score=score
    )
