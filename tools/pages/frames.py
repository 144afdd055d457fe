"""Explorers on the pages: their pictures drawn while the pages are built, so that they move without a kernel.

An explorer's own function draws each *frame*: at every setting of its controls if there are at most MOST,
else at those that its `frames` declares. `plan` lists the settings from the explorer's table of controls,
`controls_html` writes plain controls for them, `pack` draws the frames and stores each mark once; frames.js
unpacks and shows them.
"""

import base64
import gzip
import html
import json
import re
from typing import NamedTuple

import attn_helpers as attn
from attn_parts.explorer import ALL, Choice, Explorer, Slider, Step, Switch, Text

MOST = 1500
# what a stored picture says beside a kernel, and where nothing runs
NO_KERNEL = "Run the cell to get the controls.", "Its controls are in the notebook."
# small numbers are stored as letters, as frames.js reads them: 0 is the one after the quotation mark
FIRST = 35
MARK = re.compile(r"<[a-z][^<]*(?:</[^<]*)*")
LINE = re.compile(r'<text x="\d\d" y="([^"]+)"[^>]*>([^<]+)</text>')  # of text at the left edge


class Plan(NamedTuple):
    """An explorer, and the values of its controls in each frame; the first is where it opens."""

    explorer: Explorer
    settings: list[dict]


def explorer_of(source):
    """The explorer that a cell such as "attn.explore_mask()" shows; None for other cells."""
    if not re.fullmatch(r"attn\.explore_\w+\([^()]*\)", source.strip()):
        return None
    by_the_course = re.sub(r"mine\.\w+", "", source)
    return eval(by_the_course, {"attn": attn})


def plan(explorer):
    """The Plan of an explorer; None if it declares no frames and all its settings are more than MOST."""
    start = explorer.values()
    found = {}
    every = {name: ALL for name in start if not isinstance(explorer.controls[name], Text)}
    for part in [{}, *(explorer.frames or [every])]:
        for values in combinations(explorer, start, list(part.items())):
            found.setdefault(tuple(values.values()), values)
            if explorer.frames is None and len(found) > MOST:
                return None
    return Plan(explorer, list(found.values()))


def combinations(explorer, values, part):
    """The values of all controls at every combination of `part`, pairs of a control and its values or ALL."""
    if not part:
        yield values
        return
    (name, wanted), *rest = part
    for value in explorer.controls[name].values(values) if wanted == ALL else wanted:
        yield from combinations(explorer, explorer.after(name, value, values), rest)


def scales(plan):
    """{control: {value: how it reads}, in order}, of those that differ from frame to frame."""
    found = {}
    for name in plan.settings[0]:
        control = plan.explorer.controls[name]
        values = [setting[name] for setting in plan.settings]
        if isinstance(control, Choice):
            values = filter(values.__contains__, control.values({}))
        elif not isinstance(control, Text):
            values = sorted(values)
        found[name] = {value: control.read(value) for value in values}
    return {name: readings for name, readings in found.items() if len(readings) > 1}


def pictures(cell):
    """What a cell's outputs hold, of those that are HTML."""
    return [output["data"] for output in cell["outputs"] if "text/html" in output.get("data", {})]


def stills(cell):
    """The stored pictures of a cell, with nothing beside them that is true only where a kernel runs."""
    found = pictures(cell)
    for data in found:
        data["text/html"] = data["text/html"].replace(*NO_KERNEL)
    return found


def as_html(plan, name, still):
    """An explorer on its page: controls, the still that frames replace, and where they are told."""
    return (
        f'<div class="attn-explorer" data-frames="{name}">{controls_html(plan, name)}'
        f'<div class="attn-picture">{still}</div><div class="attn-told" role="status"></div></div>'
    )


def controls_html(plan, name):
    """The controls as HTML, in the explorer's order; disabled until the frames are there."""
    found = scales(plan)
    parts = []
    for label, control in plan.explorer.controls.items():
        if isinstance(control, Step):
            parts.append(f'<button type="button" data-control="{label}">{html.escape(label)}</button>')
        elif label in found:
            now = plan.settings[0][label]
            parts.append(f"<span>{control_html(control, f'{name}-{label}', found[label], now)}</span>")
    return f'<fieldset class="attn-controls" hidden disabled>{"".join(parts)}</fieldset>'


def control_html(control, identity, readings, now):
    marks = f'id="{identity}" data-control="{control.name}"'
    named = f'<label for="{identity}">{html.escape(control.name)}</label>'
    if isinstance(control, Switch):
        return f'<input type="checkbox" {marks}{" checked" * now}>{named}'
    if isinstance(control, Slider):
        place = list(readings).index(now)
        ends = f'min="0" max="{len(readings) - 1}" value="{place}" aria-valuetext="{readings[now]}"'
        return f'{named}<input type="range" {marks} {ends}><b aria-hidden="true">{readings[now]}</b>'
    options = "".join(
        f"<option{' selected' * (value == now)}>{html.escape(text)}</option>"
        for value, text in readings.items()
    )
    return f"{named}<select {marks}>{options}</select>"


def pack(plan, name):
    """The JavaScript file that holds all frames: JSON, packed with gzip, written in letters."""
    draw = plan.explorer.draw
    readings = scales(plan)
    steps = [control for control in plan.explorer.controls.values() if isinstance(control, Step)]
    marks = {}
    pictures = []
    for setting in plan.settings:
        svg, _ = on_page(*draw(**setting))
        pictures.append(letters(marks.setdefault(mark, len(marks)) for mark in MARK.findall(svg)))
    frames = {
        "scales": {label: list(read.values()) for label, read in readings.items()},
        "settings": {
            label: letters(list(read).index(setting[label]) for setting in plan.settings)
            for label, read in readings.items()
        },
        "buttons": {step.name: letters(leads(plan, step)) for step in steps},
        "marks": list(marks),
        "pictures": pictures,
        "captioned": on_page(*draw(**plan.settings[0]))[1],
    }
    packed = gzip.compress(json.dumps(frames, ensure_ascii=False).encode(), mtime=0)
    return f'attnFrames["{name}"]("{base64.b64encode(packed).decode()}");\n'


def on_page(drawing, told):
    """(SVG, whether it is told below): lines at a picture's foot that say what is told are a page's text."""
    cut = False
    while (line := LINE.fullmatch(drawing.marks[-1])) and html.unescape(line[2]) in told:
        cut = True
        drawing.height = float(line[1]) - 14
        drawing.marks.pop()
    if cut and drawing.source:
        drawing.marks.pop(0)  # it's told as well
    return drawing.svg(told), cut


def letters(numbers):
    return "".join(chr(FIRST + number) for number in numbers)


def leads(plan, step):
    """For each frame the place of the one to which a click on a button leads."""
    for place, values in enumerate(plan.settings):
        reached = plan.explorer.after(step.moves, values[step.moves] + step.by, values)
        yield plan.settings.index(reached) if reached in plan.settings else place
