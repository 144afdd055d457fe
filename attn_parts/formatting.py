"""Pictures in words: numbers as text, how wide text is, a matrix in a sentence, an image with its text."""

import base64
import functools
import html
import json
import pathlib
from collections.abc import Callable

import numpy as np

PRINT_UP_TO = 12  # larger matrices show colours only, their numbers would not be legible


def number(value: float, digits: int = 2) -> str:
    """A number as printed in a picture: rounded, never -0.00, and short where it is large."""
    value = float(value)
    return f"{value:.3g}" if abs(value) >= 1e4 else f"{round(value, digits) + 0.0:.{digits}f}"


def number_told(value: float) -> str:
    """A number in a sentence: as in a picture, but 0.0033 where 0.00 would say nothing."""
    return f"{value:.2g}" if 0 < abs(value) < 0.005 else number(value)


def listed(names, numbers, write: Callable = number) -> str:
    """Names with their numbers: "The 0.25, chai 0.75"."""
    return ", ".join(f"{name} {write(value)}" for name, value in zip(names, numbers, strict=True))


def digits_that_fit(fits: Callable[[int], bool], least: int = 2) -> int:
    """The fewest digits for which `fits(digits)`, so that a sum worked out as printed gives its result.

    >>> digits_that_fit(lambda digits: gives(3 * round(2 / 3, digits), "2.00"))  # 0.67 would give 2.01
    3
    """
    return next((digits for digits in range(least, 7) if fits(digits)), 7)


def gives(worked_out: float, printed: str) -> bool:
    """Whether a number, rounded as `printed` is, is `printed`."""
    decimals = len(printed.partition(".")[2])
    result = float(printed.replace("−", "-"))
    return abs(worked_out - result) <= 0.5 * 10**-decimals + 1e-9


@functools.cache
def from_matplotlib() -> dict:
    """What drawings need of matplotlib: colormaps, and the letters of each width of DejaVu Sans."""
    return json.loads(pathlib.Path(__file__).with_name("from_matplotlib.json").read_text("utf-8"))


@functools.cache
def _letter_widths(bold: bool) -> dict[str, float]:
    """Width of each letter as a share of the font's size."""
    stored = from_matplotlib()["bold" if bold else "plain"]
    shares: dict[str, float] = {}
    for width, letters in stored.items():
        shares |= dict.fromkeys(letters, int(width) / 2048)
    return shares


@functools.lru_cache(maxsize=4096)
def text_width(text: str, font: float, bold: bool = False) -> float:
    """How wide a line of text may become in a reader's sans-serif font: its width in DejaVu Sans."""
    widths = _letter_widths(bold)  # a letter that isn't in this font is as wide as Chinese writing
    return font * sum(widths.get(letter, 1.0) for letter in text)


def wrapped(text: str, width: float, font: float, bold: bool = False) -> list[str]:
    """The text in lines that are no wider than `width`, broken between words."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", font, bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def matrix_in_words(values, allowed, queries, keys, what):
    """One matrix in words: its size, its extreme values and where they are, how much is blocked."""
    text = f"{_counted(len(queries), 'query', 'queries')} by {_counted(len(keys), 'key', 'keys')}"
    if not allowed.any():
        return f"{text}; no query may look at any key."
    queries = told_apart(queries)
    keys = told_apart(keys)
    seen = allowed & np.isfinite(values)
    if seen.any():
        largest = np.where(seen, values, -np.inf).argmax()
        smallest = np.where(seen, values, np.inf).argmin()
        for name, place in (("largest", largest), ("smallest", smallest)):
            i, j = np.unravel_index(place, values.shape)
            text += f"; {name} {what} {number_told(values[i, j])}, {queries[i]} → {keys[j]}"
    odd = int((allowed & ~seen).sum())
    blocked = int((~allowed).sum())
    if odd:
        text += f"; NaN or infinite: {odd}"
    return text + (f"; {blocked} of {values.size} pairs blocked." if blocked else ".")


def _counted(count, one, many):
    return f"{count} {one if count == 1 else many}"


def told_apart(names):
    """Names with their position, counted from 1, added to those that occur twice."""
    told = []
    for i, name in enumerate(names, 1):
        twice = names.count(name) > 1
        told.append(f"{name} ({i})" if twice else name)
    return told


def image_bundle(content, mime, alt):
    """What a notebook stores of a picture: an <img> with its alternative text, and that text alone."""
    data = base64.b64encode(content).decode("ascii")
    source = f"data:{mime};base64,{data}"
    image = f'<img alt="{html.escape(alt)}" style="max-width:100%;height:auto" src="{source}">'
    return {"text/html": image, "text/plain": alt}
