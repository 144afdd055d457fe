"""What axe, a checker of accessibility, finds wrong with a page or with a part of it."""

import pathlib

import axe_playwright_python

SCRIPT = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
# Colours take axe longer than all else: three texts of each colour, size and ground stand for the others.
LOOKS = """() => {
    const looks = window.attnLooks = {}
    for (const node of document.querySelectorAll('body *')) {
        const texts = [...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE)
        const says = texts.some(text => text.data.trim())
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
    return Object.keys(looks)
}"""
# a colour on its way from light to dark is neither, and one that sets out late is missed
AT_ONCE = "*, ::before, ::after { transition: none !important; animation: none !important }"
# of all that axe says only what is read here; handed over whole it takes longer than axe itself
AXE = """async (where, options) => {
    const {violations} = await axe.run(where, {resultTypes: ['violations'], ...options})
    return violations.flatMap(({id, nodes}) => nodes
        .filter(node => node.impact === 'serious' || node.impact === 'critical')
        .map(node => [id, node.html.slice(0, 150)]))
}"""
# a page in a folder may read no other file
ALL_BUT_COLOURS = (
    f"""() => ({AXE})(document, {{preload: false, rules: {{'color-contrast': {{enabled: false}}}}}})"""
)
COLOURS = f"""looks => ({AXE})({{include: looks.flatMap(look => attnLooks[look])}},
    {{preload: false, runOnly: ['color-contrast', 'link-in-text-block']}})"""


def serious_violations(box):
    load(box.page)
    return box.evaluate(f"box => ({AXE})(box)")


def serious_violations_of_page(page, looked_at):
    """[(rule, HTML)] of what is serious in a page, in light colours and in dark.

    `looked_at` is a set of looks in which other pages had nothing wrong; those of this page are added.
    """
    load(page)
    found = page.evaluate(ALL_BUT_COLOURS)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(50)  # for what follows the opening of a fold
        new = {look for look in page.evaluate(LOOKS) if (scheme, look) not in looked_at}
        wrong = page.evaluate(COLOURS, list(new)) if new else []
        looked_at.update((scheme, look) for look in new if not wrong)
        found += wrong
    return found


def load(page):
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT)
        page.add_style_tag(content=AT_ONCE)
