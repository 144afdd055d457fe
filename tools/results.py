"""Gather what the weekly tests say of each lesson: `python tools/results.py FOLDER > results.json`.

FOLDER holds pytest's JUnit files, named after the environments. tools/pages.py shows results.json as a page
and a badge.
"""

import json
import pathlib
import re
import sys
from xml.etree import ElementTree

from _command import NOTEBOOKS, ROOT, day

STORED = ROOT / "results.json"
ENVIRONMENTS = ["oldest", "newest", "pre-releases", "Colab", "Binder", "next-Python"]
PAGE = """# Where the lessons work

Every week each lesson runs with the oldest versions that we support, the newest releases, pre-releases,
the versions of Colab and Binder, and the next Python. Its numbers and pictures are compared with the
stored ones. {said}.

<div class="table-wrapper"><table class="docutils"><tr><th>lesson</th>{heads}</tr>
{rows}</table></div>

Attention functions of other libraries are [judged](libraries.md) every week as well, and the attention of
open models is [compared](models.md) with ours.
"""
SAID = {True: "works", False: "broken", None: "not run"}
BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="320" height="20" role="img" aria-label="{said}">
<rect width="320" height="20" rx="3" fill="{color}"/><text x="160" y="14" fill="{paper}" text-anchor="middle"
font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{said}</text></svg>
"""


def gather(folder):
    """{"date": …, "lessons": {lesson: {environment: whether it works, None if it was not run}}}."""
    days = [""]
    found = {path.stem: dict.fromkeys(ENVIRONMENTS) for path in NOTEBOOKS}
    for path in folder.rglob("*.xml"):
        suites = ElementTree.parse(path)
        days += [suite.get("timestamp")[:10] for suite in suites.iter("testsuite")]
        for case in suites.iter("testcase"):
            if lesson := re.fullmatch(r"notebooks\.(\w+)\.ipynb", case.get("classname")):
                fine = case.find("failure") is None and case.find("error") is None
                found[lesson[1]][path.stem] = fine and found[lesson[1]][path.stem] is not False
    return {"date": max(days), "lessons": found}


def summary(results):
    """One line: the date, and whether all is well."""
    if not results["date"]:
        return "Lessons: not tried yet"
    cells = [cell for lesson in results["lessons"].values() for cell in lesson.values()]
    counts = [f"{cells.count(how)} {SAID[how]}" for how in (False, None) if how in cells]
    return f"Lessons on {day(results['date'])}: {', '.join(counts) or 'all work'}"


def write(sources, stored=STORED):
    """Put a page and a badge with the stored result, if there is one, among the sources of the pages."""
    from attn_parts.colours import OPEN, PAPER, PASSED, STOPPED

    results = json.loads(stored.read_text("utf-8")) if stored.exists() else {"date": "", "lessons": {}}
    said = summary(results)
    style = ' style="color: {}; background: {}"'.format
    looks = {True: style(PAPER, PASSED), False: style(PAPER, STOPPED), None: ""}
    rows = ""
    for lesson, found in results["lessons"].items():
        cells = "".join(f"<td{looks[found[name]]}>{SAID[found[name]]}</td>" for name in ENVIRONMENTS)
        rows += f"<tr><th>{lesson.replace('_', ' ')}</th>{cells}</tr>\n"
    heads = "".join(f"<th>{name.replace('-P', ' P')}</th>" for name in ENVIRONMENTS)
    page = PAGE.format(said=said, heads=heads, rows=rows)
    (sources / "results.md").write_text(page, "utf-8")
    color = PASSED if said.endswith("all work") else STOPPED if results["date"] else OPEN
    badge = BADGE.format(said=said, paper=PAPER, color=color)
    (sources / "_static" / "results.svg").write_text(badge, "utf-8")


if __name__ == "__main__":
    print(json.dumps(gather(pathlib.Path(sys.argv[1])), indent=1))
