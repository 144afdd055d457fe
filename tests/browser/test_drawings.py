"""Letters in the explorers' pictures: none leaves the picture, none lies on another, whatever the settings."""

import pytest

import attn_helpers as attn

NAMES = sorted(name for name in vars(attn) if name.startswith("explore_"))
# rotated labels are left out of the pairs: the box around a slanted word is much larger than the word
MISPLACED = """svg => {
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
}"""


def ends(control):
    """The values of one control that stretch a picture most."""
    if hasattr(control, "options"):
        return list(control.options)
    return [control.min, control.max] if hasattr(control, "min") else [False, True]


def settings(name):
    """The explorer as it opens, each control at its ends, one at a time and all together."""
    explorer = getattr(attn, name)()
    places = {label: ends(getattr(explorer, label)) for label in explorer._names}
    yield {}
    for label, values in places.items():
        yield from ({label: value} for value in values)
    yield {label: values[0] for label, values in places.items()}
    yield {label: values[-1] for label, values in places.items()}
    if name == "explore_dot_product":
        yield {"angle": 0, "q_length": 2.0, "k_length": 2.0}  # one arrow on the other


@pytest.mark.parametrize("name", NAMES)
def test_letters_stay_in_the_picture_and_off_one_another(name, chromium):
    page, misplaced = chromium.new_page(viewport={"width": 1400, "height": 1000}), {}
    for setting in settings(name):
        explorer = getattr(attn, name)()
        for label, value in setting.items():
            getattr(explorer, label).value = value
        page.set_content(explorer._svg)
        found = page.locator("svg").evaluate(MISPLACED)
        if found:
            misplaced[str(setting)] = found[:4]
    page.close()
    assert not misplaced
