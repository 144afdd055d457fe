"""Where the lessons work: a broken lesson makes one red cell, and what was not run is not green or red."""

import pytest

import course
import results
from attn_parts.colours import OPEN, PASSED, STOPPED
from environments import python

LESSONS = len(course.NOTEBOOKS)
DAY = "Lessons on 23 November 2026"


def junit(fault):
    """A file as pytest writes it; the fault is in the second of three cells of lesson 04."""
    names = [f"notebooks.{path.name}" for path in course.NOTEBOOKS for _ in range(3)] + ["tests.test_heads"]
    cases = [f'<testcase classname="{name}">{fault * (i == 13)}</testcase>' for i, name in enumerate(names)]
    suite = f'<testsuite timestamp="2026-11-23T04:20:00.1">{"".join(cases)}</testsuite>'
    return f"<testsuites>{suite}</testsuites>"


def written(folder):
    """The page and the badge of the result that is stored in a folder, or of none."""
    (folder / "_static").mkdir()
    results.write(folder, folder / "results.json")
    return (folder / "results.md").read_text(), (folder / "_static" / "results.svg").read_text()


@pytest.mark.parametrize(
    ("run", "faults", "said", "color"),
    [  # how many environments were run, what happens in one cell of lesson 04, what is said, and the badge
        (6, {"oldest": "<skipped/>"}, "all work", PASSED),
        (5, {"Binder": "<error/>", "Colab": "<failure/>"}, f"2 broken, {LESSONS} not run", STOPPED),
    ],
)
def test_one_broken_lesson_makes_one_red_cell(run, faults, said, color, tmp_path):
    for name in results.ENVIRONMENTS[:run]:
        (tmp_path / f"{name}.xml").write_text(junit(faults.get(name, "")))
    # with no package and none of the course, as in the workflow
    gathered = python("-E", "-S", results.__file__, tmp_path).stdout
    (tmp_path / "results.json").write_text(gathered, "utf-8")
    page, badge = written(tmp_path)
    broken = len(faults.keys() - {"oldest"})
    missing = (6 - run) * LESSONS
    counts = [page.count(word) for word in (">works<", ">not run<", ">broken<", STOPPED)]
    assert counts == [6 * LESSONS - broken - missing, missing, broken, broken]
    assert f"{DAY}: {said}." in page
    assert f'aria-label="{DAY}: {said}"' in badge
    assert color in badge


def test_before_the_first_run_the_page_says_so(tmp_path):
    page, badge = written(tmp_path)
    assert "Lessons: not tried yet." in page
    assert OPEN in badge
