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
    glossary = course.markdown(course.read(course.NOTEBOOKS[0]).cells).split("\n## Glossary")[1]
    terms = dict(re.findall(r"(?m)^\| \*\*(.+?)\*\* \|.*\| (\d\d) \|$", glossary))
    text = course.without_code(course.markdown(notebook.cells)).split("\n## Glossary")[0]
    bold = re.findall(r"\*\*(.+?)\*\*", text)
    small = {term for term in bold if re.fullmatch(r"[a-z][\w\s'’-]+", term) and len(term.split()) <= 4}
    missing = {term for term in small if singular(term) not in map(singular, terms)}
    assert not missing, f"in bold but not in the glossary: {sorted(missing)} (for emphasis use *italics*)"
    own = {term for term, lesson in terms.items() if lesson == path.stem[:2]}
    missing = {term for term in own if singular(term) not in map(singular, bold)}
    assert not missing, f"the glossary says that {path.stem} defines {missing}: put them in bold there"


@every_lesson
def test_numbers_in_the_text_are_shown_by_a_cell(notebook):
    """Those with three or more significant digits, but not in code, formulas, links or versions."""
    text = reading.prose(course.markdown(notebook.cells), folds=True)
    text = re.sub(r"https?://\S+|arXiv:\S+", " ", text)
    stale = course.stale_numbers(text, course.shown_numbers(notebook), digits=3)
    assert not stale, f"quoted in the text, shown by no cell: {stale}"
