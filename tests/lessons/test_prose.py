"""What the lessons say: terms that are defined, numbers that a cell shows."""

import re

import course
import reading
from course import every_lesson


def singular(term):
    return re.sub(r"(?<!s)s$", "", term.lower().strip(" .:,"))


@every_lesson
def test_terms_in_bold_are_in_the_glossary_and_those_of_a_lesson_in_bold(path, notebook):
    """Bold small letters mark the place where a term is defined; emphasis is *italic*."""
    start = course.read(course.NOTEBOOKS[0])
    _, glossary = course.markdown(start.cells).split("\n## Glossary")
    terms = re.findall(r"(?m)^\| \*\*(.+?)\*\* \|.*\| (\d\d) \|$", glossary)
    known = {singular(term) for term, _ in terms}
    own = {singular(term) for term, lesson in terms if lesson == path.stem[:2]}
    text = course.without_code(course.markdown(notebook.cells))
    text, *_ = text.split("\n## Glossary")
    bold = re.findall(r"\*\*(.+?)\*\*", text)
    small = [term for term in bold if re.fullmatch(r"[a-z][\w'’-]+(\s[\w'’-]+){,3}", term)]
    missing = set(map(singular, small)) - known
    assert not missing, f"in bold but not in the glossary: {missing} (for emphasis use *italics*)"
    missing = own - set(map(singular, bold))
    assert not missing, f"the glossary says that {path.stem} defines {missing}: put them in bold there"


@every_lesson
def test_numbers_in_the_text_are_shown_by_a_cell(notebook):
    """Those with three or more significant digits, but not in code, formulas, links or versions."""
    text = reading.prose(course.markdown(notebook.cells), folds=True)
    text = re.sub(r"https?://\S+|arXiv:\S+", " ", text)
    stale = course.stale_numbers(text, course.shown_numbers(notebook), digits=3)
    assert not stale, f"quoted in the text, shown by no cell: {stale}"
