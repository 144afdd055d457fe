"""Which letters of drawn pictures can't be read: small ones, and those of too little contrast (WCAG 2)."""

# What is behind a text: the page's ground, then every shape drawn before it in its picture that is filled
# where the text's middle is. Strokes are thin and are left out, and so are letters that aren't shown.
LOOKS = """box => {
    const brush = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true}), known = {}
    const rgba = colour => known[colour] ??= (() => {
        brush.clearRect(0, 0, 1, 1)
        brush.fillStyle = colour
        brush.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
        return [r, g, b, a / 255]
    })()
    const over = ([r, g, b, a], below) => [r, g, b].map((part, k) => part * a + below[k] * (1 - a))
    const luminance = colour => colour.map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0)
    const opacities = new Map([[null, 1]]), grounds = new Map([[null, [255, 255, 255]]])
    const recall = (known, box, make) => known.has(box)
        ? known.get(box) : known.set(box, make(getComputedStyle(box))).get(box)
    const opacityOf = box => recall(opacities, box, style => style.opacity * opacityOf(box.parentElement))
    const groundOf = box =>
        recall(grounds, box, style => over(rgba(style.backgroundColor), groundOf(box.parentElement)))
    const painted = (mark, {fill, fillOpacity, opacity}) => {
        const [r, g, b, a] = rgba(fill)
        return [r, g, b, a * fillOpacity * opacity * opacityOf(mark.parentElement)]
    }
    const found = {}
    for (const svg of box.querySelectorAll('svg:has(text)')) {
        const shapes = [], scale = Math.abs(svg.getScreenCTM().a)
        for (const mark of svg.querySelectorAll('rect, path, polygon, circle, ellipse, text')) {
            const style = getComputedStyle(mark)
            if (mark.tagName !== 'text') {
                if (style.fill !== 'none')
                    shapes.push([mark, mark.getScreenCTM()?.inverse(), painted(mark, style)])
                continue
            }
            const {left, top, width, height} = mark.getBoundingClientRect()
            if (!width || !mark.textContent.trim() || !mark.checkVisibility({visibilityProperty: true}))
                continue
            const middle = new DOMPoint(left + width / 2, top + height / 2)
            const behind = shapes
                .filter(([shape, inverse]) => shape.isPointInFill(middle.matrixTransform(inverse)))
                .reduce((below, [, , colour]) => over(colour, below), groundOf(svg))
            const ink = over(painted(mark, style), behind)
            const [dark, light] = [ink, behind].map(luminance).sort((a, b) => a - b)
            const size = parseFloat(style.fontSize) * scale
            const least = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5
            const contrast = (light + 0.05) / (dark + 0.05)
            const rounded = [ink, behind].map(colour => `rgb(${colour.map(Math.round)})`)
            const look = [...rounded, least].join(' on ')
            found[look] ??= {contrast, least, size, text: mark.textContent, count: 0}
            found[look].count++
            if (size < found[look].size) Object.assign(found[look], {size, text: mark.textContent})
        }
    }
    return found
}"""
# Every control to its ends and to a value between, a text to its first words; each look's smallest letters.
MOVE = """box => {
    const seen = {}, looks = LOOKS
    const look = setting => {
        for (const [name, found] of Object.entries(looks(box)))
            if (found.size < (seen[name]?.size ?? Infinity)) seen[name] = {...found, setting}
    }
    look('at first')
    for (const control of box.querySelectorAll('[data-control], [data-off], .controls :is(input, select)')) {
        const set = (key, value) => {
            control[key] = value
            control.dispatchEvent(new Event('input', {bubbles: true}))
            look(`${control.dataset.control ?? control.dataset.off ?? control.id} ${value}`)
        }
        const {type, options, checked, value} = control
        const between = (first, last) => new Set([last, Math.floor((first + last) / 2), first])
        if (type === 'checkbox') [!checked, checked].forEach(ticked => set('checked', ticked))
        if (type === 'text') [value.split(' ', 4).join(' '), value].forEach(typed => set('value', typed))
        if (type === 'range') between(+control.min, +control.max).forEach(place => set('value', place))
        if (options) between(0, options.length - 1).forEach(place => set('selectedIndex', place))
        if (type === 'button') {
            control.click()
            look(`${control.textContent} pressed`)
        }
    }
    return seen
}""".replace("LOOKS", LOOKS)


def read_badly(box, smallest=10.9):
    """{ink and ground: what is known of them} of letters that can't be read, wherever the controls are."""
    looks = box.evaluate(MOVE)
    assert looks, "no letters are drawn here"
    return {look: x for look, x in looks.items() if x["contrast"] < x["least"] or x["size"] < smallest}
