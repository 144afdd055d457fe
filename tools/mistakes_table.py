"""Make the page of the mistakes which the checkers know, ten with a story, then all, for tools/pages.py.

The stories are in tools/pages/stories.md: each has wrong code, which is checked here, and must get the
mistake that it names.
"""

import html
import pathlib
import re

import numpy as np

import attn_checks
import attn_helpers as attn
import links
from attn_checks.tell.feedback import headings, section
from set_address import ROOT

STORIES = pathlib.Path(__file__).parent / "pages" / "stories.md"
STORY = re.compile(r"(?ms)^## (.+?)\n(\w+): ([\w-]+)\n\n```python\n(.+?)```\n\n(.+?)\n(?=\n## |\Z)")
MARKS = re.compile(r"(?<!\w)\*(\w[^*]*?)\*|`([^`]+)`")
PAGE = """# Mistakes that the checkers know

A checker computes what each mistake would give on its inputs and compares the numbers. So it recognises
a mistake however you write it, and often two at once. Ten have a story, most of them in code that many
people use. Below them are [all {n}](#all-of-them).
{stories}
## All of them

Each has an address of its own. The lesson is the one to read again.

<div class="attn-filter" hidden>
<label>Lesson <select><option value="">all</option>{lessons}</select></label>
<label>Words <input type="search" placeholder="softmax, mask, axis …"></label>
<p role="status"></p>
</div>
{folds}
<script src="_static/mistakes.js" defer></script>
"""
TOLD = """
## {title}

{text}

<details{opened}><summary>The code, and what the checker says</summary>

```python
{code}```

<div class="attn-verdict">{verdict}</div>

<p>In the list: <a href="#{anchor}"><code>{anchor}</code></a></p>
</details>
"""
FOLD = """<details id="lesson-{0}"><summary>{1}</summary><ul class="attn-mistakes">
{2}
</ul></details>
"""


def page():
    """Markdown, with HTML where each mistake has an address."""
    known = addresses()
    lessons = {}
    for anchor, (mistake, exercises) in known.items():
        lessons.setdefault(mistake.see[1:3], []).append(item(anchor, mistake, exercises))
    titles = {lesson: html.escape(next(iter(headings(lesson).values()))) for lesson in sorted(lessons)}
    return PAGE.format(
        n=len(known),
        stories="".join(stories(known)),
        lessons="".join(f'<option value="lesson-{key}">{title}</option>' for key, title in titles.items()),
        folds="\n".join(FOLD.format(key, title, "\n".join(lessons[key])) for key, title in titles.items()),
    )


def addresses():
    """{address: (Mistake, names of the exercises that tell it)}, in the order of the lessons."""
    told = {}
    for name, exercise in attn_checks.EXERCISES.items():
        for mistake in exercise.known():
            told.setdefault((mistake.short, mistake.name), (mistake, {}))[1][name] = True
    found = {}
    for (short, _), (mistake, exercises) in told.items():
        first = next(iter(exercises))
        wished = [short, f"{first}-{short}", *(f"{first}-{short}-{n}" for n in range(2, 9))]
        found[next(address for address in wished if address not in found)] = mistake, exercises
    return found


def item(anchor, mistake, exercises):
    """One mistake of the list."""
    (lesson,) = ROOT.glob(f"notebooks/{mistake.see[1:3]}_*.ipynb")
    place = f"notebooks/{lesson.stem}.html#{links.page_id(headings(mistake.see[1:3])[mistake.see])}"
    names = ", ".join(f"<code>{name}</code>" for name in exercises)
    return (
        f'<li id="{anchor}"><a href="#{anchor}"><strong>{html.escape(mistake.name)}</strong></a> '
        f"{as_html(mistake.say)} <small><code>{mistake.short}</code> in {names}. Read again: "
        f'<a href="{place}">{html.escape(section(mistake.see))}</a></small></li>'
    )


def as_html(said):
    """The words of a checker, with what they stress and their code."""
    shown = html.escape(said, quote=False)
    return MARKS.sub(lambda part: f"<em>{part[1]}</em>" if part[1] else f"<code>{part[2]}</code>", shown)


def stories(known):
    """Each story with its code and what the checker says of it."""
    for place, story in enumerate(STORY.finditer(STORIES.read_text("utf-8"))):
        title, name, short, code, text = story.groups()
        defined = {"np": np, "attn": attn}
        exec(code, defined)
        told = getattr(attn_checks, name)(defined[name])
        if told.mistake != short:
            raise SystemExit(f"{STORIES.name}, {title}: {name} should get {short}, and gets {told.mistake}.")
        (anchor,) = (
            key for key, (mistake, _) in known.items() if (mistake.short, mistake.name) == (short, told.like)
        )
        verdict = links.of_verdict(told._repr_mimebundle_()["text/html"], "notebooks/")
        yield TOLD.format(
            title=title,
            text=text,
            code=code,
            verdict=verdict,
            anchor=anchor,
            opened="" if place else " open",
        )
