"""Walking through a deck of slides in a browser, and what is seen at each stop."""

WIDTH, HEIGHT = 1280, 720
SEEN = """() => {
    const slide = Reveal.getCurrentSlide()
    const here = part => part.getClientRects().length && !part.closest('.notes, .attn-told, mjx-assistive-mml')
        && (!part.closest('.fragment') || part.closest('.fragment.visible'))
    const parts = [...slide.querySelectorAll('*')].filter(here)
    const letters = kind => parts.filter(part => part.matches(kind)).map(part => parseFloat(getComputedStyle(part).fontSize))
    return {
        place: Object.values(Reveal.getIndices()).slice(0, 2).join('.'),
        height: slide.scrollHeight,
        right: Math.max(...parts.map(part => part.getBoundingClientRect().right)),
        code: letters('pre, pre *'),
        text: letters('p, li, td, button'),
        cells: parts.filter(part => part.matches('.jp-Cell')).map(part => part.id.replace('cell-id=', '')),
    }
}"""


def look(page):
    return page.evaluate(SEEN)


def walk(page):
    """What is seen at each stop, from the first slide to the last."""
    while True:
        yield look(page)
        if page.evaluate("Reveal.isLastSlide() && !Reveal.availableFragments().next"):
            return
        page.keyboard.press("PageDown")


def assert_fits(seen):
    """Nothing is cut off, code has at least 20 pixels and text more."""
    assert seen["height"] <= HEIGHT and seen["right"] <= WIDTH, seen
    assert all(size >= 20 for size in seen["code"]), seen
    assert all(size > 20 for size in seen["text"]), seen
