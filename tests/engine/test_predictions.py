"""Questions and predictions: read from Markdown, each option with its own reply; a choice is kept."""

import math
import re
from collections import Counter

import pytest

import attn_checks as check
import course
from attn_checks.ask.questions import as_html, as_text, read
from attn_checks.exercise import checkers
from attn_checks.tell.feedback import section

SLUGS = list(check.QUESTIONS)
FILE = """# Questions of lesson 04
How to write one.

## 04-sky
What is the sky?
- A. *Green*: grass.
  > That is the meadow: look > further up.
- **B.** Blue.
  > As the air scatters `2 * 3` waves.
- see: l04-axis

## 04-sea
How deep?
- **A.** - 4 m
  > Measured.
- B. None
  > Stand in it.
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "lesson04").mkdir()
    return tmp_path / "lesson04" / "questions.md"


def test_a_file_is_read(path):
    path.write_text(FILE, "utf-8")
    found = read(path)
    sky, sea = found.values()
    assert list(found) == ["04-sky", "04-sea"]
    assert (sky.text, sky.right, sky.see) == ("What is the sky?", "b", "l04-axis")
    assert sky.options["a"] == ("*Green*: grass.", "That is the meadow: look > further up.")
    assert sea.options == {"a": ("- 4 m", "Measured."), "b": ("None", "Stand in it.")}
    assert (sea.right, sea.see) == ("a", None)


@pytest.mark.parametrize(
    ("before", "after", "line", "problem"),
    [
        ("**B.** B", "B. B", 4, "one option is the key, .*here 0 are"),
        ("  > Stand in it.", "", 16, "write '  > the reply.*got ''"),
        ("- B. None\n  > Stand in it.\n", "", 12, "two to four options, lettered from A"),
        ("04-sea", "04-sky", 12, "a name starts with 04- and is there once; change '04-sky'"),
        ("## 04-sky", "##04-sky", 4, "write the first question's name here, '## 04-…'"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_line(path, before, after, line, problem):
    path.write_text(FILE.replace(before, after), "utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}:{line}: .*{problem}"):
        read(path)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_option_has_a_reply_of_its_own(slug):
    """Letters may be dealt anew, and the verdict precedes the reply already."""
    asked = check.QUESTIONS[slug]
    options, replies = zip(*asked.options.values(), strict=True)
    assert len(set(options)) == len(options)
    assert len(set(replies)) == len(options)
    for reply in map(as_text, replies):
        assert len(reply.split()) >= 4, "too short to say why"
        assert not re.search(r"\([a-dA-D]\)|\b(option|answer) [A-D]\b|\bNot [A-D]\b", reply)
        assert not re.match(r"(yes|no|right|wrong|correct|not so|true|false)\b[,.:!]", reply, re.IGNORECASE)
    assert asked.see is None or ", " in section(asked.see), f"{asked.see}: no cell of a lesson with a heading"


def test_keys_are_spread_over_each_lesson_and_over_the_course():
    keys = {slug: asked.right for slug, asked in check.QUESTIONS.items()}
    for lesson in {slug[:2] for slug in keys}:
        letters = Counter(key for slug, key in keys.items() if slug.startswith(lesson))
        assert max(letters.values()) <= math.ceil(letters.total() / 2), (lesson, letters)
    letters = Counter(keys.values())
    for letter in "abc":
        share = letters[letter] / letters.total()
        assert 0.25 <= share <= 0.42, f"give a question another key, of all {share:.0%} are {letter}"


def test_every_question_and_exercise_is_asked_in_a_lesson():
    sources = "".join(path.read_text("utf-8") for path in course.NOTEBOOKS)
    asked = set(re.findall(r'check\.(?:predict|question)\(\\"([\w-]+)\\"\)', sources))
    called = set(re.findall(r"check\.(\w+)\(", sources))
    assert set(SLUGS) <= asked
    assert checkers().keys() <= called


def test_marks_in_a_text():
    assert as_text("*all* of `Q * K`, 2 * 3 * 4") == "all of Q * K, 2 * 3 * 4"
    assert as_html("*a<b* `K.T`") == "<em>a&lt;b</em> <code>K.T</code>"
    shown = "".join(map(str, map(check.question, SLUGS)))
    assert not re.search(r"\*\S|\S\*", shown)  # a product's * has spaces around it


def test_chosen_from_code_with_any_brackets_and_only_once(sky):
    prediction = check.predict(sky).choose("(A)")
    assert prediction.choose("b").chosen == "a"
    shown = prediction.still()
    assert "✗ Not A." in shown["text/plain"]
    assert "✗ Not A." in shown["text/html"]
    with pytest.raises(ValueError, match="Got 'z'; choose one of a, b, c"):
        prediction.choose("z")


def test_an_error_behind_a_button_is_shown(sky):
    prediction = check.predict(sky)
    prediction._show_chosen = lambda: 1 / 0
    prediction.buttons["a"].click()
    assert "ZeroDivisionError: division by zero" in prediction.reply.value


def test_an_unknown_name_is_refused_with_those_that_there_are():
    for ask in (
        check.predict,
        check.question,
        lambda slug: check.explain(slug, "a"),
        check.progress,
    ):
        with pytest.raises(KeyError, match=f"no question '04-nothing'; there are {SLUGS[0]}, {SLUGS[1]}"):
            ask("04-nothing")


def test_a_typed_letter_is_told_why(sky):
    for answer in (..., None):
        assert check.explain(sky, answer).status == "not attempted"
    for answer in ("b", "(B)", " b. "):
        assert check.explain(sky, answer).status == "passed"
    wrong = check.explain(sky, "c")
    assert (wrong.status, wrong.mistake) == ("incorrect", "chose-c")
    assert wrong.lines == ("It is there: look up.",)
    assert wrong.message.endswith("Look again at: lesson 04, Temperature")
    for answer in ("z", 2):
        assert check.explain(sky, answer).mistake == "no-such-option"
    lines = ["What is the sky?", "  a) Green.", "  b) Blue.", "  c) None"]
    question = check.question(sky)
    assert str(question).splitlines() == lines
    assert "<em>Green</em>" in question._repr_mimebundle_()["text/html"]
