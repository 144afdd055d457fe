"""All colours of pictures, checkers, reports, pages and slides: which value has which, and the ink on it."""

import functools
from typing import NamedTuple

import numpy as np

from attn_parts.formatting import from_matplotlib

# safe for colour-blind readers
INK = "#1a1a1a"
SOFT = "#555555"  # words beside the point
FAINT = "#8a8a8a"  # lines
BLOCKED = "#dddddd"
PAPER = "#ffffff"
GROUND = "#f3f6f8"  # behind code, buttons and the heads of tables
LIT = "#d55e00"  # letters on it are in INK, letters of its hue in KEY
BLUE = "#0072b2"
QUERY, KEY, VALUE = BLUE, "#b34d00", "#00735c"  # dark enough for letters
HEADS = BLUE, "#00735c", "#7a3e9d", "#8a6d00"  # up to four heads side by side, dark enough for letters
PASSED, OPEN, TO_MEND = "#2e7d32", "#757575", "#c75000"  # the bar beside a checker's words
STOPPED = "#b3261e"  # a report's warnings, and answers that raised or were stopped
WEIGHT_COLORS = "cividis"


class Scale(NamedTuple):
    """The colours of values: a matplotlib colormap, the values at its ends, and what they are called."""

    colors: str
    low: float
    high: float
    label: str


WEIGHTS = Scale(WEIGHT_COLORS, 0.0, 1.0, "weight")
ALLOWED = Scale("Greys", -1.0, 4.0, "may look")  # the 1 of a mask is a light grey


# names in style sheets: the colour, and what a dark page has in its place
PALETTE = {
    "ink": (INK, "#e8e8e8"),
    "soft": (SOFT, "#b8bcc0"),
    "faint": (FAINT, FAINT),
    "blocked": (BLOCKED, "#44484d"),
    "paper": (PAPER, "#1a1c1e"),
    "ground": (GROUND, "#2b2f33"),
    "lit": (LIT, "#ff8533"),
    "blue": (BLUE, "#56b4e9"),
    "key": (KEY, "#f39555"),
    "value": (VALUE, "#35c2a0"),
    "third": (HEADS[2], "#c58fe6"),
    "fourth": (HEADS[3], "#d8b640"),
    "stopped": (STOPPED, "#ff8a80"),
}


def palette_css() -> str:
    """The colours as variables of a style sheet, for pages, slides and reports."""
    return f":root {{{'; '.join(f'--{name}: {day}' for name, (day, _) in PALETTE.items())}}}\n"


NIGHT = "; ".join(f"--{name}: {color}" for name, (_, color) in PALETTE.items()) + "; color-scheme: dark"


def night_css(picture: str) -> str:
    """The colours of dark pages, and of the marks in `picture` there."""
    night = f"{NIGHT}; --dim: brightness(0.75)"
    rules = [
        "body {color-scheme: light}",
        f"@media screen {{body[data-theme=dark] {{{night}}}}}",
        f"@media screen and (prefers-color-scheme: dark) {{body:not([data-theme=light]) {{{night}}}}}",
    ]
    return "\n".join(rules) + "\n" + _marks_css(picture)


def lab_css(picture: str) -> str:
    """The same for a dark JupyterLab."""
    dark = f"body[data-jp-theme-light=false] {picture}"
    return f"{dark} {{{NIGHT}}}\n{_marks_css(dark)}"


def _marks_css(picture):
    """Marks in the colours that the variables have there, save cells: their colours are data."""
    marks = f"{picture} :not([font-size]) >"  # the letters in a group of one size are those of cells
    rules = []
    for name, (day, _) in PALETTE.items():
        filled = "" if day == BLOCKED else ":where(:not(path))"  # a blocked cell is no data
        rules.append(f'{marks} {filled}[fill="{day}"] {{fill: var(--{name})}}')
        rules.append(f'{marks} [stroke="{day}"] {{stroke: var(--{name})}}')
    # letters on orange
    shade = "color-mix(in srgb, var(--lit) 62%, black)"
    rules.append(f'{marks} [fill="{LIT}"][stroke="{LIT}"] + text {{fill: {INK}}}')
    rules.append(f"@media screen {{{marks} [fill-opacity] {{fill: light-dark({LIT}, {shade})}}}}")
    return "\n".join(rules) + "\n"


def scale_around_zero(*matrices: np.ndarray, label: str = "score") -> Scale:
    """One scale, centred on 0, that takes in every finite value of matrices that are compared."""
    seen = np.concatenate([np.abs(m[np.isfinite(m)]) for m in matrices])
    top = 1.0
    if seen.size:  # no more than 1e300: matplotlib takes the difference of both limits
        top = min(max(float(seen.max()), 1e-9), 1e300)
    return Scale("RdBu_r", -top, top, label)


def luminance(colours: np.ndarray) -> np.ndarray:
    """How bright colours (..., 3) are, from 0 to 1, as WCAG 2 defines it for contrast."""
    curved = ((colours + 0.055) / 1.055) ** 2.4
    linear = np.where(colours <= 0.04045, colours / 12.92, curved)
    return linear @ [0.2126, 0.7152, 0.0722]


def ink_on(colours: np.ndarray) -> np.ndarray:
    """PAPER or INK on each colour (..., 3) from 0 to 1, and black where neither has a contrast of 4.5."""
    light = luminance(colours) + 0.05
    grey = int(INK[1:3], 16) / 255  # of red, green and blue
    ink = luminance(np.full(3, grey)) + 0.05
    is_dark = light <= 1.05 / 4.5
    is_light = light >= 4.5 * ink
    return np.select([is_dark, is_light], [PAPER, INK], "#000000")


@functools.cache
def color_table(name: str) -> tuple[list[str], list[str]]:
    """A matplotlib colormap as 256 colours in hexadecimal, and the ink that reads on each."""
    stored = bytes.fromhex(from_matplotlib()[name])
    table = np.frombuffer(stored, np.uint8).reshape(256, 3)
    hues = ["#{:02x}{:02x}{:02x}".format(*color) for color in table]
    return hues, ink_on(table / 255).tolist()


def cell_colors(values: np.ndarray, allowed: np.ndarray, scale: Scale) -> tuple[list, list]:
    """Fill and ink of every cell, as nested lists."""
    hues, inks = color_table(scale.colors)
    share = (values - scale.low) / (scale.high - scale.low)
    share = np.nan_to_num(share, nan=0.5, posinf=1, neginf=0)
    place = np.clip(np.rint(share * 255), 0, 255).astype(int)
    place[np.isnan(values)] = 257
    place[~allowed] = 256
    fills = np.array([*hues, BLOCKED, PAPER])[place]
    letters = np.array([*inks, INK, INK])[place]
    return fills.tolist(), letters.tolist()
