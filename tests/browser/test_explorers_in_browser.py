"""Explorers in a real browser: JupyterLab, and the classic notebook with the versions that Colab has.

The picture on the page must be, mark for mark, the one that the same explorer draws here for the same values.
"""

import pytest

import course
from attn_parts.explorer import Slider, Switch
from axe import serious_violations
from contrast import LOOKS
from explorers import of_kind, slider_of
from jupyter_pages import in_lab, marks_of, wait_until, write_notebook

CALLS = [source for _, _, source in course.explorers()]  # as the lessons have them
# That the others draw too, and what each control does, is seen by tests/explorers and on the pages.
MOVED = ["attn.explore_scaling(mine.scaled_scores)", "attn.explore_mask()", "attn.explore_softmax()"]


@pytest.fixture(scope="module")
def notebook(jupyter, call, open_notebook):
    name = f"explorer-{CALLS.index(call)}.ipynb"
    write_notebook(jupyter[1] / name, ["import attn_helpers as attn\nfrom attn_helpers import mine", call])
    return open_notebook(name)


@pytest.fixture
def twin(notebook, call):
    """The explorer as it opens, on the page and here."""
    notebook.run_all()
    [on_page] = notebook.explorers()
    yield Twin(course.made(call), on_page)
    assert not notebook.problems


class Twin:
    def __init__(self, here, on_page):
        self.here, self.on_page, self.page = here, on_page, on_page.page
        self.numbers = of_kind(here, Slider)

    def agree(self, label, value):
        """The number box comes to show `value`, and the picture becomes the one drawn here for it."""
        getattr(self.here, label).value = value
        shown = label not in self.numbers or wait_until(lambda: self.on_page.value(label) == value, self.page)
        assert shown, f"{label}: the box shows {self.on_page.value(label)}, not {value}"
        drawn = marks_of(self.here.picture.value)
        wait_until(lambda: self.on_page.marks() == drawn, self.page)
        assert self.on_page.marks() == drawn

    def press(self, label, key):
        """A key leads where it leads the slider here."""
        slider = slider_of(self.here, label)
        places = {"Home": slider.min, "End": slider.max, "ArrowRight": slider.value + slider.step}
        slider.value = min(places[key], slider.max)
        self.on_page.press(label, key)
        self.agree(label, getattr(self.here, label).value)


@pytest.mark.parametrize("call", MOVED, scope="module")
def test_every_control_leads_to_the_picture_drawn_here(twin):
    here = twin.here
    on_page = twin.on_page
    for key in ("End", "Home", "ArrowRight"):  # one number bounds another: all to one end, then to the other
        for label in twin.numbers:
            twin.press(label, key)
    first = twin.numbers[0]
    before = on_page.value(first)
    on_page.click_track(first, 0.9)
    assert wait_until(lambda: on_page.value(first) != before, on_page.page)
    twin.agree(first, on_page.value(first))
    for label in of_kind(here, Switch):
        ticked = not getattr(here, label).value
        on_page.group(label).locator("input").set_checked(ticked)
        twin.agree(label, ticked)


@in_lab
@pytest.mark.parametrize("call", CALLS, scope="module")
def test_nothing_is_cut_letters_are_seen_in_the_dark_and_axe_finds_no_serious_violation(twin):
    on_page = twin.on_page
    cut = on_page.box.locator(".widget-label, .widget-label-basic, input[type=number]").evaluate_all(
        "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.textContent || n.value)"
    )
    assert cut == []
    assert on_page.svg.bounding_box()["width"] <= on_page.box.bounding_box()["width"] + 1
    assert on_page.svg.get_attribute("role") == "img"
    on_page.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false' }")
    looks = on_page.box.evaluate(LOOKS)
    on_page.page.evaluate("() => { document.body.dataset.jpThemeLight = 'true' }")
    assert any("rgb(26,28,30)" in look for look in looks), "no letter is on the ground of a dark page"
    assert {look: seen for look, seen in looks.items() if seen["contrast"] < seen["least"]} == {}
    # What axe rightly finds and only ipywidgets can fix: the handles of its sliders have no accessible name.
    # The number box of the same label, next to each, has one.
    known = "aria-input-field-name"
    handle = "noUi-handle"
    found = serious_violations(on_page.box)
    assert [(rule, node) for rule, node in found if rule != known or handle not in node] == []
