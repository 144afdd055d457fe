"""A page from its template."""

from collections.abc import Callable
from pathlib import Path

import jinja2

from attn_parts.colours import NIGHT, palette_css


def rendered(template: Path, finalize: Callable | None = None, **given: object) -> str:
    """A page from its template, in the course's colours; `finalize` is applied to each value in it."""
    made = jinja2.Environment(autoescape=True, finalize=finalize, trim_blocks=True, lstrip_blocks=True)
    page = made.from_string(template.read_text(encoding="utf-8"))
    return page.render(given, palette=palette_css(), night=NIGHT)
