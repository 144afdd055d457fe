"""Explorers in a real browser: JupyterLab, and the classic notebook with the versions that Colab has.

The picture on the page must be, mark for mark, the one that the same explorer draws here for the same values.
"""

from playwright.sync_api import expect

import course
from attn_parts.explorer import Slider, Switch
from axe import serious_violations
from contrast import LOOKS
from explorers import of_kind, slider_of
from jupyter_pages import click_at, in_lab, marks_of, wait_until, write_notebook

CALLS = [source for _, _, source in course.explorers()]  # as the lessons have them
# That the others draw too, and what each control does, is seen by tests/explorers and on the pages.
MOVED = [
    "attn.explore_scaling(mine.scaled_scores)",
    "attn.explore_mask()",
    "attn.explore_softmax()",
]
CUT = """box => [...box.querySelectorAll('.widget-label, .widget-label-basic, input[type=number]')]
    .filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.textContent || node.value)"""
DARK = "dark => { document.body.dataset.jpThemeLight = !dark }"


def explorers_of(calls, folder, open_notebook):
    """A notebook that has run these calls: (call, explorer on the page) of each."""
    name = f"explorers-{len(calls)}.ipynb"
    write_notebook(
        folder / name,
        ["import attn_helpers as attn\nfrom attn_helpers import mine", *calls],
    )
    notebook = open_notebook(name)
    notebook.run_all()
    yield from zip(calls, notebook.explorers(len(calls)), strict=True)
    assert not notebook.problems


def assert_alike(here, on_page, name, value):
    """The number box comes to show `value`, and the picture becomes the one drawn here for it."""
    getattr(here, name).value = value
    shown = name not in of_kind(here, Slider) or wait_until(
        lambda: on_page.value(name) == value, on_page.page
    )
    assert shown, f"{name}: the box shows {on_page.value(name)}, not {value}"
    drawn = marks_of(here.picture.value)
    wait_until(lambda: on_page.marks() == drawn, on_page.page)
    assert on_page.marks() == drawn, (name, value)


def test_every_control_leads_to_the_picture_drawn_here(jupyter, open_notebook):
    _, folder, _ = jupyter
    for call, on_page in explorers_of(MOVED, folder, open_notebook):
        here = course.made(call)
        sliders = of_kind(here, Slider)
        for key in (
            "End",
            "Home",
            "ArrowRight",
        ):  # one number bounds another: all to one end, then to the other
            for name in sliders:
                slider = slider_of(here, name)
                places = {
                    "Home": slider.min,
                    "End": slider.max,
                    "ArrowRight": slider.value + slider.step,
                }
                slider.value = min(places[key], slider.max)
                on_page.press(name, key)
                assert_alike(here, on_page, name, getattr(here, name).value)
        first = on_page.group(sliders[0])
        shown = first.locator("input[type=number]")
        before = shown.input_value()
        click_at(first.locator(".noUi-target, .ui-slider"), 0.9)
        expect(shown).not_to_have_value(before)
        assert_alike(here, on_page, sliders[0], on_page.value(sliders[0]))
        for name in of_kind(here, Switch):
            ticked = not getattr(here, name).value
            on_page.group(name).locator("input").set_checked(ticked)
            assert_alike(here, on_page, name, ticked)


@in_lab
def test_nothing_is_cut_letters_are_seen_in_the_dark_and_axe_finds_no_serious_violation(
    jupyter, open_notebook
):
    _, folder, _ = jupyter
    for call, on_page in explorers_of(CALLS, folder, open_notebook):
        assert on_page.box.evaluate(CUT) == [], call
        assert on_page.svg.bounding_box()["width"] <= on_page.box.bounding_box()["width"] + 1, call
        on_page.page.evaluate(DARK, True)
        looks = on_page.box.evaluate(LOOKS)
        on_page.page.evaluate(DARK, False)
        assert any("on rgb(26,28,30)" in look for look in looks), "no letter is on the ground of a dark page"
        assert {look: seen for look, seen in looks.items() if seen["contrast"] < seen["least"]} == {}, call
        # What axe rightly finds and only ipywidgets can fix: the handles of its sliders have no accessible
        # name. The number box of the same label, next to each, has one.
        found = serious_violations(on_page.box)
        known = "aria-input-field-name", "noUi-handle"
        assert [(rule, node) for rule, node in found if rule != known[0] or known[1] not in node] == [], call
