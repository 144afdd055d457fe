"""What came of a class's answers, idea by idea: a page, and lines of text. No one is named unless asked."""

import collections
import re
import statistics
from pathlib import Path
from typing import NamedTuple

from attn_checks.inventory.answers import Answers, Note
from attn_checks.inventory.forms import forms
from attn_checks.inventory.gains import gain, gain_over_all, wilson
from attn_checks.recognise.words import section_of
from attn_checks.tell.feedback import NOTEBOOKS, headings, section
from attn_checks.tell.page import rendered

RESULT_OF = re.compile(r"`([\w-]+)` in `(\w+)`: (.+)")  # the reply to a wrong option


class Idea(NamedTuple):
    """What is known of one idea: how many were right, and what most of the wrong ones chose."""

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
        place = re.sub(r"[^a-z0-9]+", "-", headings(lesson)[self.see].lower())
        return f"{notebook.stem}.html#{place.strip('-')}"


class Report(NamedTuple):
    """The answers by time, in one order of students, and notes on what is odd."""

    times: dict[str, list[Answers]]
    notes: list[Note]

    @property
    def size(self):
        return len(self.last)

    @property
    def last(self):
        *_, last = self.times.values()
        return last

    def ideas(self):
        for number, (name, question) in enumerate(forms()["A"].items()):
            right = {time: [one.right[number] for one in each] for time, each in self.times.items()}
            yield Idea(
                name.replace("-", " ").capitalize(),
                {time: sum(each) for time, each in right.items()},
                gain(*right.values()) if len(right) > 1 else None,
                *most_wrong(self.last, number),
                question.see,
            )

    def means(self):
        times = self.times.items()
        return {time: statistics.mean(sum(one.right) for one in each) for time, each in times}

    def gain(self):
        """That of the averages, with its limits; None for one time only."""
        wrong = [[one.right.count(False) for one in each] for each in self.times.values()]
        return gain_over_all(*wrong) if len(wrong) > 1 else None

    def remarks(self, names):
        """The notes, each once, with how often it applies or with names."""
        who = collections.defaultdict(list)
        for text, of in self.notes:
            who[text].append(of)
        for text, of in who.items():
            named = f" ({', '.join(of)})" if names else ""
            yield f"{len(of)} × {text}{named}"

    def summary(self, names):
        """The class in lines of text."""
        yield from self.remarks(names)
        means = ", ".join(f"{mean:.1f} {time}" for time, mean in self.means().items())
        gained = with_limits(self.gain(), "; gain ")
        yield f"{self.size} students, right answers of 12 on average: {means}{gained}"
        for idea in self.ideas():
            right = ", ".join(f"{n} {time}" for time, n in idea.right.items())
            most = f"; {idea.chose} of {idea.wrong} wrong: {idea.mistake}" if idea.wrong else ""
            yield f"{idea.title}: {right}{with_limits(idea.gain, '; gain ')}{most}"


def most_wrong(answers, number):
    """(mistake in words, what to say of it, how many chose it, how many are wrong) for one question."""
    found = collections.Counter()
    for each in answers:
        if not each.right[number] and each.letters[number] not in "?-":
            question = list(forms()[each.form].values())[number]
            _, reply = question.options[each.letters[number].lower()]
            found[RESULT_OF.fullmatch(reply).groups()] += 1
    if not found:
        return "", "", 0, 0
    [((key, exercise, say), chose)] = found.most_common(1)
    return section_of(exercise).mistakes[key].name, say, chose, found.total()


def with_limits(found, before=""):
    """'0.52 (0.31 to 0.68)'; '' where there is none."""
    if found is None:
        return ""
    middle, *limits = (f"{number:.2f}".replace("-", "−") for number in found if number is not None)
    shown = f" ({' to '.join(limits)})" if limits else ""
    return f"{before}{middle}{shown}"


def page(report, names):
    """The report as a page."""
    template = Path(__file__).with_name("report.html")
    return rendered(template, report=report, names=names, wilson=wilson, with_limits=with_limits)
