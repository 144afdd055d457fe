"""SVG pictures for the explorers, built from a few kinds of marks.

Letters have room in any sans-serif font: widths are those of DejaVu Sans, the widest in common use.
"""

import collections
import html
import math
import re
from collections.abc import Sequence

import numpy as np

from attn_parts.colours import BLOCKED, BLUE, FAINT, INK, LIT, PAPER, SOFT, Scale, cell_colors, color_table
from attn_parts.formatting import PRINT_UP_TO, number, text_width, wrapped

SOURCE_STRIP = 22  # pixels below a picture whose numbers are not the lesson's
# What XML forbids: control characters, halves of pairs and two that are no characters
FORBIDDEN = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")


def _escaped(text):
    """Text that may stand in SVG: markup escaped, what XML forbids left out."""
    return html.escape(FORBIDDEN.sub("", str(text)))


class Drawing:
    """An SVG picture built from a few kinds of marks; lengths are pixels at size 1.

    `source` says below it where its numbers are from, for example "random numbers (seed 5)". No mark uses an
    id, so that many drawings can be on one page.

    >>> drawing = Drawing(200, 60, "A word")
    >>> drawing.text(10, 30, "chai")
    >>> drawing.svg("The word chai.")[:31]
    '<svg xmlns="http://www.w3.org/2'
    """

    def __init__(self, width: float, height: float, title: str, source: str = ""):
        self.width = width
        self.height = height
        self.title = title
        self.source = source
        self.marks: list[str] = []
        if source:
            self.text(10, height + SOURCE_STRIP / 2 - 3, source, font=12, color=SOFT)
            self.height += SOURCE_STRIP

    def svg(self, description: str, size: float = 1.0) -> str:
        """The picture as SVG text, `size` times as large, with its description for screen readers."""
        width = self.width
        height = self.height
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'width="{width * size:g}" height="{height * size:g}" viewBox="0 0 {width:g} {height:g}" '
            'font-family="Arial, Helvetica, Liberation Sans, sans-serif">'
            f"<title>{_escaped(self.title)}</title><desc>{_escaped(description)}</desc>"
            f'<rect width="100%" height="100%" fill="{PAPER}"/>{"".join(self.marks)}</svg>'
        )

    def text(
        self,
        x,
        y,
        text,
        *,
        anchor="start",
        font=13.0,
        color=INK,
        bold=False,
        turn=0,
        room=math.inf,
    ):
        """One line of text; `y` is its middle. Where it would be wider than `room` it is set smaller."""
        if room < math.inf:
            width = max(text_width(str(text), font, bold), 1)
            font = min(font, font * room / width)
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate({turn:g} {x:.4g} {y:.4g})"' if turn else ""
        self.marks.append(
            f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}" dominant-baseline="central" '
            f'font-size="{font:.3g}" fill="{color}"{weight}{turned}>{_escaped(text)}</text>'
        )

    def paragraph(self, x, y, text, width, *, font=13.0, color=INK, bold=False) -> float:
        """Text in lines no wider than `width`, the first's middle at `y`; returns where a next would be."""
        for line in wrapped(text, width, font, bold):
            self.text(x, y, line, font=font, color=color, bold=bold)
            y += 1.4 * font
        return y

    def line(self, x1, y1, x2, y2, *, color=INK, width=1.0, dash=None, arrow=False):
        """A straight line, dashed or with an arrow head where asked."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(
            f'<path d="M{x1:.4g} {y1:.4g}L{x2:.4g} {y2:.4g}" stroke="{color}" '
            f'stroke-width="{width:g}" fill="none"{dashed}/>'
        )
        length = math.hypot(x2 - x1, y2 - y1)
        if arrow and length > 1:
            along = (x2 - x1) / length * 10
            across = (y2 - y1) / length * 10
            left = x2 - along - across / 2, y2 - across + along / 2
            right = x2 - along + across / 2, y2 - across - along / 2
            self.polygon([(x2, y2), left, right], color)

    def polygon(self, corners, fill):
        """A filled shape with straight sides."""
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in corners)
        self.marks.append(f'<polygon points="{points}" fill="{fill}"/>')

    def curve(self, points, color, *, dash=None):
        """A line through many points."""
        path = "L".join(f"{x:.4g} {y:.4g}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dashed}/>')

    def dot(self, x, y, radius, color):
        """A filled circle."""
        self.marks.append(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius}" fill="{color}"/>')

    def box(self, x, y, width, height, *, fill="none", edge="none", thick=1.0):
        """A rectangle."""
        self.marks.append(
            f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="{thick:g}"/>'
        )

    def hatch(self, x, y, allowed: np.ndarray, cell: float):
        """Strokes over the cells that are not allowed: blocked must not look like 0."""
        half = cell / 2
        strokes = ""
        for i, j in np.argwhere(~allowed).tolist():
            left = x + j * cell
            top = y + i * cell
            strokes += f"M{left:.4g} {top + cell:.4g}l{cell:.4g} -{cell:.4g}"
            if cell >= 20:  # smaller cells are dense enough with one stroke
                short = f"l{half:.4g} -{half:.4g}"
                strokes += f"M{left:.4g} {top + half:.4g}{short}M{left + half:.4g} {top + cell:.4g}{short}"
        if strokes:
            self.marks.append(f'<path d="{strokes}" stroke="{FAINT}" stroke-width="1" fill="none"/>')

    def _hatched(self, x, y, cell):
        """One blocked cell."""
        self.hatch(x, y, np.array([[False]]), cell)

    def matrix(
        self,
        x,
        y,
        values: np.ndarray,
        scale: Scale,
        *,
        cell=34.0,
        allowed=None,
        digits=2,
    ) -> "Grid":
        """A matrix of coloured cells from x, y on: values printed where they fit, blocked cells hatched."""
        n_rows, n_columns = values.shape
        allowed = ~np.isneginf(values) if allowed is None else allowed
        fills, inks = cell_colors(values, allowed, scale)
        self._squares(x, y, fills, cell)
        if max(n_rows, n_columns) <= PRINT_UP_TO:
            printed = {}
            for i, j in np.argwhere(allowed).tolist():
                printed[i, j] = number(values[i, j], digits)
            self._printed(x, y, printed, inks, cell)
        self.hatch(x, y, allowed, cell)
        self.box(x, y, n_columns * cell, n_rows * cell, edge=FAINT)
        return Grid(self, x, y, values.shape, cell, scale)

    def _squares(self, x, y, fills, cell):
        """The cells of a matrix as one path a colour, which is half the text of one mark a cell."""
        around = f"h{cell:.4g}v{cell:.4g}h-{cell:.4g}z"
        squares = collections.defaultdict(list)
        for i, row in enumerate(fills):
            for j, fill in enumerate(row):
                corner = f"M{x + j * cell:.4g} {y + i * cell:.4g}"
                squares[fill].append(corner + around)
        for fill, parts in squares.items():
            self.marks.append(f'<path fill="{fill}" d="{"".join(parts)}"/>')

    def _printed(self, x, y, printed, inks, cell):
        """The numbers in the cells of a matrix, as large as the widest allows."""
        widths = [text_width(text, 1) for text in printed.values()]
        widest = max(widths, default=1)
        font = min(13, cell * 0.36, cell * 0.94 / widest)
        self.marks.append(f'<g font-size="{font:.3g}" text-anchor="middle" dominant-baseline="central">')
        for (i, j), text in printed.items():
            middle = x + (j + 0.5) * cell
            line = y + (i + 0.5) * cell
            place = f'x="{middle:.4g}" y="{line:.4g}"'
            self.marks.append(f'<text {place} fill="{inks[i][j]}">{text}</text>')
        self.marks.append("</g>")

    def bars(
        self,
        x,
        y,
        width,
        height,
        values,
        *,
        limits,
        labels=None,
        color=BLUE,
        title=None,
        lit=None,
        marks=(),
    ):
        """Upright bars between `limits`, from 0 up or down, each with its value where there are at most 12.

        None among the values leaves its place hatched: blocked is not the same as 0. `marks` are written on
        the left.
        """
        low, high = limits
        step = width / len(values)
        span = high - low
        zero = y + height * high / span
        printed = ["" if value is None else number(value) for value in values]
        widest = max(text_width(text, 1) for text in [*printed, "0.00"])
        font = min(11, 0.95 * step / widest)
        for place, value in enumerate(values):
            if value is None:
                left = x + (place + 0.2) * step
                self._hatched(left, zero - 0.6 * step, 0.6 * step)
                continue
            is_finite = math.isfinite(value)
            shown = min(max(value, low), high) if is_finite else 0.0
            top = y + height * (high - max(shown, 0)) / span
            tall = height * abs(shown) / span
            fill = LIT if place == lit else color
            left = x + (place + 0.12) * step
            self.box(left, top, 0.76 * step, tall, fill=fill)
            if len(values) <= PRINT_UP_TO:
                above = value >= 0 or not is_finite
                at = top - 9 if above else top + tall + 9
                middle = x + (place + 0.5) * step
                self.text(middle, at, printed[place], anchor="middle", font=font)
        self.line(x, zero, x + width, zero, color=FAINT)
        if labels is not None:
            self.names_below(x, y + height, step, labels, font=min(11, step))
        if title:
            self.text(x, y - 26, title, font=14, bold=True)
        for mark in marks:
            at = y + height * (high - mark) / span
            self.text(x - 6, at, f"{mark:g}", anchor="end", font=11)

    def names_below(self, x, y, step, names: Sequence[str], *, font: float) -> float:
        """Names below places `step` apart, slanted where they would collide; returns how deep they reach."""
        widest = max(text_width(name, font) for name in names)
        steep = widest > step - 4
        for place, name in enumerate(names):
            middle = x + (place + 0.5) * step
            if steep:
                self.text(middle + font / 3, y + 9, name, anchor="end", font=font, turn=-60)
            else:
                self.text(middle, y + 12, name, anchor="middle", font=font)
        return y + (14 + 0.87 * widest + font / 2 if steep else 22)

    def axis(self, x, y, width, marks: dict[float, str], label: str = ""):
        """A line with ticks: `marks` maps places from 0 (left) to 1 (right) to what is written there."""
        self.line(x, y, x + width, y, color=FAINT)
        for share, name in marks.items():
            at = x + share * width
            self.line(at, y, at, y + 5, color=FAINT)
            self.text(at, y + 14, name, anchor="middle", font=11)
        if label:
            self.text(x + width / 2, y + 30, label, anchor="middle", font=11)

    def upright_axis(self, x, y, height, marks: dict[float, str], *, tick=5):
        """As `axis`, from 0 at the foot to 1 at the top, its ticks on the left."""
        self.line(x, y, x, y + height, color=FAINT)
        for share, name in marks.items():
            at = y + height * (1 - share)
            self.line(x - tick, at, x, at, color=FAINT)
            self.text(x - tick - 3, at, name, anchor="end", font=11)

    def color_bar(self, x, y, height, scale: Scale, *, blocked=False):
        """The colours of a scale from the bottom up, their name below; `blocked` adds a hatched sample."""
        steps = color_table(scale.colors)[0][::-4]
        tall = height / len(steps)
        self.marks += [
            f'<rect x="{x:.4g}" y="{y + k * tall:.4g}" width="14" height="{tall + 0.5:.4g}" fill="{c}"/>'
            for k, c in enumerate(steps)
        ]
        self.box(x, y, 14, height, edge=FAINT)
        for share in (0, 0.5, 1) if height >= 48 else (0, 1):
            value = scale.low + share * (scale.high - scale.low)
            self.text(x + 19, y + height * (1 - share), f"{value:.3g}", font=11)
        foot = y + height
        self.text(x, foot + 16, scale.label, font=12)
        if blocked:
            self.box(x, foot + 28, 14, 14, fill=BLOCKED, edge=FAINT)
            self._hatched(x, foot + 28, 14)
            self.text(x + 19, foot + 35, "blocked", font=11)


class Grid:
    """A matrix in a drawing; each method returns it. `right` and `bottom` end its cells, `foot` its names."""

    def __init__(self, drawing: Drawing, x: float, y: float, shape: tuple, cell: float, scale: Scale):
        self.drawing = drawing
        self.x = x
        self.y = y
        self.cell = float(cell)
        self.scale = scale
        rows, columns = shape
        self.right = x + columns * self.cell
        self.bottom = y + rows * self.cell
        self.foot = self.bottom

    def title(self, text: str, room: float = math.inf) -> "Grid":
        """A title above the cells, set smaller where it would be wider than `room`."""
        self.drawing.text(self.x, self.y - 16, text, font=14, bold=True, room=room)
        return self

    def names(self, queries: Sequence[str] = (), keys: Sequence[str] = ()) -> "Grid":
        """Names of the rows down the side, of the columns along the bottom, as in the static pictures."""
        wanted = max(9, min(13, self.cell * 0.5))
        font = min(wanted, self.cell * 0.95)
        for i, name in enumerate(queries):
            middle = self.y + (i + 0.5) * self.cell
            self.drawing.text(self.x - 5, middle, name, anchor="end", font=font)
        if keys:
            self.foot = self.drawing.names_below(self.x, self.bottom, self.cell, keys, font=font)
        return self

    def light(self, row: int, column: int | None = None) -> "Grid":
        """A frame around one row, or one cell."""
        x = self.x
        y = self.y + row * self.cell
        width = self.right - self.x
        if column is not None:
            x += column * self.cell
            width = self.cell
        self.drawing.box(x, y, width, self.cell, edge=LIT, thick=3)
        return self

    def color_bar(self, *, blocked: bool = False) -> "Grid":
        """Its scale of colours, to the right of the cells."""
        height = max(self.bottom - self.y, 40)
        self.drawing.color_bar(self.right + 16, self.y, height, self.scale, blocked=blocked)
        return self
