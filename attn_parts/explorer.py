"""Sliders: a row of controls over one picture that is drawn anew when a control moves."""

import math
from collections.abc import Callable, Sequence

from attn_parts.colours import FAINT, LIT
from attn_parts.drawing import Drawing
from attn_parts.live_view import show_live
from attn_parts.words import image_bundle

ALL = "all"  # the values that a control can take, within the bounds that it has then


class Explorer:
    """A row of controls over one picture that is drawn anew when a control moves.

    Every control is an attribute by its name: `explorer.d_k.value = 64` moves it from code.
    Of a slider and its number box that is the box, which holds exact values.

    Attributes
    ----------
    picture : ipywidgets.HTML
        Holds the SVG.
    size : ipywidgets.Dropdown
        Enlarges the picture, for projectors.
    widget : ipywidgets.VBox
        Everything together.
    draw, controls, frames
        As given.
    paused : bool
        While it is true, controls that move draw nothing.

    Notes
    -----
    It displays the live widget, and beside it the picture as an <img>, which is what a page without a
    kernel shows. An error while drawing is shown in the picture,
    because a notebook shows errors of widget callbacks nowhere.
    """

    def __init__(self, draw: Callable, controls: dict, frames: Sequence[dict] | None = None):
        """`draw(**values)` returns (Drawing, description); `controls` maps names to widgets or (slider, box) pairs, of which the box counts.

        `frames` says what the static pages show, where all settings together are too many: each {control: its values, or ALL}
        is taken in every combination, the other controls as they stand at first. A control that bounds another comes first.
        """
        import ipywidgets as widgets

        self.draw, self.controls, self.frames, self.paused = draw, controls, frames, False
        self.description = ""
        self.size = choice("size", [("100 %", 1.0), ("125 %", 1.25), ("150 %", 1.5), ("200 %", 2.0)], 1.0)
        self.size.layout.width = "130px"
        self.picture = widgets.HTML()
        groups = []
        for name, control in {**controls, "size": self.size}.items():
            parts = control if isinstance(control, tuple) else (control,)
            object.__setattr__(self, name, parts[-1])
            groups.append(widgets.HBox(parts, layout=widgets.Layout(margin="0 16px 0 0")))
            if len(parts) > 1:
                _show_anew_when_it_grows(groups[-1], parts[0])
            if not isinstance(parts[-1], widgets.Button):
                parts[-1].observe(self.redraw, "value")
        self.widget = widgets.VBox(
            [widgets.HBox(groups, layout=widgets.Layout(flex_flow="row wrap")), self.picture]
        )
        self._names = [name for name in controls if not isinstance(getattr(self, name), widgets.Button)]
        self.redraw()

    def __setattr__(self, name, value):
        if "_names" in self.__dict__:  # all is built
            controls, known = [*self._names, "size"], name.startswith("_") or hasattr(self, name)
            if name in controls:
                raise AttributeError(
                    f"{name} is a control, not a number: move it with .{name}.value = {value!r}"
                )
            if not known or name in ("picture", "widget"):
                raise AttributeError(
                    f"{name} is no control; there are {', '.join(controls)}, moved by their .value"
                )
        object.__setattr__(self, name, value)

    def values(self) -> dict:
        """The values of the controls as they stand, by name."""
        return {name: getattr(self, name).value for name in self._names}

    def redraw(self, change=None):
        """Draw the picture for the controls as they stand."""
        if self.paused:
            return
        values = self.values()
        try:
            if None in values.values():
                raise ValueError("a control holds None; choose one of its values")
            drawing, self.description = self.draw(**values)
            svg = drawing.svg(self.description, self.size.value)
        except Exception as error:  # shown to the reader, who would see it nowhere else
            settings = ", ".join(f"{name} = {value}" for name, value in values.items())
            drawing, self.description = _draw_error(error, settings)
            svg = drawing.svg(self.description)
        self._svg, self._title = svg, drawing.title
        # shrinks to fit a narrow page; larger sizes scroll, also where the page's own style would shrink them
        fit = "max-width:100%;height:auto" if self.size.value == 1 else "max-width:none"
        svg = svg.replace("<svg ", f'<svg style="{fit}" ', 1)
        self.picture.value = f'<div style="overflow-x:auto">{svg}</div>'

    def _ipython_display_(self):
        show_live(self.widget, self.still(), "A still picture: it moves once this cell has been run.")

    def still(self):
        """The picture as it stands, with its alternative text: what shows where no kernel runs."""
        return image_bundle(self._svg.encode(), "image/svg+xml", f"{self._title}. {self.description}")

    def __repr__(self):
        return f"Explorer: {self._title}. {self.description}"


def _show_anew_when_it_grows(group, handle):
    """In ipywidgets 8 the End key leads to where a slider ended when it came to be shown: show it anew when it ends further on."""
    shown_with = [handle.max]

    def show_anew(change):
        if change.new > shown_with[-1]:
            shown_with.append(change.new)
            parts, group.children = group.children, ()
            group.children = parts

    handle.observe(show_anew, "max")


def _draw_error(error, settings):
    """A picture that says what went wrong, at which settings."""
    what = f"{type(error).__name__}: {error}"
    drawing = Drawing(700, 90, "This picture could not be drawn")
    drawing.text(12, 20, "This picture could not be drawn:", bold=True, color=LIT)
    below = drawing.paragraph(12, 44, what, 676)
    drawing.height = drawing.paragraph(
        12, below + 6, f"at {settings}; move a control to go on.", 676, color=FAINT
    )
    return drawing, f"{what}, at {settings}"


def slider(label, value, low, high, step=1):
    """A slider and a number box of the same label; the box has an accessible name and takes exact values."""
    kind = "Int" if all(isinstance(number, int) for number in (value, low, high, step)) else "Float"

    def to_place(number):  # 10 decimals: 3 × 0.1 is 0.3
        return min(max(round(low + round((number - low) / step) * step, 10), low), high)

    return _slider_and_box(label, value, (low, high, step), kind, (low, high, step), kind, to_place, to_place)


def log_slider(label, value, low, high, *, base=2, step=1.0, whole=True):
    """As `slider`, over powers of `base`: equal steps multiply. `whole` numbers have a whole-number box."""
    first, last = round(math.log(low, base) / step), round(math.log(high, base) / step)

    def to_place(number):
        return min(max(round(math.log(number, base) / step), first), last)

    def to_number(place):
        exact = {first: low, last: high}.get(place, base ** (place * step))
        return round(exact) if whole else float(f"{exact:.3g}")

    kind, fine = ("Int", 1) if whole else ("Float", 0.01)
    return _slider_and_box(
        label, value, (first, last, 1), "Int", (low, high, fine), kind, to_place, to_number
    )


def _slider_and_box(label, value, ends, slider_kind, limits, box_kind, to_place, to_number):
    """A (slider, box) pair. The box holds the number; the slider stands at the place nearest to it.

    Not widgets.link: a browser moves a slider to the nearest step and sends that back, so 100 typed into
    the box would become 128. Here the slider changes the number only when it goes to another place.
    """
    import ipywidgets as widgets

    wide = {"description": label, "style": {"description_width": "initial"}}
    pixels = 8 * len(label)  # room for the label, which shares the width with the control
    (first, last, step), (low, high, fine) = ends, limits
    handle = getattr(widgets, f"{slider_kind}Slider")(
        **wide, value=to_place(value), min=first, max=last, step=step, readout=False,
        layout=widgets.Layout(width=f"{170 + pixels}px"),
    )  # fmt: skip
    box = getattr(widgets, f"Bounded{box_kind}Text")(
        **wide,
        value=value,
        min=low,
        max=high,
        step=fine,
        layout=widgets.Layout(width=f"{90 + pixels}px", margin="2px 2px 2px 12px"),
    )

    def refuse_nan(change):
        if math.isnan(change.new):
            box.value = change.old
            raise ValueError(f"{label} must be a number from {low} to {high}, got nan; it stays {change.old}")

    def take(change):
        if to_place(box.value) != to_place(to_number(handle.value)):
            box.value = to_number(handle.value)

    box.observe(refuse_nan, "value")
    handle.observe(take, "value")
    box.observe(lambda change: setattr(handle, "value", to_place(box.value)), "value")
    return handle, box


def keep_below(pair: tuple, length_pair: tuple, by: int = 1):
    """Bound a slider and its box below the number that another pair holds: by 1 for a row or a position, by 0 for a count."""
    length = length_pair[-1]

    def bound(change=None):
        for control in reversed(pair):  # the box first: it holds the number
            control.max = length.value - by

    length.observe(bound, "value")
    bound()


def choice(label, options, value=None):
    """A drop-down list."""
    import ipywidgets as widgets

    style, width = {"description_width": "initial"}, widgets.Layout(width="230px")
    return widgets.Dropdown(
        options=options,
        value=options[0] if value is None else value,
        description=label,
        style=style,
        layout=width,
    )


def choice_by_click(label, options, value=None):
    """A few buttons in a row, of which one is chosen."""
    import ipywidgets as widgets

    return widgets.ToggleButtons(
        options=options,
        value=options[0][1] if value is None else value,
        description=label,
        style={"description_width": "initial", "button_width": "48px"},
        layout=widgets.Layout(display="flex", align_items="center", grid_gap="8px", min_width="max-content"),
    )


def switch(label, value):
    """A box to tick."""
    import ipywidgets as widgets

    return widgets.Checkbox(value=value, description=label, indent=False, layout=widgets.Layout(width="auto"))


def cell_choice(label: str, rows: Sequence[str], columns: Sequence[str], value: tuple[int, int]):
    """A drop-down list of the cells of a matrix, "hot → chai"; its value is the pair (row, column)."""
    cells = [(f"{row} → {column}", (i, j)) for i, row in enumerate(rows) for j, column in enumerate(columns)]
    return choice(label, cells, value)


def typed(label: str, value: str):
    """A field for text, drawn when Enter is pressed or the field is left."""
    import ipywidgets as widgets

    return widgets.Text(
        value=value,
        description=label,
        continuous_update=False,
        style={"description_width": "initial"},
        layout=widgets.Layout(width="420px"),
    )
