"""Every explorer in a real browser: JupyterLab, and the classic notebook with the versions that Colab has.

The picture on the page must be, mark for mark, the one that the same explorer draws here for the same values.
"""

import re

import pytest

import course
from attn_parts.explorer import Choice, Slider, Switch
from axe import serious_violations
from course import ROOT
from explorers import of_kind, slider_of
from jupyter_pages import in_lab, marks_of, wait_until, write_notebook

CALLS = [source for _, _, source in course.explorers()]  # as the lessons have them
ALONE = """box => document.querySelectorAll('.jp-Cell, div.cell').forEach(
    cell => { cell.style.display = cell.contains(box) ? '' : 'none' })"""
SCREENSHOTS = ROOT / "test-results" / "explorers"


@pytest.fixture(scope="module")
def workbench(jupyter, open_notebook):
    """A notebook that has run, with every explorer in it; (notebook, {call: explorer on the page})."""
    write_notebook(jupyter[1] / "all.ipynb", ["import attn_helpers as attn", *CALLS])
    notebook = open_notebook("all.ipynb")
    notebook.run_all()
    assert wait_until(
        lambda: notebook.page.locator(".widget-html-content svg").count() == len(CALLS), notebook.page
    )
    return notebook, dict(zip(CALLS, notebook.explorers(), strict=True))


class Twin:
    """An explorer on the page, and the same one here."""

    def __init__(self, call, on_page, app):
        self.call, self.on_page, self.app = call, on_page, app
        self.here = course.made(call)

    def labels(self, kind):
        return of_kind(self.here, kind)

    @property
    def numbers(self):
        return self.labels(Slider)

    @property
    def lists(self):
        return [label for label in self.labels(Choice) if not self.here.controls[label].buttons]

    def agree(self, label, value):
        """The number box comes to show `value`, and the picture becomes the one drawn here for it."""
        getattr(self.here, label).value = value
        if label in self.numbers:
            assert wait_until(lambda: self.on_page.value(label) == value, self.on_page.page), (
                f"{label}: the box shows {self.on_page.value(label)}, not {value}"
            )
        self.same_picture()

    def rejoin(self):
        """Set the page to the values that the explorer has here, should they have parted.

        One number bounds another, so each is typed once the kernel has taken the one before, and looked at again.
        """
        if self.agrees():
            return
        for label in 2 * self.numbers:
            self.on_page.type(label, str(getattr(self.here, label).value))
            self.on_page.notebook.settle()
        for label in self.labels(Switch):
            self.on_page.group(label).locator("input").set_checked(getattr(self.here, label).value)
        for label in self.lists:
            self.on_page.group(label).locator("select").select_option(label=getattr(self.here, label).label)
        self.same_picture()

    def agrees(self):
        return self.on_page.marks() == marks_of(self.here.picture.value)

    def same_picture(self):
        if not wait_until(self.agrees, self.on_page.page):
            assert self.on_page.marks() == marks_of(self.here.picture.value)

    def presses(self, label, key):
        """A key leads where it leads the slider here, from where both stand."""
        slider = slider_of(self.here, label)
        places = {"Home": slider.min, "End": slider.max, "ArrowRight": slider.value + slider.step}
        slider.value = min(places[key], slider.max)
        self.on_page.press(label, key)
        box = getattr(self.here, label)
        assert box.value == {"Home": box.min, "End": box.max}.get(key, box.value)
        self.agree(label, box.value)

    def screenshot(self, setting):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        name = "_".join(re.findall(r"\w+", self.call.removeprefix("attn.explore_")))
        self.on_page.box.screenshot(path=SCREENSHOTS / f"{self.app}_{name}_{setting}.png")


@pytest.fixture(scope="module", params=CALLS)
def pair(request, workbench, jupyter):
    """An explorer on the page and its twin; a test goes on where the one before left them."""
    notebook, explorers = workbench
    explorers[request.param].box.evaluate(ALONE)
    return Twin(request.param, explorers[request.param], jupyter[0])


@pytest.fixture
def twin(pair):
    """The same, for one test; fails if the page reports an error."""
    pair.rejoin()
    yield pair
    assert not pair.on_page.notebook.problems


@in_lab
def test_keyboard_leads_every_slider_to_its_ends(twin):
    """One number bounds another: a sentence that has grown has more rows to choose from."""
    twin.screenshot("default")
    for key, setting in (("End", "largest"), ("Home", "smallest"), ("ArrowRight", "next")):
        for label in twin.numbers:
            twin.presses(label, key)
        twin.screenshot(setting)


def test_mouse_and_keyboard_move_a_slider(twin):
    """One of each explorer, since all are made alike."""
    for label in twin.numbers[:1]:
        near_left = 0.2 if twin.on_page.value(label) > getattr(twin.here, label).max / 2 else 0.9
        for move, share in ((twin.on_page.click_track, near_left), (twin.on_page.drag, 1 - near_left)):
            before = twin.on_page.value(label)
            move(label, share)
            twin.on_page.notebook.settle()  # the numbers on the way have all arrived
            assert twin.on_page.value(label) != before, f"{label}: {move.__name__} to {share}"
            twin.agree(label, twin.on_page.value(label))
        for key in ("Home", "ArrowRight"):
            twin.presses(label, key)


@in_lab
def test_number_boxes_take_exact_values(twin):
    for label in twin.numbers:
        box = getattr(twin.here, label)
        value = {"d_k": 100, "temperature": 0.7, "score": 1.25}.get(label, box.max - box.step)
        value = min(value, box.max)
        twin.on_page.type(label, str(round(value, 3)))
        twin.agree(label, round(value, 3))
        twin.on_page.notebook.settle()
        twin.agree(label, round(value, 3))  # and nothing moves it afterwards


def test_boxes_to_tick_and_lists(twin):
    for label in twin.labels(Switch):
        ticked = not getattr(twin.here, label).value
        twin.on_page.group(label).locator("input").set_checked(ticked)
        twin.agree(label, ticked)
    for label in twin.lists:
        choices = getattr(twin.here, label)
        for place in {0, 1, len(choices.options) - 1}:
            choices.index = place
            twin.on_page.group(label).locator("select").select_option(label=choices.label)
            twin.agree(label, choices.value)


@in_lab
def test_size_enlarges_the_picture(twin):
    small = twin.on_page.width()
    twin.on_page.group("size").locator("select").select_option("200 %")
    assert wait_until(lambda: twin.on_page.width() > 1.5 * small, twin.on_page.page)
    twin.on_page.group("size").locator("select").select_option("100 %")
    assert wait_until(lambda: twin.on_page.width() == small, twin.on_page.page)


@in_lab
def test_no_control_is_cut(twin):
    cut = twin.on_page.box.locator(
        ".widget-label, .widget-label-basic, .widget-inline-hbox input[type=number]"
    ).evaluate_all(
        "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.textContent || n.value)"
    )
    assert cut == []
    assert twin.on_page.width() <= twin.on_page.box.bounding_box()["width"] + 1


@in_lab
def test_axe_finds_no_serious_violation(twin):
    assert twin.on_page.svg.get_attribute("role") == "img"
    # What axe rightly finds and only ipywidgets can mend: the handles of its sliders have no accessible name.
    # The number box of the same label, next to each, has one.
    known, handle = "aria-input-field-name", "noUi-handle"
    found = serious_violations(twin.on_page.box)
    assert [(rule, node) for rule, node in found if rule != known or handle not in node] == []
