"""Predictions in a real browser: JupyterLab, and the classic notebook with the versions that Colab has."""

import secrets

import attn_checks as check
from attn_checks.ask.questions import as_text
from axe import serious_violations
from jupyter_pages import wait_until, write_notebook

LONGEST = {slug: max(len(option) for option, _ in q.options.values()) for slug, q in check.QUESTIONS.items()}
SLUGS = [*list(check.QUESTIONS)[:3], max(LONGEST, key=LONGEST.get)]
CELLS = ["import attn_checks as check", *(f"check.predict({slug!r})" for slug in SLUGS)]


def is_answered(box, slug, letter):
    """Whether the question says to this option what it should, and takes no other answer."""
    said, question = box.get_by_role("status").inner_text(), check.QUESTIONS[slug]
    verdict = f"✓ {letter.upper()} is right." if letter == question.right else f"✗ Not {letter.upper()}."
    reply = as_text(question.options[letter][1])
    return verdict in said and reply in said and not box.locator("button:enabled").count()


def test_click_and_keyboard_commit_and_are_remembered(jupyter, open_notebook):
    name = f"asked-{secrets.token_hex(4)}.ipynb"  # a kernel of its own, in which nothing has been chosen yet
    write_notebook(jupyter[1] / name, CELLS)
    notebook = open_notebook(name, width=700)  # where long options need two lines
    page = notebook.page
    notebook.run_all()
    boxes = page.locator(".widget-vbox").filter(has=page.locator("button.attn-option"))
    assert wait_until(lambda: boxes.count() == len(SLUGS), page)
    by_click, by_keyboard, untouched = (boxes.nth(place) for place in range(3))
    cut = page.locator("button.attn-option").evaluate_all(
        "buttons => buttons.filter(b => b.scrollWidth > b.clientWidth + 1 || b.scrollHeight > b.clientHeight + 1)"
        ".map(b => b.textContent)"
    )
    assert cut == []

    by_click.locator("button").nth(1).click()
    assert wait_until(lambda: is_answered(by_click, SLUGS[0], "b"), page)
    option = as_text(check.QUESTIONS[SLUGS[0]].options["b"][0])
    assert by_click.get_by_role("button", name=f"B. {option} (your choice)").count() == 1

    by_keyboard.locator("button").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert wait_until(lambda: is_answered(by_keyboard, SLUGS[1], "b"), page)
    assert untouched.get_by_role("status").inner_text() == ""

    notebook.run_all()  # the cells show what was chosen
    assert wait_until(lambda: boxes.count() == len(SLUGS), page)
    assert wait_until(lambda: is_answered(by_click, SLUGS[0], "b"), page)
    assert wait_until(lambda: is_answered(by_keyboard, SLUGS[1], "b"), page)
    assert untouched.locator("button:disabled").count() == 0
    assert [serious_violations(box) for box in (by_click, by_keyboard, untouched)] == [[], [], []]
    assert not notebook.problems
