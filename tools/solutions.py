"""Everything that the lessons ask, with its answers, in one document for teachers.

    python tools/solutions.py --output FOLDER       writes solutions.md and solutions.html
    python tools/solutions.py 4 --output FOLDER     of lesson 04 alone

In the order of the lessons: predictions and questions with their keys and what is said to each option, the
answers in folds, and the solution of every exercise. It is made when you ask for it and kept nowhere, so that
no learner comes upon it.
"""

import re

import nbconvert
import nbformat

import _command
import attn_checks as check

ASKED = re.compile(r"""(?m)^check\.(?:predict|question)\(["']([\w-]+)["']\)$""")
FOLD = re.compile(r"(?s)<details><summary>(.*?)</summary>(.*?)</details>")
HEADING = re.compile(r"(?m)^(#+) (.+)$")
LOCAL_LINK = re.compile(r"\[([^\]]*)\]\((?![a-z]+:)[^)]*\)")
LEFT_OUT = {"Glossary"}
TITLE = "Attention from Scratch: solutions for teachers"


def main(arguments=None):
    parser = _command.writer_of(__doc__)
    numbers = range(len(_command.NOTEBOOKS))
    parser.add_argument("lesson", nargs="?", type=int, choices=numbers, metavar="LESSON")
    asked = parser.parse_args(arguments)
    folder = asked.output
    folder.mkdir(parents=True, exist_ok=True)
    text = document(asked.lesson)
    (folder / "solutions.md").write_text(text, "utf-8")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook, {"metadata": {"name": TITLE}})
    (folder / "solutions.html").write_text(page, "utf-8")
    return f"The solutions are in {folder / 'solutions.html'} and {folder / 'solutions.md'}."


def document(number=None):
    """The document as Markdown, of one lesson or of all."""
    parts = [f"# {TITLE}"]
    for path in _command.NOTEBOOKS if number is None else [_command.NOTEBOOKS[number]]:
        parts += lesson(_command.read(path))
    return LOCAL_LINK.sub(r"\1", "\n\n".join(parts)) + "\n"


def lesson(notebook):
    """The parts of one lesson, each heading only where something below it is answered."""
    headings = {}
    used = set()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for marks, title in HEADING.findall(re.sub(r"(?ms)^```.*?^```", "", cell.source)):
                above = {level: heading for level, heading in headings.items() if level < len(marks)}
                headings = above | {len(marks): title}
        found = [*questions(cell), *folds(cell)]
        if not found or LEFT_OUT & set(headings.values()):
            continue
        for level, title in sorted(headings.items()):
            if (level, title) not in used:
                used.add((level, title))
                yield f"{'#' * (level + 1)} {title}"
        yield from found


def questions(cell):
    """The questions that a cell asks, with their keys and what is said to each option."""
    for slug in ASKED.findall(cell.source if cell.cell_type == "code" else ""):
        question = check.QUESTIONS[slug]
        text = f"**Question** `{slug}`: {question.text} **Key: {question.right}**\n"
        for letter, (option, reply) in question.options.items():
            mark = "**" if letter == question.right else ""
            text += f"\n- {mark}{letter}) {option}{mark}  \n  {reply}"
        yield text


def folds(cell):
    """What a text keeps folded, hints left out."""
    for summary, answer in FOLD.findall(cell.source if cell.cell_type == "markdown" else ""):
        if not summary.strip().startswith("Hint"):
            yield f"**{summary.strip()}**\n\n{answer.strip()}"


if __name__ == "__main__":
    print(main())
