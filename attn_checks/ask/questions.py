"""The questions and predictions of the lessons, read from attn_lessons/lessonNN/questions.md."""

import functools
import html
import pathlib
import re
import reprlib
from dataclasses import dataclass

LESSONS = pathlib.Path(__file__).parents[2] / "attn_lessons"
MARKUP = re.compile(r"`([^`]+)`|\*([^*\s](?:[^*]*[^*\s])?)\*")  # `code` or *emphasis*
# Each kind of line below a question's name: its form, how to write it, and what may follow it.
LINES = {
    "text": (r"[^\s#>|-].*", "the question, in one line", ["option", "table"]),
    "table": (r"\|( .+ \|)+", "'| a row | of a table |'", ["table", "option"]),
    "option": (r"- (\*\*[A-D]\.\*\*|[A-D]\.) \S.*", "'- A. an option'", ["reply"]),
    "reply": (r"  > \S.*", "'  > the reply to this option'", ["option", "see", "end"]),
    "see": (r"- see: l\d\d-\S+", "'- see: l04-id-of-a-cell'", ["end"]),
    "end": ("", "'## 04-the-next-question'", []),
}


def as_text(text):
    """The text without its marks: stars and backticks are for HTML."""
    return MARKUP.sub(lambda found: found[1] or found[2], text)


def as_html(text: str) -> str:
    """HTML of a text with *emphasis* and `code`; the lines below the first are a table."""

    def marked(found):
        code, emphasis = found.groups()
        return f"<code>{code}</code>" if code else f"<em>{emphasis}</em>"

    text, *rows = MARKUP.sub(marked, html.escape(text, quote=False)).split("\n")
    cells = [re.sub(r" ?\| ?", "</td><td>", row.strip("| ")) for row in rows if "---" not in row]
    table = "".join(f"<tr><td>{row}</td></tr>" for row in cells)
    return f"{text}<table>{table}</table>" if rows else text


@dataclass(frozen=True)
class Question:
    """A question with its options; displays itself without the replies."""

    text: str  # *stars* mark emphasis, `backticks` code, here and below
    options: dict  # letter -> (option, reply)
    right: str  # the letter of the key
    see: str | None = None  # id of the cell to read again after a wrong answer

    def letter(self, answer):
        """The letter that an answer such as "B", "(b)" or "b." means; a ValueError if no option has it."""
        is_text = type(answer) is str  # others may raise where they are asked for their text
        letter = answer[:100].strip().lower().strip("(). ") if is_text else None
        if letter not in self.options:
            got = reprlib.repr(answer) if is_text else f"an object of type {type(answer).__name__}"
            raise ValueError(f"Got {got}; choose one of {', '.join(self.options)}, in quotes.")
        return letter

    def __str__(self):
        options = (f"  {letter}) {as_text(option)}" for letter, (option, _) in self.options.items())
        return "\n".join([as_text(self.text), *options])

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None):
        options = "".join(
            f"<div><strong>{letter})</strong> {as_html(option)}</div>"
            for letter, (option, _) in self.options.items()
        )
        return {
            "text/html": f"<div><strong>{as_html(self.text)}</strong></div>{options}",
            "text/plain": str(self),
        }


def question(slug: str) -> Question:
    """The question of this name; as the last line of a cell it shows itself and its options.

    Raises
    ------
    KeyError
        If there is no such question; the message lists those that there are.
    """
    if slug not in every_question():
        raise KeyError(f"no question {slug!r}; there are {', '.join(every_question())}")
    return every_question()[slug]


@functools.cache
def every_question() -> dict[str, Question]:
    """The questions of the course by name, in the order of the lessons."""
    files = sorted(LESSONS.glob("lesson[0-9][0-9]/questions.md"))
    return {slug: asked for path in files for slug, asked in read(path).items()}


def read(path: pathlib.Path, lesson: str | None = None) -> dict[str, Question]:
    """The questions of one lesson, or of a file, by name. A ValueError names the line to fix, and how."""
    lesson = lesson or path.parent.name.removeprefix("lesson")
    found = {}
    head, *blocks = re.split(r"(?m)^## ", path.read_text(encoding="utf-8"))
    number = 1 + head.count("\n")
    if len(head.split("\n")) > 4:
        raise ValueError(f"{path}:4: write the first question's name here, '## {lesson}-…'")
    for block in blocks:
        slug, *below = map(str.rstrip, block.rstrip().split("\n"))
        if not slug.startswith(f"{lesson}-") or slug in found:
            raise ValueError(
                f"{path}:{number}: a name starts with {lesson}- and is there once; change {slug!r}"
            )
        found[slug] = _question(below, path, number)
        number += block.count("\n")
    return found


def _question(below, path, number):
    """The question in the lines below its name, which is in line `number`."""
    lines = {kind: [] for kind in LINES}
    may_follow = ["text"]
    numbered = [(place, line) for place, line in enumerate(below, number + 1) if line]
    for place, line in [*numbered, (number + len(below), "")]:
        kind = next((kind for kind in may_follow if re.fullmatch(LINES[kind][0], line)), None)
        if not kind:
            forms = " or ".join(LINES[kind][1] for kind in may_follow)
            raise ValueError(f"{path}:{place}: write {forms} here; got {line!r}")
        lines[kind].append(line)
        may_follow = LINES[kind][2]
    marks, options = zip(*(line[2:].split(" ", 1) for line in lines["option"]), strict=True)
    letters = [mark.strip("*.").lower() for mark in marks]
    keys = [letter for letter, mark in zip(letters, marks, strict=True) if "*" in mark]
    if "".join(letters) not in ("ab", "abc", "abcd"):
        raise ValueError(f"{path}:{number}: a question has two to four options, lettered from A in order")
    if len(keys) != 1:
        raise ValueError(f"{path}:{number}: one option is the key, '- **B.** …'; here {len(keys)} are")
    replies = (line[4:] for line in lines["reply"])
    answered = dict(zip(letters, zip(options, replies, strict=True), strict=True))
    return Question(
        "\n".join(lines["text"] + lines["table"]), answered, keys[0], *(line[7:] for line in lines["see"])
    )
