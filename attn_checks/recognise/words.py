"""What is said of mistakes: mistakes.md of each lesson; the head of lesson 00's shows the form."""

import functools
import pathlib
import re
from typing import NamedTuple

LESSONS = pathlib.Path(__file__).parents[2] / "attn_lessons"
HEADING = re.compile(r"([a-z\d-]+(?: \([^()]+\))?): (\S.*)")  # after "### "


class Words(NamedTuple):
    """What is said of one mistake."""

    name: str
    say: str
    see: str = ""  # id of the cell to read again; that of the section if empty


class Section(NamedTuple):
    """What is said of the mistakes of one exercise."""

    path: pathlib.Path
    mistakes: dict[str, Words]  # by key
    see: str = ""  # where to look again, unless a mistake says otherwise
    see_nan: str = ""  # and where if there is a NaN; `see` if empty


@functools.cache
def sections() -> dict[str, Section]:
    """The sections of all lessons, each by the name of its exercise."""
    found: dict[str, Section] = {}
    for path in sorted(LESSONS.glob("lesson[0-9][0-9]/mistakes.md")):
        for name, section in read(path).items():
            if name in found:
                raise ValueError(f"{path}: '## {name}' is also in {found[name].path}; an exercise has one")
            found[name] = section
    return found


def section_of(exercise: str) -> Section:
    """The section of an exercise. A ValueError says how to write it."""
    if exercise not in sections():
        raise ValueError(
            f"write '## {exercise}' into mistakes.md of its lesson, and below it 'see: l04-id-of-a-cell', "
            "the id of the cell to read again"
        )
    return sections()[exercise]


def read(path: pathlib.Path) -> dict[str, Section]:
    """The sections of one lesson. A ValueError names the file, the heading, and how to write it."""
    found = {}
    for block in re.split(r"(?m)^## ", path.read_text(encoding="utf-8"))[1:]:
        top, *mistakes = re.split(r"(?m)^### ", block)
        (name, *lines), words = lines_of(top), {}
        if name in found:
            raise ValueError(f"{path}: '## {name}' is there twice")
        see = pointer(lines, "see: ")
        see_nan = pointer(lines, "see nan: ")
        if lines:
            raise ValueError(
                f"{path}, '## {name}': write only 'see: l04-id-of-a-cell' here, got {lines[0]!r}"
            )
        for mistake in mistakes:
            heading, *sentences = lines_of(mistake)
            form = HEADING.fullmatch(heading)
            if not form:
                raise ValueError(f"{path}, '### {heading}': write '### a-key: what the mistake is'")
            if form[1] in words:
                raise ValueError(f"{path}, '## {name}': '### {form[1]}' is there twice")
            last = pointer(sentences, "see: ")
            if not sentences:
                raise ValueError(f"{path}, '### {heading}': write a sentence or two below it")
            words[form[1]] = Words(form[2], " ".join(sentences), last)
        found[name] = Section(path, words, see, see_nan)
    return found


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def pointer(lines: list[str], mark: str) -> str:
    """The id of a cell in the line that begins with a mark, which is taken out; "" if there is none."""
    at = next((i for i, line in enumerate(lines) if line.startswith(mark)), None)
    return "" if at is None else lines.pop(at).removeprefix(mark)
