"""Letters in the explorers' pictures: none leaves the picture, none lies on another, whatever the settings.

Under each of three families alone, from the narrowest to the widest that readers commonly have.
"""

import functools

import ipywidgets
import pytest

import attn_helpers as attn
from browsers import only_family, open_chromium
from explorers import controls

NAMES = sorted(name for name in vars(attn) if name.startswith("explore_"))
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


def ends(control):
    """The values of one control that stretch a picture most."""
    if hasattr(control, "options"):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if isinstance(control, ipywidgets.Text):
        return [
            "tea is hot",
            "Donaudampfschifffahrt antidisestablishmentarianism mmmmmmmm",
            " ".join(attn.WORDS),
            " ".join(sorted(attn.LEXICON, key=len)[-48:]),
        ]
    return [control.min, control.max] if hasattr(control, "min") else [False, True]


def settings(name):
    """The explorer as it opens, each control at its ends, one at a time and all together."""
    places = {label: ends(control) for label, control in controls(getattr(attn, name)()).items()}
    yield {}
    for label, values in places.items():
        yield from ({label: value} for value in values)
    yield {label: values[0] for label, values in places.items()}
    yield {label: values[-1] for label, values in places.items()}


@functools.cache
def pictures(name):
    """{setting: picture} of an explorer; drawn once, looked at with the letters of each family."""
    drawn = {}
    for setting in settings(name):
        explorer = getattr(attn, name)()
        for label, value in setting.items():
            getattr(explorer, label).value = value
        drawn[str(setting)] = explorer.picture.value
    return drawn


@pytest.fixture(scope="module", params=["Liberation Sans", "DejaVu Sans", "Noto Sans"])
def letters(request, playwright, tmp_path_factory):
    """(family, page): a page of a browser that has this family alone."""
    with open_chromium(playwright, only_family(request.param, tmp_path_factory.mktemp("fonts"))) as browser:
        yield request.param, browser.new_page(viewport={"width": 1400, "height": 1000})


def families(page):
    """The families in which the letters of the page's picture are drawn, as the browser tells."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "svg"})["nodeId"]
    fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"] for font in fonts}


@pytest.mark.parametrize("name", NAMES)
def test_letters_stay_in_the_picture_and_off_one_another(name, letters):
    family, page = letters
    found = page.evaluate(MISPLACED, list(pictures(name).values()))
    misplaced = {setting: what[:4] for setting, what in zip(pictures(name), found, strict=True) if what}
    assert families(page) == {family}
    assert not misplaced
