"""Letters in the explorers' pictures: none leaves the picture, none lies on another, whatever the settings.

Under each of three families alone, from the narrowest to the widest that readers commonly have.
"""

import functools

import pytest

import attn_helpers as attn
from attn_parts.explorer import Slider, Text
from browsers import only_family, open_chromium
from explorers import NAMES, moved

# rotated labels are left out of the pairs: the box around a slanted word is much larger than the word
MISPLACED = """pictures => pictures.map(picture => {
    document.body.innerHTML = picture;
    const svg = document.querySelector("svg");
    const frame = svg.getBoundingClientRect(), found = [], boxes = [];
    for (const text of svg.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        if (!text.textContent.trim()) continue;
        if (box.left < frame.left - 1 || box.top < frame.top - 1
            || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
            found.push(`cut off: ${text.textContent}`);
        if (!text.getAttribute("transform")) boxes.push([text.textContent, box]);
    }
    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 1 && high > 3) found.push(`on each other: ${a} | ${b}`);  // boxes hold room above letters
    }));
    return found;
})"""


TYPED = ["tea is hot", "Donaudampfschifffahrt antidisestablishmentarianism mmmmmmmm"]
TYPED += [" ".join(attn.WORDS), " ".join(sorted(attn.LEXICON, key=len)[-48:])]


def ends(control, start):
    """The values of one control that stretch a picture most."""
    if isinstance(control, Text):
        return TYPED
    values = control.values(start)
    return [values[0], values[-1]] if isinstance(control, Slider) else values


def settings(explorer):
    """The values as it opens, with each control at its ends, one at a time and all together."""
    start = explorer.values()
    places = {name: ends(explorer.controls[name], start) for name in start}
    yield {}
    for name, values in places.items():
        yield from ({name: value} for value in values)
    yield {name: values[0] for name, values in places.items()}
    yield {name: values[-1] for name, values in places.items()}


@functools.cache
def pictures(name):
    """{setting: picture} of an explorer; drawn once, looked at with the letters of each family."""
    make = getattr(attn, name)
    return {str(setting): moved(make(), **setting).picture.value for setting in settings(make())}


@pytest.fixture(scope="module", params=["Liberation Sans", "DejaVu Sans", "Noto Sans"])
def page(request, playwright, tmp_path_factory):
    """A page of a browser that has letters of this family alone."""
    with open_chromium(playwright, only_family(request.param, tmp_path_factory.mktemp("fonts"))) as browser:
        yield browser.new_page(viewport={"width": 1400, "height": 1000})


@pytest.mark.parametrize("name", NAMES)
def test_letters_stay_in_the_picture_and_off_one_another(name, page):
    found = page.evaluate(MISPLACED, list(pictures(name).values()))
    misplaced = {setting: what[:4] for setting, what in zip(pictures(name), found, strict=True) if what}
    assert not misplaced
