"""CONTRIBUTING works as it is printed."""

import re
import shlex

from course import ROOT
from environments import python
from stand_in import copy_course

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ADDED = CONTRIBUTING.partition("**A mistake**")[2].partition("**An answer**")[0]
NAME = "divided-by-mean"


def printed(kind):
    [lines] = re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", ADDED)
    return lines


def put(path, place, lines):
    """Write lines into a file behind what matches `place`, which it has once."""
    text = path.read_text("utf-8")
    [found] = re.finditer(place, text)
    path.write_text(text[: found.end()] + lines + text[found.end() :], "utf-8")


def asked(lesson):
    """What the printed command says of the answer in the copy."""
    [command] = re.findall(r"`(pytest \S+test_answers\S+ [^`]*)`", ADDED)
    options = ["-n", "0", "-p", "no:cacheprovider", "-v", *shlex.split(command)[1:]]
    told = python("-m", "pytest", *options, cwd=lesson.parents[1]).stdout
    [said] = re.findall(rf"(?m)^\S*lesson04-softmax-{NAME}\S* (\w+)", told)
    return said, told


def test_a_mistake_is_added_as_printed(tmp_path):
    known = (ROOT / "attn_lessons/lesson04/mistakes.md").read_text("utf-8")
    assert NAME not in known, f"{NAME} is in the course now: print another example, or take it out"
    lesson = copy_course(tmp_path) / "attn_lessons" / "lesson04"
    put(lesson / "answers.txt", r"(?m)^softmax\(x\)\n", printed("text"))
    said, told = asked(lesson)
    assert (said, "('incorrect', None)" in told) == ("FAILED", True), told
    [table] = re.findall(r"here `([A-Z_]+)`", ADDED)
    put(lesson / "softmax.py", rf"(?m)^{table} = \{{\n", printed("python"))
    put(
        lesson / "mistakes.md",
        r"(?ms)^## softmax$.*?\n\n",
        f"{printed('markdown')}\n",
    )
    said, told = asked(lesson)
    assert said == "PASSED", told
