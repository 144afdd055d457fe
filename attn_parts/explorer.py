"""Explorers: a table of controls, and one picture that is redrawn when a control moves.

The table is data. From it `Explorer` makes widgets, tools/pages/frames.py the controls of the static pages,
and tests the settings that they try. A control says which values it can take, and how each of them reads.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attn_parts.colours import KEY, lab_css
from attn_parts.formatting import image_bundle
from attn_parts.live_view import show_live
from attn_parts.svg import Drawing

ALL = "all"  # every value that a control can take, given the values of the others
LABEL = {"description_width": "initial"}  # as wide as its text


def _widget(kind, control, layout, **given):
    """A widget of this kind under the name of the control."""
    import ipywidgets

    return getattr(ipywidgets, kind)(description=control.name, layout=layout, **given)


@dataclass(frozen=True)
class Control:
    """One control: its name, and the value with which it starts."""

    name: str
    start: object

    def values(self, beside: dict) -> list:
        """All that it can hold where the controls have the values `beside`."""
        return [beside[self.name]]

    def read(self, value) -> str:
        """How a value reads."""
        return str(value)


@dataclass(frozen=True)
class Slider(Control):
    """A slider from `low` to `high`, and a number box that also takes numbers between the slider's places.

    Where `log` is given, each step multiplies by log**step. The control named `below` holds a number that
    this one stays below; `at_most` gives, for all values, the number that it may reach.
    """

    low: float
    high: float
    step: float = 1
    log: int = 0
    below: str = ""
    at_most: Callable[[dict], float] = lambda beside: math.inf

    @property
    def whole(self) -> bool:
        return not any(isinstance(number, float) for number in (self.start, self.low, self.high))

    @functools.cached_property
    def numbers(self) -> list:
        """The number at each place of the slider."""
        if not self.log:
            steps = round((self.high - self.low) / self.step)
            return [round(self.low + k * self.step, 10) for k in range(steps + 1)]  # 3 × 0.1 is 0.3
        first = round(math.log(self.low, self.log) / self.step)
        last = round(math.log(self.high, self.log) / self.step)
        between = (self.log ** (k * self.step) for k in range(first + 1, last))
        exact = (self.low, *between, self.high)
        return [round(number) if self.whole else float(f"{number:.3g}") for number in exact]

    def place(self, number):
        """What the slider's handle holds nearest to a number: a number, on a logarithmic slider its index."""
        if self.log:
            distances = [abs(math.log(one / number)) for one in self.numbers]
            return distances.index(min(distances))
        return min(self.numbers, key=lambda n: abs(n - number))

    def highest(self, beside: dict):
        limit = beside[self.below] - 1 if self.below else self.at_most(beside)
        return min(self.high, limit)

    def values(self, beside):
        return [number for number in self.numbers if number <= self.highest(beside)]

    def read(self, value):
        return f"{value:g}"

    def widgets(self):
        """A (slider, box) pair. The box holds name and number; the slider is at the place nearest to it.

        Not widgets.link: a browser moves a slider to the nearest step and sends that back, so 100 typed into
        the box would become 128. Here the slider changes the number only when it goes to another place.
        """
        kind = "Int" if self.whole else "Float"
        pixels = 8 * len(self.name)
        first, last = map(self.place, (self.low, self.high))
        layout = {"width": "170px", "margin": "2px 2px 2px 12px"}
        handle = _widget(
            "IntSlider" if self.log else f"{kind}Slider",
            self,
            layout,
            readout=False,
            value=self.place(self.start),
            min=first,
            max=last,
            step=1 if self.log else self.step,
        )
        handle.description = ""  # the box says it
        layout = {"width": f"{90 + pixels}px"}
        box = _widget(
            f"Bounded{kind}Text",
            self,
            layout,
            style=LABEL,
            value=self.start,
            min=self.low,
            max=self.high,
            step=0.01 if self.log and not self.whole else self.step,
        )

        def take(change):
            if self.place(box.value) != handle.value:
                box.value = self.numbers[handle.value] if self.log else handle.value

        handle.observe(take, "value")
        box.observe(lambda change: setattr(handle, "value", self.place(box.value)), "value")
        return handle, box


@dataclass(frozen=True)
class Choice(Control):
    """One of several options, a list of values or {label: value}: a drop-down list, or buttons in a row."""

    options: Sequence | Mapping
    buttons: bool = False
    width: int = 230

    @property
    def labels(self) -> Mapping:
        """{label: value}."""
        options = self.options
        return options if isinstance(options, Mapping) else {str(value): value for value in options}

    def values(self, beside):
        return list(self.labels.values())

    def read(self, value):
        return next(label for label, other in self.labels.items() if other == value)

    def widgets(self):
        kind = "Dropdown"
        style = LABEL
        layout = {"width": f"{self.width}px"}
        if self.buttons:
            kind = "ToggleButtons"
            style = {**LABEL, "button_width": "48px"}
            layout = dict(display="flex", align_items="center", grid_gap="8px", min_width="max-content")
        options = list(self.labels.items())
        return (_widget(kind, self, layout, style=style, options=options, value=self.start),)


class Switch(Control):
    """A box to tick."""

    def values(self, beside):
        return [False, True]

    def widgets(self):
        return (_widget("Checkbox", self, {"width": "auto"}, value=self.start, indent=False),)


class Text(Control):
    """A field for text, which is drawn when Enter is pressed or the field is left."""

    def widgets(self):
        given = {"value": self.start, "continuous_update": False, "style": LABEL}
        return (_widget("Text", self, {"width": "420px"}, **given),)


@dataclass(frozen=True)
class Step:
    """A button that moves the slider `moves` by `by`. It holds no value."""

    name: str
    moves: str
    by: int

    def widgets(self):
        return (_widget("Button", self, {"width": "90px"}),)


SIZE = Choice("size", 1.0, {"100 %": 1.0, "125 %": 1.25, "150 %": 1.5, "200 %": 2.0}, width=130)


class Explorer:
    """A row of controls over one picture that is redrawn when a control moves.

    Every control is an attribute by its name: `explorer.d_k.value = 64` moves it from code.
    Of a slider and its number box that is the box, which holds exact values.

    Parameters
    ----------
    draw : callable
        `draw(**values)` returns (Drawing, description).
    controls : sequence of Slider, Choice, Switch, Text or Step
    frames : sequence of dict, optional
        What the static pages show, where all settings together are too many: each {control: its values, or
        ALL} is taken in every combination, with the other controls as they start. A control that bounds
        another comes first.
    follow : callable, optional
        `follow(moved, values)` returns {control: value} of those that follow when `moved` has changed.

    `description` is what the picture shows, in words; `picture`, `size` and `widget` are the SVG, what
    enlarges it for projectors, and everything together. It displays the live widget, and beside it the
    picture as an <img>, which is what a page without a kernel shows. An error while drawing is shown in the
    picture, because a notebook shows errors of widget callbacks nowhere.
    """

    size: Any  # the widget, as every control is
    _built = False

    def __init__(self, draw: Callable, controls: Sequence, frames=None, follow=lambda moved, values: {}):
        import ipywidgets as widgets

        self.draw = draw
        self.frames = frames
        self.follow = follow
        self.controls = {control.name: control for control in controls}
        self.picture = widgets.HTML()
        self._parts = {control.name: control.widgets() for control in [*controls, SIZE]}
        for name, parts in self._parts.items():
            setattr(self, name, parts[-1])
        self._put(self.values())
        groups = []
        for parts in self._parts.values():
            margin = {"margin": "0 16px 0 0"}
            groups.append(widgets.HBox(parts[::-1], layout=margin))
            if len(parts) > 1:  # from here on, now that its ends are those of the start
                _show_again_when_it_grows(groups[-1], parts[0])
        row = widgets.HBox(groups, layout={"flex_flow": "row wrap"})
        dark = widgets.HTML(f"<style>{lab_css('.attn-live')}</style>", layout={"display": "none"})
        self.widget = widgets.VBox([row, self.picture, dark])
        self.widget.add_class("attn-live")
        for name, control in self.controls.items():
            if isinstance(control, Step):
                getattr(self, name).on_click(functools.partial(self._step, control))
            else:
                getattr(self, name).observe(functools.partial(self._moved, name), "value")
        self.size.observe(self.redraw, "value")
        self._busy = False
        self._built = True
        self.redraw()

    def __setattr__(self, name, value):
        if self._built and not name.startswith("_"):
            controls = ", ".join([*self.values(), "size"])
            raise AttributeError(
                f"{name} can't be replaced; move a control by its value, such as .{name}.value = {value!r}: "
                f"there are {controls}"
            )
        object.__setattr__(self, name, value)

    def values(self) -> dict:
        """The values of the controls by name."""
        held = (name for name, control in self.controls.items() if not isinstance(control, Step))
        return {name: getattr(self, name).value for name in held}

    def after(self, name, value, values: dict) -> dict:
        """All values once one control has moved: what follows it, and every number within its bounds."""
        values = {**values, name: value}
        values |= self.follow(name, values)
        for other, control in self.controls.items():
            if isinstance(control, Slider):
                raised = max(values[other], control.low)
                values[other] = min(raised, control.highest(values))
        return values

    def _moved(self, name, change):
        if self._busy:
            return
        self._busy = True
        try:
            self._put(self.after(name, change.new, self.values()))
        finally:
            self._busy = False
        self.redraw()

    def _step(self, control, button):
        getattr(self, control.moves).value += control.by  # its box stays within its ends

    def _put(self, values):
        """Set the controls to values, and the ends of sliders to what these allow."""
        for name, control in self.controls.items():
            if isinstance(control, Slider):
                handle, box = self._parts[name]
                if box.max != (limit := control.highest(values)):
                    box.max = limit  # the box first: it holds the number
                    handle.max = control.place(limit)
        for name, value in values.items():
            getattr(self, name).value = value

    def redraw(self, change=None):
        """Draw the picture for the values that the controls hold."""
        values = self.values()
        try:
            drawing, told = self.draw(**values)
            svg = drawing.svg(told, self.size.value)
        except Exception as error:  # shown to the reader, who would see it nowhere else
            settings = ", ".join(f"{name} = {value}" for name, value in values.items())
            drawing, told = _draw_error(error, settings)
            svg = drawing.svg(told)
        self._svg = svg
        self._title = drawing.title
        self._told = told
        # shrinks to fit a narrow page; larger sizes scroll, also where the page's own style would shrink them
        fit = "max-width:100%;height:auto" if self.size.value == 1 else "max-width:none"
        svg = svg.replace("<svg ", f'<svg style="{fit}" ', 1)
        self.picture.value = f'<div style="overflow-x:auto">{svg}</div>'

    @property
    def description(self):
        return self._told

    def _ipython_display_(self):
        show_live(self.widget, self.still(), "This is a still picture. Run the cell to get the controls.")

    def still(self):
        """The picture with its alternative text: what a page without a kernel shows."""
        return image_bundle(self._svg.encode(), "image/svg+xml", f"{self._title}. {self.description}")

    def __repr__(self):
        return f"Explorer: {self._title}. {self.description}"


def _show_again_when_it_grows(group, handle):
    """Show a slider again when it grows: in ipywidgets 8 the End key leads to where it first ended."""
    shown_with = [handle.max]

    def show_again(change):
        if change.new > shown_with[-1]:
            shown_with.append(change.new)
            parts = group.children
            group.children = ()
            group.children = parts

    handle.observe(show_again, "max")


def _draw_error(error, settings):
    """A picture that says what went wrong, at which settings."""
    title = "This picture could not be drawn"
    told = f"{type(error).__name__}: {error}, at {settings}"
    drawing = Drawing(700, 90, title)
    drawing.text(12, 20, f"{title}:", bold=True, color=KEY)
    drawing.height = drawing.paragraph(12, 44, f"{told}; move a control to go on.", 676)
    return drawing, told
