"""What the lessons say: terms that are defined, numbers that a cell shows."""

import re

import course
from course import every_lesson


def singular(term):
    return re.sub(r"(?<!s)s$", "", term.lower().strip(" .:,"))


@every_lesson
def test_terms_in_bold_are_in_the_glossary(path):
    """Bold small letters mark the place where a term is defined; emphasis is *italic*."""
    start = course.markdown(course.read(course.NOTEBOOKS[0]))
    assert re.search(r"(?m)^#+ Glossary", start), "00_start_here has no heading 'Glossary'"
    known = {singular(term) for term in re.findall(r"\*\*(.+?)\*\*", re.split(r"(?m)^#+ Glossary", start)[1])}
    text = course.without_code(course.markdown(course.read(path)))
    bold = {term for term in re.findall(r"\*\*([a-z][\w\s'’-]+?)\*\*", text) if len(term.split()) <= 4}
    missing = {term for term in bold if singular(term) not in known}
    assert not missing, f"in bold but not in the glossary: {sorted(missing)} (for emphasis use *italics*)"


def quoted_numbers(text):
    """Decimals of three or more significant digits in prose: not in code, formulas, links or versions."""
    text = course.without_code(text)
    text = re.sub(
        r"\$\$.*?\$\$|\$[^$\n]+\$|`[^`]+`|\]\([^)]*\)|<[^>]+>|https?://\S+|arXiv:\S+", " ", text, flags=re.S
    )
    numbers = re.findall(r"(?<![\w.])\d*\.\d+(?![\w]|\.\d)", text)
    return {number for number in numbers if len(number.replace(".", "").lstrip("0")) >= 3}


@every_lesson
def test_numbers_in_the_text_are_shown_by_a_cell(path):
    notebook = course.read(path)
    quoted = quoted_numbers(course.markdown(notebook))
    stale = course.not_among(course.shown_numbers(notebook), quoted)
    assert not stale, f"quoted in the text, shown by no cell: {stale}"
