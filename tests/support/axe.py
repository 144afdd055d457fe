"""What axe, a checker of accessibility, finds wrong with a page or with a part of it."""

import pathlib

import axe_playwright_python

SCRIPT = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
# Colours take axe ten times as long as all else: three texts of each colour, size and ground stand for the others.
THREE_OF_EACH_LOOK = """() => {
    const looks = {}
    for (const node of document.querySelectorAll('body *')) {
        const says = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim())
        if (!says || !node.checkVisibility({visibilityProperty: true})) continue
        const {color, fontSize, fontWeight} = getComputedStyle(node), look = [color, fontSize, fontWeight]
        for (let box = node; box; box = box.parentElement) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(box)
            const ground = [backgroundColor, backgroundImage, opacity].join()
            if (ground !== 'rgba(0, 0, 0, 0),none,1') look.push(ground)
        }
        const alike = looks[look.join('|')] ??= []
        if (alike.length < 3) alike.push(node)
    }
    return Object.values(looks).flat()
}"""


def serious_violations(box):
    """[(rule, HTML)] of what is serious in one box of a page."""
    load(box.page)
    return serious(box.evaluate("box => axe.run(box, {resultTypes: ['violations']})"))


def serious_violations_of_page(page):
    """[(rule, HTML)] of what is serious in a page, in light colours and in dark."""
    load(page)
    options = {
        "resultTypes": ["violations"],
        "preload": False,
    }  # a page opened from a folder may read no other file
    rest = options | {"rules": {"color-contrast": {"enabled": False}}}
    found = serious(page.evaluate("options => axe.run(document, options)", rest))
    colours = options | {"runOnly": ["color-contrast", "link-in-text-block"]}
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(50)  # for what follows the opening of a fold
        found += serious(
            page.evaluate(f"options => axe.run({{include: ({THREE_OF_EACH_LOOK})()}}, options)", colours)
        )
    return found


def load(page):
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT)


def serious(result):
    return [
        (violation["id"], node["html"][:150])
        for violation in result["violations"]
        for node in violation["nodes"]
        if node["impact"] in ("serious", "critical")
    ]
