"""What the lessons say: terms that are defined, numbers that a cell shows."""

import math
import re

import pytest

import course

every_notebook = pytest.mark.parametrize("path", course.NOTEBOOKS, ids=course.name)


def singular(term):
    return re.sub(r"(?<!s)s$", "", term.lower().strip(" .:,"))


@every_notebook
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


def shown_numbers(notebook):
    shown = [cell.source for cell in course.code_cells(notebook)]
    for _, output in course.outputs(notebook):
        text = course.output_text(output)
        shown += [
            re.sub(r"<[^>]+>", " ", text),
            *re.findall(r'\balt="([^"]*)"', text),
        ]  # no coordinates of SVG
    found = re.findall(r"\d*\.\d+(?:e[-+]?\d+)?|\d+(?:e[-+]?\d+)?\.?", "\n".join(shown).replace(",", ""))
    return [float(number) for number in found]


@every_notebook
def test_numbers_in_the_text_are_shown_by_a_cell(path):
    notebook = course.read(path)
    shown = shown_numbers(notebook)
    stale = []
    for number in sorted(quoted_numbers(course.markdown(notebook))):
        digits = len(number.split(".")[1])
        near = any(
            math.isclose(value, float(number), rel_tol=0, abs_tol=0.5001 * 10**-digits) for value in shown
        )
        if not near:
            stale.append(number)
    assert not stale, f"quoted in the text, shown by no cell: {stale}"
