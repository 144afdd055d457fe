"""A notebook just opened, of which no cell was run: pictures in place of explorers, replies folded below predictions."""

import nbformat
import pytest

import attn_checks as check
import course
from attn_checks.predict import Prediction
from attn_checks.questions import as_text
from jupyter_pages import wait_until, write_notebook

SLUG = next(iter(check.QUESTIONS))


@pytest.fixture
def not_run(jupyter, open_notebook):
    """The page of such a notebook, and what is stored of its explorers."""
    explorers = {source: course.made(source).still() for _, _, source in course.explorers()}
    stored = explorers | {f"check.predict({SLUG!r})": Prediction(SLUG).still()}
    path = write_notebook(jupyter[1] / "stored.ipynb", stored)
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        cell.outputs = [nbformat.v4.new_output("execute_result", stored[cell.source], execution_count=1)]
        cell.execution_count = 1
    nbformat.write(notebook, path)
    opened = open_notebook("stored.ipynb")
    yield opened.page, list(explorers.values())
    assert not opened.problems


def test_stored_pictures_stand_and_replies_are_folded(not_run):
    page, bundles = not_run
    pictures = page.locator("img[src^='data:image/svg+xml']")
    assert wait_until(lambda: pictures.count() == len(bundles), page)
    for place, bundle in enumerate(bundles):
        assert pictures.nth(place).evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
        assert pictures.nth(place).get_attribute("alt") == bundle["text/plain"]
    assert "model not found" not in page.inner_text("body").lower()
    fold = page.locator("details").first
    reply = fold.get_by_text(as_text(check.QUESTIONS[SLUG].options["a"][1]))
    assert not reply.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert wait_until(reply.is_visible, page)
