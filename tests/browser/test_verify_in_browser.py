"""A page dropped on the site is verified there: right, wrong or refused, and nothing is fetched before."""

import pytest

from attn_checks.kept.page import html_of
from axe import serious_violations_of_page
from readers_page import SCORES, TEXT, made
from static_pages import write_front_page

import boxes  # isort: skip

LOOPS = made({"softmax": "def softmax(x):\n    while True: pass", "scores": SCORES})
PATCHES = "import attn_box, js; attn_box.page_answer = lambda asked: '[]'; js.fetch = None"
FORGED = made({"softmax": f"def softmax(x, y=exec({PATCHES!r})):\n    return x"})


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = write_front_page(tmp_path_factory.mktemp("site"))
    boxes.write_python(site / "python")
    return site


def test_a_dropped_page_is_verified_in_the_browser(context, address, tmp_path):
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/verify.html")
    assert not [url for url in asked if "/python/" in url]
    assert serious_violations_of_page(page, set()) == []
    for text, told, rows in (
        (TEXT, "All that can be proved is right.", ["right"] * 4 + ["stated"] * 4),
        (html_of(LOOPS), "1 of what it shows is wrong or changed.", ["wrong", "right", "stated", "stated"]),
        (html_of(FORGED), "1 of what it shows is wrong or changed.", ["wrong", "stated", "stated"]),
        (TEXT[:-9], "Refused: my_attention.html. It's cut off", []),
        (TEXT, "All that can be proved is right.", ["right"] * 4 + ["stated"] * 4),
    ):
        (tmp_path / "my_attention.html").write_text(text, "utf-8")
        page.locator("input").set_input_files(tmp_path / "my_attention.html")
        page.locator("[data-done]").wait_for(timeout=180_000)
        assert told in page.get_by_role("status").inner_text()
        assert page.locator("td:first-child").all_inner_texts() == rows
    assert all(url.startswith((address, "blob:")) for url in asked)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()
