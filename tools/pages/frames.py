"""Explorers on the pages: their pictures drawn while the pages are built, so that they move without a kernel.

An explorer's own function draws each *frame*: at every setting of its controls if there are at most MOST, else at those
that its `frames` declares. `plan` finds the settings, `controls_html` writes plain controls for them, `pack` draws the
frames and stores what they share once; frames.js unpacks and shows them.
"""

import ast
import base64
import gzip
import html
import json
import re
from typing import NamedTuple

import ipywidgets as widgets

import attn_helpers as attn
from attn_parts.explorer import ALL

MOST = 1500
LISTS = widgets.Dropdown | widgets.ToggleButtons  # a list to choose from, shown as such on the pages
FIRST = (
    35  # small numbers are stored as letters, as frames.js reads them: 0 is the one after the quotation mark
)


class Plan(NamedTuple):
    """What is to be drawn of one explorer.

    Attributes
    ----------
    make : callable
        Makes the explorer anew.
    settings : dict
        What each control reads -> its values, one entry a frame; the first is where the explorer opens.
    """

    make: object
    settings: dict


def explorer_of(source):
    """What makes the explorer that a cell such as "attn.explore_mask()" shows; None for other cells."""
    if not re.fullmatch(r"attn\.explore_\w+\([^()]*\)", source.strip()):
        return None
    call = ast.parse(source.strip(), mode="eval").body
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return lambda: getattr(attn, call.func.attr)(**given)


def plan(make):
    """The Plan of an explorer; None if it declares no frames and all its settings are more than MOST."""
    settings = {reading(first := make()): first.values()}
    for part in first.frames or [dict.fromkeys(movable(first), ALL)]:
        explorer = make()
        explorer.paused = True
        for _ in walk(explorer, list(part.items())):
            settings.setdefault(reading(explorer), explorer.values())
            if first.frames is None and len(settings) > MOST:
                return None
    return Plan(make, settings)


def movable(explorer):
    """The names of the controls that have a number of values: no buttons, no fields for text."""
    return [name for name in explorer.values() if not isinstance(getattr(explorer, name), widgets.Text)]


def walk(explorer, part):
    """Stops at every combination of the values in `part`, pairs of a control's name and its values or ALL."""
    if not part:
        yield
        return
    (name, values), *rest = part
    for value in values_of(explorer, name) if values == ALL else values:
        getattr(explorer, name).value = value
        yield from walk(explorer, rest)


def values_of(explorer, name):
    """All values that a control can take now."""
    control = explorer.controls[name]
    if isinstance(control, widgets.Checkbox):
        return [False, True]
    if isinstance(control, LISTS):
        moved, trait, ends = control, "index", (0, len(control.options) - 1, 1)
    else:
        moved, trait, ends = control[0], "value", (control[0].min, control[0].max, control[0].step)
    low, high, step = ends
    found = []
    for place in range(round((high - low) / step) + 1):
        setattr(moved, trait, low + place * step)
        found.append(getattr(explorer, name).value)
    return found


def reading(explorer):
    """What each control reads, as text."""
    return tuple(read(getattr(explorer, name)) for name in explorer.values())


def read(control):
    if isinstance(control, LISTS):
        return str(control.label)
    return str(control.value) if isinstance(control.value, bool | str) else f"{control.value:g}"


def scales(made):
    """{control: its readings in order}, of those that differ from frame to frame."""
    explorer, found = made.make(), {}
    for name, column in zip(explorer.values(), zip(*made.settings, strict=True), strict=True):
        control, readings = getattr(explorer, name), list(dict.fromkeys(column))
        if isinstance(control, LISTS):
            listed = [str(o[0] if isinstance(o, tuple) else o) for o in control.options]
            readings.sort(key=listed.index)
        elif not isinstance(control, widgets.Text):
            readings.sort(key=lambda text: text == "True" if text in ("True", "False") else float(text))
        if len(readings) > 1:
            found[name] = readings
    return found


def controls_html(made, name):
    """The controls as HTML, in the explorer's order; out of use until the frames are there."""
    explorer, found, parts = made.make(), scales(made), []
    for label in explorer.controls:
        control = getattr(explorer, label)
        if isinstance(control, widgets.Button):
            parts.append(f'<button type="button" data-control="{label}">{html.escape(label)}</button>')
        elif label in found:
            said = html.escape(control.description)
            parts.append(_control(f"{name}-{label}", label, said, control, found[label]))
    return f'<fieldset class="attn-controls" hidden disabled>{"".join(parts)}</fieldset>'


def as_html(made, name, still):
    """An explorer on its page: controls, the still in whose place frames are shown, and the place where they are told."""
    return (
        f'<div class="attn-explorer" data-frames="{name}">{controls_html(made, name)}'
        f'<div class="attn-picture">{still}</div><div class="attn-told" role="status"></div></div>'
    )


def _control(identity, label, said, control, readings):
    marks = f'id="{identity}" data-control="{label}"'
    named = f'<label for="{identity}">{said}</label>'
    now = readings.index(read(control))
    if isinstance(control, widgets.Checkbox):
        return f'<span><input type="checkbox" {marks}{" checked" * now}>{named}</span>'
    if isinstance(control, LISTS | widgets.Text):
        options = "".join(
            f"<option{' selected' * (place == now)}>{html.escape(text)}</option>"
            for place, text in enumerate(readings)
        )
        return f"<span>{named}<select {marks}>{options}</select></span>"
    ends = f'min="0" max="{len(readings) - 1}" value="{now}" aria-valuetext="{readings[now]}"'
    return f'<span>{named}<input type="range" {marks} {ends}><b aria-hidden="true">{readings[now]}</b></span>'


def pack(made, name):
    """The JavaScript file that holds all frames: JSON, packed with gzip, written in letters."""
    explorer, found = made.make(), scales(made)
    columns = dict(zip(explorer.values(), zip(*made.settings, strict=True), strict=True))
    frames = {
        "scales": found,
        "settings": {label: letters(map(found[label].index, columns[label])) for label in found},
        "buttons": {
            label: letters(leads(made, label)) for label in explorer.controls if label not in columns
        },
        **shared(pictures(made)),
    }
    packed = gzip.compress(json.dumps(frames, ensure_ascii=False).encode(), mtime=0)
    return f'attnFrames["{name}"]("{base64.b64encode(packed).decode()}");\n'


def letters(numbers):
    return "".join(chr(FIRST + number) for number in numbers)


def leads(made, button):
    """For each frame the place of the one to which a click on a button leads."""
    explorer, order = made.make(), list(made.settings)
    explorer.paused = True
    for place, values in enumerate(made.settings.values()):
        for name, value in values.items():
            getattr(explorer, name).value = value
        getattr(explorer, button).click()
        yield order.index(reached) if (reached := reading(explorer)) in made.settings else place


def pictures(made):
    """The SVG of each frame."""
    explorer = made.make()
    for values in made.settings.values():
        drawing, description = explorer.draw(**values)
        yield drawing.svg(description)


def shared(drawn):
    """Pictures cut into their marks, each stored once.

    Pictures of the same number of marks are a group: a mark at the same place in all of them is a number, a mark
    that differs a pair of the marks that occur and which of them each picture has.
    """
    marks, groups = {}, {}
    for frame, picture in enumerate(drawn):
        numbers = [
            marks.setdefault(mark, len(marks)) for mark in re.findall(r"<[a-z][^<]*(?:</[^<]*)*", picture)
        ]
        groups.setdefault(len(numbers), {})[frame] = numbers
    return {
        "marks": list(marks),
        "groups": [
            [letters(frames), [column(numbers) for numbers in zip(*frames.values(), strict=True)]]
            for frames in groups.values()
        ],
    }


def column(numbers):
    occurring = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    if len(occurring) == 1:
        return numbers[0]
    return [list(occurring), letters(occurring[number] for number in numbers)]
