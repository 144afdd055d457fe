"""The inventory: options are the results of their mistakes, forms are parallel, and a class's answers are read and counted."""

import collections
import contextlib
import re

import numpy as np
import pytest

import links
import made_up_class
from attn_checks.__main__ import main
from attn_checks.inventory import answers, command, forms, gains, report
from attn_checks.registry import exercises
from course import ROOT

FORMS = forms.forms()
QUESTIONS = [pytest.param(idea, form, id=f"{idea}-{form}") for idea in FORMS["A"] for form in FORMS]
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ONE = np.ones(1)
# the head of each ablation, by its answer when nothing is hidden: weights, and what the words say for the answer
HEADS = {
    0.94: ([0.4, 0.4, 0.2], [4, 4, -2]),
    0.92: ([0.3, 0.5, 0.2], [4, 3, -1.5]),
}


def numbers_in(text):
    return [float(number) for number in NUMBER.findall(text.replace(",", ""))]


def table(question):
    """The words of a question's table, and its last two columns of numbers."""
    rows = [line.strip("| ").split(" | ") for line in question.text.splitlines()[3:]]
    words, *_, left, right = zip(*rows, strict=True)
    return (
        words,
        np.array([NUMBER.findall(cell) for cell in left], float),
        np.array([NUMBER.findall(cell) for cell in right], float),
    )


def listed(numbers, digits=2):
    return f"[{' '.join(f'{number:.{digits}f}' for number in np.ravel(numbers))}]"


# What an option shows if a function is the exercise's right one, or a way to make a mistake in it.


def who(question, exercise, f):
    words, queries, keys = table(question)
    yield words[np.argmax(f(queries, keys)[-1])]


def contribution(question, exercise, f):
    words, weights, values = table(question)
    weights = weights.ravel()

    def output(V):
        return f(weights, V) if exercise == "weighted_mean" else f(np.log(weights)) @ V

    without = [output(np.where(one[:, None], 0, values)) for one in np.eye(4)]
    yield words[np.argmin(without)]


def scale(question, exercise, f):
    _, first, second = numbers_in(question.text)
    ratio = f(int(second), 1.0, 1.0) / f(int(first), 1.0, 1.0)
    yield {0.5: "times ½", 1 / 3: "times ⅓"}.get(ratio, f"times {ratio:.0f}")


def mask(question, exercise, f):
    scores = np.ones((1, 3 + ("four keys" in question.text)))
    seen = np.arange(scores.size)[None] < scores.size - 1
    if exercise == "apply_mask":
        yield listed(exercises()["softmax"].right(f(scores, seen)))
    else:
        yield listed(f(ONE[None], scores.T, scores.T, seen)[1])


def padding(question, exercise, f):
    length = 2 if "two [pad]s" in question.text else 3
    if exercise == "apply_mask":
        seen = np.broadcast_to(np.arange(4) < length, (4, 4))
        allowed = ~np.isneginf(f(np.ones((4, 4)), seen))
    else:
        allowed = np.broadcast_to(f([length], 4)[0], (4, 4))
    yield " ".join("".join(str(int(cell)) for cell in row) for row in allowed)


def temperature(question, exercise, f):
    _, *weights, hotter = numbers_in(question.text)
    yield listed(f(np.array(weights), hotter))


def heads(question, exercise, f):
    first, second = numbers_in(question.text)
    words = np.eye(3)
    W_Q = np.array([[40.0, 40], [0, 0], [0, 0]])
    W_K = np.array([[0.0, 0], [1, 0], [0, 1]])
    W_V = np.array([[0, 0], [first, first], [second, second]])
    yield listed(f(words, W_Q, W_K, W_V, np.eye(2), 2)[0], digits=0)


def order(question, exercise, f):
    _, weights, V = table(question)
    K = np.log(weights)
    if exercise == "attention":
        output = f(np.ones((3, 1)), K[::-1], V[::-1])[0][0]
    else:
        output = f(ONE, K[2], V[2], K[:2], V[:2])[0]
    yield f"{output[0]:.1f}"


def ablation(question, exercise, f):
    whole = numbers_in(question.text)[0]
    weights, says = HEADS[whole]
    assert round(1 / (1 + np.exp(-np.dot(weights, says))), 2) == whole
    V = np.stack([says, np.zeros(3)], axis=1)
    answered = f(ONE, np.log(weights)[:, None], V, np.eye(2))
    yield f"{answered[1, 0]:.2f}"


def cache(question, exercise, f):
    q, k, v = 3 * ONE, 5 * ONE, 7 * ONE
    _, K, V = f(q, k, v, ONE[None], ONE[None])
    kept = [{3: "q", 5: "k", 7: "v"}.get(rows[-1, 0]) for rows in (K, V)]
    yield " and ".join(kept) if all(kept) else f"{kept[0] or kept[1]} alone"


def cost(question, exercise, f):
    width, length, _, longer = map(int, numbers_in(question.text))
    X = np.zeros((longer, width))
    if exercise == "scores":
        yield f"{f(X, X).size:,}"
    else:
        for block in (1, length):
            *_, tiles = f(X, X, X, block, False)
            yield f"{tiles * block**2:,}"


def differences(question, exercise, f):
    *scores, more = numbers_in(question.text)
    yield listed(f(np.array(scores[:3]) + more))


SHOWN = {
    who: "scores",
    contribution: "weighted_mean",
    scale: "score_divisor",
    mask: "attention",
    padding: "padding_mask",
    temperature: "change_temperature",
    heads: "multi_head",
    order: "attention",
    ablation: "answers_without",
    cache: "next_output",
    cost: "scores",
    differences: "softmax",
}


def results(idea, form, exercise, ways):
    """What an option shows by each of several functions that come to something."""
    show = list(SHOWN)[list(FORMS["A"]).index(idea)]
    for way in ways:
        with contextlib.suppress(ValueError, IndexError, TypeError), np.errstate(all="ignore"):
            yield from show(FORMS[form][idea], exercise, way)


@pytest.mark.parametrize(("idea", "form"), QUESTIONS)
def test_each_option_is_the_result_of_its_mistake(idea, form):
    question = FORMS[form][idea]
    exercise = list(SHOWN.values())[list(FORMS["A"]).index(idea)]
    for option, reply in question.options.values():
        ways = [exercises()[exercise].right]
        if found := report.RESULT_OF.fullmatch(reply):
            short, told_in, _ = found.groups()
            assert short in report.section_of(told_in).mistakes
            known = exercises()[told_in].known()
            ways = [way for mistake in known if mistake.short == short for way in mistake.ways]
            assert option in results(idea, form, told_in, ways)
        else:
            assert option == question.options[question.right][0]
            assert option in results(idea, form, exercise, ways)


@pytest.mark.parametrize("idea", FORMS["A"])
def test_the_forms_are_parallel(idea):
    first, second = FORMS["A"][idea], FORMS["B"][idea]
    replies = [sorted(reply for _, reply in each.options.values()) for each in (first, second)]
    assert replies[0] == replies[1]
    assert first.see == second.see
    assert first.right != second.right
    assert abs(len(first.text.split()) - len(second.text.split())) <= 1


@pytest.mark.parametrize("form", FORMS)
def test_nothing_but_the_idea_tells_the_key(form):
    asked = FORMS[form].values()
    keys = collections.Counter(question.right for question in asked)
    assert set(keys.values()) == {3}
    for question in asked:
        assert len({len(option) for option, _ in question.options.values()}) == 1
        sentences = re.split(r"[.?:] ", question.text.splitlines()[0])
        assert max(len(sentence.split()) for sentence in sentences) <= 20


def test_a_made_up_class_is_recovered_as_its_page_says(tmp_path):
    made_up_class.hand_in(tmp_path)
    found = command.read(tmp_path)
    text = (ROOT / "teaching" / "inventory.md").read_text("utf-8")
    for line in made_up_class.compared(found):
        assert line in text
    assert f"{report.with_limits(found.gain())}" in text
    assert not found.notes


def test_a_section_is_linked_where_the_pages_have_it():
    for question in FORMS["A"].values():
        idea = report.Idea("", {}, None, "", "", 0, 0, question.see)
        heading = report.headings(question.see[1:3])[question.see]
        assert idea.page.endswith(f".html#{links.page_id(heading)}")


@pytest.mark.parametrize("n", [6, 12, 30])
def test_intervals_hold_for_small_classes(n):
    rng = np.random.default_rng(n)
    held = collections.Counter()
    for _ in range(600):
        was = rng.random((n, 12)) < 0.7
        now = was & (rng.random((n, 12)) < 0.5)
        one = gains.gain(~was[:, 0], ~now[:, 0])
        whole = gains.gain_over_all(was.sum(1).tolist(), now.sum(1).tolist())
        held["one"] += one[1] <= 0.5 <= one[2]
        held["all"] += whole[1] <= 0.5 <= whole[2]
    assert all(0.92 <= times / 600 <= 0.99 for times in held.values()), held


def line(name, form="A", letters="ABCDABCDABCD"):
    return f"attention-inventory {form} {letters} {name}\n"


TYPED = """form;NAME;Q1;Q2;Q3;Q4;Q5;Q6;Q7;Q8;Q9;Q10;Q11;Q12

b; Zoë ;a);B;(c);D.;a;b;;x;a;b;c;d
"""
ODD = {  # what is in before, and what must be said of it
    "excel": (TYPED.encode("utf-8-sig"), "no letter from A to D"),
    "an older excel": (TYPED.encode("cp1252"), "no letter from A to D"),
    "utf-16": (line("Zoë").encode("utf-16"), "2.0 before"),
    "cut off": (f"{line('Zoë')}attention-inventory B ABC".encode(), "cut off"),
    "no answers": (b"name,form,1,2\nZora,A,B,B", "lacks the columns 3, 4"),
    "a picture": (b"%PDF\0", "isn't text"),
    "twice": ((line("Zoë") + line("zoë ")).encode(), "2.0 before"),
    "twice otherwise": ((line("Zoë") + line("Zoë", "B")).encode(), "the fuller"),
    "half": (line("Zoë", letters="ABCDAB------").encode(), "half of the answers"),
    "empty": (line("Zoë", letters="-" * 12).encode(), "without a single answer"),
    "another name": ((line("Zoë") + line("Zora")).encode(), "only before"),
    "the same form": (line("Zoë", "B").encode(), "the same form both times"),
    "nobody twice": (line("Zora").encode(), "the same name each time"),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_get_a_sentence_that_names_no_one(odd, tmp_path, capsys):
    content, said = ODD[odd]
    for time, given in (("before", content), ("after", (line("Zoë", "B") + line("Yan")).encode())):
        (tmp_path / time).mkdir()
        (tmp_path / time / "renamed").write_bytes(given)
    asked = ["inventory", str(tmp_path), "--output", str(tmp_path / "out")]
    if main(asked) == 0:
        page = tmp_path / "out" / "report.html"
        assert not re.search("Zo|Yan", page.read_text("utf-8"))
        main([*asked, "--names"])
        assert "Yan" in page.read_text("utf-8")
    shown = "".join(capsys.readouterr())
    assert said in shown


def test_a_notebook_is_answered_by_clicks(capsys):
    first, *asks, last = [cell.source for cell in forms.notebook_of("B").cells if cell.cell_type == "code"]
    shown = []
    names = {}
    exec(first, names)
    names["display"] = shown.append
    for cell in asks:
        exec(cell, names)
    for buttons in shown[:-1]:
        buttons.value = "C"
    exec(last.replace('""', '" Zoë K "'), names)
    read, problems = answers.answers_in(capsys.readouterr().out.encode())
    assert read == [answers.Answers("Zoë K", "B", "C" * 11 + "-")]
    assert not problems


def test_what_a_class_is_given_holds_no_key(tmp_path):
    assert main(["inventory", "--output", str(tmp_path)]) == 0
    replies = [
        reply for asked in FORMS.values() for each in asked.values() for _, reply in each.options.values()
    ]
    for path in tmp_path.iterdir():
        text = path.read_text("utf-8")
        assert not [reply for reply in replies if reply in text]
