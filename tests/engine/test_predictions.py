"""Questions and predictions: every option has a reply of its own, a click commits and is remembered."""

import math
import re
from collections import Counter
from html.parser import HTMLParser

import ipywidgets
import pytest

import attn_checks as check
import course
from attn_checks.question import Question, as_html, as_text
from attn_checks.questions import gather

SLUGS = list(check.QUESTIONS)
OPTIONS = [(slug, letter) for slug in SLUGS for letter in check.QUESTIONS[slug].options]


class Visible(HTMLParser):
    """The text of a piece of HTML, and the tags it has."""

    def __init__(self, source):
        super().__init__()
        self.text, self.tags = "", []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.hidden = tag == "style"

    def handle_data(self, data):
        self.text += "" if self.hidden else data


def right_letters(lesson=""):
    return Counter(q.right for slug, q in check.QUESTIONS.items() if slug.startswith(lesson))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_option_has_a_reply_of_its_own(slug):
    asked = check.QUESTIONS[slug]
    options, replies = zip(*asked.options.values(), strict=True)
    assert all(len(reply.split()) >= 4 for reply in replies), "too short to say why"
    assert len(set(options)) == len(set(replies)) == len(options)


@pytest.mark.parametrize(("slug", "letter"), OPTIONS)
def test_replies_do_not_depend_on_the_letters(slug, letter):
    """Letters may be dealt anew, and the verdict stands in front of the reply already."""
    reply = as_text(check.QUESTIONS[slug].options[letter][1])
    assert not re.search(r"\([a-dA-D]\)|\b(option|answer) [A-D]\b|\bNot [A-D]\b", reply)
    assert not re.match(r"(yes|no|right|wrong|correct|not so|true|false)\b[,.:!]", reply, re.IGNORECASE)


@pytest.mark.parametrize("lesson", sorted({slug[:2] for slug in SLUGS}))
def test_no_letter_is_right_too_often_in_a_lesson(lesson):
    letters = right_letters(lesson)
    assert max(letters.values()) <= math.ceil(letters.total() / 2), letters


def test_right_letters_are_spread_over_the_course():
    letters = right_letters()
    assert all(0.25 <= letters[letter] / letters.total() <= 0.42 for letter in "abc"), letters


@pytest.mark.parametrize(("slug", "letter"), OPTIONS)
def test_a_click_is_answered_for_that_option_and_stays(slug, letter):
    prediction, asked = check.predict(slug), check.QUESTIONS[slug]
    assert prediction.chosen is None and prediction.right is None
    assert not any(button.disabled for button in prediction.buttons.values())
    prediction.buttons[letter].click()
    assert prediction.chosen == letter and prediction.right == (letter == asked.right)
    assert all(button.disabled for button in prediction.buttons.values())
    marked = [key for key, button in prediction.buttons.items() if "your choice" in button.description]
    assert marked == [letter]
    live = Visible(prediction.reply.value.partition("<details>")[0]).text
    assert as_text(asked.options[letter][1]) in live
    assert ("is right" in live) == prediction.right and ("Not " + letter.upper() in live) != prediction.right
    assert all(as_text(reply) not in live for other, (_, reply) in asked.options.items() if other != letter)
    assert check.predict(slug) is prediction and check.predict(slug).chosen == letter


@pytest.mark.parametrize("slug", SLUGS)
def test_all_that_is_asked_stands_on_the_screen(slug):
    prediction, asked = check.predict(slug), check.QUESTIONS[slug]
    question, *buttons, reply = prediction.widget.children
    assert Visible(question.value).text.strip() == as_text(asked.text)
    assert [button.description for button in buttons] == [
        f"{letter.upper()}. {as_text(option)}" for letter, (option, _) in asked.options.items()
    ]
    assert 'role="status"' in reply.value and Visible(reply.value).text == ""
    assert all(as_text(text) in str(prediction) for text, _ in asked.options.values())


@pytest.mark.parametrize("slug", SLUGS)
def test_without_a_kernel_each_option_is_a_fold_over_its_reply(slug):
    asked, shown = check.QUESTIONS[slug], check.predict(slug).still()
    page = Visible(shown["text/html"])
    assert page.tags.count("details") == page.tags.count("summary") == len(asked.options)
    folds = shown["text/html"].split("<details>")[1:]
    for fold, (letter, (option, reply)) in zip(folds, asked.options.items(), strict=True):
        summary, body = map(lambda part: Visible(part).text, fold.split("</summary>"))
        assert summary == f"{letter.upper()}. {as_text(option)}"
        assert body.startswith("✓" if letter == asked.right else "✗") and as_text(reply) in body
    assert shown["text/plain"] == str(asked)
    assert not any(as_text(reply) in shown["text/plain"] for _, reply in asked.options.values())


def test_only_core_widgets_that_every_version_has(sky):
    def every(widget):
        return [widget, *(below for child in getattr(widget, "children", ()) for below in every(child))]

    prediction = check.predict(sky)
    kinds = {type(widget) for widget in every(prediction.widget)}
    assert kinds == {ipywidgets.VBox, ipywidgets.Button, ipywidgets.HTML}


def test_chosen_from_code_with_any_brackets_and_only_once(sky):
    prediction = check.predict(sky).choose("(A)")
    assert prediction.chosen == "a"
    assert prediction.choose("b").chosen == "a"
    shown = prediction.still()
    assert "✗ Not A." in shown["text/plain"] and "✗ Not A." in shown["text/html"]
    with pytest.raises(ValueError, match="Got 'z'; choose one of a, b, c"):
        check.predict(sky).choose("z")


def test_an_error_behind_a_button_is_shown(sky):
    prediction = check.predict(sky)
    prediction._show_chosen = lambda: 1 / 0
    prediction.buttons["a"].click()
    assert "ZeroDivisionError: division by zero" in prediction.reply.value


def test_an_unknown_name_is_refused_with_those_that_there_are():
    for ask in (check.predict, check.question, lambda slug: check.explain(slug, "a")):
        with pytest.raises(KeyError, match=f"no question 'nothing'; there are {SLUGS[0]}, {SLUGS[1]}"):
            ask("nothing")


@pytest.mark.parametrize(
    ("options", "right", "problem"),
    [
        ({"a": ("one", "why")}, "a", "2 to 4 options"),
        ({"a": ("one", "why"), "c": ("two", "why")}, "a", "lettered from a"),
        ({"a": ("one", "why"), "b": ("two", "why")}, "c", "none of the options"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(options, right, problem):
    with pytest.raises(ValueError, match=problem):
        Question("What?", options, right)


@pytest.mark.parametrize(
    "files", [{"lesson04_b": {"03-x": 1}}, {"lesson04_a": {"04-x": 1}, "lesson04_b": {"04-x": 2}}]
)
def test_a_question_with_the_name_of_another_lesson_or_of_another_question_is_refused(files):
    with pytest.raises(ValueError, match=r"lesson04_b.py: a question here is named 04-…, once; see 0\d-x"):
        gather(files)


def test_every_question_is_asked():
    """Lessons that ask for predictions by a click use every question of their file."""
    sources = [path.read_text(encoding="utf-8") for path in course.LESSONS]
    asked = set(re.findall(r'check\.(?:predict|question)\(\\"([\w-]+)\\"\)', "".join(sources)))
    new = {
        path.name[:2]
        for path, source in zip(course.LESSONS, sources, strict=True)
        if "check.predict(" in source
    }
    assert [slug for slug in SLUGS if slug[:2] in new and slug not in asked] == []


def test_marks_in_a_text():
    assert as_text("*all* of `Q * K`, 2 * 3 * 4") == "all of Q * K, 2 * 3 * 4"
    assert as_html("*a<b* `K.T`") == "<em>a&lt;b</em> <code>K.T</code>"
    shown = "".join(map(str, map(check.question, SLUGS)))
    assert not re.search(r"\*\S|\S\*", shown)  # a product's * stands between spaces


@pytest.mark.parametrize("answer", ["b", "B", "(b)", "b)", "(B)", " b. "])
def test_a_typed_letter_may_come_with_brackets(sky, answer):
    assert check.explain(sky, answer).status == "passed"


def test_a_typed_letter_is_told_why(sky):
    assert check.explain(sky, ...).status == check.explain(sky, None).status == "not attempted"
    wrong = check.explain(sky, "c")
    assert (wrong.status, wrong.mistake) == ("incorrect", "chose-c")
    assert wrong.lines == ("It is there: look up.", "Look again at: lesson 99, Up")
    assert check.explain(sky, "z").mistake == "no-such-option"
    assert str(check.question(sky)).splitlines() == [
        "What is the sky?",
        "  a) Green.",
        "  b) Blue.",
        "  c) None",
    ]
    assert "<em>Green</em>" in check.question(sky)._repr_mimebundle_()["text/html"]
