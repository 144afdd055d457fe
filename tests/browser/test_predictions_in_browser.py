"""Predictions in a real browser: JupyterLab, and the classic notebook with the versions that Colab has."""

import secrets

from playwright.sync_api import expect

import attn_checks as check
from attn_checks.ask.questions import as_text
from axe import serious_violations
from jupyter_pages import write_notebook

LONGEST = {slug: max(len(option) for option, _ in q.options.values()) for slug, q in check.QUESTIONS.items()}
SLUGS = [*list(check.QUESTIONS)[:3], max(LONGEST, key=LONGEST.get)]
CELLS = ["import attn_checks as check", *(f"check.predict({slug!r})" for slug in SLUGS)]
CUT = """() => [...document.querySelectorAll('button.attn-option')]
    .filter(option => option.scrollWidth > option.clientWidth + 1
        || option.scrollHeight > option.clientHeight + 1)
    .map(option => option.textContent)"""


def expect_answered(box, slug, letter):
    """The question comes to say to this option what it should, and takes no other answer."""
    question = check.QUESTIONS[slug]
    said = box.get_by_role("status")
    expect(said).to_contain_text("is right." if letter == question.right else f"Not {letter.upper()}.")
    expect(said).to_contain_text(as_text(question.options[letter][1]))
    expect(box.locator("button:enabled")).to_have_count(0)


def test_click_and_keyboard_commit_and_are_remembered(jupyter, open_notebook):
    name = f"asked-{secrets.token_hex(4)}.ipynb"  # a kernel of its own, in which nothing has been chosen yet
    write_notebook(jupyter[1] / name, CELLS)
    notebook = open_notebook(name, width=700)  # where long options need two lines
    page = notebook.page
    boxes = page.locator(".widget-vbox").filter(has=page.locator("button.attn-option"))
    by_click, by_keyboard, untouched = (boxes.nth(place) for place in range(3))
    notebook.run_all()
    expect(boxes).to_have_count(len(SLUGS))
    assert page.evaluate(CUT) == []

    by_click.locator("button").nth(1).click()
    expect_answered(by_click, SLUGS[0], "b")
    option = as_text(check.QUESTIONS[SLUGS[0]].options["b"][0])
    assert by_click.get_by_role("button", name=f"B. {option} (your choice)").count() == 1
    by_keyboard.locator("button").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_answered(by_keyboard, SLUGS[1], "b")

    notebook.run_all()  # the cells show what was chosen
    expect(boxes).to_have_count(len(SLUGS))
    expect_answered(by_click, SLUGS[0], "b")
    expect_answered(by_keyboard, SLUGS[1], "b")
    assert untouched.get_by_role("status").inner_text() == ""
    assert untouched.locator("button:disabled").count() == 0
    assert [serious_violations(box) for box in (by_click, by_keyboard, untouched)] == [
        [],
        [],
        [],
    ]
    assert not notebook.problems
