"""What lessons, checkers, errors and documents say has few of the phrases that STYLE counts: below 2 per 1,000 words."""

import ast
import re

import pytest

import course
import reading

DOCUMENTS = [*map(course.ROOT.joinpath, ("README.md", "TEACHING.md", "CONTRIBUTING.md", "MAINTAINING.md"))]
DOCUMENTS += [*course.ROOT.glob("teaching/*.md"), course.ROOT / "notebooks/data/README.md"]


def told(path):
    """The strings of a Python file that are sentences: no docstring, no markup."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in docstrings]
    return "\n".join(text for text in texts if isinstance(text, str) and " " in text and "<" not in text)


def few(text, semicolons):
    hits = [hit for hit in reading.mannerisms(text) if semicolons or not hit.startswith("semicolon")]
    assert 1000 * len(hits) < 2 * reading.words(text), hits


@pytest.mark.parametrize("folder", ["attn_checks", "attn_parts"])
def test_messages(folder):
    few("\n".join(map(told, sorted((course.ROOT / folder).rglob("*.py")))), semicolons=False)


@course.every_lesson
def test_lessons(path):
    folder = course.ROOT / "attn_lessons" / f"lesson{path.stem[:2]}"
    mistakes = folder / "mistakes.md"
    said = mistakes.read_text(encoding="utf-8") if mistakes.exists() else ""
    few("\n".join([said, *map(told, sorted(folder.glob("*.py")))]), semicolons=False)
    lesson = course.markdown(course.read(path).cells).split("\n## Glossary")[0]
    questions = (folder / "questions.md").read_text(encoding="utf-8").split("\n## ", 1)[1]
    for text in (lesson, questions):
        few(re.sub(r"(?m)^\|.*$", "", reading.prose(text, folds=True)), semicolons=True)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents(path):
    text = re.sub(r"(?s)```.*?```", " ", path.read_text(encoding="utf-8"))
    few(reading.prose(text, folds=True), semicolons=True)
